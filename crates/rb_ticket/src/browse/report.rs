//! The report of the verify agent, made from what the browser showed.

use std::fmt;

use serde::{Deserialize, Serialize};

use rb_core::Verdict;

use super::visit::AND;
use super::{CheckResult, CheckVerdict, Verification};
use crate::checks::{By, Expectation};

/// The answer of a verification. Its JSON shape is fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyReport {
    pub passed: bool,
    pub issues: Vec<Issue>,
    /// File names in the evidence folder.
    pub screenshots: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    pub severity: Severity,
    pub description: String,
    pub location: String,
    pub expected: String,
    pub actual: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Critical,
    Major,
    Minor,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Critical => "critical",
            Severity::Major => "major",
            Severity::Minor => "minor",
        })
    }
}

impl Verification {
    pub fn report(&self) -> VerifyReport {
        let verdict = self.verdict();
        let mut issues: Vec<Issue> = match &self.refusal {
            // The checks were not carried out for one and the same reason.
            Some(refusal) => vec![Issue {
                severity: Severity::Critical,
                description: refusal.description.clone(),
                location: refusal.location.clone(),
                expected: refusal.expected.clone(),
                actual: refusal.actual.clone(),
                screenshot: refusal.screenshot.clone(),
            }],
            None => self.results.iter().filter_map(CheckResult::issue).collect(),
        };
        if verdict == Verdict::NoVerifierRan && issues.is_empty() {
            issues.push(nothing_checked());
        }
        let screenshots =
            self.evidence.pictures.iter().map(|picture| picture.file.clone()).collect();
        VerifyReport { passed: verdict == Verdict::Pass, issues, screenshots }
    }
}

fn nothing_checked() -> Issue {
    Issue {
        severity: Severity::Major,
        description: "No criterion was checked in the browser".to_owned(),
        location: "ticket".to_owned(),
        expected: "at least one criterion is checked".to_owned(),
        actual: "no criterion could be turned into a check".to_owned(),
        screenshot: None,
    }
}

impl CheckResult {
    /// What is wrong; nothing if the check was met.
    pub fn issue(&self) -> Option<Issue> {
        let verb = match self.verdict {
            CheckVerdict::Met => return None,
            CheckVerdict::NotMet => "is not met",
            CheckVerdict::NotRun => "could not be checked",
        };
        let says = rb_http::printable(&self.check.says);
        let description = match (&self.check.criterion, self.check.by) {
            (Some(id), _) => format!("{} {verb}: {says}", rb_http::printable(id)),
            (None, By::Always) => format!("The page {} does not work", self.check.path),
            (None, By::Criterion | By::Model) => format!("A check {verb}: {says}"),
        };
        Some(Issue {
            severity: self.severity(),
            description,
            location: self.check.location(),
            expected: self.expected.clone(),
            actual: self.actual.clone(),
            screenshot: self.screenshot.clone(),
        })
    }

    fn severity(&self) -> Severity {
        let noise = [Expectation::NoConsoleErrors, Expectation::NoFailedRequests]
            .map(|quiet| quiet.to_string());
        let is_noise = self.expected.split(AND).all(|part| noise.iter().any(|noise| noise == part));
        match (self.verdict, self.check.by) {
            (CheckVerdict::Met | CheckVerdict::NotRun, _) => Severity::Minor,
            (CheckVerdict::NotMet, By::Criterion) => Severity::Critical,
            (CheckVerdict::NotMet, By::Always) if !is_noise => Severity::Critical,
            (CheckVerdict::NotMet, By::Always | By::Model) => Severity::Major,
        }
    }
}
