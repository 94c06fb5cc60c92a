//! The door for rules that are kept elsewhere: what they find in a file counts only where the change brought it in.

use crate::Severity;

/// Rules that are active for a run.
pub trait Rules {
    /// What they object to in a file as it was before the change, or is after it.
    fn findings(&self, when: When, path: &str, text: &[u8]) -> Vec<RuleHit>;
}

/// Which of the two states of the repository is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Before,
    After,
}

/// One place that a rule objects to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleHit {
    /// The id of the rule.
    pub rule: String,
    pub line: u32,
    pub message: String,
    /// How much it weighs that the change brought it in.
    pub severity: Severity,
}

/// No rule is active.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRules;

impl Rules for NoRules {
    fn findings(&self, _when: When, _path: &str, _text: &[u8]) -> Vec<RuleHit> {
        Vec::new()
    }
}
