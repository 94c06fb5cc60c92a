//! A parameter that the function does not use goes, and with it the arguments that calls pass for it.

use rb_core::plural;
use rb_python::ast::Arguments;
use rb_python::{Ranged, Source};

use super::arguments::{BoundArgument, bind, has_effects};
use super::calls::{Callable, Use, is_bound, place, refusal};
use super::certainty::{check_owner, check_uses, each_definition, note_replacements};
use super::docstring_fields;
use super::edits::FileEdits;
use super::functions::{Function, Parameter, ParameterKind, functions_named};
use super::item_list::ItemList;
use super::line_fit::fitted;
use super::new_name::is_public;
use super::signature::{is_receiver, shown};
use super::text_style::one_line;
use crate::operation::Operation;
use crate::outcome::{ApiChange, Outcome, Refusal};
use crate::project::Project;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::RemoveParameter { function, name } = operation else {
        return Err(Refusal::new("this is not a removed parameter", "ask for another operation"));
    };
    let callable = Callable::new(project, function)?;
    check_owner(project, &callable)?;
    check_uses(project, &callable)?;
    let mut outcome = Outcome::default();
    let mut edits = FileEdits::default();
    each_definition(project, &callable, |source, function, definition| {
        check_unused(source, function, name)?;
        remove_from_signature(source, function, name, &mut edits);
        outcome.sites.push(place(source, function.node.name.range(), format!("without `{name}`")));
        if definition.is_own && outcome.api.is_empty() && is_public(&callable.symbol.name) {
            outcome.api.push(api_change(source, function, name));
        }
        Ok(())
    })?;
    let calls = remove_arguments(project, &callable, name, &mut edits)?;
    note_replacements(project, &callable, &mut outcome);
    outcome.title = format!(
        "parameter `{name}` removed from `{}`, and from {}",
        callable.symbol.name,
        plural(calls, "call")
    );
    outcome.files = fitted(project.files, edits.apply(project.files)?);
    Ok(outcome)
}

fn check_unused(source: &Source, function: &Function<'_>, name: &str) -> Result<(), Refusal> {
    let owner = function.path.as_deref().unwrap_or(function.node.name.as_str());
    let Some(parameter) = function.parameter(name) else {
        let places = vec![place(source, function.node.name.range(), "declared here")];
        let reason = format!("`{owner}` has no parameter `{name}`");
        return Err(refusal(reason, places, "name one of its parameters"));
    };
    if is_receiver(function, name)
        || matches!(parameter.kind, ParameterKind::Variadic | ParameterKind::Keywords)
    {
        let reason = format!("`{name}` takes what no call names, so its arguments cannot be found");
        let places = vec![place(source, parameter.range, "declared here")];
        return Err(refusal(reason, places, "remove it by hand"));
    }
    let mut places: Vec<_> = parameter_uses(source, &parameter)
        .map(|range| place(source, range, format!("`{name}` is used here")))
        .collect();
    let locals = function.locals(source);
    places.extend(locals.map(|range| place(source, range, "`locals()` sees every parameter")));
    if places.is_empty() {
        return Ok(());
    }
    Err(refusal(format!("`{owner}` uses `{name}`"), places, "remove its uses first"))
}

/// Everywhere but in the signature.
fn parameter_uses<'s>(
    source: &'s Source,
    parameter: &Parameter<'_>,
) -> impl Iterator<Item = rb_python::TextRange> + 's {
    let declaration = parameter.name_range;
    let name = source.scopes().name_at(declaration);
    let variable = name.and_then(|name| name.variable);
    let names = variable.into_iter().flat_map(|variable| source.scopes().names_of(variable));
    names.map(|name| name.range).filter(move |range| *range != declaration)
}

