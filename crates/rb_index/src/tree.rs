//! The files of a repository as the passes over all of them see it: sorted by path, named by number.

use rb_lang::{Language, Marks};

/// The place of a file in `Tree::files`. Good for one tree only; what is stored or shown names files by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// The files that are indexed, sorted by path. Files whose name is not UTF-8 are not among them.
#[derive(Debug, Default)]
pub struct Tree {
    pub files: Vec<TreeFile>,
}

#[derive(Debug, Clone, Default)]
pub struct TreeFile {
    pub path: Box<str>,
    /// `None` for what is not in a language that is known: pictures, lock files, data.
    pub language: Option<Language>,
    pub lines: u32,
    pub marks: Marks,
    /// The package or namespace that the file says it belongs to.
    pub package: Option<Box<str>>,
    /// The text of a manifest (`package.json`, `tsconfig.json`, `go.mod`, `Cargo.toml`, …), kept because the
    /// passes over all files need it. `resolve::is_manifest` says which files these are.
    pub manifest: Option<Box<str>>,
}

impl Tree {
    pub fn get(&self, id: FileId) -> &TreeFile {
        &self.files[id.0 as usize]
    }

    pub fn find(&self, path: &str) -> Option<FileId> {
        let at = self.files.binary_search_by(|file| (*file.path).cmp(path)).ok()?;
        Some(FileId(u32::try_from(at).expect("fewer than four billion files")))
    }

    pub fn ids(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..u32::try_from(self.files.len()).expect("fewer than four billion files")).map(FileId)
    }
}
