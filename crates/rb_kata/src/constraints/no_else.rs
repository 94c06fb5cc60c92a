//! The keyword `else`, and `elif` and `elsif`, wherever they stand: after `if`, `let`, loops and `try`, in `case`, and in the
//! conditional expressions of Python. The operator `?:` and `default` are no `else`.

use super::Finding;
use super::source::Source;

pub(super) fn check(source: &Source<'_>) -> Vec<Finding> {
    let word = |id| ["else", "elif", "elsif"].into_iter().find(|word| source.is_token(id, word));
    source
        .ids()
        .filter_map(|id| {
            // Among the tokens of a Rust macro, keywords are names.
            let is_name = source.is(id, &["identifier"])
                && source.is_in(id, &["token_tree"])
                && source.text(id) == "else";
            let word = word(id).or(is_name.then_some("else"))?;
            Some(Finding::new(source.line(id), format!("`{word}`{}", source.place(id))))
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
        expect_findings(ConstraintKind::NoElse, language, text, expected);
    }

    #[test]
    fn ka4_else_is_found() {
        let one: &[&str] = &["1: `else` in `f`"];
        check(Rust, "fn f() { if a { b() } else { c() } }", one);
        check(Rust, "fn f() { if a { b() } else if c { d() } }", one);
        check(Rust, "fn f() { let Some(a) = b else { return }; }", one);
        check(Rust, "fn f() { println!(\"{}\", if a { 1 } else { 2 }); }", one);
        check(Python, "def f(): return 1 if a else 2\n", one);
        check(Python, "if a:\n  b()\nelif c:\n  d()\nelse:\n  e()\n", &["3: `elif`", "5: `else`"]);
        check(Python, "for a in b:\n  c()\nelse:\n  d()\n", &["3: `else`"]);
        check(TypeScript, "const f = () => { if (a) b(); else c(); };", one);
        check(JavaScript, "function f() { if (a) { b(); } else { c(); } }", one);
        check(Go, "package p; func f() { if a { b() } else { c() } }", one);
        check(Java, "class A { void f() { if (a) b(); else c(); } }", one);
        check(
            Ruby,
            "def f\n  if a\n    1\n  elsif b\n    2\n  else\n    3\n  end\nend\n",
            &["4: `elsif` in `f`", "6: `else` in `f`"],
        );
    }

    #[test]
    fn ka4_code_without_else_is_fine() {
        check(Rust, "fn f() -> u8 { if a { return 1; } match b { _ => 2 } } // else", &[]);
        check(Python, "def f():\n  if a:\n    return 'else'\n  return 1\n", &[]);
        check(TypeScript, "const f = (a: boolean) => (a ? 1 : 2);", &[]);
        check(JavaScript, "switch (a) { case 1: b(); break; default: c(); }", &[]);
        check(Go, "package p; func f() { if a { return } }", &[]);
        check(Java, "class A { int f() { return a ? 1 : 2; } }", &[]);
        check(Ruby, "def f\n  return 1 if a\n  a ? 2 : 3\nend\n", &[]);
    }
}
