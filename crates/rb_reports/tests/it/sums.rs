//! The sums are the runner's own: each row has what the runner printed of the fixture's run. A file that could not
//! be loaded is a trouble here and, with some runners, a failed test there.

use rb_reports::{Counts, Format, read};

use crate::root;

/// `printed` as passed, failed and skipped; how many of the failed are troubles.
fn check(format: Format, text: &str, printed: (u64, u64, u64), troubles: u64) {
    let (passed, failed, skipped) = printed;
    let report = read(format, text.as_bytes(), root()).expect("of this format");
    let failed = failed - troubles;
    assert_eq!(report.counts, Counts { passed, failed, skipped }, "{format:?}");
}

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../fixtures/", $name))
    };
}

#[test]
fn ve2_sums_of_javascript_runners() {
    // Tests: 2 failed, 1 skipped, 1 todo, 4 passed, 8 total
    check(Format::JestJson, fixture!("jest.json"), (4, 2, 2), 0);
    check(Format::JestText, fixture!("jest.txt"), (4, 2, 2), 0);
    // Tests  2 failed | 4 passed | 1 skipped | 1 todo (8)
    check(Format::JestJson, fixture!("vitest.json"), (4, 2, 2), 0);
    check(Format::VitestText, fixture!("vitest.txt"), (4, 2, 2), 0);
    // The file is a failed test in vitest's `JUnit`: tests="9" failures="3"
    check(Format::JunitXml, fixture!("junit-vitest.xml"), (4, 3, 2), 1);
    // 4 passing, 1 pending, 2 failing
    check(Format::MochaJson, fixture!("mocha.json"), (4, 2, 1), 0);
    check(Format::MochaText, fixture!("mocha.txt"), (4, 2, 1), 0);
    check(Format::Tap, fixture!("tap-mocha.txt"), (4, 2, 1), 0);
    // pass 6, fail 3, skipped 1, todo 1
    check(Format::Tap, fixture!("tap-node.txt"), (6, 3, 2), 1);
    check(Format::NodeText, fixture!("node.txt"), (6, 3, 2), 1);
}

#[test]
fn ve2_sums_of_python_runners() {
    // 2 failed, 7 passed, 1 skipped, 1 xfailed, 1 xpassed, 1 error
    check(Format::JunitXml, fixture!("junit-pytest.xml"), (7 + 1, 2 + 1, 1 + 1), 0);
    check(Format::PytestText, fixture!("pytest.txt"), (7 + 1, 2 + 1, 1 + 1), 0);
    // Ran 9 tests: failures=2, errors=2, skipped=1, expected failures=1
    check(Format::UnittestText, fixture!("unittest.txt"), (3, 2 + 2, 1 + 1), 1);
}

#[test]
fn ve2_sums_of_other_runners() {
    // 12 tests run: 9 passed, 3 failed, 1 skipped
    check(Format::NextestJson, fixture!("nextest.json"), (9, 3, 1), 0);
    check(Format::JunitXml, fixture!("junit-nextest.xml"), (9, 3, 0), 0);
    // test result: FAILED. 5 passed; 2 failed; 1 ignored
    check(Format::LibtestText, fixture!("cargo-test-nocapture.txt"), (5, 2, 1), 0);
    // 8 examples, 2 failures, 2 pending
    check(Format::RspecJson, fixture!("rspec.json"), (4, 2, 2), 0);
    // 5 runs, 2 assertions, 1 failures, 1 errors, 1 skips
    check(Format::MinitestText, fixture!("minitest.txt"), (2, 1 + 1, 1), 0);
    // Tests: 8, Assertions: 5, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1.
    check(Format::JunitXml, fixture!("junit-phpunit.xml"), (3, 1 + 2, 1 + 1), 0);
    check(Format::PhpunitText, fixture!("phpunit.txt"), (3, 1 + 2, 1 + 1), 0);
}
