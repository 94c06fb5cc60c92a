//! Go, Rust and Java: packages, crates and classes.

use expect_test::expect;

use crate::support::{check, silent};

const GO: &str = "
//- go.mod
module example.com/app
//- cart/cart.go
package cart

import \"strings\"

type Cart struct{}

func New(name string) *Cart { return &Cart{} }

func Join(parts ...string) string { return strings.Join(parts, \",\") }

func helper(n int) int { return n }
//- cart/more.go
package cart

func Twice(n int) int { return helper(n) * same(n) }

func same(n int) int { return n }
//- main.go
package main

import \"example.com/app/cart\"

func main() {
\tc := cart.New(\"a\")
\t_ = c
\tcart.Join(\"a\", \"b\")
}
";

#[test]
fn ve6_go() {
    check(
        GO,
        "
//- cart/cart.go
package cart

import \"strings\"

type Cart struct{}

func New(name string, size int) *Cart { return &Cart{} }
//- cart/more.go
package cart

func Twice(n int) int { return helper(n) * same(n) }

func same(n, m int) int { return n }
",
        &expect![[r#"
            Error orphaned_import cart/cart.go:3 `strings` is imported but not used <- cart/cart.go:7
            Error dangling_reference cart/more.go:3 `helper` is used but no longer declared <- cart/cart.go:7
            Error signature_mismatch cart/more.go:3 `same` takes at least 2 arguments, but is called with 1 <- cart/more.go:5
            Error signature_mismatch main.go:6 `New` takes at least 2 arguments, but is called with 1 <- cart/cart.go:7
            Error missing_export main.go:8 `cart.Join` is not exported by cart/cart.go <- cart/cart.go:7
        "#]],
    );
    silent(
        GO,
        "
//- cart/cart.go
package cart

type Cart struct{}

func New(name string) *Cart { return &Cart{} }

func Join(parts ...string) string { return parts[0] }
//- cart/helper.go
//go:build !windows

package cart

func helper(n int) int { return n }
//- cart/helper_windows.go
package cart

func helper(n int) int { return n }
",
    );
}

const RUST: &str = "
//- Cargo.toml
[package]
name = \"app\"
//- src/lib.rs
mod store;
pub mod shape;
use store::{open, Store};
pub fn run() -> Store { let s = open(1); s.fill(2); Store::make(3) }
//- src/store.rs
pub struct Store;
impl Store {
    pub fn make(n: u8) -> Store { Store }
    pub fn fill(&self, n: u8) { self.inner(n) }
    fn inner(&self, n: u8) {}
}
pub fn open(n: u8) -> Store { Store }
pub(crate) const LIMIT: u8 = 1;
//- src/shape.rs
use crate::store::LIMIT;
pub fn area() -> u8 { LIMIT + crate::store::open(1).n() }
";

#[test]
fn ve6_rust() {
    check(
        RUST,
        "
//- src/store.rs
pub struct Store;
impl Store {
    pub fn make(n: u8, m: u8) -> Store { Store }
    pub fn fill(&self, n: u8) { self.inner(n) }
    fn inner(&self) {}
}
pub fn open_at(n: u8) -> Store { Store }
",
        &expect![[r#"
            Error missing_export src/lib.rs:3 `open` is not exported by src/store.rs <- src/store.rs:7
            Error signature_mismatch src/lib.rs:4 `make` takes at least 2 arguments, but is called with 1 <- src/store.rs:3
            Error missing_export src/shape.rs:1 `LIMIT` is not exported by src/store.rs <- src/store.rs:7
            Error missing_export src/shape.rs:2 `open` is not exported by src/store.rs <- src/store.rs:7
            Error signature_mismatch src/store.rs:4 `inner` takes at most 0 arguments, but is called with 1 <- src/store.rs:5
        "#]],
    );
    silent(
        RUST,
        "
//- src/store.rs
macro_rules! limits { ($name:ident) => { pub(crate) const $name: u8 = 1; } }
limits!(LIMIT);
pub use self::inner::*;
mod inner {
    pub struct Store;
    impl Store {
        pub fn make(n: u8) -> Store { Store }
        pub fn fill(&self, n: u8) {}
    }
    #[cfg(unix)]
    pub fn open(n: u8) -> Store { Store }
    #[cfg(windows)]
    pub fn open(n: u8) -> Store { Store }
}
",
    );
}

const JAVA: &str = "
//- src/com/a/Shop.java
package com.a;
import com.b.Tax;
class Shop {
  int sum(int n) { return Tax.of(n, 1) + twice(n); }
  int twice(int n) { return n * 2; }
  Bag bag() { return new Bag(1); }
}
//- src/com/a/Bag.java
package com.a;
class Bag { Bag(int n) {} Bag(int n, int m) {} }
//- src/com/b/Tax.java
package com.b;
public class Tax { public static int of(int n, int m) { return n; } }
";

#[test]
fn ve6_rust_what_only_its_tests_still_name() {
    check(
        RUST,
        "
//- src/store.rs
pub struct Store;
impl Store {
    pub fn make(n: u8) -> Store { Store }
    pub fn fill(&self, n: u8) { self.inner(n) }
    fn inner(&self, n: u8) {}
}
fn open(n: u8) -> Store { Store }
pub(crate) const MOST: u8 = 1;
#[cfg(test)]
mod tests { use super::*; fn limits() { assert_eq!(LIMIT, 1); open(1); } }
",
        &expect![[r#"
            Error missing_export src/lib.rs:3 `open` is not exported by src/store.rs <- src/store.rs:7
            Error missing_export src/shape.rs:1 `LIMIT` is not exported by src/store.rs <- src/store.rs:7
            Error missing_export src/shape.rs:2 `open` is not exported by src/store.rs <- src/store.rs:7
            Error dangling_reference src/store.rs:10 `LIMIT` is used but no longer declared <- src/store.rs:10
        "#]],
    );
}

#[test]
fn ve6_java_tests_see_their_package() {
    silent(
        "
//- main/com/a/Bag.java
package com.a;
class Bag {}
//- test/com/a/BagTest.java
package com.a;
import com.a.Bag;
class BagTest { Bag bag; }
",
        "
//- test/com/a/BagTest.java
package com.a;
class BagTest { Bag bag; }
",
    );
}

#[test]
fn ve6_java() {
    check(
        JAVA,
        "
//- src/com/b/Tax.java
package com.b;
public class Tax { public static int of(int n) { return n; } }
//- src/com/a/Bag.java
package com.a;
class Bag { Bag(int n, int m) {} Bag(int... n) {} }
",
        &expect![[r#"
            Error signature_mismatch src/com/a/Shop.java:4 `of` takes at most 1 argument, but is called with 2 <- src/com/b/Tax.java:2
        "#]],
    );
    check(
        JAVA,
        "
//- gone src/com/b/Tax.java
//- gone src/com/a/Bag.java
",
        &expect![[r#"
            Error unresolved_import src/com/a/Shop.java:2 `com.b` does not resolve to a file <- src/com/b/Tax.java:1
            Error dangling_reference src/com/a/Shop.java:6 `Bag` is used but no longer declared <- src/com/a/Bag.java:1
        "#]],
    );
    silent(
        JAVA,
        "
//- src/com/b/Tax.java
package com.b;
public class Tax {
  public static int of(int n) { return n; }
  public static int of(int n, int... more) { return n; }
}
",
    );
}

#[test]
fn ve6_a_type_moves_to_another_package_and_is_named_by_it() {
    silent(
        "
//- go.mod
module example.com/shop
//- list/list.go
package list

type Item struct{ N int }

func All() []Item { return nil }
//- shared/shared.go
package shared
//- java/src/com/a/Tree.java
package com.a;
class Tree { Object first(java.util.Map<String, String> map) { return null; } }
",
        "
//- list/list.go
package list

import \"example.com/shop/shared\"

func All() []shared.Item { return nil }
//- shared/shared.go
package shared

type Item struct{ N int }
//- java/src/com/a/Tree.java
package com.a;
import java.util.Map;
class Tree { Object first(Map<String, String> map) { for (Map.Entry<String, String> e : map.entrySet()) return e; return null; } }
//- java/src/com/a/Other.java
package com.a;
import java.util.Map;
class Other { Object first(Object o) { Map.Entry<String, String> e = null; return e; } }
",
    );
}
