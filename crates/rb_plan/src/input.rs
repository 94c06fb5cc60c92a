//! What planning looks at.

use std::path::Path;

use rb_core::{Cancel, Progress, RepoPath};
use rb_index::{FileId, Overview, Texts, View};
use rb_language_servers::Renamer;
use rb_patterns::Rules;
use rb_recipes::Promised;
use thiserror::Error;

use crate::plan::Leftover;
use crate::smells::MAX_BYTES;

/// A repository, and what is wanted of it.
pub struct PlanInput<'p> {
    /// In the person's words; `None` for the whole repository.
    pub directive: Option<&'p str>,
    pub view: &'p View<'p>,
    pub overview: &'p Overview,
    pub texts: &'p (dyn Texts + Sync),
    /// Where packages may be installed.
    pub root: &'p Path,
    pub promised: &'p Promised,
    /// The rules that the project wrote itself.
    pub own: &'p Rules,
    /// What is asked about, where it is not the whole repository.
    pub folder: Option<&'p RepoPath>,
    /// Whether a task may touch a file.
    pub may_touch: &'p (dyn Fn(&str) -> bool + Sync),
    /// The files that a question in words is about, the best first, as the index's search finds them. Asked only for what
    /// no recipe and no rule serves.
    pub search: &'p dyn Fn(&str) -> Vec<String>,
    /// Renames in languages that only their language servers know.
    pub renamer: &'p dyn Renamer,
    pub limits: Limits,
    /// A model can be asked, so that there may be tasks which no recipe and no rule does.
    pub has_model: bool,
    pub allow_public_api_changes: bool,
    pub cancel: &'p Cancel,
    pub progress: &'p (dyn Progress + Sync),
}

impl PlanInput<'_> {
    /// What lies outside of the folder that was asked about is nobody's question.
    pub(crate) fn is_asked_about(&self, left: &Leftover) -> bool {
        let is_within = |folder| RepoPath::new(&left.path).is_ok_and(|it| it.is_within(folder));
        self.folder.is_none_or(is_within)
    }

    /// Nor is what lies in files that the run was told to leave.
    pub(crate) fn is_open(&self, left: &Leftover) -> bool {
        (self.may_touch)(&left.path)
    }

    /// The text of a file that somebody may have written by hand.
    pub(crate) fn source(&self, id: FileId) -> Option<String> {
        let file = self.view.file(id);
        let bytes = if file.size <= MAX_BYTES { self.texts.text(file.path) } else { None };
        String::from_utf8(bytes?).ok()
    }

    /// Whether patterns or a folder leave nothing of what is there.
    pub(crate) fn is_shut(&self) -> bool {
        let files = &self.view.tree.files;
        !files.is_empty() && !files.iter().any(|it| (self.may_touch)(&it.path))
    }
}

/// How much there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub max_batches: usize,
    /// Lines that one task may add and remove together.
    pub diff_budget: usize,
    /// A person set that number: then even what cannot be split keeps to it.
    pub is_strict: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_batches: 200, diff_budget: 300, is_strict: false }
    }
}

/// Said where a run may touch nothing.
pub(crate) const SHUT: &str = "no files to change: --include and --exclude leave none";

#[derive(Debug, Error)]
pub enum PlanError {
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    Store(#[from] rb_index::StoreError),
}
