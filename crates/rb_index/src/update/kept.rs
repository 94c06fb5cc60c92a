//! What is kept of a checkout beside its files: of which state the index speaks, and the results over all files.

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rb_core::Sha256;
use rb_core::hash::Hasher;

use crate::history::Activity;
use crate::overview::Overview;
use crate::store::{FileRow, Store, StoreError, rows};
use crate::walk::WalkOptions;

pub(crate) struct Kept {
    pub(crate) state: String,
    pub(crate) generation: u64,
    pub(crate) head: Option<String>,
    pub(crate) activity: Activity,
    pub(crate) overview: Overview,
}

impl Kept {
    /// `None` where the checkout was never indexed as a whole.
    pub(crate) fn load(store: &Store, tree: i64) -> Result<Option<Self>, StoreError> {
        let (Some((state, generation, head)), Some(activity), Some(overview)) = (
            kept_state(store, tree)?,
            store.kept(tree, "activity")?,
            store.kept(tree, "overview")?,
        ) else {
            return Ok(None);
        };
        // An overview of another shape is made again, like everything that is not there.
        let Some(overview) = Overview::from_bytes(&overview) else { return Ok(None) };
        Ok(Some(Kept { state, generation, head, activity: rows::decode(&activity)?, overview }))
    }
}

/// State, generation and commit of a checkout when it was last indexed.
pub(super) type State = (String, u64, Option<String>);

pub(super) fn kept_state(store: &Store, tree: i64) -> Result<Option<State>, StoreError> {
    store.kept(tree, "state")?.map(|bytes| rows::decode(&bytes)).transpose()
}

/// Of all paths and contents. Two checkouts of the same state have the same index.
pub(crate) fn state_of(files: &[FileRow]) -> String {
    let mut hasher = Hasher::new();
    for file in files {
        let content = file.hash.unwrap_or_else(|| Sha256::of(&file.state.size.to_le_bytes()));
        let length = (file.path.as_bytes().len() as u64).to_le_bytes();
        for part in [length.as_slice(), file.path.as_bytes(), content.as_bytes()] {
            hasher.write_all(part).expect("hashing cannot fail");
        }
    }
    hasher.finish().to_string()
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
