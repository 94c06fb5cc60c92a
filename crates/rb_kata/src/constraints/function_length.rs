//! Lines of a function's body.
//!
//! Blank lines, lines with comments or documentation only, the signature and the braces around the body do not count. A body on
//! the line of its signature is one line. A function inside a function counts for both; closures are part of the function around
//! them.

use super::Finding;
use super::code_lines::CodeLines;
use super::source::{Id, Source};

pub(super) fn check(source: &Source<'_>, limit: u32) -> Vec<Finding> {
    let code = CodeLines::new(source);
    source
        .functions()
        .filter_map(|id| {
            let lines = body_lines(source, &code, id);
            let name = source.name(id);
            let what = format!("the body of `{name}` has {lines} lines (at most {limit})");
            (lines > limit).then(|| Finding::new(source.line(id), what))
        })
        .collect()
}

fn body_lines(source: &Source<'_>, code: &CodeLines, function: Id) -> u32 {
    let Some(body) = source.field(function, "body") else { return 0 };
    if source.is_leaf(body) {
        return code.of(source, body);
    }
    let is_inside = |id: &Id| {
        !source.is_comment(*id) && !["{", "}"].iter().any(|brace| source.is_token(*id, brace))
    };
    let mut children = source.children(body).filter(is_inside);
    let Some(first) = children.next() else { return 0 };
    let last = children.last().unwrap_or(first);
    code.count(source.rows(first).0, source.rows(last).1)
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::FunctionLength(2), language, text, expected);
    }

    #[test]
    fn ka4_blank_lines_and_comments_do_not_count() {
        check(Rust, "fn f() {\n\n // One.\n a();\n /* Two.\n */\n b();\n}\n", &[]);
        check(Rust, "fn f() { a(); b(); c(); }\n", &[]);
        check(
            Python,
            "def f():\n  \"\"\"One.\n\n  Two.\n  \"\"\"\n  a()\n  # Three.\n  b()\n",
            &[],
        );
        check(TypeScript, "function f() {\n a();\n // One.\n b();\n}\n", &[]);
        check(JavaScript, "const f = (a) =>\n a\n  + 1;\n", &[]);
        check(Go, "package p\nfunc f() {\n\ta()\n\n\tb() // One.\n}\n", &[]);
        check(Java, "class A { void f()\n{\n a();\n /** One. */\n b();\n}\n}\n", &[]);
        check(Ruby, "def f(\n  a\n)\n  b\n\n  # One.\n  c\nend\n", &[]);
    }

    #[test]
    fn ka4_three_lines_are_too_many() {
        let three = |line: u32| format!("{line}: the body of `f` has 3 lines (at most 2)");
        let check = |language, text, line| check(language, text, &[&three(line)]);
        check(Rust, "fn f() {\n a();\n b();\n c();\n}\n", 1);
        check(Rust, "fn f() {\n if a {\n  b();\n }\n}\n", 1);
        check(Python, "def f():\n  a(\"\"\"b\n  c\n  \"\"\")\n", 1);
        check(TypeScript, "class A {\n f() {\n  a();\n  b();\n  c();\n }\n}\n", 2);
        check(JavaScript, "const f = () =>\n a(\n  b,\n );\n", 1);
        check(Go, "package p\nfunc f() {\n\ta()\n\tb()\n\tc()\n}\n", 2);
        check(Java, "class A {\n A() {}\n void f() {\n  a();\n  b();\n  c();\n }\n}\n", 3);
        check(Ruby, "def f\n  a\n  b\n  c\nend\n", 1);
    }
}
