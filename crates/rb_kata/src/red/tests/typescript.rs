//! `tsc`, plain and pretty. At run time TypeScript fails as JavaScript does.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest =
    NewTest { language: Language::TypeScript, path: "test/roman.test.ts", name: "two is II" };

#[test]
fn ka2_typescript_builds() {
    let check = |error: &str, expected: &str| {
        TEST.does_not_build(&format!("test/roman.test.ts(3,10): {error}\n"), expected);
    };
    check(
        "error TS2305: Module '\"../src/roman\"' has no exported member 'toRoman'.",
        "missing symbol",
    );
    check("error TS2304: Cannot find name 'toRoman'.", "missing symbol");
    check(
        "error TS2307: Cannot find module '../src/roman' or its corresponding type declarations.",
        "missing symbol",
    );
    check("error TS2339: Property 'value' does not exist on type 'Roman'.", "missing symbol");
    check("error TS2554: Expected 0 arguments, but got 1.", "missing symbol");
    check(
        "error TS2307: Cannot find module 'vitest' or its corresponding type declarations.",
        "refused: the test needs a library that is not installed: error TS2307: Cannot find module \
         'vitest' or its corresponding type declarations. Use only what the project has",
    );
    check(
        "error TS1005: ')' expected.",
        "refused: the test has a syntax error at `test/roman.test.ts:3`: error TS1005: ')' \
         expected",
    );
    check(
        "error TS18048: 'roman' is possibly 'undefined'.",
        "refused: the test does not build at `test/roman.test.ts:3`, whatever the implementation is: \
         error TS18048: 'roman' is possibly 'undefined'",
    );
    TEST.does_not_build(
        "test/roman.test.ts:3:10 - error TS2551: Property 'ad' does not exist on type 'R'.\n\n3   ad\n",
        "missing symbol",
    );
    TEST.does_not_build(
        "src/roman.ts(1,5): error TS1109: Expression expected.\n",
        "refused: the project does not build: `src/roman.ts:1`: error TS1109: Expression \
         expected",
    );
}

#[test]
fn ka2_typescript_failures() {
    TEST.fails(
        "✖ two is II (0.5ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n",
        "assertion failed",
    );
    TEST.fails("✖ two is II (0.5ms)\n  TypeError: roman.add is not a function\n", "missing symbol");
}
