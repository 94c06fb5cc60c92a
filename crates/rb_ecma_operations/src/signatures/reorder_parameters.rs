//! The parameters of a function in another order, and the arguments of its calls with them.

use rb_core::{Edit, plural};
use rb_operations::{ApiChange, Operation, Outcome, Place, Refusal, SymbolPath};

use super::callable::{Callable, refusal, shown};
use super::finished;
use super::signature::Signature;
use super::uses::{Argument, Call, Effect, ValueKind};
use crate::edits::FileEdits;
use crate::project::Project;

pub(crate) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::ReorderParameters { function, order } = operation else {
        return Err(Refusal::new("this is not another order", "ask for another operation"));
    };
    let callable = Callable::new(project, function)?;
    let main = callable.main();
    let indexes = indexes(function, main, order)?;
    if indexes.is_sorted() {
        let reason = format!("`{}` has its parameters in this order already", function.name);
        return Err(Refusal::new(reason, "give another order"));
    }
    callable.require_calls(|kind| matches!(kind, ValueKind::Plain | ValueKind::Base))?;
    callable.require_plain_parameters()?;
    let mut edits = FileEdits::default();
    for (path, signature) in &callable.declarations {
        check(path, signature, main, &indexes)?;
        let text = project.files.text(path).unwrap_or_default();
        let items = signature.list.items(&text);
        let new: Vec<String> = indexes.iter().map(|&at| items[at].clone()).collect();
        let all = signature.list.replace_all(&text, &new);
        edits.extend(path, all);
    }
    let count = reorder_calls(project, &callable, &indexes, &mut edits)?;
    let text = project.files.text(&function.path).unwrap_or_default();
    let before = main.list.items(&text);
    let after: Vec<String> = indexes.iter().map(|&at| before[at].clone()).collect();
    let what = "the parameters".to_owned();
    Ok(Outcome {
        title: format!(
            "parameters of `{}` reordered, with {}",
            function.name,
            plural(count, "call")
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

/// Where each parameter of the new order is now.
fn indexes(
    function: &SymbolPath,
    signature: &Signature,
    order: &[String],
) -> Result<Vec<usize>, Refusal> {
    let found: Option<Vec<usize>> = order.iter().map(|name| signature.index_of(name)).collect();
    let mut sorted = found.clone().unwrap_or_default();
    sorted.sort_unstable();
    sorted.dedup();
    match found {
        Some(found)
            if sorted.len() == signature.parameters.len() && found.len() == sorted.len() =>
        {
            Ok(found)
        }
        _ => {
            let names: Vec<&str> = signature
                .parameters
                .iter()
                .map(|it| it.name.as_deref().unwrap_or("a pattern"))
                .collect();
            let reason = format!("the parameters of `{}` are {}", function.name, names.join(", "));
            Err(Refusal::new(reason, "name each of them once"))
        }
    }
}

fn check(
    path: &str,
    signature: &Signature,
    main: &Signature,
    indexes: &[usize],
) -> Result<(), Refusal> {
    let parameters = &signature.parameters;
    let is_same = parameters.len() == main.parameters.len()
        && parameters.iter().zip(&main.parameters).all(|(one, other)| one.name == other.name);
    let new: Vec<_> = indexes.iter().filter_map(|&at| parameters.get(at)).collect();
    let first_optional = new.iter().position(|it| it.is_optional()).unwrap_or(new.len());
    let later = |at: usize| new[at..].iter().filter_map(|it| it.name.as_ref());
    let reads_later = |(at, it): (usize, &&super::signature::Parameter)| {
        it.default
            .as_ref()
            .is_some_and(|default| later(at).any(|name| default.names.contains(name)))
    };
    let problem = if !is_same {
        "another declaration has other parameters"
    } else if new.iter().rev().skip(1).any(|it| it.is_rest) {
        "a rest parameter has to be the last one"
    } else if new[first_optional..].iter().any(|it| !it.is_optional()) {
        "a required parameter would follow an optional one"
    } else if new.iter().enumerate().any(reads_later) {
        "a default uses a parameter that would come later"
    } else if parameters.iter().filter(|it| has_effect(it)).count() > 1 {
        "the defaults may do something"
    } else if signature.has_comments {
        "there are comments between the parameters"
    } else {
        return Ok(());
    };
    let places = vec![Place { path: path.to_owned(), line: signature.line, what: problem.into() }];
    Err(refusal(format!("the order cannot be made: {problem}"), places, "choose another order"))
}

fn has_effect(parameter: &super::signature::Parameter) -> bool {
    parameter.default.as_ref().is_some_and(|default| !default.is_pure)
}

fn reorder_calls(
    project: &Project<'_>,
    callable: &Callable,
    indexes: &[usize],
    edits: &mut FileEdits,
) -> Result<usize, Refusal> {
    let rewrite =
        |text: &str, call: &Call, inner: &mut Vec<Edit>| reordered(text, call, indexes, inner);
    callable.rewrite_calls(project, edits, rewrite).map_err(|places| {
        let reason = format!("some calls of `{}` cannot be reordered", callable.symbol.name);
        refusal(reason, places, "put their arguments into constants first")
    })
}

fn reordered(
    text: &str,
    call: &Call,
    indexes: &[usize],
    inner: &mut Vec<Edit>,
) -> Result<Vec<Edit>, &'static str> {
    let first = usize::from(call.is_indirect);
    let count = call.arguments.len().saturating_sub(first);
    if count == 0 {
        return Ok(vec![]);
    }
    if call.arguments.iter().any(|argument| argument.is_spread) {
        return Err("it spreads a list over the parameters");
    }
    // Arguments of a rest parameter stay behind the others.
    let mut taken: Vec<usize> = indexes.to_vec();
    taken.extend(indexes.len()..count.max(indexes.len()));
    let last = taken.iter().rposition(|&at| at < count).unwrap_or(0);
    let taken = &taken[..=last];
    let moved: Vec<usize> = taken.iter().copied().filter(|&at| at < count).collect();
    if !keeps_effects(&call.arguments[first..], &moved) {
        return Err("its arguments may do something, and would be evaluated in another order");
    }
    if call.has_comments {
        return Err("there are comments between its arguments");
    }
    let items = call.list.take_items(text, inner);
    let mut new: Vec<String> = items[..first].to_vec();
    new.extend(
        taken
            .iter()
            .map(|&at| if at < count { items[first + at].clone() } else { "undefined".to_owned() }),
    );
    Ok(call.list.replace_all(text, &new))
}

/// No argument is evaluated on the other side of one that it could notice.
pub(crate) fn keeps_effects(arguments: &[Argument], order: &[usize]) -> bool {
    let is_free = |one: &Argument, other: &Argument| {
        one.effect == Effect::Constant
            || other.effect == Effect::Constant
            || (one.effect == Effect::Read && other.effect == Effect::Read)
    };
    order.iter().enumerate().all(|(at, &one)| {
        order[at + 1..]
            .iter()
            .all(|&other| other > one || is_free(&arguments[one], &arguments[other]))
    })
}
