//! The terminal output of other runners, and how a runner is known.

use expect_test::{Expect, expect};
use rb_reports::{Format, Verdict, read, read_text};

use crate::{check, root, show};

fn check_streams(stdout: &str, stderr: &str, hint: Option<Format>, expected: &Expect) {
    let report = read_text(stdout.as_bytes(), stderr.as_bytes(), hint, root());
    expected.assert_eq(
        &report.map_or_else(|| "nothing is known of it\n".to_owned(), |report| show(&report)),
    );
}

#[test]
fn ve2_nextest_text() {
    check(
        Format::NextestText,
        include_str!("../../fixtures/nextest.txt"),
        &expect![[r#"
        Failed, PerTest: 9 passed, 3 failed, 0 skipped
        ok   demo › tests::adds
        ok   demo › tests::nested::same
        ok   demo › tests::other::same
        ok   demo › tests::panics
        FAIL demo › tests::prints_fails
        ok   demo › tests::prints_lies
        FAIL demo › tests::subtracts
        ok   demo::integration › adds
        ok   demo::integration › uses_it
        ok   demo::zabort › a_fine
        FAIL demo::zabort › b_aborts
        ok   demo::zabort › c_never
    "#]],
    );
}

#[test]
fn ve2_go_text() {
    check(
        Format::GoTestText,
        include_str!("../../fixtures/go-test.txt"),
        &expect![[r#"
            Failed, CountsOnly: 2 passed, 4 failed, 0 skipped
            FAIL example.com/demo/crash › TestPanics
            FAIL example.com/fake › TestSub
            FAIL example.com/fake › TestSub/same#01
            FAIL example.com/fake › TestSubtracts
            !! example.com/demo/bad failed [build failed]
            !! example.com/demo/good failed 0.002s
        "#]],
    );
}

#[test]
fn ve2_go_text_verbose() {
    check(
        Format::GoTestText,
        include_str!("../../fixtures/go-test-v.txt"),
        &expect![[r#"
        Failed, PerTest: 9 passed, 4 failed, 1 skipped
        ok   example.com/demo/cached › TestFine
        ok   example.com/demo/crash › TestFine
        FAIL example.com/demo/crash › TestPanics
        ok   example.com/demo/good › ExampleHello
        ok   example.com/demo/good › TestParallel
        ok   example.com/fake › TestAdds
        skip example.com/fake › TestMultiplies
        ok   example.com/fake › TestPrintsLies
        FAIL example.com/fake › TestSub
        ok   example.com/fake › TestSub/größer_"q"
        ok   example.com/fake › TestSub/inner_one
        ok   example.com/fake › TestSub/same
        FAIL example.com/fake › TestSub/same#01
        FAIL example.com/fake › TestSubtracts
        !! example.com/demo/bad failed [build failed]
        !! example.com/demo/good failed 0.002s
    "#]],
    );
}

#[test]
fn ve2_rspec_text() {
    check(
        Format::RspecText,
        include_str!("../../fixtures/rspec.txt"),
        &expect![[r#"
        Failed, CountsOnly: 4 passed, 2 failed, 2 skipped
        FAIL spec/a_spec.rb › Math nested "deep" same  @spec/a_spec.rb:9
        FAIL spec/a_spec.rb › Math subtracts  @spec/a_spec.rb:3
    "#]],
    );
}

#[test]
fn ve2_rspec_text_with_a_file_that_cannot_be_loaded() {
    check(
        Format::RspecText,
        include_str!("../../fixtures/rspec-broken.txt"),
        &expect![[r#"
        Failed, PerTest: 0 passed, 0 failed, 0 skipped
        !! 1 errors outside of examples An error occurred while loading
    "#]],
    );
}

#[test]
fn ve2_minitest_text() {
    check(
        Format::MinitestText,
        include_str!("../../fixtures/minitest.txt"),
        &expect![[r#"
        Failed, CountsOnly: 2 passed, 2 failed, 1 skipped
        FAIL MathTest › test_error
        FAIL MathTest › test_subtracts
    "#]],
    );
}

#[test]
fn ve2_minitest_text_verbose() {
    check(
        Format::MinitestText,
        include_str!("../../fixtures/minitest-v.txt"),
        &expect![[r#"
        Failed, PerTest: 2 passed, 2 failed, 1 skipped
        ok   MathTest › test_adds
        FAIL MathTest › test_error
        skip MathTest › test_multiplies
        ok   MathTest › test_prints_lies
        FAIL MathTest › test_subtracts
    "#]],
    );
}

#[test]
fn ve2_phpunit_text() {
    check(
        Format::PhpunitText,
        include_str!("../../fixtures/phpunit.txt"),
        &expect![[r#"
        Failed, CountsOnly: 3 passed, 3 failed, 2 skipped
        FAIL MathTest › testData with data set "b"
        FAIL MathTest › testError
        FAIL MathTest › testSubtracts
    "#]],
    );
}

#[test]
fn ve2_phpunit_text_without_a_failure() {
    check(
        Format::PhpunitText,
        include_str!("../../fixtures/phpunit-ok.txt"),
        &expect![[r#"
        Passed, CountsOnly: 1 passed, 0 failed, 0 skipped
    "#]],
    );
}

#[test]
fn ve2_phpunit_text_without_a_test() {
    check(
        Format::PhpunitText,
        include_str!("../../fixtures/phpunit-none.txt"),
        &expect![[r#"
        NoTestRan, PerTest: 0 passed, 0 failed, 0 skipped
    "#]],
    );
}

#[test]
fn ve2_cargo_text_with_output_between() {
    check(
        Format::LibtestText,
        include_str!("../../fixtures/cargo-test-nocapture.txt"),
        &expect![[r#"
        Failed, PerTest: 5 passed, 2 failed, 1 skipped
        ok   demo (src/lib.rs) › tests::adds
        skip demo (src/lib.rs) › tests::multiplies
        ok   demo (src/lib.rs) › tests::nested::same
        ok   demo (src/lib.rs) › tests::other::same
        ok   demo (src/lib.rs) › tests::panics
        FAIL demo (src/lib.rs) › tests::prints_fails
        ok   demo (src/lib.rs) › tests::prints_lies
        FAIL demo (src/lib.rs) › tests::subtracts
    "#]],
    );
}

#[test]
fn ve2_cargo_text_on_two_streams() {
    let stdout = include_str!("../../fixtures/cargo-test.stdout");
    let stderr = include_str!("../../fixtures/cargo-test.stderr");
    check_streams(
        stdout,
        stderr,
        Some(Format::LibtestText),
        &expect![[r#"
            Failed, PerTest: 9 passed, 2 failed, 2 skipped
            ok   demo (src/lib.rs) › fake::direct
            ok   demo (src/lib.rs) › tests::adds
            skip demo (src/lib.rs) › tests::multiplies
            ok   demo (src/lib.rs) › tests::nested::same
            ok   demo (src/lib.rs) › tests::other::same
            ok   demo (src/lib.rs) › tests::panics
            FAIL demo (src/lib.rs) › tests::prints_fails  -- test x ... ok thread 'tests::prints_fails' (6754) panicked a
            ok   demo (src/lib.rs) › tests::prints_lies
            FAIL demo (src/lib.rs) › tests::subtracts  -- thread 'tests::subtracts' (6756) panicked at src/lib.rs:13:3
            ok   doc-tests demo › src/lib.rs - add
            skip doc-tests demo › src/lib.rs - sub
            ok   integration (tests/integration.rs) › adds
            ok   integration (tests/integration.rs) › uses_it
            !! demo (src/lib.rs): the list has 6 passed, 2 failed, 1 skippe
            !! zabort (tests/zabort.rs) stopped before its end
            !! a test program was killed: signal 6, SIGABRT: process abort 
        "#]],
    );
}

#[test]
fn ve2_cargo_text_that_does_not_compile() {
    let stderr = "   Compiling demo v0.1.0
error[E0425]: cannot find value `x` in this scope
error: could not compile `demo` (lib test) due to 1 previous error
";
    check_streams(
        "",
        stderr,
        Some(Format::LibtestText),
        &expect![[r#"
        Failed, PerTest: 0 passed, 0 failed, 0 skipped
        !! error[E0425]: cannot find value `x` in this scope
        !! error: could not compile `demo` (lib test) due to 1 previous
    "#]],
    );
}

#[test]
fn ve2_cargo_text_with_output_glued_to_results() {
    let text = "running 3 tests
test a ... hellook
test b ... ok
worldtest c ... FAILED

failures:

failures:
    c

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
    check(
        Format::LibtestText,
        text,
        &expect![[r#"
        Failed, PerTest: 2 passed, 1 failed, 0 skipped
        ok   program 1 › a
        ok   program 1 › b
        FAIL program 1 › c
    "#]],
    );
}

#[test]
fn ve2_maven_text() {
    check(
        Format::MavenText,
        "[INFO] Running demo.MathTest
Tests run: 9, Failures: 0, Errors: 0, Skipped: 0
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.06 s <<< FAILURE! -- in demo.MathTest
[ERROR] demo.MathTest.subtracts -- Time elapsed: 0.006 s <<< FAILURE!
org.opentest4j.AssertionFailedError: größer
[INFO] Results:
[ERROR] Failures:
[ERROR]   MathTest.subtracts:6 größer
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1
[INFO] Results:
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE
",
        &expect![[r#"
            Failed, CountsOnly: 5 passed, 1 failed, 1 skipped
            FAIL demo.MathTest › subtracts
        "#]],
    );
}

#[test]
fn ve2_maven_text_that_does_not_compile() {
    check(
        Format::MavenText,
        "[INFO] -----\n[ERROR] COMPILATION ERROR : \n[INFO] BUILD FAILURE\n",
        &expect![[r#"
            Failed, PerTest: 0 passed, 0 failed, 0 skipped
            !! COMPILATION ERROR :
        "#]],
    );
}

#[test]
fn ve2_gradle_text() {
    check(
        Format::GradleText,
        "> Task :test FAILED

MathTest > subtracts() FAILED
    org.opentest4j.AssertionFailedError at MathTest.java:7

MathTest > Inner > same() FAILED

8 tests completed, 2 failed, 1 skipped

BUILD FAILED in 3s
",
        &expect![[r#"
            Failed, CountsOnly: 5 passed, 2 failed, 1 skipped
            FAIL MathTest › Inner › same()
            FAIL MathTest › subtracts()
        "#]],
    );
}

#[test]
fn ve2_gradle_text_says_nothing_of_passing_tests() {
    check(
        Format::GradleText,
        "> Task :test\n\nBUILD SUCCESSFUL in 3s\n",
        &expect![[r#"
        no gradle-text report was found in it
    "#]],
    );
}

#[test]
fn ve2_dotnet_text_of_two_assemblies() {
    check(
        Format::DotnetText,
        "  Failed Demo.MathTest.Subtracts [5 ms]
  Error Message:
   Assert.Equal() Failure
  Skipped Demo.MathTest.Multiplies [1 ms]

Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 5 ms - Demo.dll (net8.0)
Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 5 ms - Other.dll (net8.0)
",
        &expect![[r#"
            Failed, CountsOnly: 5 passed, 1 failed, 1 skipped
            FAIL Demo.MathTest › Subtracts
        "#]],
    );
}

#[test]
fn ve2_text_of_no_runner() {
    check_streams(
        "hello\n3 passed\n",
        "warning: x\n",
        None,
        &expect![[r#"
        nothing is known of it
    "#]],
    );
}

#[test]
fn ve2_no_test_ran_is_its_own_verdict() {
    let rows = [
        (Format::JestText, "No tests found, exiting with code 1\nRun with `--passWithNoTests`\n"),
        (Format::VitestText, "\nNo test files found, exiting with code 1\n"),
        (Format::MochaText, "Error: No test files found: \"test\"\n"),
        (Format::MochaText, "\n\n  0 passing (1ms)\n\n"),
        (Format::AvaText, "\n  ✘ Couldn't find any files to test\n"),
        (Format::UnittestText, "\n----\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"),
        (Format::UnittestText, "\n----\nRan 0 tests in 0.000s\n\nOK\n"),
        (Format::NextestText, "    Starting 0 tests across 0 binaries\nerror: no tests to run\n"),
        (Format::GoTestText, "?   \texample.com/demo\t[no test files]\n"),
        (
            Format::LibtestText,
            "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        ),
        (Format::RspecText, "No examples found.\n\n0 examples, 0 failures\n"),
        (Format::MavenText, "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"),
        (Format::DotnetText, "No test is available in /repo/bin/Demo.dll. Make sure\n"),
    ];
    for (format, text) in rows {
        let report = read(format, text.as_bytes(), root()).expect("the format is known");
        assert_eq!(report.verdict(), Verdict::NoTestRan, "{format:?}: {text}");
    }
}

/// Every text fixture, found without a hint: a test of each printed the closing lines of other runners.
#[test]
fn ve2_the_runner_is_known_by_its_last_words() {
    let rows = [
        (Format::JestText, include_str!("../../fixtures/jest.txt")),
        (Format::VitestText, include_str!("../../fixtures/vitest.txt")),
        (Format::MochaText, include_str!("../../fixtures/mocha.txt")),
        (Format::AvaText, include_str!("../../fixtures/ava.txt")),
        (Format::NodeText, include_str!("../../fixtures/node.txt")),
        (Format::PytestText, include_str!("../../fixtures/pytest.txt")),
        (Format::UnittestText, include_str!("../../fixtures/unittest.txt")),
        (Format::NextestText, include_str!("../../fixtures/nextest.txt")),
        (Format::GoTestText, include_str!("../../fixtures/go-test.txt")),
        (Format::RspecText, include_str!("../../fixtures/rspec.txt")),
        (Format::MinitestText, include_str!("../../fixtures/minitest.txt")),
        (Format::PhpunitText, include_str!("../../fixtures/phpunit.txt")),
        (Format::LibtestText, include_str!("../../fixtures/cargo-test-nocapture.txt")),
    ];
    for (format, text) in rows {
        let known = read(format, text.as_bytes(), root()).expect("the fixture is of this format");
        let found = read_text(text.as_bytes(), b"", None, root());
        assert_eq!(found.as_ref(), Some(&known), "{format:?}");
    }
}
