//! Real servers, where they are installed: `gopls`, `rust-analyzer`, `clangd`, `jdtls`.

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_language_servers::Server;

use crate::support::Project;

#[track_caller]
fn check(fixture: &str, renames: &[(&str, &str)], expected: &Expect) {
    let project = Project::new(fixture);
    let path = renames[0].0.split([':', '#']).next().expect("a path");
    let server = Server::for_path(path).expect("a server");
    match server.version(&project.servers.env, &Cancel::new()) {
        Some(Ok(_)) => {}
        None | Some(Err(_)) => {
            eprintln!("skipped: {} is not installed", server.name);
            return;
        }
    }
    let shown: Vec<String> = renames
        .iter()
        .map(|(symbol, to)| format!("{symbol} -> {to}\n{}", project.shown(symbol, to)))
        .collect();
    expected.assert_eq(&shown.join("\n"));
}

const GO: &str = r#"
//- go.mod
module example.com/shop

go 1.18
//- cart/cart.go
// Package cart ü.
package cart

// Cart holds things.
type Cart struct {
	Total int
	taken int
	Label string
}

/* 😀 */ func (c *Cart) Sum() int { return c.Total }

func Load() *Cart { return &Cart{Total: 1} }

type Note struct {
	Text string `json:",omitempty"`
}
//- cart/cart_test.go
package cart

import "testing"

func TestLoad(t *testing.T) {
	if Load().Total != 1 {
		t.Fatal("Load")
	}
}
//- cart/other_windows.go
package cart

func forWindows() int { return onWindows() }

func onWindows() int { return 1 }
//- main.go
package main

import "example.com/shop/cart"

func main() {
	c := cart.Load()
	println(c.Sum(), c.Total, `{{.Label}}`)
}
"#;

