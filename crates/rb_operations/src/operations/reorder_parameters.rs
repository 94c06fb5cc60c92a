//! The parameters of a function change places, and the arguments of all calls with them.
//!
//! Arguments that are evaluated in an order that matters are passed by name instead, where they stand.

mod call;

use rb_core::plural;
use rb_python::{Ranged, Source};

use super::calls::{Callable, place, refusal};
use super::certainty::{check_owner, check_uses, each_definition, note_replacements};
use super::edits::FileEdits;
use super::functions::{Function, Parameter, ParameterKind, functions_named};
use super::item_list::ItemList;
use super::line_fit::fitted;
use super::new_name::is_public;
use super::signature::{is_receiver, shown};
use crate::operation::Operation;
use crate::outcome::{ApiChange, Outcome, Refusal};
use crate::project::Project;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::ReorderParameters { function, order } = operation else {
        return Err(Refusal::new("this is not another order", "ask for another operation"));
    };
    let callable = Callable::new(project, function)?;
    check_owner(project, &callable)?;
    check_uses(project, &callable)?;
    let Some(home) = project.source(&callable.symbol.path) else {
        return Err(Refusal::new("the function is gone", "name it again"));
    };
    let own = functions_named(&home, &callable.symbol.name);
    let Some(model) = own.last() else {
        return Err(Refusal::new("the function is gone", "name it again"));
    };
    let mut outcome = Outcome::default();
    let mut edits = FileEdits::default();
    each_definition(project, &callable, |source, function, definition| {
        check_same(source, function, model)?;
        NewOrder::of(source, function, order)?.rewrite_signature(source, function, &mut edits);
        outcome.sites.push(place(source, function.node.name.range(), "another order"));
        if definition.is_own && outcome.api.is_empty() && is_public(&callable.symbol.name) {
            let after = format!("{}({})", callable.symbol.name, order.join(", "));
            let (path, before) = (source.path().to_owned(), shown(source, function));
            outcome.api.push(ApiChange { path, before, after });
        }
        Ok(())
    })?;
    let new = NewOrder::of(&home, model, order)?;
    let calls = call::rewrite_all(project, &callable, model, &new.positional, &mut edits)?;
    note_replacements(project, &callable, &mut outcome);
    outcome.title = format!(
        "parameters of `{}` reordered, and the arguments of {}",
        callable.symbol.name,
        plural(calls, "call")
    );
    outcome.files = fitted(project.files, edits.apply(project.files)?);
    Ok(outcome)
}

/// Overrides and overloads are called as the function itself.
fn check_same(
    source: &Source,
    function: &Function<'_>,
    model: &Function<'_>,
) -> Result<(), Refusal> {
    if positional(function) == positional(model) {
        return Ok(());
    }
    let places = vec![place(source, function.node.name.range(), "this one differs")];
    let name = model.node.name.as_str();
    let reason = format!("the definitions of `{name}` have different parameters");
    Err(refusal(reason, places, "give them the same parameters first"))
}

fn is_positional(parameter: &Parameter<'_>) -> bool {
    matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Plain)
}

/// All that may be passed by position, `self` too.
fn positional<'s>(function: &Function<'s>) -> Vec<&'s str> {
    function.parameters().iter().filter(|one| is_positional(one)).map(|one| one.name).collect()
}

/// What may be passed by position, and what by name only, as it shall be.
struct NewOrder {
    positional: Vec<String>,
    keyword_only: Vec<String>,
}

