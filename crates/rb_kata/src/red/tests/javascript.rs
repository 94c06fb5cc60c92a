//! `node --test`, with the reporters `tap` and `spec`.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest =
    NewTest { language: Language::JavaScript, path: "test/roman.test.mjs", name: "two is II" };

/// A failure in TAP; `frame` is where the error arose.
fn tap(error: &str, frame: &str) -> String {
    format!(
        "TAP version 13\n# Subtest: one is I\nok 1 - one is I\n  ---\n  duration_ms: 0.4\n  ...\n\
         # Subtest: two is II\nnot ok 2 - two is II\n  ---\n  duration_ms: 0.2\n  \
         location: '/w/test/roman.test.mjs:9:1'\n  failureType: 'testCodeFailure'\n{error}  \
         stack: |-\n    {frame}\n    Test.run (node:internal/test_runner/test:796:25)\n  ...\n1..2\n"
    )
}

const IN_TEST: &str = "TestContext.<anonymous> (file:///w/test/roman.test.mjs:10:3)";
const IN_CODE: &str = "toRoman (file:///w/src/roman.mjs:3:9)";

#[test]
fn ka2_javascript_failures() {
    let check = |error: &str, frame: &str, expected: &str| TEST.fails(&tap(error, frame), expected);
    check(
        "  error: |-\n    Expected values to be strictly equal:\n    + actual - expected\n  \
         code: 'ERR_ASSERTION'\n  name: 'AssertionError'\n  operator: 'strictEqual'\n",
        IN_TEST,
        "assertion failed",
    );
    check(
        "  error: 'assert.equals is not a function'\n  name: 'TypeError'\n",
        IN_TEST,
        "refused: the test itself raises an error at `/w/test/roman.test.mjs:10`: error: \
         'assert.equals is not a function'. It must fail by an assertion or in the code under test",
    );
    check("  error: 'toRoman is not a function'\n  name: 'TypeError'\n", IN_TEST, "missing symbol");
    check(
        "  error: 'toRoman is not defined'\n  name: 'ReferenceError'\n",
        IN_TEST,
        "missing symbol",
    );
    check("  error: 'unknown digit'\n  name: 'Error'\n", IN_CODE, "error in the code under test");
    check(
        "  error: \"Cannot read properties of null (reading 'x')\"\n  name: 'TypeError'\n",
        IN_CODE,
        "error in the code under test",
    );
    TEST.fails_with(
        "failureType: 'testCodeFailure'\nerror: |-\nExpected values to be strictly equal:\n\
         expected: 'II'\nactual: 'I'\noperator: 'strictEqual'\n",
        "assertion failed",
    );
}

#[test]
fn ka2_javascript_errors_of_the_test_itself() {
    TEST.fails(
        "✖ two is II (0.5ms)\n  TypeError: Cannot read properties of undefined (reading 'length')\n      \
         at TestContext.<anonymous> (file:///w/test/roman.test.mjs:10:3)\n      \
         at Test.run (node:internal/test_runner/test:796:25)\n\nℹ tests 2\nℹ pass 1\nℹ fail 1\n",
        "refused: the test itself raises an error at `/w/test/roman.test.mjs:10`: TypeError: Cannot \
         read properties of undefined (reading 'length'). It must fail by an assertion or in the \
         code under test",
    );
}

#[test]
fn ka2_javascript_modules_that_cannot_be_loaded() {
    let at_line_3 = |error: &str| {
        format!(
            "file:///w/test/roman.test.mjs:3\nimport {{ toRoman }} from '../src/roman.mjs';\n         \
             ^^^^^^^\n{error}\n    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)\n\
             \nNode.js v22.1.0\n✖ test/roman.test.mjs (40ms)\n  'test failed'\n"
        )
    };
    let named = at_line_3(
        "SyntaxError: The requested module '../src/roman.mjs' does not provide an export named \
         'toRoman'",
    );
    TEST.does_not_build(&named, "missing symbol");
    let commented = format!("# {}\n", named.trim_end().replace('\n', "\n# "));
    TEST.does_not_build(&commented, "missing symbol");
    TEST.does_not_build(
        &at_line_3("SyntaxError: Unexpected token '}'"),
        "refused: the test has a syntax error at `/w/test/roman.test.mjs:3`: SyntaxError: Unexpected \
         token '}'",
    );
    TEST.does_not_build(
        "node:internal/modules/esm/resolve:283\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\n\
         Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/w/src/roman.mjs' imported from \
         /w/test/roman.test.mjs\n    at finalizeResolution (node:internal/modules/esm/resolve:283:11)\n",
        "missing symbol",
    );
    TEST.does_not_build(
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chai' imported from \
         /w/test/roman.test.mjs\n    at packageResolve (node:internal/modules/esm/resolve:838:9)\n",
        "refused: the test needs a library that is not installed: Error [ERR_MODULE_NOT_FOUND]: \
         Cannot find package 'chai' imported from /w/test/roman.test.mjs. Use only what the project \
         has",
    );
}
