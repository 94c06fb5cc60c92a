//! The door for rules that are kept elsewhere: what they find in a file counts only where the change brought it in.

/// Rules that are active for a run.
pub trait Rules {
    fn findings(&self, path: &str, text: &[u8]) -> Vec<RuleHit>;
}

/// One place that a rule objects to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleHit {
    /// The id of the rule.
    pub rule: String,
    pub line: u32,
    pub message: String,
}

/// No rule is active.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRules;

impl Rules for NoRules {
    fn findings(&self, _path: &str, _text: &[u8]) -> Vec<RuleHit> {
        Vec::new()
    }
}
