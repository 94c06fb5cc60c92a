use expect_test::expect;

use crate::support::{check, check_change, check_edits};

const CRATE: &str = r#"
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
mod cart;
pub mod price;
mod inner;
pub use cart::{Cart, Size as CartSize};
pub use inner::*;
pub use price::Money::{self, Euro};
pub use serde::Serialize;
pub(crate) fn not_public() {}
#[macro_export]
macro_rules! shop { () => {} }
#[cfg(test)]
mod tests { pub fn test_only() {} }
//- src/cart.rs
/// A cart.
#[derive(Debug, Clone)]
pub struct Cart { pub items: Vec<String>, secret: u8 }
pub struct Pair(pub u8, u8);
pub enum Size { Small, Large(u8) }
impl Cart {
    pub const MAX: usize = 3;
    pub fn new(owner: &str) -> Self { todo!() }
    pub async fn add<T: Into<String>>(&mut self, item: T) -> Result<(), Error> where T: Send { todo!() }
    fn private(&self) {}
}
impl std::fmt::Display for Cart {}
//- src/price.rs
#[non_exhaustive]
pub enum Money { Euro, Dollar }
pub trait Rate { type Out; fn rate(&self) -> u32; fn name(&self) -> String { String::new() } }
pub type Amount = u64;
pub struct Plain { pub a: u8 }
//- src/inner.rs
pub const LIMIT: u32 = 3;
pub unsafe fn raw(p: *const u8) {}
pub mod deep { pub fn far() {} }
//- src/main.rs
pub fn in_binary() {}
"#;

