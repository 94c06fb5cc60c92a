//! The end of a run: the outcome entered, and the report completed.

use rb_change::{Decision, summary};
use rb_core::RunId;
use rb_flow::RunDir;
use rb_flow::graph::Node;

use crate::error::RunError;
use crate::event::{Mode, Outcome, RunEvent};
use crate::report;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

/// Enters how it ended.
pub(crate) struct Finish;

impl Node<Refactor> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "records the outcome";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        if state.course.outcome.is_some() {
            return Ok(());
        }
        let outcome = outcome(state);
        world.write(RunEvent::RunEnded { outcome })?;
        if let Err(error) = end_report(state, world, outcome) {
            // The run has ended all the same. Where not even this can be written, its report is the one of before.
            let text = format!("the report could not be updated: {error}");
            let _ = world.write(RunEvent::Noted { text });
        }
        Ok(())
    }
}

/// A run goes on after its report: what was decided belongs to it.
fn end_report(state: &State, world: &World, outcome: Outcome) -> Result<(), RunError> {
    match &state.started.workflow {
        Mode::Rollback { of, .. } => end_rolled_back(world, of, Outcome::RolledBack),
        Mode::Refactor | Mode::Plan | Mode::Verify => rewrite(state, world, outcome),
    }
}

/// A rollback belongs to the report of the run that it takes back. Taking back a rollback brings the change of that run back.
fn end_rolled_back(world: &World, of: &RunId, outcome: Outcome) -> Result<(), RunError> {
    let host = &world.change.host;
    if !host.home.run(of).is_dir() {
        return Ok(());
    }
    let earlier = summary::<Refactor>(host, of)?;
    match (&earlier.started.workflow, outcome) {
        (Mode::Rollback { of, .. }, Outcome::RolledBack) => {
            end_rolled_back(world, of, Outcome::Accepted)
        }
        (Mode::Rollback { of, .. }, _) => end_rolled_back(world, of, Outcome::RolledBack),
        // One whose landing was cut off waits for a decision again.
        (Mode::Refactor, _) if earlier.course.outcome == Some(Outcome::Accepted) => {
            rewrite(&earlier, world, outcome)
        }
        (Mode::Refactor | Mode::Plan | Mode::Verify, _) => Ok(()),
    }
}

fn rewrite(state: &State, world: &World, outcome: Outcome) -> Result<(), RunError> {
    let Some(report) = &state.report else { return Ok(()) };
    let run = &state.started.run;
    report::rewrite(&RunDir::new(&world.change.host.home, run), report, outcome)?;
    match &state.started.orders.output {
        // The report of a newer run stays.
        Some(output) if report::holds_report(output, run) => {
            Ok(report::copy(report, output, &state.started.repo, run)?)
        }
        Some(_) | None => Ok(()),
    }
}

fn outcome(state: &State) -> Outcome {
    match (&state.started.workflow, state.change.decision) {
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
        (Mode::Refactor, None) if state.change.has_changes() => Outcome::DryRun,
        (Mode::Refactor, None) => Outcome::Noop,
    }
}
