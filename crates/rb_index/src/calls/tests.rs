//! Calls of small trees, through the extractors and resolvers of their languages.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_lang::extract;

use super::*;
use crate::resolve::{Resolver as Imports, is_manifest};
use crate::tree::TreeFile;

struct Memory {
    facts: Vec<Option<Arc<Facts>>>,
    resolutions: Vec<Vec<Resolution>>,
}

impl FactsSource for Memory {
    fn facts(&self, id: FileId) -> Option<Arc<Facts>> {
        self.facts[id.0 as usize].clone()
    }

    fn resolutions(&self, id: FileId) -> &[Resolution] {
        &self.resolutions[id.0 as usize]
    }
}

/// Files under `//- path` headers.
fn tree_of(fixture: &str) -> (Tree, Memory) {
    let mut files: Vec<(TreeFile, Option<Arc<Facts>>)> = format!("\n{}", fixture.trim_start())
        .split("\n//- ")
        .skip(1)
        .map(|entry| {
            let (path, text) = entry.split_once('\n').unwrap_or((entry, ""));
            let language = Language::of(path.as_bytes(), text);
            let facts = language.and_then(|language| extract(language, text)).map(Arc::new);
            let package = facts.as_ref().and_then(|facts| facts.package.clone());
            let manifest = is_manifest(path).then(|| text.into());
            (
                TreeFile { path: path.into(), language, package, manifest, ..TreeFile::default() },
                facts,
            )
        })
        .collect();
    files.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    let (files, facts): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let tree = Tree { files };
    let imports = Imports::new(&tree);
    let resolutions = tree
        .ids()
        .map(|id| {
            let all = facts[id.0 as usize].iter().flat_map(|facts| &facts.imports);
            all.map(|import| imports.resolve(id, import)).collect()
        })
        .collect();
    drop(imports);
    (tree, Memory { facts, resolutions })
}

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    let (tree, memory) = tree_of(fixture);
    let graph = call_graph(&tree, &memory);
    let mut lines = String::new();
    for edge in &graph.edges {
        let _ = write!(lines, "{}:{} -> ", graph.id(&tree, edge.from), edge.line);
        let _ = match edge.to {
            Target::Symbol(node, how) => {
                write!(lines, "{} ({})", graph.id(&tree, node), how.name())
            }
            Target::External(package) => write!(lines, "external {}", graph.name(package)),
            Target::Builtin => write!(lines, "builtin"),
            Target::Unresolved(name, reason) => {
                write!(lines, "{}? {}", graph.name(name), reason.name())
            }
        };
        let _ = writeln!(
            lines,
            "{}",
            if edge.count > 1 { format!(" x{}", edge.count) } else { String::new() }
        );
    }
    let Counts { references, resolved, guessed, external, builtin, unresolved, .. } =
        graph.stats.all;
    let _ = writeln!(
        lines,
        "{references} calls: {resolved} resolved, {guessed} guessed, {external} external, {builtin} builtin, {unresolved} unresolved"
    );
    expected.assert_eq(&lines);
}

