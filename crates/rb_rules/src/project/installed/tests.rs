use std::fmt::Write as _;
use std::path::Path;

use expect_test::{Expect, expect};

use super::{Condition, Installed, split_specifier};
use crate::project::tests::write_files;

use Condition::{Browser, Import, Module, Node, ReactServer, Require, Types};

/// Asks for each specifier, as seen from the folder before the `|`.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(fixture: &str, conditions: &[Condition], wanted: &[&str], expected: Expect) {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path(), fixture);
    expected.assert_eq(&answers(folder.path(), conditions, wanted));
}

fn answers(root: &Path, conditions: &[Condition], wanted: &[&str]) -> String {
    let installed = Installed::new(Some(root));
    let mut shown = String::new();
    for asked in wanted {
        let (dir, specifier) = asked.split_once('|').unwrap_or(("", asked));
        let file = installed.resolve(specifier, dir, conditions);
        let place = file.as_ref().map_or("nothing".into(), |file| {
            file.strip_prefix(root).unwrap().display().to_string()
        });
        let types = if installed.has_types(specifier, dir) { " typed" } else { "" };
        writeln!(shown, "{asked}: {place}{types}").unwrap();
    }
    shown
}

const EXPORTS: &str = r#"
//- node_modules/lib/package.json
{"name": "lib", "version": "2.1.0", "sideEffects": ["*.css"], "type": "module", "exports": {
  ".": {"types": "./index.d.ts", "react-server": "./server.js", "browser": {"import": "./browser.mjs"}, "import": "./index.mjs", "require": "./index.cjs"},
  "./package.json": "./package.json",
  "./icons/*": {"types": "./types/icon.d.ts", "default": "./dist/icons/*.mjs"},
  "./icons/private-*": null,
  "./deep/*/x": "./dist/*/x.js",
  "./list": ["bad", {"node": "./node.js"}, "./list.js"],
  "./gone": "./gone.js",
  "./up": "./../other/index.js",
  "./up/*": "./dist/*",
  "./in": "./node_modules/x.js",
  "./null": {"import": null, "default": "./index.mjs"},
  "./old/": "./dist/"
}}
//- node_modules/lib/index.d.ts
//- node_modules/lib/server.js
//- node_modules/lib/browser.mjs
//- node_modules/lib/index.mjs
//- node_modules/lib/index.cjs
//- node_modules/lib/types/icon.d.ts
//- node_modules/lib/dist/icons/check.mjs
//- node_modules/lib/dist/icons/private-a.mjs
//- node_modules/lib/dist/a/b/x.js
//- node_modules/lib/dist/y.js
//- node_modules/lib/node.js
//- node_modules/lib/list.js
//- node_modules/lib/node_modules/x.js
//- node_modules/other/index.js
"#;

