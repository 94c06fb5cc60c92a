//! Uncommitted work as a commit that no branch of the user's holds.
//!
//! The commit is made through an index of its own: the user's index, HEAD and files are only read.

use std::path::Path;

use rb_core::RepoPath;
use rb_core::fs::{self, FsError};
use thiserror::Error;

use crate::git::{GitError, nul_separated};
use crate::preflight::{Preflight, filters};
use crate::repo::Kind;

#[derive(Debug, Error)]
pub enum CarryError {
    #[error("`{path}` is changed and passes through the filter `{filter}`, which is not run")]
    Filtered { path: RepoPath, filter: String },
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Commits the working files as they are and returns the commit. `scratch` is a folder of the run's own.
pub fn carry(target: &Preflight, scratch: &Path) -> Result<String, CarryError> {
    let repo = &target.repo;
    // Unfiltered, what is meant to be encrypted would be committed as plain text.
    let uncommitted = target.changed.iter().chain(&target.listing.untracked);
    let filtered = filters(&repo.git, uncommitted)?;
    if let Some((path, filter)) =
        filtered.into_iter().find(|(_, name)| repo.git.silences_filter(name))
    {
        return Err(CarryError::Filtered { path, filter });
    }
    let index = scratch.join("carry.index");
    fs::remove_file(&index)?;
    fs::remove_file(&scratch.join("carry.index.lock"))?;
    if repo.kind == Kind::Git {
        repo.copy_index::<CarryError>(&index)?;
    }
    let git = crate::identity::with_identity(&repo.git)?.with_env("GIT_INDEX_FILE", &index);
    let paths = nul_separated(target.listing.files());
    // Files outside a sparse checkout are absent and not deleted.
    let sparse = "--ignore-skip-worktree-entries";
    git.feed(["update-index", "--add", "--remove", "--replace", sparse, "-z", "--stdin"], &paths)?;
    let tree = git.line(["write-tree"])?;
    let message = "refactor-bot: uncommitted work at the start of the run";
    let mut args = vec!["commit-tree", &tree, "-m", message];
    if let Some(head) = target.head.commit() {
        args.extend(["-p", head]);
    }
    let commit = git.line(args)?;
    fs::remove_file(&index)?;
    Ok(commit)
}
