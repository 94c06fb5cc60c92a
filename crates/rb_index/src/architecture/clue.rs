//! One piece of evidence.

use serde::{Deserialize, Serialize};

/// `path` is the file or folder that shows it, `text` the line for a reader, which names the path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Clue {
    pub kind: ClueKind,
    pub path: String,
    pub text: String,
}

/// Clues of different kinds are independent of each other: what a folder is called does not follow from a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClueKind {
    /// What a manifest says of the package itself.
    Manifest,
    /// What a manifest says it needs.
    Dependency,
    /// What a file imports.
    Import,
    /// A file that is there by name.
    File,
    /// Folders that lie together.
    Folders,
}

impl Clue {
    pub(super) fn new(kind: ClueKind, path: impl Into<String>, text: impl Into<String>) -> Clue {
        Clue { kind, path: path.into(), text: text.into() }
    }

    /// `path` with what is to be said of it.
    pub(super) fn says(kind: ClueKind, path: &str, what: &str) -> Clue {
        Clue::new(kind, path, format!("{path} {what}"))
    }
}
