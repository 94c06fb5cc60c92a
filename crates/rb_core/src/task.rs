//! A task: one small change with a goal.

use serde::{Deserialize, Serialize};

use crate::id::TaskId;

/// One step of a plan. What it may touch is decided by the run's scope and budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    pub goal: String,
    pub kind: TaskKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskKind {
    /// Files change as a proposal says; then a formatter may run over those files and no others.
    Change {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<String>,
    },
    /// A formatter runs and nothing else: no proposal is taken.
    FormatOnly { command: String },
}
