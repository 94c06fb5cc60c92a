//! Rust.

use rb_lang::Language;

use super::{Bodies, Spot, Step};

pub(super) const BODIES: Bodies =
    Bodies { languages: &[Language::Rust], visit, consequences: None };

fn visit(spot: &Spot<'_, '_>) -> Step {
    match spot.node.kind() {
        "function_item" if is_kept(spot) => Step::Keep,
        "function_item" => spot.body_becomes("{ panic!(\"stubbed\") }"),
        "mod_item" | "impl_item" if is_for_tests(spot) => Step::Keep,
        _ => Step::Walk,
    }
}

fn is_kept(spot: &Spot<'_, '_>) -> bool {
    // The compiler may run a `const fn`.
    let head = spot.text.get(spot.node.start_byte()..name_start(spot)).unwrap_or_default();
    let is_const = words(head).any(|word| word == "const");
    // No type could be inferred for `impl Trait`.
    let is_opaque = words(spot.text_of("return_type")).any(|word| word == "impl");
    is_const || is_opaque || spot.text_of("name") == "main" || is_for_tests(spot)
}

fn name_start(spot: &Spot<'_, '_>) -> usize {
    spot.field("name").map_or(spot.node.start_byte(), |name| name.start_byte())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Marked with `#[test]` or `#[cfg(test)]`. Attributes are nodes of their own, before the item.
fn is_for_tests(spot: &Spot<'_, '_>) -> bool {
    let before = spot.text.get(..spot.node.start_byte()).unwrap_or_default();
    before
        .lines()
        .rev()
        .map(str::trim)
        .take(20)
        .take_while(|line| line.is_empty() || line.starts_with("#[") || line.starts_with("//"))
        .any(|line| line.contains("#[test]") || line.contains("#[cfg(test)]"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_none};

    #[test]
    fn ka5_rust_bodies() {
        let check = |before: &str, after: &str| check("src/lib.rs", before, after);
        check(
            "/// Doc.\npub fn roman(n: u32) -> String {\n    fn inner() {}\n    (|| n)().to_string()\n}\n",
            "/// Doc.\npub fn roman(n: u32) -> String { panic!(\"stubbed\") }\n",
        );
        check(
            "struct R;\nimpl R {\n    async fn a(&self) -> u8 { 1 }\n    const fn b() -> u8 { 2 }\n}\n",
            "struct R;\nimpl R {\n    async fn a(&self) -> u8 { panic!(\"stubbed\") }\n    \
             const fn b() -> u8 { 2 }\n}\n",
        );
        check(
            "trait T {\n    fn a(&self);\n    fn b(&self) -> u8 { 1 }\n}\n",
            "trait T {\n    fn a(&self);\n    fn b(&self) -> u8 { panic!(\"stubbed\") }\n}\n",
        );
        check(
            "fn a() -> impl Iterator<Item = u8> { [1].into_iter() }\nfn implied() -> u8 { 1 }\n",
            "fn a() -> impl Iterator<Item = u8> { [1].into_iter() }\n\
             fn implied() -> u8 { panic!(\"stubbed\") }\n",
        );
        check(
            "pub mod m { pub fn f<T>(t: T) -> T where T: Copy { t } }\nfn main() { m::f(1); }\n",
            "pub mod m { pub fn f<T>(t: T) -> T where T: Copy { panic!(\"stubbed\") } }\n\
             fn main() { m::f(1); }\n",
        );
    }

    #[test]
    fn ka5_rust_tests_in_the_implementation_stay() {
        check(
            "src/lib.rs",
            "fn f() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { assert_eq!(super::f(), 1); }\n}\n",
            "fn f() -> u8 { panic!(\"stubbed\") }\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
             fn t() { assert_eq!(super::f(), 1); }\n}\n",
        );
    }

    #[test]
    fn ka5_rust_without_bodies() {
        check_none("src/lib.rs", "pub struct Roman(u32);\n");
        check_none("src/lib.rs", "fn main() {}\n");
        check_none("src/lib.rs", "fn f( { }\n");
    }
}
