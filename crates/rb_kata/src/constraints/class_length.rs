//! Lines of a class.
//!
//! Blank lines and lines with comments only do not count. A Rust type counts with its `impl` blocks and a Go type with its
//! methods, as far as they are in the same file. A file that declares no type counts as a whole.

use std::collections::BTreeMap;

use super::Finding;
use super::code_lines::CodeLines;
use super::source::{Id, Source};

pub(super) fn check(source: &Source<'_>, limit: u32) -> Vec<Finding> {
    let code = CodeLines::new(source);
    let types: Vec<Id> = source.ids().filter(|&id| source.is(id, source.syntax.types)).collect();
    if types.is_empty() {
        return check_file(&code, limit);
    }
    let mut members: BTreeMap<&str, u32> = BTreeMap::new();
    for id in source.ids() {
        if let Some(name) = owner(source, id) {
            *members.entry(name).or_default() += code.of(source, id);
        }
    }
    let finding = |&id: &Id| {
        let name = source.name(id);
        let lines = code.of(source, id) + members.get(name).copied().unwrap_or_default();
        let what = format!("`{name}` has {lines} lines (at most {limit})");
        (lines > limit).then(|| Finding::new(source.line(id), what))
    };
    types.iter().filter_map(finding).collect()
}

fn check_file(code: &CodeLines, limit: u32) -> Vec<Finding> {
    let lines = code.all();
    let what = format!("the file has {lines} lines (at most {limit})");
    (lines > limit).then(|| Finding::new(1, what)).into_iter().collect()
}

/// The type that an `impl` block or a method of Go belongs to.
fn owner<'t>(source: &Source<'t>, id: Id) -> Option<&'t str> {
    let place = if source.is(id, &["impl_item"]) {
        source.field(id, "type")?
    } else if source.is(id, &["method_declaration"]) {
        source.field(id, "receiver")?
    } else {
        return None;
    };
    let name = source.within(place).find(|&id| source.is(id, &["type_identifier"]))?;
    Some(source.text(name))
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::ClassLength(4), language, text, expected);
    }

    #[test]
    fn ka4_a_small_class_is_fine() {
        check(Rust, "struct A(u8);\n\n// One.\nimpl A {\n fn f() {}\n}\nfn g() {}\n", &[]);
        check(
            Python,
            "class A:\n  '''One.\n  '''\n  def f(self):\n    # Two.\n    return 1\n",
            &[],
        );
        check(TypeScript, "class A {\n f() {}\n}\nconst a = 1;\nconst b = 2;\n", &[]);
        check(JavaScript, "const a = 1;\n\n\n// One.\n\nconst b = 2;\n", &[]);
        check(Go, "package p\n\ntype A struct{}\n\nfunc (a *A) F() {\n}\n", &[]);
        check(Java, "class A {\n\n\n void f() {}\n}\n", &[]);
        check(Ruby, "class A\n  def f\n  end\nend\n", &[]);
    }

    #[test]
    fn ka4_a_large_class_is_found() {
        let five = |line: u32| format!("{line}: `A` has 5 lines (at most 4)");
        let check_five = |language, text, line| check(language, text, &[&five(line)]);
        check_five(Rust, "\nstruct A(u8);\nimpl<T> B for A {\n fn f() {}\n}\nimpl A {}\n", 2);
        check_five(Python, "class A:\n  a = 1\n  b = 2\n  c = 3\n  d = 4\n", 1);
        check_five(TypeScript, "class A {\n f() {\n  a();\n }\n}\n", 1);
        check_five(JavaScript, "class A {\n f() {\n  a();\n }\n}\n", 1);
        check_five(Go, "package p\ntype A struct {\n}\nfunc (a *A) F() {\n\tb()\n}\n", 2);
        check_five(Java, "class A {\n void f() {\n  a();\n }\n}\n", 1);
        check_five(Ruby, "class A\n  def f\n    1\n  end\nend\n", 1);
        check(Python, "a()\n\nb()\nc()\nd()\ne()\n", &["1: the file has 5 lines (at most 4)"]);
    }
}
