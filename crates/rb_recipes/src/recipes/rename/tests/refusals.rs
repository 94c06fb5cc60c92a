//! What forbids a rename, and questions that have no answer.

use expect_test::expect;

use super::check;

#[test]
fn ru3_rename_a_use_would_be_captured() {
    check(
        r#"
//- a.js
export function load() {}
export function f(read) { return load(read); }
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: a.js:2:34 `export function f(read) { return load(read); }`: the `read` of line 2 would be used here instead; choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn ru3_rename_another_name_would_be_captured() {
    check(
        r#"
//- a.js
export function load() { return fetch('/x'); }
"#,
        "a.js#load",
        "fetch",
        &expect![[r#"
            left: a.js:1:33 `export function load() { return fetch('/x'); }`: `fetch` means something else here, and would be shadowed; choose another name
        "#]],
    );
}

#[test]
fn ru3_rename_taken_in_the_same_scope() {
    check(
        r#"
//- a.js
export function f() {
  let load = 1;
  { var read = 2; }
  return load + read;
}
"#,
        "a.js:2#load",
        "read",
        &expect![[r#"
            left: a.js:3:9 `{ var read = 2; }`: `read` already exists; choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn ru3_rename_var_and_let() {
    check(
        r#"
//- a.js
export function f() {
  { let load = 1; { var read = load; } }
  return read;
}
"#,
        "a.js:2#load",
        "read",
        &expect![[r#"
            left: a.js:2:25 `{ let load = 1; { var read = load; } }`: `read` already exists; choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn ru3_rename_a_component_needs_a_capital() {
    check(
        r#"
//- card.jsx
export function Card() { return <div />; }
//- page.jsx
import { Card } from './card';
export const Page = () => <Card />;
"#,
        "card.jsx#Card",
        "tile",
        &expect![[r#"
            left: page.jsx:2:28 `export const Page = () => <Card />;`: `<tile>` would be an HTML element, not this component; choose a name that begins with a capital letter
        "#]],
    );
}

#[test]
fn ru3_rename_a_mock_that_cannot_be_read() {
    check(
        r#"
//- a.ts
export const load = () => 1;
//- b.test.ts
const fake = { load: 1 };
jest.mock('./a', () => fake);
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            left: b.test.ts:2:18 `jest.mock('./a', () => fake);`: the mock of the module may have a `load`; return a plain object from it
        "#]],
    );
}

#[test]
fn ru3_rename_lost_from_sight() {
    check(
        r#"
//- a.ts
export const load = () => 1;
//- b.ts
import * as a from './a';
console.log(a);
for (const name of Object.keys(a)) a[name]();
const { other, ...rest } = a;
export const spread = { ...a };
export type All = typeof a;
const all = Promise.all([import('./a')]);
//- c.ts
import { load } from './nowhere';
const it = require('./' + process.argv[2]);
it.load();
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            left: b.ts:2:13 `console.log(a);`: the module that contains `load` is used here, and it is passed on as one value; access the members by name first
            left: b.ts:3:32 `for (const name of Object.keys(a)) a[name]();`: the module that contains `load` is used here, and it is passed on as one value; access the members by name first
            left: b.ts:3:36 `for (const name of Object.keys(a)) a[name]();`: the module that contains `load` is used here, and one of its members is accessed by a computed name; access the members by name first
            left: b.ts:4:16 `const { other, ...rest } = a;`: the module that contains `load` is used here, and the rest of it is passed on; access the members by name first
            left: b.ts:5:28 `export const spread = { ...a };`: the module that contains `load` is used here, and it is passed on as one value; access the members by name first
            left: b.ts:6:26 `export type All = typeof a;`: the module that contains `load` is used here, and its type is passed on; access the members by name first
            left: b.ts:7:26 `const all = Promise.all([import('./a')]);`: the module that contains `load` is used here, and it is passed on as one value; access the members by name first
            left: c.ts:1:1 `import { load } from './nowhere';`: `load` is imported from `./nowhere`, which resolves to a file that does not exist; import it from the file itself first
            left: c.ts:3:4 `it.load();`: a `require` with a computed path on line 2 may have produced this `load`; load the module by its name
        "#]],
    );
}

#[test]
fn ru3_rename_eval_and_with() {
    check(
        r#"
//- a.js
function load() {}
function f() { eval('load()'); with (x) { load(); } }
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: a.js:2:16 `function f() { eval('load()'); with (x) { load(); } }`: `eval` can access `load` by name; write it without `eval` first
            left: a.js:2:32 `function f() { eval('load()'); with (x) { load(); } }`: `with` can access `load` by name; write it without `with` first
            mention: a.js:2 function f() { eval('load()'); with (x) { load(); } }
        "#]],
    );
}

#[test]
fn ru3_rename_taken_exports() {
    check(
        r#"
//- a.ts
export const load = 1;
//- b.ts
export const read = 2;
//- index.ts
export * from './a';
export * from './b';
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            left: index.ts:2:1 `export * from './b';`: `read` is already exported from here; choose another name
        "#]],
    );
}

#[test]
fn ru3_rename_global_scripts() {
    check(
        r#"
//- a.js
function load() {}
//- b.js
load();
//- c.d.ts
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: b.js:1:1 `load();`: this may be the `load` of a.js, which is a script, not a module; make it a module first
        "#]],
    );
}

#[test]
fn ru3_rename_next_exports() {
    check(
        r#"
//- package.json
{ "dependencies": { "next": "15.0.0", "react": "19.0.0" }, "private": true }
//- app/page.tsx
export function generateMetadata() {}
export default function Page() { return null; }
"#,
        "app/page.tsx#generateMetadata",
        "meta",
        &expect![[r#"
            left: app/page.tsx:1:1 `generateMetadata`: the framework looks up `generateMetadata` of this file by name; keep the name
        "#]],
    );
}

#[test]
fn ru3_rename_what_compilers_import() {
    check(
        r#"
//- src/jsx-dev-runtime.ts
export const jsxDEV = (tag: string) => tag;
"#,
        "src/jsx-dev-runtime.ts#jsxDEV",
        "element",
        &expect![[r#"
            left: src/jsx-dev-runtime.ts:1:1 `jsxDEV`: compilers import `jsxDEV` of this file by name; keep the name
        "#]],
    );
}

#[test]
fn ru3_rename_decorators_and_parameter_properties() {
    check(
        r#"
//- a.ts
export class A {
  constructor(private load: string) { console.log(load); }
}
"#,
        "a.ts:2#load",
        "read",
        &expect![[r#"
            left: a.ts:2:23 `constructor(private load: string) { console.log(load); }`: the parameter `load` is also a field of its class; declare the field separately first
        "#]],
    );
}

#[test]
fn ru3_rename_methods_of_packages() {
    check(
        r#"
//- a.ts
import { Component } from 'react';
export class View extends Component { render() {} }
"#,
        "a.ts#View.render",
        "draw",
        &expect![[r#"
            left: a.ts:2:14 `export class View extends Component { render() {} }`: its base type `Component` may also have a `render`; rename it by hand
        "#]],
    );
}

#[test]
fn ru3_rename_a_member_that_is_taken() {
    check(
        r#"
//- a.ts
export class Store { load() {} }
//- b.ts
import { Store } from './a';
class Sub extends Store { read() {} }
"#,
        "a.ts#Store.load",
        "read",
        &expect![[r#"
            left: b.ts:2:27 `class Sub extends Store { read() {} }`: `read` already exists; choose another name
        "#]],
    );
}

#[test]
fn ru3_rename_names_in_escapes_and_strings() {
    check(
        r#"
//- a.js
export const load = 1;
console.log(l\u006fad);
//- b.js
import { "load" as own } from './a.js';
export { own as "load" };
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: a.js:2:13 `console.log(l\u006fad);`: `load` is written with an escape here; write the name in plain letters first
            mention: b.js:2 export { own as "load" };
        "#]],
    );
}

#[test]
fn ru3_rename_files_that_are_not_read() {
    check(
        r#"
//- src/load.ts
export const load = 1;
//- src/App.vue
<script>import { load } from './load'; load</script>
"#,
        "src/load.ts#load",
        "read",
        &expect![[r#"
            left: src/App.vue:1:1 `load`: the file may import `load`, but its language is not supported; rename it there by hand
            mention: src/App.vue:1 <script>import { load } from './load'; load</script>
        "#]],
    );
}

#[test]
fn ru3_rename_generated_files() {
    check(
        r#"
//- a.ts
export const load = 1;
//- b.generated.ts
// @generated by a tool. DO NOT EDIT.
import { load } from './a';
console.log(load);
"#,
        "a.ts#load",
        "read",
        &expect![[r#"
            left: b.generated.ts:3:13 `console.log(load);`: `load` is used here, in a generated or vendored file; change the source of the file first
        "#]],
    );
}

#[test]
fn ru3_rename_declarations_of_other_modules() {
    check(
        r#"
//- a.ts
export interface Load { a: 1 }
//- b.ts
declare module './a' { interface Load { b: 2 } }
export {};
"#,
        "a.ts#Load",
        "Read",
        &expect![[r#"
            left: b.ts:1:1 `declare module './a' { interface Load { b: 2 } }`: `Load` is extended here, in another file; declare it in one place first
        "#]],
    );
}

#[test]
fn ru3_rename_exports_that_are_handed_on() {
    check(
        r#"
//- a.js
function load() {}
exports.load = load;
register(exports);
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: a.js:3:1 `register(exports);`: `exports` used as a value here; export the names in a plain object first
        "#]],
    );
}

#[test]
fn ru3_rename_pages_of_scripts() {
    check(
        r#"
//- a.js
function load() {}
//- index.html
<button onclick="load()">
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: index.html:1:1 `load`: the page may call `load` of a.js, which is a script, not a module; make it a module first
            mention: index.html:1 <button onclick="load()">
        "#]],
    );
}

#[test]
fn ru3_rename_says_what_it_was_not_told() {
    let fixture = r#"
//- a.js
export const load = 1;
function f() { const inner = 1; return inner; }
//- b.js
export const load = 1;
import { f } from './a.js';
//- c.js
export const loader = 1;
"#;
    check(
        fixture,
        "load",
        "read",
        &expect![[r#"
        error: `load` is declared more than once: a.js:1, b.js:1; write `path#load` or `path:line#load`
    "#]],
    );
    check(
        fixture,
        "loadr",
        "read",
        &expect![[r#"
        error: there is no symbol `loadr`; did you mean `a.js#load`, `b.js#load`, `c.js#loader`?
    "#]],
    );
    check(
        fixture,
        "a.js#inner",
        "read",
        &expect![[r#"
        error: there is no symbol `inner` in a.js; did you mean `a.js:2#inner`?
    "#]],
    );
    check(
        fixture,
        "b.js#f",
        "read",
        &expect![[r#"
        error: there is no symbol `f` in b.js; did you mean `f of ./a.js, which b.js imports`?
    "#]],
    );
    check(
        fixture,
        "a.js#read",
        "read",
        &expect![[r#"
        error: there is no symbol `read` in a.js; did you mean `a.js#load`?
    "#]],
    );
    check(
        fixture,
        "a.js#load",
        "load",
        &expect![[r#"
        error: `load` already has that name
    "#]],
    );
    check(
        fixture,
        "a.js#load",
        "1x",
        &expect![[r#"
        error: `1x` is not a valid name
    "#]],
    );
    check(
        fixture,
        "a.js#load",
        "class",
        &expect![[r#"
        error: `class` is a reserved word
    "#]],
    );
    check(
        fixture,
        "a.js#load.x.y",
        "b",
        &expect![[r#"
        error: `a.js#load.x.y` is not a symbol; write `path#name`, `path:line#name` or `path#owner.member`
    "#]],
    );
    check(
        fixture,
        "none.js#load",
        "b",
        &expect![[r#"
        error: there is no file `none.js`
    "#]],
    );
    check(
        fixture,
        "loader",
        "reader",
        &expect![[r#"
        chain: `loader` renamed to `reader` in 1 file
          c.js:1 `loader` → `reader`
          api c.js#loader: loader -> reader
        //- c.js
        export const reader = 1;

    "#]],
    );
}

#[test]
fn st1_rename_ambient_declarations() {
    check(
        "//- a.ts\ndeclare const CONTENT: string;\nexport const size = () => CONTENT.length;\n",
        "a.ts#CONTENT",
        "content",
        &expect![[r#"
            left: a.ts:1:15 `declare const CONTENT: string;`: `CONTENT` is only declared: it is a global of that name; rename it where it is made
        "#]],
    );
}
