//! Everything that can be written in a journal: one closed, versioned set of events.
//!
//! An event whose name ends in "started" is written before its effect, so that after a kill one can tell
//! an effect that may have happened from one that has not.

use std::path::PathBuf;

use rb_core::clock::Timestamp;
use rb_core::{RepoPath, RunId, Sha256, Task, TaskId, Verdict};
use rb_models::Booking;
use rb_trust::Finding;
use rb_verify::{Effort, Options};
use rb_workspace::answer::Rung;
use rb_workspace::fingerprint::Difference;
use rb_workspace::land::Landing;
use rb_workspace::ledger::LedgerEntry;
use rb_workspace::repo::Kind;
use rb_workspace::rollback::Rollback;
use serde::{Deserialize, Serialize};

/// The version of the events below. Raised when an old reader would misread a new journal.
pub const VERSION: u32 = 2;

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub v: u32,
    /// Counts from 1 without gaps.
    pub seq: u64,
    pub at: Timestamp,
    #[serde(flatten)]
    pub event: Event,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    RunStarted(RunStarted),
    Noted {
        text: String,
    },
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
        reasons: Vec<String>,
        /// All of it, test by test.
        file: PathBuf,
    },
    TaskStarted {
        task: TaskId,
        goal: String,
    },
    PatchProposed {
        task: TaskId,
        sha256: Sha256,
        bytes: u64,
    },
    PatchRefused {
        task: TaskId,
        reasons: Vec<String>,
    },
    /// A model was asked, and this is what it took.
    ModelCalled {
        booking: Booking,
    },
    ModelFailed {
        role: String,
        task: Option<TaskId>,
        reason: String,
    },
    /// Text that tries to steer a model, or is not what it looks like. It was not altered.
    Suspected {
        task: Option<TaskId>,
        path: RepoPath,
        findings: Vec<Finding>,
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
    CommandStarted {
        task: TaskId,
        command: String,
    },
    CommandEnded {
        task: TaskId,
        exit: i32,
        ms: u64,
    },
    AuditEnded {
        task: TaskId,
        verdict: Verdict,
        /// Why the change must not stay.
        reasons: Vec<String>,
        /// What somebody should look at.
        notes: Vec<String>,
        file: PathBuf,
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
        reasons: Vec<String>,
        file: PathBuf,
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
    ReportWritten {
        dir: PathBuf,
    },
    Waiting,
    Decided {
        decision: Decision,
    },
    LandingStarted {
        landing: Landing,
    },
    Landed,
    RollbackStarted {
        plan: Rollback,
    },
    RolledBack,
    Cleaned,
    Recovered {
        torn_bytes: u64,
    },
    Resumed,
    Interrupted,
    Stopped {
        reason: String,
    },
    RunEnded {
        outcome: Outcome,
    },
}

/// How a run began: enough to go on with it in another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStarted {
    pub run: RunId,
    pub workflow: Workflow,
    pub repo: PathBuf,
    pub kind: Kind,
    pub scope: Option<RepoPath>,
    pub allow_dirty: bool,
    pub diff_budget: usize,
    pub excludes: Vec<String>,
    pub tasks: Vec<Task>,
    /// None for a run that verifies nothing.
    #[serde(default)]
    pub verify: Option<Box<Verify>>,
}

/// How the changes of a run are verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    pub options: Options,
    /// The full verifier runs after so many tasks, and at the end.
    pub full_every: u32,
    /// Go on although the baseline fails: only what gets worse counts.
    pub allow_failing_baseline: bool,
    pub allow_public_api_changes: bool,
    /// Lines of logic that one task may lose; none is no limit.
    pub max_residue: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Workflow {
    Refactor,
    /// Takes the baseline and changes nothing.
    Verify,
    /// Takes another run back.
    Rollback {
        of: RunId,
        insist: bool,
    },
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Accepted,
    BranchKept,
    Rejected,
    RolledBack,
    /// Nothing was left to decide on.
    Noop,
    /// The baseline failed, so nothing was tried.
    BaselineFailed,
    /// The baseline was taken, and that was all.
    Verified,
}

impl Event {
    /// Whether the event must survive a power cut before the run goes on.
    pub(crate) fn is_milestone(&self) -> bool {
        match self {
            Event::RunStarted(_)
            | Event::BackupMade { .. }
            | Event::WorktreeStarted { .. }
            | Event::BaselineTaken { .. }
            | Event::CheckpointMade { .. }
            // Money that is spent stays spent.
            | Event::ModelCalled { .. }
            | Event::TaskEnded { .. }
            | Event::Decided { .. }
            | Event::LandingStarted { .. }
            | Event::Landed
            | Event::RollbackStarted { .. }
            | Event::RolledBack
            | Event::RunEnded { .. } => true,
            Event::Noted { .. }
            | Event::BackupStarted { .. }
            | Event::WorktreeMade { .. }
            | Event::BaselineStarted
            | Event::TaskStarted { .. }
            | Event::AuditEnded { .. }
            | Event::VerifyStarted { .. }
            | Event::VerifyEnded { .. }
            | Event::PatchProposed { .. }
            | Event::PatchRefused { .. }
            | Event::ModelFailed { .. }
            | Event::Suspected { .. }
            | Event::PatchApplying { .. }
            | Event::PatchApplied { .. }
            | Event::CommandStarted { .. }
            | Event::CommandEnded { .. }
            | Event::CheckpointStarted { .. }
            | Event::CheckoutCompared { .. }
            | Event::ReportWritten { .. }
            | Event::Waiting
            | Event::Cleaned
            | Event::Recovered { .. }
            | Event::Resumed
            | Event::Interrupted
            | Event::Stopped { .. } => false,
        }
    }
}

impl Outcome {
    pub fn words(self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::BranchKept => "branch kept",
            Outcome::Rejected => "rejected",
            Outcome::RolledBack => "rolled back",
            Outcome::Noop => "nothing to change",
            Outcome::BaselineFailed => "baseline failed",
            Outcome::Verified => "verified",
        }
    }
}
