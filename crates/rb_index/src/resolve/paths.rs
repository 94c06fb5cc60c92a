//! Paths of a tree: divided by `/`, without a leading one, the top folder being the empty string.

use std::cmp::Ordering;
use std::iter::once;

use crate::tree::{FileId, Tree, TreeFile};

/// The folder that a path lies in.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The last part of a path, without its extension.
pub(super) fn stem(path: &str) -> &str {
    let name = name(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// A folder and all around it, the top folder last.
pub(super) fn folders_up(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let current = next?;
        next = (!current.is_empty()).then(|| self::folder(current));
        Some(current)
    })
}

/// `relative` as seen from `folder`, with `.` and `..` worked in; `None` where that leaves the tree.
pub(super) fn join(folder: &str, relative: &str) -> Option<String> {
    if relative.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
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

/// A path one level down. Unlike `join` it takes `name` as it is.
pub(super) fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// What is left of `path` below `folder`.
pub(super) fn strip<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// Is there a file in the folder or below it?
pub(super) fn has_folder(tree: &Tree, folder: &str) -> bool {
    let below = format!("{folder}/");
    let at = tree.files.partition_point(|file| *file.path < *below);
    folder.is_empty() || tree.files.get(at).is_some_and(|file| file.path.starts_with(&below))
}

/// The files with the most folders in common with `from`, in their order.
pub(super) fn nearest(tree: &Tree, from: FileId, files: &[FileId]) -> Vec<FileId> {
    let from = folder(&tree.get(from).path);
    let common = |file: &FileId| common_folders(from, folder(&tree.get(*file).path));
    let most = files.iter().map(common).max();
    files.iter().filter(|file| Some(common(file)) == most).copied().collect()
}

fn common_folders(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count()
}

/// Finds files by the end of their path: `b/c.h` finds `a/b/c.h` but not `a/bb/c.h`.
pub(super) struct Endings<'t> {
    tree: &'t Tree,
    /// Sorted by the path read backwards.
    files: Vec<FileId>,
}

impl<'t> Endings<'t> {
    pub(super) fn new(tree: &'t Tree, keep: impl Fn(&TreeFile) -> bool) -> Self {
        let mut files: Vec<FileId> = tree.ids().filter(|&id| keep(tree.get(id))).collect();
        files.sort_by(|&a, &b| backwards(&tree.get(a).path).cmp(backwards(&tree.get(b).path)));
        Endings { tree, files }
    }

    /// All files with this ending.
    pub(super) fn find(&self, ending: &str) -> &[FileId] {
        let length = ending.len() + 1;
        let order = |file: &FileId| -> Ordering {
            backwards(&self.tree.get(*file).path).take(length).cmp(backwards(ending))
        };
        let start = self.files.partition_point(|file| order(file).is_lt());
        let rest = &self.files[start..];
        &rest[..rest.partition_point(|file| order(file).is_eq())]
    }
}

/// With a `/` at the end, so that an ending stops at a folder.
fn backwards(path: &str) -> impl Iterator<Item = u8> {
    path.bytes().rev().chain(once(b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::fixture::tree_of;

    #[test]
    fn ix3_paths_are_joined_inside_the_tree_only() {
        for (folder, relative, expected) in [
            ("a/b", "../c", Some("a/c")),
            ("", "./x//y", Some("x/y")),
            ("a", "..", Some("")),
            ("a", "../..", None),
            ("a", "/etc/passwd", None),
        ] {
            assert_eq!(join(folder, relative).as_deref(), expected, "{folder} + {relative}");
        }
    }

    #[test]
    fn ix3_folders_and_endings() {
        let tree = tree_of("//- a-b/c.h\n//- a/b/c.h\n//- a/bb/c.h\n//- c.h\n//- z.h\n");
        for (folder, expected) in [
            ("", true),
            ("a", true),
            ("a/b", true),
            ("a/", false),
            ("a/b/c.h", false),
            ("b", false),
        ] {
            assert_eq!(has_folder(&tree, folder), expected, "{folder}");
        }
        let endings = Endings::new(&tree, |_| true);
        for (ending, expected) in [
            ("c.h", "a-b/c.h a/b/c.h a/bb/c.h c.h"),
            ("b/c.h", "a/b/c.h"),
            ("a/b/c.h", "a/b/c.h"),
            ("x/a/b/c.h", ""),
            ("", ""),
        ] {
            let mut paths: Vec<&str> =
                endings.find(ending).iter().map(|&id| &*tree.get(id).path).collect();
            paths.sort_unstable();
            assert_eq!(paths.join(" "), expected, "{ending}");
        }
    }
}
