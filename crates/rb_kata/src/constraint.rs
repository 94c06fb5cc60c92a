//! Rules of a kata about the form of the code: "no else", "only one level of indentation per method".
//!
//! The usual ones are checked on the syntax tree, one file each in `constraints/`. All others are left to the model, and every
//! report says so.

use rb_lang::Language;
use serde::{Deserialize, Serialize};

use crate::constraints::source::Source;
use crate::constraints::{findings, recognition};
use crate::runner::Runner;
use crate::text_file::TextFile;

/// One constraint of a kata.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Constraint {
    /// As the kata says it.
    pub text: String,
    pub kind: ConstraintKind,
}

/// What is checked. The number is the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "check", content = "limit")]
pub enum ConstraintKind {
    /// Levels of nested blocks in a function.
    IndentationDepth(u32),
    NoElse,
    /// Lines of a function's body.
    FunctionLength(u32),
    /// Lines of a class, struct with its impls, or module file.
    ClassLength(u32),
    NoGettersOrSetters,
    /// Fields of a class or struct.
    InstanceVariables(u32),
    OneDotPerLine,
    WrappedPrimitives,
    FirstClassCollections,
    NoAbbreviations,
    /// Parameters of a function, the receiver not counted.
    Parameters(u32),
    NoLoops,
    NoConditionals,
    NoMutation,
    /// Nothing here can check it: a model judges, and the report says so.
    Judged,
}

/// A place that breaks a constraint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Violation {
    pub constraint: String,
    pub path: String,
    /// Counted from 1.
    pub line: u32,
    /// What is wrong there, in a few words: "`score` is nested 3 levels deep (at most 1)".
    pub what: String,
}

/// More violations than these help nobody.
const MAX_VIOLATIONS: usize = 200;

impl ConstraintKind {
    /// How it is checked, for reports: "at most 5 lines in a function".
    pub fn words(self) -> String {
        match self {
            ConstraintKind::IndentationDepth(limit) => {
                format!("at most {} of indentation in a function", count(limit, "level"))
            }
            ConstraintKind::NoElse => "no `else`".to_owned(),
            ConstraintKind::FunctionLength(limit) => {
                format!("at most {} in a function", count(limit, "line"))
            }
            ConstraintKind::ClassLength(limit) => {
                format!("at most {} in a class", count(limit, "line"))
            }
            ConstraintKind::NoGettersOrSetters => "no getters, setters or public fields".to_owned(),
            ConstraintKind::InstanceVariables(limit) => {
                format!("at most {} in a class", count(limit, "instance variable"))
            }
            ConstraintKind::OneDotPerLine => "at most 1 dot in an expression".to_owned(),
            ConstraintKind::WrappedPrimitives => "no primitives in public signatures".to_owned(),
            ConstraintKind::FirstClassCollections => {
                "no other fields beside a collection".to_owned()
            }
            ConstraintKind::NoAbbreviations => "no abbreviated names".to_owned(),
            ConstraintKind::Parameters(limit) => {
                format!("at most {} in a function", count(limit, "parameter"))
            }
            ConstraintKind::NoLoops => "no loops".to_owned(),
            ConstraintKind::NoConditionals => "no conditionals".to_owned(),
            ConstraintKind::NoMutation => "no mutation".to_owned(),
            ConstraintKind::Judged => "judged by the model".to_owned(),
        }
    }
}

fn count(limit: u32, noun: &str) -> String {
    format!("{limit} {noun}{}", if limit == 1 { "" } else { "s" })
}

/// The constraints that a line of a kata states; empty if it states none. "Object Calisthenics" states all nine of its rules.
pub fn recognise(line: &str) -> Vec<Constraint> {
    recognition::constraints_in(line)
}

/// The places in the implementation that break a constraint, sorted by path and line, at most 200. Tests are not held to them,
/// and a file with syntax errors has no violations. Where two constraints have the same check, the first one is named.
pub fn check(constraints: &[Constraint], runner: Runner, files: &[TextFile]) -> Vec<Violation> {
    let distinct: Vec<&Constraint> = constraints
        .iter()
        .enumerate()
        .filter(|(at, constraint)| {
            constraints.iter().take(*at).all(|earlier| earlier.kind != constraint.kind)
        })
        .map(|(_, constraint)| constraint)
        .collect();
    let mut violations: Vec<Violation> = files
        .iter()
        .filter(|file| !runner.is_test(&file.path))
        .flat_map(|file| violations_in(&distinct, language_of(runner, file), file))
        .collect();
    let place = |violation: &Violation| (violation.path.clone(), violation.line);
    violations.sort();
    violations.sort_by_cached_key(place);
    violations.truncate(MAX_VIOLATIONS);
    violations
}

/// TypeScript has a grammar of its own for files with elements in them.
fn language_of(runner: Runner, file: &TextFile) -> Language {
    match (runner.language(), Language::of_path(file.path.as_bytes())) {
        (Language::TypeScript, Some(Language::Tsx)) => Language::Tsx,
        (language, _) => language,
    }
}

