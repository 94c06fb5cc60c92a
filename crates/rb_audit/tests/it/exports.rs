//! Names that a module no longer gives.

use expect_test::expect;

use crate::support::{check, silent};

const CHAIN: &str = "
//- src/money.ts
export function price(n: number) { return n; }
export const TAX = 1;
export interface Bill { n: number }
export default class Purse {}
//- src/index.ts
export * from './money';
export { default as Purse } from './money';
//- src/shop.ts
import { price, TAX, type Bill, Purse } from './index';
import * as money from './money';
export const sum = (bill: Bill) => price(bill.n) + TAX + money.price(1);
export const purse = new Purse();
";

#[test]
fn ve6_an_export_is_removed() {
    check(
        CHAIN,
        "
//- src/money.ts
function price(n: number) { return n; }
export const TAX = price(1);
export default class Purse {}
",
        &expect![[r#"
            Error missing_export src/shop.ts:1 `Bill` is not exported by src/index.ts <- src/money.ts:1
            Error missing_export src/shop.ts:1 `price` is not exported by src/index.ts <- src/money.ts:1
            Error missing_export src/shop.ts:3 `money.price` is not exported by src/money.ts <- src/money.ts:1
        "#]],
    );
}

#[test]
fn ve6_an_export_is_renamed_and_its_default_goes() {
    check(
        CHAIN,
        "
//- src/money.ts
export function cost(n: number) { return n; }
export const TAX = 1;
export interface Bill { n: number }
export class Purse {}
",
        &expect![[r#"
            Error missing_export src/index.ts:2 `default` is not exported by src/money.ts <- src/money.ts:4
            Error missing_export src/shop.ts:1 `price` is not exported by src/index.ts <- src/money.ts:1
            Error missing_export src/shop.ts:3 `money.price` is not exported by src/money.ts <- src/money.ts:1
        "#]],
    );
    silent(
        CHAIN,
        "
//- src/money.ts
export function cost(n: number) { return n; }
export const TAX = 1;
export interface Bill { n: number }
export class Purse {}
//- src/index.ts
export * from './money';
//- src/shop.ts
import { cost, TAX, type Bill, Purse } from './index';
import * as money from './money';
export const sum = (bill: Bill) => cost(bill.n) + TAX + money.cost(1);
export const purse = new Purse();
",
    );
}

#[test]
fn ve6_an_import_is_written_of_a_name_that_does_not_exist() {
    check(
        CHAIN,
        "
//- src/gift.ts
import { price, discount } from './money';
export const gift = price(1) - discount(1);
",
        &expect![[r#"
            Error missing_export src/gift.ts:1 `discount` is not exported by src/money.ts <- src/gift.ts:1
        "#]],
    );
}

#[test]
fn ve6_a_re_export_is_kept_when_code_moves() {
    silent(
        CHAIN,
        "
//- src/tax.ts
export const TAX = 1;
//- src/money.ts
export { TAX } from './tax';
export function price(n: number) { return n; }
export interface Bill { n: number }
export default class Purse {}
",
    );
}

#[test]
fn ve6_commonjs() {
    let before = "
//- lib/a.js
module.exports = { one, two };
function one() {}
function two() {}
//- lib/b.js
exports.three = () => 3;
exports.four = () => 4;
//- lib/c.js
const { one, two } = require('./a');
const { three, four } = require('./b');
const b = require('./b');
one(two(three(four(b.three()))));
";
    check(
        before,
        "
//- lib/a.js
module.exports = { one };
function one() {}
//- lib/b.js
exports.four = () => 4;
",
        &expect![[r#"
            Error missing_export lib/c.js:1 `two` is not exported by lib/a.js <- lib/a.js:2
            Error missing_export lib/c.js:2 `three` is not exported by lib/b.js <- lib/b.js:1
            Error missing_export lib/c.js:4 `b.three` is not exported by lib/b.js <- lib/b.js:1
        "#]],
    );
    silent(
        before,
        "
//- lib/b.js
const all = require('./all');
for (const name of ['three', 'four']) exports[name] = all[name];
//- lib/all.js
exports.three = () => 3;
exports.four = () => 4;
",
    );
}

#[test]
fn ve6_commonjs_that_gives_another_name() {
    let before = "
//- tax.js
function rate() { return 1; }
module.exports = { rate };
//- price.js
const { rate } = require('./tax');
exports.price = () => rate();
";
    check(
        before,
        "
//- tax.js
function rate() { return 1; }
module.exports = { taxRate: rate };
",
        &expect![[r#"
            Error missing_export price.js:1 `rate` is not exported by tax.js <- tax.js:2
        "#]],
    );
    // Put together when it runs: by a spread, or piece by piece.
    silent(
        before,
        "
//- tax.js
const all = { rate() { return 1; } };
module.exports = { ...all };
",
    );
    silent(
        before,
        "
//- tax.js
function rate() { return 1; }
module.exports = { other: 1 };
Object.assign(module.exports, { rate });
",
    );
}

#[test]
fn ve6_modules_that_cannot_be_known() {
    // A package behind `export *`, a declaration file, merged declarations, a namespace, a JSON file.
    silent(
        "
//- a.ts
export * from 'elsewhere';
export const own = 1;
//- types.d.ts
declare module 'x' { export const x: number; }
//- data.json
{ \"n\": 1 }
//- b.ts
import { own } from './a';
export const b = own;
",
        "
//- b.ts
import { own, theirs } from './a';
import data from './data.json';
import { n } from './data.json';
export const b = own + theirs + data.n + n;
",
    );
}

#[test]
fn ve6_path_aliases_are_followed() {
    let before = r#"
//- tsconfig.json
{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }
//- src/lib/a.ts
export const a = 1;
export const b = 2;
//- src/app.ts
import { a, b } from "@/lib/a";
export const app = a + b;
"#;
    check(
        before,
        "
//- src/lib/a.ts
export const a = 1;
",
        &expect![[r#"
            Error missing_export src/app.ts:1 `b` is not exported by src/lib/a.ts <- src/lib/a.ts:1
        "#]],
    );
    silent(
        before,
        r#"
//- gone src/lib/a.ts
//- src/core/a.ts
export const a = 1;
export const b = 2;
//- src/app.ts
import { a, b } from "@/core/a";
export const app = a + b;
"#,
    );
}
