//! `go test`, with and without `-v`.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest = NewTest { language: Language::Go, path: "roman_test.go", name: "TestTwo" };

fn panic(frames: &str) -> String {
    format!(
        "--- FAIL: TestTwo (0.00s)\n\
         panic: runtime error: index out of range [2] with length 2 [recovered]\n\n\
         goroutine 7 [running]:\ntesting.tRunner.func1.2({{0x50e340, 0xc000012150}})\n\
         \t/usr/local/go/src/testing/testing.go:1632 +0x230\npanic({{0x50e340?, 0xc000012150?}})\n\
         \t/usr/local/go/src/runtime/panic.go:785 +0x132\n{frames}FAIL\texample.com/roman\t0.004s\nFAIL\n"
    )
}

#[test]
fn ka2_go_failures() {
    TEST.fails(
        "--- FAIL: TestTwo (0.00s)\n    roman_test.go:9: got \"I\", want \"II\"\nFAIL\n",
        "assertion failed",
    );
    TEST.fails(
        "=== RUN   TestOne\n--- PASS: TestOne (0.00s)\n=== RUN   TestTwo\n    \
         roman_test.go:9: got \"I\", want \"II\"\n--- FAIL: TestTwo (0.00s)\nFAIL\n",
        "assertion failed",
    );
    TEST.fails(
        &panic(
            "example.com/roman.ToRoman(...)\n\t/w/roman.go:5\n\
             example.com/roman.TestTwo(0xc0000b2680)\n\t/w/roman_test.go:8 +0x1d\n",
        ),
        "error in the code under test",
    );
    TEST.fails(
        &panic("example.com/roman.TestTwo(0xc0000b2680)\n\t/w/roman_test.go:8 +0x1d\n"),
        "refused: the test itself raises an error at `/w/roman_test.go:8`: panic: runtime error: \
         index out of range [2] with length 2 [recovered]. It must fail by an assertion or in the \
         code under test",
    );
}

#[test]
fn ka2_go_builds() {
    let check = |error: &str, expected: &str| {
        let output = format!(
            "# example.com/roman [example.com/roman.test]\n{error}\n\
             FAIL\texample.com/roman [build failed]\nFAIL\n"
        );
        TEST.does_not_build(&output, expected);
    };
    check("./roman_test.go:8:12: undefined: ToRoman", "missing symbol");
    check(
        "./roman_test.go:8:7: roman.Value undefined (type Roman has no field or method Value)",
        "missing symbol",
    );
    check(
        "./roman_test.go:8:5: t.Erorf undefined (type *testing.T has no field or method Erorf)",
        "refused: the test does not build at `roman_test.go:8`, whatever the implementation is: \
         t.Erorf undefined (type *testing.T has no field or method Erorf)",
    );
    check("./roman_test.go:8:20: not enough arguments in call to ToRoman", "missing symbol");
    check("./roman_test.go:8:20: too many arguments in call to ToRoman", "missing symbol");
    check(
        "./roman_test.go:8:20: cannot use 2 (untyped int constant) as string value in argument",
        "missing symbol",
    );
    check(
        "./roman_test.go:8:12: assignment mismatch: 2 variables but ToRoman returns 1 value",
        "missing symbol",
    );
    check(
        "./roman_test.go:4:2: \"fmt\" imported and not used",
        "refused: the test does not build at `roman_test.go:4`, whatever the implementation is: \
         \"fmt\" imported and not used",
    );
    check(
        "./roman_test.go:8:2: declared and not used: got\n./roman_test.go:8:9: undefined: ToRoman",
        "refused: the test does not build at `roman_test.go:8`, whatever the implementation is: \
         declared and not used: got",
    );
    check(
        "./roman_test.go:9:1: syntax error: non-declaration statement outside function body",
        "refused: the test has a syntax error at `roman_test.go:9`: syntax \
         error: non-declaration statement outside function body",
    );
    check(
        "roman_test.go:9:1: expected declaration, found got",
        "refused: the test has a syntax error at `roman_test.go:9`: expected \
         declaration, found got",
    );
    check(
        "./roman.go:3:1: missing return",
        "refused: the project does not build: `roman.go:3`: missing return",
    );
}
