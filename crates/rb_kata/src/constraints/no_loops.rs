//! Loops of the language: `for`, `while`, `until`, `do` and `loop`. Comprehensions and methods like `map` and `each` are no
//! loops.

use super::Finding;
use super::source::{Id, Source};
use super::syntax::Word;

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let word = |id: Id| {
        let is_kind = |(kind, _): &&Word| source.is(id, &[*kind]);
        let word = source.syntax.loops.iter().find(is_kind).map(|(_, word)| *word);
        word.or_else(|| is_loop_call(source, id).then_some("loop"))
    };
    source
        .ids()
        .filter_map(|id| {
            let word = word(id)?;
            Some(Finding::new(source.line(id), format!("`{word}`{}", source.place(id))))
        })
        .collect()
}

/// Ruby's `loop do`.
fn is_loop_call(source: &Source<'_>, id: Id) -> bool {
    source.is(id, &["call"])
        && source.field(id, "receiver").is_none()
        && source.field(id, "block").is_some()
        && source.field(id, "method").is_some_and(|method| source.text(method) == "loop")
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::NoLoops, language, text, expected);
    }

    #[test]
    fn ka4_loops_are_found() {
        check(Rust, "fn f() { for a in b {} }", &["1: `for` in `f`"]);
        check(
            Rust,
            "fn f() {\n while a {}\n loop {}\n}",
            &["2: `while` in `f`", "3: `loop` in `f`"],
        );
        check(Python, "for a in b:\n  pass\nwhile a:\n  pass\n", &["1: `for`", "3: `while`"]);
        check(TypeScript, "for (const a of b) {}\n", &["1: `for`"]);
        check(JavaScript, "for (;;) {}\ndo {} while (a);\n", &["1: `for`", "2: `do`"]);
        check(Go, "package p\nfunc f() { for {} }\n", &["2: `for` in `f`"]);
        check(
            Java,
            "class A { void f() {\n for (int a : b) {}\n while (a) {}\n} }\n",
            &["2: `for` in `f`", "3: `while` in `f`"],
        );
        check(
            Ruby,
            "for a in b do c end\na += 1 until a > 2\nloop { c }\n",
            &["1: `for`", "2: `until`", "3: `loop`"],
        );
    }

    #[test]
    fn ka4_methods_and_recursion_are_no_loops() {
        check(Rust, "fn f(a: &[u8]) -> u8 { a.iter().for_each(g); f(a) }", &[]);
        check(Python, "def f(a): return sum(b for b in a)\n", &[]);
        check(TypeScript, "const f = (a: number[]) => a.map((b) => b + 1);", &[]);
        check(JavaScript, "a.forEach((b) => c(b));", &[]);
        check(Go, "package p\nfunc f() { f() }\n", &[]);
        check(Java, "class A { int f(int a) { return a == 0 ? 1 : f(a - 1); } }", &[]);
        check(Ruby, "a.each { |b| c(b) }\n", &[]);
    }
}
