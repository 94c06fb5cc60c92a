//! What follows from a try that failed. The decision is `recovery::recover`'s; here are the facts for it.

use rb_change::proposals::{is_by_person, is_computed};
use rb_change::{Changing as _, Current, Failure, checkpoint};
use rb_core::fs;
use rb_core::{Proposer, RepoPath, Task, TaskId};
use rb_flow::graph::Node;
use rb_plan::Narrowed;
use rb_verify::Verification;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::dropped::why_dropped;
use crate::error::RunError;
use crate::event::{Recovery, RefactorEvent};
use crate::planning::{self, PlanRequest};
use crate::recovery::{Situation, recover};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Recover;

impl Node<Refactor> for Recover {
    const NAME: &'static str = "recover";
    const DOES: &'static str = "retries with a smaller scope, skips, reverts or stops";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let (Some(current), Some(task)) = (&state.change.current, state.current_task()) else {
            return Ok(());
        };
        // Killed after the decision.
        let Some((failure, reasons)) = current.failed.clone() else { return Ok(()) };
        if state.review.recovery.is_some() {
            return Ok(());
        }
        checkpoint::discard(&mut world.change)?;
        let (task_id, attempt) = (task.id, current.attempt);
        let failed = |recovery| RefactorEvent::TryFailed {
            task: task_id,
            attempt,
            failure,
            reasons: reasons.clone(),
            recovery,
        };
        // Killed between the two events: the task has less to do already. A model's task has it from a critic, before the try failed.
        if state.review.is_narrowed && task.by.is_computed() {
            return world.write(failed(Recovery::RetryNarrowed));
        }
        let why = why_dropped(failure, &reasons, &failing_tests(world, current)?);
        let request = PlanRequest::of(state);
        let narrowed = narrowed(world, &request, task, failure, &reasons, &why)?;
        let shown_more = state.shown_more(task.id);
        let situation = Situation {
            failure,
            attempts: current.attempt.saturating_sub(shown_more),
            asks_for_code: state.asks_for_code(task.id),
            shown_more,
            max_retries: state.started.orders.max_retries,
            can_differ: task.by == Proposer::Model || narrowed.is_some(),
            is_commented: state.review.is_commented,
            by_model: task.by == Proposer::Model,
            is_computed: is_computed(task),
            // What a person brought is all of what was asked for.
            is_critical: task.is_critical || is_by_person(task),
            is_strict: state.started.orders.strict,
            has_subtree: !subtree(state, task, &current.paths).is_empty(),
            was_replanned: state.change.ledger.iter().any(|it| it.status == TaskStatus::RolledBack),
            failed_before: state.failed_in_a_row(),
        };
        let recovery = recover(&situation);
        if recovery == Recovery::RetryNarrowed
            && let Some(Narrowed { task, left }) = narrowed
        {
            world.write(RefactorEvent::Narrowed { task: Box::new(task), dropped: left })?;
        }
        world.write(failed(recovery))
    }
}

/// The tests that this try failed, by name; none where the checks were not the trouble.
fn failing_tests(world: &World, current: &Current) -> Result<Vec<String>, RunError> {
    let Some(file) = &current.verification else { return Ok(Vec::new()) };
    let record = fs::read_optional(&world.change.run.dir.join(file))?.unwrap_or_default();
    // If it cannot be read, the names are missing; the reasons are still reported.
    let record = serde_json::from_slice::<Verification>(&record);
    Ok(record.map(|record| record.failing_tests()).unwrap_or_default())
}

/// A task that a recipe or a rule does, with less to do; a model is told what went wrong instead.
fn narrowed(
    world: &mut World,
    request: &PlanRequest<'_>,
    task: &Task,
    failure: Failure,
    reasons: &[String],
    why: &str,
) -> Result<Option<Narrowed>, RunError> {
    if !task.by.is_computed() || matches!(failure, Failure::Person | Failure::Collapse) {
        return Ok(None);
    }
    planning::narrowed(world, request, task, reasons, why)
}

/// Checkpoints that hang together with the task: what it builds on, and whatever else builds on that. Models name no groundwork; theirs
/// is what models made of the files that the task touched.
pub(super) fn subtree(state: &State, task: &Task, touched: &[RepoPath]) -> Vec<TaskId> {
    let root = root(state, task);
    let related = root.map(|root| rb_plan::subtree(&state.tasks, root)).unwrap_or_default();
    let is_model = |id: TaskId| state.task(id).is_some_and(|it| it.by == Proposer::Model);
    let is_shared = |entry: &LedgerEntry| {
        let shares = entry.touched_files.iter().any(|path| touched.contains(path));
        shares && task.by == Proposer::Model && is_model(entry.task)
    };
    let applied = state.change.ledger.iter().filter(|entry| entry.commit.is_some());
    applied
        .filter(|entry| related.contains(&entry.task) || is_shared(entry))
        .map(|entry| entry.task)
        .collect()
}

/// The first task that this one builds on, directly or not.
fn root(state: &State, task: &Task) -> Option<TaskId> {
    let mut at = task;
    for _ in 0..state.tasks.len() {
        match at.depends_on.first().and_then(|id| state.task(*id)) {
            Some(earlier) => at = earlier,
            None => break,
        }
    }
    (at.id != task.id).then_some(at.id)
}
