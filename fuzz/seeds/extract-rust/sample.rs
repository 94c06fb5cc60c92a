//! Module.
#![cfg_attr(not(test), allow(dead_code))]
use std::{fmt::{self, Write as _}, io::*};
mod other;
/// A pair.
#[derive(Debug, Clone)]
pub struct Pair<'a, T: ?Sized + 'a = u8>(pub &'a T) where T: Copy;
impl<'a, T> crate::x::Tr for Pair<'a, T> {
    type Out = <T as Iterator>::Item;
    const N: usize = { 1 << 3 };
    unsafe extern "C" fn f(&mut self, x: impl Fn(u8) -> u8) -> Result<(), Box<dyn E>> {
        match x { Some(n @ 1..=9) if n > 2 => a::b::<T>(n)?, _ => r#"x"#.len() };
        'l: loop { break 'l vec![m!(a.b(1)), b'\''] }
    }
}
macro_rules! m { ($($a:expr),* $(,)?) => { $($a;)* } }
#[test] fn t() { let S { a, .. } = S { a: 1 }; async move { a.await } }
