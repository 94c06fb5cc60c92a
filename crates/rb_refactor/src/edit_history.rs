//! The edits of all checkpoints so far. A change is held against them without reading the earlier ones again, so that the
//! thousandth task costs what the first one does.

use rb_audit::{Finding, Overlaps};
use rb_core::TaskId;
use rb_core::patch::Patch;
use rb_workspace::patch;
use rb_workspace::worktree::Worktree;

use crate::error::RunError;

#[derive(Default)]
pub(crate) struct EditHistory {
    /// How many checkpoints were taken in, and the last of them.
    len: usize,
    last: Option<String>,
    overlaps: Overlaps,
}

/// The checkpoints of a run in order: each a task and its commit.
pub(crate) type Checkpoints<'s> = [(TaskId, &'s str)];

impl EditHistory {
    /// Where `task`, committed as `commit`, edits or undoes what the checkpoints before it did.
    pub(crate) fn overlaps(
        &mut self,
        worktree: &Worktree,
        base: &str,
        checkpoints: &Checkpoints<'_>,
        (task, commit): (TaskId, &str),
    ) -> Result<Vec<Finding>, RunError> {
        let Some((_, clean)) = checkpoints.last() else { return Ok(Vec::new()) };
        self.follow(worktree, base, checkpoints)?;
        Ok(self.overlaps.of(&task.to_string(), &edits(worktree, clean, commit)?))
    }

    /// Takes in the checkpoints that were made since the last call, or all of them where some were given up.
    fn follow(
        &mut self,
        worktree: &Worktree,
        base: &str,
        checkpoints: &Checkpoints<'_>,
    ) -> Result<(), RunError> {
        let last = self.len.checked_sub(1).and_then(|at| checkpoints.get(at));
        // A commit names all those before it.
        if last.map(|(_, commit)| *commit) != self.last.as_deref() {
            *self = EditHistory::default();
        }
        for (task, commit) in &checkpoints[self.len..] {
            let from = self.last.as_deref().unwrap_or(base);
            let patch = edits(worktree, from, commit)?;
            self.overlaps.take(&task.to_string(), &patch);
            self.last = Some((*commit).to_owned());
            self.len += 1;
        }
        Ok(())
    }
}

/// What git shows and we cannot read (a binary file) has no lines to get in the way of.
fn edits(worktree: &Worktree, from: &str, to: &str) -> Result<Patch, RunError> {
    Ok(patch::parse(&worktree.diff(from, to)?).unwrap_or_default())
}
