//! The events of the ticket workflow, how its runs begin and how they end.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rb_change::{AgentOrder, ChangeEvent, Failure, Verify};
use rb_core::{RepoPath, RunId, Task, TaskId};
use rb_flow::WorkflowEvent;
use rb_flow::event::ModelChoice;
use rb_workspace::preflight::Preflight;
use rb_workspace::repo::Kind;
use serde::{Deserialize, Serialize};

use super::Ticketing;
use crate::browse::Issue;
use crate::ticket::Ticket;

pub type Event = rb_flow::Event<Ticketing>;
pub type RunEvent = rb_flow::RunEvent<Ticketing>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TicketEvent {
    /// What is to be done next: the implementation, or the fixes of a round.
    Assigned {
        task: Task,
    },
    /// An agent proposed a change for the task at hand. Its words are claims.
    Proposed {
        task: TaskId,
        summary: String,
        reason: String,
    },
    /// No usable change came of a try.
    NotProposed {
        task: TaskId,
        failure: Failure,
        reasons: Vec<String>,
    },
    /// A try came to nothing, and whether the task is tried again.
    TryFailed {
        task: TaskId,
        attempt: u32,
        failure: Failure,
        reasons: Vec<String>,
        again: bool,
    },
    /// The criteria were tried in a browser, on the last good commit.
    Browsed(Box<Round>),
    PrWritten {
        dir: PathBuf,
    },
    /// The branch was pushed.
    Published {
        branch: String,
        url: Option<String>,
    },
    /// The branch of the run is kept under a name of its own.
    BranchNamed {
        branch: String,
    },
    /// What happens to the repository. Last, because it has no name of its own in the journal.
    #[serde(untagged)]
    Change(ChangeEvent),
}

/// One look at the application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Counted from 1.
    pub number: u32,
    pub commit: String,
    /// Checks that were carried out, and those that were met.
    pub checks: usize,
    pub met: usize,
    /// Criteria that nothing tried, each with the reason.
    pub unchecked: Vec<String>,
    pub issues: Vec<Issue>,
    /// The folder with `verify.json`, `evidence.json` and the screenshots, within that of the run.
    pub folder: PathBuf,
}

impl WorkflowEvent for TicketEvent {
    fn is_milestone(&self) -> bool {
        match self {
            TicketEvent::Change(event) => event.is_milestone(),
            TicketEvent::Assigned { .. }
            | TicketEvent::TryFailed { .. }
            | TicketEvent::Browsed(_)
            | TicketEvent::Published { .. } => true,
            TicketEvent::Proposed { .. }
            | TicketEvent::NotProposed { .. }
            | TicketEvent::PrWritten { .. }
            | TicketEvent::BranchNamed { .. } => false,
        }
    }
}

impl From<ChangeEvent> for TicketEvent {
    fn from(event: ChangeEvent) -> Self {
        TicketEvent::Change(event)
    }
}

impl From<TicketEvent> for Event {
    fn from(event: TicketEvent) -> Self {
        Event::Own(event)
    }
}

/// How a run began: enough to go on with it in another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub run: RunId,
    pub workflow: Mode,
    pub ticket: Ticket,
    pub repo: PathBuf,
    pub kind: Kind,
    pub scope: Option<RepoPath>,
    pub allow_dirty: bool,
    pub orders: Box<Orders>,
}

impl Start {
    pub(crate) fn new(
        run: RunId,
        workflow: Mode,
        target: &Preflight,
        ticket: Ticket,
        orders: Orders,
    ) -> Start {
        let (repo, kind) = (target.repo.root.clone(), target.repo.kind);
        let (scope, orders) = (target.repo.scope.clone(), Box::new(orders));
        Start { run, workflow, ticket, repo, kind, scope, allow_dirty: false, orders }
    }
}

/// How a ticket is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Orders {
    /// Lines that one task may add and remove together.
    pub diff_budget: usize,
    /// Globs of files that may change; empty for all.
    pub includes: Vec<String>,
    /// Globs of files that may not.
    pub excludes: Vec<String>,
    pub verify: Option<Box<Verify>>,
    pub models: Option<ModelChoice>,
    /// The coding agent that does the editing in place of a model.
    pub agent: Option<AgentOrder>,
    pub preview: PreviewOrder,
    /// Rounds of fixes after the first look.
    pub max_rounds: u32,
    /// Tries of one task.
    pub max_tries: u32,
    /// What pages are expected to look like, by the name of the attachment. Found when the run begins, as a resumed run may begin in
    /// another folder.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pictures: BTreeMap<String, PathBuf>,
    /// Where the reports are copied to.
    pub output: Option<PathBuf>,
}

/// How the application is reached.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PreviewOrder {
    /// A command that starts it; found in the repository where none is given.
    pub command: Option<String>,
    /// One that runs already.
    pub url: Option<String>,
    pub port: Option<u16>,
    /// The server at `url` is taken at its word.
    pub trust_url: bool,
    /// Nothing is looked at in a browser.
    pub off: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Mode {
    Ticket,
    /// Takes another run back.
    TicketRollback {
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
    /// No change came of it.
    Noop,
    /// The baseline failed, so nothing was tried.
    BaselineFailed,
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
        }
    }
}
