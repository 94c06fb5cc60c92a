//! The events of the ask workflow, how its runs begin and how they end.

use std::path::PathBuf;

use rb_core::RunId;
use rb_flow::WorkflowEvent;
use rb_flow::event::ModelChoice;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::{Answer, Author, Counts, Draft};
use crate::guide::reflection::{Measure, Recommendation};
use crate::memory::SearchMade;

pub type Event = rb_flow::Event<Ask>;
pub type RunEvent = rb_flow::RunEvent<Ask>;
pub type Record = rb_flow::Record<Ask>;

/// How a run began: enough to go on with it in another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub run: RunId,
    pub workflow: Kind,
    pub repo: PathBuf,
    /// Globs of the files that are looked at; all files without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    pub question: String,
    pub models: ModelChoice,
    /// The file that holds what earlier questions found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<PathBuf>,
}

/// What kind of run it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    pub name: String,
    pub version: u32,
}

impl Kind {
    pub(crate) fn ask() -> Self {
        Kind { name: super::NAME.to_owned(), version: 1 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AskEvent {
    /// The model says how it wants to find the answer, or why it changes that.
    Planned {
        call: u32,
        steps: Vec<String>,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The model was told that a call, or a chain of calls, is wasteful.
    Warned {
        call: u32,
        text: String,
    },
    /// A look back at the last calls.
    Reflected {
        call: u32,
        recommendation: Recommendation,
        measure: Measure,
    },
    /// The last calls had nothing to do with the question.
    OffTrack {
        call: u32,
        calls: Vec<String>,
    },
    /// The result of a call was removed from the conversation to make room.
    Evicted {
        call: u32,
        result: String,
    },
    Explored(Box<Explored>),
    /// The draft was checked.
    Checked {
        round: u32,
        counts: Counts,
        /// What failed. If anything did, the model is asked to replace it, once.
        faults: Vec<String>,
    },
    Answered {
        answer: Box<Answer>,
    },
}

/// One exploration, and the draft that came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// Counted from 1. The second one replaces what failed of the first.
    pub round: u32,
    pub author: Author,
    pub draft: Draft,
    pub calls: u32,
    /// Each file once, in the order of first reading.
    pub files_read: Vec<String>,
    pub searches: Vec<SearchMade>,
    /// Reads that were answered with where the lines are already.
    #[serde(default)]
    pub reads_avoided: u32,
    /// Results that had to make room for others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evicted: Vec<String>,
    /// Why the model did not come to an end by itself, where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// What the reader should know about the draft as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Answered,
    /// No claim of the answer could be verified.
    NothingVerified,
}

impl WorkflowEvent for AskEvent {
    fn is_milestone(&self) -> bool {
        match self {
            AskEvent::Explored(_) | AskEvent::Answered { .. } => true,
            AskEvent::Planned { .. }
            | AskEvent::Warned { .. }
            | AskEvent::Reflected { .. }
            | AskEvent::OffTrack { .. }
            | AskEvent::Evicted { .. }
            | AskEvent::Checked { .. } => false,
        }
    }
}

impl From<AskEvent> for Event {
    fn from(event: AskEvent) -> Self {
        Event::Own(event)
    }
}
