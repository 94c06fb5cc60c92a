//! From a comparison to a verdict: which differences are faults, and how bad it is as a whole.
//!
//! Exit codes and counts alone do not pass here: a suite that went quiet, skipped or lost its tests is no green suite.

use rb_core::{Verdict, at_most};
use serde::{Deserialize, Serialize};

use crate::compare::Comparison;

/// Shares of tests, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds {
    /// Percentage of tests that should pass.
    pub wanted: u32,
    /// With fewer, the run is given up.
    pub abort: u32,
    /// When more than this were broken, the change is unstable.
    pub unstable: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { wanted: 95, abort: 85, unstable: 10 }
    }
}

/// How the tests stand after a change. Flaky tests are in none of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    pub passed: usize,
    pub failed: usize,
    pub level: Level,
    /// Too many tests that passed before fail now.
    pub unstable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// At least as many pass as are wanted.
    Wanted,
    /// Fewer than wanted, not so few that the run is given up.
    Low,
    /// Percentage below which the run stops.
    Abort,
}

impl Standing {
    /// In percent, rounded down so that 100 means all.
    pub fn rate(&self) -> f64 {
        let all = self.passed + self.failed;
        if all == 0 { 100.0 } else { percent(self.passed, all) }
    }
}

/// What a comparison amounts to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    pub verdict: Verdict,
    pub standing: Standing,
    /// Why it is not a pass; empty for one.
    pub reasons: Vec<String>,
}

/// Judges tests of which something is known before and after.
pub fn judge(comparison: &Comparison, thresholds: Thresholds) -> Judgement {
    let standing = standing(comparison, thresholds);
    let mut reasons = Vec::new();
    let mut fault = |tests: &[_], words: &str| {
        if !tests.is_empty() {
            reasons.push(format!("{words} ({}): {}", tests.len(), named(tests)));
        }
    };
    fault(&comparison.broken, "broken, passed before");
    fault(&comparison.new_failing, "new and failing");
    fault(&comparison.now_skipped, "skipped now, ran before");
    if comparison.has_lost_tests() {
        fault(&comparison.gone, "missing, with fewer new ones in their place");
    }
    if standing.level == Level::Abort && !comparison.broken.is_empty() {
        let rate = standing.rate();
        reasons.push(format!(
            "only {rate:.1}% of the tests pass, below the limit of {}%",
            thresholds.abort
        ));
    }
    let verdict = if !reasons.is_empty() {
        Verdict::Fail
    } else if standing.passed + standing.failed == 0 {
        Verdict::NoVerifierRan
    } else {
        Verdict::Pass
    };
    Judgement { verdict, standing, reasons }
}

fn standing(comparison: &Comparison, thresholds: Thresholds) -> Standing {
    let Comparison { broken, fixed, still_failing, new, new_failing, gone, kept, .. } = comparison;
    let passed = kept + fixed.len() + new.len();
    let failed = broken.len() + still_failing.len() + new_failing.len();
    let passed_before = kept + broken.len() + gone.len();
    let mut standing = Standing { passed, failed, level: Level::Wanted, unstable: false };
    let rate = standing.rate();
    if rate < f64::from(thresholds.abort) {
        standing.level = Level::Abort;
    } else if rate < f64::from(thresholds.wanted) {
        standing.level = Level::Low;
    }
    standing.unstable =
        passed_before > 0 && percent(broken.len(), passed_before) > f64::from(thresholds.unstable);
    standing
}

#[expect(clippy::cast_precision_loss, reason = "no suite has so many tests")]
fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole as f64
}

/// The most that are named; the whole list is in the report.
const NAMED: usize = 5;

