//! Before and after, test by test: what was fixed, broken, added, lost, and what cannot be told.

use std::collections::{BTreeMap, BTreeSet};

use rb_reports::{Outcome, TestId, TestResult};
use serde::{Deserialize, Serialize};

/// How the tests of two runs differ. Every list is sorted, and no test is in two of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Passed before, fails now: a breaking change.
    pub broken: Vec<TestId>,
    /// Failed before, passes now.
    pub fixed: Vec<TestId>,
    /// Failed before and now.
    pub still_failing: Vec<TestId>,
    /// Not there before.
    pub new: Vec<TestId>,
    /// Not there before, and fails.
    pub new_failing: Vec<TestId>,
    /// Passed or failed before, and is not there now.
    pub gone: Vec<TestId>,
    /// Ran before, and is skipped now.
    pub now_skipped: Vec<TestId>,
    /// In quarantine: its outcome changes without a change of the code, so it is not counted.
    pub flaky: Vec<TestId>,
    /// Passed before and now.
    pub kept: usize,
}

/// Compares two runs. Tests of the quarantine are set apart, whatever they did.
pub fn compare(
    before: &[TestResult],
    after: &[TestResult],
    quarantine: &BTreeSet<TestId>,
) -> Comparison {
    let before = outcomes(before);
    let after = outcomes(after);
    let mut comparison = Comparison::default();
    let ids: BTreeSet<&TestId> = before.keys().chain(after.keys()).copied().collect();
    for id in ids {
        let list = if quarantine.contains(id) {
            &mut comparison.flaky
        } else {
            match (before.get(id), after.get(id)) {
                (Some(Outcome::Passed), Some(Outcome::Passed)) => {
                    comparison.kept += 1;
                    continue;
                }
                (Some(Outcome::Skipped), Some(Outcome::Skipped) | None) | (None, None) => continue,
                (Some(Outcome::Passed | Outcome::Skipped), Some(Outcome::Failed)) => {
                    &mut comparison.broken
                }
                (Some(Outcome::Failed), Some(Outcome::Failed)) => &mut comparison.still_failing,
                (Some(Outcome::Failed), Some(Outcome::Passed)) => &mut comparison.fixed,
                (Some(Outcome::Skipped) | None, Some(Outcome::Passed))
                | (None, Some(Outcome::Skipped)) => &mut comparison.new,
                (None, Some(Outcome::Failed)) => &mut comparison.new_failing,
                (Some(Outcome::Passed | Outcome::Failed), Some(Outcome::Skipped)) => {
                    &mut comparison.now_skipped
                }
                (Some(Outcome::Passed | Outcome::Failed), None) => &mut comparison.gone,
            }
        };
        list.push(id.clone());
    }
    comparison
}

fn outcomes(tests: &[TestResult]) -> BTreeMap<&TestId, Outcome> {
    tests.iter().map(|test| (&test.id, test.outcome)).collect()
}

impl Comparison {
    /// More tests are gone than came in their place.
    pub(crate) fn has_lost_tests(&self) -> bool {
        self.gone.len() > self.new.len()
    }

    /// Takes in the comparison of another command.
    pub(crate) fn add(&mut self, other: &Comparison) {
        self.kept += other.kept;
        let lists = [
            (&mut self.broken, &other.broken),
            (&mut self.fixed, &other.fixed),
            (&mut self.still_failing, &other.still_failing),
            (&mut self.new, &other.new),
            (&mut self.new_failing, &other.new_failing),
            (&mut self.gone, &other.gone),
            (&mut self.now_skipped, &other.now_skipped),
            (&mut self.flaky, &other.flaky),
        ];
        for (mine, theirs) in lists {
            mine.extend(theirs.iter().cloned());
        }
    }
}
