//! Fields of a class: the fields of a struct or record, declared and assigned fields of a class, `self.a = …` in Python, `@a = …`
//! and `attr_reader` in Ruby, each once. Static fields, class variables and the variants of an enum do not count.

use super::Finding;
use super::declarations::classes;
use super::source::Source;

pub(super) fn check(source: &Source<'_>, limit: u32) -> Vec<Finding> {
    classes(source)
        .into_iter()
        .filter_map(|(class, fields)| {
            let (name, count) = (source.name(class), fields.len());
            let what = format!("`{name}` has {count} instance variables (at most {limit})");
            (count > limit as usize).then(|| Finding::new(source.line(class), what))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::InstanceVariables(2), language, text, expected);
    }

    #[test]
    fn ka4_two_fields_are_allowed() {
        check(
            Rust,
            "struct A { a: u8, b: u8 }\nstruct B(u8, u8);\nenum C { D { a: u8, b: u8, c: u8 } }",
            &[],
        );
        check(
            Python,
            "class A:\n  c = 1\n  def __init__(self):\n    self.a = 1\n    self.b = 2\n    d = 3\n\
            \x20 def f(self):\n    self.a = 4\n",
            &[],
        );
        check(TypeScript, "class A { static c = 1; private a = 1; f() { this.b = this.c; } }", &[]);
        check(
            JavaScript,
            "class A { #a = 1; b; f = () => 1; g() { this.#a = 2; this.b = 3; } }",
            &[],
        );
        check(Go, "package p\ntype A struct {\n\ta, b int\n}\n", &[]);
        check(Java, "class A { static int c; int a, b; }", &[]);
        check(
            Ruby,
            "class A\n  attr_reader :a\n  def f\n    @a = 1\n    @b = @c\n  end\nend\n",
            &[],
        );
    }

    #[test]
    fn ka4_three_fields_are_too_many() {
        let three: &[&str] = &["1: `A` has 3 instance variables (at most 2)"];
        check(Rust, "struct A { a: u8, b: u8, c: u8 }", three);
        check(Rust, "pub struct A(pub u8, u8, Vec<u8>);", three);
        check(
            Python,
            "class A:\n  def __init__(self):\n    self.a, self.b = 1, 2\n    self.c: int = 3\n",
            three,
        );
        check(Python, "class A:\n  a: int\n  b: int = 1\n  c: str\n  d = 1\n", three);
        check(
            TypeScript,
            "class A { a = 1; constructor(private b: B, readonly c: C, d: D) {} }",
            three,
        );
        check(
            JavaScript,
            "class A { constructor() { this.a = 1; this.b = 2; this.c = 3; } }",
            three,
        );
        check(Go, "package p; type A struct { a, b int; C }\n", three);
        check(Java, "class A { int a, b; private final C c; }", three);
        check(Java, "record A(int a, int b, int c) {}", three);
        check(
            Ruby,
            "class A\n  attr_reader :a\n  def f\n    @b = 1\n    @c ||= 2\n  end\nend\n",
            three,
        );
    }
}
