//! Every byte of a checkout, so that "untouched" can be checked and not believed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Kind, mode and content of each path below a folder, ignored files and git's own folder included.
///
/// Left out of `.git` is what a run may add there before it is accepted: objects, the record of its
/// worktree, and its own branch with its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State(BTreeMap<Vec<u8>, Node>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    mode: u32,
    content: Vec<u8>,
}

const MAY_GROW: [&str; 4] = [
    ".git/objects",
    ".git/worktrees",
    ".git/refs/heads/refactor-bot",
    ".git/logs/refs/heads/refactor-bot",
];

impl State {
    pub fn of(root: &Path) -> Self {
        let mut nodes = BTreeMap::new();
        visit(root, root, &mut nodes);
        State(nodes)
    }

    /// The same without git's folder: the working files alone.
    pub fn files(&self) -> State {
        self.without(|path| path == b".git" || path.starts_with(b".git/"))
    }

    /// The same without the locks that a git leaves when it is killed.
    pub fn without_locks_of_git(&self) -> State {
        self.without(|path| path.starts_with(b".git/") && path.ends_with(b".lock"))
    }

    fn without(&self, left_out: impl Fn(&[u8]) -> bool) -> State {
        let kept = self.0.iter().filter(|(path, _)| !left_out(path));
        State(kept.map(|(path, node)| (path.clone(), node.clone())).collect())
    }

    /// One line for each path that differs; empty when nothing does.
    pub fn diff(&self, other: &State) -> String {
        let mut lines = String::new();
        let mut paths: Vec<&Vec<u8>> = self.0.keys().chain(other.0.keys()).collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            let shown = String::from_utf8_lossy(path);
            let _ = match (self.0.get(path), other.0.get(path)) {
                (Some(_), None) => writeln!(lines, "gone: {shown}"),
                (None, Some(_)) => writeln!(lines, "new: {shown}"),
                (Some(a), Some(b)) if a.content != b.content => writeln!(lines, "changed: {shown}"),
                (Some(a), Some(b)) if a.mode != b.mode => {
                    writeln!(lines, "mode {:o} -> {:o}: {shown}", a.mode, b.mode)
                }
                _ => Ok(()),
            };
        }
        lines
    }

    pub fn assert_same(&self, other: &State, when: &str) {
        let diff = self.diff(other);
        assert!(diff.is_empty(), "the checkout changed {when}:\n{diff}");
    }
}

fn visit(root: &Path, folder: &Path, nodes: &mut BTreeMap<Vec<u8>, Node>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder entry").path();
        let relative = path.strip_prefix(root).expect("below the root");
        if MAY_GROW.iter().any(|prefix| relative.starts_with(prefix)) {
            continue;
        }
        let meta = path.symlink_metadata().expect("it was just listed");
        let content = if meta.is_symlink() {
            fs::read_link(&path).expect("a link").as_os_str().as_bytes().to_vec()
        } else if meta.is_file() {
            fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        } else {
            Vec::new()
        };
        if meta.is_dir() {
            visit(root, &path, nodes);
        } else {
            nodes.insert(
                relative.as_os_str().as_bytes().to_vec(),
                Node { mode: meta.mode(), content },
            );
        }
    }
}