#[test]
fn ve7_exports_of_a_crate_are_what_pub_reaches() {
    check(
        CRATE,
        &expect![[r#"
        shop crate struct Cart (open) [src/cart.rs:3]
        shop crate constant Cart.MAX: usize [src/cart.rs:7]
        shop crate method Cart.add async <T:Into<String>> where T:Send(&mut self, item: T) -> Result<(), Error> [src/cart.rs:9]
        shop crate implementation Cart.impl Clone [src/cart.rs:3]
        shop crate implementation Cart.impl Debug [src/cart.rs:3]
        shop crate implementation Cart.impl std::fmt::Display [src/cart.rs:12]
        shop crate field Cart.items: Vec<String> [src/cart.rs:3]
        shop crate method Cart.new(owner: &str) -> Self [src/cart.rs:8]
        shop crate enum CartSize [src/cart.rs:5]
        shop crate variant CartSize.Large: (u8) [src/cart.rs:5]
        shop crate variant CartSize.Small [src/cart.rs:5]
        shop crate variant Euro [src/price.rs:2]
        shop crate constant LIMIT: u32 [src/inner.rs:1]
        shop crate enum Money (open) [src/price.rs:2]
        shop crate variant Money.Dollar [src/price.rs:2]
        shop crate variant Money.Euro [src/price.rs:2]
        shop crate value Serialize [src/lib.rs:7]
        shop crate function raw unsafe (p: *const u8) [src/inner.rs:2]
        shop crate macro shop [src/lib.rs:10]
        shop crate::deep function far() [src/inner.rs:3]
        shop crate::price type Amount: u64 [src/price.rs:4]
        shop crate::price enum Money (open) [src/price.rs:2]
        shop crate::price variant Money.Dollar [src/price.rs:2]
        shop crate::price variant Money.Euro [src/price.rs:2]
        shop crate::price struct Plain [src/price.rs:5]
        shop crate::price field Plain.a: u8 [src/price.rs:5]
        shop crate::price trait Rate [src/price.rs:3]
        shop crate::price type Rate.Out [src/price.rs:3]
        shop crate::price method Rate.name ?(&self) -> String [src/price.rs:3]
        shop crate::price method Rate.rate(&self) -> u32 [src/price.rs:3]
        shop of `` [Cargo.toml:1]
    "#]],
    );
}

#[test]
fn ve7_a_crate_that_is_never_published_promises_nothing() {
    check(
        "
//- Cargo.toml
[workspace]
members = [\"a\"]
[workspace.package]
publish = false
//- a/Cargo.toml
[package]
name = \"a\"
publish.workspace = true
//- a/src/lib.rs
pub fn f() {}
",
        &expect![[""]],
    );
}

#[test]
fn ve7_every_change_of_a_rust_export_is_told() {
    check_edits(
        CRATE,
        &[
            ("Size { Small, Large(u8) }", "Size { Small, Large(u8), Huge }"),
            ("Size { Small, Large(u8) }", "Size { Small, Large(u16) }"),
            ("Money { Euro, Dollar }", "Money { Euro, Dollar, Yen }"),
            ("Money { Euro, Dollar }", "Money { Euro }"),
            ("fn rate(&self) -> u32;", "fn rate(&self) -> u32; fn more(&self);"),
            ("fn rate(&self) -> u32;", "fn rate(&self) -> u32; fn more(&self) {}"),
            ("Plain { pub a: u8 }", "Plain { pub a: u8, pub b: u8 }"),
            ("Plain { pub a: u8 }", "Plain { pub a: u8, b: u8 }"),
            ("pub items: Vec<String>", "items: Vec<String>"),
            ("pub fn new(owner: &str)", "pub fn new(owner: String)"),
            ("pub async fn add", "pub fn add"),
            ("where T: Send", ""),
            ("#[derive(Debug, Clone)]", "#[derive(Debug)]"),
            ("pub mod deep", "mod deep"),
            ("pub unsafe fn raw", "pub fn raw"),
            ("impl std::fmt::Display for Cart {}", ""),
        ],
        &expect![[r#"
            # Size { Small, Large(u8), Huge }
            ! narrowed: `CartSize.Huge` of `shop` was added to an enum that others match exhaustively (src/cart.rs:5)
            # Size { Small, Large(u16) }
            ! changed: `CartSize.Large` of `shop` is `(u16)` instead of `(u8)` (src/cart.rs:5)
            # Money { Euro, Dollar, Yen }
            ~ added: `Money.Yen` of `shop` was added: variant (src/price.rs:2)
            # Money { Euro }
            ! removed: `Money.Dollar` of `shop` was removed (src/price.rs:2)
            # fn rate(&self) -> u32; fn more(&self);
            ! narrowed: `Rate.more` of `shop::price` was added to a trait without a default (src/price.rs:3)
            # fn rate(&self) -> u32; fn more(&self) {}
            ~ added: `Rate.more` of `shop::price` was added: method `?(&self)` (src/price.rs:3)
            # Plain { pub a: u8, pub b: u8 }
            ! narrowed: `Plain.b` of `shop::price` was added to a struct that others construct (src/price.rs:5)
            # Plain { pub a: u8, b: u8 }
            ! narrowed: `Plain` of `shop::price` can no longer be constructed or matched exhaustively elsewhere (src/price.rs:5)
            # items: Vec<String>
            ! removed: `Cart.items` of `shop` was removed (src/cart.rs:3)
            # pub fn new(owner: String)
            ! changed: `Cart.new` of `shop` takes `String` instead of `&str` as `owner` (src/cart.rs:8)
            # pub fn add
            ! changed: `Cart.add` of `shop` is no longer async (src/cart.rs:9)
            # - where T: Send
            ! changed: `Cart.add` of `shop` has the type parameters `<T:Into<String>>` instead of `<T:Into<String>> where T:Send` (src/cart.rs:9)
            # #[derive(Debug)]
            ! removed: `Cart.impl Clone` of `shop` was removed (src/cart.rs:3)
            # mod deep
            ! removed: `far` of `shop::deep` was removed (src/inner.rs:3)
            # pub fn raw
            ~ widened: `raw` of `shop` is no longer unsafe (src/inner.rs:2)
            # - impl std::fmt::Display for Cart {}
            ! removed: `Cart.impl std::fmt::Display` of `shop` was removed (src/cart.rs:12)
        "#]],
    );
}

#[test]
fn ve7_a_good_refactoring_of_rust_changes_nothing() {
    check_edits(
        CRATE,
        &[
            ("fn private(&self) {}", "fn other(&self, x: u8) {}"),
            ("secret: u8", "hidden: u16"),
            ("/// A cart.", "/// What is bought.\n"),
            (
                "pub fn new(owner: &str) -> Self { todo!() }",
                "pub fn new(\n        name: &str,\n    ) -> Self {\n        todo!()\n    }",
            ),
            ("pub(crate) fn not_public() {}", ""),
        ],
        &expect![[r#"
            # fn other(&self, x: u8) {}
            no change
            # hidden: u16
            no change
            # /// What is bought.
            no change
            # pub fn new(
            no change
            # - pub(crate) fn not_public() {}
            no change
        "#]],
    );
    check_change(
        "
//- Cargo.toml
[package]
name = \"p\"
//- src/lib.rs
pub fn a(x: u8) {}
pub struct B;
impl B { pub fn go(&self) {} }
",
        "
//- Cargo.toml
[package]
name = \"p\"
//- src/lib.rs
mod b;
mod a;
pub use crate::a::a;
pub use b::B;
//- src/a.rs
pub fn a(x: u8) {}
//- src/b/mod.rs
mod go;
pub struct B;
//- src/b/go.rs
use super::B;
impl B { pub fn go(&self) {} }
",
        &expect![[r#"
            no change
        "#]],
    );
}
