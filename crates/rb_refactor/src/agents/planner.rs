//! The planner: from the directive, or the whole repository, to ordered tasks. No model is asked here; one may refine the plan later
//! (`refiner`).

use rb_core::Task;
use rb_flow::graph::{Node, View};

use crate::error::RunError;
use crate::planning::{PlanRequest, Planned, planned, with_input};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Planner;

pub(crate) struct Reads<'s> {
    request: PlanRequest<'s>,
    /// Tasks that were brought: they come before those that are planned.
    first: &'s [Task],
    tip: &'s str,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        Reads {
            request: PlanRequest::of(state),
            first: &state.started.tasks,
            tip: state.change.tip().unwrap_or_default(),
        }
    }
}

impl Node<Refactor> for Planner {
    const NAME: &'static str = "plan";
    const DOES: &'static str = "turns the directive or the findings into small ordered tasks";
    type Reads<'s> = Reads<'s>;
    type Writes = Planned;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Planned, RunError> {
        world.change.host.progress.begin("planning", 0);
        let plan = with_input(world, &reads.request, |input| Ok(rb_plan::plan(input)?));
        world.change.host.progress.end();
        let plan = plan?;
        world.plan = Some(plan.clone());
        let notes = plan.notes.clone();
        planned(world, reads.first, plan, notes, reads.tip)
    }
}
