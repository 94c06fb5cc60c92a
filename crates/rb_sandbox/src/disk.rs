//! Room on the disks that a job writes to: it may use much of what there is, but not the last of it.
//!
//! How much a job wrote cannot be counted in folders that it changes meanwhile. What is left for everybody
//! else can be asked for at any time, and does not depend on who took it.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::free_space;

/// Space that stays free: the machine goes on, and what is known of a run can still be written down.
const RESERVE: u64 = 512 << 20;

/// Each disk once, by a folder on it, with what must stay free there.
#[derive(Debug)]
pub(crate) struct Disks(Vec<(PathBuf, u64)>);

impl Disks {
    /// A disk that is nearly full already may still be used by half of what it has left.
    pub(crate) fn of<'a>(folders: impl Iterator<Item = &'a PathBuf>) -> Self {
        let mut seen = BTreeSet::new();
        let device = |folder: &Path| folder.metadata().ok().map(|meta| meta.dev());
        let fresh = folders.filter(|folder| device(folder).is_some_and(|dev| seen.insert(dev)));
        let least = |free: u64| RESERVE.min(free / 2);
        Disks(fresh.filter_map(|dir| Some((dir.clone(), least(free_space(dir).ok()?)))).collect())
    }

    /// A folder on a disk that has too little left.
    pub(crate) fn nearly_full(&self) -> Option<&Path> {
        let full =
            |(folder, least): &&(PathBuf, u64)| free_space(folder).is_ok_and(|free| free < *least);
        self.0.iter().find(full).map(|(folder, _)| folder.as_path())
    }
}
