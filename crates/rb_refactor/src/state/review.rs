//! The verdicts on the current task's change, the proposals for tasks, and what a person has to look at.

use rb_core::{Proposer, TaskId};
use rb_schema::roles::critic::Decision;
use serde::Serialize;

use crate::event::Recovery;
use crate::state::State;

/// The verdicts of critic, weigher and person on the current task's change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    /// The critic's decision.
    pub critic: Option<Decision>,
    /// How far the change can be trusted, and why.
    pub confidence: Option<(u8, Vec<String>)>,
    pub approved: Option<bool>,
    /// The person said what is wrong with it.
    pub is_commented: bool,
    /// The task has less to do in the next try.
    pub is_narrowed: bool,
    /// What was decided about a try that failed.
    pub recovery: Option<Recovery>,
}

/// What a proposer came up with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "offer", rename_all = "snake_case")]
pub enum Proposal {
    /// Its text is kept in the run's folder; it was made for the files of `base`.
    Patch {
        base: String,
        by: Proposer,
    },
    Nothing {
        why: String,
    },
    Blocked {
        why: String,
        /// The code that it asks to see.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        needs: Vec<String>,
    },
    /// The model gave no usable answer.
    Failed {
        why: String,
    },
}

impl State {
    /// The tasks of a coding agent whose changes stand and touch tests: what it weakened cannot vouch for it.
    pub fn changed_tests(&self) -> Vec<TaskId> {
        if self.started.orders.agent.is_none() {
            return Vec::new();
        }
        rb_change::changed_tests(self)
    }
}
