//! What became of an agent's work: by its files, and apart from that by its own words.

use std::collections::BTreeMap;
use std::time::Duration;

use rb_core::patch::Patch;
use rb_core::{RepoPath, Usd};
use rb_index::test_links::is_test_path;
use rb_sandbox::Captured;
use rb_workspace::patch::{DiffError, File, FileChange, diff};

use crate::refusal::Refusal;

#[derive(Debug, Clone)]
pub struct Report {
    pub ended: Ended,
    /// What differs from the commit, sorted by path. Read from the files.
    pub changes: Vec<FileChange>,
    /// What of its work is not among the changes.
    pub refused: Vec<Refusal>,
    /// It made commits in its copy. They are in no repository of the user's.
    pub committed: bool,
    /// Processes of it still ran a while after it had ended, and were stopped then. One that hides from the look is not noticed.
    pub left_running: bool,
    pub claims: Claims,
    /// Nothing where the agent does not say.
    pub spend: Option<Spend>,
    pub elapsed: Duration,
    pub stdout: Captured,
    pub stderr: Captured,
}

/// How the agent came to its end. What it changed until then is in the report all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Done,
    Failed {
        code: i32,
    },
    /// It said that all is well, or nothing, and gave no result.
    NoResult,
    /// It reached the turns or the money that it was given.
    AtLimit,
    NotLoggedIn,
    Killed {
        signal: i32,
    },
    TimedOut {
        after: Duration,
    },
    OutOfMemory {
        bytes: u64,
    },
    TooManyProcesses {
        most: u32,
    },
}

/// What the agent says about its work. Nothing here was checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims {
    /// Its last words, at most 4,000 characters, without control characters.
    pub words: String,
}

/// What the agent says it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spend {
    pub usd: Option<Usd>,
    pub tokens_in: u64,
    pub tokens_out: u64,
}

impl Report {
    /// The changes as a patch, which goes the way of every proposal.
    pub fn patch(&self) -> Result<Patch, DiffError> {
        let side = |of: fn(&FileChange) -> &Option<File>| -> BTreeMap<RepoPath, File> {
            let file = |change: &FileChange| Some((change.path.clone(), of(change).clone()?));
            self.changes.iter().filter_map(file).collect()
        };
        diff(&side(|change| &change.before), &side(|change| &change.after))
    }

    /// Tests among the changes: an agent can make them pass by editing them.
    pub fn touched_tests(&self) -> Vec<&RepoPath> {
        let paths = self.changes.iter().map(|change| &change.path);
        paths.filter(|path| is_test_path(&path.to_string())).collect()
    }
}

impl Ended {
    /// One clause for a person: "the agent …".
    pub fn words(&self) -> String {
        match self {
            Ended::Done => "finished".to_owned(),
            Ended::Failed { code } => format!("failed with exit code {code}"),
            Ended::NoResult => "ended without a result".to_owned(),
            Ended::AtLimit => "stopped at its limit of turns or money".to_owned(),
            Ended::NotLoggedIn => "is not logged in; log in with its own program".to_owned(),
            Ended::Killed { signal } => format!("was killed by signal {signal}"),
            Ended::TimedOut { after } => {
                format!("did not finish within {} s and was stopped", after.as_secs())
            }
            Ended::OutOfMemory { bytes } => {
                format!("used more than {} MiB of memory and was stopped", bytes >> 20)
            }
            Ended::TooManyProcesses { most } => {
                format!("started more than {most} processes and was stopped")
            }
        }
    }
}