#[test]
fn ix4_python_names_and_modules() {
    check(
        r#"
//- shop/__init__.py
from .models import Cart
from .late import *
//- shop/late.py
def checkout(): pass
//- shop/models.py
import json
import requests
from . import prices
from .missing import gone

class Base:
    def save(self): pass

class Cart(Base):
    def __init__(self, items):
        self.items = items
    def total(self):
        def inner(): return helper()
        inner()
        self.save()
        self.total()
        self.unknown()
        return prices.sum_up(self.items) + prices.nothing()

def helper():
    json.dumps(len([]))
    requests.get("x")
    gone()
    callback()

def typed(cart: Cart, other):
    cart.total()
    cart.save()
    other.total()
    other.nobody_has_this()
//- shop/prices.py
def sum_up(items): return sum(items)
//- run.py
import shop
import shop.prices
import shop.prices as p
from shop import Cart, checkout
from shop.models import helper as h

Cart([]).total()
shop.Cart([])
shop.prices.sum_up([])
p.sum_up([])
checkout()
h()
h()
"#,
        &expect![[r#"
            run.py:7 -> shop/models.py#Cart.total (only-method)
            run.py:7 -> shop/models.py#Cart.__init__ (constructor) x2
            run.py:9 -> shop/prices.py#sum_up (member) x2
            run.py:11 -> shop/late.py#checkout (re-exported)
            run.py:12 -> shop/models.py#helper (imported) x2
            shop/models.py#Cart.total:14 -> shop/models.py#Cart.total.inner (scope)
            shop/models.py#Cart.total:15 -> shop/models.py#Base.save (inherited)
            shop/models.py#Cart.total:16 -> shop/models.py#Cart.total (own)
            shop/models.py#Cart.total:17 -> unknown? unknown member
            shop/models.py#Cart.total:18 -> shop/prices.py#sum_up (member)
            shop/models.py#Cart.total:18 -> nothing? unknown member
            shop/models.py#Cart.total.inner:13 -> shop/models.py#helper (scope)
            shop/models.py#helper:22 -> external requests
            shop/models.py#helper:23 -> gone? import not found
            shop/models.py#helper:24 -> callback? unknown name
            shop/models.py#typed:27 -> shop/models.py#Cart.total (declared)
            shop/models.py#typed:28 -> shop/models.py#Base.save (inherited)
            shop/models.py#typed:29 -> shop/models.py#Cart.total (only-method)
            shop/models.py#typed:30 -> nobody_has_this? dynamic receiver
            25 calls: 14 resolved, 2 guessed, 1 external, 3 builtin, 5 unresolved
        "#]],
    );
}

#[test]
fn ix4_python_classes() {
    check(
        r#"
//- a.py
from unittest import TestCase
from b import Middle
import b

class Leaf(Middle):
    def run(self):
        self.deep()
        super().deep()
        self.made_elsewhere()
    @classmethod
    def make(cls):
        return cls.deep()

class Test(TestCase):
    def test_it(self):
        self.assertEqual(1, 1)
        Leaf.make()
        b.Middle()

class Loop(Loop):
    def f(self): self.g()
//- b.py
class Middle(Root): pass
class Root(Middle):
    def deep(self): pass
"#,
        &expect![[r#"
            a.py#Leaf.run:7 -> b.py#Root.deep (inherited)
            a.py#Leaf.run:8 -> b.py#Root.deep (only-method)
            a.py#Leaf.run:9 -> made_elsewhere? unknown member
            a.py#Leaf.make:12 -> b.py#Root.deep (inherited)
            a.py#Test.test_it:17 -> a.py#Leaf.make (member)
            a.py#Test.test_it:18 -> b.py#Middle (constructor)
            a.py#Loop.f:21 -> g? unknown member
            9 calls: 4 resolved, 1 guessed, 0 external, 2 builtin, 2 unresolved
        "#]],
    );
}

#[test]
fn ix4_python_a_module_is_not_what_others_call_so() {
    check(
        r#"
//- shop/__init__.py
//- shop/forms/__init__.py
from .fields import *
//- shop/forms/fields.py
from shop import other as forms
def field(): pass
//- shop/other.py
//- shop/cart.py
def cart(): pass
//- run.py
from shop import forms
from shop.cart import cart
forms.field()
forms.values.all()
cart()
"#,
        &expect![[r#"
            run.py:3 -> shop/forms/fields.py#field (re-exported)
            run.py:4 -> all? dynamic receiver
            run.py:5 -> shop/cart.py#cart (imported)
            3 calls: 2 resolved, 0 guessed, 0 external, 0 builtin, 1 unresolved
        "#]],
    );
}

#[test]
fn ix4_re_exports_in_a_circle_end() {
    check(
        r#"
//- a.py
from b import *
from b import x
x()
y()
//- b.py
from a import *
from a import x
"#,
        &expect![[r#"
            a.py:3 -> x? import not found
            a.py:4 -> y? unknown name
            2 calls: 0 resolved, 0 guessed, 0 external, 0 builtin, 2 unresolved
        "#]],
    );
}

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
        &expect![[r#"
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
        "#]],
    );
}

#[test]
fn ix4_variables_that_hold_objects() {
    check(
        r#"
//- log.ts
import pino from "pino";
export class Logger { info() {} }
export const logger = new Logger();
export const outer = pino();
export const result = logger.info();
export const table = { find() {}, other: 1 };
//- use.ts
import { logger, outer, result, table } from "./log";
logger.info();
logger.nothing();
outer.info();
result.then();
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
        &expect![[r#"
            app.py:3 -> external flask
            app.py:7 -> app.py#Store.put_away (member)
            app.py#app:2 -> external flask
            app.py#store:6 -> app.py#Store (constructor)
            log.ts#logger:3 -> log.ts#Logger (constructor)
            log.ts#outer:4 -> external pino
            log.ts#result:5 -> log.ts#Logger.info (member)
            use.ts:2 -> log.ts#Logger.info (member)
            use.ts:3 -> nothing? dynamic receiver
            use.ts:4 -> external pino
            use.ts:5 -> then? dynamic receiver
            use.ts:6 -> log.ts#table.find (member)
            12 calls: 6 resolved, 0 guessed, 4 external, 0 builtin, 2 unresolved
        "#]],
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
"#,
        &expect![[r#"
            a.js:4 -> b.js#named (member)
            a.js:5 -> b.js#named (imported)
            a.js:6 -> c.js#createThing (imported)
            3 calls: 3 resolved, 0 guessed, 0 external, 0 builtin, 0 unresolved
        "#]],
    );
}

#[test]
fn ix4_go_packages_and_receivers() {
    check(
        r#"
//- go.mod
module example.com/shop
//- main.go
package main
import "example.com/shop/store"
func main() { s := store.New(); s.Get(); helper(); store.Missing(); len("x") }
//- other.go
package main
func helper() {}
//- store/a.go
package store
type Base struct{}
func (b *Base) Close() {}
type Store struct { Base }
func New() *Store { return &Store{} }
//- store/b.go
package store
func (s *Store) Get() { s.fetch(); s.Close(); s.items.each() }
func (s *Store) fetch() {}
func use(s *Store) { s.Get() }
"#,
        &expect![[r#"
            main.go#main:3 -> store/a.go#New (member)
            main.go#main:3 -> store/b.go#Get (only-method)
            main.go#main:3 -> other.go#helper (sibling)
            main.go#main:3 -> Missing? unknown member
            store/a.go#New:5 -> store/a.go#Store (constructor)
            store/b.go#Get:2 -> store/b.go#fetch (declared)
            store/b.go#Get:2 -> store/a.go#Base.Close (inherited)
            store/b.go#Get:2 -> each? dynamic receiver
            store/b.go#use:4 -> store/b.go#Get (declared)
            9 calls: 6 resolved, 1 guessed, 0 external, 0 builtin, 2 unresolved
        "#]],
    );
}

#[test]
fn ix4_rust_modules_and_types() {
    check(
        r#"
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
mod cart;
mod prices;
pub use cart::Cart;
pub fn run() { let cart = Cart::new(); cart.total(); crate::prices::of(1); prices::of(1); helper(); }
fn helper() { vec![1]; Some(1); }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { run(); super::helper(); }
}
//- src/cart.rs
use crate::prices::{self, of};
pub struct Cart { items: Vec<u32> }
pub enum Kind { One(u32) }
impl Cart {
    pub fn new() -> Self { Self::empty() }
    fn empty() -> Self { Cart { items: Vec::new() } }
    pub fn total(&self) -> u32 { self.sum() + prices::of(1) + of(2) + self.items.len() }
    fn sum(&self) -> u32 { Kind::One(1); serde::from_str(1); 0 }
}
fn take(cart: &mut Cart) { cart.total(); }
//- src/prices.rs
pub fn of(x: u32) -> u32 { super::helper(); x }
"#,
        &expect![[r#"
            src/cart.rs#Cart.new:5 -> src/cart.rs#Cart.empty (own)
            src/cart.rs#Cart.empty:6 -> src/cart.rs#Cart (constructor)
            src/cart.rs#Cart.total:7 -> src/cart.rs#Cart.sum (own)
            src/cart.rs#Cart.total:7 -> src/prices.rs#of (member)
            src/cart.rs#Cart.total:7 -> src/prices.rs#of (imported)
            src/cart.rs#Cart.total:7 -> len? dynamic receiver
            src/cart.rs#Cart.sum:8 -> src/cart.rs#Kind (constructor)
            src/cart.rs#Cart.sum:8 -> from_str? dynamic receiver
            src/cart.rs#take:10 -> src/cart.rs#Cart.total (declared)
            src/lib.rs#run:4 -> src/cart.rs#Cart.new (member)
            src/lib.rs#run:4 -> src/cart.rs#Cart.total (only-method)
            src/lib.rs#run:4 -> src/prices.rs#of (member) x2
            src/lib.rs#run:4 -> src/lib.rs#helper (scope)
            src/lib.rs#tests.works:10 -> src/lib.rs#run (scope)
            src/lib.rs#tests.works:10 -> src/lib.rs#helper (member)
            src/prices.rs#of:1 -> src/lib.rs#helper (member)
            18 calls: 14 resolved, 1 guessed, 0 external, 1 builtin, 2 unresolved
        "#]],
    );
}

#[test]
fn ix4_languages_with_siblings() {
    check(
        r#"
//- java/shop/Base.java
package shop;
class Base { void log() {} }
//- java/shop/Cart.java
package shop;
class Cart extends Base {
    Cart() { log(); this.add(new Item()); }
    void add(Item item) { item.price(); Item.of(); String.valueOf(1); super.log(); }
}
//- java/shop/Item.java
package shop;
class Item { int price() { return 1; } static Item of() { return null; } }
//- app/cart.rb
module Shop
  class Cart < Base
    def initialize; log; end
    def self.make; Cart.new; end
    def add; Item.new.price; puts 1; end
  end
end
//- app/base.rb
module Shop
  class Base
    def log; end
  end
  class Item; end
end
//- c/main.c
#include "list.h"
int main(void) { list_add(1); printf("x"); return 0; }
//- c/list.h
int list_add(int a);
//- c/list.c
int list_add(int a) { return a; }
//- p/a.php
<?php
namespace Shop;
class A extends B { function f() { $this->g(); parent::g(); self::f(); strlen("x"); new C(); } }
//- p/b.php
<?php
namespace Shop;
class B { function g() {} }
class C { function __construct() {} }
//- lib/a.ex
defmodule Shop.A do
  alias Shop.B.Inner
  def run, do: helper(Shop.B.go(Inner.deep()))
  defp helper(x), do: x
end
//- lib/b.ex
defmodule Shop.B do
  def go, do: :ok
  defmodule Inner do
    def deep, do: :ok
  end
end
//- lib/c.ex
defmodule Shop.C do
  alias Shop.B
  import Shop.A
  def run, do: B.go(run())
end
//- n/a.cs
namespace Shop.Web;
using Shop.Tools;
class Page { void Show(Core core) { core.Run(); new Core(); Tool.Use(); } }
//- n/b.cs
namespace Shop { class Core { public void Run() {} } }
//- n/c.cs
namespace Shop.Tools { static class Tool { public static void Use() {} } }
"#,
        &expect![[r#"
            app/cart.rb#Shop.Cart.initialize:3 -> app/base.rb#Shop.Base.log (inherited)
            app/cart.rb#Shop.Cart.make:4 -> app/cart.rb#Shop.Cart.initialize (constructor)
            app/cart.rb#Shop.Cart.add:5 -> price? unknown member
            app/cart.rb#Shop.Cart.add:5 -> app/base.rb#Shop.Item (constructor)
            c/main.c#main:2 -> c/list.c#list_add (sibling)
            java/shop/Cart.java#Cart.Cart:3 -> java/shop/Base.java#Base.log (inherited)
            java/shop/Cart.java#Cart.Cart:3 -> java/shop/Cart.java#Cart.add (own)
            java/shop/Cart.java#Cart.Cart:3 -> java/shop/Item.java#Item (constructor)
            java/shop/Cart.java#Cart.add:4 -> java/shop/Item.java#Item.price (declared)
            java/shop/Cart.java#Cart.add:4 -> java/shop/Item.java#Item.of (member)
            java/shop/Cart.java#Cart.add:4 -> java/shop/Base.java#Base.log (inherited)
            lib/a.ex#Shop.A.run:3 -> lib/a.ex#Shop.A.helper (scope)
            lib/a.ex#Shop.A.run:3 -> lib/b.ex#Shop.B.go (member)
            lib/a.ex#Shop.A.run:3 -> lib/b.ex#Shop.B.Inner.deep (member)
            lib/c.ex#Shop.C.run:4 -> lib/b.ex#Shop.B.go (member)
            lib/c.ex#Shop.C.run:4 -> lib/c.ex#Shop.C.run (scope)
            n/a.cs#Page.Show:3 -> n/b.cs#Core.Run (declared)
            n/a.cs#Page.Show:3 -> n/b.cs#Core (constructor)
            n/a.cs#Page.Show:3 -> n/c.cs#Tool.Use (member)
            p/a.php#A.f:3 -> p/b.php#B.g (inherited) x2
            p/a.php#A.f:3 -> p/a.php#A.f (own)
            p/a.php#A.f:3 -> p/b.php#C.__construct (constructor)
            27 calls: 22 resolved, 0 guessed, 0 external, 4 builtin, 1 unresolved
        "#]],
    );
}
