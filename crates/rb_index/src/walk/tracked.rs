//! Files that an ignore file names and that are in the repository all the same: git keeps to what was once added.

use std::path::Path;

use rb_core::RepoPath;
use rb_core::folder::{FolderRoot, Kind, Stat};

use super::globs::Globs;
use super::rules::By;
use super::{FoundFile, SkipReason, Skipped, Walk, WalkError, WalkOptions};

impl Walk {
    /// What may hold files that git has: all that its ignore files name.
    pub fn may_be_tracked(&self) -> Vec<RepoPath> {
        let by_git = self.ignored.iter().filter(|ignored| ignored.by == By::Git);
        by_git.filter_map(|ignored| RepoPath::new(ignored.path.as_bytes()).ok()).collect()
    }

    /// Takes in files that git has although they are ignored. Others among them are passed over, as are those that the
    /// options leave out.
    pub fn add_tracked(
        &mut self,
        root: &Path,
        options: &WalkOptions,
        tracked: &[RepoPath],
    ) -> Result<(), WalkError> {
        let (include, exclude) = (Globs::new(&options.include)?, Globs::new(&options.exclude)?);
        let lost = |source| WalkError::Root { path: root.to_owned(), source };
        let held = FolderRoot::open(root).map_err(lost)?;
        let ignored = self.may_be_tracked();
        for path in tracked {
            let above = path.ancestors().chain([path.clone()]);
            let named = above.into_iter().any(|above| ignored.binary_search(&above).is_ok());
            if !named || exclude.covers(path.as_bytes()) {
                continue;
            }
            if !include.is_empty() && !include.covers(path.as_bytes()) {
                continue;
            }
            match found(&held, path) {
                Ok(found) => self.files.push(found),
                Err(SkipReason::Gone) => {}
                Err(reason) => {
                    self.skipped.push(Skipped { path: path.as_bytes().into(), reason });
                }
            }
        }
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.files.dedup_by(|a, b| a.path == b.path);
        let is_file = |path: &[u8]| {
            self.files.binary_search_by(|found| found.path.as_bytes().cmp(path)).is_ok()
        };
        self.ignored.retain(|ignored| ignored.is_folder || !is_file(ignored.path.as_bytes()));
        self.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(())
    }
}

/// Nothing on the way to it may be a link.
fn found(held: &FolderRoot, path: &RepoPath) -> Result<FoundFile, SkipReason> {
    let of_error = |error| SkipReason::of_error(&error);
    let file = held.file(path).map_err(of_error)?;
    let Stat { kind, size, mtime_ns, ctime_ns, inode } = Stat::of(&file).map_err(of_error)?;
    match kind {
        Kind::File => Ok(FoundFile { path: path.clone(), size, mtime_ns, ctime_ns, inode }),
        Kind::Folder | Kind::Link | Kind::Special | Kind::Unknown => Err(SkipReason::Special),
    }
}
