//! The end of a run: the outcome entered, and the report completed.

use rb_change::Decision;
use rb_flow::graph::Node;
use rb_flow::journal;

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
        end_report(state, world, outcome)
    }
}

/// A run goes on after its report: what was decided belongs to it.
fn end_report(state: &State, world: &World, outcome: Outcome) -> Result<(), RunError> {
    let Some(report) = &state.report else { return Ok(()) };
    let records = journal::read(&world.change.run.dir)?.records;
    report::end(report, &world.change.run.id, &records, outcome)?;
    match &state.started.orders.output {
        // The report of a newer run stays.
        Some(output) if report::holds_report(output, &world.change.run.id) => {
            Ok(report::copy(report, output, &world.change.repo.root, &world.change.run.id)?)
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