#[test]
fn st5_gopls_renames_over_packages_and_tests() {
    check(
        GO,
        &[
            ("cart/cart.go#Load", "Read"),
            ("cart/cart.go#Cart.Total", "Amount"),
            ("cart/cart.go#Cart.Sum", "Add"),
            ("cart/cart.go#Cart.Label", "Title"),
            ("cart/cart.go#Note.Text", "Body"),
            ("cart/cart.go#Nothing", "Something"),
            ("main.go:6#c", "basket"),
        ],
        &expect![[r#"
            cart/cart.go#Load -> Read
            cart/cart.go:13 func Read() *Cart { return &Cart{Total: 1} }
            cart/cart_test.go:6 if Read().Total != 1 {
            main.go:6 c := cart.Read()

            cart/cart.go#Cart.Total -> Amount
            cart/cart.go:6 Amount int
            cart/cart.go:11 /* 😀 */ func (c *Cart) Sum() int { return c.Amount }
            cart/cart.go:13 func Load() *Cart { return &Cart{Amount: 1} }
            cart/cart_test.go:6 if Load().Amount != 1 {
            main.go:7 println(c.Sum(), c.Amount, `{{.Label}}`)

            cart/cart.go#Cart.Sum -> Add
            cart/cart.go:11 /* 😀 */ func (c *Cart) Add() int { return c.Total }
            main.go:7 println(c.Add(), c.Total, `{{.Label}}`)

            cart/cart.go#Cart.Label -> Title
            templates may use this `.Label`, and are not renamed
              main.go:7

            cart/cart.go#Note.Text -> Body
            `Text` is also its name in encoded data (json); give it a name in its `json` tag first
              cart/cart.go:16

            cart/cart.go#Nothing -> Something
            cart/cart.go declares no `Nothing`; it declares `Cart`, `Load`, `Note`

            main.go:6#c -> basket
            main.go:6 basket := cart.Load()
            main.go:7 println(basket.Sum(), basket.Total, `{{.Label}}`)
        "#]],
    );
}

const RUST: &str = r#"
//- Cargo.toml
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
//- Cargo.lock
version = 3

[[package]]
name = "shop"
version = "0.1.0"
//- src/lib.rs
pub mod cart;

pub fn total(cart: &cart::Cart) -> u32 {
    let sum = cart.price;
    sum + cart.count() + /* 😀 */ cart.price
}

#[cfg(windows)]
pub fn on_windows(it: &Weighed) -> u32 {
    it.weight
}
//- src/cart.rs
pub struct Cart {
    pub price: u32,
    pub weight: u32,
}

impl Cart {
    pub fn count(&self) -> u32 {
        1
    }

    pub fn new(price: u32) -> Self {
        Cart { price, weight: 0 }
    }
}
//- tests/all.rs
#[test]
fn all() {
    assert_eq!(shop::total(&shop::cart::Cart::new(2)), 5);
}
"#;

#[test]
fn st5_rust_analyzer_renames_over_modules_and_tests() {
    check(
        RUST,
        &[
            ("src/cart.rs#Cart.price", "cost"),
            ("src/cart.rs#Cart.weight", "mass"),
            ("src/lib.rs#cart", "basket"),
            ("src/lib.rs:3#cart", "sum"),
        ],
        &expect![[r#"
            src/cart.rs#Cart.price -> cost
            src/cart.rs:2 pub cost: u32,
            src/cart.rs:12 Cart { cost: price, weight: 0 }
            src/lib.rs:4 let sum = cart.cost;
            src/lib.rs:5 sum + cart.count() + /* 😀 */ cart.cost

            src/cart.rs#Cart.weight -> mass
            rust-analyzer cannot tell what `weight` means in 1 place: code for another system, behind a feature or in a macro
              src/lib.rs:10

            src/lib.rs#cart -> basket
            rust-analyzer moves src/cart.rs to src/basket.rs with it; refactor-bot renames files with their symbol in Java only

            src/lib.rs:3#cart -> sum
            `sum` is already taken where it would be used
              src/lib.rs:5
              src/lib.rs:5
        "#]],
    );
}

const C: &str = r#"
//- compile_commands.json
[
  {"directory": "{root}", "command": "cc -c a.c", "file": "a.c"},
  {"directory": "{root}", "command": "cc -c b.c", "file": "b.c"}
]
//- a.h
int total(int x);
int half(int x);
//- a.c
#include "a.h"

int total(int x) { return x; }

int half(int x) { return x / 2; }
//- b.c
#include "a.h"

int twice(int x) { return total(x) + total(x) + half(x); }

#ifdef _WIN32
int thrice(int x) { return 3 * total(x); }
#endif
"#;

#[test]
fn st5_clangd_renames_over_files_and_tells_of_inactive_code() {
    check(
        C,
        &[("a.c#total", "sum"), ("a.c#half", "halved"), ("b.c#twice", "doubled")],
        &expect![[r#"
        a.c#total -> sum
        clangd cannot tell what `total` means in 1 place: code for another system or in a macro
          b.c:6

        a.c#half -> halved
        a.c:5 int halved(int x) { return x / 2; }
        a.h:2 int halved(int x);
        b.c:3 int twice(int x) { return total(x) + total(x) + halved(x); }

        b.c#twice -> doubled
        b.c:3 int doubled(int x) { return total(x) + total(x) + half(x); }
    "#]],
    );
}

const JAVA: &str = r#"
//- .project
<projectDescription>
  <name>shop</name>
  <buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>
  <natures><nature>org.eclipse.jdt.core.javanature</nature></natures>
</projectDescription>
//- .classpath
<classpath>
  <classpathentry kind="src" path="src"/>
  <classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>
  <classpathentry kind="output" path="out"/>
</classpath>
//- src/shop/Cart.java
package shop;

public class Cart {
    static final int LIMIT = 9;

    int total(int count) {
        return count * LIMIT;
    }
}
//- src/shop/Main.java
package shop;

import static shop.Cart.LIMIT;

class Main {
    int sum = new Cart().total(LIMIT);
}
"#;

#[test]
fn st5_jdtls_renames_a_class_with_its_file() {
    check(
        JAVA,
        &[
            ("src/shop/Cart.java#Cart", "Basket"),
            ("src/shop/Cart.java#Cart.total", "amount"),
            ("src/shop/Cart.java#Cart.LIMIT", "MOST"),
        ],
        &expect![[r#"
            src/shop/Cart.java#Cart -> Basket
            src/shop/Cart.java:3 public class Basket {
            src/shop/Main.java:3 import static shop.Basket.LIMIT;
            src/shop/Main.java:6 int sum = new Basket().total(LIMIT);
            src/shop/Cart.java -> src/shop/Basket.java

            src/shop/Cart.java#Cart.total -> amount
            src/shop/Cart.java:6 int amount(int count) {
            src/shop/Main.java:6 int sum = new Cart().amount(LIMIT);

            src/shop/Cart.java#Cart.LIMIT -> MOST
            src/shop/Cart.java:4 static final int MOST = 9;
            src/shop/Cart.java:7 return count * MOST;
            src/shop/Main.java:3 import static shop.Cart.MOST;
            src/shop/Main.java:6 int sum = new Cart().total(MOST);
        "#]],
    );
}
