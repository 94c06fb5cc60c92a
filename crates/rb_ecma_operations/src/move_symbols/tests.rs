//! Moves, as fixtures and what comes of them.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, symbols: &str, to: &str, expected: &Expect) {
    let symbols: Vec<String> = symbols.split(' ').map(|it| format!("\"{it}\"")).collect();
    let operation = format!(
        "{{\"operation\": \"move\", \"symbols\": [{}], \"to\": \"{to}\"}}",
        symbols.join(", ")
    );
    expected.assert_eq(&snapshot(fixture, &operation));
}

#[test]
fn st1_move_takes_imports_and_users_follow() {
    check(
        r#"
//- src/a.ts
import { join } from 'node:path';
import { helper, other } from './util';

const SEP = '/';

/** Joins. */
export function joined(a: string): string {
  return join(SEP, helper(a));
}

export function stays() {
  return other() + joined('x');
}
//- src/util.ts
export const helper = (a: string) => a;
export const other = () => 1;
//- src/user.ts
import { joined, stays } from './a';

joined(stays());
//- src/ns.ts
import * as a from './a';

export const value = a.joined('y') + a.stays();
//- src/index.ts
export * from './a';
//- src/alias.ts
import { joined as j } from './a.js';
export { j };
"#,
        "src/a.ts#joined",
        "src/lib/b.ts",
        &expect![[r#"
            `joined` moved to src/lib/b.ts in 6 files
            //- src/a.ts
            import { other } from './util';
            import { joined } from './lib/b';

            export function stays() {
              return other() + joined('x');
            }
            //- src/alias.ts
            import { joined as j } from './lib/b.js';
            export { j };
            //- src/index.ts
            export * from './a';
            export { joined } from './lib/b';
            //- src/lib/b.ts (created)
            import { join } from 'node:path';
            import { helper } from '../util';

            const SEP = '/';

            /** Joins. */
            export function joined(a: string): string {
              return join(SEP, helper(a));
            }
            //- src/ns.ts
            import * as a from './a';
            import { joined } from './lib/b';

            export const value = joined('y') + a.stays();
            //- src/user.ts
            import { stays } from './a';
            import { joined } from './lib/b';

            joined(stays());
            api: src/a.ts joined -> `joined` of src/lib/b.ts
            note: `SEP` went along: nothing else uses it
        "#]],
    );
}

#[test]
fn st1_move_with_overloads_comments_and_decorators() {
    check(
        r#"
//- a.ts
// Copyright me
import { Dec } from 'dec';
import type { Shape } from './shape';

export function f(a: string): string;
export function f(a: number): number;
/** The one. */
export function f(a: any): any {
  return a;
} // end of f
f.displayName = 'f';

@Dec()
export class Service {
  private shape?: Shape;
}

export interface Options {
  a: string;
}
export interface Options {
  b: string;
}

export enum Color {
  Red,
}
//- shape.ts
export interface Shape {}
//- b.ts
import { f, Service, type Options, Color } from './a';
export const x: Options = f(Color.Red) as any;
new Service();
"#,
        "a.ts#f a.ts#Service a.ts#Options",
        "lib/new.ts",
        &expect![[r#"
            `f`, `Service`, `Options` moved to lib/new.ts in 3 files
            //- a.ts
            // Copyright me

            export enum Color {
              Red,
            }
            //- b.ts
            import { Color } from './a';
            import { f, Service, type Options } from './lib/new';
            export const x: Options = f(Color.Red) as any;
            new Service();
            //- lib/new.ts (created)
            import { Dec } from 'dec';
            import type { Shape } from '../shape';

            export function f(a: string): string;
            export function f(a: number): number;
            /** The one. */
            export function f(a: any): any {
              return a;
            } // end of f
            f.displayName = 'f';

            @Dec()
            export class Service {
              private shape?: Shape;
            }

            export interface Options {
              a: string;
            }
            export interface Options {
              b: string;
            }
            api: a.ts Options -> `Options` of lib/new.ts
            api: a.ts Service -> `Service` of lib/new.ts
            api: a.ts f -> `f` of lib/new.ts
        "#]],
    );
}

#[test]
fn st1_move_of_a_default_export() {
    check(
        r#"
//- a.tsx
import React from 'react';
export default function Button() {
  return <b />;
}
export const other = 1;
//- b.tsx
import Btn, { other } from './a';
export { default } from './a';
export { default as Knob } from './a';
export const x = () => <Btn n={other} />;
"#,
        "a.tsx#Button",
        "button.tsx",
        &expect![[r#"
            `Button` moved to button.tsx in 3 files
            //- a.tsx
            import React from 'react';
            export const other = 1;
            //- b.tsx
            import { other } from './a';
            import { Button as Btn } from './button';
            export { Button as default } from './button';
            export { Button as Knob } from './button';
            export const x = () => <Btn n={other} />;
            //- button.tsx (created)
            import React from 'react';

            export function Button() {
              return <b />;
            }
            api: a.tsx default -> `Button` of button.tsx
            note: `Button` was the default export, and is a named one now
        "#]],
    );
}

#[test]
fn st1_move_into_a_module_that_imports_it() {
    check(
        r#"
//- a.ts
export const BASE = 1;
export const twice = (n: number) => n * 2;
export { twice as double };
//- b.ts
import { BASE as base, double } from './a';

const NEXT = base + 1;
export const all = { base, NEXT, double };
//- c.ts
import { all } from './b';
import { BASE } from './a';
import { double } from './a';
console.log(all, BASE, double);
"#,
        "a.ts#BASE a.ts#twice",
        "b.ts",
        &expect![[r#"
            `BASE`, `twice` moved to b.ts in 3 files
            //- a.ts (removed)
            //- b.ts
            export const BASE = 1;
            export const twice = (n: number) => n * 2;

            export { twice as double };

            const NEXT = BASE + 1;
            export const all = { base: BASE, NEXT, double: twice };
            //- c.ts
            import { all, BASE, double } from './b';
            console.log(all, BASE, double);
            api: a.ts BASE -> `BASE` of b.ts
            api: a.ts double -> `double` of b.ts
            api: a.ts twice -> `twice` of b.ts
        "#]],
    );
}

#[test]
fn st1_move_is_refused() {
    // The initializer has effects.
    check(
        "
//- a.ts
export const x = start();
//- b.ts
",
        "a.ts#x",
        "b.ts",
        &expect![[r#"
            refused: the initializer of `x` may have effects
              a.ts:1: x
            suggestion: moving it would change when it runs; move it by hand
        "#]],
    );
    // A clash of names.
    check(
        "
//- a.ts
export const x = 1;
//- b.ts
const x = 2;
",
        "a.ts#x",
        "b.ts",
        &expect![[r#"
            refused: the name `x` is taken in b.ts: it is declared or imported there already
              b.ts:1: x
            suggestion: rename one of them first
        "#]],
    );
    // The module is passed on as a whole.
    check(
        "
//- a.ts
export const x = 1;
//- b.ts
import * as a from './a';
export default a;
",
        "a.ts#x",
        "c.ts",
        &expect![[r#"
            refused: not every use of what is moved from a.ts can be followed
              b.ts:2: its module is passed on as one value
            suggestion: import the names in braces there first
        "#]],
    );
    // A cycle that is needed at load time.
    check(
        "
//- a.ts
export class Base {}
export class Derived extends Base {}
export const make = () => new Derived();
export const one = [Derived];
",
        "a.ts#Derived",
        "b.ts",
        &expect![[r#"
            refused: a.ts and b.ts would import each other, and `Derived` is needed while a.ts is loaded
              a.ts:1: Derived
            suggestion: move what they share along, or to a third file
        "#]],
    );
}

#[test]
fn st1_move_is_refused_for_what_depends_on_its_file() {
    // Assigned to from the other side.
    check(
        "
//- a.ts
export let count = 0;
export const up = () => { count += 1; };
",
        "a.ts#up",
        "b.ts",
        &expect![[r#"
            refused: `count` is assigned to from the other file
              a.ts:2: count
            suggestion: move both sides, or add a function that assigns it
        "#]],
    );
    // It depends on its file.
    check(
        "
//- a.ts
export const here = () => import.meta.url;
",
        "a.ts#here",
        "b.ts",
        &expect![[r#"
            refused: the code depends on the file that it is in: `import.meta`, which depends on the file
              a.ts:1: `import.meta`, which depends on the file
            suggestion: change that first
        "#]],
    );
    // A component that is not read.
    check(
        "
//- a.ts
export const x = 1;
//- b.vue
<script>
import { x } from './a'
</script>
",
        "a.ts#x",
        "b.ts",
        &expect![[r#"
            refused: a.ts is imported by a file that cannot be read
              b.vue:2: ./a
            suggestion: change that file by hand first
        "#]],
    );
    // A mock of the whole module.
    check(
        "
//- a.ts
export const x = 1;
//- a.test.ts
import { x } from './a';
jest.mock('./a');
",
        "a.ts#x",
        "b.ts",
        &expect![[r#"
            refused: a test replaces a.ts as a whole
              a.test.ts:2: ./a
            suggestion: change the mock by hand first
        "#]],
    );
    // CommonJS.
    check(
        "
//- a.js
function x() {}
module.exports = { x };
",
        "a.js#x",
        "b.js",
        &expect![[r#"
            refused: a.js is a CommonJS module
              a.js:2: x
            suggestion: change its exports to `export` first
        "#]],
    );
}

#[test]
fn st2_move_keeps_the_style_of_the_project() {
    check(
        r#"
//- tsconfig.json
{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }
//- src/a.ts
'use client'
import { b } from '@/deep/b'
import "./side.css"

export type T = { b: typeof b }

export const useB = (): T => ({ b })
//- src/deep/b.ts
export const b = 1
//- src/side.css
x {}
//- src/user.ts
import type { T } from '@/a'
import {
  type T as U,
  useB,
} from "@/a"
export const x: T | U = useB()
//- src/types.ts
export type A = import('./a').T
//- src/lazy.ts
export const load = async () => {
  const { useB } = await import('./a')
  return useB
}
"#,
        "src/a.ts#T src/a.ts#useB",
        "src/hooks/b.ts",
        &expect![[r#"
            `T`, `useB` moved to src/hooks/b.ts in 5 files
            //- src/a.ts
            'use client'
            import "./side.css"
            //- src/hooks/b.ts (created)
            'use client'

            import { b } from '@/deep/b'

            export type T = { b: typeof b }

            export const useB = (): T => ({ b })
            //- src/lazy.ts
            export const load = async () => {
              const { useB } = await import('./hooks/b')
              return useB
            }
            //- src/types.ts
            export type A = import('./hooks/b').T
            //- src/user.ts
            import type { T } from '@/hooks/b'
            import "@/a"
            import { type T as U, useB } from "@/hooks/b"
            export const x: T | U = useB()
            api: src/a.ts T -> `T` of src/hooks/b.ts
            api: src/a.ts useB -> `useB` of src/hooks/b.ts
            note: src/user.ts goes on importing src/a.ts, which does something when it is loaded
        "#]],
    );
}

#[test]
fn st2_move_in_odd_files() {
    check(
        "//- a.ts\nexport const x = 1, y = 2;\n//- b.ts\nimport {x} from './a'",
        "a.ts#x",
        "c.ts",
        &expect![[r#"
            refused: `x` is declared together with `y`
              a.ts:1: x
            suggestion: move both, or split the declaration first
        "#]],
    );
    check(
        "//- a.ts\nexport const x = 1;\n//- b.ts\nimport {x} from './a'",
        "a.ts#x",
        "c.ts",
        &expect![[r#"
            `x` moved to c.ts in 3 files
            //- a.ts (removed)
            //- b.ts
            import {x} from './c'
            //- c.ts (created)
            export const x = 1;
            api: a.ts x -> `x` of c.ts
        "#]],
    );
    check(
        "//- a.ts\n",
        "a.ts#x",
        "c.ts",
        &expect![[r#"
        refused: `x` is not declared at the top level of a.ts
        suggestion: give the file that declares it, and its name there
    "#]],
    );
    check(
        "//- a.ts\nexport const x = ;\n",
        "a.ts#x",
        "c.ts",
        &expect![[r#"
        refused: a.ts has syntax errors
        suggestion: fix the syntax errors first
    "#]],
    );
    check(
        "//- a.ts\nexport const x = 1;\n",
        "a.ts#x",
        "c.py",
        &expect![[r#"
        refused: c.py is not a JavaScript or TypeScript file
        suggestion: give a path that ends in .ts, .tsx, .js or .jsx
    "#]],
    );
}

#[test]
fn st1_move_folds_an_import_that_fits_on_a_line() {
    let one = "import {\n  aRatherLongNameOfSomething,\n  anotherLongNameOfSomethingElse,\n  yetAnotherLongNameOfIt,\n  f,\n} from './a';\n";
    let chosen = "import {\n  f,\n  yetAnotherLongNameOfIt,\n  g\n} from './a';\n";
    check(
        &format!(
            "
//- a.ts
export const aRatherLongNameOfSomething = 1;
export const anotherLongNameOfSomethingElse = 2;
export const yetAnotherLongNameOfIt = 3;
export const f = 4;
export const g = 5;
//- b.ts
{one}//- c.ts
{chosen}"
        ),
        "a.ts#yetAnotherLongNameOfIt",
        "new.ts",
        &expect![[r#"
            `yetAnotherLongNameOfIt` moved to new.ts in 4 files
            //- a.ts
            export const aRatherLongNameOfSomething = 1;
            export const anotherLongNameOfSomethingElse = 2;
            export const f = 4;
            export const g = 5;
            //- b.ts
            import { aRatherLongNameOfSomething, anotherLongNameOfSomethingElse, f } from './a';
            import { yetAnotherLongNameOfIt } from './new';
            //- c.ts
            import {
              f,
              g
            } from './a';
            import { yetAnotherLongNameOfIt } from './new';
            //- new.ts (created)
            export const yetAnotherLongNameOfIt = 3;
            api: a.ts yetAnotherLongNameOfIt -> `yetAnotherLongNameOfIt` of new.ts
        "#]],
    );
}

#[test]
fn st1_move_to_a_file_of_reexports_alone() {
    let fixture = r#"
//- src/index.ts
/** The library. */

export * from './a'
export { two } from './b'
//- src/a.ts
export interface One {
  one: number
}
export type Ones = One[]
//- src/b.ts
const own = 2
export const two = own
export const double = () => 2 * two
"#;
    check(
        fixture,
        "src/a.ts#Ones",
        "src/index.ts",
        &expect![[r#"
            `Ones` moved to src/index.ts in 2 files
            //- src/a.ts
            export interface One {
              one: number
            }
            //- src/index.ts
            /** The library. */

            import type { One } from './a'

            export * from './a'
            export { two } from './b'

            export type Ones = One[]
            api: src/a.ts Ones -> `Ones` of src/index.ts
        "#]],
    );
    check(
        fixture,
        "src/b.ts#double",
        "src/index.ts",
        &expect![[r#"
            `double` moved to src/index.ts in 2 files
            //- src/b.ts
            const own = 2
            export const two = own
            //- src/index.ts
            /** The library. */

            export * from './a'
            export { two } from './b'
            import { two } from './b'

            export const double = () => 2 * two
            api: src/b.ts double -> `double` of src/index.ts
        "#]],
    );
}

#[test]
fn st1_move_leaves_what_a_compiler_or_framework_imports() {
    check(
        r#"
//- src/jsx-runtime.ts
const own = 1
export function jsx() {
  return own
}
//- src/other.ts
export const a = 1
"#,
        "src/jsx-runtime.ts#jsx",
        "src/other.ts",
        &expect![[r#"
            refused: src/jsx-runtime.ts has to export `jsx`: it is what compilers import for JSX
            suggestion: move what it uses instead
        "#]],
    );
}
