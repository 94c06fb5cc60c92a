//! From file to file.

use expect_test::expect;

use super::check;

#[test]
fn ru3_rename_modules_and_re_exports() {
    check(
        r#"
//- a.ts
export function load(a: string): void;
export function load(a: number): void;
export function load(a: any) { return load.length; }
export default load;
//- index.ts
export * from './a';
export { load as fetchAll } from './a';
//- named.ts
export { load } from './a';
//- b.ts
import { load } from './index';
import { load as own, type load as T } from './named';
import * as all from './a';
import { fetchAll } from './index';
load(1);
const kept = { load, other: load, load: 1 };
all.load(2); all['load'](3);
const { load: inner } = all;
let y: typeof load, z: ReturnType<typeof all.load>;
type P = import('./a').load;
fetchAll(1); own(2);
export { load as mine, load };
//- c.ts
import whole, { load } from './b';
function f(load: number) { return load; }
load(2);
const lazy = async () => (await import('./a')).load();
const later = import('./a').then(({ load }) => load(1));
const third = import('./a').then((it) => it.load(1));
//- d.ts
import { load } from './a';
const read = 1;
load(read);
export { load };
//- e.ts
import { load } from './d';
import { load as read } from './a';
import { mine } from './b';
load(1); read(2); mine(3);
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 7 files
              a.ts:1 `load` → `read`
              api a.ts#load: load -> read
              api b.ts#load: load -> read
              api d.ts#load: load -> read
              api index.ts#load: load -> read
              api named.ts#load: load -> read
              note: `load` keeps its name in d.ts, where `read` is already used
              note: `load` keeps its name in e.ts, where `read` is already used
            //- a.ts
            export function read(a: string): void;
            export function read(a: number): void;
            export function read(a: any) { return read.length; }
            export default read;

            //- b.ts
            import { read } from './index';
            import { read as own, type read as T } from './named';
            import * as all from './a';
            import { fetchAll } from './index';
            read(1);
            const kept = { load: read, other: read, load: 1 };
            all.read(2); all['read'](3);
            const { read: inner } = all;
            let y: typeof read, z: ReturnType<typeof all.read>;
            type P = import('./a').read;
            fetchAll(1); own(2);
            export { read as mine, read };

            //- c.ts
            import whole, { read } from './b';
            function f(load: number) { return load; }
            read(2);
            const lazy = async () => (await import('./a')).read();
            const later = import('./a').then(({ read }) => read(1));
            const third = import('./a').then((it) => it.read(1));

            //- d.ts
            import { read as load } from './a';
            const read = 1;
            load(read);
            export { load as read };

            //- e.ts
            import { read as load } from './d';
            import { read } from './a';
            import { mine } from './b';
            load(1); read(2); mine(3);

            //- index.ts
            export * from './a';
            export { read as fetchAll } from './a';

            //- named.ts
            export { read } from './a';

        "#]],
    );
}

#[test]
fn ru3_rename_commonjs() {
    check(
        r#"
//- a.js
function load() {}
function other() { return exports.load; }
module.exports = { load, other };
module.exports.load();
//- a.d.ts
export declare function load(): void;
export declare function other(): typeof load;
//- b.js
const { load, other: mine } = require('./a');
const a = require('./a');
const direct = require('./a').load;
load(); a.load(); direct();
require('./a').load();
exports.load = load;
//- c.mjs
import a from './a.js';
import { load } from './a.js';
a.load(); load();
//- d.js
const b = require('./b');
b.load();
let load;
({ load } = b);
({ load: load } = b);
//- e.js
const read = 1;
const { load } = require('./a');
const { load: own } = require('./a');
module.exports = { load };
//- f.js
const { load: read } = require('./a');
read();
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 7 files
              a.js:1 `load` → `read`
              api a.d.ts#load: load -> read
              api a.js#load: load -> read
              api b.js#load: load -> read
              api e.js#load: load -> read
            //- a.d.ts
            export declare function read(): void;
            export declare function other(): typeof read;

            //- a.js
            function read() {}
            function other() { return exports.read; }
            module.exports = { read, other };
            module.exports.read();

            //- b.js
            const { read, other: mine } = require('./a');
            const a = require('./a');
            const direct = require('./a').read;
            read(); a.read(); direct();
            require('./a').read();
            exports.read = read;

            //- c.mjs
            import a from './a.js';
            import { read } from './a.js';
            a.read(); read();

            //- d.js
            const b = require('./b');
            b.read();
            let load;
            ({ read: load } = b);
            ({ read: load } = b);

            //- e.js
            const read = 1;
            const { read: load } = require('./a');
            const { read: own } = require('./a');
            module.exports = { read: load };

            //- f.js
            const { read } = require('./a');
            read();

        "#]],
    );
}

