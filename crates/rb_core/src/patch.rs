//! A change to several files, as data. Reading, writing, checking and applying it is `rb_workspace`'s.

use crate::path::RepoPath;

/// The changes of one proposal, one entry a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch {
    pub files: Vec<FilePatch>,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    pub change: Change,
    pub hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Create { path: RepoPath, mode: Mode },
    Delete { path: RepoPath, mode: Mode },
    Modify { path: RepoPath, mode: Option<ModeChange> },
    Rename { from: RepoPath, to: RepoPath, mode: Option<ModeChange> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeChange {
    pub old: Mode,
    pub new: Mode,
}

/// The two kinds of file that a patch may hold. Links and submodules are refused when it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Regular,
    Executable,
}

/// A run of lines. Line numbers count from 1; a side without lines has the number of the line before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub old_start: usize,
    pub new_start: usize,
    /// The text after the second `@@`, kept as it came.
    pub section: Vec<u8>,
    pub lines: Vec<Line>,
}

/// One line with its own end: `\n`, `\r\n`, or none where the file ends without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub kind: LineKind,
    pub text: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Context,
    Remove,
    Add,
}

impl Patch {
    /// Lines added and lines removed.
    pub fn size(&self) -> (usize, usize) {
        let count = |kind| {
            self.files
                .iter()
                .flat_map(|file| &file.hunks)
                .flat_map(|hunk| &hunk.lines)
                .filter(|line| line.kind == kind)
                .count()
        };
        (count(LineKind::Add), count(LineKind::Remove))
    }

    /// What each hunk replaces, or stands between: the file, and its first and last line there, as they are without the patch.
    pub fn touched_lines(&self) -> Vec<(&RepoPath, usize, usize)> {
        let mut touched = Vec::new();
        for file in &self.files {
            let path = match &file.change {
                Change::Create { .. } => continue,
                Change::Delete { path, .. } | Change::Modify { path, .. } => path,
                Change::Rename { from, .. } => from,
            };
            for hunk in &file.hunks {
                let mut number = hunk.old_start;
                let mut changed = Vec::new();
                for line in &hunk.lines {
                    if line.kind != LineKind::Context {
                        changed.push(number);
                    }
                    number += usize::from(line.kind != LineKind::Add);
                }
                if let (Some(first), Some(last)) = (changed.first(), changed.last()) {
                    touched.push((path, *first, *last));
                }
            }
        }
        touched
    }

    /// Every path that the patch reads or writes, sorted, each once.
    pub fn paths(&self) -> Vec<&RepoPath> {
        let mut paths: Vec<&RepoPath> =
            self.files.iter().flat_map(|file| file.change.paths()).collect();
        paths.sort();
        paths.dedup();
        paths
    }
}

impl Change {
    /// The path after the change, or the one that goes away.
    pub fn path(&self) -> &RepoPath {
        match self {
            Change::Create { path, .. }
            | Change::Delete { path, .. }
            | Change::Modify { path, .. } => path,
            Change::Rename { to, .. } => to,
        }
    }

    /// One path, or both ends of a rename.
    pub fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        let from = match self {
            Change::Rename { from, .. } => Some(from),
            Change::Create { .. } | Change::Delete { .. } | Change::Modify { .. } => None,
        };
        from.into_iter().chain([self.path()])
    }
}

impl Hunk {
    /// How many lines the hunk covers before and after.
    pub fn lens(&self) -> (usize, usize) {
        let without = |kind| self.lines.iter().filter(|line| line.kind != kind).count();
        (without(LineKind::Add), without(LineKind::Remove))
    }
}

impl Mode {
    /// As git writes it.
    pub fn git(self) -> &'static str {
        match self {
            Mode::Regular => "100644",
            Mode::Executable => "100755",
        }
    }
}
