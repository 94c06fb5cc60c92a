//! From the text of a model or a person to exact edits.
//!
//! An answer is a unified diff, search/replace blocks, or whole files; `read` knows their spellings. Edits
//! and new files may also come one by one (`edits`). Every edit is placed in the file that it names, on a ladder: exactly, then but for whitespace, then
//! away from its given lines. A place must be the only one, or the edit is refused with what would help
//! to repeat it. Nothing is placed by likeness. The patch that comes out is computed from the files
//! before and after; the text of the answer itself is never applied.

mod blank_lines;
mod build;
mod edits;
mod elision;
mod error;
mod file;
mod names;
mod nearest;
mod place;
mod read;
mod search;

pub use edits::{Edit, NewFile};
pub use error::{AnswerError, Difference, Malformed, Refused, Spot, Why};

use rb_core::RepoPath;
use rb_core::patch::Patch;
use serde::{Deserialize, Serialize};

use crate::patch::{ApplyError, Tree, apply, diff};
use names::Names;
use read::Proposal;

/// What an answer comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    pub patch: Patch,
    /// Every edit of the answer in its order.
    pub placed: Vec<Placed>,
}

/// Where one edit went: its first line in the file as it was, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    pub path: RepoPath,
    pub rung: Rung,
    pub line: usize,
}

/// How far down the ladder an edit had to go before its place was found. Later is worse; of several slips in one edit, the latest
/// counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// At its given lines, or byte for byte at one place only.
    Exact,
    /// As exact, but for trailing whitespace, line ends, or one shift of the indentation.
    Whitespace,
    /// The indentation of context is not the file's.
    Indentation,
    /// A blank line of context is missing, or there is one too many.
    BlankLine,
    /// A line of context came without the space that marks it.
    ContextMark,
    /// Not at its given lines, but at one other place.
    Context,
}

impl Rung {
    /// How the edit was applied, for a sentence that begins with "applied".
    pub fn words(self) -> &'static str {
        match self {
            Rung::Exact => "exactly",
            Rung::Whitespace => "except for whitespace",
            Rung::Indentation => "although the indentation of context lines differs",
            Rung::BlankLine => "although a blank context line is missing or extra",
            Rung::ContextMark => "although a context line lacks its leading space",
            Rung::Context => "at other lines than stated",
        }
    }
}

impl Resolved {
    /// The worst rung of all edits.
    pub fn rung(&self) -> Rung {
        self.placed.iter().map(|placed| placed.rung).max().unwrap_or(Rung::Exact)
    }
}

/// Turns an answer into a patch that applies to `tree`, wholly or not at all.
pub fn resolve(answer: &[u8], tree: &dyn Tree) -> Result<Resolved, AnswerError> {
    let names = Names::new(tree.paths()?);
    resolve_all(read::read(answer, &names)?, &names, tree)
}

/// Turns edits and new files into such a patch. All edits are about the files as they are in `tree`.
pub fn resolve_edits(
    edits: &[Edit<'_>],
    new_files: &[NewFile<'_>],
    tree: &dyn Tree,
) -> Result<Resolved, AnswerError> {
    let names = Names::new(tree.paths()?);
    resolve_all(edits::read(edits, new_files, &names)?, &names, tree)
}

fn resolve_all(
    proposals: Vec<Proposal>,
    names: &Names,
    tree: &dyn Tree,
) -> Result<Resolved, AnswerError> {
    if proposals.is_empty() {
        return Err(AnswerError::NoEdit);
    }
    let built = build::build(proposals, names, tree)?;
    let patch = diff(&built.before, &built.after)?;
    if patch.files.is_empty() {
        return Err(AnswerError::Noop);
    }
    // Each file was looked at by itself; together they may put a file where another needs a folder.
    match apply(&patch, tree) {
        Ok(_) => Ok(Resolved { patch, placed: built.placed }),
        Err(ApplyError::Conflicts(conflicts)) => Err(AnswerError::Conflicts(conflicts)),
        Err(ApplyError::Tree(error)) => Err(AnswerError::Tree(error)),
    }
}
