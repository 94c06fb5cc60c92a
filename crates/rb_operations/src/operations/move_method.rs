//! Methods leave their class and become functions of a module.
//!
//! First the method becomes a function beside its class, and all calls follow; then the function moves as any other does. `self` goes if the
//! method does not use it; else it becomes the first parameter, named for the class.

mod calls;
mod extraction;

use rb_core::plural;
use rb_python::{Ranged, Source};

use self::extraction::Receiver;
use super::calls::{Callable, Definition, place, refusal};
use super::certainty::{check_owner, doubts};
use super::edits::FileEdits;
use super::functions::{Function, functions_named};
use super::line_fit::fitted;
use super::move_symbols;
use super::new_name::is_public;
use super::sequence::Sequence;
use crate::operation::{Operation, SymbolPath};
use crate::outcome::{ApiChange, FileChange, Outcome, Place, Refusal};
use crate::project::Project;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::MoveMethod { methods, to } = operation else {
        return Err(Refusal::new("this is not a moved method", "ask for another operation"));
    };
    let mut sequence = Sequence::new(project.files);
    let mut functions = Vec::new();
    for method in methods {
        sequence.step(|project| extract(project, method))?;
        let name = method.last().to_owned();
        functions.push(SymbolPath { path: method.path.clone(), name });
    }
    functions.retain(|function| function.path != *to);
    if !functions.is_empty() {
        let moving = Operation::Move { symbols: functions, to: to.clone() };
        sequence.step(|project| {
            let moved = move_symbols::plan(project, &moving)?;
            // What the operation is about are the methods.
            Ok(Outcome { sites: Vec::new(), api: Vec::new(), ..moved })
        })?;
    }
    let title = format!("{} moved out of the class, to {to}", plural(methods.len(), "method"));
    Ok(Outcome { title, ..sequence.finish() })
}

/// One method becomes a function behind its class.
fn extract(project: &Project<'_>, method: &SymbolPath) -> Result<Outcome, Refusal> {
    let callable = Callable::new(project, method)?;
    check_owner(project, &callable)?;
    let doubts = doubts(project, &callable);
    if !doubts.is_empty() {
        let reason = format!("not all calls of `{}` are known", method.name);
        return Err(refusal(reason, doubts, "name the types of these objects first"));
    }
    let Some(home) = project.source(&method.path) else {
        return Err(Refusal::new("the method is gone", "name it again"));
    };
    let own = functions_named(&home, &method.name);
    let function = check_method(project, &callable, &home, &own)?;
    let receiver = Receiver::of(&home, function)?;
    let mut outcome = Outcome::default();
    let mut edits = FileEdits::default();
    calls::rewrite(project, &callable, function, &receiver, &mut edits)?;
    extraction::inner_edits(&home, function, &receiver, &mut edits);
    check_strings(project, &callable)?;
    let name = function.node.name.as_str();
    outcome.sites.push(place(&home, function.node.name.range(), format!("now `{name}`")));
    if is_public(&method.name) {
        let (before, after) = (method.name.clone(), name.to_owned());
        outcome.api.push(ApiChange { path: method.path.clone(), before, after });
    }
    for (path, text) in calls::with_imports(project, &callable, &edits)? {
        let is_home = path == method.path;
        let text = if is_home { extraction::moved_out(&path, &text, &method.name)? } else { text };
        outcome.files.insert(path, FileChange::Edited(text));
    }
    outcome.files = fitted(project.files, outcome.files);
    Ok(outcome)
}

fn check_method<'f, 's>(
    project: &Project<'_>,
    callable: &Callable,
    home: &Source,
    own: &'f [Function<'s>],
) -> Result<&'f Function<'s>, Refusal> {
    let name = &callable.symbol.name;
    let [function] = own else {
        let places =
            own.iter().map(|one| place(home, one.node.name.range(), "defined here")).collect();
        let reason = format!("`{name}` is defined more than once");
        return Err(refusal(reason, places, "make it one method first"));
    };
    if function.class.is_none() {
        return Err(Refusal::new(
            format!("`{name}` is not a method"),
            "name a method as `Class.method`",
        ));
    }
    check_overrides(project, callable, home)?;
    let decorator = function.decorators().find(|name| {
        matches!(
            *name,
            "property" | "cached_property" | "setter" | "getter" | "deleter" | "abstractmethod"
        )
    });
    if let Some(decorator) = decorator {
        let places = vec![place(home, function.node.name.range(), format!("`@{decorator}`"))];
        let reason = format!("`{name}` is not called as a function");
        return Err(refusal(reason, places, "leave it a method"));
    }
    let own = function.node.name.as_str();
    if home.scopes().global(own).is_some() {
        let reason = format!("the name `{own}` is taken in {}", home.path());
        return Err(Refusal::new(reason, "rename the method first"));
    }
    Ok(function)
}

fn check_overrides(
    project: &Project<'_>,
    callable: &Callable,
    home: &Source,
) -> Result<(), Refusal> {
    let is_other = |one: &&Definition| !one.is_own || one.path != home.path();
    let places: Vec<Place> = callable
        .definitions
        .iter()
        .filter(is_other)
        .filter_map(|one| Some(place(&*project.source(&one.path)?, one.name, "defined here, too")))
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` is overridden or overrides another method", callable.symbol.name);
    Err(refusal(reason, places, "a function cannot be overridden; leave it a method"))
}

fn check_strings(project: &Project<'_>, callable: &Callable) -> Result<(), Refusal> {
    let places: Vec<Place> = callable
        .strings
        .iter()
        .filter_map(|string| {
            Some(place(&*project.source(&string.path)?, string.range, "in this string"))
        })
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` is named in strings", callable.symbol.name);
    Err(refusal(reason, places, "change them first"))
}

#[cfg(test)]
mod tests;
