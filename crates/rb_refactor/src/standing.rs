//! Proposals that were made for tasks: whether one still holds.

use rb_change::{ChangeFiles as _, proposals};
use rb_core::fs;
use rb_core::{Proposer, RepoPath, Task};
use rb_workspace::patch;

use crate::error::RunError;
use crate::state::Proposal;
use crate::world::World;

/// Whether nobody has to be asked for the task, because what was proposed for it still holds.
pub(crate) fn stands(
    world: &mut World,
    task: &Task,
    proposal: &Proposal,
) -> Result<bool, RunError> {
    match proposal {
        Proposal::Patch { .. } if task.by == Proposer::Given => Ok(true),
        Proposal::Patch { base, .. } => still_fits(world, task, base),
        // Of a model: forgotten as soon as one of the task's files changes. Others are quick to find it out again.
        Proposal::Nothing { .. } | Proposal::Blocked { .. } | Proposal::Failed { .. } => {
            Ok(task.by == Proposer::Model)
        }
    }
}

/// Whether the files of a proposal are still what it was made for.
fn still_fits(world: &mut World, task: &Task, base: &str) -> Result<bool, RunError> {
    let tip = world.change.tip()?;
    if base == tip {
        return Ok(true);
    }
    let paths = touched(world, task)?;
    let worktree = world.change.worktree()?;
    for path in &paths {
        if worktree.file_at(base, path)? != worktree.file_at(&tip, path)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The files that a proposal touches. A model's patch may be too loose to be read without the files: then what its author says, and
/// else all that it may touch.
fn touched(world: &World, task: &Task) -> Result<Vec<RepoPath>, RunError> {
    let text = fs::read(&world.change.run.dir.proposal(task.id))?;
    if let Ok(patch) = patch::parse(&text) {
        return Ok(patch.paths().into_iter().cloned().collect());
    }
    let claimed = proposals::claimed(&world.change.run, task.id)?.unwrap_or_default();
    Ok(if claimed.is_empty() { task.files.clone() } else { claimed.into_iter().collect() })
}
