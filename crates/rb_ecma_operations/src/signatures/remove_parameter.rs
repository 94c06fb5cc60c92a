//! A parameter that nothing uses is removed, and calls no longer pass an argument for it.

use std::ops::Range;

use rb_core::plural;
use rb_operations::{ApiChange, Operation, Outcome, Place, Refusal};

use super::callable::{Callable, refusal, shown};
use super::doc_comment;
use super::finished;
use super::signature::Signature;
use super::source::has_word;
use super::uses::{Call, Effect, ValueKind};
use crate::edits::FileEdits;
use crate::project::Project;

pub(crate) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::RemoveParameter { function, name } = operation else {
        return Err(Refusal::new("this is not a removed parameter", "ask for another operation"));
    };
    let callable = Callable::new(project, function)?;
    let main = callable.main();
    let Some(index) = main.index_of(name) else {
        let reason = format!("`{}` has no parameter `{name}`", function.name);
        return Err(Refusal::new(reason, "name one of its parameters"));
    };
    callable.require_calls(|kind| matches!(kind, ValueKind::Plain | ValueKind::Base))?;
    callable.require_plain_parameters()?;
    let mut edits = FileEdits::default();
    for (path, signature) in &callable.declarations {
        check_unused(path, signature, index, name)?;
        if index < signature.parameters.len() {
            let text = project.files.text(path).unwrap_or_default();
            for edit in signature.list.remove(&text, &(index..index + 1)) {
                edits.add(path, edit);
            }
            if let Some(edit) = doc_comment::removed(&text, signature.whole.start, name) {
                edits.add(path, edit);
            }
        }
    }
    let shortened = shorten(project, &callable, index, &mut edits)?;
    let text = project.files.text(&function.path).unwrap_or_default();
    let before = main.list.items(&text);
    let mut after = before.clone();
    after.remove(index);
    let what = format!("without `{name}`");
    Ok(Outcome {
        title: format!(
            "parameter `{name}` removed from `{}` and {}",
            function.name,
            plural(shortened, "call")
        ),
        files: finished(project, &edits)?,
        sites: vec![Place { path: function.path.clone(), line: main.line, what }],
        api: vec![ApiChange {
            path: function.path.clone(),
            before: shown(&function.name, &before),
            after: shown(&function.name, &after),
        }],
        ..Outcome::default()
    })
}

fn check_unused(
    path: &str,
    signature: &Signature,
    index: usize,
    name: &str,
) -> Result<(), Refusal> {
    // An overload may have fewer parameters.
    let Some(parameter) = signature.parameters.get(index) else { return Ok(()) };
    let problem = if parameter.name.as_deref() != Some(name) {
        "another declaration calls it otherwise"
    } else if parameter.is_used || has_word(&signature.return_type, name) {
        "it is used in the function"
    } else if parameter.is_member {
        "it declares a member of the class"
    } else if parameter.default.as_ref().is_some_and(|default| !default.is_pure) {
        "its default may do something"
    } else {
        return Ok(());
    };
    let places = vec![Place { path: path.to_owned(), line: signature.line, what: problem.into() }];
    let reason = format!("`{name}` cannot be removed: {problem}");
    Err(refusal(reason, places, "remove what uses it first"))
}

/// How many calls pass less.
fn shorten(
    project: &Project<'_>,
    callable: &Callable,
    index: usize,
    edits: &mut FileEdits,
) -> Result<usize, Refusal> {
    let is_rest = callable.main().parameters[index].is_rest;
    let mut refused = Vec::new();
    let mut count = 0;
    for (path, call) in &callable.calls {
        match dropped(call, index, is_rest) {
            Ok(gone) if gone.is_empty() => {}
            Ok(gone) => {
                let text = project.files.text(path).unwrap_or_default();
                call.list.remove(&text, &gone).into_iter().for_each(|edit| edits.add(path, edit));
                count += 1;
            }
            Err(what) => {
                let what = what.to_owned();
                refused.push(Place { path: path.clone(), line: call.line, what });
            }
        }
    }
    if refused.is_empty() {
        return Ok(count);
    }
    let reason = "some arguments cannot be dropped".to_owned();
    Err(refusal(reason, refused, "move them out of the calls first"))
}

/// The arguments of the call that go.
fn dropped(call: &Call, index: usize, is_rest: bool) -> Result<Range<usize>, &'static str> {
    let index = index + usize::from(call.is_indirect);
    let count = call.arguments.len();
    let end = if is_rest { count.max(index) } else { (index + 1).min(count) };
    if call.arguments.iter().take(end).any(|argument| argument.is_spread) {
        return Err("it spreads a list over the parameters");
    }
    if index >= count {
        return Ok(0..0);
    }
    let mut gone = call.arguments[index..end].iter();
    if gone.any(|argument| argument.effect == Effect::Unknown) {
        return Err("the argument may do something");
    }
    Ok(index..end)
}
