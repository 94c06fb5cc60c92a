//! A class that holds a collection beside other fields: a collection should have a class of its own.
//!
//! A field is a collection if its type says so, or, where no type is written, the value that it is set to.

use super::Finding;
use super::declarations::{Field, classes};
use super::source::{Id, Source};

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (class, fields) in classes(source) {
        let others = fields.len().saturating_sub(1);
        if others == 0 {
            continue;
        }
        let plural = if others == 1 { "" } else { "s" };
        for field in fields.iter().filter(|field| is_collection(source, field)) {
            let (class, field_name) = (source.name(class), &field.name);
            let what = format!(
                "`{class}` holds the collection `{field_name}` beside {others} other field{plural}"
            );
            findings.push(Finding::new(source.line(field.id), what));
        }
    }
    findings
}

fn is_collection(source: &Source<'_>, field: &Field) -> bool {
    match (field.type_id, field.value) {
        (Some(type_id), _) => is_collection_type(source, type_id),
        (None, Some(value)) => is_collection_value(source, value),
        (None, None) => false,
    }
}

/// Looks through references and the like.
fn is_collection_type(source: &Source<'_>, type_id: Id) -> bool {
    const WRAPPERS: &[&str] = &[
        "type_annotation",
        "readonly_type",
        "reference_type",
        "pointer_type",
        "type",
        "annotated_type",
    ];
    let mut id = type_id;
    while source.is(id, WRAPPERS) {
        // The type is the last: before it come lifetimes and marks.
        let Some(inner) = source.named(id).last() else { return false };
        id = inner;
    }
    source.is(id, source.syntax.collection_kinds) || is_collection_name(source, source.text(id))
}

/// `std::collections::HashMap<K, V>` is a `HashMap`.
fn is_collection_name(source: &Source<'_>, text: &str) -> bool {
    let head = text.split(['<', '[', '(']).next().unwrap_or_default();
    let name = head.rsplit(['.', ':']).next().unwrap_or_default().trim();
    source.syntax.collections.contains(&name)
}

/// A literal, `new Map()`, `list(…)` or `Hash.new`.
fn is_collection_value(source: &Source<'_>, value: Id) -> bool {
    let constructor = ["constructor", "function", "receiver", "type"]
        .into_iter()
        .find_map(|field| source.field(value, field))
        .filter(|_| source.is(value, &["new_expression", "call", "object_creation_expression"]));
    source.is(value, source.syntax.collection_kinds)
        || constructor.is_some_and(|name| is_collection_name(source, source.text(name)))
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::FirstClassCollections, language, text, expected);
    }

    #[test]
    fn ka4_a_collection_beside_other_fields_is_found() {
        let found =
            |line: u32| format!("{line}: `A` holds the collection `b` beside 1 other field");
        let check = |language, text, line| check(language, text, &[&found(line)]);
        check(Rust, "struct A { b: Vec<u8>, c: u8 }", 1);
        check(Rust, "struct A<'a> {\n b: &'a [u8],\n c: u8,\n}\n", 2);
        check(Rust, "struct A { b: std::collections::HashMap<u8, u8>, c: u8 }", 1);
        check(Python, "class A:\n  def __init__(self, c):\n    self.b = []\n    self.c = c\n", 3);
        check(Python, "class A:\n  b: list[int]\n  c: int\n", 2);
        check(TypeScript, "class A { private b: readonly B[] = f(); c = 1; }", 1);
        check(TypeScript, "class A { b: Map<string, number>; c = 1; }", 1);
        check(JavaScript, "class A { constructor(c) { this.b = new Map(); this.c = c; } }", 1);
        check(Go, "package p\ntype A struct {\n\tb map[string]int\n\tc int\n}\n", 3);
        check(Java, "class A { private final List<B> b; int c; }", 1);
        check(Java, "record A(int[] b, int c) {}", 1);
        check(
            Ruby,
            "class A\n  def initialize(c)\n    @b = Hash.new(0)\n    @c = c\n  end\nend\n",
            3,
        );
    }

    #[test]
    fn ka4_a_collection_alone_is_fine() {
        check(Rust, "struct A { b: Vec<u8> }\nstruct C { d: A, e: u8 }\n", &[]);
        check(Python, "class A:\n  def __init__(self):\n    self.b = []\n", &[]);
        check(TypeScript, "class A { b: B[] = []; }\nclass C { d: A; e: number; }\n", &[]);
        check(JavaScript, "class A { #b = []; }", &[]);
        check(Go, "package p\ntype A struct {\n\tb []int\n}\n", &[]);
        check(Java, "class A { List<B> b; static int c; }", &[]);
        check(Ruby, "class A\n  def initialize\n    @b = []\n  end\nend\n", &[]);
    }
}