fn violations_in(
    constraints: &[&Constraint],
    language: Language,
    file: &TextFile,
) -> Vec<Violation> {
    let Some(tree) = rb_lang::parse(language, &file.text) else { return Vec::new() };
    let Some(source) = Source::new(language, &file.text, &tree) else { return Vec::new() };
    let mut violations = Vec::new();
    for constraint in constraints {
        let findings = findings(constraint, &source).into_iter().take(MAX_VIOLATIONS);
        violations.extend(findings.map(|finding| Violation {
            constraint: constraint.text.clone(),
            path: file.path.clone(),
            line: finding.line,
            what: finding.what,
        }));
    }
    violations
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [ConstraintKind; 15] = [
        ConstraintKind::IndentationDepth(1),
        ConstraintKind::NoElse,
        ConstraintKind::FunctionLength(1),
        ConstraintKind::ClassLength(1),
        ConstraintKind::NoGettersOrSetters,
        ConstraintKind::InstanceVariables(1),
        ConstraintKind::OneDotPerLine,
        ConstraintKind::WrappedPrimitives,
        ConstraintKind::FirstClassCollections,
        ConstraintKind::NoAbbreviations,
        ConstraintKind::Parameters(1),
        ConstraintKind::NoLoops,
        ConstraintKind::NoConditionals,
        ConstraintKind::NoMutation,
        ConstraintKind::Judged,
    ];

    fn all() -> Vec<Constraint> {
        KINDS.map(|kind| Constraint { text: kind.words(), kind }).to_vec()
    }

    #[test]
    fn ka4_every_constraint_says_how_it_is_checked() {
        let words = KINDS.map(ConstraintKind::words).join("\n");
        expect_test::expect![[r#"
            at most 1 level of indentation in a function
            no `else`
            at most 1 line in a function
            at most 1 line in a class
            no getters, setters or public fields
            at most 1 instance variable in a class
            at most 1 dot in an expression
            no primitives in public signatures
            no other fields beside a collection
            no abbreviated names
            at most 1 parameter in a function
            no loops
            no conditionals
            no mutation
            judged by the model"#]]
        .assert_eq(&words);
        assert_eq!(ConstraintKind::FunctionLength(5).words(), "at most 5 lines in a function");
    }

    #[test]
    fn ka4_violations_name_the_constraint_and_the_place() {
        let constraints = [
            Constraint { text: "No loops".into(), kind: ConstraintKind::NoLoops },
            Constraint { text: "No else!".into(), kind: ConstraintKind::NoElse },
            Constraint { text: "no else".into(), kind: ConstraintKind::NoElse },
            Constraint { text: "Be nice".into(), kind: ConstraintKind::Judged },
        ];
        let files = [
            TextFile::new("src/roll.rs", "fn f() { if a { b() } else { c() } }\n"),
            TextFile::new(
                "src/lib.rs",
                "fn g() {\n if a { b() } else { c() }\n}\nfn h() { loop {} }\n",
            ),
            TextFile::new("src/broken.rs", "fn f( { if a {} else {} }\n"),
        ];
        let lines: Vec<String> = check(&constraints, Runner::Rust, &files)
            .into_iter()
            .map(|found| {
                let Violation { constraint, path, line, what } = found;
                format!("{path}:{line}: {what} ({constraint})")
            })
            .collect();
        let expected = [
            "src/lib.rs:2: `else` in `g` (No else!)",
            "src/lib.rs:4: `loop` in `h` (No loops)",
            "src/roll.rs:1: `else` in `f` (No else!)",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn ka4_violations_are_bounded() {
        let file = TextFile::new("src/lib.rs", "fn f(a: u8) { loop {} }\n".repeat(2000));
        assert_eq!(check(&all(), Runner::Rust, &[file]).len(), MAX_VIOLATIONS);
    }

    #[test]
    fn ka4_deep_nests_do_no_harm() {
        for &runner in Runner::ALL {
            for nest in
                ["{", "(", "[", "if a {", "a.", "f(", "a => {", "-> { ", "class A\n", "else "]
            {
                check(&all(), runner, &[TextFile::new("src/a", nest.repeat(3000))]);
            }
        }
        let chain = format!("fn f() {{ a{}; }}", ".b()".repeat(400));
        check(&all(), Runner::Rust, &[TextFile::new("src/lib.rs", chain)]);
    }

    /// Pieces of code in all languages, in any order.
    fn code() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "fn f(a: u8) {",
            "def f(a):\n  ",
            "class A {",
            "class A\n",
            "func f(a int) {",
            "if a {",
            "} else {",
            "}",
            "end\n",
            "for a in b",
            "while (a)",
            "a.b.c()",
            "a = 1",
            "let a = ",
            "mut ",
            ";\n",
            "\n",
            "(",
            ")",
            "@a",
            "'",
            "\"",
            "#",
            "//",
            "/*",
            "struct A { a: u8 }",
            "match a {",
            "=> {",
            "return self.a",
            "\u{e9}",
            "package p\n",
            "attr_reader :a\n",
            "self",
            "\0",
            "  ",
            "type A struct {",
            "get a() {",
        ]);
        prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn ka4_no_text_breaks_a_check(text in prop_oneof![any::<String>(), code()]) {
            for &runner in Runner::ALL {
                let files = [TextFile::new("src/a", text.clone())];
                let violations = check(&all(), runner, &files);
                let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
                prop_assert!(violations.iter().all(|found| (1..=lines.max(1)).contains(&found.line)));
            }
        }

        #[test]
        fn ka4_no_line_breaks_the_recognition(line in any::<String>()) {
            for constraint in recognise(&line) {
                prop_assert!(!constraint.text.is_empty());
            }
        }
    }
}
