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
