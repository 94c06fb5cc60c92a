//! What a line of a test runner, a compiler or a stack trace means, as tables. To teach it a new message, add a row.
//!
//! A row has languages, words and a sign. The words stand in one line in this order, with anything between them at `…`; a `^` puts
//! the first at the beginning of the line. Rows above win over rows below, wherever in the output their lines are.

use rb_lang::Language;

use super::evidence::bare;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// An assertion failed.
    Assertion,
    /// A panic: how a test of Rust fails, and how an implementation does.
    Panic,
    /// A name that does not exist, or not in the form that the test uses.
    MissingSymbol,
    /// A library that the project does not have.
    NotInstalled,
    /// At run time, a call with other arguments than the function takes.
    Signature,
    Syntax,
    /// The compiler rejects it for a reason that only the test can mend.
    Rejected,
    /// Mostly follows from a missing symbol, and means nothing alone.
    Fallout,
    /// Any other error at run time.
    Error,
}

/// The most telling line of a failed test.
pub(super) fn at_run_time(language: Language, lines: &[&str]) -> Option<(Sign, usize)> {
    let rows = [FAILURES, NAMES, ERRORS].into_iter().flatten();
    rows.filter(|(languages, ..)| languages.contains(&language)).find_map(|(_, words, sign)| {
        let at = lines.iter().position(|line| says(bare(line), words))?;
        Some((*sign, at))
    })
}

/// What the first line of a compiler's or loader's error means.
pub(super) fn at_build(language: Language, line: &str) -> Option<Sign> {
    let line = bare(line);
    let rows = [NAMES, BUILD].into_iter().flatten();
    rows.filter(|(languages, ..)| languages.contains(&language))
        .find(|(_, words, _)| says(line, words))
        .map(|(.., sign)| *sign)
}

fn says(line: &str, words: &str) -> bool {
    let is_anchored = words.starts_with('^');
    let mut rest = line;
    for (at, word) in words.trim_start_matches('^').split('…').enumerate() {
        let Some(found) = rest.find(word) else {
            return false;
        };
        if at == 0 && is_anchored && found > 0 {
            return false;
        }
        rest = &rest[found + word.len()..];
    }
    true
}

type Row = (&'static [Language], &'static str, Sign);

const RUST: &[Language] = &[Language::Rust];
const PYTHON: &[Language] = &[Language::Python];
const ECMA: &[Language] = &[Language::JavaScript, Language::TypeScript, Language::Tsx];
const GO: &[Language] = &[Language::Go];
const JAVA: &[Language] = &[Language::Java];
const RUBY: &[Language] = &[Language::Ruby];

/// How tests fail.
const FAILURES: &[Row] = &[
    (RUST, "^assertion ", Sign::Assertion),
    (RUST, "panicked at 'assertion", Sign::Assertion),
    (RUST, "did not panic as expected", Sign::Assertion),
    (RUST, "panic did not contain expected", Sign::Assertion),
    (PYTHON, "^AssertionError", Sign::Assertion),
    (PYTHON, "^assert ", Sign::Assertion),
    (PYTHON, "^Failed: DID NOT RAISE", Sign::Assertion),
    (ECMA, "ERR_ASSERTION", Sign::Assertion),
    (ECMA, "AssertionError", Sign::Assertion),
    (ECMA, "^operator: ", Sign::Assertion),
    (ECMA, "expect(received)", Sign::Assertion),
    // A panic names lines of the test file, too.
    (GO, "^panic:", Sign::Error),
    (GO, "^fatal error:", Sign::Error),
    // A test of Go fails with any words, behind its place.
    (GO, "_test.go:", Sign::Assertion),
    (JAVA, "AssertionError", Sign::Assertion),
    (JAVA, "AssertionFailedError", Sign::Assertion),
    (JAVA, "ComparisonFailure", Sign::Assertion),
    (JAVA, "MultipleFailuresError", Sign::Assertion),
    (JAVA, "^expected: … but was: ", Sign::Assertion),
    (RUBY, ") Failure:", Sign::Assertion),
    (RUBY, "^Failure:", Sign::Assertion),
    (RUBY, "^Expected", Sign::Assertion),
    (RUBY, "Minitest::Assertion", Sign::Assertion),
];

