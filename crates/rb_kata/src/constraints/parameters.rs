//! Parameters of a function. The receiver (`self`, `this`) does not count; a rest parameter and a Ruby block count as one, and so
//! does an object or tuple that is taken apart. Closures are not checked.

use super::Finding;
use super::declarations::parameters;
use super::source::Source;

pub(super) fn check(source: &Source<'_>, limit: u32) -> Vec<Finding> {
    source
        .ids()
        .filter(|&id| source.is_function(id) || source.is(id, source.syntax.signatures))
        .filter_map(|id| {
            let count = parameters(source, id).len();
            let name = source.name(id);
            let what = format!("`{name}` has {count} parameters (at most {limit})");
            (count > limit as usize).then(|| Finding::new(source.line(id), what))
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
        expect_findings(ConstraintKind::Parameters(2), language, text, expected);
    }

    #[test]
    fn ka4_the_receiver_is_no_parameter() {
        check(Rust, "impl A { fn f(&mut self, a: u8, (b, c): (u8, u8)) {} }", &[]);
        check(Rust, "trait A { fn f(self: Box<Self>, a: u8, b: u8); }", &[]);
        check(Python, "class A:\n  def f(self, a, *, b=1): pass\n", &[]);
        check(TypeScript, "class A { f(a: number, b?: number) {} }", &[]);
        check(JavaScript, "const f = (a, { b, c, d }) => a;\ng((a, b, c) => a);\n", &[]);
        check(Go, "package p\nfunc (c C) f(a, b int) {}\n", &[]);
        check(Java, "class A { void f(A this, int a, int... b) {} }", &[]);
        check(Ruby, "def f(a, b: 1) = a\ng { |a, b, c| a }\n", &[]);
    }

    #[test]
    fn ka4_three_parameters_are_too_many() {
        let three: &[&str] = &["1: `f` has 3 parameters (at most 2)"];
        check(Rust, "fn f(a: u8, mut b: u8, _: u8) {}", three);
        check(Rust, "trait A { fn f(&self, a: u8, b: u8, c: u8); }", three);
        check(Python, "def f(a, b: int = 1, *c): pass\n", three);
        check(TypeScript, "function f(a: number, b = 1, ...c: number[]) {}", three);
        check(JavaScript, "const f = (a, b = 1, ...c) => a;", three);
        check(Go, "package p; func f(a, b int, c ...string) {}\n", three);
        check(Java, "class A { void f(int a, final int b, int c) {} }", three);
        check(Ruby, "def f(a, b = 1, &c); end\n", three);
    }
}
