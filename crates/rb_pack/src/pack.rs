//! A pack: plain data, kept in the run's folder and shown to whoever asks.

use rb_core::TaskId;
use serde::{Deserialize, Serialize};

use crate::budget::{Budgets, Sizes};

/// The choice for one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    pub task: TaskId,
    /// The most relevant first.
    pub files: Vec<Included>,
    /// What was looked at and is not in it, with the reason.
    pub omitted: Vec<Omitted>,
    /// What the task is to satisfy: wrong and right.
    pub rules: Vec<RuleText>,
    /// The last tasks of the run, the newest last.
    pub ledger: Vec<LedgerLine>,
    /// What went wrong with earlier tries of this task.
    pub errors: Vec<String>,
    pub budgets: Budgets,
    pub sizes: Sizes,
}

/// A file, or parts of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Included {
    pub path: String,
    /// Why it is here: "in scope; 3 findings of async-parallel", "imported by src/cart.ts".
    pub reason: String,
    pub may_be_changed: bool,
    pub shown: Vec<Shown>,
    /// Of the whole file.
    pub lines: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shown", rename_all = "snake_case")]
pub enum Shown {
    Whole {
        text: String,
    },
    /// Signatures with their documentation and the line of each.
    Signatures {
        text: String,
    },
    /// Counted from 1, both ends included.
    Excerpt {
        first: u32,
        last: u32,
        text: String,
        /// What lies there.
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Omitted {
    pub path: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    pub id: String,
    pub title: String,
    pub wrong: String,
    pub right: String,
}

/// One earlier task in a few lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    pub task: TaskId,
    pub text: String,
}
