use expect_test::expect;

use crate::support::{check, check_change, check_edits};

const LIBRARY: &str = r#"
//- package.json
{ "name": "shop", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./cart": "./dist/cart.js", "./lost": "./dist/nowhere/x.js", "./parts/*": "./dist/parts/*.js" } }
//- tsconfig.json
{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }
//- src/index.ts
export * from './cart';
export { price as cost, type Money } from './price';
export * as time from './time';
import { hidden } from './hidden';
export default hidden;
export { readFileSync } from 'node:fs';
//- src/cart.ts
/** A cart. */
export class Cart extends Base {
  readonly items: Item[] = [];
  private secret = 1;
  #own = 2;
  constructor(owner: string, size?: number) { super(); }
  async add(item: Item, ...more: Item[]): Promise<void> {}
  get total(): number { return 0; }
  static of(items: Item[]): Cart { return new Cart('a'); }
  _internal() {}
}
class Base { shared(): void {} }
export interface Item { name: string; price?: number; tag(): string }
export enum Size { Small, Large = 'l' }
function privateHelper() {}
//- src/price.ts
export type Money = 'EUR' | 'USD';
export function price(item: string): number;
export function price(item: string, money: Money): number;
export function price(item: string, money?: Money): number { return 1; }
//- src/time.ts
export const now = (zone = 'utc') => 0;
//- src/hidden.ts
export function hidden({ a, b = 2 }, [c], d = 1) {}
//- src/parts/wheel.ts
export const wheel = 1;
//- src/parts/deep/spoke.ts
export const spoke = 1;
//- src/cart.test.ts
export const notOffered = 1;
"#;

#[test]
fn ve7_exports_of_a_typescript_package_are_followed_to_their_source() {
    check(
        LIBRARY,
        &expect![[r#"
        shop . class Cart of Base [src/cart.ts:2]
        shop . method Cart.add async (item: Item, ...more: Item[]) -> Promise<void> [src/cart.ts:7]
        shop . method Cart.constructor(owner: string, size?: number) [src/cart.ts:6]
        shop . field Cart.items readonly : Item[] [src/cart.ts:3]
        shop . method Cart.of static (items: Item[]) -> Cart [src/cart.ts:9]
        shop . method Cart.shared() -> void [src/cart.ts:12]
        shop . field Cart.total: number [src/cart.ts:8]
        shop . interface Item [src/cart.ts:13]
        shop . field Item.name: string [src/cart.ts:13]
        shop . field Item.price ?: number [src/cart.ts:13]
        shop . method Item.tag() -> string [src/cart.ts:13]
        shop . type Money: "EUR"|"USD" [src/price.ts:1]
        shop . enum Size [src/cart.ts:14]
        shop . variant Size.Large [src/cart.ts:14]
        shop . variant Size.Small [src/cart.ts:14]
        shop . function cost(item: string) -> number [src/price.ts:2]
        shop . function cost(item: string, money: Money) -> number [src/price.ts:3]
        shop . function default({a, b}, [], d?) [src/hidden.ts:1]
        shop . value readFileSync [src/index.ts:1]
        shop . module time [src/time.ts:1]
        shop . function time.now(zone?) [src/time.ts:1]
        shop ./cart class Cart of Base [src/cart.ts:2]
        shop ./cart method Cart.add async (item: Item, ...more: Item[]) -> Promise<void> [src/cart.ts:7]
        shop ./cart method Cart.constructor(owner: string, size?: number) [src/cart.ts:6]
        shop ./cart field Cart.items readonly : Item[] [src/cart.ts:3]
        shop ./cart method Cart.of static (items: Item[]) -> Cart [src/cart.ts:9]
        shop ./cart method Cart.shared() -> void [src/cart.ts:12]
        shop ./cart field Cart.total: number [src/cart.ts:8]
        shop ./cart interface Item [src/cart.ts:13]
        shop ./cart field Item.name: string [src/cart.ts:13]
        shop ./cart field Item.price ?: number [src/cart.ts:13]
        shop ./cart method Item.tag() -> string [src/cart.ts:13]
        shop ./cart enum Size [src/cart.ts:14]
        shop ./cart variant Size.Large [src/cart.ts:14]
        shop ./cart variant Size.Small [src/cart.ts:14]
        shop ./parts/deep/spoke value spoke [src/parts/deep/spoke.ts:1]
        shop ./parts/wheel value wheel [src/parts/wheel.ts:1]
        unread package.json: `./lost` names `./dist/nowhere/x.js`, which is built from a source that was not found
    "#]],
    );
}

#[test]
fn ve7_exports_of_commonjs_are_read() {
    check(
        r#"
//- package.json
{ "name": "web", "main": "index.js" }
//- index.js
module.exports = require('./lib/web');
//- lib/web.js
var proto = require('./proto');
exports = module.exports = create;
function create(options, done) {}
exports.proto = proto;
exports.version = '1';
exports.join = function (a, b) {};
exports.shape = { wide: true, area(x) {} };
//- lib/proto.js
var app = exports = module.exports = {};
app.use = function use(path, handler) {};
app._inner = function () {};
function Thing() {}
Thing.prototype.go = function (far) {};
//- lib/list.js
module.exports = { never: 1 };
"#,
        &expect![[r#"
            web . function default(options, done) [lib/web.js:3]
            web . function join(a, b) [lib/web.js:6]
            web . constant proto [lib/proto.js:1]
            web . function proto.use(path, handler) [lib/proto.js:2]
            web . constant shape [lib/web.js:7]
            web . method shape.area(x) [lib/web.js:7]
            web . value shape.wide [lib/web.js:7]
            web . value version [lib/web.js:5]
        "#]],
    );
}

#[test]
fn ve7_a_private_package_promises_only_what_others_import() {
    check(
        r#"
//- package.json
{ "private": true, "workspaces": ["packages/*"] }
//- packages/a/package.json
{ "name": "a", "private": true }
//- packages/a/index.js
export function used() {}
//- packages/b/package.json
{ "name": "b", "private": true, "dependencies": { "a": "workspace:*" } }
//- packages/b/index.js
import { used } from 'a';
export function alone() { used(); }
"#,
        &expect![[r#"
            a . function used() [packages/a/index.js:1]
        "#]],
    );
}

#[test]
fn ve7_every_change_of_a_typescript_export_is_told() {
    check_edits(
        LIBRARY,
        &[
            ("export * from './cart';\n", ""),
            ("owner: string, size?: number", "owner: string, size: number"),
            ("item: Item, ...more: Item[]", "item: Item, count: number, ...more: Item[]"),
            (
                "async add(item: Item, ...more: Item[]): Promise<void>",
                "add(item: Item, ...more: Item[]): void",
            ),
            ("name: string; price?", "name: string; price"),
            ("tag(): string", "tag(): string; color: string"),
            ("tag(): string", "tag(): string; color?: string"),
            ("Small, ", ""),
            ("'EUR' | 'USD'", "'EUR'"),
            ("zone = 'utc'", "zone"),
            ("{ a, b = 2 }", "{ b = 2 }"),
            ("{ a, b = 2 }", "{ a, b = 2, e }"),
            ("get total(): number { return 0; }", ""),
            ("export function price(item: string): number;\n", ""),
            ("static of(", "of("),
            ("price as cost", "price"),
        ],
        &expect![[r##"
            # - export * from './cart';
            ! removed: `Cart` of `shop` was removed (src/cart.ts:2)
            ! removed: `Item` of `shop` was removed (src/cart.ts:13)
            ! removed: `Size` of `shop` was removed (src/cart.ts:14)
            # owner: string, size: number
            ! narrowed: `Cart.constructor` of `shop` now requires the argument `size` (src/cart.ts:6)
            # item: Item, count: number, ...more: Item[]
            ! narrowed: `Cart.add` of `shop` takes one more required argument: `count` (src/cart.ts:7)
            # add(item: Item, ...more: Item[]): void
            ! changed: `Cart.add` of `shop` is no longer async (src/cart.ts:7)
            ! changed: `Cart.add` of `shop` returns `void` instead of `Promise<void>` (src/cart.ts:7)
            # name: string; price
            ! narrowed: `Item.price` of `shop` is no longer optional (src/cart.ts:13)
            # tag(): string; color: string
            ! narrowed: `Item.color` of `shop` was added to an interface and is required (src/cart.ts:13)
            # tag(): string; color?: string
            ~ added: `Item.color` of `shop` was added: field `?: string` (src/cart.ts:13)
            # - Small, 
            ! removed: `Size.Small` of `shop` was removed (src/cart.ts:14)
            # 'EUR'
            ! changed: `Money` of `shop` is `"EUR"` instead of `"EUR"|"USD"` (src/price.ts:1)
            # zone
            ! narrowed: `time.now` of `shop` now requires the argument `zone` (src/time.ts:1)
            # { b = 2 }
            ! narrowed: `default` of `shop` no longer takes `a` in its object argument (src/hidden.ts:1)
            # { a, b = 2, e }
            ~ widened: `default` of `shop` takes `e` in its object argument now (src/hidden.ts:1)
            # - get total(): number { return 0; }
            ! removed: `Cart.total` of `shop` was removed (src/cart.ts:8)
            # - export function price(item: string): number;
            ! removed: `cost` of `shop` lost the overload `(item: string) -> number` (src/price.ts:2)
            # of(
            ! narrowed: `Cart.of` of `shop` is no longer static (src/cart.ts:9)
            # price
            ! removed: `cost` of `shop` was removed (src/price.ts:2)
            ~ added: `price` of `shop` was added: function `(item: string) -> number` (src/price.ts:2)
        "##]],
    );
}

#[test]
fn ve7_a_good_refactoring_of_typescript_changes_nothing() {
    check_edits(
        LIBRARY,
        &[
            ("function privateHelper() {}", "function renamedHelper() { return 1; }"),
            ("/** A cart. */", "// Holds what is bought.\n\n\n"),
            (
                "export type Money = 'EUR' | 'USD';",
                "export type Money =\n  | \"EUR\" // euro\n  | \"USD\";",
            ),
            ("item: Item, ...more: Item[]", "thing: Item, ...others: Item[],"),
            (
                "export interface Item { name: string; price?: number; tag(): string }",
                "export interface Item {\n  price?: number,\n  tag(): string,\n  name: string,\n}",
            ),
            (
                "export const now = (zone = 'utc') => 0;",
                "export const now = (zone = 'local') => { return 1; };",
            ),
            (
                "  static of(items: Item[]): Cart { return new Cart('a'); }\n",
                "  static of(items: Item[]): Cart { return new Cart('b'); }\n",
            ),
        ],
        &expect![[r#"
            # function renamedHelper() { return 1; }
            no change
            # // Holds what is bought.
            no change
            # export type Money =
            no change
            # thing: Item, ...others: Item[],
            no change
            # export interface Item {
            no change
            # export const now = (zone = 'local') => { return 1; };
            no change
            #   static of(items: Item[]): Cart { return new Cart('b'); }
            no change
        "#]],
    );
}

#[test]
fn ve7_a_declaration_that_moves_behind_its_export_is_the_same() {
    check_change(
        "
//- package.json
{ \"name\": \"p\", \"main\": \"index.js\" }
//- index.js
export { a, B } from './one';
//- one.js
export function a(x) {}
export class B { go() {} stay() {} }
",
        "
//- package.json
{ \"name\": \"p\", \"main\": \"index.js\" }
//- index.js
export { a } from './two';
export { B } from './three';
//- two.js
export const a = (y) => 1;
//- three.js
import { Root } from './root';
export class B extends Root { go() {} }
//- root.js
export class Root { stay() {} }
",
        &expect![[r#"
            no change
        "#]],
    );
}
