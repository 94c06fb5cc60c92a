//! What happens to a repository in a run: the events of `rb_change`, which a workflow has among its own.

use std::path::PathBuf;

use rb_core::{RepoPath, TaskId, Verdict};
use rb_verify::Effort;
use rb_workspace::answer::Rung;
use rb_workspace::fingerprint::Difference;
use rb_workspace::land::Landing;
use rb_workspace::ledger::LedgerEntry;
use rb_workspace::rollback::Rollback;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ChangeEvent {
    BackupStarted {
        dir: PathBuf,
    },
    BackupMade {
        dir: PathBuf,
        files: usize,
        bytes: u64,
        ms: u64,
    },
    WorktreeStarted {
        branch: String,
        base: String,
        carried: bool,
    },
    WorktreeMade {
        dir: PathBuf,
    },
    BaselineStarted,
    BaselineTaken {
        verdict: Verdict,
        /// A pass without a test among what passed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        untested: bool,
        reasons: Vec<String>,
        /// All of it, test by test.
        file: PathBuf,
    },
    TaskStarted {
        task: TaskId,
        goal: String,
    },
    /// The proposer has nothing to change, and that is a success.
    NothingProposed {
        task: TaskId,
        why: String,
    },
    PatchRefused {
        task: TaskId,
        reasons: Vec<String>,
    },
    PatchApplying {
        task: TaskId,
        paths: Vec<RepoPath>,
        added: usize,
        removed: usize,
        rung: Option<Rung>,
    },
    PatchApplied {
        task: TaskId,
    },
    /// Leftovers of the change that are mended with it.
    LeftoversMended {
        task: TaskId,
        paths: Vec<RepoPath>,
        /// One line for each, with its place.
        mends: Vec<String>,
    },
    /// The change failed with its mends and is tried once more without them.
    MendsDropped {
        task: TaskId,
        /// Why it failed.
        reasons: Vec<String>,
    },
    CommandStarted {
        task: TaskId,
        command: String,
    },
    CommandEnded {
        task: TaskId,
        exit: i32,
        ms: u64,
    },
    /// The change is a commit on the run's branch and not yet judged.
    CandidateMade {
        task: TaskId,
        commit: String,
        /// Lines added and removed, where a formatter or a mend made them others than the patch had.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<(usize, usize)>,
    },
    AuditEnded {
        task: TaskId,
        verdict: Verdict,
        /// Why the change must not stay.
        reasons: Vec<String>,
        /// What somebody should look at.
        notes: Vec<String>,
        /// Behaviour that was removed and that no test reaches.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unreached: Vec<String>,
        file: PathBuf,
        /// Where the verdict is a fail.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<Failure>,
    },
    VerifyStarted {
        /// None for the whole of the run.
        task: Option<TaskId>,
        effort: Effort,
    },
    VerifyEnded {
        task: Option<TaskId>,
        effort: Effort,
        verdict: Verdict,
        /// A pass without a test among what passed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        untested: bool,
        reasons: Vec<String>,
        file: PathBuf,
        /// Where the verdict is a fail.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<Failure>,
    },
    CheckpointStarted {
        task: TaskId,
    },
    CheckpointMade {
        task: TaskId,
        commit: String,
    },
    TaskEnded {
        entry: LedgerEntry,
    },
    CheckoutCompared {
        full: bool,
        differences: Vec<Difference>,
    },
    Decided {
        decision: Decision,
        /// The message of the one commit that lands in place of the run's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        squash: Option<String>,
    },
    LandingStarted {
        landing: Landing,
    },
    Landed,
    /// The landing stopped and took back what it had written; the run waits again.
    NotLanded {
        reason: String,
    },
    RollbackStarted {
        plan: Rollback,
    },
    RolledBack,
    Cleaned,
}

impl ChangeEvent {
    /// Whether the event must survive a power cut before the run goes on.
    pub fn is_milestone(&self) -> bool {
        match self {
            ChangeEvent::BackupMade { .. }
            | ChangeEvent::WorktreeStarted { .. }
            | ChangeEvent::BaselineTaken { .. }
            | ChangeEvent::CandidateMade { .. }
            | ChangeEvent::CheckpointMade { .. }
            | ChangeEvent::TaskEnded { .. }
            | ChangeEvent::Decided { .. }
            | ChangeEvent::LandingStarted { .. }
            | ChangeEvent::Landed
            | ChangeEvent::NotLanded { .. }
            | ChangeEvent::RollbackStarted { .. }
            | ChangeEvent::RolledBack => true,
            ChangeEvent::BackupStarted { .. }
            | ChangeEvent::WorktreeMade { .. }
            | ChangeEvent::BaselineStarted
            | ChangeEvent::TaskStarted { .. }
            | ChangeEvent::NothingProposed { .. }
            | ChangeEvent::PatchRefused { .. }
            | ChangeEvent::PatchApplying { .. }
            | ChangeEvent::PatchApplied { .. }
            | ChangeEvent::LeftoversMended { .. }
            | ChangeEvent::MendsDropped { .. }
            | ChangeEvent::CommandStarted { .. }
            | ChangeEvent::CommandEnded { .. }
            | ChangeEvent::AuditEnded { .. }
            | ChangeEvent::VerifyStarted { .. }
            | ChangeEvent::VerifyEnded { .. }
            | ChangeEvent::CheckpointStarted { .. }
            | ChangeEvent::CheckoutCompared { .. }
            | ChangeEvent::Cleaned => false,
        }
    }
}

/// What a person decided about a finished run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Into the checkout.
    Accept,
    /// Onto the run's branch, which stays; the checkout is not touched.
    KeepBranch,
    Reject,
}
