//! The end of a task: its change is kept, or its failure is entered.

use rb_core::{Task, Verdict, clock};
use rb_flow::graph::Node;
use rb_workspace::fingerprint::Depth;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::artifacts;
use crate::error::RunError;
use crate::event::{Failure, Recovery, RefactorEvent};
use crate::state::{Current, State};
use crate::steps::finish::compare;
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
        let (Some(current), Some(task)) = (&state.current, state.current_task()) else {
            return Ok(());
        };
        let Some(commit) = current.candidate.clone() else {
            return Err(world.bad_journal("a change was to be kept that was never made"));
        };
        let mut entry = entry(task, Some(current), TaskStatus::Applied, Vec::new());
        entry.commit = Some(commit.clone());
        world.write(RefactorEvent::CheckpointMade { task: task.id, commit: commit.clone() })?;
        end(state, world, &entry)?;
        // What the audit saw of the change is what the next task begins from.
        if let Some(known) = world.candidate.take().filter(|known| known.commit == commit) {
            world.known = Some(known);
        }
        keep_artifacts(state, world, &commit)
    }
}

/// In a larger repository the artifacts are brought up to date once, at the end.
const FEW_FILES: usize = 2_000;

/// What is known of the repository follows each change.
fn keep_artifacts(state: &State, world: &mut World, commit: &str) -> Result<(), RunError> {
    let files =
        world.known.as_ref().map(|known| known.indexed.view().map(|view| view.tree.files.len()));
    let is_small = files.and_then(Result::ok).is_some_and(|files| files <= FEW_FILES);
    if !state.started.orders.plans || !is_small {
        return Ok(());
    }
    let base = world.base.clone();
    world.stand_at(base.as_deref(), Some(commit));
    artifacts::refresh(world, &state.tasks, &state.ledger)
}

/// Ends a task that changes nothing.
pub(crate) struct Close;

impl Node<Refactor> for Close {
    const NAME: &'static str = "close";
    const DOES: &'static str = "enters why nothing changed";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let (Some(current), Some(task)) = (&state.current, state.current_task()) else {
            return Ok(());
        };
        let tip = world.tip()?;
        world.worktree()?.reset(&tip)?;
        world.candidate = None;
        let last = state.errors.last().filter(|error| error.task == task.id);
        let (status, reasons) = match (current.recovery, &current.nothing) {
            (Some(Recovery::Abort), _) => {
                (TaskStatus::Refused, last.map(|error| error.reasons.clone()).unwrap_or_default())
            }
            (Some(Recovery::Skip | Recovery::RetryNarrowed), _) => {
                (TaskStatus::Skipped, last.map(|error| error.reasons.clone()).unwrap_or_default())
            }
            (Some(Recovery::RollBackSubtree), _) => (
                TaskStatus::RolledBack,
                last.map(|error| error.reasons.clone()).unwrap_or_default(),
            ),
            (None, _) => (TaskStatus::Noop, Vec::new()),
        };
        let mut entry = entry(task, Some(current), status, reasons);
        if let (TaskStatus::Noop, Some(why)) = (status, current.nothing.clone())
            && !why.is_empty()
        {
            entry.notes.push(why);
        }
        if current.recovery.is_some() && last.is_some_and(|it| it.failure == Failure::Contract) {
            entry.notes.push("`--set allow_public_api_changes=true` lets it through".to_owned());
        }
        if status == TaskStatus::Refused && state.started.orders.plans {
            let reason = last.map(|error| abort_words(error.failure)).unwrap_or_default();
            world.write(RefactorEvent::Aborted { reason: format!("{}: {reason}", task.id) })?;
        }
        end(state, world, &entry)
    }
}

fn abort_words(failure: Failure) -> &'static str {
    match failure {
        Failure::Model => "the model gave no usable answer",
        Failure::Patch => "no acceptable patch was proposed",
        Failure::Blocked => "the model could not do the task",
        Failure::Critic => "the critic kept objecting",
        Failure::Audit | Failure::Cascade => "the audit found errors",
        Failure::Contract => "the public interface would change",
        Failure::Verify => "the checks kept failing",
        Failure::Collapse => "too many tests failed",
        Failure::Person => "you rejected it",
    }
}

/// What is entered of a task.
pub(crate) fn entry(
    task: &Task,
    current: Option<&Current>,
    status: TaskStatus,
    reasons: Vec<String>,
) -> LedgerEntry {
    let is_applied = status == TaskStatus::Applied;
    let empty = Current::new(task.id);
    let current = current.unwrap_or(&empty);
    LedgerEntry {
        task: task.id,
        goal: task.goal.clone(),
        status,
        commit: None,
        touched_files: if is_applied || !current.paths.is_empty() {
            current.paths.clone()
        } else {
            Vec::new()
        },
        added: current.added,
        removed: current.removed,
        rung: current.rung,
        verdict: current.verdict.unwrap_or(Verdict::NoVerifierRan),
        attempts: current.attempt,
        confidence: current.confidence.as_ref().map(|(score, _)| *score),
        reasons,
        notes: current.notes.clone(),
        at: clock::now(),
    }
}

/// Compares the checkout, then enters the outcome into journal and ledger.
fn end(state: &State, world: &mut World, entry: &LedgerEntry) -> Result<(), RunError> {
    compare(world, Depth::Quick)?;
    world.write(RefactorEvent::TaskEnded { entry: entry.clone() })?;
    Ok(world.worktree()?.extend_ledger(&state.ledger, entry)?)
}
