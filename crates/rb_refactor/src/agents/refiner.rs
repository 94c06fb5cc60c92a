//! The refiner: a model reads the program's plan and may split, order, drop and word its tasks. What goes past what the program found is
//! not taken, and why is noted.
//!
//! A process that did not make the plan makes it anew, so that the model can be asked at any later time.

use rb_core::{Task, Verdict};
use rb_flow::event::noted;
use rb_flow::graph::{Node, Update, View};
use rb_flow::{Desk, Query, Reply, fence};
use rb_plan::Plan;
use rb_schema::roles::planner::PlannerResponse;

use crate::error::RunError;
use crate::event::Event;
use crate::planning::{PlanRequest, Planned, planned, with_input};
use crate::questions::plan_need;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Refiner;

pub(crate) struct Reads<'s> {
    request: PlanRequest<'s>,
    /// Tasks that were brought: they come before those that are planned.
    first: &'s [Task],
    tip: &'s str,
    baseline: Option<Verdict>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        Reads {
            request: PlanRequest::of(state),
            first: &state.started.tasks,
            tip: state.change.tip().unwrap_or_default(),
            baseline: state.change.baseline,
        }
    }
}

/// The plan in the place of the program's, where it became another.
pub(crate) enum Refined {
    Another(Box<Planned>),
    Same { notes: Vec<String> },
}

impl Update<Refactor> for Refined {
    fn events(self) -> Vec<Event> {
        match self {
            Refined::Another(planned) => planned.events(),
            Refined::Same { notes } => noted(notes).collect(),
        }
    }
}

impl Node<Refactor> for Refiner {
    const NAME: &'static str = "refine";
    const DOES: &'static str = "asks a model to refine the plan, within the findings";
    type Reads<'s> = Reads<'s>;
    type Writes = Refined;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Refined, RunError> {
        let Some(desk) = world.models.clone() else {
            return Ok(Refined::Same { notes: Vec::new() });
        };
        world.change.host.progress.begin("refining the plan", 0);
        let made = world.plan.take();
        let (own, brief) = with_input(world, &reads.request, |input| {
            let plan = made.map_or_else(|| rb_plan::plan(input), Ok)?;
            let brief = rb_plan::brief(input, &plan);
            Ok((plan, format!("{brief}## Safety net\n{}\n", safety_net(reads.baseline))))
        })?;
        if own.is_mistaken() {
            world.change.host.progress.end();
            return Ok(Refined::Same { notes: Vec::new() });
        }
        let refined = refined(world, &desk, &reads.request, &own, brief);
        world.change.host.progress.end();
        let (plan, notes) = refined?;
        match plan {
            Some(plan) if plan != own => {
                let mut notes = notes;
                // What the program noted of its own plan was said before.
                notes.extend(plan.notes.iter().filter(|it| !own.notes.contains(it)).cloned());
                let made = planned(world, reads.first, plan, notes, reads.tip)?;
                Ok(Refined::Another(Box::new(made)))
            }
            Some(_) | None => Ok(Refined::Same { notes }),
        }
    }
}

/// The plan as a model would have it, as far as it keeps to what the program found; `None` where it gave none.
fn refined(
    world: &mut World,
    desk: &Desk,
    request: &PlanRequest<'_>,
    own: &Plan,
    brief: String,
) -> Result<(Option<Plan>, Vec<String>), RunError> {
    let folder = Some(world.change.worktree()?.dir().to_owned());
    let fence = fence::of_run(&world.change.run.dir)?;
    let need = Some(plan_need(own.tasks.len()));
    let query = Query { folder, need, ..Query::new(brief, fence) };
    let none = |words: String| {
        Ok((
            None,
            vec![format!(
                "the plan was not refined, because the model gave no usable answer: {words}"
            )],
        ))
    };
    let response = match desk.ask::<PlannerResponse, _>(&world.log, vec![query])?.pop() {
        Some(Reply::Answer(response)) => response,
        Some(Reply::Unusable(why)) => return none(why),
        Some(Reply::Stopped(error)) => return Err(error.into()),
        None => return Ok((None, Vec::new())),
    };
    let refined = with_input(world, request, |input| Ok(rb_plan::refine(input, own, &response)))?;
    let refused = refined.refused.into_iter();
    let notes = refused.map(|words| format!("not taken from the model's plan: {words}"));
    Ok((Some(refined.plan), notes.collect()))
}

/// What stands between a wrong batch and the person, in words.
fn safety_net(baseline: Option<Verdict>) -> &'static str {
    match baseline {
        Some(Verdict::Pass) => "All checks of the repository pass before any change.",
        Some(Verdict::Fail) => {
            "Some checks of the repository fail before any change; what is worse after a batch counts."
        }
        Some(Verdict::NoVerifierRan) | None => {
            "No check could be run: what a batch breaks is found by reading alone."
        }
    }
}