/// Names that do not exist, as languages say it that look for them at run time.
const NAMES: &[Row] = &[
    (PYTHON, "No module named 'pytest", Sign::NotInstalled),
    (PYTHON, "No module named 'hypothesis", Sign::NotInstalled),
    (PYTHON, "No module named 'parameterized", Sign::NotInstalled),
    (PYTHON, "No module named 'numpy", Sign::NotInstalled),
    // A value is missing, not a name.
    (PYTHON, "^AttributeError: 'NoneType' object", Sign::Error),
    (PYTHON, "^AttributeError", Sign::MissingSymbol),
    (PYTHON, "^NameError", Sign::MissingSymbol),
    (PYTHON, "^ModuleNotFoundError", Sign::MissingSymbol),
    (PYTHON, "^ImportError: cannot import name", Sign::MissingSymbol),
    (PYTHON, "^TypeError: … takes … argument", Sign::Signature),
    (PYTHON, "^TypeError: … missing … required", Sign::Signature),
    (PYTHON, "^TypeError: … unexpected keyword argument", Sign::Signature),
    (ECMA, "Cannot find package '", Sign::NotInstalled),
    (ECMA, "Cannot find module '… imported from", Sign::MissingSymbol),
    (ECMA, "Cannot find module '.", Sign::MissingSymbol),
    (ECMA, "Cannot find module '/", Sign::MissingSymbol),
    (ECMA, "Cannot find module '", Sign::NotInstalled),
    (ECMA, "does not provide an export named", Sign::MissingSymbol),
    // A function that `node:assert` does not have.
    (ECMA, "assert.… is not a function", Sign::Error),
    (ECMA, "is not a function", Sign::MissingSymbol),
    (ECMA, "is not a constructor", Sign::MissingSymbol),
    (ECMA, "is not defined", Sign::MissingSymbol),
    (JAVA, "NoSuchMethodError", Sign::MissingSymbol),
    (JAVA, "NoSuchFieldError", Sign::MissingSymbol),
    (JAVA, "NoClassDefFoundError", Sign::MissingSymbol),
    (JAVA, "ClassNotFoundException", Sign::MissingSymbol),
    (RUBY, "cannot load such file -- rspec", Sign::NotInstalled),
    (RUBY, "cannot load such file -- mocha", Sign::NotInstalled),
    (RUBY, "cannot load such file", Sign::MissingSymbol),
    (RUBY, "LoadError", Sign::MissingSymbol),
    (RUBY, "NoMethodError… for nil", Sign::Error),
    (RUBY, "undefined method … for nil", Sign::Error),
    (RUBY, "NoMethodError", Sign::MissingSymbol),
    (RUBY, "NameError", Sign::MissingSymbol),
    (RUBY, "uninitialized constant", Sign::MissingSymbol),
    (RUBY, "wrong number of arguments", Sign::Signature),
];

/// What Rust writes of a panic. Other languages need no rows: what has no sign is an error.
const ERRORS: &[Row] = &[
    (RUST, "^not yet implemented", Sign::Error),
    (RUST, "^not implemented", Sign::Error),
    (RUST, "^internal error: entered unreachable", Sign::Error),
    (RUST, "^index out of bounds", Sign::Error),
    (RUST, "^range … out of range", Sign::Error),
    (RUST, "^byte index", Sign::Error),
    (RUST, "^slice index", Sign::Error),
    (RUST, "^attempt to ", Sign::Error),
    (RUST, "has overflowed its stack", Sign::Error),
    (RUST, "panicked at", Sign::Panic),
    (RUST, "^Error: ", Sign::Error),
];

