//! Finds what a runner wrote, and clears away what an earlier run left.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use rb_core::fs::{self, FsError};

/// More than any report can sensibly be; the rest is not read.
pub(crate) const LARGEST: u64 = 128 << 20;

/// So many report files are read at most.
const MOST_FILES: usize = 20_000;

pub(crate) fn file(place: &Path) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    if !place.is_file() {
        return Ok(Vec::new());
    }
    Ok(vec![(String::new(), fs::read_head(place, LARGEST)?)])
}

pub(crate) fn folder(place: &Path) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    if !place.is_dir() {
        return Ok(Vec::new());
    }
    read_all(place, &walk(place, &|_| true)?)
}

pub(crate) fn matching(root: &Path, pattern: &str) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    let Some(matcher) = matcher(pattern) else { return Ok(Vec::new()) };
    read_all(root, &walk(root, &|path| matcher.is_match(path))?)
}

/// Removes the reports of earlier runs, which would be taken for those of the next.
pub(crate) fn clear(root: &Path, pattern: &str) -> Result<(), FsError> {
    let Some(matcher) = matcher(pattern) else { return Ok(()) };
    walk(root, &|path| matcher.is_match(path))?
        .iter()
        .try_for_each(|path| fs::remove_file(&root.join(path)))
}

fn matcher(pattern: &str) -> Option<GlobMatcher> {
    Some(GlobBuilder::new(pattern).literal_separator(true).build().ok()?.compile_matcher())
}

fn read_all(root: &Path, paths: &[String]) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    let mut left = LARGEST;
    let mut files = Vec::new();
    for path in paths.iter().take(MOST_FILES) {
        let bytes = fs::read_head(&root.join(path), left)?;
        left -= bytes.len() as u64;
        files.push((path.clone(), bytes));
    }
    Ok(files)
}

/// Files below `root` that are wanted, sorted. Links are not followed, installed packages not looked into.
pub(crate) fn walk(root: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, FsError> {
    let mut folders = vec![String::new()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for name in fs::list(&root.join(&folder))? {
            let Some(name) = name.to_str() else { continue };
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            let Ok(meta) = root.join(&path).symlink_metadata() else { continue };
            if meta.is_dir() && !matches!(name, "node_modules" | ".git") {
                folders.push(path);
            } else if meta.is_file() && wanted(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
