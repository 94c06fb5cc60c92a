//! `TASK_LEDGER.jsonl`: one line a task, what was tried and where it ended.

use std::path::Path;

use rb_core::clock::Timestamp;
use rb_core::fs::{self, Durability, FsError};
use rb_core::{RepoPath, TaskId, Verdict};
use serde::{Deserialize, Serialize};

use crate::answer::Rung;

/// The outcome of one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub task: TaskId,
    pub goal: String,
    pub status: TaskStatus,
    /// The checkpoint, where one was made.
    pub commit: Option<String>,
    pub touched_files: Vec<RepoPath>,
    pub added: usize,
    pub removed: usize,
    /// How exactly the proposal fitted, where it was a text.
    pub rung: Option<Rung>,
    pub verdict: Verdict,
    /// How many tries it took.
    #[serde(default = "once")]
    pub attempts: u32,
    /// How far the change can be trusted, from 0 to 100, where one was made and measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// Why it was refused or rolled back.
    pub reasons: Vec<String>,
    /// What somebody should look at, though it stands in nobody's way.
    #[serde(default)]
    pub notes: Vec<String>,
    pub at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Checkpointed. Whether it is right is the verdict's to say.
    Applied,
    Noop,
    /// It ended the loop.
    Refused,
    /// It failed or could not be begun, and the run went on without it.
    Skipped,
    /// It was checkpointed and taken back.
    RolledBack,
}

fn once() -> u32 {
    1
}

/// Writes the whole ledger in one step.
pub fn write(path: &Path, entries: &[LedgerEntry]) -> Result<(), FsError> {
    fs::write(path, &lines(entries), Durability::Relaxed)
}

pub(crate) fn lines(entries: &[LedgerEntry]) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut text, entry).expect("a ledger entry is plain data");
        text.push(b'\n');
    }
    text
}
