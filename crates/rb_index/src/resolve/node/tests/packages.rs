//! `exports` and `imports` of a package, and the way from what is built to its source.

use rb_lang::ImportKind;

use super::{check, check_kind};

#[test]
fn ix3_imports_of_a_package() {
    check(
        r##"//- package.json
{
  "imports": {
    "#exact": "./src/exact.js",
    "#lib/*": "./src/lib/*.js",
    "#any/*.js": ["./gone/*.js", "./src/lib/*.ts"],
    "#env": { "browser": "./src/browser.ts", "node": { "require": "./src/node.cjs", "default": "./src/node.ts" } },
    "#dep": "react-dom/server",
    "#loop": "#loop",
    "#built": "./dist/exact.js",
    "not-a-hash": "./src/exact.js"
  }
}
//- src/m.ts src/exact.ts src/lib/a.ts src/browser.ts src/node.ts src/node.cjs sub/m.ts
"##,
        &[
            ("src/m.ts", "#exact", "src/exact.ts"),
            ("sub/m.ts", "#exact", "src/exact.ts"),
            ("src/m.ts", "#lib/a", "src/lib/a.ts"),
            ("src/m.ts", "#any/a.js", "src/lib/a.ts"),
            ("src/m.ts", "#env", "src/node.ts"),
            ("src/m.ts", "#dep", "external react-dom"),
            ("src/m.ts", "#built", "src/exact.ts"),
            ("src/m.ts", "#loop", "unresolved"),
            ("src/m.ts", "#gone", "unresolved"),
            ("src/m.ts", "not-a-hash", "external not-a-hash"),
        ],
    );
}

const CONDITIONS: &str = r#"//- package.json
{
  "name": "self",
  "exports": {
    ".": { "types": "./gone.d.ts", "import": "./import.ts", "require": "./require.ts", "default": "./default.ts" },
    "./nested": { "browser": "./browser.ts", "node": { "import": { "types": "./types.d.ts", "default": "./import.ts" } } },
    "./list": [{ "import": "./gone.js" }, "./default.ts"],
    "./only-browser": { "browser": "./browser.ts" },
    "./source": { "import": "./dist/gone.js", "source": "./source.ts" },
    "./star/*": "./star/*.ts",
    "./star/*.css": "./star/css/*.css",
    "./star/hidden/*": null,
    "./folder/": "./folder/",
    "./twice/*": "./twice/*/*.ts",
    "./package.json": "./package.json"
  }
}
//- m.ts import.ts require.ts default.ts browser.ts types.d.ts source.ts star/a.ts star/css/a.css star/hidden/a.ts folder/a/b.ts twice/a/a.ts
"#;

#[test]
fn ix3_a_package_names_itself_through_exports() {
    check(
        CONDITIONS,
        &[
            ("m.ts", "self", "import.ts"),
            ("m.ts", "self/nested", "types.d.ts"),
            ("m.ts", "self/list", "default.ts"),
            ("m.ts", "self/only-browser", "browser.ts"),
            ("m.ts", "self/source", "source.ts"),
            ("m.ts", "self/star/a", "star/a.ts"),
            ("m.ts", "self/star/a.css", "star/css/a.css"),
            ("m.ts", "self/star/hidden/a", "unresolved"),
            ("m.ts", "self/folder/a/b.js", "folder/a/b.ts"),
            ("m.ts", "self/twice/a", "twice/a/a.ts"),
            ("m.ts", "self/package.json", "package.json"),
            // Not exported, and yet it is clear what is meant.
            ("m.ts", "self/default.js", "default.ts"),
            ("m.ts", "self/gone", "unresolved"),
        ],
    );
    check_kind(CONDITIONS, ImportKind::Require, &[("m.ts", "self", "require.ts")]);
}

