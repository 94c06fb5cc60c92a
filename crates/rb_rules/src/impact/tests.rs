//! Small projects with small packages, before and after a change; `//- path` before each file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_core::fs::Durability;
use rb_core::progress::Silent;
use rb_index::{Indexed, NoHistory, OnDisk, Options, Request};

use super::{Change, Entry, Impact, Load, Start, entries, estimate};
use crate::engine::OverIndex;
use crate::project::Project;

/// `changed` holds files as they are on the other side; one without a text is not there.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(before: &str, changed: &str, expected: Expect) {
    expected.assert_eq(&shown(before, changed, |now, other| Change { before: now, after: other }));
}

/// The files are those after the change.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check_since(after: &str, changed: &str, expected: Expect) {
    expected.assert_eq(&shown(after, changed, |now, other| Change { before: other, after: now }));
}

type Text = Option<std::sync::Arc<str>>;

fn shown(on_disk: &str, changed: &str, change: fn(Text, Text) -> Change) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a path").join("project");
    let files: BTreeMap<&str, &str> = parts(on_disk).collect();
    write(&root, ".gitignore", "node_modules\n");
    for (path, text) in &files {
        write(&root, path, text);
    }
    let indexed = index(&root, &folder.path().join("store"));
    let view = indexed.view().expect("a view");
    let texts = OnDisk { root: &root };
    let project = Project::of(&view, Some(&root), &texts);
    let world = OverIndex::new(&view, &project, &texts);
    let changed: BTreeMap<String, Change> = parts(changed)
        .map(|(path, other)| {
            let now = files.get(path).map(|text| (*text).into());
            let other = (!other.trim().is_empty()).then(|| other.into());
            (path.to_owned(), change(now, other))
        })
        .collect();
    let mut found = entries(&world);
    if found.is_empty() {
        let given = changed.keys().map(|path| Entry {
            path: path.clone(),
            with: Vec::new(),
            start: Start::Browser,
        });
        found = given.collect();
    }
    let impact = estimate(&world, project.installed(), &changed, &found, &Cancel::new());
    show(&impact, &found).replace(root.to_str().expect("a plain path"), "")
}

fn parts(fixture: &str) -> impl Iterator<Item = (&str, &str)> {
    fixture.split("//- ").skip(1).map(|file| {
        let (path, text) = file.split_once('\n').expect("a path on a line of its own");
        (path.trim(), text)
    })
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    rb_core::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
    rb_core::fs::write(&path, text.as_bytes(), Durability::Relaxed).expect("write");
}

