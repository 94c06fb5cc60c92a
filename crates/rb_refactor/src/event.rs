//! The events of the refactor workflow, how its runs begin and how they end.

use std::path::PathBuf;

use rb_change::{AgentOrder, ChangeEvent, Failure, Verify};
use rb_core::{Proposer, RepoPath, RunId, Sha256, Task, TaskId};
use rb_flow::WorkflowEvent;
use rb_flow::event::ModelChoice;
use rb_pack::AnswerForm;
use rb_plan::Leftover;
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_workspace::preflight::{Dirty, Preflight};
use rb_workspace::repo::Kind;
use serde::{Deserialize, Serialize};

use crate::workflow::Refactor;

pub type Event = rb_flow::Event<Refactor>;
pub type RunEvent = rb_flow::RunEvent<Refactor>;
pub type Record = rb_flow::Record<Refactor>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RefactorEvent {
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
    Confirmed {
        /// But for these tasks, and what depends on them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<TaskId>,
    },
    /// A task has less to do from here on.
    Narrowed {
        task: Box<Task>,
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
    /// The proposer cannot do it as it was asked.
    ProposalBlocked {
        task: TaskId,
        why: String,
        /// The code that it asks to see.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        needs: Vec<String>,
    },
    /// A critic read the patch before it was applied.
    CriticEnded {
        task: TaskId,
        decision: CriticDecision,
        reasons: Vec<String>,
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
        /// What is wrong with it, for the next try of a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    ReportWritten {
        dir: PathBuf,
    },
    /// What happens to the repository. Last, because it has no name of its own in the journal.
    #[serde(untagged)]
    Change(ChangeEvent),
}

impl WorkflowEvent for RefactorEvent {
    fn is_milestone(&self) -> bool {
        match self {
            RefactorEvent::Change(event) => event.is_milestone(),
            RefactorEvent::Planned { .. }
            | RefactorEvent::Confirmed { .. }
            | RefactorEvent::Narrowed { .. }
            | RefactorEvent::TakenBack { .. }
            | RefactorEvent::Aborted { .. }
            | RefactorEvent::TryFailed { .. }
            | RefactorEvent::Approved { .. } => true,
            RefactorEvent::Indexed { .. }
            | RefactorEvent::PackMade { .. }
            | RefactorEvent::PatchProposed { .. }
            | RefactorEvent::ProposalBlocked { .. }
            | RefactorEvent::CriticEnded { .. }
            | RefactorEvent::Weighed { .. }
            | RefactorEvent::ReportWritten { .. } => false,
        }
    }
}

impl From<ChangeEvent> for RefactorEvent {
    fn from(event: ChangeEvent) -> Self {
        RefactorEvent::Change(event)
    }
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

impl RunStarted {
    /// A run on a target that was looked at, without tasks and without checks.
    pub(crate) fn new(run: RunId, workflow: Mode, target: &Preflight, dirty: Dirty) -> RunStarted {
        RunStarted {
            run,
            workflow,
            repo: target.repo.root.clone(),
            kind: target.repo.kind,
            scope: target.repo.scope.clone(),
            allow_dirty: dirty == Dirty::Carry,
            diff_budget: 0,
            excludes: Vec::new(),
            tasks: Vec::new(),
            verify: None,
            orders: Box::default(),
        }
    }
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
    /// How many more tries a task has.
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
    /// Who proposes in place of a model. It plans and criticises nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentOrder>,
    /// How a model is asked for a patch.
    pub answer_form: AnswerForm,
}

/// What is done about a try that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// The same task again, told what went wrong and with less to do.
    RetryNarrowed,
    /// The same task again, with the code that the model asked to see.
    ShowMore,
    /// Go on without it.
    Skip,
    /// Everything that builds on the same task is taken back, and the task is planned anew.
    RollBackSubtree,
    /// The run ends with what was good before.
    Abort,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sa6_events_of_every_set_are_lines_of_one_journal() {
        let check = |name: &str, event: Event| {
            let line = json!({"event": name});
            assert_eq!(serde_json::from_value::<Event>(line.clone()).unwrap(), event);
            assert_eq!(serde_json::to_value(&event).unwrap(), line);
        };
        check("waiting", RunEvent::Waiting.into());
        check("landed", RefactorEvent::Change(ChangeEvent::Landed).into());
        check("confirmed", RefactorEvent::Confirmed { without: Vec::new() }.into());
        for name in ["backup_made", "aborted", "no_such_event"] {
            let error = serde_json::from_value::<Event>(json!({"event": name})).unwrap_err();
            let words = format!("the event `{name}` is unknown or incomplete");
            assert_eq!(error.to_string(), words);
        }
    }
}
