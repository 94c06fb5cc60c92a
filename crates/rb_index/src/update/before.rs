//! What an update begins from: the rows of the last look at this checkout, or those of another checkout of the repository.
//!
//! A fresh clone or a new worktree differs little from one that is known. Its rows are taken over with numbers of
//! their own and without their looks, so that each file is hashed, and what has the same text is not worked out again.

use rustc_hash::FxHashMap;

use super::kept::{StoredState, is_there};
use crate::store::{FileRow, Link, Links, Stat, Store, StoreError, rows};

pub(super) struct Before {
    /// Sorted by path.
    pub(super) rows: Vec<FileRow>,
    /// Whose checkout they are of.
    pub(super) tree: i64,
    /// Of this checkout.
    pub(super) kept: Option<StoredState>,
}

impl Before {
    pub(super) fn load(
        store: &Store,
        tree: i64,
        key: &str,
        head: Option<&str>,
    ) -> Result<Self, StoreError> {
        let rows = store.with(|connection| rows::load(connection, tree))?;
        let kept = StoredState::load(store, tree)?;
        if kept.is_some() || !rows.is_empty() {
            return Ok(Before { rows, tree, kept });
        }
        let Some(twin) = twin(store, tree, key, head)? else {
            return Ok(Before { rows, tree, kept });
        };
        let mut rows = store.with(|connection| rows::load(connection, twin))?;
        renumber(&mut rows, store.with(rows::next_id)?);
        Ok(Before { rows, tree: twin, kept: None })
    }
}

/// When a checkout comes, those that were removed meanwhile are let go.
pub(super) fn forget_the_gone(store: &Store) -> Result<(), StoreError> {
    for (tree, key) in store.trees()? {
        if !is_there(&key) {
            store.with(|connection| rows::remove_tree(connection, tree))?;
        }
    }
    Ok(())
}

/// The checkout that is most likely like this one: with the same files chosen, at the same commit if there is one,
/// else the one that came last.
fn twin(
    store: &Store,
    tree: i64,
    key: &str,
    head: Option<&str>,
) -> Result<Option<i64>, StoreError> {
    let options = |key: &str| key.split_once('\n').map(|(_, options)| options.to_owned());
    let mut best = None;
    for (other, other_key) in store.trees()? {
        if other == tree || options(&other_key) != options(key) {
            continue;
        }
        let Some(kept) = StoredState::load(store, other)? else { continue };
        let same_commit = head.is_some() && kept.head.as_deref() == head;
        best = best.max(Some((same_commit, other)));
    }
    Ok(best.map(|(_, other)| other))
}

/// Numbers of their own, in the order of the old ones, so that whatever is sorted by number stays sorted.
fn renumber(rows: &mut [FileRow], first: i64) {
    let mut old: Vec<i64> = rows.iter().map(|row| row.id).collect();
    old.sort_unstable();
    let new: FxHashMap<i64, i64> = old.into_iter().zip(first..).collect();
    for row in rows {
        row.id = new[&row.id];
        row.stat = Stat::default();
        renumber_links(&mut row.links, &new);
    }
}

fn renumber_links(links: &mut Links, new: &FxHashMap<i64, i64>) {
    for link in &mut links.imports {
        if let Link::Inside(files) = link {
            for file in files {
                *file = new.get(file).copied().unwrap_or(0);
            }
        }
    }
    for edge in &mut links.edges {
        edge.to = new.get(&edge.to).copied().unwrap_or(0);
    }
}
