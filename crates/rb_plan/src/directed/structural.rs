//! A directive that asks for structural changes of Python, JavaScript or TypeScript code: one task that carries out a chain of operations.
//!
//! Only what is clear becomes operations. Names that could mean several things, or nothing, are listed with their candidates.

use std::collections::BTreeMap;

use rb_core::{Proposer, at_most};
use rb_operations::Operation;
use rb_operations::directive::{Unclear, understand};
use rb_recipes::operations::{WorldFiles, is_python};
use rb_recipes::{Arguments, Recipe};
use rb_rules::engine::OverIndex;

use super::{Work, mistaken, understood_of};
use crate::chains;
use crate::draft::draft;
use crate::input::PlanError;
use crate::make::Gathered;
use crate::plan::{Leftover, Matched, MatchedKind, Unserved};
use crate::reach::Reach;
use crate::relevant::{self, Otherwise};
use crate::repo_facts::RepoFacts;
use crate::survey;
use crate::understand::{Understood, renames};
use crate::unit::Source;

/// The recipe that carries out operations, and its only argument.
pub(crate) const OPERATIONS: &str = "operations";

/// Candidates and places that a reason names.
const CANDIDATES: usize = 8;

/// What a directive asks for, as far as operations are concerned.
pub(super) enum Structural {
    /// It asks for something else.
    Nothing,
    Clear(Request),
    Unclear(Vec<Unclear>),
    /// It has a condition that was not understood.
    Blocked(Vec<Unclear>),
    /// Python and a script declare the symbol that it names without a file.
    InTwoLanguages(String),
}

/// Operations to carry out, and the clauses beside them that none covers.
pub(crate) struct Request {
    pub(crate) operations: Vec<Operation>,
    pub(crate) not_understood: Vec<String>,
}

pub(super) fn read(
    repo: &RepoFacts<'_>,
    world: &OverIndex<'_>,
    directive: &str,
) -> Result<Structural, PlanError> {
    let files = WorldFiles::new(world);
    let Some(understood) = understand(&files, directive) else { return Ok(Structural::Nothing) };
    let mut in_scripts = understood.operations.iter().filter(|it| renames_in_script(it));
    if let Some(operation) = in_scripts.next() {
        // The recipe `rename` does it, which the words of the directive lead to as well.
        let no_alias = alias_in_script(operation).map(|it| Structural::Blocked(vec![it]));
        return Ok(no_alias.unwrap_or(Structural::Nothing));
    }
    if understood.is_blocked {
        return Ok(Structural::Blocked(understood.unclear));
    }
    if !understood.unclear.is_empty() {
        return Ok(Structural::Unclear(understood.unclear));
    }
    if understood.operations.is_empty() {
        return Ok(Structural::Nothing);
    }
    if let Some(name) = also_in_scripts(repo, world, directive)? {
        return Ok(Structural::InTwoLanguages(name));
    }
    let not_understood = understood.not_understood;
    Ok(Structural::Clear(Request { operations: understood.operations, not_understood }))
}

fn renames_in_script(operation: &Operation) -> bool {
    matches!(operation, Operation::Rename { symbol, .. } if !is_python(&symbol.path))
}

/// The recipe would rename without the alias that was asked for.
fn alias_in_script(operation: &Operation) -> Option<Unclear> {
    let Operation::Rename { symbol, alias: true, .. } = operation else { return None };
    let why = format!(
        "the old name can stay as an alias in Python alone, so nothing is changed; rename `{}` without one, and export the old name by hand",
        symbol.name
    );
    Some(Unclear { name: symbol.name.clone(), why, candidates: Vec::new() })
}

/// A symbol that the directive names without its file and that a script declares, too: then nobody knows which one is meant.
fn also_in_scripts(
    repo: &RepoFacts<'_>,
    world: &OverIndex<'_>,
    directive: &str,
) -> Result<Option<String>, PlanError> {
    let Some(recipe) = rb_recipes::recipes::find("rename") else { return Ok(None) };
    if world.all_facts().next().is_none() {
        return Ok(None);
    }
    for rename in renames(directive).into_iter().filter(|it| !it.symbol.contains('#')) {
        let arguments =
            [("symbol".to_owned(), rename.symbol.clone()), ("to".to_owned(), rename.to)];
        let found = chains::look(repo.input, world, (recipe, &arguments.into()), None)?;
        // Several of that name are there, too.
        let is_there = |trouble: String| trouble.contains("is declared more than once");
        if found.map_or_else(is_there, |_| true) {
            return Ok(Some(rename.symbol));
        }
    }
    Ok(None)
}

pub(super) fn in_two_languages(name: &str) -> Gathered {
    let why =
        format!("`{name}` is declared in Python and in JavaScript or TypeScript; name the file");
    Gathered { unserved: Some(mistaken(why)), ..Gathered::default() }
}

/// One task for all operations, or why they cannot be carried out.
pub(crate) fn gather(
    repo: &RepoFacts<'_>,
    world: &OverIndex<'_>,
    directive: &str,
    request: &Request,
) -> Result<Gathered, PlanError> {
    let recipe = rb_recipes::recipes::find(OPERATIONS).expect("it is one of the recipes");
    let mut understood = understood_of(repo, directive);
    understood.matched = vec![matched(recipe, &request.operations)];
    let arguments = arguments(&request.operations);
    let mut work = Work::new(repo);
    match chains::look(repo.input, world, (recipe, &arguments), None)? {
        Ok(mut found) => {
            chains::keep_to_budget(repo.input.limits, recipe.id, &mut found);
            work.gathered.leftovers = found.left;
            let source = Source::Recipe { recipe, arguments };
            work.gathered.add(draft(repo, world, &source, &found.units).into_iter().collect());
        }
        Err(trouble) => work.troubles.push(trouble),
    }
    if work.gathered.drafts.is_empty() && repo.input.has_model {
        work.gathered.untranslated = placed(&work.gathered.leftovers);
        work.gathered.untranslated.append(&mut work.troubles);
        return Ok(work.gathered);
    }
    if work.gathered.drafts.is_empty() {
        work.troubles.extend(reasons(&work.gathered.leftovers));
        work.for_want_of_tasks(world, directive, &understood)?;
    } else {
        rest(&mut work, &understood, &request.not_understood)?;
    }
    work.gathered.matched = understood.matched;
    Ok(work.gathered)
}

