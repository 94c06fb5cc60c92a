//! What the index leaves out, and why. Every reason has words that a person can read.

use std::fmt;
use std::io;

use rb_core::folder;
use rb_core::path::quote;
use serde::{Deserialize, Serialize};

/// One file, link or folder that was left out; of a folder, everything below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub path: ListedPath,
    pub reason: SkipReason,
}

/// A path relative to the root, as the disk has it. Not a `RepoPath`: that it cannot be one may be the reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListedPath(Box<[u8]>);

impl ListedPath {
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for ListedPath {
    fn from(bytes: &[u8]) -> Self {
        ListedPath(bytes.into())
    }
}

impl fmt::Display for ListedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quote(&self.0))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// An exclude glob names it.
    Excluded,
    /// There are include globs, and none names it.
    NotIncluded,
    LinkInside,
    LinkOutside,
    LinkDangling,
    LinkLoop,
    /// A link took its place, or that of a folder on the way, after it was listed.
    BehindLink,
    /// A pipe, a socket, a device.
    Special,
    /// The folder is another repository: a submodule, a worktree, a clone.
    Repository,
    /// Git's own folder under another spelling, or a path that is too long.
    BadName(Box<str>),
    /// The file is there, but no answer could name it.
    NameNotUtf8,
    Unreadable(Box<str>),
    /// The system has no open file or no memory left to read it with. An index without it would be wrong.
    Exhausted(Box<str>),
    /// This program keeps its own things there.
    Own,
    /// It was listed and then not there any more.
    Gone,
    /// An ignore file that is too large to be one. Its patterns do not hold; the file itself is not left out.
    LargeIgnoreFile,
    /// Listed, but not read.
    TooLarge {
        size: u64,
        limit: u64,
    },
    Binary,
}

impl SkipReason {
    /// The reason without what differs from file to file.
    pub fn kind(&self) -> &'static str {
        match self {
            SkipReason::Excluded => "excluded",
            SkipReason::NotIncluded => "not included",
            SkipReason::LinkInside => "a link to another place in the repository",
            SkipReason::LinkOutside => "a link that leads outside the repository",
            SkipReason::LinkDangling => "a link to nothing",
            SkipReason::LinkLoop => "a link that leads in a circle",
            SkipReason::BehindLink => "behind a link that was put there just now",
            SkipReason::Special => "not a plain file",
            SkipReason::Repository => "another git repository",
            SkipReason::BadName(_) => "a name that cannot be used",
            SkipReason::NameNotUtf8 => "a name that is not UTF-8",
            SkipReason::Unreadable(_) => "cannot be read",
            SkipReason::Exhausted(_) => "cannot be read now",
            SkipReason::Own => "refactor-bot's own folder",
            SkipReason::Gone => "gone while it was looked at",
            SkipReason::LargeIgnoreFile => "too large an ignore file: it is not applied",
            SkipReason::TooLarge { .. } => "too large",
            SkipReason::Binary => "binary",
        }
    }

    pub fn words(&self) -> String {
        let kind = self.kind();
        match self {
            SkipReason::BadName(why) | SkipReason::Unreadable(why) | SkipReason::Exhausted(why) => {
                format!("{kind}: {why}")
            }
            SkipReason::TooLarge { size, limit } => {
                format!("{kind}: {size} bytes, and the limit is {limit}")
            }
            SkipReason::Excluded
            | SkipReason::NotIncluded
            | SkipReason::LinkInside
            | SkipReason::LinkOutside
            | SkipReason::LinkDangling
            | SkipReason::LinkLoop
            | SkipReason::BehindLink
            | SkipReason::Special
            | SkipReason::Repository
            | SkipReason::NameNotUtf8
            | SkipReason::Own
            | SkipReason::Gone
            | SkipReason::LargeIgnoreFile
            | SkipReason::Binary => kind.to_owned(),
        }
    }

    pub(crate) fn of_error(error: &io::Error) -> Self {
        if folder::is_link_error(error) {
            return SkipReason::BehindLink;
        }
        if folder::is_exhausted(error) {
            return SkipReason::Exhausted(error.to_string().into());
        }
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SkipReason::Gone,
            _ => SkipReason::Unreadable(error.to_string().into()),
        }
    }
}
