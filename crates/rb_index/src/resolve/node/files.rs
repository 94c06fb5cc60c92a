//! The paths of the tree as a file system that can be asked, and arithmetic on them.
//!
//! A path is relative to the root of the repository and plain: no `.`, no `..`, no slash at either end. The root is
//! the empty path.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::{FileId, Tree};

/// Longer than any path that a file system takes. What stars and `..` in a manifest could blow up ends here.
const MAX_PATH: usize = 4096;

pub(super) struct Files<'t> {
    files: FxHashMap<&'t str, FileId>,
    folders: FxHashSet<&'t str>,
}

impl<'t> Files<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let files = tree.ids().map(|id| (&*tree.get(id).path, id)).collect();
        let mut folders = FxHashSet::default();
        for file in &tree.files {
            for folder in ancestors(parent(&file.path)) {
                if !folders.insert(folder) {
                    break;
                }
            }
        }
        Files { files, folders }
    }

    pub(super) fn file(&self, path: &str) -> Option<FileId> {
        self.files.get(path).copied()
    }

    pub(super) fn is_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }
}

/// The folder that a file or folder is in.
pub(super) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

pub(super) fn file_name(path: &str) -> &str {
    path.rfind('/').map_or(path, |at| &path[at + 1..])
}

/// The folder itself and those around it, innermost first, the root last.
pub(super) fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |inner| (!inner.is_empty()).then(|| parent(inner)))
}

/// `relative` as seen from `folder`. `None` where that leads out of the repository.
pub(super) fn join(folder: &str, relative: &str) -> Option<String> {
    if folder.len() + relative.len() > MAX_PATH {
        return None;
    }
    let mut path = folder.to_owned();
    for part in relative.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if path.is_empty() => return None,
            ".." => path.truncate(parent(&path).len()),
            part => {
                if !path.is_empty() {
                    path.push('/');
                }
                path.push_str(part);
            }
        }
    }
    Some(path)
}

/// The part of `path` below `folder`, empty for the folder itself.
pub(super) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Every star of `target` replaced. `None` where the result is longer than a path can be.
pub(super) fn fill_stars(target: &str, star: &str) -> Option<String> {
    let stars = target.bytes().filter(|&byte| byte == b'*').count();
    let long = target.len().checked_add(stars.checked_mul(star.len())?)?;
    (long <= MAX_PATH).then(|| target.replace('*', star))
}

#[cfg(test)]
mod tests {
    use super::{ancestors, below, fill_stars, join};

    #[test]
    fn ix3_paths_are_joined_and_cut() {
        for (folder, relative, joined) in [
            ("", "./a", Some("a")),
            ("a/b", "../c//d/", Some("a/c/d")),
            ("a", "..", Some("")),
            ("a", "../..", None),
            ("a", ".\\b", Some("a/b")),
        ] {
            assert_eq!(join(folder, relative).as_deref(), joined, "{folder} {relative}");
        }
        assert_eq!(join("a", &"b/".repeat(5000)), None);
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(
            (below("a/b", "a"), below("ab", "a"), below("a", "a")),
            (Some("b"), None, Some(""))
        );
        assert_eq!(fill_stars("a/*/*.ts", "x").as_deref(), Some("a/x/x.ts"));
        assert_eq!(fill_stars(&"*".repeat(100), &"x".repeat(100)), None);
    }
}
