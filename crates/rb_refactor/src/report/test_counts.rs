//! The tests of a run in one line, from its validation report.

use std::fmt::Write as _;
use std::path::Path;

use rb_core::fs;
use rb_html::chart::{Bar, Tone};
use serde::Deserialize;

use super::suites::{Side, Tests};
use super::validation::NAME;

/// How the tests went after all changes, and before the first.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub struct TestCounts {
    after: Option<Counts>,
    baseline: Option<Counts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// Nothing where no test ran after the changes, or the report cannot be read.
pub fn test_counts(report: &Path) -> Option<TestCounts> {
    #[derive(Deserialize)]
    struct Written {
        tests: TestCounts,
    }
    let text = fs::read_optional(&report.join(NAME)).ok()??;
    let written: Written = serde_json::from_slice(&text).ok()?;
    written.tests.after.filter(Counts::has_tests)?;
    Some(written.tests)
}

impl TestCounts {
    pub(crate) fn of(tests: &Tests) -> TestCounts {
        let counts = |side: &Side| Counts {
            passed: side.passed,
            failed: side.failed,
            skipped: side.skipped,
        };
        let (after, baseline) = (&tests.after, &tests.baseline);
        TestCounts { after: after.as_ref().map(counts), baseline: baseline.as_ref().map(counts) }
    }

    /// Each number by its name, those before the changes first.
    pub fn bars(&self) -> Vec<Bar> {
        let sides = [("before", self.baseline), ("after", self.after)];
        let mut bars = Vec::new();
        for (when, counts) in sides {
            let Some(Counts { passed, failed, skipped }) = counts else { continue };
            bars.push(Bar::new(format!("passed {when}"), passed, Tone::Good));
            let others = [("failed", failed, Tone::Bad), ("skipped", skipped, Tone::Open)];
            let others = others.into_iter().filter(|(_, count, _)| *count > 0);
            bars.extend(
                others.map(|(what, count, tone)| Bar::new(format!("{what} {when}"), count, tone)),
            );
        }
        bars
    }

    /// `26 passed (26 before)`
    pub fn words(&self) -> String {
        let Some(after) = self.after else { return "not run".to_owned() };
        let before = match self.baseline.filter(Counts::has_tests) {
            None => return after.words(),
            Some(before) if before.is_clean() && after.is_clean() => before.passed.to_string(),
            Some(before) => before.words(),
        };
        format!("{} ({before} before)", after.words())
    }
}

impl Counts {
    fn has_tests(&self) -> bool {
        self.passed + self.failed + self.skipped > 0
    }

    fn is_clean(self) -> bool {
        self.failed + self.skipped == 0
    }

    fn words(self) -> String {
        let mut words = format!("{} passed", self.passed);
        for (count, what) in [(self.failed, "failed"), (self.skipped, "skipped")] {
            if count > 0 {
                let _ = write!(words, ", {count} {what}");
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf9_tests_after_are_told_with_those_before() {
        let counts = |(passed, failed, skipped)| Counts { passed, failed, skipped };
        let check = |after, baseline: Option<_>, expected: &str| {
            let counts = TestCounts { after: Some(counts(after)), baseline: baseline.map(counts) };
            assert_eq!(counts.words(), expected);
        };
        check((26, 0, 0), Some((26, 0, 0)), "26 passed (26 before)");
        check((26, 0, 0), None, "26 passed");
        check((24, 2, 0), Some((26, 0, 0)), "24 passed, 2 failed (26 passed before)");
        check(
            (5, 0, 1),
            Some((4, 1, 1)),
            "5 passed, 1 skipped (4 passed, 1 failed, 1 skipped before)",
        );
    }
}
