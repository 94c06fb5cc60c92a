use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_rerender_memo_with_default_value_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_rerender_memo_with_default_value_is_fixed() {
    Setup::new().check(
        &RULE,
        "'use client'

import React, { memo, useMemo, type FC } from 'react'
import type { Options } from './options'

interface Props { items?: string[]; options?: Options; onPick?: () => void; sizes?: number[] }
export const Tags = memo(function Tags({ items = [], options = { wide: true }, onPick = () => {}, sizes = [1, 2] }: Props) {
  return <Row items={items} options={options} onPick={onPick} sizes={sizes} />
})
export const Sum: FC<Props> = ({ items: all = [] }) => {
  const n = React.useMemo(() => all.length, [all])
  return <b>{n}</b>
}
const Plain = ({ items = [] }: Props) => <Tags items={items} />
export const Bare = () => <Tags />
",
        expect![[r#"
            7:50 note: the default of `items` is a new array on every render, and `Row` receives it as `items`; move it to module scope [auto: move it to module scope]
            7:64 note: the default of `options` is a new object on every render, and `Row` receives it as `options`; move it to module scope [auto: move it to module scope]
            7:89 note: the default of `onPick` is a new function on every render, and `Row` receives it as `onPick`; move it to module scope [auto: move it to module scope]
            7:107 note: the default of `sizes` is a new array on every render, and `Row` receives it as `sizes`; move it to module scope [auto: move it to module scope]
            10:47 warning: the default of `all` is a new array on every render, and `useMemo` depends on it; move it to module scope [auto: move it to module scope]
            14:26 warning: the default of `items` is a new array on every render, and `Tags` receives it as `items`; move it to module scope [auto: move it to module scope]
            --- auto
            'use client'

            import React, { memo, useMemo, type FC } from 'react'
            import type { Options } from './options'

            const DEFAULT_SIZES: number[] = [1, 2]

            const noop = () => {}

            const DEFAULT_OPTIONS: Options = { wide: true }

            const EMPTY_ITEMS: never[] = []

            interface Props { items?: string[]; options?: Options; onPick?: () => void; sizes?: number[] }
            export const Tags = memo(function Tags({ items = EMPTY_ITEMS, options = DEFAULT_OPTIONS, onPick = noop, sizes = DEFAULT_SIZES }: Props) {
              return <Row items={items} options={options} onPick={onPick} sizes={sizes} />
            })
            export const Sum: FC<Props> = ({ items: all = EMPTY_ITEMS }) => {
              const n = React.useMemo(() => all.length, [all])
              return <b>{n}</b>
            }
            const Plain = ({ items = EMPTY_ITEMS }: Props) => <Tags items={items} />
            export const Bare = () => <Tags />

        "#]],
    );
}

#[test]
fn ru1_rerender_memo_with_default_value_in_javascript() {
    Setup::new().path("src/tags.jsx").fixes(
        &RULE,
        "import { memo } from \"react\";\nexport const Tags = memo(({ items = [] }) => <Row items={items} />);\n",
        "import { memo } from \"react\";\n\nconst EMPTY_ITEMS = [];\n\nexport const Tags = memo(({ items = EMPTY_ITEMS }) => <Row items={items} />);\n",
    );
}

#[test]
fn ru1_rerender_memo_with_default_value_across_files() {
    let setup = Setup::new().file("src/row.tsx", "import { memo } from 'react';\nexport const Row = memo(({ items }: { items: string[] }) => <i>{items}</i>);\nexport const Loose = ({ items }) => <i>{items}</i>;");
    let using = |tag: &str| {
        format!(
            "import {{ Row, Loose }} from './row';\nexport const A = ({{ items = [] }}: {{ items?: string[] }}) => <{tag} items={{items}} />;"
        )
    };
    setup.check(&RULE, &using("Row"), expect![[r#"
        2:29 warning: the default of `items` is a new array on every render, and `Row` receives it as `items`; move it to module scope [auto: move it to module scope]
        --- auto
        import { Row, Loose } from './row';

        const EMPTY_ITEMS: never[] = [];

        export const A = ({ items = EMPTY_ITEMS }: { items?: string[] }) => <Row items={items} />;
    "#]]);
    setup.silent(&RULE, &using("Loose"));
}

#[test]
fn ru1_rerender_memo_with_default_value_leaves_what_nobody_compares() {
    let setup = Setup::new();
    for component in [
        // Neither memoized nor in dependencies.
        "const A = ({ items = [] }: P) => <Row items={items} />;",
        // Gone through alone.
        "const A = memo(({ items = [] }: P) => <i>{items.length}{items.map(String)}</i>);",
        "const A = memo(({ items = [] }: P) => <div data-items={items} />);",
        // No object.
        "const A = memo(({ n = 1, s = 'x' }: P) => <Row n={n} s={s} />);",
        "const A = memo(({ items = EMPTY }: P) => <Row items={items} />);",
        "function helper({ items = [] }) { return useless(items); }",
    ] {
        setup.silent(
            &RULE,
            &format!("import {{ memo }} from 'react';\nconst EMPTY: string[] = [];\n{component}"),
        );
    }
    // React Compiler is on.
    setup.compiler().silent(&RULE, RULE.doc.wrong);
}

#[test]
fn ru1_rerender_memo_with_default_value_that_is_read_is_proved() {
    for read in ["new Set(items)", "new Map(items)", "!items.length", "items.slice(0, 5)"] {
        let found = Setup::new().findings(
            &RULE,
            &format!("import {{ useMemo }} from 'react';\nexport const A = ({{ items = [] }}: {{ items?: string[] }}) => {{ const x = useMemo(() => {read}, [items]); return <i>{{x}}</i>; }};"),
        );
        assert_eq!(found.len(), 1, "{read}");
        let fix = found[0].fix.as_ref().expect("there is one");
        assert_eq!(fix.doubt, None, "{read}");
    }
}

#[test]
fn ru1_rerender_memo_with_default_value_needs_a_proof() {
    let setup = Setup::new();
    for (default, body) in [
        // Changed in the component, or handed to what could change it.
        ("[]", "items.push(1);"),
        ("[]", "items.sort();"),
        ("[]", "items[0] = 1;"),
        ("{}", "items.x = 1;"),
        ("{}", "delete items.x;"),
        ("{}", "Object.assign(items, {});"),
        ("[]", "const same = items; same.pop();"),
        // Not literals alone.
        ("[later]", ""),
        ("{ a: make() }", ""),
        ("(x) => x", ""),
        ("function () { return this; }", ""),
        ("[/* none */]", ""),
        // A type that cannot be written down.
        ("{ a: 1 }", ""),
    ] {
        setup.no_auto(
            &RULE,
            &format!("import {{ memo }} from 'react';\nexport const A = memo(({{ items = {default} }}: {{ items?: Some<string> }}) => {{ {body} return <Row items={{items}} />; }});\nconst later = 1;"),
        );
    }
    // Without a type the default is the type.
    setup.no_auto(&RULE, "import { memo } from 'react';\nexport const A = memo(({ items = [] }) => <Row items={items} />);");
}

#[test]
fn ru1_rerender_memo_with_default_value_that_never_applies() {
    let body = "{ const n = useMemo(() => count(items), [items]); return <b>{n}</b>; }";
    let text = |head: &str| format!("import {{ useMemo }} from 'react';\n{head}\n");
    // The type asks for the prop.
    for head in [
        format!("export const Sum = ({{ items = [] }}: {{ items: string[] }}) => {body}"),
        format!(
            "type Base = {{ items: string[] }};\ninterface Props extends Base {{ wide?: boolean }}\nexport const Sum: React.FC<Props> = ({{ items = [] }}) => {body}"
        ),
        format!(
            "import type {{ Props }} from './props';\nexport const Sum = ({{ items = [] }}: Props & {{ wide?: boolean }}) => {body}"
        ),
    ] {
        Setup::new()
            .path("src/sum.tsx")
            .file("src/props.ts", "export interface Props { items: string[] }")
            .silent(&RULE, &text(&head));
    }
    let optional =
        format!("export const Sum = ({{ items = [] }}: {{ items?: string[] }}) => {body}");
    // Everybody hands in something, directly or through another file.
    for users in [
        "import { Sum } from './sum';\nexport const Page = () => <Sum items={['a']} />;",
        "import { Sum } from './all';\nexport const Page = ({ names }: { names: string[] }) => <Sum items={names} />;",
        // Nobody sees what is handed in here.
        "import { Sum } from './sum';\nexport const Page = ({ names }) => <Sum items={names} />;",
        "import { Sum } from './sum';\nexport const Page = (props) => <Sum {...props} />;",
    ] {
        Setup::new()
            .path("src/sum.tsx")
            .file("src/all.ts", "import { Sum } from './sum';\nexport { Sum };")
            .file("src/page.tsx", users)
            .silent(&RULE, &text(&optional));
    }
    // One of them does not, or what it hands in may be missing.
    for users in [
        "import { Sum } from './sum';\nexport const Page = () => <><Sum items={['a']} /><Sum /></>;",
        "import { Sum } from './all';\nexport const Page = ({ names }: { names?: string[] }) => <Sum items={names} />;",
        "import { Sum } from './sum';\nexport const Page = () => <Sum items={useNames().data} />;",
        "import { Sum } from './sum';\nexport const Page = () => { const { data: names } = useNames(); return <Sum items={names} />; };",
        "import { Sum } from './sum';\nexport const Page = ({ one }) => <Sum items={one?.names} />;",
    ] {
        let found = Setup::new()
            .path("src/sum.tsx")
            .file("src/all.ts", "import { Sum } from './sum';\nexport { Sum };")
            .file("src/page.tsx", users)
            .findings(&RULE, &text(&optional));
        assert_eq!(found.len(), 1, "{users}");
    }
    // A hook is called.
    Setup::new().path("src/sum.tsx").silent(
        &RULE,
        &text("const useSum = ({ items = [] }: { items?: string[] }) => useMemo(() => count(items), [items]);\nexport const Page = () => <b>{useSum({ items: ['a'] })}</b>;"),
    );
}

#[test]
fn ru1_rerender_memo_with_default_value_where_nobody_is_seen_to_compare() {
    let text = "import { memo } from 'react';\nimport { Row } from './row';\nexport const Tags = memo(function Tags({ items = [] }: { items?: string[] }) { return <Row items={items} />; });";
    let plain = "export const Row = ({ items }) => <i>{items.length}</i>;";
    let found = Setup::new().path("src/tags.tsx").file("src/row.tsx", plain).findings(&RULE, text);
    assert_eq!(found[0].severity, crate::Severity::Note);
    let memo = "import { memo } from 'react';\nexport const Row = memo(({ items }) => <i>{items.length}</i>);";
    let found = Setup::new().path("src/tags.tsx").file("src/row.tsx", memo).findings(&RULE, text);
    assert_eq!(found[0].severity, crate::Severity::Warning);
}

#[test]
fn ru1_rerender_memo_with_default_value_candidates() {
    Setup::new().likely(
        &RULE,
        "import { memo } from 'react';
const Avatar = memo(function Avatar({ onClick = () => {} }: { onClick?: () => void }) {
  return <img onClick={onClick} />;
});
export const Panel = () => <Avatar />;",
    );
}
