//! Renames of files and folders, as fixtures and what comes of them.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, path: &str, to: &str, expected: &Expect) {
    let operation =
        format!("{{\"operation\": \"rename-module\", \"path\": \"{path}\", \"to\": \"{to}\"}}");
    expected.assert_eq(&snapshot(fixture, &operation));
}

const SPECIFIERS: &str = r#"
//- package.json
{ "name": "thing", "main": "./src/util/old.ts" }
//- tsconfig.json
{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } }, "files": ["src/util/old.ts"] }
//- README.md
See src/util/old.ts, and src/util/older.ts.
//- src/util/old.ts
import { b } from './b';
import data from '../data.json';
export const a = b + data.x;
//- src/util/b.ts
export const b = 1;
//- src/data.json
{ "x": 1 }
//- src/user.ts
/// <reference path="./util/old.ts" />
import { a } from './util/old';
import { a as again } from '@/util/old';
export { a as given } from './util/old.js';
export * from "./util/old";
export type A = typeof import('./util/old');
export const later = () => import(`./util/old`);
export const url = new URL('./util/old.ts', import.meta.url);
export const text = 'src/util/old';
//- src/user.test.ts
import { a } from './util/old';
jest.mock('./util/old', () => ({ a: 2 }));
/** @type {import('./util/old').a} */
const old = require('./util/old');
"#;

#[test]
fn st1_rename_module_all_specifiers_follow() {
    check(
        SPECIFIERS,
        "src/util/old.ts",
        "src/lib/new.ts",
        &expect![[r#"
        src/util/old.ts renamed to src/lib/new.ts; 4 other files follow
        //- package.json
        { "name": "thing", "main": "./src/lib/new.ts" }
        //- src/lib/new.ts (created)
        import { b } from '../util/b';
        import data from '../data.json';
        export const a = b + data.x;
        //- src/user.test.ts
        import { a } from './lib/new';
        jest.mock('./lib/new', () => ({ a: 2 }));
        /** @type {import('./lib/new').a} */
        const old = require('./lib/new');
        //- src/user.ts
        /// <reference path="./lib/new.ts" />
        import { a } from './lib/new';
        import { a as again } from '@/lib/new';
        export { a as given } from './lib/new.js';
        export * from "./lib/new";
        export type A = typeof import('./lib/new');
        export const later = () => import(`./lib/new`);
        export const url = new URL('./lib/new.ts', import.meta.url);
        export const text = 'src/util/old';
        //- src/util/old.ts (removed)
        //- tsconfig.json
        { "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } }, "files": ["src/lib/new.ts"] }
        api: src/util/old.ts a module -> src/lib/new.ts
        mention: README.md:1: See src/util/old.ts, and src/util/older.ts.
        mention: src/user.ts:9: export const text = 'src/util/old';
    "#]],
    );
}

#[test]
fn st1_rename_module_folder() {
    check(
        SPECIFIERS,
        "src/util",
        "src/lib/inner",
        &expect![[r#"
        src/util renamed to src/lib/inner; 4 other files follow
        //- package.json
        { "name": "thing", "main": "./src/lib/inner/old.ts" }
        //- src/lib/inner/b.ts (created)
        export const b = 1;
        //- src/lib/inner/old.ts (created)
        import { b } from './b';
        import data from '../../data.json';
        export const a = b + data.x;
        //- src/user.test.ts
        import { a } from './lib/inner/old';
        jest.mock('./lib/inner/old', () => ({ a: 2 }));
        /** @type {import('./lib/inner/old').a} */
        const old = require('./lib/inner/old');
        //- src/user.ts
        /// <reference path="./lib/inner/old.ts" />
        import { a } from './lib/inner/old';
        import { a as again } from '@/lib/inner/old';
        export { a as given } from './lib/inner/old.js';
        export * from "./lib/inner/old";
        export type A = typeof import('./lib/inner/old');
        export const later = () => import(`./lib/inner/old`);
        export const url = new URL('./lib/inner/old.ts', import.meta.url);
        export const text = 'src/util/old';
        //- src/util/b.ts (removed)
        //- src/util/old.ts (removed)
        //- tsconfig.json
        { "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } }, "files": ["src/lib/inner/old.ts"] }
        api: src/util a module -> src/lib/inner
        mention: README.md:1: See src/util/old.ts, and src/util/older.ts.
        mention: src/user.ts:9: export const text = 'src/util/old';
    "#]],
    );
}

const PACKAGE: &str = r#"
//- package.json
{
  "name": "thing",
  "exports": {
    ".": "./dist/index.js",
    "./old": { "types": "./dist/types/old.d.ts", "import": "./dist/old.js" },
    "./flat": "./dist/flat.bundle.js"
  }
}
//- jsr.json
{ "name": "@thing/thing", "exports": { "./old": "./src/old.ts" } }
//- build.config.ts
export default { entries: ['src/index.ts', 'src/old.ts', './src/old.ts', 'src/older.ts'] };
//- src/index.ts
export * from './old';
//- src/old.ts
export const a = 1;
//- src/entries/node.ts
export const node = 1;
"#;

#[test]
fn st1_rename_module_of_a_published_file() {
    check(
        PACKAGE,
        "src/old.ts",
        "src/inner/new.ts",
        &expect![[r#"
        src/old.ts renamed to src/inner/new.ts; 4 other files follow
        //- build.config.ts
        export default { entries: ['src/index.ts', 'src/inner/new.ts', './src/inner/new.ts', 'src/older.ts'] };
        //- jsr.json
        { "name": "@thing/thing", "exports": { "./old": "./src/inner/new.ts" } }
        //- package.json
        {
          "name": "thing",
          "exports": {
            ".": "./dist/index.js",
            "./old": { "types": "./dist/types/inner/new.d.ts", "import": "./dist/inner/new.js" },
            "./flat": "./dist/flat.bundle.js"
          }
        }
        //- src/index.ts
        export * from './inner/new';
        //- src/inner/new.ts (created)
        export const a = 1;
        //- src/old.ts (removed)
        api: src/old.ts a module -> src/inner/new.ts
    "#]],
    );
    // `dist` is not built from there.
    check(
        PACKAGE,
        "src/old.ts",
        "other/old.ts",
        &expect![[r#"
        refused: package.json publishes src/old.ts as `thing/old`, and names a file that is built from it
        suggestion: change the entry by hand, or give a path below the same source folder
    "#]],
    );
}

#[test]
fn st1_rename_module_that_a_configuration_computes() {
    let computed =
        "//- vite.config.ts\nexport default ['node'].map((it) => `src/entries/${it}.ts`);\n";
    let fixture = format!("{PACKAGE}{computed}");
    check(
        &fixture,
        "src/entries/node.ts",
        "src/entries/deno.ts",
        &expect![[r#"
        src/entries/node.ts renamed to src/entries/deno.ts; 0 other files follow
        //- src/entries/deno.ts (created)
        export const node = 1;
        //- src/entries/node.ts (removed)
        api: src/entries/node.ts a module -> src/entries/deno.ts
    "#]],
    );
    check(
        &fixture,
        "src/entries/node.ts",
        "src/node.ts",
        &expect![[r#"
        refused: vite.config.ts names src/entries/node.ts by a path that is computed
          vite.config.ts:1: src/entries/${it}.ts
        suggestion: write the path out there first
    "#]],
    );
}