fn named(tests: &[rb_reports::TestId]) -> String {
    at_most(NAMED, tests.iter().map(|id| format!("`{id}`"))).join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};
    use rb_reports::{Outcome, TestId, TestResult};

    use super::*;
    use crate::compare::compare;

    /// One letter a test: `p`assed, `f`ailed, `s`kipped, `-` not there. `~` after it: in quarantine.
    fn check(before: &str, after: &str, expected: &Expect) {
        let mut quarantine = BTreeSet::new();
        let mut read = |text: &str| -> Vec<TestResult> {
            let mut tests: Vec<TestResult> = Vec::new();
            for (at, word) in text.split(' ').enumerate() {
                let id = TestId::new(format!("t{at:02}"));
                if word.ends_with('~') {
                    quarantine.insert(id.clone());
                }
                let outcome = match word.trim_end_matches('~') {
                    "p" => Outcome::Passed,
                    "f" => Outcome::Failed,
                    "s" => Outcome::Skipped,
                    _ => continue,
                };
                tests.push(TestResult {
                    id,
                    file: None,
                    line: None,
                    outcome,
                    ms: None,
                    message: None,
                });
            }
            tests
        };
        let (before, after) = (read(before), read(after));
        let judgement = judge(&compare(&before, &after, &quarantine), Thresholds::default());
        let Standing { passed, failed, level, unstable } = judgement.standing;
        let mut words =
            format!("{}: {passed} passed, {failed} failed, {level:?}", judgement.verdict.words());
        words += if unstable { ", unstable\n" } else { "\n" };
        for reason in judgement.reasons {
            let _ = writeln!(words, "- {reason}");
        }
        expected.assert_eq(&words);
    }

    #[test]
    fn ve4_nothing_changed_is_a_pass() {
        check(
            "p p s f",
            "p p s f",
            &expect![[r#"
            pass: 2 passed, 1 failed, Abort
        "#]],
        );
    }

    #[test]
    fn ve4_a_new_failure_is_a_breaking_change() {
        check(
            "p p p p p p p p p p p p p p p p p p p p p p",
            "p p p p p p p p p p p p p p p p p p p p p f",
            &expect![[r#"
            fail: 21 passed, 1 failed, Wanted
            - broken, passed before (1): `t21`
        "#]],
        );
    }

    #[test]
    fn ve4_more_than_a_tenth_broken_is_unstable() {
        check(
            "p p p p p p p p p",
            "p p p p p p p p f",
            &expect![[r#"
            fail: 8 passed, 1 failed, Low, unstable
            - broken, passed before (1): `t08`
        "#]],
        );
        check(
            "p p p p p p p p p p",
            "p p p p p p p p p f",
            &expect![[r#"
            fail: 9 passed, 1 failed, Low
            - broken, passed before (1): `t09`
        "#]],
        );
    }

    #[test]
    fn ve4_under_85_percent_the_run_is_given_up() {
        check(
            "p p p p p p",
            "p p p p p f",
            &expect![[r#"
            fail: 5 passed, 1 failed, Abort, unstable
            - broken, passed before (1): `t05`
            - only 83.3% of the tests pass, below the limit of 85%
        "#]],
        );
    }

    #[test]
    fn ve4_failures_of_the_baseline_are_not_held_against_the_change() {
        check(
            "f f p",
            "f f p",
            &expect![[r#"
            pass: 1 passed, 2 failed, Abort
        "#]],
        );
        check(
            "f f p",
            "p f p",
            &expect![[r#"
            pass: 2 passed, 1 failed, Abort
        "#]],
        );
    }

    #[test]
    fn ve4_a_flaky_test_is_never_a_regression() {
        check(
            "p~ p",
            "f~ p",
            &expect![[r#"
            pass: 1 passed, 0 failed, Wanted
        "#]],
        );
    }

    #[test]
    fn ve4_tests_cannot_be_skipped_or_removed_to_get_green() {
        check(
            "p p",
            "p s",
            &expect![[r#"
            fail: 1 passed, 0 failed, Wanted
            - skipped now, ran before (1): `t01`
        "#]],
        );
        check(
            "p p",
            "p -",
            &expect![[r#"
            fail: 1 passed, 0 failed, Wanted
            - missing, with fewer new ones in their place (1): `t01`
        "#]],
        );
        check(
            "f p",
            "s p",
            &expect![[r#"
            fail: 1 passed, 0 failed, Wanted
            - skipped now, ran before (1): `t00`
        "#]],
        );
    }

    #[test]
    fn ve4_a_renamed_test_is_a_lost_and_a_new_one() {
        check(
            "p p -",
            "p - p",
            &expect![[r#"
            pass: 2 passed, 0 failed, Wanted
        "#]],
        );
        check(
            "p p -",
            "p - f",
            &expect![[r#"
            fail: 1 passed, 1 failed, Abort
            - new and failing (1): `t02`
            - missing, with fewer new ones in their place (1): `t01`
        "#]],
        );
    }

    #[test]
    fn ve4_no_test_on_either_side_is_no_verdict() {
        check(
            "s",
            "s",
            &expect![[r#"
                no tests were run: 0 passed, 0 failed, Wanted
            "#]],
        );
    }
}
