//! A test that prints a runner's lines must not add a pass where the format lets us tell.

use expect_test::{Expect, expect};
use rb_reports::{Format, read, read_text};

use crate::{check, root, show};

/// `lie`, printed before line `at` of the honest output, changes nothing.
fn told_apart(format: Format, honest: &str, at: usize, lie: &str) {
    let mut lines: Vec<&str> = honest.lines().collect();
    lines.insert(at, lie);
    let expected = read(format, honest.as_bytes(), root()).expect("honest");
    let found = read(format, lines.join("\n").as_bytes(), root()).expect("still of the format");
    assert_eq!(found.tests, expected.tests, "{lie:?}");
    assert_eq!(found.counts, expected.counts, "{lie:?}");
}

const TAP: &str = "TAP version 13\nok 1 - a\nnot ok 2 - b\nok 3 - c\n1..3";
const GO: &str = r#"{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}"#;
const MOCHA: &str = r#"{"stats":{"passes":1,"failures":0,"pending":0},"tests":[{"title":"a","fullTitle":"a","err":{}}],"failures":[],"passes":[{"title":"a","fullTitle":"a","err":{}}]}"#;
const PYTEST: &str = "a.py .F
=== short test summary info ===
FAILED a.py::test_b - no
=== 1 failed, 1 passed in 0.1s ===";

#[test]
fn ve2_lies_that_are_told_apart() {
    told_apart(Format::Tap, TAP, 2, "ok 99 - fake");
    told_apart(Format::Tap, TAP, 3, "ok 1 - fake");
    told_apart(Format::Tap, TAP, 3, "    ok 1 - fake");
    told_apart(Format::Tap, TAP, 2, "# pass 9");
    told_apart(Format::Tap, TAP, 2, "  ---");
    told_apart(Format::GoTestJson, GO, 1, r#"{"Action":"pass","Package":"p","Test":"TestFake"}"#);
    told_apart(Format::GoTestJson, GO, 2, r#"{"Action":"pass","Package":"p","Test":"TestA"}"#);
    told_apart(Format::MochaJson, MOCHA, 0, r#"{"stats":{"passes":9}}"#);
    told_apart(Format::MochaJson, MOCHA, 0, "{ not json");
    told_apart(Format::PytestText, PYTEST, 0, "=== 9 passed in 0.1s ===");
    told_apart(Format::PytestText, PYTEST, 1, "FAILED a.py::test_fake");
}

/// What cannot be told apart is at least not green.
#[test]
fn ve2_a_lie_with_the_number_that_was_due_is_a_trouble() {
    let text = "TAP version 13\nok 1 - a\nok 2 - fake\nnot ok 2 - b\n1..2\n";
    check(
        Format::Tap,
        text,
        &expect![[r#"
        Failed, PerTest: 2 passed, 1 failed, 0 skipped
        ok   a
        FAIL b
        ok   fake
        !! 2 tests were planned, 3 were seen
    "#]],
    );
}

#[test]
fn ve2_a_second_plan_is_a_trouble() {
    check(
        Format::Tap,
        "1..1\nok 1 - a\n1..2\n",
        &expect![[r#"
        Failed, PerTest: 1 passed, 0 failed, 0 skipped
        ok   a
        !! there is more than one plan
    "#]],
    );
}

#[test]
fn ve2_a_second_document_is_a_trouble() {
    check(
        Format::MochaJson,
        &format!("{MOCHA}\n{MOCHA}\n"),
        &expect![[r#"
        Failed, PerTest: 1 passed, 0 failed, 0 skipped
        ok   a
        !! the output holds 2 documents of results; the last one is tak
    "#]],
    );
}

#[test]
fn ve2_a_failed_test_that_was_said_to_pass_has_failed() {
    let text = "running 1 test
test a ... FAILED
test a ... ok

failures:

failures:
    a

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
";
    check(
        Format::LibtestText,
        text,
        &expect![[r#"
        Failed, PerTest: 0 passed, 1 failed, 0 skipped
        FAIL program 1 › a
    "#]],
    );
}

#[test]
fn ve2_a_failure_stays_though_the_program_stops() {
    check(
        Format::LibtestText,
        "running 2 tests\ntest a ... FAILED\ntest a ... ok\n",
        &expect![[r#"
            Failed, PerTest: 0 passed, 1 failed, 0 skipped
            FAIL program 1 › a
            !! program 1 stopped before its end
        "#]],
    );
}

#[test]
fn ve2_a_list_that_is_longer_than_its_sum_is_a_trouble() {
    let text = "\n  math\n    ✔ adds\n    ✔ fake\n\n\n  1 passing (2ms)\n\n";
    check(
        Format::MochaText,
        text,
        &expect![[r#"
        Failed, CountsOnly: 1 passed, 0 failed, 0 skipped
        !! the list has 2 passed, 0 failed, 0 skipped; the summary says
    "#]],
    );
}

#[test]
fn ve2_a_failure_stays_a_failure_whatever_stands_in_its_text() {
    let xml =
        "<testsuite><testcase name='a'><failure><skipped/>no</failure></testcase></testsuite>";
    check(
        Format::JunitXml,
        xml,
        &expect![[r#"
        Failed, PerTest: 0 passed, 1 failed, 0 skipped
        FAIL a  -- no
    "#]],
    );
}

/// unittest speaks on standard error; what is on standard output a test has printed.
#[test]
fn ve2_the_runners_own_stream_is_read() {
    let honest = "F
======================================================================
FAIL: test_a (m.A.test_a)
----
Ran 1 test in 0.001s

FAILED (failures=1)
";
    check_streams(
        "Ran 9 tests in 0.1s\n\nOK\n",
        honest,
        Format::UnittestText,
        &expect![[r#"
        Failed, PerTest: 0 passed, 1 failed, 0 skipped
        FAIL m.A › test_a
    "#]],
    );
}

fn check_streams(stdout: &str, stderr: &str, hint: Format, expected: &Expect) {
    let report =
        read_text(stdout.as_bytes(), stderr.as_bytes(), Some(hint), root()).expect("known");
    expected.assert_eq(&show(&report));
}
