//! The texts behind an index, for those who have to look again at what facts do not hold.

use std::path::Path;

use rb_core::RepoPath;
use rb_core::fs;

/// The texts of the state that is indexed: of a worktree, a commit, or files in memory.
pub trait Texts {
    /// `None` for a file that is not there or cannot be read.
    fn text(&self, path: &str) -> Option<Vec<u8>>;
}

/// The files of a folder as they are now; nothing outside it, and nothing behind a link.
pub struct OnDisk<'a> {
    pub root: &'a Path,
}

impl Texts for OnDisk<'_> {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        let place = fs::contained(self.root, &RepoPath::new(path).ok()?).ok()?;
        if place.is_file() { fs::read_optional(&place).ok().flatten() } else { None }
    }
}
