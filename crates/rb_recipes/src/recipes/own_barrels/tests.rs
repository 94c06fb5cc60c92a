//! Index files of every shape, and what stands against going round them.

use expect_test::{Expect, expect};

use super::RECIPE;
use crate::testing::Project;

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    Project::new(fixture).check(&RECIPE, expected);
}

#[test]
fn ru3_own_barrels_of_every_shape() {
    check(
        r#"
//- tsconfig.json
{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }
//- src/ui/index.ts
export * from './button';
export { default as Card, cardSize as size } from './card';
export * as icons from './icons';
import { Deep } from './deep';
export { Deep };
export type { Props } from './types';
//- src/ui/button.tsx
export const Button = 1;
export const buttonKind = 2;
//- src/ui/card.tsx
export default function Card() {}
export const cardSize = 1;
//- src/ui/icons/index.ts
export * from './a';
//- src/ui/icons/a.ts
export const A = 1;
//- src/ui/deep/index.ts
export { Deep } from './deep';
//- src/ui/deep/deep.ts
export class Deep {}
//- src/ui/types.ts
export interface Props { a: 1 }
//- src/app/a.ts
import { Button, Card, size as width, icons, Deep, type Props } from '@/ui';
import { buttonKind } from '@/ui/button';
use(Button, Card, width, icons, Deep, buttonKind);
let a: Props;
//- src/app/b.ts
import type { Props } from '../ui/index';
import { A } from "../ui/icons"
import { Card, Button } from '../ui/index';
use(A, Card, Button);
let a: Props;
//- src/app/c.ts
import { Button, buttonKind, size as aRatherLongNameForTheSize, Deep as anotherRatherLongName } from '@/ui';
use(Button, buttonKind, aRatherLongNameForTheSize, anotherRatherLongName);
"#,
        &expect![[r#"
            chain: 1 import of `src/app/a.ts` replaced by a direct import
              src/app/a.ts:1 through `src/ui/index.ts`
            chain: 3 imports of `src/app/b.ts` replaced by direct imports
              src/app/b.ts:1 through `src/ui/index.ts`
              src/app/b.ts:2 through `src/ui/icons/index.ts`
              src/app/b.ts:3 through `src/ui/index.ts`
            chain: 1 import of `src/app/c.ts` replaced by a direct import
              src/app/c.ts:1 through `src/ui/index.ts`
            //- src/app/a.ts
            import Card, { cardSize as width } from '@/ui/card';
            import { Deep } from '@/ui/deep/deep';
            import * as icons from '@/ui/icons';
            import { type Props } from '@/ui/types';
            import { buttonKind, Button } from '@/ui/button';
            use(Button, Card, width, icons, Deep, buttonKind);
            let a: Props;

            //- src/app/b.ts
            import type { Props } from '../ui/types';
            import { A } from "../ui/icons/a"
            import Card from '../ui/card';
            import { Button } from '../ui/button';
            use(A, Card, Button);
            let a: Props;

            //- src/app/c.ts
            import { Button, buttonKind } from '@/ui/button';
            import { cardSize as aRatherLongNameForTheSize } from '@/ui/card';
            import { Deep as anotherRatherLongName } from '@/ui/deep/deep';
            use(Button, buttonKind, aRatherLongNameForTheSize, anotherRatherLongName);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_written_with_extensions() {
    check(
        r#"
//- package.json
{ "name": "a", "type": "module" }
//- lib/index.js
export { a } from './a.js';
export { b } from './b.mjs';
//- lib/a.ts
export const a = 1;
//- lib/b.mjs
export const b = 2;
//- main.ts
import { a, b } from './lib/index.js';
use(a, b);
"#,
        &expect![[r#"
            chain: 1 import of `main.ts` replaced by a direct import
              main.ts:1 through `lib/index.js`
            //- main.ts
            import { a } from './lib/a.js';
            import { b } from './lib/b.mjs';
            use(a, b);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_that_are_left() {
    check(
        r#"
//- package.json
{ "name": "a" }
//- loud/index.js
export { a } from './a.js';
export { b } from './b.js';
//- loud/a.js
export const a = 1;
//- loud/b.js
console.log('b');
export const b = 1;
//- same.js
import { b } from './loud/index.js';
use(b);
//- missed.js
import { a } from './loud/index.js';
use(a);
//- whole.js
import * as all from './loud/index.js';
use(all);
//- client/index.js
'use client';
export { c } from './c.js';
//- client/c.js
export const c = 1;
//- client.js
import { c } from './client/index.js';
use(c);
//- mocked/index.js
export { d } from './d.js';
//- mocked/d.js
export const d = 1;
//- mocked.js
import { d } from './mocked/index.js';
use(d);
//- mocked.test.js
import { d } from './mocked/index.js';
jest.mock('./mocked/index.js');
test('d', () => d);
//- package/index.js
export { e } from 'elsewhere';
export * from 'more';
//- package.js
import { e } from './package/index.js';
import { f } from './package/index.js';
use(e, f);
//- circle/index.js
export { g } from './g.js';
export { h } from './h.js';
//- circle/g.js
import { h } from './index.js';
export const g = class extends h {};
//- circle/h.js
export const h = class {};
//- circle.js
import { g } from './circle/index.js';
use(g);
//- ring/index.js
export * from './one.js';
//- ring/one.js
export * from './index.js';
export const i = 1;
//- ring.js
import { i, j } from './ring/index.js';
use(i, j);
//- own/index.js
export { k } from './k.js';
export const l = 1;
//- own/k.js
export const k = 1;
//- own.js
import { k } from './own/index.js';
use(k);
"#,
        &expect![[r#"
            chain: 1 import of `same.js` replaced by a direct import
              same.js:1 through `loud/index.js`
            left: circle.js:1:1 `import { g } from './circle/index.js';`: `circle/index.js` is part of an import cycle, and `circle/g.js` depends on the load order; check that nothing depends on it, then change the import by hand
            left: circle/g.js:1:1 `import { h } from './index.js';`: `circle/index.js` is part of an import cycle, and `circle/g.js` depends on the load order; check that nothing depends on it, then change the import by hand
            left: client.js:1:1 `import { c } from './client/index.js';`: `client/index.js` has a directive at its top; move the directive to the files it re-exports first
            left: missed.js:1:1 `import { a } from './loud/index.js';`: `loud/b.js` has a side effect when it is loaded: `console.log('b');` on line 1; check that nothing depends on it, then change the import by hand
            left: mocked.js:1:1 `import { d } from './mocked/index.js';`: a test mocks `./mocked/index.js`; change the import and the test together
            left: mocked.test.js:1:1 `import { d } from './mocked/index.js';`: a test mocks `./mocked/index.js`; change the import and the test together
            left: ring.js:1:1 `import { i, j } from './ring/index.js';`: the origin of `j` in `ring/index.js` is unknown; keep the index for it, or change the import by hand
            left: whole.js:1:1 `import * as all from './loud/index.js';`: `loud/index.js` is imported as a namespace object; import the used names in braces, then run this again
            //- same.js
            import { b } from './loud/b.js';
            use(b);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_of_other_packages_and_lint_rules() {
    check(
        r#"
//- package.json
{ "name": "root", "private": true, "workspaces": ["packages/*"] }
//- packages/ui/package.json
{ "name": "@x/ui", "main": "src/index.js" }
//- packages/ui/src/index.js
export { a } from './a.js';
//- packages/ui/src/a.js
export const a = 1;
//- packages/ui/src/b.js
import { a } from './index.js';
use(a);
//- packages/ui/src/b.test.js
import { a } from './index.js';
test('a', () => a);
//- packages/app/package.json
{ "name": "@x/app", "dependencies": { "@x/ui": "*" } }
//- packages/app/a.js
import { a } from '@x/ui';
import { a as b } from '../ui/src/index.js';
use(a, b);
//- packages/strict/package.json
{ "name": "@x/strict" }
//- packages/strict/.eslintrc.json
{ "rules": { "no-restricted-imports": ["error", { "patterns": ["@/features/*/*"] }] } }
//- packages/strict/lib/index.js
export { a } from './a.js';
//- packages/strict/lib/a.js
export const a = 1;
//- packages/strict/main.js
import { a } from './lib/index.js';
use(a);
"#,
        &expect![[r#"
            chain: 1 import of `packages/ui/src/b.js` replaced by a direct import
              packages/ui/src/b.js:1 through `packages/ui/src/index.js`
            left: packages/strict/main.js:1:1 `import { a } from './lib/index.js';`: `packages/strict/.eslintrc.json` restricts imports by path; check whether it forbids the direct imports
            left: packages/ui/src/b.test.js:1:1 `import { a } from './index.js';`: `packages/ui/src/index.js` is the main entry point of the package, and the test may use it on purpose; leave it
            //- packages/ui/src/b.js
            import { a } from './a.js';
            use(a);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_that_are_entries_or_the_package_by_name() {
    check(
        r#"
//- package.json
{ "name": "kit", "exports": { ".": "./dist/index.js", "./core": "./dist/core.js" } }
//- tsconfig.json
{ "compilerOptions": { "paths": { "kit": ["./src/index.ts"] } } }
//- src/index.ts
export * from './core';
export { c } from './inner';
//- src/core.ts
export { a } from './core/a';
export { b } from './core/b';
//- src/core/a.ts
export const a = 1;
//- src/core/b.ts
export const b = 1;
//- src/inner/index.ts
export { c } from './c';
//- src/inner/c.ts
export const c = 1;
//- src/use.ts
import { a } from './core';
import { c } from './inner';
import { c as d } from 'kit';
use(a, c, d);
//- src/__fixtures__/x.ts
import { c } from '../inner';
use(c);
"#,
        &expect![[r#"
            chain: 1 import of `src/use.ts` replaced by a direct import
              src/use.ts:2 through `src/inner/index.ts`
            left: src/use.ts:1:1 `import { a } from './core';`: `src/core.ts` is a package entry point (`./core`), and a bundle may import one entry point from another; change it by hand if the package is built as one bundle
            //- src/use.ts
            import { a } from './core';
            import { c } from './inner/c';
            import { c as d } from 'kit';
            use(a, c, d);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_are_no_aliases_and_keep_their_tests() {
    check(
        r#"
//- each.js
export { forEach as each } from './forEach.js';
//- forEach.js
export const forEach = 1;
//- main.js
import { each } from './each.js';
use(each);
//- each.spec.js
import { each } from './each.js';
test('each', () => each);
//- ui/index.js
export { a } from './a.js';
export { b } from './b.js';
//- ui/a.js
export const a = 1;
//- ui/b.js
export const b = 1;
//- ui/index.test.js
import { a } from './index.js';
test('a', () => a);
//- ui/__tests__/index.test.js
import { a } from '../index.js';
test('a', () => a);
//- ui/b.test.js
import { a } from './index.js';
test('b', () => a);
"#,
        &expect![[r#"
            chain: 1 import of `ui/b.test.js` replaced by a direct import
              ui/b.test.js:1 through `ui/index.js`
            left: ui/__tests__/index.test.js:1:1 `import { a } from '../index.js';`: the test is named after `ui/index.js` and may be testing it; leave it
            left: ui/index.test.js:1:1 `import { a } from './index.js';`: the test is named after `ui/index.js` and may be testing it; leave it
            //- ui/b.test.js
            import { a } from './a.js';
            test('b', () => a);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_in_the_order_of_the_imports_around() {
    check(
        r#"
//- ui/index.js
export { default as Zoo } from './zoo.js';
export { Apple, Banana } from './fruit.js';
export { type } from './kind.js';
//- ui/zoo.js
export default 1;
//- ui/fruit.js
export const Apple = 1;
export const Banana = 1;
//- ui/kind.js
export const type = 1;
//- sorted.js
import a from './a.js';
import { Zoo, type, Apple } from './ui/index.js';
import b from './z.js';
use(Apple, Zoo, type, a, b);
//- unsorted.js
import b from './z.js';
import { Zoo, type, Apple } from './ui/index.js';
use(Apple, Zoo, type, b);
"#,
        &expect![[r#"
            chain: 1 import of `sorted.js` replaced by a direct import
              sorted.js:2 through `ui/index.js`
            chain: 1 import of `unsorted.js` replaced by a direct import
              unsorted.js:2 through `ui/index.js`
            //- sorted.js
            import a from './a.js';
            import { Apple } from './ui/fruit.js';
            import { type } from './ui/kind.js';
            import Zoo from './ui/zoo.js';
            import b from './z.js';
            use(Apple, Zoo, type, a, b);

            //- unsorted.js
            import b from './z.js';
            import Zoo from './ui/zoo.js';
            import { type } from './ui/kind.js';
            import { Apple } from './ui/fruit.js';
            use(Apple, Zoo, type, b);

        "#]],
    );
}

#[test]
fn ru3_own_barrels_keep_the_width_of_lines() {
    check(
        r#"
//- models/index.js
export * from './transaction.js';
export * from './user.js';
//- models/transaction.js
export const TransactionDateRange = 1, TransactionAmountRange = 2;
//- models/user.js
export const User = 1;
//- wide/.prettierrc
{ "printWidth": 130 }
//- wide/a.js
import {
  TransactionDateRange as dates,
  TransactionAmountRange as amounts,
} from '../models/index.js';
use(dates, amounts);
//- a.js
import { User, TransactionDateRange as dates, TransactionAmountRange as amounts } from './models/index.js';
use(User, dates, amounts);
"#,
        &expect![[r#"
            chain: 1 import of `a.js` replaced by a direct import
              a.js:1 through `models/index.js`
            chain: 1 import of `wide/a.js` replaced by a direct import
              wide/a.js:1 through `models/index.js`
            //- a.js
            import { TransactionDateRange as dates, TransactionAmountRange as amounts } from './models/transaction.js';
            import { User } from './models/user.js';
            use(User, dates, amounts);

            //- wide/a.js
            import { TransactionDateRange as dates, TransactionAmountRange as amounts } from '../models/transaction.js';
            use(dates, amounts);

        "#]],
    );
}
