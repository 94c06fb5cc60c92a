use std::fmt::Write as _;

use expect_test::expect;

use super::RULE;
use crate::facts::Realm;
use crate::testing::{Setup, check_doc};

/// `ui`, as large packages are made: an index for either kind of module, `exports` with a path per component, types.
fn with_ui(setup: Setup) -> Setup {
    let mut manifest = r#"{"name":"ui","sideEffects":false,"exports":{".":{"types":"./index.d.ts","import":"./index.mjs","require":"./index.js"}"#.to_owned();
    let (mut index, mut required, mut setup) = (String::new(), String::new(), setup);
    for name in ["Button", "Card", "Menu"] {
        write!(
            manifest,
            r#","./{name}":{{"types":"./{name}/index.d.ts","import":"./{name}/index.mjs","require":"./{name}/index.js"}}"#
        )
        .unwrap();
        writeln!(index, "export {{ default as {name} }} from './{name}/index.mjs';\nexport * from './{name}/index.mjs';").unwrap();
        writeln!(required, "exports.{name} = require('./{name}').default;").unwrap();
        let folder = format!("node_modules/ui/{name}");
        setup = setup
            .file(
                &format!("{folder}/index.mjs"),
                &format!("export {{ default }} from './{name}.mjs'; export * from './{name}.mjs';"),
            )
            .file(
                &format!("{folder}/{name}.mjs"),
                &format!("export const use{name} = () => 1; export default function {name}() {{}}"),
            )
            .file(&format!("{folder}/index.js"), "exports.default = 1;")
            .file(
                &format!("{folder}/index.d.ts"),
                &format!("export {{ default }} from './{name}'; export * from './{name}';"),
            )
            .file(
                &format!("{folder}/{name}.d.ts"),
                &format!("export interface {name}Props {{}} export declare const use{name}: () => number; export default function {name}(props: {name}Props): null;"),
            );
    }
    index.push_str(&filler(18));
    manifest.push_str("}}");
    setup
        .file("node_modules/ui/package.json", &manifest)
        .file("node_modules/ui/index.mjs", &index)
        .file("node_modules/ui/index.js", &required)
        .file("node_modules/ui/index.d.ts", "export * from './Button';")
        .file("tsconfig.json", r#"{"compilerOptions":{"moduleResolution":"node"}}"#)
}

/// `export * from './part1.js'` …
fn filler(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        writeln!(text, "export * from './part{at}.js';").unwrap();
        text
    })
}

