//! Whether a checkout has moved since it was indexed, found without reading a file and without writing anything.

use std::path::Path;

use rb_core::{Cancel, RepoPath};
use serde::Serialize;

use crate::history::History;
use crate::store::{Store, StoreError, rows};
use crate::update::{IndexError, StoredState, all_files, tree_key};
use crate::walk::WalkOptions;

/// The last index, and what looks different since. A file that was only touched is among the changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// None where there is no index that can be read.
    pub indexed: Option<IndexedState>,
    pub added: Vec<RepoPath>,
    pub changed: Vec<RepoPath>,
    pub deleted: Vec<RepoPath>,
}

/// Which state of a checkout an index speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexedState {
    pub generation: u64,
    pub tree: String,
    pub commit: Option<String>,
}

impl Status {
    pub fn is_current(&self) -> bool {
        self.indexed.is_some()
            && self.added.is_empty()
            && self.changed.is_empty()
            && self.deleted.is_empty()
    }
}

/// Compares the checkout with the index in the folder.
pub fn status(
    root: &Path,
    folder: &Path,
    options: &WalkOptions,
    history: &dyn History,
    cancel: &Cancel,
) -> Result<Status, IndexError> {
    let walk = all_files(root, options, history, cancel)?;
    let mut status = Status::default();
    let store = match Store::open(folder) {
        Ok(Some(store)) => store,
        // The next index begins anew.
        Ok(None) | Err(StoreError::Damaged(_)) => return Ok(status),
        Err(error) => return Err(error.into()),
    };
    let Some(tree) = store.known_tree(&tree_key(root, options))? else { return Ok(status) };
    status.indexed = StoredState::load(&store, tree)?.map(|kept| IndexedState {
        generation: kept.generation,
        tree: kept.state.to_string(),
        commit: kept.head,
    });
    let stored = store.with(|connection| rows::load_stats(connection, tree))?;
    let mut stored = stored.into_iter().peekable();
    let mut deleted = |path: &[u8]| status.deleted.extend(RepoPath::new(path).ok());
    for found in &walk.files {
        while let Some((path, _)) =
            stored.next_if(|(path, _)| path.as_slice() < found.path.as_bytes())
        {
            deleted(&path);
        }
        match stored.next_if(|(path, _)| path == found.path.as_bytes()) {
            Some((_, stat)) if stat.matches(found) => {}
            Some(_) => status.changed.push(found.path.clone()),
            None => status.added.push(found.path.clone()),
        }
    }
    stored.for_each(|(path, _)| deleted(&path));
    Ok(status)
}