/// The chain as the recipe takes it.
fn arguments(operations: &[Operation]) -> Arguments {
    let json = serde_json::to_string(operations).expect("operations are plain data");
    Arguments::from([(OPERATIONS.to_owned(), json)])
}

/// How the directive was understood: the operations by their names, each once.
fn matched(recipe: &Recipe, operations: &[Operation]) -> Matched {
    let mut words: Vec<String> = Vec::new();
    for operation in operations {
        let value = serde_json::to_value(operation).unwrap_or_default();
        let name = value["operation"].as_str().unwrap_or_default().to_owned();
        if !words.contains(&name) {
            words.push(name);
        }
    }
    let (id, title) = (recipe.id.to_owned(), recipe.title.to_owned());
    Matched { id, kind: MatchedKind::Recipe, title, words }
}

/// Why nothing is made, each reason once.
fn reasons(left: &[Leftover]) -> Vec<String> {
    let mut reasons: Vec<String> = left.iter().map(|it| it.reason.clone()).collect();
    reasons.dedup();
    reasons
}

/// The same with what to do about it and the first places: "`count` is taken; choose another name (shop/cart.py:5)".
fn placed(left: &[Leftover]) -> Vec<String> {
    let mut by_reason: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for it in left {
        let places = by_reason.entry((&it.reason, &it.suggestion)).or_default();
        places.push(format!("{}:{}", it.path, it.line));
    }
    let written = by_reason.into_iter().map(|((reason, suggestion), places)| {
        let places = at_most(CANDIDATES, places.into_iter()).join(", ");
        format!("{reason}; {suggestion} ({places})")
    });
    written.collect()
}

/// Clauses that no operation covers: for a model where there is one, else the plan says that nothing does them.
fn rest(
    work: &mut Work<'_, '_>,
    understood: &Understood,
    clauses: &[String],
) -> Result<(), PlanError> {
    let mut undone = Vec::new();
    for clause in clauses {
        let tasks = if work.repo.input.has_model {
            let own = understood_of(work.repo, clause);
            let names_a_place = !own.places.is_empty();
            let reach = Reach::of(if names_a_place { &own } else { understood });
            relevant::tasks(work.repo, clause, &reach, Otherwise::Nothing)?
        } else {
            Vec::new()
        };
        if tasks.is_empty() {
            undone.push(format!("\"{clause}\" was not understood"));
        }
        let before = work.gathered.drafts.len();
        work.gathered.add(tasks);
        // The clause speaks of the code as the operations leave it.
        let first = work.gathered.drafts[0].task.id;
        work.gathered.drafts[before..].iter_mut().for_each(|it| it.task.depends_on.push(first));
    }
    if !undone.is_empty() {
        let settings = if work.repo.input.has_model { Vec::new() } else { survey::settings() };
        let (why, instead) = (undone.join("; "), Vec::new());
        let unserved = Unserved { why, instead, settings, is_mistaken: false };
        work.gathered.unserved = Some(unserved);
    }
    Ok(())
}

/// What is asked for on a condition that nobody understood is not done without it; a model may understand it.
pub(super) fn blocked(
    repo: &RepoFacts<'_>,
    directive: &str,
    unclear: &[Unclear],
) -> Result<Gathered, PlanError> {
    let why: Vec<String> = unclear.iter().map(|it| it.why.clone()).collect();
    let mut gathered = Gathered::default();
    let mut unserved = mistaken(why.join("; "));
    if repo.input.has_model {
        let reach = Reach::of(&understood_of(repo, directive));
        gathered.add(relevant::tasks(repo, directive, &reach, Otherwise::Nothing)?);
        gathered.untranslated = why;
    } else {
        unserved.settings = survey::settings();
    }
    if gathered.drafts.is_empty() {
        gathered.unserved = Some(unserved);
    }
    Ok(gathered)
}

/// Says which names have to be clearer, where nothing else serves the directive; a model may find out by itself.
pub(super) fn explain(gathered: &mut Gathered, unclear: &[Unclear]) {
    let reasons: Vec<&str> = unclear.iter().map(|it| it.why.as_str()).collect();
    let why = reasons.join("; ");
    let candidates: Vec<_> = unclear.iter().flat_map(|it| &it.candidates).collect();
    let places = candidates.iter().map(|it| format!("`{}` ({}:{})", it.what, it.path, it.line));
    let places = at_most(CANDIDATES, places).join(", ");
    let there = if places.is_empty() { String::new() } else { format!("; there are {places}") };
    if !gathered.drafts.is_empty() {
        if gathered.drafts.iter().all(|it| it.task.by == Proposer::Model) {
            gathered.untranslated = vec![format!("{why}{there}")];
            gathered.notes.push(why);
        }
        return;
    }
    for it in unclear {
        gathered.leftovers.extend(it.candidates.iter().map(|place| Leftover {
            path: place.path.clone(),
            line: place.line,
            found_by: OPERATIONS.to_owned(),
            what: place.what.clone(),
            reason: it.why.clone(),
            suggestion: format!("say which `{}` you mean, with its file", it.name),
        }));
    }
    gathered.unserved = Some(mistaken(format!("{why}{there}")));
}
