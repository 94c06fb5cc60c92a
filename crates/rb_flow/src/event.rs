//! What can be written in a journal: the events that every run has, and those of its workflow. Both are closed sets.
//!
//! On disk there is no difference: a line has its version, its number, its time and the name of its event. An event whose name
//! ends in "started" is written before its effect, so that after a kill one can tell an effect that may have happened from one that
//! has not.

use rb_core::clock::Timestamp;
use rb_core::{RepoPath, TaskId, Usd};
use rb_models::Booking;
use rb_trust::Finding;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::workflow::{Workflow, WorkflowEvent as _};

/// The version of the events. Raised when an old reader would misread a new journal.
pub const VERSION: u32 = 5;

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Record<W: Workflow> {
    pub v: u32,
    /// Counts from 1 without gaps.
    pub seq: u64,
    pub at: Timestamp,
    #[serde(flatten)]
    pub event: Event<W>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged, bound = "")]
pub enum Event<W: Workflow> {
    Run(RunEvent<W>),
    Own(W::Event),
}

/// What happens in runs of every workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", bound = "")]
pub enum RunEvent<W: Workflow> {
    RunStarted(W::Start),
    /// The workflow's graph goes on to a node. What the node does may have happened in part when nothing follows.
    Entered {
        node: String,
        /// The node that has ended with this, and how long it took; `None` at the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        ms: u64,
    },
    Noted {
        text: String,
    },
    /// A model is about to be asked. This is what the call counts as if the process is killed before it is booked.
    ModelCallStarted {
        booking: Box<Booking>,
    },
    /// A model was asked, and this is what it took.
    ModelCalled {
        booking: Box<Booking>,
    },
    ModelFailed {
        role: String,
        task: Option<TaskId>,
        reason: String,
    },
    /// A model called a tool while it worked on its answer. Input and result are cut off where they are long.
    ToolCalled {
        role: String,
        task: Option<TaskId>,
        tool: String,
        /// As JSON.
        input: String,
        result: String,
        /// Of the whole result.
        chars: u64,
        failed: bool,
    },
    /// Text that tries to steer a model, or is not what it looks like. It was not altered.
    Suspected {
        task: Option<TaskId>,
        path: RepoPath,
        findings: Vec<Finding>,
    },
    /// A person has to say something before the run goes on.
    Waiting,
    /// The end of the journal was torn by a crash, and cut off.
    Recovered {
        torn_bytes: u64,
    },
    Resumed,
    Interrupted,
    Stopped {
        reason: String,
    },
    RunEnded {
        outcome: W::Outcome,
    },
}

/// As they are named on disk. All other names are those of the workflow's own events.
const RUN_EVENTS: [&str; 14] = [
    "run_started",
    "entered",
    "noted",
    "model_call_started",
    "model_called",
    "model_failed",
    "tool_called",
    "suspected",
    "waiting",
    "recovered",
    "resumed",
    "interrupted",
    "stopped",
    "run_ended",
];

impl<'de, W: Workflow> Deserialize<'de> for Event<W> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let name = value.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
        if RUN_EVENTS.contains(&&*name) {
            return serde_json::from_value(value).map(Event::Run).map_err(D::Error::custom);
        }
        // A workflow may have sets of events in its own, of which serde cannot tell which one failed.
        let bad = |_| D::Error::custom(format!("the event `{name}` is unknown or incomplete"));
        serde_json::from_value(value).map(Event::Own).map_err(bad)
    }
}

impl<W: Workflow> Event<W> {
    /// Whether the event must survive a power cut before the run goes on.
    pub(crate) fn is_milestone(&self) -> bool {
        match self {
            Event::Own(event) => event.is_milestone(),
            // Money that is spent stays spent.
            Event::Run(
                RunEvent::RunStarted(_)
                | RunEvent::ModelCallStarted { .. }
                | RunEvent::ModelCalled { .. }
                | RunEvent::RunEnded { .. },
            ) => true,
            Event::Run(
                RunEvent::Entered { .. }
                | RunEvent::Noted { .. }
                | RunEvent::ModelFailed { .. }
                | RunEvent::ToolCalled { .. }
                | RunEvent::Suspected { .. }
                | RunEvent::Waiting
                | RunEvent::Recovered { .. }
                | RunEvent::Resumed
                | RunEvent::Interrupted
                | RunEvent::Stopped { .. },
            ) => false,
        }
    }
}

impl<W: Workflow> From<RunEvent<W>> for Event<W> {
    fn from(event: RunEvent<W>) -> Self {
        Event::Run(event)
    }
}

/// Notes as events.
pub fn noted<W: Workflow>(
    texts: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = Event<W>> {
    texts.into_iter().map(|text| RunEvent::Noted { text }.into())
}

/// Which models a run asks, without their keys.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelChoice {
    pub provider: String,
    pub model: String,
    /// As `ROLE=MODEL`.
    #[serde(default)]
    pub roles: Vec<String>,
    #[serde(default)]
    pub base_url: String,
    /// The variable that holds the key, where it is not the usual one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub api_key_env: String,
    /// What may be spent, where that was said when the run began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Usd>,
}
