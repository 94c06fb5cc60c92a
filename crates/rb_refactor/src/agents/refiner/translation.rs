//! Asks a model which operations a directive means. What cannot be carried out is told to it once, with the reasons.

use rb_core::Proposer;
use rb_flow::{Desk, Query, Reply, fence};
use rb_plan::{Plan, Translated, translate, translation_brief};
use rb_schema::roles::translator::TranslatorResponse;

use crate::error::RunError;
use crate::planning::{PlanRequest, with_input};
use crate::questions::TRANSLATION_NEED;
use crate::world::World;

/// The plan that carries out the operations which the model chose, if it chose any that can be, and what is worth saying of it.
pub(super) fn translated(
    world: &mut World,
    desk: &Desk,
    request: &PlanRequest<'_>,
    first: &Plan,
) -> Result<(Option<Plan>, Vec<String>), RunError> {
    let brief = with_input(world, request, |input| Ok(translation_brief(input, first)))?;
    let Some(brief) = brief else { return Ok((None, Vec::new())) };
    let mut question = brief.clone();
    let mut reasons = Vec::new();
    for _ in 0..2 {
        let Some(answer) = asked(world, desk, question)? else { break };
        match with_input(world, request, |input| Ok(translate(input, first, &answer)?))? {
            Translated::Plan(plan) => return Ok((Some(*plan), Vec::new())),
            Translated::Nothing { rest } => return Ok((explained(first, &rest), Vec::new())),
            Translated::Refused(why) => reasons = why,
        }
        question = format!("{brief}{}", refusal(&reasons));
    }
    let notes = reasons.iter().map(|it| format!("operations that the model chose: {it}"));
    Ok((None, notes.collect()))
}

/// Tasks for a model with what the translator says of them.
fn explained(first: &Plan, rest: &str) -> Option<Plan> {
    let mut plan = first.clone();
    let by_model = plan.tasks.iter_mut().filter(|it| it.by == Proposer::Model);
    by_model.for_each(|it| it.notes.push(rest.to_owned()));
    (!rest.is_empty() && plan != *first).then_some(plan)
}

/// `None` where there is no answer that can be read.
fn asked(
    world: &mut World,
    desk: &Desk,
    question: String,
) -> Result<Option<TranslatorResponse>, RunError> {
    let folder = Some(world.change.worktree()?.dir().to_owned());
    let fence = fence::of_run(&world.change.run.dir)?;
    let query = Query { folder, need: Some(TRANSLATION_NEED), ..Query::new(question, fence) };
    match desk.ask::<TranslatorResponse, _>(&world.log, vec![query])?.pop() {
        Some(Reply::Answer(answer)) => Ok(Some(answer)),
        Some(Reply::Stopped(error)) => Err(error.into()),
        Some(Reply::Unusable(_)) | None => Ok(None),
    }
}

/// What the second answer has to do better.
fn refusal(reasons: &[String]) -> String {
    let list: Vec<String> = reasons.iter().map(|it| format!("- {it}\n")).collect();
    format!(
        "## Your answer was refused\nThe program could not carry out the operations:\n{}Answer again: correct them, choose \
         others, or none, with the whole request in \"rest\".\n",
        list.concat()
    )
}
