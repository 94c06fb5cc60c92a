//! Why an answer was not taken, in words that help to give a better one.

use std::fmt;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_core::path::BadPath;
use thiserror::Error;

use crate::patch::{Conflict, DiffError, Kind};

#[derive(Debug, Error)]
pub enum AnswerError {
    #[error(
        "the proposal holds no edit: give a unified diff, search/replace blocks or whole files"
    )]
    NoEdit,
    /// The edits are understood and leave every file as it is.
    #[error("the proposal changes nothing")]
    Noop,
    #[error("{at}: {why}")]
    Malformed { at: Spot, why: Malformed },
    #[error("{}", lines(.0))]
    Refused(Vec<Refused>),
    #[error(transparent)]
    Diff(#[from] DiffError),
    /// Each edit has its place, but the files do not fit together.
    #[error("{}", lines(.0))]
    Conflicts(Vec<Conflict>),
    #[error("the files to change cannot be read")]
    Tree(#[from] FsError),
}

/// Where in an answer something stands, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// A line of its text.
    Line(usize),
    Edit(usize),
    NewFile(usize),
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Line(number) => write!(f, "line {number} of the proposal"),
            Spot::Edit(number) => write!(f, "edit {number}"),
            Spot::NewFile(number) => write!(f, "new file {number}"),
        }
    }
}

/// What is wrong with the text of the answer itself.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    #[error("no file is named for this edit")]
    NoPath,
    #[error(transparent)]
    BadPath(BadPath),
    #[error("the two names of the file differ: `{0}` and `{1}`")]
    NamesDiffer(RepoPath, RepoPath),
    #[error("the block does not end: expected {0}")]
    Open(&'static str),
    #[error(
        "a fence stands inside a fenced file; use `*** Begin File: PATH` and `*** End File` instead"
    )]
    NestedFence,
    #[error("a file in full and edits do not go together in one answer; use one form")]
    Mixed,
    #[error("a created file has added lines only")]
    NotOnlyAdded,
    #[error("the entry has no hunk and changes nothing")]
    EmptyEntry,
    #[error("binary changes, links, submodules and copies are not supported")]
    Unsupported,
}

/// One edit that was not placed, and where it stands in the answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{at}, `{path}`: {why}")]
pub struct Refused {
    pub at: Spot,
    pub path: RepoPath,
    pub why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Why {
    #[error("the file does not exist{}", hint(similar))]
    Missing { similar: Vec<RepoPath> },
    #[error("it is {0}, not a file")]
    NotAFile(Kind),
    #[error("the file exists already")]
    Exists,
    #[error("a new file is not expected there{}", hint(similar))]
    Implausible { similar: Vec<RepoPath> },
    #[error("the edit names no line to find; give some lines around it")]
    NothingToFind,
    #[error("the text is found at lines {}; give more lines around it", numbers(lines, *more))]
    Ambiguous { lines: Vec<usize>, more: usize },
    #[error("the text is not found{}{}", present(*already), first(differs.as_ref()))]
    NoMatch { differs: Option<Difference>, already: Option<usize> },
    #[error("the edit overlaps another one at line {line}")]
    Overlap { line: usize },
    #[error("the deletion does not show the whole file")]
    PartialDelete,
    #[error("the edit leaves out code: `{text}`")]
    Elided { text: String },
    #[error("another edit of the answer already decides about this file")]
    Contradiction,
    #[error("the file holds binary content")]
    Binary,
    #[error(
        "the file exists and has {lines} lines; only files of up to {} lines can be given whole, so give edits",
        MAX_WHOLE_LINES
    )]
    TooLongForWhole { lines: usize },
}

/// Lines of a file that an answer may replace as a whole, where it could give edits instead.
pub(super) const MAX_WHOLE_LINES: usize = 150;

/// The first line of the nearest place that is not as the answer has it. Long texts are cut; control characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Of the file, counted from 1.
    pub line: usize,
    /// `None` where the file has ended.
    pub file: Option<String>,
    pub patch: String,
}

fn lines<T: ToString>(list: &[T]) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join("\n")
}

fn hint(similar: &[RepoPath]) -> String {
    if similar.is_empty() {
        return String::new();
    }
    let names: Vec<String> = similar.iter().map(|path| format!("`{path}`")).collect();
    format!("; is {} meant?", names.join(" or "))
}

fn numbers(lines: &[usize], more: usize) -> String {
    let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

fn first(differs: Option<&Difference>) -> String {
    let Some(Difference { line, file, patch }) = differs else { return String::new() };
    let shown = |text: &str| match text {
        "" => "(a blank line)".to_owned(),
        text => format!("`{text}`"),
    };
    let file = file.as_deref().map_or_else(|| "(the end of the file)".to_owned(), shown);
    let patch = shown(patch);
    format!(
        "; the nearest place differs first at line {line}\n  the file has:  {file}\n  the patch has: {patch}"
    )
}

fn present(already: Option<usize>) -> String {
    already
        .map_or_else(String::new, |line| format!("; its result is already there, at line {line}"))
}
