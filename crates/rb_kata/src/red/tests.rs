//! What the usual tools print, one table a language, and what it says about a new test.

mod go;
mod java;
mod javascript;
mod python;
mod ruby;
mod rust;
mod typescript;

use proptest::prelude::*;

use super::*;
use crate::suite::FailedTest;

/// A new test. Runs of it are checked one row at a time.
struct NewTest {
    language: Language,
    path: &'static str,
    name: &'static str,
}

impl NewTest {
    /// The command failed before any test ran.
    fn does_not_build(&self, output: &str, expected: &str) {
        self.check(&run(SuiteVerdict::NotBuilt, &[], &[], output), &[], expected);
    }

    /// It failed, and the report has no message.
    fn fails(&self, output: &str, expected: &str) {
        self.check(&run(SuiteVerdict::Red, &[], &[(self.name, "")], output), &[], expected);
    }

    /// It failed with this message in the report.
    fn fails_with(&self, message: &str, expected: &str) {
        self.check(&run(SuiteVerdict::Red, &[], &[(self.name, message)], ""), &[], expected);
    }

    fn check(&self, run: &SuiteRun, earlier: &[&str], expected: &str) {
        assert_eq!(first_line(&self.judge(run, earlier)), expected, "{}", run.output);
    }

    fn judge(&self, run: &SuiteRun, earlier: &[&str]) -> NewTestVerdict {
        let new = WrittenTest {
            path: self.path.to_owned(),
            name: self.name.to_owned(),
            line: 1,
            text: String::new(),
            asserts: true,
            is_skipped: false,
        };
        let earlier: Vec<String> = earlier.iter().map(|&id| id.to_owned()).collect();
        judge(self.language, run, &new, &earlier)
    }
}

fn run(verdict: SuiteVerdict, passed: &[&str], failed: &[(&str, &str)], output: &str) -> SuiteRun {
    let failed_test = |&(id, message): &(&str, &str)| FailedTest {
        id: id.to_owned(),
        message: message.to_owned(),
    };
    SuiteRun {
        verdict,
        passed: passed.iter().map(|&id| id.to_owned()).collect(),
        failed: failed.iter().map(failed_test).collect(),
        skipped: Vec::new(),
        output: output.to_owned(),
        ms: 1,
    }
}

fn first_line(verdict: &NewTestVerdict) -> String {
    match verdict {
        NewTestVerdict::Red { reason, .. } => reason.words().to_owned(),
        NewTestVerdict::Passed => "passed".to_owned(),
        NewTestVerdict::Refused(why) => {
            format!("refused: {}", why.lines().next().unwrap_or_default())
        }
    }
}

const PYTHON: NewTest =
    NewTest { language: Language::Python, path: "test_roman.py", name: "test_two" };
const FIRST: &str = "test_roman.T › test_one";
const SECOND: &str = "test_roman.T › test_two";
const ASSERTION: &str = "AssertionError: 'I' != 'II'";
const MISSING: &str = "AttributeError: module 'roman' has no attribute 'to_roman'";

#[test]
fn ka2_a_test_that_passes_is_passed() {
    let check = |run: &SuiteRun, expected: &str| PYTHON.check(run, &[FIRST], expected);
    check(&run(SuiteVerdict::Green, &[FIRST, SECOND], &[], ""), "passed");
    check(
        &run(SuiteVerdict::Green, &[FIRST], &[], ""),
        "refused: the test runner did not run `test_two`: check how the project's tests are found \
         (file name, class, test name, attribute)",
    );
    let mut skipped = run(SuiteVerdict::Green, &[FIRST], &[], "");
    skipped.skipped = vec![SECOND.to_owned()];
    check(&skipped, "refused: `test_two` is skipped; a new test must run");
    check(
        &run(SuiteVerdict::Red, &[SECOND], &[(FIRST, ASSERTION)], ""),
        "refused: `test_two` passes, but other tests fail: test_roman.T › test_one",
    );
}

