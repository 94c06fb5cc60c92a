//! Levels of nested blocks in a function.
//!
//! The body of a function is level 0, and each block inside it one level more: of `if`, `else`, loops, `try` and closures, with
//! or without braces. `match` and `switch` are one level, and an arm that has a block of its own is another; in Go and Ruby,
//! which do not indent `case` and `when`, they are one level together. `else if` is no deeper than its `if`. A closure without a
//! block and a Ruby block on one line are no level. A function inside a function is measured by itself. One finding for each
//! function.

use std::collections::BTreeMap;

use super::Finding;
use super::source::{Id, Source};
use super::syntax::Family;

pub(super) fn check(source: &Source<'_>, limit: u32) -> Vec<Finding> {
    let mut levels = vec![0_u32; source.len()];
    // Of each function its deepest level, and the line of the first block that is too deep.
    let mut deepest: BTreeMap<Id, (u32, u32)> = BTreeMap::new();
    for id in source.ids() {
        let Some(parent) = source.parent(id) else { continue };
        let around = if source.is_function(parent) { 0 } else { levels[parent] };
        levels[id] = around + u32::from(is_level(source, id, parent));
        let level = levels[id];
        if level <= limit || level == around {
            continue;
        }
        if let Some(function) = source.function_of(id) {
            let entry = deepest.entry(function).or_insert((level, source.line(parent)));
            entry.0 = entry.0.max(level);
        }
    }
    let finding = |(function, (level, line)): (Id, (u32, u32))| {
        let (name, plural) = (source.name(function), if level == 1 { "" } else { "s" });
        Finding::new(
            line,
            format!("`{name}` is nested {level} level{plural} deep (at most {limit})"),
        )
    };
    deepest.into_iter().map(finding).collect()
}

fn is_level(source: &Source<'_>, id: Id, parent: Id) -> bool {
    let syntax = source.syntax;
    if !source.is(id, syntax.blocks) {
        return is_open_body(source, id, parent);
    }
    if (source.is_function(parent) || source.is(parent, syntax.types))
        && source.field_name(id) == "body"
    {
        return false;
    }
    match syntax.family {
        Family::Rust | Family::Ecma | Family::Go | Family::Java => true,
        Family::Python => {
            !source.is(parent, &["case_clause"]) || source.line(id) > source.line(parent)
        }
        Family::Ruby => is_ruby_level(source, id, parent),
    }
}

/// The parts of `begin` and of a method that begin with `rescue` and the like are not indented further.
fn is_ruby_level(source: &Source<'_>, id: Id, parent: Id) -> bool {
    match source.kind(id) {
        "then" => !source.is(parent, &["rescue"]),
        "else" => source.is(parent, &["if", "unless", "elsif", "case", "case_match"]),
        "block" => {
            let (first, last) = source.rows(id);
            first < last
        }
        _ => true,
    }
}

/// `if (a) b();`: a body without braces.
fn is_open_body(source: &Source<'_>, id: Id, parent: Id) -> bool {
    if !source.is(parent, source.syntax.open_bodies)
        || !source.is_code(id)
        || source.is(id, &["else_clause"])
    {
        return false;
    }
    match source.field_name(id) {
        "consequence" | "body" => true,
        "alternative" => !source.is(id, &["if_statement"]),
        _ => source.is(parent, &["else_clause"]) && !source.is(id, &["if_statement"]),
    }
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::IndentationDepth(1), language, text, expected);
    }

    #[test]
    fn ka4_one_level_is_allowed() {
        check(
            Rust,
            "fn f(a: u8) -> u8 {\n if a > 1 { 1 } else if a > 2 { 2 } else { 3 }\n}\n",
            &[],
        );
        check(Rust, "fn f(a: u8) -> u8 {\n match a { 1 => 2, _ => g(|b| b) }\n}\n", &[]);
        check(Rust, "fn f() {\n loop { g() }\n fn h() { loop { g() } }\n}\n", &[]);
        check(Python, "def f(a):\n  if a:\n    return 1\n  elif b:\n    return 2\n", &[]);
        check(Python, "def f(a):\n  match a:\n    case 1: return 2\n", &[]);
        check(Python, "class A:\n  def f(self):\n    for b in c:\n      d(b)\n", &[]);
        check(TypeScript, "function f() { if (a) b(); else if (c) d(); else e(); }", &[]);
        check(JavaScript, "const f = () => { for (const a of b) { c(a); } };", &[]);
        check(JavaScript, "if (a) { if (b) { c(); } }", &[]);
        check(Go, "package p\nfunc f() {\n\tswitch a {\n\tcase 1:\n\t\tb()\n\t}\n}\n", &[]);
        check(Go, "package p\nfunc f() {\n\tif a {\n\t} else if b {\n\t}\n}\n", &[]);
        check(Java, "class A { void f() { if (a) b(); else if (c) d(); } }", &[]);
        check(
            Java,
            "class A { int f() { return switch (a) { case 1 -> 2; default -> 3; }; } }",
            &[],
        );
        check(Ruby, "def f(a)\n  if a\n    1\n  elsif b\n    2\n  else\n    3\n  end\nend\n", &[]);
        check(Ruby, "def f(a)\n  case a\n  when 1\n    a.map { |b| b + 1 }\n  end\nend\n", &[]);
        check(Ruby, "def f\n  g\nrescue E\n  h\nelse\n  i\nend\n", &[]);
    }

    #[test]
    fn ka4_two_levels_are_one_too_many() {
        let two = |line| format!("{line}: `f` is nested 2 levels deep (at most 1)");
        let check = |language, text, line: u32| check(language, text, &[&two(line)]);
        check(Rust, "fn f() {\n if a {\n  for b in c { d() }\n }\n}\n", 3);
        check(Rust, "fn f() {\n match a {\n  1 => { b() }\n  _ => c(),\n }\n}\n", 3);
        check(Rust, "fn f() {\n if a {\n  b(|c| {\n   c()\n  })\n }\n}\n", 3);
        check(Python, "def f():\n  if a:\n    for b in c:\n      d()\n", 3);
        check(Python, "def f():\n  match a:\n    case 1:\n      return 2\n", 3);
        check(TypeScript, "function f() {\n if (a)\n  while (b) c();\n}\n", 3);
        check(TypeScript, "class A { f() {\n if (a) {\n  b(() => { c(); });\n }\n} }\n", 3);
        check(JavaScript, "const f = () => {\n switch (a) {\n case 1: { b(); }\n }\n};\n", 3);
        check(Go, "package p\nfunc f() {\n\tfor {\n\t\tif a {\n\t\t}\n\t}\n}\n", 4);
        check(Java, "class A { void f() {\n try {\n  if (a) b();\n } finally { c(); }\n} }\n", 3);
        check(Ruby, "def f\n  a.each do |b|\n    if b\n      c\n    end\n  end\nend\n", 3);
        check(Ruby, "def f\n  begin\n    while a\n      b\n    end\n  end\nend\n", 3);
    }

    #[test]
    fn ka4_the_limit_is_that_of_the_kata() {
        let text = "fn f() {\n if a {\n  if b { if c { d() } }\n }\n}\nfn g() { if a { b() } }\n";
        let check = |limit, expected: &[&str]| {
            expect_findings(ConstraintKind::IndentationDepth(limit), Rust, text, expected);
        };
        check(3, &[]);
        check(2, &["3: `f` is nested 3 levels deep (at most 2)"]);
        check(
            0,
            &[
                "2: `f` is nested 3 levels deep (at most 0)",
                "6: `g` is nested 1 level deep (at most 0)",
            ],
        );
    }
}
