//! Which files a checkout consists of, by git's own word.

use std::collections::BTreeSet;

use rb_core::RepoPath;

use crate::git::{GitError, fields};
use crate::repo::Repo;

/// The files of a checkout, sorted, with what is left out of them.
#[derive(Debug, Default)]
pub struct Listing {
    pub tracked: BTreeSet<RepoPath>,
    /// Neither tracked nor ignored.
    pub untracked: BTreeSet<RepoPath>,
    /// Submodules: their files belong to another repository.
    pub submodules: BTreeSet<RepoPath>,
    /// Repositories that lie untracked inside this one.
    pub nested: BTreeSet<RepoPath>,
    /// Tracked under a name that this tool will not handle.
    pub unusable: Vec<String>,
}

impl Listing {
    pub fn of(repo: &Repo) -> Result<Listing, GitError> {
        let mut listing = Listing::default();
        for entry in fields(&repo.git.run(["ls-files", "--stage", "-z"])?) {
            let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else { continue };
            let (stage, name) = (&entry[..tab], &entry[tab + 1..]);
            match RepoPath::new(name) {
                Ok(path) if stage.starts_with(b"160000") => listing.submodules.insert(path),
                Ok(path) => listing.tracked.insert(path),
                Err(error) => {
                    listing.unusable.push(error.to_string());
                    false
                }
            };
        }
        let others = repo.git.run(["ls-files", "--others", "--exclude-standard", "-z"])?;
        for name in fields(&others) {
            // Git gives a repository inside the repository as one entry with a slash at its end.
            let (name, is_nested) = match name.strip_suffix(b"/") {
                Some(folder) => (folder, true),
                None => (name, false),
            };
            match RepoPath::new(name) {
                Ok(path) if is_nested => listing.nested.insert(path),
                Ok(path) => listing.untracked.insert(path),
                Err(error) => {
                    listing.unusable.push(error.to_string());
                    false
                }
            };
        }
        Ok(listing)
    }

    /// Tracked and untracked files together, sorted.
    pub fn files(&self) -> impl Iterator<Item = &RepoPath> {
        self.tracked.union(&self.untracked)
    }
}
