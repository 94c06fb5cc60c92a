//! Whatever the bytes: no panic, every id once, sums that agree with the list.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rb_reports::{Counts, Detail, Format, Outcome, Report, TestResult, read, read_text};

use crate::root;

/// Pieces of all formats, so that what is put together from them goes deep.
const PIECES: &[&str] = &[
    "<testsuite name='s' tests='2'>",
    "</testsuite>",
    "<testcase name='a' classname='c' time='1'>",
    "</testcase>",
    "<failure message='m'>",
    "</failure>",
    "<skipped/>",
    "&amp;&x;",
    "<TestRun><UnitTestResult testId='1' outcome='Failed'>",
    "</UnitTestResult></TestRun>",
    "TAP version 13\n",
    "1..2\n",
    "ok 1 - a\n",
    "not ok 2 - b # TODO\n",
    "    ok 1 - c\n",
    "# Subtest: x\n",
    "  ---\n",
    "# pass  2\n",
    "}\n",
    "ok 3 - d {\n",
    "Bail out!\n",
    "running 2 tests\n",
    "test a ... ok\n",
    "test b ... ",
    "FAILED\n",
    "failures:\n",
    "    b\n",
    "test result: ok. 1 passed; 1 failed; 0 ignored; 0 measured\n",
    "{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"T\"}\n",
    "{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T\"}\n",
    "{\"type\":\"suite\",\"event\":\"failed\"}\n",
    "{\"type\":\"test\",\"event\":\"started\",\"name\":\"a\"}\n",
    "Tests:       1 failed, 2 total\n",
    "PASS a.js\n",
    "  ✓ a (1 ms)\n",
    "  ● a › b\n",
    "      Tests  1 failed | 1 passed (2)\n",
    "  1 passing (1ms)\n",
    "  1 failing\n",
    "  1) b\n",
    "  1 test failed\n",
    "  ✘ [fail]: b\n",
    "ℹ tests 2\n",
    "▶ s\n",
    "✖ b (1ms)\n",
    "= 1 failed, 1 passed in 0.1s =\n",
    "a.py::b FAILED [ 50%]\n",
    "FAILED a.py::b - x\n",
    "Ran 2 tests in 0.1s\n",
    "FAILED (failures=1)\n",
    "FAIL: b (m.C.b)\n",
    "    FAIL [   0.1s] (1/2) d b\n",
    "     Summary [   0.2s] 2 tests run: 1 passed, 1 failed\n",
    "--- FAIL: T (0.00s)\n",
    "FAIL\tp\t0.1s\n",
    "2 examples, 1 failure\n",
    "2 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n",
    "Tests: 2, Assertions: 1, Failures: 1.\n",
    "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n",
    "A > b() FAILED\n",
    "BUILD FAILED in 1s\n",
    "Failed!  - Failed: 1, Passed: 1, Skipped: 0, Total: 2\n",
    "ä",
    "\r",
    "\n",
];

fn agrees(report: &Report) {
    let ids: BTreeSet<_> = report.tests.iter().map(|test| &test.id).collect();
    assert_eq!(ids.len(), report.tests.len(), "an id stands twice");
    assert!(report.tests.is_sorted_by(|a, b| a.id < b.id));
    let counts = Counts::of(&report.tests);
    match report.detail {
        Detail::PerTest => assert_eq!(report.counts, counts),
        Detail::CountsOnly => {
            assert!(counts.failed <= report.counts.failed);
            assert!(report.tests.iter().all(|test| test.outcome == Outcome::Failed));
        }
    }
    let message = |test: &TestResult| test.message.as_ref().map_or(0, String::len);
    assert!(report.tests.iter().all(|test| message(test) <= TestResult::MAX_MESSAGE));
}

fn read_as_all(bytes: &[u8]) {
    for format in Format::ALL {
        if let Ok(report) = read(*format, bytes, root()) {
            agrees(&report);
        }
    }
    if let Some(report) = read_text(bytes, bytes, None, root()) {
        agrees(&report);
    }
}

proptest! {
    #[test]
    fn ve2_any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_as_all(&bytes);
    }

    #[test]
    fn ve2_any_mixture_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        read_as_all(pieces.concat().as_bytes());
    }
}
