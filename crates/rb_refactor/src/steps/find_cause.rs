//! All changes together fail, though each passed: the task behind it is found by halving and taken back, and what came after it is
//! done again without it.

use rb_change::{Changing as _, Failure, proposals};
use rb_core::{Proposer, Task, TaskId, Verdict};
use rb_flow::graph::Node;

use crate::error::RunError;
use crate::event::{Recovery, RefactorEvent};
use crate::state::State;
use crate::steps::take_back::{Again, give_up, renamed};
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct FindCause;

impl Node<Refactor> for FindCause {
    const NAME: &'static str = "find_cause";
    const DOES: &'static str = "finds the task that breaks the full checks and reverts it";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let standing = state.change.checkpoints();
        let mut reasons = state.change.full_reasons.clone();
        // With so many checkpoints the checks hold, and with so many they fail.
        let (mut good, mut bad) = (0, standing.len());
        while bad - good > 1 {
            let middle = usize::midpoint(good, bad);
            let (task, commit) = standing[middle - 1];
            let found = rb_change::look(&mut world.change, commit, &format!("{task}-full"))?;
            if found.verdict == Verdict::Fail {
                (bad, reasons) = (middle, found.reasons);
            } else {
                good = middle;
            }
        }
        if bad == 1 && fails_without_any(state, world)? {
            return Ok(());
        }
        let (guilty, _) = standing[bad - 1];
        let gone: Vec<TaskId> = standing[bad - 1..].iter().map(|(task, _)| *task).collect();
        let at = state.change.ledger.iter().position(|entry| entry.task == guilty).unwrap_or(0);
        let (attempt, commit) = (state.change.ledger[at].attempts, state.change.before(at));
        let (failure, recovery) = (Failure::Verify, Recovery::RollBackSubtree);
        world.write(RefactorEvent::TryFailed {
            task: guilty,
            attempt,
            failure,
            reasons,
            recovery,
        })?;
        let again = Again { tasks: again(state, world, &gone, guilty)?, ..Again::default() };
        give_up(world, gone, &commit, again)
    }
}

/// A check that fails now without any change: no task is the cause, and none is taken back.
fn fails_without_any(state: &State, world: &mut World) -> Result<bool, RunError> {
    let base = state.change.before(0);
    let fails = rb_change::look(&mut world.change, &base, "base-full")?.verdict == Verdict::Fail;
    let tip = world.change.tip()?;
    world.change.worktree()?.reset(&tip)?;
    if fails {
        let text = "the full checks now also fail without the changes of this run".to_owned();
        world.change.note(text)?;
    }
    Ok(fails)
}

/// What came after the guilty one and does not build on it, under new names.
fn again(
    state: &State,
    world: &World,
    gone: &[TaskId],
    guilty: TaskId,
) -> Result<Vec<Task>, RunError> {
    let mut next = state.tasks.iter().map(|task| task.id.0).max().unwrap_or(0);
    let mut lost = vec![guilty];
    let mut tasks = Vec::new();
    for task in gone.iter().filter_map(|id| state.task(*id)) {
        if task.id == guilty || task.depends_on.iter().any(|id| lost.contains(id)) {
            lost.push(task.id);
        } else {
            let again = renamed(&mut next, task);
            if task.by == Proposer::Given {
                proposals::hand_on(&world.change.run, task.id, again.id)?;
            }
            tasks.push(again);
        }
    }
    Ok(tasks)
}