#[test]
fn ru3_rename_a_key_of_exports() {
    check(
        r#"
//- a.js
exports.load = () => 1;
exports.other = () => exports.load();
//- b.js
const { load = 1 } = require('./a');
console.log(load);
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              a.js:1 `load` → `read`
              api a.js#load: load -> read
            //- a.js
            exports.read = () => 1;
            exports.other = () => exports.read();

            //- b.js
            const { read = 1 } = require('./a');
            console.log(read);

        "#]],
    );
}

#[test]
fn ru3_rename_mocks_and_spies() {
    check(
        r#"
//- a.ts
export const load = () => 1;
export const other = () => 2;
//- a.test.ts
import { load } from './a';
import * as a from './a';
vi.mock('./a', async (importOriginal) => {
  const actual = await importOriginal<typeof import('./a')>();
  return { ...actual, load: vi.fn(() => actual.load()) };
});
vi.spyOn(a, 'load');
jest.spyOn(a, 'other');
const real = jest.requireActual('./a');
real.load();
vi.mocked(a).load;
expect(load).toHaveBeenCalled();
//- b.test.js
jest.mock('./a', () => ({ __esModule: true, load: jest.fn() }));
//- c.test.js
const load = jest.fn();
jest.mock('./a', () => { return { load }; });
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 4 files
              a.ts:1 `load` → `read`
              api a.ts#load: load -> read
            //- a.test.ts
            import { read } from './a';
            import * as a from './a';
            vi.mock('./a', async (importOriginal) => {
              const actual = await importOriginal<typeof import('./a')>();
              return { ...actual, read: vi.fn(() => actual.read()) };
            });
            vi.spyOn(a, 'read');
            jest.spyOn(a, 'other');
            const real = jest.requireActual('./a');
            real.read();
            vi.mocked(a).read;
            expect(read).toHaveBeenCalled();

            //- a.ts
            export const read = () => 1;
            export const other = () => 2;

            //- b.test.js
            jest.mock('./a', () => ({ __esModule: true, read: jest.fn() }));

            //- c.test.js
            const load = jest.fn();
            jest.mock('./a', () => { return { read: load }; });

        "#]],
    );
}

#[test]
fn ru3_rename_whole_modules_given_on() {
    check(
        r#"
//- a.ts
export const load = () => 1;
//- index.ts
export * as a from './a';
import * as b from './a';
export { b };
//- c.ts
import { a, b } from './index';
import * as all from './index';
a.load(); b.load(); all.a.load();
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              a.ts:1 `load` → `read`
              api a.ts#load: load -> read
              api index.ts#a.load: a.load -> a.read
              api index.ts#b.load: b.load -> b.read
            //- a.ts
            export const read = () => 1;

            //- c.ts
            import { a, b } from './index';
            import * as all from './index';
            a.read(); b.read(); all.a.read();

        "#]],
    );
}

#[test]
fn ru3_rename_cycles_of_re_exports() {
    check(
        r#"
//- a.ts
export * from './b';
export const load = 1;
//- b.ts
export * from './a';
import { load } from './a';
console.log(load);
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              a.ts:2 `load` → `read`
              api a.ts#load: load -> read
              api b.ts#load: load -> read
            //- a.ts
            export * from './b';
            export const read = 1;

            //- b.ts
            export * from './a';
            import { read } from './a';
            console.log(read);

        "#]],
    );
}

#[test]
fn ru3_rename_default_exports() {
    check(
        r#"
//- a.ts
export default function load() { return load; }
//- b.ts
import load from './a';
load();
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              a.ts:1 `load` → `read`
              note: 1 file imports the default as `load`; that name is not changed
            //- a.ts
            export default function read() { return read; }

        "#]],
    );
}

