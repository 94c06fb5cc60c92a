//! The end of a run: the checkout compared, the worktree gone, the outcome entered.

use rb_flow::graph::Node;
use rb_flow::journal;
use rb_workspace::fingerprint::{Depth, Fingerprint};
use rb_workspace::worktree::{Worktree, remove_leftovers};

use crate::error::RunError;
use crate::event::{Decision, Mode, Outcome, RefactorEvent, RunEvent};
use crate::report;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

/// Looks whether the checkout is, byte for byte, what it was.
pub(crate) struct Compare;

impl Node<Refactor> for Compare {
    const NAME: &'static str = "compare";
    const DOES: &'static str = "looks whether your checkout is what it was";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(_: &State, world: &mut World) -> Result<(), RunError> {
        compare(world, Depth::Full)
    }
}

/// Stops the run when the user's checkout is not what it was when this process began.
pub(super) fn compare(world: &mut World, depth: Depth) -> Result<(), RunError> {
    if world.watched.is_none() {
        world.watched = Some(Fingerprint::take(&world.repo, Depth::Full)?);
    }
    let watched = world.watched.as_ref().expect("it was taken just now");
    let differences = watched.differences(&world.repo, depth)?;
    let full = depth == Depth::Full;
    world.write(RefactorEvent::CheckoutCompared { full, differences: differences.clone() })?;
    if differences.is_empty() { Ok(()) } else { Err(RunError::CheckoutChanged(differences)) }
}

/// Removes the worktree, and the branch unless it was to stay.
pub(crate) struct Clean;

impl Node<Refactor> for Clean {
    const NAME: &'static str = "clean";
    const DOES: &'static str = "removes the worktree";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        clean(state, world)
    }
}

pub(crate) fn clean(state: &State, world: &mut World) -> Result<(), RunError> {
    if state.decision == Some(Decision::KeepBranch) {
        world.worktree()?;
        world.worktree.take().map_or(Ok(()), Worktree::keep_branch)?;
    } else if let Some(worktree) = world.worktree.take() {
        worktree.discard()?;
    } else {
        remove_leftovers(&world.repo, &world.context.home, &world.run.id)?;
    }
    world.write(RefactorEvent::Cleaned)
}

/// Enters how it ended.
pub(crate) struct Finish;

impl Node<Refactor> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "enters how it ended";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        if state.course.outcome.is_some() {
            return Ok(());
        }
        let outcome = outcome(state);
        world.write(RunEvent::RunEnded { outcome })?;
        end_report(state, world, outcome)
    }
}

/// A run goes on after its report: what was decided belongs to it.
fn end_report(state: &State, world: &World, outcome: Outcome) -> Result<(), RunError> {
    let Some(report) = &state.report else { return Ok(()) };
    let records = journal::read(&world.run.dir)?.records;
    report::end(report, &world.run.id, &records, outcome)?;
    match &world.started.orders.output {
        // The report of a newer run stays.
        Some(output) if report::holds_report(output, &world.run.id) => {
            Ok(report::copy(report, output, &world.repo.root, &world.run.id)?)
        }
        Some(_) | None => Ok(()),
    }
}

fn outcome(state: &State) -> Outcome {
    match (&state.started.workflow, state.decision) {
        (Mode::Plan, _) => Outcome::Planned,
        (Mode::Verify, _) => Outcome::Verified,
        (Mode::Rollback { .. }, _) => Outcome::RolledBack,
        (Mode::Refactor, Some(Decision::Accept)) => Outcome::Accepted,
        (Mode::Refactor, Some(Decision::KeepBranch)) => Outcome::BranchKept,
        (Mode::Refactor, Some(Decision::Reject)) => {
            let is_declined = state.started.orders.confirm && !state.confirmed;
            if is_declined { Outcome::Declined } else { Outcome::Rejected }
        }
        (Mode::Refactor, None) if state.baseline_stops() => Outcome::BaselineFailed,
        (Mode::Refactor, None) if state.has_changes() => Outcome::DryRun,
        (Mode::Refactor, None) => Outcome::Noop,
    }
}
