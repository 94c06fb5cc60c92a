//! minitest, and what `ruby` says of a file that it cannot load.

use rb_lang::Language;

use super::NewTest;

const TEST: NewTest =
    NewTest { language: Language::Ruby, path: "test/test_roman.rb", name: "test_two" };

fn failure(text: &str) -> String {
    format!(
        "Run options: --seed 1\n\n# Running:\n\n.F\n\nFinished in 0.001s\n\n{text}\n\n\
         2 runs, 2 assertions, 1 failures, 0 errors, 0 skips\n"
    )
}

#[test]
fn ka2_ruby_failures() {
    let check = |text: &str, expected: &str| TEST.fails(&failure(text), expected);
    check(
        "  1) Failure:\nTestRoman#test_two [test/test_roman.rb:9]:\n--- expected\n+++ actual\n\
         @@ -1 +1 @@\n-\"II\"\n+\"I\"",
        "assertion failed",
    );
    check(
        "  1) Failure:\nTestRoman#test_two [test/test_roman.rb:9]:\nExpected: \"II\"\n  Actual: \"I\"",
        "assertion failed",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nNoMethodError: undefined method `of' for Roman:Class\n    \
         test/test_roman.rb:9:in `test_two'",
        "missing symbol",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nNameError: uninitialized constant TestRoman::Roman\n    \
         test/test_roman.rb:9:in `test_two'",
        "missing symbol",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nNoMethodError: undefined method `roman' for #<TestRoman>\n    \
         test/test_roman.rb:9:in `test_two'",
        "missing symbol",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nNoMethodError: undefined method `asert_equal' for #<TestRoman>\n\n    \
         asert_equal \"II\", roman(2)\n    ^^^^^^^^^^^\nDid you mean?  assert_equal\n    \
         test/test_roman.rb:9:in `test_two'",
        "refused: the test calls `asert_equal`, which is no assertion of the test library. Check how \
         it is spelled",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nZeroDivisionError: divided by 0\n    \
         lib/roman.rb:3:in `/'\n    test/test_roman.rb:9:in `test_two'",
        "error in the code under test",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nArgumentError: wrong number of arguments (given 1, expected 0)\n    \
         lib/roman.rb:2:in `of'\n    test/test_roman.rb:9:in `test_two'",
        "error in the code under test",
    );
    check(
        "  1) Error:\nTestRoman#test_two:\nNoMethodError: undefined method `size' for nil\n    \
         test/test_roman.rb:9:in `test_two'",
        "refused: the test itself raises an error at `test/test_roman.rb:9`: NoMethodError: undefined \
         method `size' for nil. It must fail by an assertion or in the code under test",
    );
}

#[test]
fn ka2_ruby_files_that_cannot_be_loaded() {
    let check = |output: &str, expected: &str| TEST.does_not_build(output, expected);
    check(
        "test/test_roman.rb:2:in `require_relative': cannot load such file -- /w/lib/roman (LoadError)\n\
         \tfrom test/test_roman.rb:2:in `<main>'\n",
        "missing symbol",
    );
    check(
        "<internal:/usr/lib/ruby/rubygems/core_ext/kernel_require.rb>:37:in `require': cannot load \
         such file -- roman (LoadError)\n\tfrom test/test_roman.rb:2:in `<main>'\n",
        "missing symbol",
    );
    check(
        "test/test_roman.rb:4:in `<main>': uninitialized constant Roman (NameError)\n",
        "missing symbol",
    );
    check(
        "test/test_roman.rb:2:in `require': cannot load such file -- rspec (LoadError)\n",
        "refused: the test needs a library that is not installed: \
         cannot load such file -- rspec (LoadError). Use only what the project has",
    );
    check(
        "test/test_roman.rb:9: syntax error, unexpected end-of-input, expecting `end' (SyntaxError)\n",
        "refused: the test has a syntax error at `test/test_roman.rb:9`: syntax \
         error, unexpected end-of-input, expecting `end' (SyntaxError)",
    );
    check(
        "lib/roman.rb:3: syntax error, unexpected end-of-input (SyntaxError)\n",
        "refused: the project does not build: `lib/roman.rb:3`: syntax error, \
         unexpected end-of-input (SyntaxError)",
    );
}
