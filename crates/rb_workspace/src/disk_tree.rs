//! The worktree as patches see it: what lies on the disk, and what git tracks there.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use rb_core::RepoPath;
use rb_core::fs::{self, FsError};
use rb_core::patch::Mode;

use crate::git::{Git, GitError, fields};
use crate::patch::{Entry, File, Tree};

/// A view of the worktree's files, good until they change.
#[derive(Debug)]
pub struct DiskTree {
    root: PathBuf,
    tracked: BTreeSet<RepoPath>,
    submodules: BTreeSet<RepoPath>,
}

impl DiskTree {
    pub(crate) fn of(git: &Git) -> Result<DiskTree, GitError> {
        let (mut tracked, mut submodules) = (BTreeSet::new(), BTreeSet::new());
        for entry in fields(&git.run(["ls-files", "--stage", "-z"])?) {
            let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else { continue };
            let Ok(path) = RepoPath::new(&entry[tab + 1..]) else { continue };
            if entry.starts_with(b"160000") {
                submodules.insert(path)
            } else {
                tracked.insert(path)
            };
        }
        Ok(DiskTree { root: git.dir().to_owned(), tracked, submodules })
    }
}

impl Tree for DiskTree {
    fn entry(&self, path: &RepoPath) -> Result<Option<Entry>, FsError> {
        if self.submodules.contains(path) {
            return Ok(Some(Entry::Submodule));
        }
        // Behind a link there is nothing: the link itself is what stands there.
        let Ok(place) = fs::contained(&self.root, path) else { return Ok(None) };
        let Ok(meta) = place.symlink_metadata() else { return Ok(None) };
        if meta.is_symlink() {
            return Ok(Some(Entry::Link));
        }
        if !meta.is_file() {
            return Ok(Some(Entry::Folder));
        }
        let executable = meta.permissions().mode() & 0o100 != 0;
        let mode = if executable { Mode::Executable } else { Mode::Regular };
        Ok(Some(Entry::File(File { bytes: fs::read(&place)?, mode })))
    }

    fn paths(&self) -> Result<Vec<RepoPath>, FsError> {
        Ok(self.tracked.union(&self.submodules).cloned().collect())
    }
}
