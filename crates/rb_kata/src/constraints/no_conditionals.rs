//! Conditionals: `if`, `unless`, `switch`, `match`, `case` and the operator `?:`, an `else if` as part of its `if`.
//!
//! A kata that forbids only `if` allows the others. Guards of a pattern, filters of a comprehension, and `&&` and `||` are
//! allowed.

use super::Finding;
use super::source::{Id, Source};
use super::syntax::Word;

/// `text` is the constraint as the kata says it.
pub(super) fn check(source: &Source<'_>, text: &str) -> Vec<Finding> {
    let others: &[Word] = if forbids_only_if(text) { &[] } else { source.syntax.choices };
    let word = |id: Id| {
        let is_kind = |(kind, _): &&Word| source.is(id, &[*kind]);
        source.syntax.ifs.iter().chain(others).find(is_kind).map(|(_, word)| *word)
    };
    source
        .ids()
        .filter(|&id| !is_else_if(source, id))
        .filter_map(|id| {
            let word = word(id)?;
            Some(Finding::new(source.line(id), format!("`{word}`{}", source.place(id))))
        })
        .collect()
}

fn is_else_if(source: &Source<'_>, id: Id) -> bool {
    source.is(id, &["if_statement", "if_expression"])
        && (source.field_name(id) == "alternative" || source.is_in(id, &["else_clause"]))
}

fn forbids_only_if(text: &str) -> bool {
    let words = rb_lang::name_words(text);
    let names = |prefix: &str| words.iter().any(|word| word.starts_with(prefix));
    words.iter().any(|word| word == "if" || word == "ifs")
        && !["condition", "switch", "match", "case", "branch", "ternar"].into_iter().any(names)
}

#[cfg(test)]
mod tests {
    use rb_lang::Language::{self, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript};

    use super::super::expect_findings;
    use super::forbids_only_if;
    use crate::constraint::ConstraintKind;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        expect_findings(ConstraintKind::NoConditionals, language, text, expected);
    }

    #[test]
    fn ka4_conditionals_are_found() {
        check(Rust, "fn f() { if a {} else if b {} }", &["1: `if` in `f`"]);
        check(Rust, "fn f() { match a { _ => b } }", &["1: `match` in `f`"]);
        check(Python, "if a:\n  b()\nelif c:\n  d()\n", &["1: `if`"]);
        check(Python, "a = b if c else d\n", &["1: `if`"]);
        check(TypeScript, "const a = b ? c : d;\n", &["1: `?:`"]);
        check(
            JavaScript,
            "if (a) b(); else if (c) d();\nswitch (a) {}\n",
            &["1: `if`", "2: `switch`"],
        );
        check(
            Go,
            "package p\nfunc f() {\n\tif a {\n\t} else if b {\n\t}\n\tswitch a {\n\t}\n}\n",
            &["3: `if` in `f`", "6: `switch` in `f`"],
        );
        check(Java, "class A { int f() { if (a) b(); else if (c) d(); } }", &["1: `if` in `f`"]);
        check(
            Ruby,
            "a if b\nunless c\n  d\nend\ne ? f : g\n",
            &["1: `if`", "2: `unless`", "5: `?:`"],
        );
    }

    #[test]
    fn ka4_code_without_conditionals_is_fine() {
        check(Rust, "fn f() { a && b; c.map(d).unwrap_or(e); }", &[]);
        check(Python, "a = [b for b in c if b]\n", &[]);
        check(TypeScript, "const a = b ?? c;", &[]);
        check(JavaScript, "const a = { if: b }[c] || d;", &[]);
        check(Go, "package p\nfunc f() { a[b]() }\n", &[]);
        check(Java, "class A { int f() { return a.get(b); } }", &[]);
        check(Ruby, "a || b\n", &[]);
    }

    #[test]
    fn ka4_a_kata_that_forbids_if_allows_match() {
        assert!(forbids_only_if("No if statements"));
        assert!(forbids_only_if("Don't use `if`"));
        assert!(!forbids_only_if("No if or switch statements"));
        assert!(!forbids_only_if("No conditionals (if, ternary)"));
        assert!(!forbids_only_if(""));
    }
}
