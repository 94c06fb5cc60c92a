//! The end of a task: its change is kept, or why nothing changed is entered.

use rb_core::{Task, Verdict, clock};
use rb_workspace::fingerprint::Depth;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::clean::compare;
use crate::current::Current;
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::state::ChangeState;
use crate::world::ChangeWorld;

/// What is entered of a task.
pub fn entry(
    task: &Task,
    current: Option<&Current>,
    status: TaskStatus,
    reasons: Vec<String>,
) -> LedgerEntry {
    let empty = Current::new(task.id);
    let current = current.unwrap_or(&empty);
    LedgerEntry {
        task: task.id,
        goal: task.goal.clone(),
        status,
        commit: None,
        touched_files: current.paths.clone(),
        added: current.added,
        removed: current.removed,
        rung: current.rung,
        verdict: current.verdict.unwrap_or(Verdict::NoVerifierRan),
        attempts: current.attempt,
        confidence: None,
        reasons,
        notes: current.mends.iter().chain(&current.notes).cloned().collect(),
        at: clock::now(),
    }
}

/// Begins a task.
pub fn begin_task(world: &ChangeWorld, task: &Task) -> Result<(), ChangeError> {
    world.write(ChangeEvent::TaskStarted { task: task.id, goal: task.goal.clone() })
}

/// Ends a task that was never tried.
pub fn pass_over(
    world: &ChangeWorld,
    task: &Task,
    reasons: Vec<String>,
) -> Result<(), ChangeError> {
    let entry = entry(task, None, TaskStatus::Skipped, reasons);
    world.write(ChangeEvent::TaskEnded { entry })
}

/// Keeps the change of a task as `commit`. The index of it is what the next task begins from.
pub fn keep(
    state: &ChangeState,
    world: &mut ChangeWorld,
    mut entry: LedgerEntry,
    commit: &str,
) -> Result<(), ChangeError> {
    entry.commit = Some(commit.to_owned());
    world.write(ChangeEvent::CheckpointMade { task: entry.task, commit: commit.to_owned() })?;
    end_task(state, world, &entry)?;
    if let Some(known) = world.candidate.take().filter(|known| known.commit == commit) {
        world.known = Some(known);
    }
    Ok(())
}

/// Goes back to the last good commit: what was tried is gone.
pub fn discard(world: &mut ChangeWorld) -> Result<(), ChangeError> {
    let tip = world.tip()?;
    world.worktree()?.reset(&tip)?;
    world.candidate = None;
    Ok(())
}

/// Goes back to `commit`; the checkpoints after it are given up.
pub fn go_back(world: &mut ChangeWorld, commit: &str) -> Result<(), ChangeError> {
    let worktree = world.worktree()?;
    worktree.ledger_changed();
    worktree.reset(commit)?;
    let base = world.base.clone();
    world.stand_at(base.as_deref(), Some(commit));
    Ok(())
}

/// Compares the checkout, then enters the outcome into journal and ledger.
pub fn end_task(
    state: &ChangeState,
    world: &mut ChangeWorld,
    entry: &LedgerEntry,
) -> Result<(), ChangeError> {
    compare(world, Depth::Quick)?;
    world.write(ChangeEvent::TaskEnded { entry: entry.clone() })?;
    Ok(world.worktree()?.extend_ledger(&state.ledger, entry)?)
}
