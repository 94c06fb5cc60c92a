//! Names of classes that a program shows: tests that compare a `repr` have `"Old(1)"` or `"<Old: x>"` in a string.

use std::collections::BTreeSet;

use rb_python::ast::Stmt;
use rb_python::{Source, TextRange, TextSize};

use super::Request;
use crate::operations::edits::FileEdits;
use crate::project::{Project, SymbolKind, decorator, statement_at, word_ranges};
use crate::references::Found;

/// Edits these strings in tests that use the class, if its `repr` is made of its name.
pub(super) fn follow(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    edits: &mut FileEdits,
) {
    if project.kind(request.symbol) != SymbolKind::Class {
        return;
    }
    if is_exception(project, request) {
        follow_messages(project, request, edits);
    }
    if !shows_its_name(project, request) {
        return;
    }
    let paths: BTreeSet<&str> =
        found.references.iter().map(|reference| reference.path.as_str()).collect();
    for path in paths.into_iter().filter(|path| Project::is_test(path)) {
        let Some(source) = project.source(path) else { continue };
        for literal in source.strings() {
            for range in shown(&source, literal.content, request.old) {
                if !edits.covers(path, range) {
                    edits.replace(path, range, request.to);
                }
            }
        }
    }
}

/// `"Old: what happened"` in tests, as a traceback shows an exception. Nothing else may have its name.
fn follow_messages(project: &Project<'_>, request: &Request<'_>, edits: &mut FileEdits) {
    if project.symbols_named(request.old).len() != 1 {
        return;
    }
    let start = format!("{}: ", request.old);
    for path in project.files_with(&[request.old]).iter().filter(|path| Project::is_test(path)) {
        let Some(source) = project.source(path) else { continue };
        for literal in source.strings() {
            let range = TextRange::at(literal.content.start(), TextSize::of(request.old));
            if source.slice(literal.content).starts_with(&start) && !edits.covers(path, range) {
                edits.replace(path, range, request.to);
            }
        }
    }
}

/// Its own `__repr__` looks at the name, or one is made for it: a dataclass, an exception.
fn shows_its_name(project: &Project<'_>, request: &Request<'_>) -> bool {
    let words = ["__class__.__name__", "__class__.__qualname__", "type(self)."];
    let method = project.member(request.symbol, "__repr__");
    let definitions = method.map_or_else(Vec::new, |method| project.definitions(&method));
    let is_made_of_name = definitions.iter().any(|definition| {
        let bindings = &definition.source.scopes().variable(definition.variable).bindings;
        let mut texts = bindings.iter().map(|one| definition.source.slice(one.statement));
        texts.any(|text| words.iter().any(|word| text.contains(word)))
    });
    is_made_of_name || is_dataclass(project, request) || is_exception(project, request)
}

fn is_exception(project: &Project<'_>, request: &Request<'_>) -> bool {
    project.ancestors(request.symbol).iter().any(|class| {
        let bases = project.bases(class);
        bases.foreign.iter().any(|base| base.ends_with("Exception") || base.ends_with("Error"))
    })
}

fn is_dataclass(project: &Project<'_>, request: &Request<'_>) -> bool {
    project.definitions(request.symbol).iter().any(|definition| {
        let source = &definition.source;
        let bindings = &source.scopes().variable(definition.variable).bindings;
        bindings.iter().any(|one| match statement_at(source.body(), one.statement) {
            Some(Stmt::ClassDef(class)) => {
                class.decorator_list.iter().filter_map(decorator).any(|name| name == "dataclass")
            }
            _ => false,
        })
    })
}

/// Places in a string that look like a `repr`.
fn shown<'s>(
    source: &'s Source,
    content: TextRange,
    name: &'s str,
) -> impl Iterator<Item = TextRange> + 's {
    let text = source.slice(content);
    let places = word_ranges(text, name).filter(move |range| {
        let before = text[..range.start].chars().next_back();
        let after = text[range.end..].chars().next();
        let is_call = after == Some('(')
            && before
                .is_none_or(|letter| matches!(letter, '(' | '[' | '{' | ',' | ' ' | '<' | '='));
        let is_instance = before == Some('<') && matches!(after, Some(':' | ' '));
        // `call Old()` is prose.
        let is_alone = text[..range.start].trim_end().ends_with(['(', '[', '{', ',', '<', '='])
            || text[..range.start].trim().is_empty();
        (is_call && is_alone) || is_instance
    });
    places.filter_map(move |range| {
        let start = content.start() + TextSize::try_from(range.start).ok()?;
        Some(TextRange::at(start, TextSize::of(name)))
    })
}
