//! Rust.

use expect_test::expect;

use super::check;

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
        &expect![[r"
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
        "]],
    );
}
