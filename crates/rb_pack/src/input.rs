//! What a pack is made from.

use rb_core::{Cancel, Task};
use rb_index::{Texts, View};
use rb_models::Family;
use rb_workspace::ledger::LedgerEntry;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::assignment::Assignment;
use crate::budget::Budgets;
use crate::pack::RuleText;

/// A task, the repository that it is about, and what came before.
pub struct PackInput<'p> {
    pub task: &'p Task,
    /// In the person's words.
    pub directive: Option<&'p str>,
    pub view: &'p View<'p>,
    /// The texts of the state that `view` speaks of.
    pub texts: &'p dyn Texts,
    /// Whether the task may change a file.
    pub may_change: &'p dyn Fn(&str) -> bool,
    /// Findings and sites that the task is about.
    pub places: &'p [TaskSite],
    /// The active rules, the weightiest first.
    pub rules: Vec<RuleText>,
    /// All tasks of the run so far, the newest last.
    pub ledger: &'p [LedgerEntry],
    /// What went wrong with earlier tries of this task, the newest last.
    pub errors: &'p [String],
    /// The patch of the last of them.
    pub tried: Option<&'p str>,
    /// What has to be shown, whatever the goal says.
    pub needs: &'p [Need],
    /// The command lines that the change will be verified with.
    pub verifiers: &'p [String],
    /// How the project writes its code, a line each.
    pub conventions: Vec<String>,
    pub budgets: Budgets,
    pub family: Family,
    pub cancel: &'p Cancel,
}

/// Code that somebody asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// In a model's words: `src/a.ts`, `src/a.ts:10-80`, `parseHeader`, "callers of parseHeader".
    Asked(String),
    /// Lines of a file, counted from 1 and both included, with the functions around them.
    Lines { path: String, first: u32, last: u32, why: String },
}

/// A line that the task is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskSite {
    pub path: String,
    /// Counted from 1.
    pub line: u32,
    /// "finding of async-parallel", "call of readFileSync".
    pub why: String,
}

#[derive(Debug, Error)]
pub enum PackError {
    #[error("interrupted")]
    Interrupted,
    #[error(
        "a prompt of {chars} characters cannot hold a batch; it takes {}",
        Budgets::LEAST_CHARS
    )]
    FewChars { chars: usize },
    #[error("a prompt of {tokens} tokens cannot hold the batch; it takes {least}")]
    FewTokens { tokens: u64, least: u64 },
    #[error(transparent)]
    Store(#[from] rb_index::StoreError),
}

impl<'p> PackInput<'p> {
    /// What the prompts of the pack will be asked to say of the task.
    pub fn assignment(&self) -> Assignment<'p> {
        Assignment {
            task: self.task,
            directive: self.directive,
            verifiers: self.verifiers,
            family: self.family,
        }
    }

    pub(crate) fn go_on(&self) -> Result<(), PackError> {
        if self.cancel.is_cancelled() { Err(PackError::Interrupted) } else { Ok(()) }
    }
}