#[test]
fn ix3_exports_without_paths_are_the_package_itself() {
    check(
        r#"//- a/package.json
{ "name": "a", "exports": "./lib/a.js" }
//- a/lib/a.js a/m.js
//- b/package.json
{ "name": "b", "exports": { "import": "./b.mjs", "require": "./b.cjs" } }
//- b/b.mjs b/b.cjs b/m.js
//- c/package.json
{ "name": "c", "exports": ["./gone.js", "./c.js"] }
//- c/c.js c/m.js
"#,
        &[("a/m.js", "a", "a/lib/a.js"), ("b/m.js", "b", "b/b.mjs"), ("c/m.js", "c", "c/c.js")],
    );
}

#[test]
fn ix3_fields_go_by_rank() {
    check(
        r#"//- a/package.json
{ "name": "a", "module": "module.js", "main": "main.js", "types": "types.d.ts" }
//- a/module.js a/main.js a/types.d.ts a/m.js
//- b/package.json
{ "name": "b", "module": "module.js", "main": "main.js" }
//- b/module.js b/main.js b/m.js
//- c/package.json
{ "name": "c", "main": "dist/c.js", "source": "source/c.ts" }
//- c/source/c.ts c/m.js
//- d/package.json
{ "name": "d" }
//- d/index.js d/m.js
//- e/package.json
{ "name": "e", "style": "e.css" }
//- e/e.css e/m.js
"#,
        &[
            ("a/m.js", "a", "a/types.d.ts"),
            ("b/m.js", "b", "b/main.js"),
            ("c/m.js", "c", "c/source/c.ts"),
            ("d/m.js", "d", "d/index.js"),
            ("e/m.js", "e", "e/e.css"),
        ],
    );
}

#[test]
fn ix3_what_is_built_is_turned_back_into_source() {
    check(
        r#"//- a/package.json
{ "name": "a", "types": "./dist/index.d.ts", "exports": {
  ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs" },
  "./node": "./dist/node/index.js",
  "./esm": "./dist/esm/feature.js",
  "./min": "./dist/feature.umd.min.js",
  "./styles.css": "./dist/styles.css",
  "./*": "./dist/*.js"
} }
//- a/src/index.ts a/src/node/index.ts a/src/feature.tsx a/src/styles.scss a/src/deep/x.ts a/m.ts
//- b/package.json
{ "name": "b", "main": "output/js/main.js" }
//- b/tsconfig.json
{ "compilerOptions": { "outDir": "./output/js", "rootDir": "./code" } }
//- b/code/main.ts b/src/index.ts b/m.ts
//- c/package.json
{ "name": "c", "main": "./dist/c.bundle.js" }
//- c/src/index.ts c/m.ts
//- d/package.json
{ "name": "d", "main": "./build/d.js" }
//- d/d.ts d/m.ts
//- packages/e/package.json
{ "name": "e", "types": "./dist/e/src/api.d.ts" }
//- packages/e/src/api.ts packages/e/src/index.ts packages/e/m.ts
//- f/package.json
{ "name": "f", "main": "./dist/f.js" }
//- f/m.ts f/README.md
//- g/package.json
{ "name": "g", "main": "./lib/index.js" }
//- g/tsconfig.build.json
{ "compilerOptions": { "outDir": "lib" } }
//- g/src/index.ts g/src/util.ts g/m.ts
"#,
        &[
            ("a/m.ts", "a", "a/src/index.ts"),
            ("a/m.ts", "a/node", "a/src/node/index.ts"),
            ("a/m.ts", "a/esm", "a/src/feature.tsx"),
            ("a/m.ts", "a/min", "a/src/feature.tsx"),
            ("a/m.ts", "a/styles.css", "a/src/styles.scss"),
            ("a/m.ts", "a/deep/x", "a/src/deep/x.ts"),
            ("b/m.ts", "b", "b/code/main.ts"),
            ("c/m.ts", "c", "c/src/index.ts"),
            ("d/m.ts", "d", "d/d.ts"),
            ("packages/e/m.ts", "e", "packages/e/src/api.ts"),
            ("f/m.ts", "f", "unresolved"),
            ("g/m.ts", "g", "g/src/index.ts"),
            ("g/m.ts", "g/lib/util", "g/src/util.ts"),
            ("g/m.ts", "g/lib/util.js", "g/src/util.ts"),
        ],
    );
}
