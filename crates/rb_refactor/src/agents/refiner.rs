//! The refiner: a model reads the program's plan and may split, order, drop and word its tasks. What goes past what the program found is
//! not taken, and why is noted.
//!
//! A directive that asks for a structural change and was not understood is first put into operations (`translation`).
//!
//! A process that did not make the plan makes it anew, so that the model can be asked at any later time.

mod translation;

use rb_core::{Proposer, Task, Verdict};
use rb_flow::event::noted;
use rb_flow::graph::{Node, Update, View};
use rb_flow::{Desk, Query, Reply, fence};
use rb_plan::Plan;
use rb_schema::roles::planner::PlannerResponse;
use rb_trust::{Fence, FenceError, Label, Source};

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
        let refined = refine(world, &desk, &reads);
        world.change.host.progress.end();
        refined
    }
}

fn refine(world: &mut World, desk: &Desk, reads: &Reads<'_>) -> Result<Refined, RunError> {
    let made = world.plan.take();
    let first = with_input(world, &reads.request, |input| {
        Ok(made.map_or_else(|| rb_plan::plan(input), Ok)?)
    })?;
    if first.is_mistaken() {
        return Ok(Refined::Same { notes: Vec::new() });
    }
    let (translated, mut notes) = translation::translated(world, desk, &reads.request, &first)?;
    let own = translated.unwrap_or_else(|| first.clone());
    let mut plan = own.clone();
    // What operations do needs no refinement.
    if !is_by_operations(&own) {
        let (brief, lines) = with_input(world, &reads.request, |input| {
            Ok((rb_plan::brief(input, &own), rb_plan::excerpts(input, &own)))
        })?;
        let brief = format!("{brief}## Safety net\n{}\n", safety_net(reads.baseline));
        let question = Question { brief, lines };
        let (refined, said) = refined(world, desk, &reads.request, &own, &question)?;
        notes.extend(said);
        plan = refined.unwrap_or(own);
    }
    if plan == first {
        return Ok(Refined::Same { notes });
    }
    // What the program noted of its own plan was said before.
    notes.extend(plan.notes.iter().filter(|it| !first.notes.contains(it)).cloned());
    let made = planned(world, reads.first, plan, notes, reads.tip)?;
    Ok(Refined::Another(Box::new(made)))
}

fn is_by_operations(plan: &Plan) -> bool {
    let is_operations =
        |it: &Task| matches!(&it.by, Proposer::Recipe { id, .. } if id == "operations");
    !plan.tasks.is_empty() && plan.tasks.iter().all(is_operations)
}

/// The plan as a model would have it, as far as it keeps to what the program found; `None` where it gave none.
fn refined(
    world: &mut World,
    desk: &Desk,
    request: &PlanRequest<'_>,
    own: &Plan,
    question: &Question,
) -> Result<(Option<Plan>, Vec<String>), RunError> {
    let mut best: Option<rb_plan::Refined> = None;
    for attempt in 1..=TRIES {
        let refused = best.as_ref().map(|it| not_taken(&it.refused)).unwrap_or_default();
        let response = match ask(world, desk, own, |fence| question.text(&refused, fence), attempt)?
        {
            Some(Reply::Answer(response)) => response,
            Some(Reply::Unusable(why)) if best.is_none() => {
                let words = format!(
                    "the plan was not refined, because the model gave no usable answer: {why}"
                );
                return Ok((None, vec![words]));
            }
            Some(Reply::Stopped(error)) => return Err(error.into()),
            Some(Reply::Unusable(_)) | None => break,
        };
        let refined =
            with_input(world, request, |input| Ok(rb_plan::refine(input, own, &response)))?;
        if best.as_ref().is_none_or(|best| refined.refused.len() < best.refused.len()) {
            best = Some(refined);
        }
        if best.as_ref().is_some_and(|best| best.refused.is_empty()) {
            break;
        }
    }
    let Some(rb_plan::Refined { plan, refused }) = best else { return Ok((None, Vec::new())) };
    let notes = refused.iter().map(|words| format!("not taken from the model's plan: {words}"));
    Ok((Some(plan), notes.collect()))
}

/// What a planner is asked: our own words, and lines of the repository.
struct Question {
    brief: String,
    lines: String,
}

impl Question {
    /// The lines stand between the marks of the fence.
    fn text(&self, refused: &str, fence: &Fence) -> Result<String, FenceError> {
        let Question { brief, lines } = self;
        if lines.is_empty() {
            return Ok(format!("{brief}{refused}"));
        }
        let label = Label { source: Source::File, name: "lines".to_owned() };
        let lines = fence.around(&label, lines)?;
        Ok(format!("{brief}\n## Lines with a name of the request\n{lines}{refused}"))
    }
}

/// A model that hears what of its plan is not taken can mend it, once.
const TRIES: u32 = 2;

fn not_taken(refused: &[String]) -> String {
    let refused = refused.join("\n- ");
    format!(
        "\n## Your last list\nNot taken of it:\n- {refused}\nGive the whole list again, mended.\n"
    )
}

fn ask(
    world: &mut World,
    desk: &Desk,
    own: &Plan,
    question: impl Fn(&Fence) -> Result<String, FenceError>,
    attempt: u32,
) -> Result<Option<Reply<PlannerResponse>>, RunError> {
    let folder = Some(world.change.worktree()?.dir().to_owned());
    let (text, fence) = fence::enclosed::<RunError>(&world.change.run.dir, question)?;
    let need = Some(plan_need(own.tasks.len()));
    let query = Query { folder, need, attempt, ..Query::new(text, fence) };
    Ok(desk.ask::<PlannerResponse, _>(&world.log, vec![query])?.pop())
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
