//! What is dead, what only looks so, and what is told.

use expect_test::{Expect, expect};

use super::RECIPE;
use crate::testing::{Project, shown};

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    // Line ends of two characters are made visible.
    expected.assert_eq(&shown(&Project::new(fixture).run(&RECIPE)).replace('\r', "␍"));
}

#[test]
fn ru3_dead_code_and_what_only_it_used() {
    check(
        r#"
//- tsconfig.json
{}
//- a.ts
/* Copyright somebody. */
import { join, sep } from 'node:path';
import { Helper } from './helper';

// What it does.
function unused(name: string): Unused {
  return join(helper(name), LIMIT);
}

/** Calls itself and the other. */
function ping(n) { return n ? pong(n - 1) : 0; }
function pong(n) { return ping(n); }

const helper = (name: string) => new Helper(name);
const LIMIT = 10, KEPT = 2;
interface Unused { a: Other }
type Other = string;
enum Color { Red, Green = 2 }
class Old extends Helper { static n = [1]; #x = 1; }

export const used = sep + KEPT;
//- helper.ts
export class Helper {}
"#,
        &expect![[r#"
            chain: 9 pieces of dead code removed from `a.ts`
              a.ts:6 function `unused`
              a.ts:11 function `ping`
              a.ts:12 function `pong`
              a.ts:14 variable `helper`
              a.ts:15 variable `LIMIT`
              a.ts:16 interface `Unused`
              a.ts:17 type `Other`
              a.ts:18 enum `Color`
              a.ts:19 class `Old`
              note: imports that nothing else used are removed too: `join` of `node:path`, `Helper` of `./helper`
            //- a.ts
            /* Copyright somebody. */
            import { sep } from 'node:path';

            const KEPT = 2;

            export const used = sep + KEPT;

        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one file of many shapes")]
fn ru3_dead_code_that_cannot_be_reached() {
    check(
        r#"
//- a.js
export function a(x) {
  if (x) {
    return inner();
    console.log('never');

    function inner() { return 1; }
  }
  late = 1;
  return late;
  var late;
  // about nothing
  late = 2;
}
export function b(x) {
  switch (x) {
    case 1:
      return 1;
      break;
    default:
      throw new Error('x');
      b();
  }
}
export function c(x) {
  for (const y of x) {
    if (y) continue;
    break;
    use(y);
  }
  return
  { a: 1 }
}
export function d() {
  return () => hidden;
  const hidden = 1;
}
export function* e() {
  return;
  yield 1;
}
export function f() {
  return
    x + 1;
}
//- b.ts
export function todo() {
  throw new Error('not yet');
  return { a: 1 };
}
export function typed(): number {
  throw new Error('not yet');
  return 1;
}
"#,
        &expect![[r#"
            chain: 6 pieces of dead code removed from `a.js`
              a.js:4 unreachable code: `console.log('never');`
              a.js:12 unreachable code: `late = 2;`
              a.js:18 unreachable code: `break;`
              a.js:21 unreachable code: `b();`
              a.js:28 unreachable code: `use(y);`
              a.js:39 unreachable code: `yield 1;`
            chain: unreachable code: `return 1;` removed from `b.ts`
              b.ts:7 unreachable code: `return 1;`
            left: a.js:31:3 `{ a: 1 }`: `return` is alone on its line: the next expression may have been meant as its value; check the intent, then delete it by hand
            left: a.js:35:3 `const hidden = 1;`: `hidden` is declared in it and used outside it; check the intent, then delete it by hand
            left: a.js:43:5 `x + 1;`: `return` is alone on its line: the next expression may have been meant as its value; check the intent, then delete it by hand
            left: b.ts:3:3 `return { a: 1 };`: the compiler infers the type of the function from a `return` in it; check the intent, then delete it by hand
            //- a.js
            export function a(x) {
              if (x) {
                return inner();

                function inner() { return 1; }
              }
              late = 1;
              return late;
              var late;
            }
            export function b(x) {
              switch (x) {
                case 1:
                  return 1;
                default:
                  throw new Error('x');
              }
            }
            export function c(x) {
              for (const y of x) {
                if (y) continue;
                break;
              }
              return
              { a: 1 }
            }
            export function d() {
              return () => hidden;
              const hidden = 1;
            }
            export function* e() {
              return;
            }
            export function f() {
              return
                x + 1;
            }

            //- b.ts
            export function todo() {
              throw new Error('not yet');
              return { a: 1 };
            }
            export function typed(): number {
              throw new Error('not yet');
            }

        "#]],
    );
}

#[test]
fn ru3_dead_code_members() {
    check(
        r#"
//- a.js
export class A {
  #used = 1;
  #unused = 2;
  // Only the dead one calls it.
  #alone() { return this.#helper(); }
  #helper() { return this.#used; }
  #computed = make();
  #brand;
  static is(x) { return #brand in x; }
  get #pair() { return 1; }
  set #pair(x) {}
  read() {
    return class { #unused = 1; m() { return this.#unused; } };
  }
}
"#,
        &expect![[r#"
            chain: 4 pieces of dead code removed from `a.js`
              a.js:2 private member `#used`
              a.js:3 private member `#unused`
              a.js:5 private member `#alone`
              a.js:6 private member `#helper`
            left: a.js:7:3 `private member #computed`: its value is computed when an object is created, which may have side effects; delete it if they are not needed
            //- a.js
            export class A {
              #computed = make();
              #brand;
              static is(x) { return #brand in x; }
              get #pair() { return 1; }
              set #pair(x) {}
              read() {
                return class { #unused = 1; m() { return this.#unused; } };
              }
            }

        "#]],
    );
}

#[test]
fn ru3_dead_code_that_only_looks_dead() {
    check(
        r#"
//- package.json
{ "name": "a" }
//- tsconfig.json
{}
//- script.js
function onClick() {}
//- evil.js
import a from './a.js';
function f() {}
export const run = (code) => eval(code);
//- made.ts
const app = start();
const { a, b } = app.get();
const missing = notDeclared;
const early = later;
const later = 1;
@register class Service {}
class WithBlock { static { go(); } }
class Odd extends mixin(Object) {}
function over(a: string): void;
function over(a) {}
const _ignored = 1;
const rest: never = app;
const checked = { a: 1 } satisfies Thing;
let written; written = 1;
/** @public */
function api() {}
// eslint-disable-next-line no-unused-vars
function silenced() {}
/** See {@link documented}. */
export const z = 1;
function documented() {}
interface Merged { a: 1 }
interface Merged { b: 1 }
declare const outside: number;
export {};
//- block.cjs
if (x) {
  function inBlock() {}
}
inBlock();
module.exports = 1;
//- mixed.test.ts
import { z } from './made';
type Check = Expect<Equal<typeof z, number>>;
test('a', () => z);
//- rewired.js
function hidden() {}
module.exports = 1;
//- rewired.test.js
const m = require('rewire')('./rewired');
test('x', () => m.__get__('hidden')());
//- effects.ts
import { effect } from './loud';
function dead() { effect(); }
export const a = 1;
//- loud.ts
console.log('loaded');
export const effect = () => 1;
//- all.ts
import { effect } from './loud';
function dead() { }
"#,
        &expect![[r#"
            chain: function `dead` removed from `all.ts`
              all.ts:2 function `dead`
            left: effects.ts:2:1 `function dead`: removing it would make the compiler drop `import { effect } from './loud';`: `loud.ts` has a side effect when it is loaded: `console.log('loaded');` on line 1; delete it by hand
            left: evil.js:2:1 `function f`: `eval` on line 3 may use it; check that place, and delete it by hand if it is not needed
            left: made.ts:3:1 `const missing = notDeclared;`: computing its value may have side effects; delete it if they are not needed, or keep the value as a statement
            left: made.ts:4:1 `const early = later;`: computing its value may have side effects; delete it if they are not needed, or keep the value as a statement
            left: made.ts:6:1 `class Service`: evaluating the class may have side effects: decorators, static code, computed names or its superclass; delete it if they are not needed
            left: made.ts:7:1 `class WithBlock`: evaluating the class may have side effects: decorators, static code, computed names or its superclass; delete it if they are not needed
            left: made.ts:8:1 `class Odd`: evaluating the class may have side effects: decorators, static code, computed names or its superclass; delete it if they are not needed
            left: made.ts:10:1 `function over`: `over` is declared more than once; delete all of them together
            left: made.ts:16:1 `function api`: its comment contains `@public`; delete it if that is no longer true
            left: made.ts:18:1 `function silenced`: the comment `// eslint-disable-next-line no-unused-vars` applies to it; delete both if neither is needed
            left: made.ts:21:1 `function documented`: a JSDoc comment mentions `documented`; change the comment first
            left: made.ts:22:1 `interface Merged`: `Merged` is declared more than once; delete all of them together
            left: made.ts:23:1 `interface Merged`: `Merged` is declared more than once; delete all of them together
            left: mixed.test.ts:2:1 `type Check`: a type in a test may only be there for the type check; delete it if it is not
            left: rewired.js:1:1 `function hidden`: a test accesses `hidden` inside the module; change the test first
            left: script.js:1:1 `function onClick`: the file has no import or export, so it is a script and shares its names with other scripts; make it a module, or look for uses in other scripts and pages
            //- all.ts
            import { effect } from './loud';

        "#]],
    );
}

#[test]
fn ru3_dead_code_exports_are_told() {
    check(
        r#"
//- package.json
{ "name": "a", "private": true }
//- src/index.js
export { open } from './lib.js';
//- src/lib.js
export function open() { return helper(); }
export function helper() {}
export function forgotten() {}
export const alone = 1;
//- src/user.js
import * as lib from './other.js';
lib.a();
//- src/other.js
export function a() {}
export function b() {}
//- src/page.js
export function nobodyLoadsThis() {}
"#,
        &expect![[r#"
            left: src/lib.js:3:17 `forgotten, alone`: exported, but nothing in the project imports it; delete it if nothing outside the project does
            left: src/other.js:2:17 `b`: exported, but nothing in the project imports it; delete it if nothing outside the project does
        "#]],
    );
}

#[test]
fn ru3_dead_code_style() {
    check(
        "\n//- a.cjs\nconst a = 1\r\nfunction dead() {}\r\n\r\n// ---------- section ----------\r\nfunction dead2() {} // why\r\n\r\nmodule.exports = a\r\n//- b.cjs\nconst b = 1\nfunction dead() {}\n(function () { use(b) })()\n//- c.cjs\nexports.f = () => {\n  const unused = 1\n\n  function dead() {}\n}\nexports.g = () => { let a = 1; return 2 }\n",
        &expect![[r#"
            chain: 2 pieces of dead code removed from `a.cjs`
              a.cjs:2 function `dead`
              a.cjs:5 function `dead2`
            chain: 3 pieces of dead code removed from `c.cjs`
              c.cjs:2 variable `unused`
              c.cjs:4 function `dead`
              c.cjs:6 variable `a`
            left: b.cjs:2:1 `function dead`: without it, the lines around it would parse as one statement; delete it by hand
            //- a.cjs
            const a = 1␍
            ␍
            // ---------- section ----------␍
            ␍
            module.exports = a␍

            //- c.cjs
            exports.f = () => {
            }
            exports.g = () => { return 2 }

        "#]],
    );
}

#[test]
fn ru3_dead_code_in_data_and_examples_is_none() {
    check(
        r#"
//- test/fake_modules/a.js
import x from 'x';
function shown() {}
//- test/helper.js
import x from 'x';
function data() {}
//- examples/a.js
import x from 'x';
function App() {}
//- test/a.test.js
import x from 'x';
function unused() {}
test('a', () => x);
"#,
        &expect![[r#"
            chain: function `unused` removed from `test/a.test.js`
              test/a.test.js:2 function `unused`
            //- test/a.test.js
            import x from 'x';
            test('a', () => x);

        "#]],
    );
}

#[test]
fn ru3_dead_code_in_a_long_file() {
    use std::fmt::Write as _;
    let mut text = String::from("\n//- a.mjs\n");
    for at in 0..2500 {
        let _ = writeln!(text, "function f{at}(x) {{\n  return f{}(x) + {at};\n}}", at + 1);
    }
    text.push_str("const f2500 = (x) => x;\nexport const first = () => f1250(1);\n");
    let outcome = Project::new(&text).run(&RECIPE);
    assert_eq!(outcome.plan.share(), (1250, 1250));
}

#[test]
fn ru3_dead_code_is_not_looked_for_in_checks_of_types_and_code_of_others() {
    check(
        r#"
//- tsconfig.json
{}
//- a.test-d.ts
import { a } from './a';
{ const save = (value: unknown) => a(value as string); }
//- src/__typetest__/b.ts
import '../../a';
{ const flag: boolean = true; }
//- a.ts
export const a = (it: string) => it;
//- taken.ts
/* eslint-disable */
// @ts-nocheck
export const a = 1;
function unused() {}
//- own.ts
// @ts-nocheck
export const a = 1;
function unused() {}
"#,
        &expect![[r#"
            chain: function `unused` removed from `own.ts`
              own.ts:3 function `unused`
            //- own.ts
            // @ts-nocheck
            export const a = 1;

        "#]],
    );
}

#[test]
fn ru3_dead_code_reads_this() {
    check(
        r#"
//- a.js
export class A extends B {
  constructor() {
    const early = this;
    super();
  }
  method() {
    const self = this;
    return 1;
  }
}
"#,
        &expect![[r#"
            chain: variable `self` removed from `a.js`
              a.js:7 variable `self`
            left: a.js:3:5 `const early = this;`: computing its value may have side effects; delete it if they are not needed, or keep the value as a statement
            //- a.js
            export class A extends B {
              constructor() {
                const early = this;
                super();
              }
              method() {
                return 1;
              }
            }

        "#]],
    );
}
