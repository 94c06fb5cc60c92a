//! What of an agent's work is not taken, and why.

use std::fmt;

use rb_core::path::BadPath;
use thiserror::Error;

/// Something in the copy that does not become part of the change. The rest is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Relative to the repository, fit to be shown; empty where the refusal is about all of it.
    pub path: String,
    pub reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("a symbolic link that leads out of the repository, to {target}, is not taken")]
    LinkOut { target: String },
    #[error("a symbolic link, here to {target}, is not taken")]
    Link { target: String },
    #[error("a symbolic link of the repository stays as it is")]
    TrackedLink,
    #[error("a submodule stays as it is")]
    Submodule,
    #[error("a repository inside the repository is not taken")]
    NestedRepository,
    #[error("settings of git are not taken")]
    GitFolder,
    #[error("a pipe, socket or device is not taken")]
    Special,
    #[error("a file of {bytes} bytes is not taken; the limit is {most}")]
    TooLarge { bytes: u64, most: u64 },
    #[error("a change of a binary file is not taken")]
    Binary,
    #[error("it cannot be read, so it stays as it is")]
    Unreadable,
    #[error("the permission to execute it stays as it is")]
    Mode,
    #[error("a lockfile is taken only together with a change of its manifest")]
    Lockfile,
    #[error(
        "the agent removed the folder that it was to work in, so nothing of its work was taken"
    )]
    NoCopy,
    #[error("{0}; it is not taken")]
    BadName(BadPath),
    #[error("the agent left more than {most} files, so nothing of its work was taken")]
    TooManyFiles { most: usize },
    #[error("the agent changed more than {most} bytes, so nothing of its work was taken")]
    TooManyBytes { most: u64 },
}

impl Refusal {
    pub(crate) fn new(path: impl fmt::Display, reason: Reason) -> Self {
        Refusal { path: path.to_string(), reason }
    }

    pub(crate) fn of_all(reason: Reason) -> Self {
        Refusal { path: String::new(), reason }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // These name what they are about.
        if self.path.is_empty() || matches!(self.reason, Reason::BadName(_)) {
            return self.reason.fmt(f);
        }
        write!(f, "`{}`: {}", self.path, self.reason)
    }
}
