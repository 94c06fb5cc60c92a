//! Primitive types and texts in the signatures of public functions and methods.
//!
//! A type counts if a primitive stands anywhere in it, as in `Vec<u32>`. Constructors, `new`, `from_*`, `parse*`, `main`, methods
//! that turn an object into a text or compare it, overridden methods of Java, and results that are a bool are allowed: somewhere
//! the outside has to come in and go out. Without written types there is nothing to find: not in JavaScript and Ruby, and in
//! Python only where annotations stand.

use super::Finding;
use super::declarations::parameters;
use super::source::{Id, Source};
use super::syntax::Family;

const ALLOWED: &[&str] = &[
    "main",
    "of",
    "valueOf",
    "toString",
    "to_string",
    "to_str",
    "as_str",
    "String",
    "fmt",
    "hash",
    "hashCode",
    "compareTo",
    "equals",
    "cmp",
    "constructor",
];

const BOOLS: &[&str] = &["bool", "boolean", "Boolean"];

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for id in source.functions().filter(|&id| is_public(source, id) && !is_allowed(source, id)) {
        let name = source.name(id);
        for parameter in parameters(source, id) {
            let Some(word) = parameter.type_id.and_then(|of| primitive(source, of, &[])) else {
                continue;
            };
            let of = parameter.name.map_or("_", |name| source.text(name));
            let what = format!("`{name}` takes the primitive `{word}` as `{of}`");
            findings.push(Finding::new(source.line(id), what));
        }
        let result = ["return_type", "result", "type"]
            .into_iter()
            .find_map(|field| source.field(id, field))
            .and_then(|of| primitive(source, of, BOOLS));
        if let Some(word) = result {
            let what = format!("`{name}` returns the primitive `{word}`");
            findings.push(Finding::new(source.line(id), what));
        }
    }
    findings
}

/// The first primitive in a type.
fn primitive<'t>(source: &Source<'t>, type_id: Id, except: &[&str]) -> Option<&'t str> {
    let leaves = source.within(type_id).filter(|&id| source.is_leaf(id));
    leaves
        .map(|id| source.text(id))
        .find(|word| source.syntax.primitives.contains(word) && !except.contains(word))
}

fn is_public(source: &Source<'_>, id: Id) -> bool {
    let name = source.name(id);
    match source.syntax.family {
        Family::Rust => source.named(id).any(|child| source.is(child, &["visibility_modifier"])),
        Family::Python => !name.starts_with('_') && source.function_of(id).is_none(),
        Family::Ecma if source.is(id, &["method_definition"]) => {
            !source.has_modifier(id, "private")
                && !source.has_modifier(id, "protected")
                && !name.starts_with('#')
        }
        Family::Ecma => is_exported(source, id),
        Family::Go => name.starts_with(char::is_uppercase),
        Family::Java => source.has_modifier(id, "public"),
        Family::Ruby => false,
    }
}

/// `export function f`, `export const f = …`.
fn is_exported(source: &Source<'_>, id: Id) -> bool {
    let mut place = id;
    for _ in 0..3 {
        let Some(parent) = source.parent(place) else { return false };
        if source.is(parent, &["export_statement"]) {
            return true;
        }
        place = parent;
    }
    false
}

fn is_allowed(source: &Source<'_>, id: Id) -> bool {
    let name = source.name(id);
    let words = rb_lang::name_words(name);
    let begins = |first: &str| words.first().is_some_and(|word| word == first);
    ALLOWED.contains(&name)
        || ["new", "from", "parse"].into_iter().any(begins)
        || source.is(id, &["constructor_declaration", "compact_constructor_declaration"])
        || is_override(source, id)
}

/// Java: the type above prescribes the signature.
pub(super) fn is_override(source: &Source<'_>, id: Id) -> bool {
    source.named(id).filter(|&child| source.is(child, &["modifiers"])).any(|modifiers| {
        source.named(modifiers).any(|mark| source.text(mark).trim_start_matches('@') == "Override")
    })
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::WrappedPrimitives, language, text, expected);
    }

    #[test]
    fn ka4_primitives_in_signatures_are_found() {
        check(
            Rust,
            "pub fn f(a: &str, b: A) -> Vec<u32> {}",
            &["1: `f` returns the primitive `u32`", "1: `f` takes the primitive `str` as `a`"],
        );
        check(
            Python,
            "def f(a: int, b) -> str: pass\n",
            &["1: `f` returns the primitive `str`", "1: `f` takes the primitive `int` as `a`"],
        );
        check(
            TypeScript,
            "class A { f(a: boolean): number[] { return []; } }",
            &[
                "1: `f` returns the primitive `number`",
                "1: `f` takes the primitive `boolean` as `a`",
            ],
        );
        check(
            TypeScript,
            "export const f = (a: string) => new A(a);",
            &["1: `f` takes the primitive `string` as `a`"],
        );
        check(
            Go,
            "package p\nfunc F(a, b int) (A, error) {}\n",
            &["2: `F` takes the primitive `int` as `a`", "2: `F` takes the primitive `int` as `b`"],
        );
        check(
            Java,
            "class A { public long f(String a) { return 1; } }",
            &["1: `f` returns the primitive `long`", "1: `f` takes the primitive `String` as `a`"],
        );
    }

    #[test]
    fn ka4_wrapped_private_and_customary_ones_are_fine() {
        check(Rust, "pub fn f(a: A) -> bool {}\nfn g(a: u8) {}\npub fn new(a: u8) {}", &[]);
        check(Rust, "impl B for A { fn f(a: u8) -> u8 {} }", &[]);
        check(Python, "def f(a: A) -> bool: pass\ndef _g(a: int): pass\ndef h(a): pass\n", &[]);
        check(
            TypeScript,
            "function f(a: number) {}\nclass A { constructor(a: number) {} private g(a: number) {} }",
            &[],
        );
        check(JavaScript, "export function f(a) { return 1; }", &[]);
        check(Go, "package p\nfunc f(a int) {}\nfunc NewA(a int) A {}\nfunc F(a A) bool {}\n", &[]);
        check(
            Java,
            "class A { public A(int a) {} int f(int a) { return a; } @Override public int g() { return 1; } }",
            &[],
        );
        check(Ruby, "def f(a) = 1\n", &[]);
    }
}
