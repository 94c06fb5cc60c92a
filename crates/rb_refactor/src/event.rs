//! The events of the refactor workflow, how its runs begin and how they end.

use std::path::PathBuf;

use rb_core::{Proposer, RepoPath, RunId, Sha256, Task, TaskId, Verdict};
use rb_flow::WorkflowEvent;
use rb_flow::event::ModelChoice;
use rb_plan::Leftover;
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_verify::{Effort, Options};
use rb_workspace::answer::Rung;
use rb_workspace::fingerprint::Difference;
use rb_workspace::land::Landing;
use rb_workspace::ledger::LedgerEntry;
use rb_workspace::repo::Kind;
use rb_workspace::rollback::Rollback;
use serde::{Deserialize, Serialize};

use crate::workflow::Refactor;

pub type Event = rb_flow::Event<Refactor>;
pub type RunEvent = rb_flow::RunEvent<Refactor>;
pub type Record = rb_flow::Record<Refactor>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RefactorEvent {
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
    /// The tasks, in order. They replace the tasks of an earlier plan that have not started.
    Planned {
        tasks: Vec<Task>,
        is_react_project: bool,
        /// Every diff is held against these, too.
        active_rules: Vec<String>,
        /// All of it: how the directive was understood, what was left and why.
        file: PathBuf,
    },
    /// The worktree is indexed, and what is known of it is written beside it.
    Indexed {
        files: u64,
        symbols: u64,
    },
    /// The person agreed to the plan.
    Confirmed,
    /// A task has less to do from here on.
    Narrowed {
        task: Task,
        /// The sites that it no longer has.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dropped: Vec<Leftover>,
    },
    /// Checkpoints were given up, and the branch is back at `commit`.
    TakenBack {
        tasks: Vec<TaskId>,
        commit: String,
        /// The new tasks. They replace all tasks that have not started.
        #[serde(default)]
        again: Vec<Task>,
        /// The sites that these no longer have.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dropped: Vec<Leftover>,
    },
    /// The loop ends here, with what was good before.
    Aborted {
        reason: String,
    },
    TaskStarted {
        task: TaskId,
        goal: String,
    },
    /// What a model will be shown for a task.
    PackMade {
        task: TaskId,
        files: usize,
        lines: usize,
        chars: usize,
        tokens: u64,
        file: PathBuf,
    },
    PatchProposed {
        task: TaskId,
        sha256: Sha256,
        bytes: u64,
        /// Who proposed it.
        #[serde(default)]
        by: Proposer,
        /// The commit that it was made for.
        #[serde(default)]
        base: String,
    },
    /// The proposer has nothing to change, and that is a success.
    NothingProposed {
        task: TaskId,
        why: String,
    },
    /// The proposer cannot do it as it was asked.
    ProposalBlocked {
        task: TaskId,
        why: String,
    },
    /// A critic read the patch before it was applied.
    CriticEnded {
        task: TaskId,
        decision: CriticDecision,
        reasons: Vec<String>,
    },
    /// The change is a commit on the run's branch and not yet judged.
    CandidateMade {
        task: TaskId,
        commit: String,
        /// Lines added and removed, where a formatter made them others than the patch had.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<(usize, usize)>,
    },
    /// A try came to nothing; what follows from it was decided.
    TryFailed {
        task: TaskId,
        /// Counted from 1.
        attempt: u32,
        failure: Failure,
        reasons: Vec<String>,
        recovery: Recovery,
    },
    /// How far a change can be trusted, from 0 to 100, and what speaks for and against it.
    Weighed {
        task: TaskId,
        confidence: u8,
        parts: Vec<String>,
    },
    /// A person approved or refused one task's change.
    Approved {
        task: TaskId,
        approved: bool,
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
    ReportWritten {
        dir: PathBuf,
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

impl WorkflowEvent for RefactorEvent {
    fn is_milestone(&self) -> bool {
        match self {
            RefactorEvent::BackupMade { .. }
            | RefactorEvent::WorktreeStarted { .. }
            | RefactorEvent::BaselineTaken { .. }
            | RefactorEvent::Planned { .. }
            | RefactorEvent::Confirmed
            | RefactorEvent::Narrowed { .. }
            | RefactorEvent::TakenBack { .. }
            | RefactorEvent::Aborted { .. }
            | RefactorEvent::CandidateMade { .. }
            | RefactorEvent::TryFailed { .. }
            | RefactorEvent::Approved { .. }
            | RefactorEvent::CheckpointMade { .. }
            | RefactorEvent::TaskEnded { .. }
            | RefactorEvent::Decided { .. }
            | RefactorEvent::LandingStarted { .. }
            | RefactorEvent::Landed
            | RefactorEvent::NotLanded { .. }
            | RefactorEvent::RollbackStarted { .. }
            | RefactorEvent::RolledBack => true,
            RefactorEvent::Indexed { .. }
            | RefactorEvent::PackMade { .. }
            | RefactorEvent::NothingProposed { .. }
            | RefactorEvent::ProposalBlocked { .. }
            | RefactorEvent::CriticEnded { .. }
            | RefactorEvent::Weighed { .. }
            | RefactorEvent::BackupStarted { .. }
            | RefactorEvent::WorktreeMade { .. }
            | RefactorEvent::BaselineStarted
            | RefactorEvent::TaskStarted { .. }
            | RefactorEvent::AuditEnded { .. }
            | RefactorEvent::VerifyStarted { .. }
            | RefactorEvent::VerifyEnded { .. }
            | RefactorEvent::PatchProposed { .. }
            | RefactorEvent::PatchRefused { .. }
            | RefactorEvent::PatchApplying { .. }
            | RefactorEvent::PatchApplied { .. }
            | RefactorEvent::CommandStarted { .. }
            | RefactorEvent::CommandEnded { .. }
            | RefactorEvent::CheckpointStarted { .. }
            | RefactorEvent::CheckoutCompared { .. }
            | RefactorEvent::ReportWritten { .. }
            | RefactorEvent::Cleaned => false,
        }
    }
}

/// Notes as events.
pub(crate) fn noted(texts: impl IntoIterator<Item = String>) -> impl Iterator<Item = Event> {
    texts.into_iter().map(|text| RunEvent::Noted { text }.into())
}

impl From<RefactorEvent> for Event {
    fn from(event: RefactorEvent) -> Self {
        Event::Own(event)
    }
}

/// How a run began: enough to go on with it in another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStarted {
    pub run: RunId,
    pub workflow: Mode,
    pub repo: PathBuf,
    pub kind: Kind,
    pub scope: Option<RepoPath>,
    pub allow_dirty: bool,
    pub diff_budget: usize,
    pub excludes: Vec<String>,
    /// Known from the beginning; a run that plans has none.
    pub tasks: Vec<Task>,
    /// None for a run that verifies nothing.
    #[serde(default)]
    pub verify: Option<Box<Verify>>,
    /// How the work is planned and carried out.
    #[serde(default)]
    pub orders: Box<Orders>,
}

/// Options for the plan and the tasks of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Orders {
    /// The tasks are planned once the baseline is known.
    pub plans: bool,
    /// What is wanted, in words; `None` for the whole repository.
    pub directive: Option<String>,
    /// Globs of files that may change; empty for all.
    pub includes: Vec<String>,
    pub max_batches: u32,
    /// A person set the diff budget: what needs more lines and cannot be split is left.
    pub keep_to_budget: bool,
    /// So many more tries a task has.
    pub max_retries: u32,
    /// A task that keeps failing ends the run.
    pub strict: bool,
    /// A critic reads each patch of a model.
    pub critic: bool,
    /// A person approves each change.
    pub approve_each: bool,
    /// The plan waits for a person's word.
    pub confirm: bool,
    /// Asking a model costs money that nobody has spoken of yet: none is asked before the plan is confirmed.
    pub ask_first: bool,
    /// It ends with diffs and reports, and nothing is left to accept.
    pub dry_run: bool,
    pub max_runtime_s: Option<u64>,
    /// Where the reports are copied to.
    pub output: Option<PathBuf>,
    /// Who is asked for what no recipe does.
    pub models: Option<ModelChoice>,
}

/// What kind of thing went wrong with a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The model gave no usable answer.
    Model,
    /// The patch does not fit, or is outside of what the task may do.
    Patch,
    /// The proposer could not do it as it was asked.
    Blocked,
    /// The critic objects.
    Critic,
    /// The audit found an error in what the task itself touched.
    Audit,
    /// The audit found errors in files that the task did not touch.
    Cascade,
    /// The public interface changed.
    Contract,
    /// Tests or other checks fail that passed before.
    Verify,
    /// So many tests fail that the share of passing ones fell below the limit.
    Collapse,
    /// A person refused the change.
    Person,
}

