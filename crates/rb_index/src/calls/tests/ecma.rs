//! JavaScript and TypeScript.

use expect_test::expect;

use super::check;

#[test]
fn ix4_ecmascript_modules_and_barrels() {
    check(
        r#"
//- src/index.ts
export { add as plus } from "./math";
export * from "./cart";
export * as prices from "./prices";
import { round } from "./math";
export { round };
//- src/math.ts
export function add(a: number) { return round(a); }
export function round(a: number) { return Math.round(a); }
export default function twice() {}
//- src/cart.ts
import { prices } from "./index";
export class Cart {
  constructor(private items: Item[]) {}
  total() { return this.sum() + prices.of(this); }
  sum() { return this.items.map(x => x.price()); }
  static empty() { return new Cart([]); }
}
class Item { price() { return 1; } }
//- src/prices.ts
export const of = (cart: Cart) => cart.total();
import { Cart } from "./cart";
//- src/app.tsx
import twice, { add } from "./math";
import * as all from "./index";
import { plus, Cart, missing } from "./index";
import express from "express";
function App() { return <div><Row/><all.Nothing/></div>; }
function Row() { return null; }
twice(); add(1); plus(1);
new Cart([]).total();
Cart.empty();
all.prices.of(1);
all.round(1);
missing();
express().listen();
const server = express();
server.start();
console.log(parseInt("1"));
"#,
        &expect![[r"
            src/app.tsx:7 -> src/math.ts#twice (imported)
            src/app.tsx:7 -> src/math.ts#add (imported)
            src/app.tsx:7 -> src/math.ts#add (re-exported)
            src/app.tsx:8 -> src/cart.ts#Cart.total (only-method)
            src/app.tsx:8 -> src/cart.ts#Cart.constructor (constructor)
            src/app.tsx:9 -> src/cart.ts#Cart.empty (member)
            src/app.tsx:10 -> src/prices.ts#of (member)
            src/app.tsx:11 -> src/math.ts#round (re-exported)
            src/app.tsx:12 -> missing? import not found
            src/app.tsx:13 -> listen? dynamic receiver
            src/app.tsx:13 -> external express x2
            src/app.tsx#App:5 -> src/app.tsx#Row (scope)
            src/app.tsx#App:5 -> Nothing? unknown member
            src/app.tsx#server:14 -> external express
            src/cart.ts#Cart.total:4 -> src/cart.ts#Cart.sum (own)
            src/cart.ts#Cart.total:4 -> src/prices.ts#of (member)
            src/cart.ts#Cart.sum:5 -> map? dynamic receiver
            src/cart.ts#Cart.sum:5 -> src/cart.ts#Item.price (only-method)
            src/cart.ts#Cart.empty:6 -> src/cart.ts#Cart.constructor (constructor)
            src/math.ts#add:1 -> src/math.ts#round (scope)
            src/prices.ts#of:1 -> src/cart.ts#Cart.total (declared)
            25 calls: 13 resolved, 2 guessed, 3 external, 3 builtin, 4 unresolved
        "]],
    );
}

#[test]
fn ix4_variables_that_hold_objects() {
    check(
        r#"
//- log.ts
import pino from "pino";
export class Logger { info() {} rotateAway() {} }
export const logger = new Logger();
export const outer = pino();
export const result = logger.info();
export const wrapped = wrap(new Logger());
function wrap(logger: Logger) { return () => logger; }
export const table = { find() {}, other: 1 };
//- use.ts
import { logger, outer, result, table, wrapped } from "./log";
logger.info();
logger.nothing();
outer.info();
result.then();
wrapped.rotateAway();
table.find();
//- app.py
from flask import Flask
app = Flask(__name__)
app.run()
class Store:
    def put_away(self): pass
store = Store()
store.put_away()
"#,
        &expect![[r"
            app.py:3 -> external flask
            app.py:7 -> app.py#Store.put_away (member)
            app.py#app:2 -> external flask
            app.py#store:6 -> app.py#Store (constructor)
            log.ts#logger:3 -> log.ts#Logger (constructor)
            log.ts#outer:4 -> external pino
            log.ts#result:5 -> log.ts#Logger.info (member)
            log.ts#wrapped:6 -> log.ts#wrap (scope)
            log.ts#wrapped:6 -> log.ts#Logger (constructor)
            use.ts:2 -> log.ts#Logger.info (member)
            use.ts:3 -> nothing? dynamic receiver
            use.ts:4 -> external pino
            use.ts:5 -> then? dynamic receiver
            use.ts:6 -> log.ts#Logger.rotateAway (only-method)
            use.ts:7 -> log.ts#table.find (member)
            15 calls: 8 resolved, 1 guessed, 4 external, 0 builtin, 2 unresolved
        "]],
    );
}

#[test]
fn ix4_common_js() {
    check(
        r#"
//- a.js
const b = require("./b");
const { named } = require("./b");
const whole = require("./c");
b.named();
named();
whole();
//- b.js
exports.named = function named() {};
//- c.js
module.exports = createThing;
function createThing() {}
//- d.js
module.exports = require("./c");
//- e.js
const accepts = require("accepts");
const through = require("./d");
const req = exports = module.exports = {};
req.accepts = function () { return accepts(this); };
through();
"#,
        &expect![[r"
            a.js:4 -> b.js#named (member)
            a.js:5 -> b.js#named (imported)
            a.js:6 -> c.js#createThing (imported)
            e.js:5 -> c.js#createThing (imported)
            e.js#req.accepts:4 -> external accepts
            5 calls: 4 resolved, 0 guessed, 1 external, 0 builtin, 0 unresolved
        "]],
    );
}
