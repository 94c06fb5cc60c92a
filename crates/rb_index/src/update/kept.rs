//! What is kept of a checkout beside its files: of which state the index speaks, and the sums over all files.

use std::ffi::OsStr;
use std::fmt;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rb_core::Sha256;
use rb_core::hash::Hasher;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::overview::Counts;
use crate::store::{FileRow, Store, StoreError, rows};
use crate::walk::WalkOptions;

/// Of which state of a checkout its index speaks, and what is counted over its files.
#[derive(Debug, Clone)]
pub(crate) struct StoredState {
    pub(crate) state: TreeState,
    pub(crate) generation: u64,
    pub(crate) head: Option<String>,
    pub(crate) counts: Counts,
}

impl StoredState {
    /// `None` where the checkout was never indexed as a whole.
    pub(crate) fn load(store: &Store, tree: i64) -> Result<Option<Self>, StoreError> {
        let Some(bytes) = store.kept(tree, "state")? else { return Ok(None) };
        let (state, generation, head, counts) = rows::decode(&bytes)?;
        Ok(Some(StoredState { state, generation, head, counts }))
    }

    pub(super) fn write(&self, connection: &Connection, tree: i64) -> Result<(), StoreError> {
        let StoredState { state, generation, head, counts } = self;
        let value = rows::encode(&(state, generation, head, counts));
        rows::keep(connection, tree, "state", &value)
    }

    /// This after a change. The generation goes on where there is something new to say.
    pub(super) fn followed(
        old: Option<&StoredState>,
        state: TreeState,
        head: Option<&str>,
        counts: Counts,
    ) -> Self {
        let generation = match old {
            Some(old) if old.state == state && old.head.as_deref() == head => old.generation,
            Some(old) => old.generation + 1,
            None => 1,
        };
        StoredState { state, generation, head: head.map(ToOwned::to_owned), counts }
    }
}

/// Stands for all paths and contents: two checkouts of the same state have the same index.
///
/// A sum over the files, so that one of them can change without the others being looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TreeState([u64; 4]);

impl TreeState {
    pub(super) fn of(files: &[FileRow]) -> Self {
        let mut state = TreeState::default();
        for file in files {
            state.add(file);
        }
        state
    }

    pub(super) fn add(&mut self, file: &FileRow) {
        let mut carry = false;
        for (sum, part) in self.0.iter_mut().zip(parts(file)) {
            let (added, over) = sum.overflowing_add(part);
            let (added, over_again) = added.overflowing_add(carry.into());
            (*sum, carry) = (added, over || over_again);
        }
    }

    pub(super) fn remove(&mut self, file: &FileRow) {
        let mut borrow = false;
        for (sum, part) in self.0.iter_mut().zip(parts(file)) {
            let (left, under) = sum.overflowing_sub(part);
            let (left, under_again) = left.overflowing_sub(borrow.into());
            (*sum, borrow) = (left, under || under_again);
        }
    }
}

impl fmt::Display for TreeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| write!(f, "{part:016x}"))
    }
}

fn parts(file: &FileRow) -> [u64; 4] {
    let content = file.hash.unwrap_or_else(|| Sha256::of(&file.state.size.to_le_bytes()));
    let mut hasher = Hasher::new();
    for part in [content.as_bytes(), file.path.as_bytes()] {
        hasher.write_all(part).expect("hashing cannot fail");
    }
    let hash = hasher.finish();
    let (parts, _) = hash.as_bytes().as_chunks::<8>();
    std::array::from_fn(|at| u64::from_le_bytes(parts[at]))
}

/// A checkout's name in the store: where it is, and which files of it are looked at.
pub(crate) fn tree_key(root: &Path, options: &WalkOptions) -> String {
    let root = rb_core::path::quote(root.as_os_str().as_encoded_bytes());
    format!("{root}\n{}\n{}", options.include.join(","), options.exclude.join(","))
}

/// Whether the checkout of that name is still there, as far as one can see.
pub(super) fn is_there(tree_key: &str) -> bool {
    let root = tree_key.split('\n').next().and_then(rb_core::path::unquote);
    root.is_none_or(|root| Path::new(OsStr::from_bytes(&root)).exists())
}