/// What is done about a try that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// The same task again, told what went wrong and with less to do.
    RetryNarrowed,
    /// Go on without it.
    Skip,
    /// Everything that builds on the same task is taken back, and the task is planned anew.
    RollBackSubtree,
    /// The run ends with what was good before.
    Abort,
}

/// Runs of before the choice ran them all.
fn yes() -> bool {
    true
}

/// How the changes of a run are verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    /// Whether the repository's own commands are run. Every change is read all the same.
    #[serde(default = "yes")]
    pub runs_commands: bool,
    pub options: Options,
    /// Number of tasks between two runs of the full verifier; it also runs at the end.
    pub full_every: u32,
    /// Go on although the baseline fails: only what gets worse counts.
    pub allow_failing_baseline: bool,
    pub allow_public_api_changes: bool,
    /// Lines of logic that one task may lose; none is no limit.
    pub max_residue: Option<usize>,
}

/// What a run is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Mode {
    Refactor,
    /// Plans, and changes nothing.
    Plan,
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
    /// The plan was made, and that was all.
    Planned,
    /// Diffs and reports were made, and nothing more was asked for.
    DryRun,
    /// The person did not agree to the plan.
    Declined,
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
            Outcome::Planned => "planned",
            Outcome::DryRun => "dry run",
            Outcome::Declined => "plan declined",
        }
    }
}
