//! A checkout that is asked, and what is worked out for one question.

use rb_core::RepoPath;
use rb_core::folder::FolderRoot;

use super::answer::Parts;
use super::corpus::{Corpus, DocAt};
use super::near::InOtherWords;
use super::terms::QueryTerm;
use super::words::Words;
use crate::content::{Bytes, Content, Limits};
use crate::store::{FileRow, StoreError, rows};
use crate::update::Indexed;

/// A checkout that is asked many times.
pub struct Searcher<'a> {
    pub(super) indexed: &'a Indexed,
    pub(super) corpus: Corpus<'a>,
}

impl Indexed {
    /// Needs an update that made the checkout searchable.
    pub fn searcher(&self) -> Result<Searcher<'_>, StoreError> {
        Ok(Searcher { indexed: self, corpus: Corpus::load(&self.store, self.tree)? })
    }
}

impl Searcher<'_> {
    /// Holds so many bytes of vectors from one question to the next. More of them are read for each question anew.
    #[must_use]
    pub fn holding(mut self, bytes: usize) -> Self {
        self.corpus.most_held = bytes;
        self
    }

    /// The text as it was indexed; `None` where it is another by now.
    pub(super) fn text(&self, doc: &DocAt) -> Result<Option<(FileRow, Content)>, StoreError> {
        let indexed = self.indexed;
        let Ok(path) = RepoPath::new(doc.path.as_bytes()) else { return Ok(None) };
        let row =
            indexed.store.with(|connection| rows::load_one(connection, indexed.tree, &path))?;
        let found = indexed.walk.files.binary_search_by(|found| found.path.cmp(&path)).ok();
        let content = found.and_then(|at| {
            let root = FolderRoot::open(&indexed.root).ok()?;
            let bytes = Bytes::read(&root, &indexed.walk.files[at], &Limits::default()).ok()?;
            if Some(bytes.hash) == row.hash { bytes.text().ok() } else { None }
        });
        Ok(content.map(|content| (row, content)))
    }
}

/// What each signal says of each file and piece.
pub(super) struct Scores {
    pub(super) asked: Vec<QueryTerm>,
    pub(super) words: Words,
    pub(super) other_words: Option<InOtherWords>,
    /// None where no model takes part.
    pub(super) cosines: Option<Vec<f32>>,
    /// Pieces that define a name that is asked for, and how much that is worth.
    pub(super) exact: Vec<(u32, u32, f32)>,
}

/// A file and what its score is made of.
pub(super) struct Scored {
    pub(super) doc: u32,
    pub(super) parts: Parts,
}

impl Scored {
    pub(super) fn score(&self) -> f32 {
        self.parts.score()
    }
}
