//! A patch as a reviewer reads it: files, hunks, and rows that put an old line beside its new one.
//!
//! [`Diff::read`] takes any bytes. What is no patch is no file, and nothing that a patch holds is hidden: lines are marked as changed in
//! these words or as moved, but their text stays.

mod moves;
mod pair;
mod parse;
mod render;
mod words;

use std::ops::Range;
use std::sync::Arc;

pub use render::{Budget, Layout, Note, NoteKind, View, render};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    pub files: Vec<FileDiff>,
    /// Bytes at the end of a patch that is too large.
    pub bytes_left_out: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// Its number in the patch.
    pub index: usize,
    pub path: Arc<str>,
    /// The old path of a renamed file.
    pub from: Option<String>,
    pub change: Change,
    /// The old and the new mode, where they differ.
    pub modes: Option<(String, String)>,
    pub is_binary: bool,
    pub added: usize,
    pub removed: usize,
    pub hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Created,
    Deleted,
    Modified,
    Renamed,
    Copied,
}

impl Change {
    pub fn words(self) -> &'static str {
        match self {
            Change::Created => "created",
            Change::Deleted => "deleted",
            Change::Modified => "modified",
            Change::Renamed => "renamed",
            Change::Copied => "copied",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// `@@ -1,3 +1,4 @@`
    pub range: String,
    /// What stands behind it: the function around the hunk.
    pub section: String,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Same { old_number: u32, line: Line },
    Changed { old: Option<Line>, new: Option<Line> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Old,
    New,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub number: u32,
    pub text: String,
    pub ending: Ending,
    /// Bytes at the end of a line that is too long.
    pub bytes_left_out: usize,
    /// What differs from the line beside it. Empty if that says nothing.
    pub words: Vec<Range<usize>>,
    pub moved: Option<Move>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Lf,
    CrLf,
    /// The file ends here.
    None,
}

/// The other place of a line that only changed its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The number of the other file in the patch.
    pub file: usize,
    pub path: Arc<str>,
    pub line: u32,
    /// The first line of a block that moved.
    pub is_first: bool,
    pub is_reindented: bool,
}

impl Diff {
    /// Reads a patch of any origin, as git or `diff -u` writes it.
    pub fn read(patch: &[u8]) -> Diff {
        let (mut files, bytes_left_out) = parse::parse(patch);
        moves::mark(&mut files);
        let files = files.into_iter().map(parse::File::into_rows).collect();
        Diff { files, bytes_left_out }
    }
}

impl FileDiff {
    /// How many lines its hunks have, context included.
    pub fn lines(&self) -> usize {
        self.hunks.iter().map(Hunk::lines).sum()
    }
}

impl Hunk {
    fn lines(&self) -> usize {
        self.rows.iter().map(Row::lines).sum()
    }
}

impl Row {
    fn lines(&self) -> usize {
        match self {
            Row::Same { .. } => 1,
            Row::Changed { old, new } => usize::from(old.is_some()) + usize::from(new.is_some()),
        }
    }
}

#[cfg(test)]
mod tests;