#[test]
fn ka2_a_red_test_leaves_earlier_ones_green() {
    let check = |passed: &[&str], failed: &[(&str, &str)], expected: &str| {
        PYTHON.check(&run(SuiteVerdict::Red, passed, failed, ""), &[FIRST], expected);
    };
    let broken = "refused: the new test breaks earlier tests: test_roman.T › test_one";
    check(&[FIRST], &[(SECOND, ASSERTION)], "assertion failed");
    check(&[], &[(FIRST, ASSERTION), (SECOND, ASSERTION)], broken);
    check(&[], &[(SECOND, ASSERTION)], broken);
    // The file as a whole needs the symbol.
    check(&[], &[(FIRST, MISSING), (SECOND, MISSING)], "missing symbol");
    check(&[], &[(SECOND, MISSING)], "missing symbol");
    check(&[], &[(FIRST, "NameError: name 'x' is not defined"), (SECOND, MISSING)], broken);
    // The error ended the program before the earlier test had its turn.
    check(&[], &[(SECOND, "ZeroDivisionError: division by zero")], "error in the code under test");
}

#[test]
fn ka9_a_run_without_results_is_refused() {
    let check = |verdict: SuiteVerdict, expected: &str| {
        PYTHON.check(&run(verdict, &[], &[], "collected 0 items\n"), &[], expected);
    };
    check(SuiteVerdict::NoTests, "refused: no test ran. The output ends with:");
    check(SuiteVerdict::TimedOut { after_s: 30 }, "refused: the test did not end within 30 s");
    check(
        SuiteVerdict::Stopped { why: "too much memory".to_owned() },
        "refused: the tests were stopped: too much memory",
    );
    check(SuiteVerdict::NotBuilt, "refused: the project does not build. The output ends with:");
}

#[test]
fn ka2_the_output_of_a_red_test_is_short_and_plain() {
    let noise = "noise\n".repeat(200);
    let output = format!(
        "{noise}FAIL: test_two (test_roman.T.test_two)\n----\n\x1b[31m{ASSERTION}\x1b[0m\n"
    );
    let run = run(SuiteVerdict::Red, &[], &[(SECOND, "")], &output);
    let expected = format!("FAIL: test_two (test_roman.T.test_two)\n----\n{ASSERTION}");
    assert_eq!(
        PYTHON.judge(&run, &[]),
        NewTestVerdict::Red { reason: RedReason::Assertion, output: expected }
    );
}

proptest! {
    #[test]
    fn ka2_any_output_is_judged(
        words in proptest::collection::vec(
            prop_oneof![
                Just("error[E0425]: ".to_owned()),
                Just("test_two".to_owned()),
                Just("File \"".to_owned()),
                Just(".py\", line ".to_owned()),
                Just("ä.rs:".to_owned()),
                Just("TypeError: ".to_owned()),
                Just("1) ".to_owned()),
                Just("\n".to_owned()),
                any::<String>(),
            ],
            0..40,
        ),
        language in prop_oneof![
            Just(Language::Rust),
            Just(Language::Python),
            Just(Language::JavaScript),
            Just(Language::Go),
            Just(Language::Java),
            Just(Language::Ruby),
        ],
    ) {
        let text = words.concat();
        let test = NewTest { language, path: "test_roman.py", name: "test_two" };
        let reports: [&[(&str, &str)]; 2] = [&[], &[(SECOND, text.as_str())]];
        for verdict in [SuiteVerdict::Red, SuiteVerdict::NotBuilt, SuiteVerdict::NoTests] {
            for failed in reports {
                let verdict = test.judge(&run(verdict.clone(), &[], failed, &text), &[FIRST]);
                if let NewTestVerdict::Red { output, .. } = verdict {
                    prop_assert!(output.lines().count() <= 30);
                    prop_assert!(output.chars().count() <= 2000);
                }
            }
        }
    }
}
