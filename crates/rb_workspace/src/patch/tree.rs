//! What a patch is applied to: a read-only view of files by path.
//!
//! The worktree implements `Tree` over the disk; `MemoryTree` is the one without a disk.

use std::collections::BTreeMap;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_core::patch::Mode;

use super::apply::FileChange;

/// A view of the files that a change starts from.
pub trait Tree {
    /// What stands at `path`, without following a link there.
    fn entry(&self, path: &RepoPath) -> Result<Option<Entry>, FsError>;

    /// Every path that is not a folder, in any order.
    fn paths(&self) -> Result<Vec<RepoPath>, FsError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    File(File),
    Link,
    Submodule,
    Folder,
}

/// A file's content and permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub bytes: Vec<u8>,
    pub mode: Mode,
}

impl File {
    pub fn regular(bytes: impl Into<Vec<u8>>) -> Self {
        File { bytes: bytes.into(), mode: Mode::Regular }
    }

    /// Content that a line-based patch cannot carry.
    pub fn is_binary(&self) -> bool {
        self.bytes.contains(&0)
    }
}

/// A tree held in memory. Folders exist where something lies below them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryTree(BTreeMap<RepoPath, Entry>);

impl MemoryTree {
    pub fn new(files: impl IntoIterator<Item = (RepoPath, File)>) -> Self {
        MemoryTree(files.into_iter().map(|(path, file)| (path, Entry::File(file))).collect())
    }

    pub fn insert(&mut self, path: RepoPath, entry: Entry) {
        self.0.insert(path, entry);
    }

    /// Takes over what `apply` worked out.
    pub fn land(&mut self, changes: &[FileChange]) {
        for change in changes {
            self.0.remove(&change.path);
        }
        for change in changes {
            if let Some(file) = &change.after {
                self.0.insert(change.path.clone(), Entry::File(file.clone()));
            }
        }
    }
}

impl Tree for MemoryTree {
    fn entry(&self, path: &RepoPath) -> Result<Option<Entry>, FsError> {
        if let Some(entry) = self.0.get(path) {
            return Ok(Some(entry.clone()));
        }
        // Of the paths from `path` on, those below it are not contiguous: `a.b` sorts before `a/b`.
        let mut first_below = path.as_bytes().to_vec();
        first_below.extend_from_slice(b"/\x01");
        let start = RepoPath::new(first_below).ok();
        let below = start.and_then(|start| self.0.range(start..).next());
        Ok(below.filter(|(found, _)| found.is_within(path)).map(|_| Entry::Folder))
    }

    fn paths(&self) -> Result<Vec<RepoPath>, FsError> {
        let is_leaf = |entry: &Entry| !matches!(entry, Entry::Folder);
        Ok(self
            .0
            .iter()
            .filter(|(_, entry)| is_leaf(entry))
            .map(|(path, _)| path.clone())
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_what_has_something_below() {
        let path = |text: &str| RepoPath::new(text).unwrap();
        let file = || File::regular("");
        let tree =
            MemoryTree::new([(path("a/b"), file()), (path("a.b"), file()), (path("a0"), file())]);
        assert_eq!(tree.entry(&path("a")).unwrap(), Some(Entry::Folder));
        assert_eq!(tree.entry(&path("a/b")).unwrap(), Some(Entry::File(file())));
        assert_eq!(tree.entry(&path("a/b/c")).unwrap(), None);
        assert_eq!(tree.entry(&path("b")).unwrap(), None);
    }
}
