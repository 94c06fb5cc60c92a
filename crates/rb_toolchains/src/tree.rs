//! The files of the repository as the toolchains see them: a sorted list of paths, and texts read with a bound.
//!
//! Manifests are read only when they are in the list and no link leads to them. What an installation left on the disk
//! is asked for by `there` and `installed`, which follow links, because package managers make them.

use std::cell::RefCell;
use std::path::Path;

use rb_core::RepoPath;

use crate::Have;

/// Manifests, CI files, settings: a larger one is not written by hand.
pub(crate) const MAX_TEXT: u64 = 1 << 20;
/// Lockfiles of large repositories have tens of thousands of lines.
const MAX_LOCK: u64 = 32 << 20;

pub(crate) struct Tree<'a> {
    root: &'a Path,
    files: Vec<&'a str>,
    have: &'a dyn Have,
    notes: RefCell<Vec<String>>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(root: &'a Path, files: &'a [String], have: &'a dyn Have) -> Self {
        let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
        files.sort_unstable();
        files.dedup();
        Tree { root, files, have, notes: RefCell::default() }
    }

    /// Tells the person what was seen and not used; said once, however often it is seen.
    pub(crate) fn note(&self, text: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    pub(crate) fn take_notes(&self) -> Vec<String> {
        self.notes.take()
    }

    pub(crate) fn have(&self, program: &str) -> bool {
        self.have.have(program)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.binary_search(&path).is_ok()
    }

    /// The folders that hold a file of this name, sorted.
    pub(crate) fn folders_with(&self, name: &str) -> Vec<&'a str> {
        let mut folders: Vec<&str> = self
            .files
            .iter()
            .map(|path| split(path))
            .filter(|&(_, last)| last == name)
            .map(|(folder, _)| folder)
            .collect();
        folders.sort_unstable();
        folders
    }

    /// All files below a folder, with their paths from the root.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &'a str> + '_ {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let start = self.files.partition_point(|path| *path < prefix.as_str());
        self.files[start..].iter().copied().take_while(move |path| path.starts_with(&prefix))
    }

    /// The names of the files that lie in the folder itself.
    pub(crate) fn names_in(&self, folder: &str) -> impl Iterator<Item = &'a str> + '_ {
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        self.below(folder).map(move |path| &path[skip..]).filter(|rest| !rest.contains('/'))
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        self.has(path).then(|| self.text(path, MAX_TEXT))?
    }

    pub(crate) fn read_lock(&self, path: &str) -> Option<String> {
        self.has(path).then(|| self.text(path, MAX_LOCK))?
    }

    pub(crate) fn json(&self, path: &str) -> Option<serde_json::Value> {
        let value = serde_json::from_str(self.read(path)?.trim_start_matches('\u{feff}')).ok();
        if value.is_none() {
            self.note(format!("`{path}` is not valid JSON and was left out"));
        }
        value
    }

    pub(crate) fn toml(&self, path: &str) -> Option<toml::Table> {
        let value = self.read(path)?.parse().ok();
        if value.is_none() {
            self.note(format!("`{path}` is not valid TOML and was left out"));
        }
        value
    }

    pub(crate) fn yaml(&self, path: &str) -> Option<serde_json::Value> {
        let value = crate::yaml::parse(&self.read(path)?);
        if value.is_none() {
            self.note(format!("`{path}` could not be read as YAML and was left out"));
        }
        value
    }

    /// Is a folder or file on the disk, tracked or not?
    pub(crate) fn there(&self, path: &str) -> bool {
        RepoPath::new(path).is_ok_and(|path| path.below(self.root).exists())
    }

    /// The text of an installed file, which no list of tracked files has.
    pub(crate) fn installed(&self, path: &str) -> Option<String> {
        let place = RepoPath::new(path).ok()?.below(self.root);
        read_file(&place, MAX_TEXT)
    }

    fn text(&self, path: &str, limit: u64) -> Option<String> {
        let path = RepoPath::new(path).ok()?;
        let place = rb_core::fs::contained(self.root, &path).ok()?;
        let is_file = place.symlink_metadata().is_ok_and(|meta| meta.file_type().is_file());
        is_file.then(|| read_file(&place, limit))?
    }
}

/// A pipe or a device is never opened: it could wait, or never end.
fn read_file(place: &Path, limit: u64) -> Option<String> {
    let meta = place.metadata().ok()?;
    if !meta.is_file() || meta.len() > limit {
        return None;
    }
    String::from_utf8(rb_core::fs::read_head(place, limit).ok()?).ok()
}

/// Endings of file names, compared as they stand: `.YML` is no workflow.
pub(crate) fn ends(path: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| path.ends_with(end))
}

/// Folder and name of a path; the folder of a file in the root is empty.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// `folder/name`, where the folder may be the root.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (false, true) => folder.to_owned(),
        (false, false) => format!("{folder}/{name}"),
    }
}

/// The folder itself and all above it, the root last.
pub(crate) fn upward(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |at| (!at.is_empty()).then(|| split(at).0))
}

pub(crate) fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path == folder
        || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// `a/../b` and `./b` as the folder they name; `None` when it leads out of the root.
pub(crate) fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
