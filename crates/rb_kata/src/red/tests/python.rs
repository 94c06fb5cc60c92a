//! `python -m unittest`, and pytest where a project has it.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest =
    NewTest { language: Language::Python, path: "tests/test_roman.py", name: "test_two" };

/// One failure of unittest.
fn failure(kind: &str, traceback: &str) -> String {
    format!(
        "test_one (tests.test_roman.T.test_one) ... ok\n\
         test_two (tests.test_roman.T.test_two) ... {kind}\n\n{rule}\n\
         {kind}: test_two (tests.test_roman.T.test_two)\n{line}\n\
         Traceback (most recent call last):\n{traceback}\n\n{line}\nRan 2 tests in 0.001s\n\n\
         FAILED ({kind}=1)\n",
        rule = "=".repeat(70),
        line = "-".repeat(70),
    )
}

const IN_TEST: &str = "  File \"/w/tests/test_roman.py\", line 9, in test_two\n    roman(2)\n";
const IN_CODE: &str = "  File \"/w/roman.py\", line 2, in roman\n    return DIGITS[n]\n";

#[test]
fn ka2_python_failures() {
    let check = |kind: &str, frames: &[&str], error: &str, expected: &str| {
        TEST.fails(&failure(kind, &format!("{}{error}", frames.concat())), expected);
    };
    check("FAIL", &[IN_TEST], "AssertionError: 'I' != 'II'\n- I\n+ II", "assertion failed");
    check("FAIL", &[IN_TEST], "AssertionError: ValueError not raised", "assertion failed");
    check("ERROR", &[IN_TEST], "NameError: name 'roman' is not defined", "missing symbol");
    check(
        "ERROR",
        &[IN_TEST],
        "AttributeError: 'Roman' object has no attribute 'value'",
        "missing symbol",
    );
    check(
        "ERROR",
        &[IN_TEST],
        "AttributeError: 'T' object has no attribute 'asertEqual'",
        "refused: the test calls `asertEqual`, which is no assertion of the test library. Check how \
         it is spelled",
    );
    check(
        "ERROR",
        &[IN_TEST, IN_CODE],
        "IndexError: list index out of range",
        "error in the code under test",
    );
    check("ERROR", &[IN_TEST, IN_CODE], "NotImplementedError", "error in the code under test");
    check(
        "ERROR",
        &[IN_TEST],
        "TypeError: roman() takes 0 positional arguments but 1 was given",
        "error in the code under test",
    );
    check(
        "ERROR",
        &[IN_TEST],
        "TypeError: can only concatenate str (not \"int\") to str",
        "refused: the test itself raises an error at `/w/tests/test_roman.py:9`: TypeError: can only \
         concatenate str (not \"int\") to str. It must fail by an assertion or in the code under test",
    );
    check(
        "ERROR",
        &[IN_TEST],
        "AttributeError: 'NoneType' object has no attribute 'value'",
        "refused: the test itself raises an error at `/w/tests/test_roman.py:9`: AttributeError: \
         'NoneType' object has no attribute 'value'. It must fail by an assertion or in the code \
         under test",
    );
}

#[test]
fn ka2_pytest_failures() {
    TEST.fails(
        "______ test_two ______\n\n    def test_two():\n>       assert roman(2) == \"II\"\n\
         E       AssertionError: assert 'I' == 'II'\n\ntests/test_roman.py:9: AssertionError\n",
        "assertion failed",
    );
    TEST.fails(
        "______ test_two ______\n\n>       return DIGITS[n]\nE       KeyError: 2\n\n\
         roman.py:2: KeyError\n",
        "error in the code under test",
    );
}

/// A module that unittest could not import.
fn unloaded(frames: &str, error: &str) -> String {
    format!(
        "{rule}\nERROR: test_roman (unittest.loader._FailedTest.test_roman)\n{line}\n\
         ImportError: Failed to import test module: test_roman\n\
         Traceback (most recent call last):\n  \
         File \"/usr/lib/python3.11/unittest/loader.py\", line 419, in _find_test_path\n    \
         module = self._get_module_from_name(name)\n{frames}{error}\n\n\n{line}\n\
         Ran 1 test in 0.000s\n\nFAILED (errors=1)\n",
        rule = "=".repeat(70),
        line = "-".repeat(70),
    )
}

#[test]
fn ka2_python_modules_that_cannot_be_loaded() {
    let check = |frames: &str, error: &str, expected: &str| {
        TEST.does_not_build(&unloaded(frames, error), expected);
    };
    let import =
        "  File \"/w/tests/test_roman.py\", line 2, in <module>\n    from roman import f\n";
    let older = "  File \"/w/tests/test_older.py\", line 2, in <module>\n    from roman import f\n";
    let syntax = "  File \"/w/tests/test_roman.py\", line 5\n    def test_two(self)\n";
    let code = "  File \"/w/roman.py\", line 5\n    def f(\n";
    let name = "ImportError: cannot import name 'f' from 'roman' (/w/roman.py)";
    check(import, name, "missing symbol");
    check(import, "ModuleNotFoundError: No module named 'roman'", "missing symbol");
    check(
        import,
        "ModuleNotFoundError: No module named 'pytest'",
        "refused: the test needs a library that is not installed: ModuleNotFoundError: No module \
         named 'pytest'. Use only what the project has",
    );
    check(
        syntax,
        "SyntaxError: expected ':'",
        "refused: the test has a syntax error at `/w/tests/test_roman.py:5`: SyntaxError: expected ':'",
    );
    check(
        syntax,
        "IndentationError: unexpected indent",
        "refused: the test has a syntax error at `/w/tests/test_roman.py:5`: IndentationError: \
         unexpected indent",
    );
    check(
        code,
        "SyntaxError: '(' was never closed",
        "refused: the project does not build: `/w/roman.py:5`: SyntaxError: '(' was never closed",
    );
    check(
        older,
        name,
        "refused: the new test breaks another file: `/w/tests/test_older.py:2`: ImportError: cannot \
         import name 'f' from 'roman' (/w/roman.py)",
    );
    check(
        import,
        "ValueError: not a number",
        "refused: the test does not build at `/w/tests/test_roman.py:2`, whatever the implementation \
         is: ValueError: not a number",
    );
}

#[test]
fn ka2_a_module_may_fail_to_load_while_others_run() {
    let import =
        "  File \"/w/tests/test_roman.py\", line 2, in <module>\n    from roman import f\n";
    let output = unloaded(import, "ImportError: cannot import name 'f' from 'roman' (/w/roman.py)");
    let verdict = crate::suite::SuiteVerdict::Red;
    let run = super::run(verdict, &["tests.test_older.T › test_old"], &[], &output);
    TEST.check(&run, &["tests.test_older.T › test_old"], "missing symbol");
}