fn remove_from_signature(
    source: &Source,
    function: &Function<'_>,
    name: &str,
    edits: &mut FileEdits,
) {
    let Some(parameter) = function.parameter(name) else { return };
    let list = ItemList::parameters(source, &function.node.parameters);
    let mut indexes: Vec<usize> = list.index_of(parameter.range).into_iter().collect();
    let is_last_of_kind =
        function.parameters().iter().filter(|one| one.kind == parameter.kind).count() == 1;
    if is_last_of_kind {
        indexes.extend(match parameter.kind {
            ParameterKind::KeywordOnly => list.marker("*"),
            ParameterKind::PositionalOnly => list.marker("/"),
            ParameterKind::Plain | ParameterKind::Variadic | ParameterKind::Keywords => None,
        });
    }
    for edit in list.remove(&indexes) {
        edits.add(source.path(), edit);
    }
    for edit in docstring_fields::removed(source, function, name) {
        edits.add(source.path(), edit);
    }
}

fn api_change(source: &Source, function: &Function<'_>, name: &str) -> ApiChange {
    let list = ItemList::parameters(source, &function.node.parameters);
    let removed = function.parameter(name).and_then(|parameter| list.index_of(parameter.range));
    let kept: Vec<&str> = (0..list.len())
        .filter(|index| Some(*index) != removed)
        .map(|index| list.text(index))
        .collect();
    let owner = function.path.as_deref().unwrap_or(function.node.name.as_str());
    let after = one_line(&format!("{owner}({})", kept.join(", ")));
    ApiChange { path: source.path().to_owned(), before: shown(source, function), after }
}

fn takes_position(parameters: &[Parameter<'_>], name: &str) -> bool {
    parameters.iter().any(|parameter| {
        parameter.name == name
            && matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Plain)
    })
}

/// The number of calls that passed it.
fn remove_arguments(
    project: &Project<'_>,
    callable: &Callable,
    name: &str,
    edits: &mut FileEdits,
) -> Result<usize, Refusal> {
    let Some(home) = project.source(&callable.symbol.path) else { return Ok(0) };
    let own = functions_named(&home, &callable.symbol.name);
    let Some(function) = own.last() else { return Ok(0) };
    let all = function.parameters();
    let (mut unknown, mut lost, mut changed) = (Vec::new(), Vec::new(), 0);
    for file in callable.files(project) {
        let source = &file.source;
        for one in file.uses() {
            let Use::Call(call) = one else { continue };
            let is_bound = is_bound(project, source, &call.func, callable, function.kind());
            let filled = all.get(usize::from(is_bound)..).unwrap_or_default();
            let bound = bind(&call.arguments, filled);
            let argument = bound.arguments.iter().find(|one| one.parameter == Some(name));
            let is_behind_star = bound.star.is_some() && takes_position(filled, name);
            match argument {
                Some(argument) if has_effects(argument.value) => {
                    let text = one_line(source.slice(argument.range));
                    lost.push(place(source, argument.range, format!("`{text}` would not run")));
                }
                Some(argument) => {
                    remove_argument(source, &call.arguments, argument, edits);
                    changed += 1;
                }
                None if is_behind_star || bound.double_star.is_some() => {
                    unknown.push(place(source, one.range(), "`*` or `**` may pass it here"));
                }
                None => {}
            }
        }
    }
    if !unknown.is_empty() {
        let reason = format!("it is not known whether these calls pass `{name}`");
        return Err(refusal(reason, unknown, "write their arguments out first"));
    }
    if !lost.is_empty() {
        let reason = format!("calls do something to pass `{name}`, which would go with it");
        return Err(refusal(reason, lost, "do that in a statement of its own first"));
    }
    Ok(changed)
}

fn remove_argument(
    source: &Source,
    arguments: &Arguments,
    argument: &BoundArgument<'_>,
    edits: &mut FileEdits,
) {
    let list = ItemList::arguments(source, arguments);
    let index: Vec<usize> = list.index_of(argument.range).into_iter().collect();
    for edit in list.remove(&index) {
        edits.add(source.path(), edit);
    }
}

#[cfg(test)]
mod tests;
