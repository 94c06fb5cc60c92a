//! `javac`, Maven's form of it, and stack traces.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest =
    NewTest { language: Language::Java, path: "src/test/java/RomanTest.java", name: "twoIsIi" };

#[test]
fn ka2_java_failures() {
    TEST.fails_with(
        "org.opentest4j.AssertionFailedError: expected: <II> but was: <I>\n\
         \tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)\n\
         \tat RomanTest.twoIsIi(RomanTest.java:12)\n",
        "assertion failed",
    );
    TEST.fails(
        "FAIL twoIsIi\njava.lang.AssertionError: expected II but was I\n\
         \tat RomanTest.twoIsIi(RomanTest.java:12)\n",
        "assertion failed",
    );
    TEST.fails_with(
        "java.lang.ArrayIndexOutOfBoundsException: Index 2 out of bounds for length 2\n\
         \tat Roman.of(Roman.java:4)\n\tat RomanTest.twoIsIi(RomanTest.java:12)\n",
        "error in the code under test",
    );
    TEST.fails_with(
        "java.lang.NoSuchMethodError: 'java.lang.String Roman.of(int)'\n\
         \tat RomanTest.twoIsIi(RomanTest.java:12)\n",
        "missing symbol",
    );
    TEST.fails_with(
        "java.lang.NumberFormatException: For input string: \"x\"\n\
         \tat java.base/java.lang.Integer.parseInt(Integer.java:652)\n\
         \tat RomanTest.twoIsIi(RomanTest.java:12)\n",
        "refused: the test itself raises an error at `RomanTest.java:12`: \
         java.lang.NumberFormatException: For input string: \"x\". It must fail by an assertion or in \
         the code under test",
    );
}

#[test]
fn ka2_java_builds() {
    let check = |error: &str, expected: &str| {
        let output = format!(
            "src/test/java/RomanTest.java:8: error: {error}\n        check(Roman.of(2), \"II\");\n\
             \x20             ^\n1 error\n"
        );
        TEST.does_not_build(&output, expected);
    };
    check("cannot find symbol", "missing symbol");
    check("package roman does not exist", "missing symbol");
    check("method of in class Roman cannot be applied to given types;", "missing symbol");
    check("incompatible types: String cannot be converted to int", "missing symbol");
    check(
        "package org.junit.jupiter.api does not exist",
        "refused: the test needs a library that is not installed: \
         error: package org.junit.jupiter.api does not exist. Use only what the project has",
    );
    check(
        "';' expected",
        "refused: the test has a syntax error at `src/test/java/RomanTest.java:8`: \
         error: ';' expected",
    );
    check(
        "class, interface, enum, or record expected",
        "refused: the test has a syntax error at `src/test/java/RomanTest.java:8`: \
         error: class, interface, enum, or record expected",
    );
    check(
        "reached end of file while parsing",
        "refused: the test has a syntax error at `src/test/java/RomanTest.java:8`: \
         error: reached end of file while parsing",
    );
    check(
        "variable roman is already defined in method twoIsIi()",
        "refused: the test does not build at `src/test/java/RomanTest.java:8`, whatever the \
         implementation is: error: variable roman is already defined \
         in method twoIsIi()",
    );
    TEST.does_not_build(
        "[ERROR] /w/src/test/java/RomanTest.java:[8,20] cannot find symbol\n",
        "missing symbol",
    );
    TEST.does_not_build(
        "src/main/java/Roman.java:3: error: missing return statement\n",
        "refused: the project does not build: `src/main/java/Roman.java:3`: error: missing \
         return statement",
    );
}
