//! What of a checkout can be searched, and whether it is in step.

use std::fmt;
use std::sync::Arc;

use super::doc;
use super::embed::Embedder;
use crate::store::{Store, StoreError, rows};
use crate::update::TreeState;

/// What an update makes ready to be searched.
#[derive(Clone, Default)]
pub enum Searchable {
    #[default]
    Nothing,
    /// By words.
    Words,
    /// By words, and by what a model makes of them.
    Meaning(Arc<dyn Embedder>),
}

impl fmt::Debug for Searchable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Searchable::Nothing => f.write_str("Nothing"),
            Searchable::Words => f.write_str("Words"),
            Searchable::Meaning(embedder) => write!(f, "Meaning({})", embedder.model()),
        }
    }
}

impl Searchable {
    pub(crate) fn embedder(&self) -> Option<&dyn Embedder> {
        match self {
            Searchable::Nothing | Searchable::Words => None,
            Searchable::Meaning(embedder) => Some(&**embedder),
        }
    }

    /// Under which name the state is kept that it was last made of.
    fn mark(&self) -> Option<String> {
        let version = doc::VERSION;
        match self {
            Searchable::Nothing => None,
            Searchable::Words => Some(format!("search {version}")),
            Searchable::Meaning(embedder) => Some(format!("search {version} {}", embedder.model())),
        }
    }

    pub(crate) fn is_ready(
        &self,
        store: &Store,
        tree: i64,
        state: &TreeState,
    ) -> Result<bool, StoreError> {
        let Some(mark) = self.mark() else { return Ok(true) };
        Ok(store.kept(tree, &mark)?.is_some_and(|bytes| bytes == rows::encode(state)))
    }

    pub(crate) fn set_ready(
        &self,
        store: &Store,
        tree: i64,
        state: &TreeState,
    ) -> Result<(), StoreError> {
        let marks = [self.mark(), Searchable::Words.mark().filter(|_| self.mark().is_some())];
        store.with(|connection| {
            marks
                .iter()
                .flatten()
                .try_for_each(|mark| rows::keep(connection, tree, mark, &rows::encode(state)))
        })
    }
}