/// A package without `exports`, all of ES modules.
fn with_fns(setup: Setup, manifest: &str) -> Setup {
    let index = format!(
        "export {{ default as debounce }} from './debounce.js';\nexport {{ pick, pick as take }} from './pick.js';\n{}",
        filler(20)
    );
    setup
        .file("node_modules/lodash-es/package.json", manifest)
        .file("node_modules/lodash-es/lodash.js", &index)
        .file("node_modules/lodash-es/debounce.js", "export default function debounce() {}")
        .file("node_modules/lodash-es/pick.js", "export function pick() {}")
        .file("node_modules/@types/lodash-es/package.json", r#"{"name":"@types/lodash-es"}"#)
        .file(
            "node_modules/@types/lodash-es/debounce.ts",
            "export default function debounce(): void;",
        )
}

const FNS: &str = r#"{"name":"lodash-es","type":"module","main":"lodash.js","sideEffects":false}"#;

#[test]
fn ru1_bundle_barrel_imports_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_bundle_barrel_imports_of_a_package_are_rewritten() {
    with_ui(Setup::new()).check(
        &RULE,
        "'use client';
import { useState } from 'react';
import { Button, Card as Box, useMenu, Unknown, type CardProps } from \"ui\"
export const A = (p: CardProps) => <Box {...p}><Button on={useMenu()} /><Unknown /></Box>",
        expect![[r#"
            3:1 warning: `ui` is a barrel of 21 modules; import `Button`, `Card` and `useMenu` directly [auto: import each name from its own module]
            --- auto
            'use client';
            import { useState } from 'react';
            import { Unknown, type CardProps } from "ui"
            import Button from "ui/Button"
            import Box from "ui/Card"
            import { useMenu } from "ui/Menu"
            export const A = (p: CardProps) => <Box {...p}><Button on={useMenu()} /><Unknown /></Box>
        "#]],
    );
}

#[test]
fn ru1_bundle_barrel_imports_leaves_types_behind() {
    // A name that is used as a type alone stays, and the import says so.
    with_ui(Setup::new()).fixes(
        &RULE,
        "import { Button, ButtonProps } from 'ui';\nexport const a = (p: ButtonProps) => <Button {...p} />;\n",
        "import type { ButtonProps } from 'ui';\nimport Button from 'ui/Button';\nexport const a = (p: ButtonProps) => <Button {...p} />;\n",
    );
    let setup = with_ui(Setup::new());
    // Types alone are never loaded.
    setup.silent(&RULE, "import type { Button } from 'ui';\nexport type A = typeof Button;");
    setup.silent(&RULE, "import { type Button } from 'ui';\nexport type A = typeof Button;");
    setup.silent(&RULE, "import { Button } from 'ui';\nexport type A = typeof Button;");
    setup.silent(&RULE, "import { Button } from 'ui';\nexport type A = Button;");
    // An import of nothing is there for its effects.
    setup.silent(&RULE, "import 'ui';");
}

#[test]
fn ru1_bundle_barrel_imports_without_a_map() {
    let text = "import { debounce, take as t } from 'lodash-es';\nt(debounce);\n";
    let after = "import debounce from 'lodash-es/debounce.js';\nimport { pick as t } from 'lodash-es/pick.js';\nt(debounce);\n";
    with_fns(Setup::new(), FNS).path("src/a.js").fixes(&RULE, text, after);
    // `pick` has no types: it stays in TypeScript.
    with_fns(Setup::new(), FNS).path("src/a.ts").fixes(
        &RULE,
        text,
        "import { take as t } from 'lodash-es';\nimport debounce from 'lodash-es/debounce.js';\nt(debounce);\n",
    );
    // Without `type: module`, Node takes the file for something else.
    let manifest = r#"{"name":"lodash-es","main":"lodash.js","sideEffects":false}"#;
    let plain = with_fns(Setup::new(), manifest).path("src/a.js");
    plain.no_auto(&RULE, text);
    plain.clone().package(|it| { it.dependencies.insert("vite".into()); }).fixes(
        &RULE,
        text,
        "import debounce from 'lodash-es/debounce';\nimport { pick as t } from 'lodash-es/pick';\nt(debounce);\n",
    );
}

#[test]
fn ru1_bundle_barrel_imports_of_what_is_handled_or_small() {
    let text = "import { Button } from 'ui';\nexport const a = <Button />;";
    // Next does it by itself; metro knows no map.
    with_ui(Setup::new()).optimized("ui").silent(&RULE, text);
    with_ui(Setup::new()).package(|it| it.react_native = true).silent(&RULE, text);
    // Not installed: nothing is known.
    Setup::new().silent(&RULE, text);
    // A small index.
    with_ui(Setup::new())
        .file(
            "node_modules/ui/index.mjs",
            "export { default as Button } from './Button/index.mjs';",
        )
        .silent(&RULE, text);
    // The map has no path for it.
    with_ui(Setup::new())
        .file(
            "node_modules/ui/package.json",
            r#"{"name":"ui","sideEffects":false,"exports":{".":{"import":"./index.mjs"}}}"#,
        )
        .silent(&RULE, text);
    // A path that is there, but leads elsewhere when it is imported: another copy.
    with_ui(Setup::new())
        .file(
            "node_modules/ui/package.json",
            r#"{"name":"ui","sideEffects":false,"exports":{".":{"import":"./index.mjs"},"./Button":{"types":"./Button/index.d.ts","import":"./Menu/index.mjs","require":"./Button/index.mjs"}}}"#,
        )
        .silent(&RULE, text);
    // The direct form.
    with_ui(Setup::new())
        .silent(&RULE, "import Button from 'ui/Button';\nexport const a = <Button />;");
}

#[test]
fn ru1_bundle_barrel_imports_that_are_not_proved() {
    let text = "import { Button } from 'ui';\nexport const a = <Button />;\n";
    with_ui(Setup::new()).fixes(
        &RULE,
        text,
        "import Button from 'ui/Button';\nexport const a = <Button />;\n",
    );
    // A test replaces the root.
    with_ui(Setup::new()).mocked("ui").no_auto(&RULE, text);
    // The file gives the name on.
    let setup = with_ui(Setup::new());
    setup.no_auto(&RULE, "import { Button } from 'ui';\nexport { Button };");
    setup.no_auto(
        &RULE,
        "import { Button } from 'ui';\nexport { Card } from 'ui';\nexport const a = <Button />;",
    );
    // A comment in the import.
    setup.no_auto(&RULE, "import {\n  Button, // ours\n} from 'ui';\nexport const a = <Button />;");
    // Used as a type as well.
    setup.no_auto(&RULE, "import { Button } from 'ui';\nexport const a: Button = new Button();");
    // Effects are not ruled out.
    let manifest = r#"{"name":"ui","exports":{".":{"types":"./index.d.ts","import":"./index.mjs","require":"./index.js"},"./Button":{"types":"./Button/index.d.ts","import":"./Button/index.mjs","require":"./Button/index.js"}}}"#;
    with_ui(Setup::new()).file("node_modules/ui/package.json", manifest).no_auto(&RULE, text);
    // What `require` gets for the path is another copy than in the index for `require`, which is one file.
    let bundled = with_ui(Setup::new())
        .file("node_modules/ui/index.js", "exports.Button = function Button() {};");
    bundled.no_auto(&RULE, text);
    // … or a module that `require` cannot load.
    let only_import = manifest
        .replace(r#""require":"./Button/index.js""#, r#""default":"./Button/index.mjs""#)
        .replace(r#""name":"ui""#, r#""name":"ui","sideEffects":false"#);
    with_ui(Setup::new()).file("node_modules/ui/package.json", &only_import).no_auto(&RULE, text);
    // Types that are found by a newer compiler alone.
    let moved = manifest
        .replace("./Button\":", "./button-new\":")
        .replace(r#""name":"ui""#, r#""name":"ui","sideEffects":false"#);
    let setup = with_ui(Setup::new()).file("node_modules/ui/package.json", &moved);
    setup.no_auto(&RULE, text);
    setup.file("tsconfig.json", r#"{"compilerOptions":{"moduleResolution": "Bundler"}}"#).fixes(
        &RULE,
        text,
        "import Button from 'ui/button-new';\nexport const a = <Button />;\n",
    );
}

#[test]
fn ru1_bundle_barrel_imports_of_a_namespace() {
    with_ui(Setup::new()).check(
        &RULE,
        "import * as UI from 'ui';\nexport const a = (Button) => <UI.Card><UI.Button>{UI.useMenu()}</UI.Button></UI.Card>;",
        expect![[r#"
            1:1 warning: `ui` is a barrel of 21 modules; import `Button`, `Card` and `useMenu` directly [assist: import each name from its own module] (not proved: namespace functions are called with the namespace as `this`)
            --- assist
            import Button2 from 'ui/Button';
            import Card from 'ui/Card';
            import { useMenu } from 'ui/Menu';
            export const a = (Button) => <Card><Button2>{useMenu()}</Button2></Card>;
        "#]],
    );
    let setup = with_ui(Setup::new());
    setup.silent(
        &RULE,
        "import * as UI from 'ui';\nexport const a = (n) => <UI.Card>{UI[n]}</UI.Card>;",
    );
    setup.silent(&RULE, "import * as UI from 'ui';\nexport const a = f(UI);");
}

#[test]
fn ru1_bundle_barrel_imports_of_a_module_as_a_whole() {
    let index = format!("export * as Effect from './Effect.js';\n{}", filler(20));
    Setup::new()
        .path("src/a.js")
        .file("node_modules/fx/package.json", r#"{"name":"fx","type":"module","sideEffects":[],"exports":{".":"./index.js","./Effect":"./Effect.js"}}"#)
        .file("node_modules/fx/index.js", &index)
        .file("node_modules/fx/Effect.js", "export const run = () => 1;")
        .fixes(&RULE, "import { Effect } from 'fx'\nEffect.run()\n", "import * as Effect from 'fx/Effect'\nEffect.run()\n");
}

#[test]
fn ru1_bundle_barrel_imports_of_lodash_are_a_draft() {
    Setup::new()
        .file("node_modules/lodash/package.json", r#"{"name":"lodash","main":"lodash.js"}"#)
        .file("node_modules/lodash/lodash.js", "module.exports = {};")
        .file("node_modules/lodash/map.js", "module.exports = function map() {};")
        .check(
            &RULE,
            "import { map } from 'lodash';\nimport _ from 'lodash';\nexport default map(_);",
            expect![[r#"
                1:1 error: importing `map` from `lodash` loads the whole library; import the function's own module [assist: import from the function's module] (not proved: `lodash/map` is a separate copy with a CommonJS default export)
                --- assist
                import map from 'lodash/map';
                import _ from 'lodash';
                export default map(_);
            "#]],
        );
}

/// An index of the project, with one folder that has an index of its own.
fn with_project(setup: Setup) -> Setup {
    let mut names: Vec<String> =
        ["alert", "badge", "card", "dialog", "empty"].map(Into::into).into();
    names.extend((1..45).map(|at| format!("part{at}")));
    let mut index =
        "export * from './button';\nexport { default as Table } from './table';\n".to_owned();
    let mut setup = setup;
    for name in names {
        writeln!(index, "export * from './{name}';").unwrap();
        setup = setup.file(
            &format!("src/ui/{name}.tsx"),
            &format!("import {{ memo }} from 'react';\nexport const {name} = memo(() => <b />);"),
        );
    }
    setup
        .file("src/ui/index.ts", &index)
        .file(
            "src/ui/button.tsx",
            "export type Props = {};\nexport function Button() { return <b />; }",
        )
        .file("src/ui/table/index.ts", "export { Table as default } from './Table';")
        .file("src/ui/table/Table.tsx", "export function Table() { return <b />; }")
}

#[test]
fn ru1_bundle_barrel_imports_of_the_project_are_rewritten() {
    with_project(Setup::new()).check(
        &RULE,
        "import { Button, card, Table as T, type Props } from './ui';\nexport const A = (p: Props) => <T><Button {...p} />{card}</T>;",
        expect![[r#"
            1:1 warning: `./ui` is a barrel of 51 modules; import `Button`, `card` and `Table` directly [auto: import each name from its own module]
            --- auto
            import type { Props } from './ui';
            import { Button } from './ui/button';
            import { card } from './ui/card';
            import T from './ui/table';
            export const A = (p: Props) => <T><Button {...p} />{card}</T>;
        "#]],
    );
    let setup = with_project(Setup::new()).path("src/pages/deep/a.tsx");
    setup.fixes(
        &RULE,
        "import { Button } from '@/ui';\nexport const A = <Button />;\n",
        "import { Button } from '@/ui/button';\nexport const A = <Button />;\n",
    );
    setup.fixes(
        &RULE,
        "import { Button } from '../../ui/index';\nexport const A = <Button />;\n",
        "import { Button } from '../../ui/button';\nexport const A = <Button />;\n",
    );
}

#[test]
fn ru1_bundle_barrel_imports_of_the_project_that_are_not_proved() {
    let text = "import { Button } from './ui';\nexport const A = <Button />;\n";
    let setup = with_project(Setup::new());
    setup.fixes(
        &RULE,
        text,
        "import { Button } from './ui/button';\nexport const A = <Button />;\n",
    );
    setup.clone().mocked("./ui").no_auto(&RULE, text);
    // A module behind the index does something.
    setup
        .clone()
        .file("src/ui/card.tsx", "import './card.css';\nexport const card = 1;")
        .no_auto(&RULE, text);
    setup
        .clone()
        .file("src/ui/card.tsx", "register();\nexport const card = 1;")
        .no_auto(&RULE, text);
    setup
        .clone()
        .file("src/ui/card.tsx", "import { x } from '../x';\nexport const card = x;")
        .file("src/x.ts", "export const x = start();")
        .no_auto(&RULE, text);
    // A circle, with the index in it or beside it.
    setup
        .clone()
        .file("src/ui/card.tsx", "import { Button } from '.';\nexport const card = Button;")
        .no_auto(&RULE, text);
    setup
        .clone()
        .file("src/ui/card.tsx", "import { badge } from './badge';\nexport const card = 1;")
        .file("src/ui/badge.tsx", "import { card } from './card';\nexport const badge = 1;")
        .no_auto(&RULE, text);
    // The root of another package of the repository; server code.
    let depends = setup.clone().package(|it| {
        it.dependencies.insert("@/ui".into());
    });
    depends.silent(&RULE, &text.replace("./ui", "@/ui"));
    setup.clone().realm(Realm::Server).silent(&RULE, text);
    let named = setup.clone().file("package.json", r#"{"name":"@/ui"}"#);
    named.silent(&RULE, &text.replace("./ui", "@/ui"));
    setup.clone().path("server/example.tsx").silent(&RULE, &text.replace("./ui", "@/ui"));
    // The type of the same name lies elsewhere.
    setup
        .clone()
        .file("src/ui/card.tsx", "export interface Button {}")
        .no_auto(&RULE, "import { Button } from './ui';\nexport const b: Button = Button();\n");
    // A class is a value and a type under one name.
    setup.clone().file("src/ui/button.tsx", "export class Button {}").fixes(
        &RULE,
        "import { Button } from './ui';\nexport const b: Button = new Button();\n",
        "import { Button } from './ui/button';\nexport const b: Button = new Button();\n",
    );
    // This file is part of what the index loads.
    setup
        .clone()
        .file("src/ui/card.tsx", "import { A } from '../example';\nexport const card = () => A;")
        .no_auto(&RULE, text);
    // An index with code of its own is no barrel, nor is a short one.
    setup
        .clone()
        .file("src/ui/index.ts", &format!("export * from './button';\nstart();\n{}", filler(12)))
        .silent(&RULE, text);
    setup
        .clone()
        .file("src/ui/index.ts", "export * from './button';\nexport * from './card';")
        .silent(&RULE, text);
    // One of some dozens counts where the bundler cannot leave the rest away.
    let shorter = (1..24).fold("export * from './button';\n".to_owned(), |mut text, at| {
        writeln!(text, "export * from './part{at}';").unwrap();
        text
    });
    let shorter = setup.file("src/ui/index.ts", &shorter);
    shorter.silent(&RULE, text);
    let loud = shorter.file("src/ui/part1.tsx", "register();\nexport const part1 = 1;");
    assert_eq!(loud.findings(&RULE, text).len(), 1);
}

#[test]
fn ru1_bundle_barrel_imports_of_the_project_beside_types() {
    // Types of globals and of other modules do nothing when they are loaded.
    with_project(Setup::new())
        .file(
            "src/ui/card.tsx",
            "declare global { interface Window { x: 1 } }\ndeclare module 'y' { const z: 1; }\nexport const card = 1;",
        )
        .fixes(
            &RULE,
            "import { Button } from './ui';\nexport const A = <Button />;\n",
            "import { Button } from './ui/button';\nexport const A = <Button />;\n",
        );
}

#[test]
fn ru1_bundle_barrel_imports_of_what_a_library_gives_on_as_a_whole() {
    // Whoever uses the library loads the index anyway.
    let text = "import { Button } from './ui';\nexport const A = <Button />;\n";
    let setup =
        with_project(Setup::new()).file("package.json", r#"{"name":"x","main":"dist/index.js"}"#);
    let entry = |code: &str| setup.clone().file("src/index.ts", code);
    entry("export * from './ui';").silent(&RULE, text);
    entry("export * from './all';").file("src/all.ts", "export * from './ui';").silent(&RULE, text);
    assert_eq!(entry("export { A } from './example';").findings(&RULE, text).len(), 1);
    assert_eq!(setup.findings(&RULE, text).len(), 1);
    // Paths into the library beside the front door change little.
    let parted = r#"{"name":"x","main":"a.js","exports":{".":"./a.js","./example":"./b.js"}}"#;
    entry("export * from './ui';").file("package.json", parted).silent(&RULE, text);
    // An application has no users of that kind.
    let app = entry("export * from './ui';").file("package.json", r#"{"name":"x"}"#);
    assert_eq!(app.findings(&RULE, text).len(), 1);
}

#[test]
fn ru1_bundle_barrel_imports_of_what_is_needed_anyway() {
    let text = "import { Button } from './ui';\nexport const A = <Button />;\n";
    let names: Vec<String> = (1..30).map(|at| format!("part{at}")).collect();
    let rest = format!(
        "import {{ {} }} from './ui';\nexport const all = [{}];",
        names.join(", "),
        names.join(", ")
    );
    let setup = with_project(Setup::new());
    // Through the index, or without it.
    setup.clone().file("src/rest.tsx", &rest).silent(&RULE, text);
    let direct = names.iter().fold(String::new(), |mut text, it| {
        writeln!(text, "import {{ {it} }} from './ui/{it}';").unwrap();
        text
    });
    setup.clone().file("src/rest.tsx", &direct).silent(&RULE, text);
    assert_eq!(setup.findings(&RULE, text).len(), 1);
    // Many of them are wanted here.
    let some = names[..9].join(", ");
    setup.silent(&RULE, &format!("import {{ {some} }} from './ui';\nexport const all = [{some}];"));
}

#[test]
fn ru1_bundle_barrel_imports_are_said_once() {
    let text = "import { Button } from './ui';\nimport { card } from './ui/index';\nexport const A = <Button>{card}</Button>;\n";
    assert_eq!(with_project(Setup::new()).findings(&RULE, text).len(), 1);
}

#[test]
fn ru1_bundle_barrel_imports_candidates() {
    let text = "import { Button } from '@mui/material';\nexport const A = () => <Button />;";
    // Not installed here.
    Setup::new().likely(&RULE, text);
    Setup::new().silent(&RULE, &text.replace("@mui/material", "some-buttons"));
    Setup::new().optimized("@mui/material").silent(&RULE, text);
    // One word for all files.
    Setup::new().file("src/a.tsx", text).realm_of("src/a.tsx", Realm::Client).silent(&RULE, text);
}

#[test]
fn ru1_bundle_barrel_imports_leaves_packages_of_the_server() {
    let setup = Setup::new().given(RULE.doc.given);
    assert!(!setup.findings(&RULE, RULE.doc.wrong).is_empty());
    setup.realm(Realm::Server).silent(&RULE, RULE.doc.wrong);
}