impl NewOrder {
    fn of(source: &Source, function: &Function<'_>, order: &[String]) -> Result<Self, Refusal> {
        let parameters = function.parameters();
        let kind_of = |name: &String| {
            parameters.iter().find(|one| one.name == name.as_str()).map(|one| one.kind)
        };
        let mut positional: Vec<String> = order
            .iter()
            .filter(|name| kind_of(name).is_some_and(is_by_position))
            .cloned()
            .collect();
        let receiver = parameters.first().filter(|first| is_receiver(function, first.name));
        if let Some(receiver) =
            receiver.filter(|receiver| !positional.iter().any(|one| one == receiver.name))
        {
            positional.insert(0, receiver.name.to_owned());
        }
        let keyword_only: Vec<String> = order
            .iter()
            .filter(|name| kind_of(name) == Some(ParameterKind::KeywordOnly))
            .cloned()
            .collect();
        let new = NewOrder { positional, keyword_only };
        match new.problem(function, order) {
            None => Ok(new),
            Some(problem) => {
                let places =
                    vec![place(source, function.node.name.range(), shown(source, function))];
                Err(refusal(
                    problem,
                    places,
                    "name all parameters once, in an order that Python accepts",
                ))
            }
        }
    }

    fn problem(&self, function: &Function<'_>, order: &[String]) -> Option<String> {
        let parameters = function.parameters();
        let name = function.node.name.as_str();
        for parameter in &parameters {
            let count = order.iter().filter(|one| *one == parameter.name).count();
            let is_fixed =
                matches!(parameter.kind, ParameterKind::Variadic | ParameterKind::Keywords)
                    || is_receiver(function, parameter.name);
            if count > 1 || (count == 0 && !is_fixed) {
                return Some(format!("`{}` has to be named once", parameter.name));
            }
        }
        let is_known = |one: &str| parameters.iter().any(|parameter| parameter.name == one);
        let stranger =
            order.iter().map(|one| one.trim_start_matches('*')).find(|one| !is_known(one));
        if let Some(stranger) = stranger.filter(|one| !one.is_empty() && *one != "/") {
            return Some(format!("`{name}` has no parameter `{stranger}`"));
        }
        if parameters.first().is_some_and(|first| {
            is_receiver(function, first.name)
                && self.positional.first().map(String::as_str) != Some(first.name)
        }) {
            return Some("the object itself stays the first parameter".to_owned());
        }
        self.order_problem(function)
    }

    fn order_problem(&self, function: &Function<'_>) -> Option<String> {
        let has_default =
            |one: &String| function.parameter(one).is_some_and(|one| one.default.is_some());
        let first_default =
            self.positional.iter().position(has_default).unwrap_or(self.positional.len());
        if self.positional[first_default..].iter().any(|one| !has_default(one)) {
            let text = "a parameter without a default cannot stand behind one with a default";
            return Some(text.to_owned());
        }
        let is_only = |one: &String| {
            let parameter = function.parameter(one);
            parameter.is_some_and(|one| one.kind == ParameterKind::PositionalOnly)
        };
        let count = function.node.parameters.posonlyargs.len();
        (!self.positional.iter().take(count).all(is_only))
            .then(|| "parameters cannot change sides of `/`".to_owned())
    }

    /// Each place gets the text of the parameter that goes there; comments stay.
    fn rewrite_signature(&self, source: &Source, function: &Function<'_>, edits: &mut FileEdits) {
        let list = ItemList::parameters(source, &function.node.parameters);
        let parameters = function.parameters();
        let text = |name: &String| {
            let index = function.parameter(name).and_then(|one| list.index_of(one.range));
            index.map(|index| list.text(index))
        };
        let mut place = |old: &[&Parameter<'_>], new: &[String]| {
            for (old, new) in old.iter().zip(new) {
                if let (Some(at), Some(text)) = (list.index_of(old.range), text(new))
                    && old.name != new.as_str()
                {
                    edits.replace(source.path(), list.range(at), text);
                }
            }
        };
        let by_position: Vec<&Parameter<'_>> =
            parameters.iter().filter(|one| is_positional(one)).collect();
        place(&by_position, &self.positional);
        let by_name: Vec<&Parameter<'_>> =
            parameters.iter().filter(|one| one.kind == ParameterKind::KeywordOnly).collect();
        place(&by_name, &self.keyword_only);
    }
}

fn is_by_position(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::PositionalOnly | ParameterKind::Plain)
}

#[cfg(test)]
mod tests;
