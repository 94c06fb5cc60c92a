//! `Operation::RenameParameter`: a parameter of a function or method gets another name, and keyword arguments follow.
//!
//! Whoever calls a function by keyword names its parameters. Where such a caller cannot be seen (a decorator or a framework that passes arguments
//! by name), the rename is refused with the place.

mod callers;
mod docstring;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rb_python::{Ranged, Source, VariableId};

use crate::operation::{Operation, SymbolPath};
use crate::operations::calls::place;
use crate::operations::capture::captures;
use crate::operations::edits::FileEdits;
use crate::operations::functions::functions;
use crate::operations::line_fit::fitted;
use crate::operations::new_name::{check_identifier, is_public};
use crate::outcome::{ApiChange, Outcome, Place, Refusal};
use crate::project::Project;
use crate::references::Found;

/// What was asked for.
struct Request<'o> {
    function: &'o SymbolPath,
    old: &'o str,
    to: &'o str,
}

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::RenameParameter { function, parameter, to } = operation else {
        unreachable!("`step` sends renames of parameters here")
    };
    let request = Request { function, old: parameter, to };
    check_identifier(to)?;
    if to == parameter {
        let reason = format!("the parameter is called `{to}` already");
        return Err(Refusal::new(reason, "choose another name"));
    }
    check_function(project, &request)?;
    let found = project.parameter_references(function, parameter);
    refuse_doubts(project, &request, &found)?;
    let notes = callers::check(project, &request, &found)?;
    let edits = edits(project, &request, &found)?;
    let mut outcome = outcome(project, &request, &found, edits)?;
    outcome.notes.extend(notes);
    Ok(outcome)
}

/// The function is there and has the parameter.
fn check_function(project: &Project<'_>, request: &Request<'_>) -> Result<(), Refusal> {
    let mut parameters = None;
    project.with_functions(request.function, |_, function| {
        let names = function.parameters.iter().map(|parameter| parameter.name().to_string());
        let known: &mut Vec<String> = parameters.get_or_insert_default();
        known.extend(names);
    });
    let Some(parameters) = parameters else {
        let reason = format!("there is no function `{}`", request.function);
        return Err(Refusal::new(reason, "check the name, or name the file that declares it"));
    };
    if parameters.iter().any(|parameter| parameter == request.old) {
        return Ok(());
    }
    let known: Vec<String> = parameters.iter().map(|name| format!("`{name}`")).collect();
    let reason = format!("`{}` has no parameter `{}`", request.function.name, request.old);
    Err(Refusal::new(reason, format!("its parameters are {}", known.join(", "))))
}

fn refuse_doubts(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    if found.doubts.is_empty() {
        return Ok(());
    }
    let places = found.doubts.iter().map(|doubt| {
        let line = project.source(&doubt.path).map_or(1, |source| source.line(doubt.range.start()));
        Place { path: doubt.path.clone(), line, what: doubt.why.clone() }
    });
    let places: BTreeSet<Place> = places.collect();
    let count = rb_core::plural(places.len(), "place");
    Err(Refusal {
        reason: format!("{count} may pass `{}` to `{}`", request.old, request.function.name),
        places: places.into_iter().collect(),
        suggestion: "annotate the receivers with their types, or rename by hand".to_owned(),
    })
}

fn edits(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<FileEdits, Refusal> {
    let mut edits = FileEdits::default();
    let mut renamed: BTreeMap<&str, BTreeSet<VariableId>> = BTreeMap::new();
    for reference in &found.references {
        edits.replace(&reference.path, reference.range, request.to);
        let Some(source) = project.source(&reference.path) else { continue };
        let variables = renamed.entry(&reference.path).or_default();
        let name = source.scopes().name_at(reference.range);
        variables.extend(name.and_then(|name| name.variable));
    }
    let mut places = Vec::new();
    for (path, variables) in renamed {
        let Some(before) = project.source(path) else { continue };
        let Some(text) = edits.text(project.files, path)? else { continue };
        match Source::parse(path, text) {
            Ok(after) => places.extend(captures(&before, &after, &variables, request.to)),
            Err(error) => {
                let what = error.message;
                places.push(Place { path: path.to_owned(), line: error.line, what });
            }
        }
    }
    if places.is_empty() {
        return Ok(edits);
    }
    let reason = format!("`{}` is taken in `{}`", request.to, request.function.name);
    Err(Refusal { places, ..Refusal::new(reason, "choose another name") })
}

fn outcome(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    mut edits: FileEdits,
) -> Result<Outcome, Refusal> {
    let mut outcome = Outcome::default();
    for reference in &found.references {
        let Some(source) = project.source(&reference.path) else { continue };
        let all = functions(&source);
        let Some(function) = callers::declared_at(&all, reference.range) else { continue };
        let documented = docstring::follow(&source, function.node, request.old, request.to);
        edits.merge(documented.edits);
        outcome.mentions.extend(documented.mentions);
        let what = format!("`{}` has the parameter `{}`", function.node.name, request.to);
        outcome.sites.push(place(&source, function.node.name.range(), what));
    }
    outcome.files = fitted(project.files, edits.apply(project.files)?);
    let files = rb_core::plural(outcome.files.len(), "file");
    let name = &request.function.name;
    outcome.title =
        format!("parameter `{}` of `{name}` renamed to `{}` in {files}", request.old, request.to);
    outcome.api = api(project, request);
    if !outcome.api.is_empty() {
        outcome.notes.push(format!(
            "`{name}` is public: callers outside of this project that pass `{}=` have to follow",
            request.old
        ));
    }
    outcome.mentions.sort();
    outcome.mentions.dedup();
    Ok(outcome)
}

/// The function, and the methods that override it or that it overrides.
fn api(project: &Project<'_>, request: &Request<'_>) -> Vec<ApiChange> {
    let function = request.function;
    let family = function.class().map(|class| project.family(&class, function.last()).definers);
    let overrides = family.into_iter().flatten().map(|class| SymbolPath {
        name: format!("{}.{}", class.name, function.last()),
        path: class.path,
    });
    let mut all = vec![function.clone()];
    all.extend(overrides.filter(|one| one != function));
    let is_api = |one: &SymbolPath| is_public(&one.name) && !Project::is_test(&one.path);
    all.retain(is_api);
    let change = |one: SymbolPath| ApiChange {
        before: format!("{}({})", one.name, request.old),
        after: format!("{}({})", one.name, request.to),
        path: one.path,
    };
    all.into_iter().map(change).collect()
}
