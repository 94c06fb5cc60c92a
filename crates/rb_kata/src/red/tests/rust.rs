//! `cargo test`.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest =
    NewTest { language: Language::Rust, path: "tests/roman.rs", name: "two_is_ii" };

#[test]
fn ka2_rust_failures() {
    TEST.fails_with(
        "\nthread 'two_is_ii' panicked at tests/roman.rs:9:5:\n\
         assertion `left == right` failed\n  left: \"I\"\n right: \"II\"\n\
         note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
        "assertion failed",
    );
    TEST.fails_with(
        "thread 'two_is_ii' panicked at tests/roman.rs:9:5:\nassertion failed: is_roman(\"II\")\n",
        "assertion failed",
    );
    TEST.fails_with(
        "note: test did not panic as expected at tests/roman.rs:8:4\n",
        "assertion failed",
    );
    TEST.fails_with(
        "thread 'two_is_ii' panicked at tests/roman.rs:9:32:\n\
         called `Result::unwrap()` on an `Err` value: Invalid\n",
        "assertion failed",
    );
    TEST.fails_with(
        "thread 'two_is_ii' panicked at src/lib.rs:2:5:\nnot yet implemented\n",
        "error in the code under test",
    );
    TEST.fails_with(
        "thread 'two_is_ii' panicked at src/lib.rs:4:9:\nunknown digit\n",
        "error in the code under test",
    );
    TEST.fails_with(
        "thread 'two_is_ii' panicked at src/lib.rs:4:9:\n\
         index out of bounds: the len is 0 but the index is 1\n",
        "error in the code under test",
    );
    TEST.fails_with(
        "thread 'two_is_ii' panicked at tests/roman.rs:9:20:\n\
         index out of bounds: the len is 0 but the index is 1\n",
        "refused: the test itself raises an error at `tests/roman.rs:9`: index out of bounds: the \
         len is 0 but the index is 1. It must fail by an assertion or in the code under test",
    );
}

#[test]
fn ka2_rust_failures_without_a_message() {
    TEST.fails(
        "running 2 tests\ntest one_is_i ... ok\ntest two_is_ii ... FAILED\n\nfailures:\n\n\
         ---- two_is_ii stdout ----\n\n\
         thread 'two_is_ii' panicked at tests/roman.rs:9:5:\n\
         assertion `left == right` failed\n  left: \"I\"\n right: \"II\"\n\n\n\
         failures:\n    two_is_ii\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n",
        "assertion failed",
    );
}

/// The first error of rustc, with what cargo writes around it.
fn build(error: &str, place: &str) -> String {
    format!(
        "   Compiling roman v0.1.0\n{error}\n --> {place}\n  |\n9 |     assert_eq!(roman(2), \"II\");\n  \
         |                ^^^^^\n\nerror: could not compile `roman` (test \"roman\") due to 1 previous \
         error\n"
    )
}

#[test]
fn ka2_rust_builds() {
    let check = |error: &str, expected: &str| {
        TEST.does_not_build(&build(error, "tests/roman.rs:9:16"), expected);
    };
    check("error[E0425]: cannot find function `roman` in this scope", "missing symbol");
    check("error[E0432]: unresolved import `roman::to_roman`", "missing symbol");
    check("error[E0599]: no method named `value` found for struct `Roman`", "missing symbol");
    check("error[E0061]: this function takes 0 arguments but 1 was supplied", "missing symbol");
    check("error[E0308]: mismatched types", "missing symbol");
    check("error[E0277]: can't compare `Roman` with `Roman`", "missing symbol");
    check(
        "error[E0432]: unresolved import `rstest`",
        "refused: the test needs a library that is not installed: error[E0432]: unresolved import \
         `rstest`. Use only what the project has",
    );
    check(
        "error[E0382]: borrow of moved value: `roman`",
        "refused: the test does not build at `tests/roman.rs:9`, whatever the implementation is: \
         error[E0382]: borrow of moved value: `roman`",
    );
    check(
        "error[E0282]: type annotations needed",
        "refused: the test does not build at `tests/roman.rs:9`, whatever the implementation is: \
         error[E0282]: type annotations needed",
    );
    check(
        "error: expected one of `.`, `;`, `?`, `}`, or an operator, found `assert_eq`",
        "refused: the test has a syntax error at `tests/roman.rs:9`: error: expected one of `.`, \
         `;`, `?`, `}`, or an operator, found `assert_eq`",
    );
    check(
        "error: this file contains an unclosed delimiter",
        "refused: the test has a syntax error at `tests/roman.rs:9`: error: this file contains an \
         unclosed delimiter",
    );
    let missing = build("error[E0425]: cannot find function `f`", "tests/roman.rs:9:16");
    let fallout = build("error[E0282]: type annotations needed", "tests/roman.rs:10:9");
    TEST.does_not_build(&format!("{fallout}{missing}"), "missing symbol");
    TEST.does_not_build(
        &build("error[E0425]: cannot find function `roman`", "tests/older.rs:4:5"),
        "refused: the new test breaks another file: `tests/older.rs:4`: error[E0425]: cannot find \
         function `roman`",
    );
    TEST.does_not_build(
        &build("error: expected `;`, found `}`", "src/lib.rs:3:5"),
        "refused: the project does not build: `src/lib.rs:3`: error: expected `;`, found `}`",
    );
}

#[test]
fn ka2_rust_shows_the_first_error() {
    let output = build("error[E0425]: cannot find function `roman`", "tests/roman.rs:9:16");
    let run = super::run(crate::suite::SuiteVerdict::NotBuilt, &[], &[], &output);
    expect_test::expect![[r#"
        Red {
            reason: MissingSymbol,
            output: "error[E0425]: cannot find function `roman`\n --> tests/roman.rs:9:16\n  |\n9 |     assert_eq!(roman(2), \"II\");\n  |                ^^^^^",
        }
    "#]]
    .assert_debug_eq(&TEST.judge(&run, &[]));
}
