//! What a person reads before deciding: one patch a task, and the ledger.

use std::path::Path;

use rb_core::fs::{self, Durability};
use rb_workspace::ledger::{self, LedgerEntry};
use rb_workspace::worktree::Worktree;

use crate::error::RunError;

/// Writes `diffs/batch-NNN.patch` and `TASK_LEDGER.jsonl` into `dir`, replacing what is there.
pub(crate) fn write(
    dir: &Path,
    worktree: &Worktree,
    base: &str,
    entries: &[LedgerEntry],
) -> Result<(), RunError> {
    let diffs = dir.join("diffs");
    fs::create_dir_all(&diffs)?;
    let mut from = base;
    for entry in entries {
        if let Some(commit) = &entry.commit {
            let patch = worktree.diff(from, commit)?;
            fs::write(&diffs.join(format!("{}.patch", entry.task)), &patch, Durability::Relaxed)?;
            from = commit;
        }
    }
    Ok(ledger::write(&dir.join("TASK_LEDGER.jsonl"), entries)?)
}
