//! The lines that a session has been shown, by file and content.
//!
//! This is what citations are checked against: a line counts only if its text was shown, and only as long as the file has the
//! content that it was shown with.

use std::collections::BTreeMap;

use rb_core::Sha256;
use serde::{Deserialize, Serialize};

/// Lines of a file as a tool showed them, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub path: String,
    /// Of the whole file, as it was then.
    pub hash: Sha256,
    /// The number of the first line, counted from 1.
    pub first: u32,
    /// Without line ends.
    pub lines: Vec<String>,
}

/// Everything that was shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    files: BTreeMap<String, FileEvidence>,
}

/// What was shown of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEvidence {
    pub hash: Sha256,
    /// By line number.
    pub lines: BTreeMap<u32, String>,
}

impl Evidence {
    /// Adds what was shown and returns how many of the lines are new. If the file has changed since, what was shown of it before
    /// no longer counts.
    pub fn add(&mut self, shown: &Shown) -> usize {
        let file = self
            .files
            .entry(shown.path.clone())
            .or_insert_with(|| FileEvidence { hash: shown.hash, lines: BTreeMap::new() });
        if file.hash != shown.hash {
            *file = FileEvidence { hash: shown.hash, lines: BTreeMap::new() };
        }
        let before = file.lines.len();
        file.lines.extend((shown.first..).zip(shown.lines.iter().cloned()));
        file.lines.len() - before
    }

    pub fn file(&self, path: &str) -> Option<&FileEvidence> {
        self.files.get(path)
    }

    /// The files of which something was shown, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &FileEvidence)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file))
    }
}