/// What compilers say, and what loaders say of a file that they cannot parse.
const BUILD: &[Row] = &[
    (RUST, "error[E043…`rstest", Sign::NotInstalled),
    (RUST, "error[E043…`proptest", Sign::NotInstalled),
    (RUST, "error[E043…`quickcheck", Sign::NotInstalled),
    (RUST, "error[E043…`test_case", Sign::NotInstalled),
    (RUST, "error[E043…`pretty_assertions", Sign::NotInstalled),
    // Also a name with another type or other parameters than the test wants.
    (RUST, "error[E0026]", Sign::MissingSymbol),
    (RUST, "error[E0061]", Sign::MissingSymbol),
    (RUST, "error[E0107]", Sign::MissingSymbol),
    (RUST, "error[E0277]", Sign::MissingSymbol),
    (RUST, "error[E0308]", Sign::MissingSymbol),
    (RUST, "error[E0369]", Sign::MissingSymbol),
    (RUST, "error[E0405]", Sign::MissingSymbol),
    (RUST, "error[E0407]", Sign::MissingSymbol),
    (RUST, "error[E0412]", Sign::MissingSymbol),
    (RUST, "error[E0422]", Sign::MissingSymbol),
    (RUST, "error[E0423]", Sign::MissingSymbol),
    (RUST, "error[E0425]", Sign::MissingSymbol),
    (RUST, "error[E0432]", Sign::MissingSymbol),
    (RUST, "error[E0433]", Sign::MissingSymbol),
    (RUST, "error[E0531]", Sign::MissingSymbol),
    (RUST, "error[E0532]", Sign::MissingSymbol),
    (RUST, "error[E0560]", Sign::MissingSymbol),
    (RUST, "error[E0583]", Sign::MissingSymbol),
    (RUST, "error[E0599]", Sign::MissingSymbol),
    (RUST, "error[E0603]", Sign::MissingSymbol),
    (RUST, "error[E0608]", Sign::MissingSymbol),
    (RUST, "error[E0609]", Sign::MissingSymbol),
    (RUST, "error[E0616]", Sign::MissingSymbol),
    (RUST, "error[E0618]", Sign::MissingSymbol),
    (RUST, "error[E0624]", Sign::MissingSymbol),
    (RUST, "error[E0282]", Sign::Fallout),
    (RUST, "error[E0283]", Sign::Fallout),
    (RUST, "error[E", Sign::Rejected),
    (RUST, "^error: expected ", Sign::Syntax),
    (RUST, "^error: unexpected ", Sign::Syntax),
    (RUST, "unclosed delimiter", Sign::Syntax),
    (RUST, "closing delimiter", Sign::Syntax),
    (RUST, "unterminated", Sign::Syntax),
    (RUST, "unknown start of token", Sign::Syntax),
    (PYTHON, "^SyntaxError", Sign::Syntax),
    (PYTHON, "^IndentationError", Sign::Syntax),
    (PYTHON, "^TabError", Sign::Syntax),
    (ECMA, "TS2582:", Sign::NotInstalled),
    (ECMA, "TS2593:", Sign::NotInstalled),
    (ECMA, "TS1192:", Sign::MissingSymbol),
    (ECMA, "TS2304:", Sign::MissingSymbol),
    (ECMA, "TS2305:", Sign::MissingSymbol),
    (ECMA, "TS2306:", Sign::MissingSymbol),
    (ECMA, "TS2307:", Sign::MissingSymbol),
    (ECMA, "TS2322:", Sign::MissingSymbol),
    (ECMA, "TS2339:", Sign::MissingSymbol),
    (ECMA, "TS2341:", Sign::MissingSymbol),
    (ECMA, "TS2345:", Sign::MissingSymbol),
    (ECMA, "TS2349:", Sign::MissingSymbol),
    (ECMA, "TS2351:", Sign::MissingSymbol),
    (ECMA, "TS2353:", Sign::MissingSymbol),
    (ECMA, "TS2367:", Sign::MissingSymbol),
    (ECMA, "TS2459:", Sign::MissingSymbol),
    (ECMA, "TS2551:", Sign::MissingSymbol),
    (ECMA, "TS2552:", Sign::MissingSymbol),
    (ECMA, "TS2554:", Sign::MissingSymbol),
    (ECMA, "TS2555:", Sign::MissingSymbol),
    (ECMA, "TS2613:", Sign::MissingSymbol),
    (ECMA, "TS2614:", Sign::MissingSymbol),
    (ECMA, "TS2724:", Sign::MissingSymbol),
    (ECMA, "error TS18", Sign::Rejected),
    (ECMA, "error TS1", Sign::Syntax),
    (ECMA, "^SyntaxError", Sign::Syntax),
    (GO, "syntax error", Sign::Syntax),
    (GO, ": expected …, found ", Sign::Syntax),
    (GO, "no required module provides package", Sign::NotInstalled),
    (GO, "is not in std", Sign::NotInstalled),
    (GO, "imported and not used", Sign::Rejected),
    (GO, "declared and not used", Sign::Rejected),
    (GO, "undefined (type *testing.", Sign::Rejected),
    (GO, "undefined: ", Sign::MissingSymbol),
    (GO, " undefined (", Sign::MissingSymbol),
    (GO, "has no field or method", Sign::MissingSymbol),
    (GO, "unknown field", Sign::MissingSymbol),
    (GO, "not enough arguments", Sign::MissingSymbol),
    (GO, "too many arguments", Sign::MissingSymbol),
    (GO, "cannot use", Sign::MissingSymbol),
    (GO, "assignment mismatch", Sign::MissingSymbol),
    (GO, "mismatched types", Sign::MissingSymbol),
    (GO, "used as value", Sign::MissingSymbol),
    (JAVA, "package org.junit… does not exist", Sign::NotInstalled),
    (JAVA, "package org.assertj… does not exist", Sign::NotInstalled),
    (JAVA, "package org.hamcrest… does not exist", Sign::NotInstalled),
    (JAVA, "package … does not exist", Sign::MissingSymbol),
    (JAVA, "cannot find symbol", Sign::MissingSymbol),
    (JAVA, "cannot be applied to", Sign::MissingSymbol),
    (JAVA, "no suitable ", Sign::MissingSymbol),
    (JAVA, "incompatible types", Sign::MissingSymbol),
    (JAVA, "incomparable types", Sign::MissingSymbol),
    (JAVA, "bad operand types", Sign::MissingSymbol),
    (JAVA, "has private access in", Sign::MissingSymbol),
    (JAVA, "is not public in", Sign::MissingSymbol),
    (JAVA, "from a static context", Sign::MissingSymbol),
    (JAVA, " expected", Sign::Syntax),
    (JAVA, "reached end of file while parsing", Sign::Syntax),
    (JAVA, "illegal start of", Sign::Syntax),
    (JAVA, "not a statement", Sign::Syntax),
    (JAVA, "unclosed ", Sign::Syntax),
    (RUBY, "syntax error", Sign::Syntax),
    (RUBY, "SyntaxError", Sign::Syntax),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_words_stand_in_order_and_may_be_anchored() {
        let check = |line: &str, words: &str, expected: bool| {
            assert_eq!(says(line, words), expected, "{words}");
        };
        check("NameError: name 'x'", "^NameError", true);
        check("raise NameError", "^NameError", false);
        check("package a.b does not exist", "package … does not exist", true);
        check("does not exist package a.b", "package … does not exist", false);
        check("", "^a", false);
    }

    #[test]
    fn ka2_no_row_is_hidden_by_one_above_it() {
        for table in [FAILURES, NAMES, ERRORS, BUILD] {
            for (at, (languages, words, _)) in table.iter().enumerate() {
                let plain = words.trim_start_matches('^');
                let above = table[..at]
                    .iter()
                    .find(|(others, above, _)| others == languages && says(plain, above));
                assert!(above.is_none(), "{words} never counts: {above:?} is above it");
            }
        }
    }
}
