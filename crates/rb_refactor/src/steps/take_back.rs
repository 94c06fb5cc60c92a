//! A subtree taken back: its checkpoints are given up, and what is still wanted of it is planned anew.

use rb_change::{Changing as _, Failure, checkpoint};
use rb_core::{Proposer, Task, TaskId};
use rb_flow::graph::Node;
use rb_plan::Leftover;
use rb_plan::Narrowed;

use crate::dropped::why_dropped;
use crate::error::RunError;
use crate::event::RefactorEvent;
use crate::planning::{self, PlanRequest};
use crate::state::{AgentError, State};
use crate::steps::recover::subtree;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct TakeBack;

impl Node<Refactor> for TakeBack {
    const NAME: &'static str = "take_back";
    const DOES: &'static str = "reverts the subtree and plans it again";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let Some(last) = state.change.ledger.last() else { return Ok(()) };
        let Some(task) = state.task(last.task) else { return Ok(()) };
        let guilty = subtree(state, task, &last.touched_files);
        let Some(first) = guilty.first() else { return Ok(()) };
        // The branch is one line: what came after the first of them goes with it, and is done again.
        let from = state.change.ledger.iter().position(|entry| entry.task == *first).unwrap_or(0);
        let gone: Vec<TaskId> = state.change.ledger[from..]
            .iter()
            .filter(|entry| entry.commit.is_some())
            .map(|entry| entry.task)
            .collect();
        let commit = state.change.before(from);
        let again = again(state, world, &gone, &guilty, task)?;
        // One event for both: there is no moment in which it is taken back and not planned anew.
        give_up(world, gone, &commit, again)
    }
}

/// Gives checkpoints up and goes back to `commit`.
pub(super) fn give_up(
    world: &mut World,
    tasks: Vec<TaskId>,
    commit: &str,
    again: Again,
) -> Result<(), RunError> {
    let Again { tasks: again, dropped } = again;
    world.write(RefactorEvent::TakenBack { tasks, commit: commit.to_owned(), again, dropped })?;
    Ok(checkpoint::go_back(&mut world.change, commit)?)
}

/// What replaces tasks that were given up.
#[derive(Default)]
pub(super) struct Again {
    pub(super) tasks: Vec<Task>,
    /// The sites that these no longer have.
    pub(super) dropped: Vec<Leftover>,
}

/// A task with less to do. A model's that cannot have less is asked for again as it is: it will be told what went wrong.
fn less(
    world: &mut World,
    request: &PlanRequest<'_>,
    task: &Task,
    failed: Option<&AgentError>,
) -> Result<Option<Narrowed>, RunError> {
    let reasons = failed.map_or(&[][..], |error| error.reasons.as_slice());
    let failure = failed.map_or(Failure::Cascade, |error| error.failure);
    let why = why_dropped(failure, reasons, &[]);
    let smaller = planning::narrowed(world, request, task, reasons, &why)?;
    let same = || Narrowed { task: task.clone(), left: Vec::new() };
    Ok(smaller.or_else(|| (task.by == Proposer::Model).then(same)))
}

/// A task that is done again has the next name, and nothing to wait for.
pub(super) fn renamed(next: &mut u32, task: &Task) -> Task {
    *next += 1;
    Task { id: TaskId(*next), depends_on: Vec::new(), ..task.clone() }
}

/// What is planned in the place of what was taken back: the innocent as they were, the guilty with less to do, under new names; then
/// all that was not begun and does not build on what is gone.
fn again(
    state: &State,
    world: &mut World,
    gone: &[TaskId],
    guilty: &[TaskId],
    failed: &Task,
) -> Result<Again, RunError> {
    let (error, request) = (state.errors.last(), PlanRequest::of(state));
    let mut next = state.tasks.iter().map(|task| task.id.0).max().unwrap_or(0);
    let mut named = |task: &Task| renamed(&mut next, task);
    let Again { mut tasks, dropped: mut sites } = Again::default();
    for id in gone {
        let Some(task) = state.task(*id) else { continue };
        if !guilty.contains(id) {
            tasks.push(named(task));
        } else if let Some(less) = less(world, &request, task, error)? {
            tasks.push(named(&less.task));
            sites.extend(less.left);
        }
    }
    if let Some(less) = less(world, &request, failed, error)? {
        tasks.push(named(&less.task));
        sites.extend(less.left);
    }
    let lost = |task: &Task| task.depends_on.iter().any(|id| gone.contains(id) || *id == failed.id);
    let begun = |task: &Task| state.change.ledger.iter().any(|entry| entry.task == task.id);
    tasks.extend(state.tasks.iter().filter(|task| !begun(task) && !lost(task)).cloned());
    Ok(Again { tasks, dropped: sites })
}