#[test]
fn ru1_exports_decide_where_a_specifier_leads() {
    check(
        EXPORTS,
        &[Import],
        &[
            "lib",
            "lib/package.json",
            "lib/icons/check",
            "lib/icons/lost",
            "lib/icons/private-a",
            "lib/deep/a/b/x",
            "lib/list",
            "lib/gone",
            "lib/up",
            "lib/up/../../other/index.js",
            "lib/in",
            "lib/null",
            "lib/old/y.js",
            "lib/index.mjs",
            "lib/",
            "lib/icons/*",
            "lost",
            "src/deep|lib/icons/check",
        ],
        expect![[r#"
            lib: node_modules/lib/index.mjs typed
            lib/package.json: node_modules/lib/package.json
            lib/icons/check: node_modules/lib/dist/icons/check.mjs typed
            lib/icons/lost: nothing typed
            lib/icons/private-a: nothing
            lib/deep/a/b/x: node_modules/lib/dist/a/b/x.js
            lib/list: node_modules/lib/list.js
            lib/gone: nothing
            lib/up: nothing
            lib/up/../../other/index.js: nothing
            lib/in: nothing
            lib/null: nothing
            lib/old/y.js: node_modules/lib/dist/y.js
            lib/index.mjs: nothing
            lib/: nothing
            lib/icons/*: nothing typed
            lost: nothing
            src/deep|lib/icons/check: node_modules/lib/dist/icons/check.mjs typed
        "#]],
    );
}

#[test]
fn ru1_conditions_hold_in_the_order_of_the_package() {
    check(
        EXPORTS,
        &[Require],
        &["lib", "lib/null"],
        expect![[r#"
        lib: node_modules/lib/index.cjs typed
        lib/null: node_modules/lib/index.mjs
    "#]],
    );
    check(
        EXPORTS,
        &[Import, Browser],
        &["lib"],
        expect![[r#"
        lib: node_modules/lib/browser.mjs typed
    "#]],
    );
    check(
        EXPORTS,
        &[Require, Browser],
        &["lib"],
        expect![[r#"
        lib: node_modules/lib/index.cjs typed
    "#]],
    );
    check(
        EXPORTS,
        &[ReactServer, Import],
        &["lib"],
        expect![[r#"
        lib: node_modules/lib/server.js typed
    "#]],
    );
    check(
        EXPORTS,
        &[Node, Import],
        &["lib/list"],
        expect![[r#"
        lib/list: node_modules/lib/node.js
    "#]],
    );
    check(
        EXPORTS,
        &[Types, Import],
        &["lib", "lib/icons/check"],
        expect![[r#"
        lib: node_modules/lib/index.d.ts typed
        lib/icons/check: node_modules/lib/types/icon.d.ts typed
    "#]],
    );
}

const PLAIN: &str = r#"
//- node_modules/plain/package.json
{"name": "plain", "version": "4.17.21", "main": "lib/main", "module": "es/main.js"}
//- node_modules/plain/lib/main.js
//- node_modules/plain/es/main.js
//- node_modules/plain/debounce.js
//- node_modules/plain/debounce.d.ts
//- node_modules/plain/fp/index.js
//- node_modules/plain/Button/package.json
{"main": "../node/Button.js", "module": "./index.js", "types": "./index.d.ts"}
//- node_modules/plain/Button/index.js
//- node_modules/plain/Button/index.d.ts
//- node_modules/plain/node/Button.js
//- node_modules/plain/escape/package.json
{"main": "../../other/index.js"}
//- node_modules/other/index.js
//- node_modules/other/package.json
{"name": "other"}
//- node_modules/@types/other/package.json
{"name": "@types/other", "types": "index.d.ts"}
//- node_modules/@types/other/index.d.ts
//- node_modules/@s/c/package.json
{"name": "@s/c", "main": "a.js"}
//- node_modules/@s/c/a.js
//- node_modules/@types/s__c/package.json
{"name": "@types/s__c"}
//- node_modules/@types/s__c/index.d.ts
"#;

#[test]
fn ru1_without_exports_files_are_found_by_their_place() {
    check(
        PLAIN,
        &[Import],
        &[
            "plain",
            "plain/debounce",
            "plain/debounce.js",
            "plain/fp",
            "plain/Button",
            "plain/escape",
            "plain/../other/index.js",
            "plain/lost",
            "other",
            "@s/c",
            "@s/c/a",
        ],
        expect![[r#"
            plain: node_modules/plain/lib/main.js
            plain/debounce: node_modules/plain/debounce.js typed
            plain/debounce.js: node_modules/plain/debounce.js typed
            plain/fp: node_modules/plain/fp/index.js
            plain/Button: node_modules/plain/node/Button.js typed
            plain/escape: nothing
            plain/../other/index.js: nothing
            plain/lost: nothing
            other: node_modules/other/index.js typed
            @s/c: node_modules/@s/c/a.js typed
            @s/c/a: node_modules/@s/c/a.js
        "#]],
    );
    check(
        PLAIN,
        &[Import, Module],
        &["plain", "plain/Button"],
        expect![[r#"
        plain: node_modules/plain/es/main.js
        plain/Button: node_modules/plain/Button/index.js typed
    "#]],
    );
}

#[test]
fn ru1_links_of_pnpm_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_files(
        root,
        r#"
//- node_modules/.pnpm/a@1.0.0/node_modules/a/package.json
{"name": "a", "version": "1.0.0", "main": "i.js"}
//- node_modules/.pnpm/a@1.0.0/node_modules/a/i.js
text of a
//- node_modules/.pnpm/a@1.0.0/node_modules/b/package.json
{"name": "b", "version": "3.0.0"}
//- secret.txt
secret
"#,
    );
    let store = root.join("node_modules/.pnpm/a@1.0.0/node_modules/a");
    rb_core::fs::create_dir_all(&root.join("apps/node_modules")).unwrap();
    rb_core::fs::symlink(&store, &root.join("apps/node_modules/a")).unwrap();
    rb_core::fs::symlink(&root.join("secret.txt"), &store.join("out.js")).unwrap();

    let installed = Installed::new(Some(root));
    let a = installed.find("a", "apps/src").unwrap();
    assert!(installed.find("a", "").is_none());
    let file = a.resolve("", &[Import]).unwrap();
    assert_eq!(file, root.join("apps/node_modules/a/i.js"));
    assert_eq!(a.text(&file).as_deref(), Some("text of a\n"));
    assert_eq!(installed.text(&file).as_deref(), Some("text of a\n"));
    assert_eq!(installed.find_from("b", &a).unwrap().version.unwrap().major, 3);
    assert!(root.join("apps/node_modules/a/out.js").is_file());
    assert_eq!(a.text(&root.join("apps/node_modules/a/out.js")), None);
    assert_eq!(installed.text(&root.join("secret.txt")), None);
}

#[test]
fn ru1_a_hostile_package_is_nothing_or_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let deep = format!("{{\"exports\": {}1{}}}", "{\"default\": ".repeat(50), "}".repeat(50));
    let deeper = "[".repeat(100_000);
    let stars = format!("{{\"exports\": {{\"./*\": \"./{}\"}}}}", "*".repeat(100_000));
    for (name, text) in [
        ("deep", deep.as_str()),
        ("deeper", &deeper),
        ("stars", &stars),
        ("list", "[]"),
        (
            "odd",
            r#"{"exports": {"./*": 5, ".": true}, "version": 1, "name": [], "main": {}, "sideEffects": {}}"#,
        ),
        ("text", r#"{"exports": "/etc/passwd"}"#),
        ("main", r#"{"main": "/etc/passwd"}"#),
        ("empty", ""),
    ] {
        write_files(root, &format!("//- node_modules/{name}/package.json\n{text}"));
    }
    let installed = Installed::new(Some(root));
    for name in ["deep", "deeper", "stars", "list", "odd", "text", "main", "empty"] {
        let long = format!("{name}/{}", "a".repeat(900));
        for specifier in [name, &long, &format!("{name}/..")] {
            assert_eq!(installed.resolve(specifier, "", &[Import]), None, "{specifier:.20}");
            assert!(!installed.has_types(specifier, ""));
        }
    }
    for name in ["", ".", "..", "../x", "a/b", "@a", "/etc", "a\\b", "@a/../b", ".bin"] {
        assert!(installed.find(name, "").is_none(), "{name}");
    }
    assert!(Installed::new(None).find("list", "").is_none());
}

#[test]
fn ru1_a_specifier_is_a_name_and_a_subpath() {
    assert_eq!(split_specifier("a"), ("a", ""));
    assert_eq!(split_specifier("a/b/c.js"), ("a", "b/c.js"));
    assert_eq!(split_specifier("@a/b"), ("@a/b", ""));
    assert_eq!(split_specifier("@a/b/c"), ("@a/b", "c"));
}
