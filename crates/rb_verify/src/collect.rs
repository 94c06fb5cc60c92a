//! Finds what a runner wrote, and clears away what an earlier run left.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use rb_core::RepoPath;
use rb_core::fs::{self, FsError};

/// More than any report can sensibly be; the rest is not read.
pub(crate) const LARGEST: u64 = 128 << 20;

/// The most report files that are read.
const MOST_FILES: usize = 20_000;

/// The report at `name` below `root`. A suite can put a link or a pipe in its place, which is then no report.
pub(crate) fn file(root: &Path, name: &str) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    let bytes = read(root, Path::new(name), LARGEST)?;
    Ok(bytes.map(|bytes| (String::new(), bytes)).into_iter().collect())
}

/// All files in the folder `name` below `root`, by their paths in it.
pub(crate) fn folder(root: &Path, name: &str) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    matching(root, name, |_| true)
}

/// The files in the folder `name` below `root` that the pattern names.
pub(crate) fn pattern(
    root: &Path,
    name: &str,
    pattern: &str,
) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    let Some(matcher) = matcher(pattern) else { return Ok(Vec::new()) };
    matching(root, name, |path| matcher.is_match(path))
}

fn matching(
    root: &Path,
    name: &str,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<(String, Vec<u8>)>, FsError> {
    let mut left = LARGEST;
    let mut files = Vec::new();
    for path in walk(&root.join(name), &wanted)?.into_iter().take(MOST_FILES) {
        let Some(bytes) = read(root, &Path::new(name).join(&path), left)? else { continue };
        left -= bytes.len() as u64;
        files.push((path, bytes));
    }
    Ok(files)
}

fn read(root: &Path, path: &Path, limit: u64) -> Result<Option<Vec<u8>>, FsError> {
    let Ok(path) = RepoPath::new(path.as_os_str().as_bytes()) else { return Ok(None) };
    fs::read_plain(root, &path, limit)
}

/// Removes the reports of earlier runs, which would be taken for those of the next; never through a link that a suite left.
pub(crate) fn clear(root: &Path, name: &str, pattern: &str) -> Result<(), FsError> {
    let Some(matcher) = matcher(pattern) else { return Ok(()) };
    for path in walk(&root.join(name), &|path| matcher.is_match(path))? {
        let Ok(path) = RepoPath::new(Path::new(name).join(path).as_os_str().as_bytes()) else {
            continue;
        };
        if let Ok(place) = fs::contained(root, &path) {
            fs::remove_file(&place)?;
        }
    }
    Ok(())
}

fn matcher(pattern: &str) -> Option<GlobMatcher> {
    Some(GlobBuilder::new(pattern).literal_separator(true).build().ok()?.compile_matcher())
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

#[cfg(test)]
mod tests {
    use rb_core::fs::Durability;

    use super::*;

    #[test]
    fn trust_old_reports_are_not_removed_through_a_link() {
        let temp = tempfile::tempdir().unwrap();
        let (root, outside) = (temp.path().join("root"), temp.path().join("outside"));
        for folder in [&outside, &root.join("own")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(&folder.join("a.xml"), b"x", Durability::Relaxed).unwrap();
        }
        fs::symlink(&outside, &root.join("link")).unwrap();
        for folder in ["own", "link"] {
            clear(&root, folder, "*.xml").unwrap();
        }
        assert!(!root.join("own/a.xml").exists());
        assert!(outside.join("a.xml").exists(), "what lies behind a link is not ours");
    }
}