fn index(root: &Path, store: &Path) -> Indexed {
    let request = Request {
        root,
        folder: store,
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    rb_index::update(&request).expect("an index")
}

fn show(impact: &Impact, entries: &[Entry]) -> String {
    let load = |it: Load| {
        let size = |size: super::Size| format!("{} in {}", size.bytes, size.modules);
        format!("{} + {} later", size(it.first), size(it.deferred))
    };
    let mut shown = String::new();
    let mut line = |name: &str, sides: super::Sides<Load>| {
        let (before, after) = (load(sides.before), load(sides.after));
        let words = if before == after { before } else { format!("{before} -> {after}") };
        writeln!(shown, "{name}: {words}").expect("a string takes it");
    };
    for (impact, entry) in impact.entries.iter().zip(entries) {
        line(&format!("{} {}", impact.path, entry.with.join(" ")), impact.load);
    }
    line("total", impact.total);
    for package in &impact.packages {
        line(&format!("  of {:?}", package.name), package.load);
    }
    if !impact.doubts.is_empty() {
        writeln!(shown, "{:?}", impact.doubts).expect("a string takes it");
    }
    shown
}

const REACT: &str = r#"//- package.json
{"name":"app","dependencies":{"react":"19.2.0","react-dom":"19.2.0","icons":"1.0.0"}}
//- node_modules/react-dom/package.json
{"name":"react-dom","version":"19.2.0","exports":{"./client":"./client.js"}}
//- node_modules/react-dom/client.js
if (process.env.NODE_ENV === 'production') {
  module.exports = require('./production.js');
} else {
  module.exports = require('./development.js');
}
//- node_modules/react-dom/production.js
exports.createRoot = 1;
//- node_modules/react-dom/development.js
exports.createRoot = 'a long text that only developers load';
//- node_modules/icons/package.json
{"name":"icons","version":"1.0.0","module":"esm/index.js","main":"cjs.js"}
//- node_modules/icons/cjs.js
never();
//- node_modules/icons/esm/index.js
export { default as Home } from './home';
export * from './more';
//- node_modules/icons/esm/home.js
export default 'home';
//- node_modules/icons/esm/more/index.js
export const Trash = 'trash';
export const Star = 'star';
//- src/main.tsx
import { createRoot } from 'react-dom/client';
import { App } from './app';
createRoot(document.body).render(<App />);
"#;

#[track_caller]
fn in_react(app: &str, after: &str, expected: Expect) {
    let before = format!("{REACT}//- src/app.tsx\n{app}\n");
    check(&before, &format!("//- src/app.tsx\n{after}\n"), expected);
}

#[test]
fn ru6_a_deep_import_loads_less_than_the_index() {
    in_react(
        "import { Home } from 'icons';\nexport const App = () => <b>{Home}</b>;",
        "import Home from 'icons/esm/home';\nexport const App = () => <b>{Home}</b>;",
        expect![[r#"
            src/main.tsx : 511 in 7 + 0 in 0 later -> 392 in 5 + 0 in 0 later
            total: 511 in 7 + 0 in 0 later -> 392 in 5 + 0 in 0 later
              of "": 189 in 2 + 0 in 0 later -> 194 in 2 + 0 in 0 later
              of "icons": 147 in 3 + 0 in 0 later -> 23 in 1 + 0 in 0 later
        "#]],
    );
}

#[test]
fn ru6_a_dynamic_import_moves_bytes_to_later() {
    in_react(
        "import { Home } from 'icons';\nexport const App = () => <b>{Home}</b>;",
        "const later = () => import('icons');\nexport const App = () => <b onClick={later} />;",
        expect![[r#"
            src/main.tsx : 511 in 7 + 0 in 0 later -> 379 in 4 + 147 in 3 later
            total: 511 in 7 + 0 in 0 later -> 379 in 4 + 147 in 3 later
              of "": 189 in 2 + 0 in 0 later -> 204 in 2 + 0 in 0 later
              of "icons": 147 in 3 + 0 in 0 later -> 0 in 0 + 147 in 3 later
        "#]],
    );
}

#[test]
fn ru6_types_load_nothing() {
    in_react(
        "import { Home } from 'icons';\nimport type { Star } from './star';\nimport { type A } from './a';\n\
         export const App = () => null;\nexport type B = typeof Home;",
        "import { Home } from 'icons';\nexport const App = () => <b>{Home}</b>;",
        expect![[r#"
            src/main.tsx : 450 in 4 + 0 in 0 later -> 511 in 7 + 0 in 0 later
            total: 450 in 4 + 0 in 0 later -> 511 in 7 + 0 in 0 later
              of "": 275 in 2 + 0 in 0 later -> 189 in 2 + 0 in 0 later
              of "icons": 0 in 0 + 0 in 0 later -> 147 in 3 + 0 in 0 later
        "#]],
    );
}

#[test]
fn ru6_what_cannot_be_followed_is_counted() {
    in_react(
        "import gone from 'gone/deep';\nimport './style.css';\nimport 'virtual:pwa';\nimport fs from 'node:fs';\nimport x from './nowhere';\n\
         export const App = (it: string) => import(it).then(() => [gone, fs, x]);",
        "import {{ from 'icons';",
        expect![[r#"
            src/main.tsx : 494 in 4 + 0 in 0 later -> 318 in 4 + 0 in 0 later
            total: 494 in 4 + 0 in 0 later -> 318 in 4 + 0 in 0 later
              of "": 319 in 2 + 0 in 0 later -> 143 in 2 + 0 in 0 later
            Doubts { missing: {"gone"}, unresolved: {("src/app.tsx", "./nowhere"), ("src/app.tsx", "virtual:pwa")}, unresolved_in_packages: 0, computed: 1, unread: {"src/app.tsx"}, over_limit: 0 }
        "#]],
    );
}

#[test]
fn ru6_circles_and_common_modules_count_once() {
    check(
        r"
//- package.json
{}
//- a.js
import './b'; import './c';
//- b.js
import './c'; import './a';
//- c.js
import './a'; import data from './data.json';
//- data.json
[1, 2, 3]
",
        "//- a.js\nimport './c';\n//- c.js\nexport default import('./b');\n",
        expect![[r#"
            a.js : 112 in 4 + 0 in 0 later -> 44 in 2 + 28 in 1 later
            c.js : 112 in 4 + 0 in 0 later -> 30 in 1 + 42 in 2 later
            total: 112 in 4 + 0 in 0 later -> 44 in 2 + 28 in 1 later
              of "": 112 in 4 + 0 in 0 later -> 44 in 2 + 28 in 1 later
        "#]],
    );
}

#[test]
fn ru6_pages_of_server_components_load_what_is_behind_use_client() {
    check(
        r#"
//- package.json
{"name":"shop","dependencies":{"next":"16.0.0","react":"19.2.0","db":"1","ui":"1"}}
//- node_modules/db/package.json
{"name":"db","main":"index.js"}
//- node_modules/db/index.js
'use client'; module.exports = 'not followed: a package without React holds no component';
//- node_modules/ui/package.json
{"name":"ui","main":"index.js","peerDependencies":{"react":"*"}}
//- node_modules/ui/index.js
export { Button } from './button.js'; export const server = 'stays on the server';
//- node_modules/ui/button.js
'use client'; export const Button = 'button';
//- app/layout.tsx
import { Button } from 'ui';
export default ({ children }) => <html><Button />{children}</html>;
//- app/page.tsx
import db from 'db';
import { Cart } from './cart';
export default () => <Cart items={db} />;
//- app/cart.tsx
'use client';
import { buy } from './buy';
import { shown } from './shown';
export const Cart = () => <b onClick={buy}>{shown}</b>;
//- app/buy.ts
'use server';
import { long } from './shown';
export async function buy() { return long; }
//- app/shown.ts
export const shown = 1;
//- app/about/page.tsx
export default () => <p>About</p>;
"#,
        "//- app/cart.tsx\nexport const Cart = () => <b>static</b>;\n",
        expect![[r#"
            app/about/page.tsx app/layout.tsx: 46 in 1 + 0 in 0 later
            app/page.tsx app/layout.tsx: 202 in 3 + 0 in 0 later -> 46 in 1 + 0 in 0 later
            total: 202 in 3 + 0 in 0 later -> 46 in 1 + 0 in 0 later
              of "": 156 in 2 + 0 in 0 later -> 0 in 0 + 0 in 0 later
        "#]],
    );
}

#[test]
fn ru6_a_page_of_the_pages_router_comes_with_its_app() {
    check(
        r##"
//- package.json
{"name":"shop","dependencies":{"next":"16.0.0","react":"19.2.0","icons":"1"}}
//- next.config.js
module.exports = { experimental: { optimizePackageImports: ['icons'] } };
//- node_modules/icons/package.json
{"name":"icons","type":"module","exports":{".":{"require":"./no.cjs","browser":"./index.js"}},"imports":{"#all":{"node":"./no.cjs","default":"./all.js"}}}
//- node_modules/icons/index.js
import Home from './home.js'; export { Home }; export * from '#all';
//- node_modules/icons/home.js
export default 'home';
//- node_modules/icons/all.js
export const Star = 'star'; export const Trash = 'trash';
//- src/pages/_app.tsx
import { Star } from 'icons';
export default ({ Component }) => <Component star={Star} />;
//- src/pages/index.tsx
import { Home } from 'icons';
export default () => <Home />;
//- src/pages/api/hook.ts
import { Home } from 'icons';
export default () => Home;
"##,
        "//- src/pages/index.tsx\nimport * as icons from 'icons';\nexport default () => <icons.Home />;\n",
        expect![[r#"
            src/pages/index.tsx src/pages/_app.tsx: 233 in 4 + 0 in 0 later -> 310 in 5 + 0 in 0 later
            total: 233 in 4 + 0 in 0 later -> 310 in 5 + 0 in 0 later
              of "": 152 in 2 + 0 in 0 later -> 160 in 2 + 0 in 0 later
              of "icons": 81 in 2 + 0 in 0 later -> 150 in 3 + 0 in 0 later
        "#]],
    );
}

#[test]
fn ru6_packages_are_resolved_as_for_a_browser() {
    check(
        r#"
//- package.json
{"name":"lib","main":"dist/index.js"}
//- src/index.ts
import a from 'a';
export default a;
//- node_modules/a/package.json
{"name":"a","main":"lib","browser":{"./lib/node.js":"./lib/web.js","fs":false,"./lib/off":false}}
//- node_modules/a/lib/index.js
var a = require('./node'), b = require('b'), c = require('fs'), d = require('./off'), e = require('path');
(function (require) { require('never'); })(null);
module.exports = require(a);
//- node_modules/a/lib/node.js
'never'
//- node_modules/a/lib/off.js
'never'
//- node_modules/a/lib/web.js
'web'
//- node_modules/a/node_modules/b/package.json
{"name":"b"}
//- node_modules/a/node_modules/b/index.js
'nested'
//- node_modules/b/package.json
{"name":"b"}
//- node_modules/b/index.js
'the other one'
"#,
        "//- src/index.ts\nimport a from 'a';\nimport b from 'b';\nexport default [a, b];\n",
        expect![[r#"
            src/index.ts : 238 in 4 + 0 in 0 later -> 278 in 5 + 0 in 0 later
            total: 238 in 4 + 0 in 0 later -> 278 in 5 + 0 in 0 later
              of "": 37 in 1 + 0 in 0 later -> 61 in 1 + 0 in 0 later
              of "b": 9 in 1 + 0 in 0 later -> 25 in 2 + 0 in 0 later
            Doubts { missing: {}, unresolved: {}, unresolved_in_packages: 0, computed: 1, unread: {}, over_limit: 0 }
        "#]],
    );
}

#[test]
fn ru6_a_file_that_is_gone_is_followed_by_its_path() {
    let after = format!("{REACT}//- src/app.tsx\nexport const App = () => null;\n");
    check_since(
        &after,
        "//- src/app.tsx\nimport { old } from './old/one';\nexport const App = () => <b>{old}</b>;\n\
         //- src/old/one.ts\nimport { Home } from 'icons';\nimport { two } from '@/two';\nexport const old = [Home, two];\n\
         //- src/two.ts\nexport const two = 2;\n",
        expect![[r#"
            src/main.tsx : 626 in 9 + 0 in 0 later -> 325 in 4 + 0 in 0 later
            total: 626 in 9 + 0 in 0 later -> 325 in 4 + 0 in 0 later
              of "": 304 in 4 + 0 in 0 later -> 150 in 2 + 0 in 0 later
              of "icons": 147 in 3 + 0 in 0 later -> 0 in 0 + 0 in 0 later
        "#]],
    );
}

#[cfg(unix)]
#[test]
fn ru6_a_package_behind_two_links_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = &folder.path().join("project");
    let store = "node_modules/.pnpm/x@1/node_modules/x";
    write(root, &format!("{store}/package.json"), r#"{"name":"x"}"#);
    write(root, &format!("{store}/index.js"), "'x'");
    write(root, "node_modules/.pnpm/y@1/node_modules/y/package.json", r#"{"name":"y"}"#);
    write(root, "node_modules/.pnpm/y@1/node_modules/y/index.js", "require('x')");
    let link =
        |to: &str, at: &str| rb_core::fs::symlink(&root.join(to), &root.join(at)).expect("a link");
    link(store, "node_modules/x");
    link(store, "node_modules/.pnpm/y@1/node_modules/x");
    link("node_modules/.pnpm/y@1/node_modules/y", "node_modules/y");
    write(root, "package.json", "{}");
    write(root, "a.js", "import 'x'; import 'y';");
    let indexed = index(root, &folder.path().join("store"));
    let view = indexed.view().expect("a view");
    let texts = OnDisk { root };
    let project = Project::of(&view, Some(root), &texts);
    let world = OverIndex::new(&view, &project, &texts);
    let entry = Entry { path: "a.js".to_owned(), with: Vec::new(), start: Start::Browser };
    let impact = estimate(&world, project.installed(), &BTreeMap::new(), &[entry], &Cancel::new());
    assert_eq!(impact.total.after.first.modules, 3, "{impact:?}");
    assert!(!impact.total.is_changed());
}
