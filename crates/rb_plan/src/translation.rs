//! A directive that the program did not understand, put into operations by a model.
//!
//! The model sees names and signatures, and answers with operations. Nothing of the answer is believed: names are resolved, every
//! reference is found, and what cannot be complete is refused with the reason, which a second answer may heed.

mod symbols;

use rb_core::{Proposer, Task};
use rb_operations::Operation;
use rb_schema::roles::translator::{ProposedOperation, TranslatorResponse};
use serde_json::{Value, json};

use crate::batch_terms::line;
use crate::brief::{cut, list, name, part};
use crate::directed::structural::{self, OPERATIONS, Request};
use crate::input::{PlanError, PlanInput};
use crate::make::{assembled, with_world};
use crate::plan::Plan;
use crate::repo_facts::RepoFacts;

/// More operations than these are no small step.
const MOST: usize = 20;
/// Characters of the parts of the question.
const DIRECTIVE: usize = 4_000;
const REASONS: usize = 2_000;
const UNDERSTOOD: usize = 4_000;
const SYMBOLS: usize = 8_000;
/// Of the rest of a directive, and of a reason.
const LONGEST: usize = 1_000;

/// What came of a model's translation.
#[derive(Debug, Clone)]
pub enum Translated {
    /// The operations as a task whose change is ready, and tasks for the rest.
    Plan(Box<Plan>),
    /// No other operation serves the directive, says the model, and what is to be done instead.
    Nothing { rest: String },
    /// None was carried out, for these reasons.
    Refused(Vec<String>),
}

/// What a model is told of the directive: our own words, paths and names of symbols. `None` where nothing structural is asked for.
pub fn translation_brief(input: &PlanInput<'_>, plan: &Plan) -> Option<String> {
    let understood = understood(plan);
    let is_structural = !plan.untranslated.is_empty() || !understood.is_empty();
    let directive = input.directive.filter(|_| is_structural)?;
    let mut out = String::new();
    part(&mut out, "What is wanted", &cut(directive.trim(), DIRECTIVE));
    let reasons: Vec<String> =
        plan.untranslated.iter().map(|it| format!("- {}\n", name(it))).collect();
    part(&mut out, "What the program did not understand", &list(&reasons, REASONS).0);
    let lines: Vec<String> = understood.iter().map(written).collect();
    part(&mut out, "What the program made of it", &list(&lines, UNDERSTOOD).0);
    let notes = plan.tasks.iter().filter(|it| is_by_operations(it)).flat_map(|it| &it.notes);
    let notes: Vec<String> = notes.map(|it| format!("- {}\n", name(it))).collect();
    part(&mut out, "What comes of that", &list(&notes, REASONS).0);
    let symbols = symbols::listed(input, plan, directive);
    part(&mut out, "Symbols", &list(&symbols, SYMBOLS).0);
    Some(out)
}

/// An operation as JSON, without what is as it is anyway.
fn written(operation: &Operation) -> String {
    let mut value = serde_json::to_value(operation).expect("operations are plain data");
    if let Value::Object(fields) = &mut value {
        let usual = [json!(null), json!(false), json!([])];
        fields.retain(|_, it| !usual.contains(it));
    }
    format!("{value}\n")
}

/// Whether the program carries out operations for a task.
fn is_by_operations(task: &Task) -> bool {
    matches!(&task.by, Proposer::Recipe { id, .. } if id == OPERATIONS)
}

/// The operations that the program made of the directive by itself.
fn understood(plan: &Plan) -> Vec<Operation> {
    let of_task = |task: &Task| match &task.by {
        Proposer::Recipe { arguments, .. } if is_by_operations(task) => {
            serde_json::from_str(arguments.get(OPERATIONS)?).ok()
        }
        Proposer::Recipe { .. } | Proposer::Rule { .. } | Proposer::Given | Proposer::Model => None,
    };
    let lists: Vec<Vec<Operation>> = plan.tasks.iter().filter_map(of_task).collect();
    lists.concat()
}

/// A plan that carries out the operations of an answer, or of the plan where the answer adds none.
pub fn translate(
    input: &PlanInput<'_>,
    plan: &Plan,
    answer: &TranslatorResponse,
) -> Result<Translated, PlanError> {
    let rest = line(&answer.rest, LONGEST);
    let operations = match read(&answer.operations) {
        Ok(operations) if operations.is_empty() => understood(plan),
        Ok(operations) => operations,
        Err(reason) => return Ok(Translated::Refused(vec![reason])),
    };
    let is_same = operations == understood(plan) && rest.is_empty();
    let Some(directive) = input.directive.filter(|_| !operations.is_empty() && !is_same) else {
        return Ok(Translated::Nothing { rest });
    };
    let not_understood = if rest.is_empty() { Vec::new() } else { vec![rest] };
    let request = Request { operations, not_understood };
    let repo = RepoFacts::new(input);
    with_world(input, |world| {
        let gathered = structural::gather(&repo, world, directive, &request)?;
        if gathered.drafts.is_empty() {
            let reasons = gathered.untranslated.iter().map(|it| line(it, LONGEST)).collect();
            return Ok(Translated::Refused(reasons));
        }
        Ok(Translated::Plan(Box::new(assembled(input, gathered, Vec::new()))))
    })
}

fn read(proposed: &[ProposedOperation]) -> Result<Vec<Operation>, String> {
    if proposed.len() > MOST {
        return Err(format!("{} operations, more than {MOST}", proposed.len()));
    }
    let one = |(at, it): (usize, &ProposedOperation)| {
        let value = serde_json::to_value(it).expect("an answer is plain data");
        let operation = serde_json::from_value(value);
        operation.map_err(|error| line(&format!("operation {}: {error}", at + 1), LONGEST))
    };
    proposed.iter().enumerate().map(one).collect()
}
