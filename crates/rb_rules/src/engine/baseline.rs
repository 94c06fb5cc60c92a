//! What was there before: findings that are known, so that only new ones count.
//!
//! A finding is known again by its rule, its file and the text of its line, not by its number: code above it may come and
//! go.

use std::collections::BTreeMap;

use rb_core::Sha256;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::finding::Finding;

const VERSION: u32 = 1;

/// Findings that are known, as they are kept in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    version: u32,
    /// By fingerprint.
    findings: BTreeMap<String, Known>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    pub rule: String,
    pub path: String,
    /// Of what is reported there, for people who read the file.
    pub message: String,
    pub count: u32,
}

#[derive(Debug, Error)]
pub enum BaselineError {
    #[error("it is no baseline: {0}")]
    Json(#[from] serde_json::Error),
    #[error("it is of version {0}, and this program knows version {VERSION}")]
    Version(u32),
}

impl Baseline {
    pub fn of(findings: &[Finding], line: &dyn Fn(&Finding) -> String) -> Self {
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        for (finding, print) in findings.iter().zip(fingerprints(findings, line)) {
            let entry = known.entry(print).or_insert_with(|| Known {
                rule: finding.rule.clone(),
                path: finding.path.clone(),
                message: finding.message.clone(),
                count: 0,
            });
            entry.count += 1;
        }
        Baseline { version: VERSION, findings: known }
    }

    pub fn read(text: &[u8]) -> Result<Self, BaselineError> {
        let baseline: Baseline = serde_json::from_slice(text)?;
        if baseline.version == VERSION {
            Ok(baseline)
        } else {
            Err(BaselineError::Version(baseline.version))
        }
    }

    /// Takes the known ones away; as many of a kind as are known.
    pub fn new_ones(
        &self,
        findings: Vec<Finding>,
        line: &dyn Fn(&Finding) -> String,
    ) -> Vec<Finding> {
        let prints = fingerprints(&findings, line);
        let mut left: BTreeMap<&str, u32> =
            self.findings.iter().map(|(print, known)| (print.as_str(), known.count)).collect();
        let pairs = findings.into_iter().zip(&prints);
        pairs
            .filter(|(_, print)| match left.get_mut(print.as_str()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            })
            .map(|(finding, _)| finding)
            .collect()
    }
}

/// By which each finding is known again.
pub fn fingerprints(findings: &[Finding], line: &dyn Fn(&Finding) -> String) -> Vec<String> {
    let print = |finding: &Finding| {
        let text: String = line(finding).split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = format!("{}\0{}\0{text}", finding.rule, finding.path);
        Sha256::of(whole.as_bytes()).to_string()[..32].to_owned()
    };
    findings.iter().map(print).collect()
}