#[test]
fn ru3_rename_a_module_that_is_a_function() {
    check(
        r#"
//- a.js
function Reply() {}
function load() {}
module.exports = Reply;
module.exports.load = load;
//- b.js
const Reply = require('./a');
new Reply(); Reply(); Reply.load();
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              a.js:2 `load` → `read`
              api a.js#load: load -> read
            //- a.js
            function Reply() {}
            function read() {}
            module.exports = Reply;
            module.exports.read = read;

            //- b.js
            const Reply = require('./a');
            new Reply(); Reply(); Reply.read();

        "#]],
    );
}

#[test]
fn ru3_rename_imports_by_line() {
    check(
        r#"
//- a.js
import { load, other as load2 } from './b.js';
load(load2);
//- b.js
export const load = 1, other = 2;
"#,
        "a.js:1#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              a.js:1 `load` → `read`
            //- a.js
            import { load as read, other as load2 } from './b.js';
            read(load2);

        "#]],
    );
}

#[test]
fn ru3_rename_types_of_modules_that_are_handed_on() {
    check(
        r#"
//- a.ts
export type Load = 1;
export const value = 1;
//- b.ts
import * as a from './a';
console.log(Object.keys(a));
export type All = typeof a;
export const x: a.Load = 1;
"#,
        "a.ts#Load",
        "Read",
        &expect![[r#"
            chain: `Load` renamed to `Read` in 2 files
              a.ts:1 `Load` → `Read`
              api a.ts#Load: Load -> Read
            //- a.ts
            export type Read = 1;
            export const value = 1;

            //- b.ts
            import * as a from './a';
            console.log(Object.keys(a));
            export type All = typeof a;
            export const x: a.Read = 1;

        "#]],
    );
}

#[test]
fn ru3_rename_a_pattern_that_is_exported() {
    check(
        r#"
//- a.js
exports.load = 1;
//- b.mjs
import a from './a.js';
const read = 1;
export const { load } = a;
console.log(read);
//- c.mjs
import { load } from './b.mjs';
console.log(load);
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              a.js:1 `load` → `read`
              api a.js#load: load -> read
            //- a.js
            exports.read = 1;

            //- b.mjs
            import a from './a.js';
            const read = 1;
            export const { read: load } = a;
            console.log(read);

        "#]],
    );
}

#[test]
fn st1_rename_public_names_offers_an_alias() {
    let package = "//- package.json\n{ \"name\": \"lib\", \"main\": \"src/index.ts\" }\n";
    let check = |fixture: &str, symbol: &str, expected| {
        check(&format!("{package}{fixture}"), symbol, "read", expected);
    };
    check(
        "//- src/index.ts\nexport { load } from './a';\n//- src/a.ts\nexport const load = 1;\n",
        "src/a.ts#load",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              src/a.ts:1 `load` → `read`
              public api src/a.ts#load: load -> read
              api src/index.ts#load: load -> read
              note: `load` is public: users outside of this project have to follow. To keep the old name for them, add `export { read as load }` beside each export of `read`
            //- src/a.ts
            export const read = 1;

            //- src/index.ts
            export { read } from './a';

        "#]],
    );
    check(
        "//- src/index.ts\nexport type Load = () => void;\n",
        "src/index.ts#Load",
        &expect![[r#"
            chain: `Load` renamed to `read` in 1 file
              src/index.ts:1 `Load` → `read`
              public api src/index.ts#Load: Load -> read
              note: `Load` is public: users outside of this project have to follow. To keep the old name for them, add `export type { read as Load }` at the end of src/index.ts
            //- src/index.ts
            export type read = () => void;

        "#]],
    );
    check(
        "//- src/index.ts\nexport class Cart { load() {} }\n",
        "src/index.ts#Cart.load",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              src/index.ts:1 `load` → `read`
              public api src/index.ts#Cart.load: Cart.load -> Cart.read
              note: `Cart.load` is public: users outside of this project have to follow. To keep the old name for them, declare `load` beside `read`
            //- src/index.ts
            export class Cart { read() {} }

        "#]],
    );
    check(
        "//- src/index.js\nexports.load = () => 1;\n",
        "src/index.js#load",
        &expect![[r#"
        chain: `load` renamed to `read` in 1 file
          src/index.js:1 `load` → `read`
          public api src/index.js#load: load -> read
          note: `load` is public: users outside of this project have to follow. To keep the old name for them, add `exports.load = exports.read` at the end of src/index.js
        //- src/index.js
        exports.read = () => 1;

    "#]],
    );
}
