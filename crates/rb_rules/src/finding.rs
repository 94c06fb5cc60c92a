//! A finding: the place, what is wrong there, and what may be done about it.

use rb_core::Edit;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    pub path: String,
    /// Bytes of the text.
    pub start: u32,
    pub end: u32,
    /// Counted from 1; columns in characters.
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub rule: String,
    pub severity: Severity,
    pub certainty: Certainty,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

impl Finding {
    /// The same as a candidate: `condition` is what is not proved. What is not proved has no proved edit.
    #[must_use]
    pub fn likely(mut self, condition: &str) -> Self {
        self.message = format!("{} (not proved: {condition})", self.message);
        self.severity = Severity::Note;
        self.certainty = Certainty::Likely;
        if let Some(fix) = &mut self.fix
            && fix.applicability == Applicability::Auto
        {
            fix.applicability = Applicability::Assist;
            fix.doubt = Some(condition.to_owned());
        }
        self
    }
}

/// How sure a rule is that a finding is what it looks for. Sorted from the surest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Every condition of the rule holds.
    Proved,
    /// A condition could not be checked; the message names it. A candidate for somebody to judge.
    Likely,
}

/// Sorted from the gravest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fix {
    pub applicability: Applicability,
    /// What it does, as an order: "run them in parallel".
    pub title: String,
    /// In the file of the finding, sorted, without overlap.
    pub edits: Vec<Edit>,
    /// In other files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<(String, Vec<Edit>)>,
    /// Why it is a draft, where a rule that can prove its edits could not prove this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Applicability {
    /// Proved to keep behaviour.
    Auto,
    /// A draft: tests, types or a person must judge it.
    Assist,
}
