//! What has to be known before the calls of a function may change: every use is a call, and nobody else decides how it is called.

use rb_python::Ranged;

use super::calls::{Callable, Definition, Use, place, refusal};
use super::functions::{Function, functions};
use super::new_name::is_dunder;
use super::signature::check_decorators;
use crate::outcome::{Outcome, Place, Refusal};
use crate::project::Project;

/// Refuses uses that cannot be followed: values, decorators, `partial`, attributes of unknown receivers.
pub(super) fn check_uses(project: &Project<'_>, callable: &Callable) -> Result<(), Refusal> {
    let mut places = Vec::new();
    for file in callable.files(project) {
        for one in file.uses() {
            let what = match one {
                Use::Call(_) => continue,
                Use::Partial(_) => "its other arguments follow later",
                Use::Decorator(_) => "it is called as a decorator",
                Use::Value(_) | Use::Quoted(_) => "it is passed on, and called elsewhere",
            };
            places.push(place(&file.source, one.range(), what));
        }
    }
    places.extend(doubts(project, callable));
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("not all calls of `{}` are known", callable.symbol.name);
    Err(refusal(reason, places, "change these places first, or the signature by hand"))
}

pub(super) fn doubts(project: &Project<'_>, callable: &Callable) -> Vec<Place> {
    let in_source = |doubt: &crate::references::Doubt| {
        let source = project.source(&doubt.path)?;
        Some(place(&source, doubt.range, doubt.why.clone()))
    };
    callable.doubts.iter().filter_map(in_source).collect()
}

/// Refuses functions whose signature is not theirs alone.
pub(super) fn check_owner(project: &Project<'_>, callable: &Callable) -> Result<(), Refusal> {
    let name = &callable.symbol.name;
    if callable.is_constructor || is_dunder(callable.name()) {
        let reason = format!("`{name}` is called by Python itself, not only by its name");
        return Err(Refusal::new(reason, "change its signature by hand"));
    }
    let Some(class) = callable.symbol.class() else { return Ok(()) };
    for class in project.ancestors(&class).iter() {
        let bases = project.bases(class);
        if let Some(base) = bases.foreign.iter().find(|base| !is_harmless(base)) {
            let reason = format!(
                "`{name}` may override a method of `{base}`, which is not part of the project"
            );
            return Err(Refusal::new(reason, "change its signature by hand"));
        }
    }
    Ok(())
}

/// Base classes that call no method by a name of its own.
fn is_harmless(base: &str) -> bool {
    let last = base.rsplit('.').next().unwrap_or(base);
    let is_exception = ["Error", "Exception", "Warning"].iter().any(|end| last.ends_with(end));
    is_exception
        || matches!(
            last,
            "object"
                | "ABC"
                | "Generic"
                | "Protocol"
                | "Enum"
                | "IntEnum"
                | "Flag"
                | "NamedTuple"
                | "TypedDict"
        )
}

/// Visits each definition that can be changed.
pub(super) fn each_definition(
    project: &Project<'_>,
    callable: &Callable,
    mut visit: impl FnMut(&rb_python::Source, &Function<'_>, &Definition) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for definition in &callable.definitions {
        let Some(source) = project.source(&definition.path) else { continue };
        let all = functions(&source);
        let mut own = all.iter().filter(|function| function.node.name.range() == definition.name);
        let Some(function) = own.next() else { continue };
        check_decorators(&source, function)?;
        visit(&source, function, definition)?;
    }
    Ok(())
}

/// Strings such as `mock.patch("a.f")`: what stands in for the function has a signature of its own.
pub(super) fn note_replacements(project: &Project<'_>, callable: &Callable, outcome: &mut Outcome) {
    for string in &callable.strings {
        let Some(source) = project.source(&string.path) else { continue };
        let line = source.line(string.range.start());
        outcome.notes.push(format!(
            "{}:{line}: `{}` is named in a string; a function that takes its place, and what is asserted about its calls, may have to follow",
            string.path,
            callable.name(),
        ));
    }
}
