//! Why a patch does not fit the tree.

use std::fmt;

use rb_core::RepoPath;
use thiserror::Error;

use super::shape::BadHunk;
use super::tree::Entry;

/// One thing that keeps a patch from being applied. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Conflict {
    #[error("`{path}` does not exist")]
    Missing { path: RepoPath },
    #[error("`{path}` exists already")]
    Exists { path: RepoPath },
    #[error("`{path}` is {kind}, not a file")]
    NotAFile { path: RepoPath, kind: Kind },
    #[error("`{path}` cannot exist because `{parent}` is {kind}")]
    ParentNotAFolder { path: RepoPath, parent: RepoPath, kind: Kind },
    #[error("`{path}` occurs more than once in the patch")]
    Twice { path: RepoPath },
    #[error("`{path}` holds binary content")]
    Binary { path: RepoPath },
    #[error("`{path}` has mode {found}, the patch expects {expected}")]
    Mode { path: RepoPath, found: &'static str, expected: &'static str },
    #[error("`{path}` line {line} is not what the patch expects")]
    Mismatch { path: RepoPath, line: usize },
    #[error("`{path}` has {len} lines, the patch expects line {line}")]
    PastEnd { path: RepoPath, line: usize, len: usize },
    #[error(
        "`{path}` goes on after line {line}, where a hunk without trailing context must end the file"
    )]
    NoTrailingContext { path: RepoPath, line: usize },
    #[error("`{path}` would not be empty after its deletion")]
    Leftover { path: RepoPath },
    #[error("`{path}`: hunk {hunk}: {why}")]
    BadHunk { path: RepoPath, hunk: usize, why: BadHunk },
}

/// What a tree holds in place of a plain file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    File,
    Link,
    Submodule,
    Folder,
}

impl Kind {
    pub(crate) fn of(entry: &Entry) -> Kind {
        match entry {
            Entry::File(_) => Kind::File,
            Entry::Link => Kind::Link,
            Entry::Submodule => Kind::Submodule,
            Entry::Folder => Kind::Folder,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::File => "a file",
            Kind::Link => "a symbolic link",
            Kind::Submodule => "a submodule",
            Kind::Folder => "a folder",
        })
    }
}
