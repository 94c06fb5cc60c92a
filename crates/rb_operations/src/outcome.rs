//! What comes of a plan: texts, and what a person has to know; or why nothing was made.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

/// So many letters of a line are shown.
const LONGEST: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    Created(Arc<str>),
    Edited(Arc<str>),
    Removed,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// In one line: "`parse_kv` renamed to `parse_key_value` in 12 files".
    pub title: String,
    pub files: BTreeMap<String, FileChange>,
    /// What the operation is about, such as the declaration that was renamed; not every place that had to follow.
    pub sites: Vec<Place>,
    /// Public names that others may use and that changed.
    pub api: Vec<ApiChange>,
    /// What a reviewer has to know: an import cycle that was avoided, a cast of style.
    pub notes: Vec<String>,
    /// Places in prose, comments, changelogs and strings that may mean what changed and were left.
    pub mentions: Vec<Mention>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub path: String,
    pub line: u32,
    pub what: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ApiChange {
    pub path: String,
    pub before: String,
    pub after: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Mention {
    pub path: String,
    pub line: u32,
    /// The line, trimmed.
    pub text: String,
}

impl Mention {
    /// The line of a text with this offset.
    pub(crate) fn at(path: &str, text: &str, at: usize) -> Self {
        let start = text[..at].rfind('\n').map_or(0, |line_break| line_break + 1);
        let line = text[..at].matches('\n').count() + 1;
        let text = text[start..].lines().next().unwrap_or_default().trim();
        Mention {
            path: path.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            text: text.chars().take(LONGEST).collect(),
        }
    }
}

/// Nothing was made.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{reason}")]
pub struct Refusal {
    /// A whole sentence without a full stop: "`x` is declared twice".
    pub reason: String,
    /// Where: the uses that cannot be followed, the candidates of an ambiguous name.
    pub places: Vec<Place>,
    /// What to do about it.
    pub suggestion: String,
}

impl Refusal {
    pub fn new(reason: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Refusal { reason: reason.into(), places: Vec::new(), suggestion: suggestion.into() }
    }
}
