//! The results of one run of a test runner, in the same shape whatever runner it was.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::format::Format;

/// What a run said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Sorted by id. With [`Detail::CountsOnly`] only those that the text happened to name, mostly failures.
    pub tests: Vec<TestResult>,
    /// With [`Detail::PerTest`], of `tests`; otherwise of the runner's summary.
    pub counts: Counts,
    pub troubles: Vec<Trouble>,
    pub detail: Detail,
}

impl Report {
    pub fn verdict(&self) -> Verdict {
        if self.counts.failed > 0 || !self.troubles.is_empty() {
            Verdict::Failed
        } else if self.counts.passed > 0 {
            Verdict::Passed
        } else {
            Verdict::NoTestRan
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Passed,
    /// A test failed, or there is a trouble.
    Failed,
    /// Nothing failed because nothing ran: no tests, or all of them skipped.
    NoTestRan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Detail {
    PerTest,
    /// Only sums, from a summary line.
    CountsOnly,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestResult {
    pub id: TestId,
    /// Relative to the root, where the runner tells it.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub outcome: Outcome,
    pub ms: Option<u64>,
    /// Why it failed or was skipped; cut at [`TestResult::MAX_MESSAGE`] bytes.
    pub message: Option<String>,
}

impl TestResult {
    pub const MAX_MESSAGE: usize = 4096;
}

/// `file › suite › name`: the same in every run of the same test, and of no other test of the report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestId(String);

impl TestId {
    pub fn new(text: String) -> TestId {
        TestId(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    Passed,
    Failed,
    /// Skipped, pending, to do, or expected to fail and failing.
    Skipped,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Counts {
    pub fn of(tests: &[TestResult]) -> Counts {
        let mut counts = Counts::default();
        for test in tests {
            counts.add(test.outcome);
        }
        counts
    }

    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Skipped => self.skipped += 1,
        }
    }

    pub fn total(&self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.skipped)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Something is wrong though no test is named: a suite that could not be loaded, a crash, a list that does not
/// agree with its summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    pub file: Option<String>,
    pub message: String,
}

#[derive(Debug, Error)]
pub enum ReportError {
    #[error("the report has {bytes} bytes, more than are read")]
    TooLarge { bytes: usize },
    #[error("no {} report was found in it", format.id())]
    NotThisFormat { format: Format },
    #[error("elements are nested deeper than {limit}")]
    TooDeep { limit: usize },
    #[error("not well-formed XML")]
    Xml(#[from] quick_xml::Error),
    #[error("not the JSON that the runner writes")]
    Json(#[from] serde_json::Error),
}
