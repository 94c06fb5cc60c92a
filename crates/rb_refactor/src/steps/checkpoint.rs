//! The end of a task: its change is kept, or its failure is entered.

use rb_change::checkpoint::{self, entry};
use rb_change::{Changing as _, Failure};
use rb_flow::graph::Node;
use rb_workspace::ledger::TaskStatus;

use crate::artifacts;
use crate::error::RunError;
use crate::event::{Recovery, RefactorEvent};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

/// Keeps a change that holds.
pub(crate) struct Checkpoint;

impl Node<Refactor> for Checkpoint {
    const NAME: &'static str = "checkpoint";
    const DOES: &'static str = "keeps the change";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let (Some(current), Some(task)) = (&state.change.current, state.current_task()) else {
            return Ok(());
        };
        let Some(commit) = current.candidate.clone() else {
            let words = "a change was to be kept that was never made";
            return Err(world.change.bad_journal(words).into());
        };
        let mut entry = entry(task, Some(current), TaskStatus::Applied, Vec::new());
        entry.confidence = state.review.confidence.as_ref().map(|(score, _)| *score);
        checkpoint::keep(&state.change, &mut world.change, entry, &commit)?;
        keep_artifacts(state, world, &commit)
    }
}

/// In a larger repository the artifacts are brought up to date once, at the end.
const FEW_FILES: usize = 2_000;

/// What is known of the repository follows each change.
fn keep_artifacts(state: &State, world: &mut World, commit: &str) -> Result<(), RunError> {
    let files = world
        .change
        .known
        .as_ref()
        .map(|known| known.indexed.view().map(|view| view.tree.files.len()));
    let is_small = files.and_then(Result::ok).is_some_and(|files| files <= FEW_FILES);
    if !state.started.orders.plans || !is_small {
        return Ok(());
    }
    let base = world.change.base.clone();
    world.change.stand_at(base.as_deref(), Some(commit));
    artifacts::refresh(world, &state.tasks, &state.change.ledger)
}

/// Ends a task that changes nothing.
pub(crate) struct Close;

impl Node<Refactor> for Close {
    const NAME: &'static str = "close";
    const DOES: &'static str = "records why nothing changed";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let (Some(current), Some(task)) = (&state.change.current, state.current_task()) else {
            return Ok(());
        };
        checkpoint::discard(&mut world.change)?;
        let last = state.errors.last().filter(|error| error.task == task.id);
        let status = without_change(state.review.recovery, current.nothing.is_some());
        let reasons = match status {
            TaskStatus::Noop => Vec::new(),
            TaskStatus::Applied
            | TaskStatus::Refused
            | TaskStatus::Skipped
            | TaskStatus::RolledBack => last.map(|it| it.reasons.clone()).unwrap_or_default(),
        };
        let mut entry = entry(task, Some(current), status, reasons);
        if let (TaskStatus::Noop, Some(why)) = (status, current.nothing.clone())
            && !why.is_empty()
        {
            entry.notes.push(why);
        }
        if state.review.recovery.is_some() && last.is_some_and(|it| it.failure == Failure::Contract)
        {
            entry.notes.push("`--set allow_public_api_changes=true` allows it".to_owned());
        }
        if status == TaskStatus::Refused && state.started.orders.plans {
            let reason = last.map(|error| words(error.failure, state)).unwrap_or_default();
            world.write(RefactorEvent::Aborted { reason: format!("{}: {reason}", task.id) })?;
        }
        entry.confidence = state.review.confidence.as_ref().map(|(score, _)| *score);
        Ok(checkpoint::end_task(&state.change, &mut world.change, &entry)?)
    }
}

/// How a task ends that changes nothing. One that was rejected and has no try left is none that had nothing to do.
fn without_change(recovery: Option<Recovery>, has_nothing_to_do: bool) -> TaskStatus {
    match recovery {
        Some(Recovery::Abort) => TaskStatus::Refused,
        Some(Recovery::RollBackSubtree) => TaskStatus::RolledBack,
        None if has_nothing_to_do => TaskStatus::Noop,
        Some(Recovery::Skip | Recovery::RetryNarrowed | Recovery::ShowMore) | None => {
            TaskStatus::Skipped
        }
    }
}

/// Where an agent proposes, there is no model to blame.
fn words(failure: Failure, state: &State) -> &'static str {
    match (failure, &state.started.orders.agent) {
        (Failure::Model, Some(_)) => "the agent failed",
        (Failure::Blocked, Some(_)) => "the agent did not do the task",
        (failure, _) => failure.words(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf7_a_task_without_a_try_left_is_never_recorded_as_one_with_nothing_to_do() {
        let check = |recovery: Option<Recovery>, has_nothing_to_do: bool, expected: TaskStatus| {
            assert_eq!(without_change(recovery, has_nothing_to_do), expected, "{recovery:?}");
        };
        check(None, true, TaskStatus::Noop);
        check(None, false, TaskStatus::Skipped);
        check(Some(Recovery::RetryNarrowed), false, TaskStatus::Skipped);
        check(Some(Recovery::Skip), false, TaskStatus::Skipped);
        check(Some(Recovery::Abort), false, TaskStatus::Refused);
        check(Some(Recovery::RollBackSubtree), false, TaskStatus::RolledBack);
    }
}
