//! A member of a class: a method, property, attribute, field or enum member, with its overrides.
//!
//! A member is more than its name where somebody else looks it up by name: Python itself (`__init__`), a base class that cannot be seen, a
//! metaclass. There the rename is refused.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::{ScopeId, ScopeKind, Source, TextRange, VariableId};

use super::{Renaming, Request, computed_names, metaclass, names_of_arguments};
use crate::operation::SymbolPath;
use crate::operations::calls::{place, refusal};
use crate::operations::capture::captures;
use crate::operations::edits::FileEdits;
use crate::operations::known_bases::base_has_member;
use crate::operations::new_name::is_mangled;
use crate::outcome::{Place, Refusal};
use crate::project::Project;
use crate::references::{Found, ReferenceKind};

pub(super) fn rename(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<Renaming, Refusal> {
    let class = request.symbol.class().filter(|class| project.member(class, request.old).is_some());
    let Some(class) = class else {
        let reason = format!("{} has no `{}`", request.symbol.path, request.symbol.name);
        return Err(Refusal::new(reason, "check the name, or name the class that defines it"));
    };
    let family = project.family(&class, request.old);
    let related: BTreeSet<SymbolPath> = family.classes.union(&family.above).cloned().collect();
    check_mangled(project, request, found)?;
    check_bases(project, request, &related)?;
    check_free(project, request, &related)?;
    computed_names::check_member(project, request, found)?;
    names_of_arguments::check(project, request, &related)?;
    let mut edits = FileEdits::default();
    for reference in &found.references {
        edits.replace(&reference.path, reference.range, request.to);
    }
    metaclass::follow(project, request, &family.definers, found, &mut edits)?;
    check_captures(project, request, found, &edits)?;
    let sites = sites(project, request, found);
    let overrides = family.definers.into_iter().filter(|one| *one != class).collect();
    Ok(Renaming { edits, sites, overrides, ..Renaming::default() })
}

pub(super) fn check_names(request: &Request<'_>) -> Result<(), Refusal> {
    if is_mangled(request.to) {
        let reason = format!("Python stores `{}` under another name in each class", request.to);
        return Err(Refusal::new(reason, "choose a name with one underscore"));
    }
    if !request.keep_name_in.is_empty() {
        let reason = "only a top-level name can be given on under its old name".to_owned();
        return Err(Refusal::new(reason, "leave out the modules that keep the name"));
    }
    Ok(())
}

/// The class in whose body, or in whose method, this place is.
fn class_around(source: &Source, range: TextRange) -> Option<ScopeId> {
    let name = source.scopes().name_at(range);
    let mut scope = name.map_or_else(|| source.scopes().scope_at(range), |name| name.scope);
    loop {
        let one = source.scopes().scope(scope);
        if one.kind == ScopeKind::Class {
            return Some(scope);
        }
        scope = one.parent?;
    }
}

/// `__x` of one class is not that of another.
fn check_mangled(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    if !is_mangled(request.old) {
        return Ok(());
    }
    let class = request.symbol.class();
    let outside = found.references.iter().filter_map(|reference| {
        let source = project.source(&reference.path)?;
        let around = class_around(&source, reference.range);
        let around = around.and_then(|scope| project.symbol_of_scope(&source, scope));
        let what = "this is another class, whose `__` names are its own";
        (around != class).then(|| place(&source, reference.range, what))
    });
    let places: Vec<Place> = outside.collect();
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` has the same name in other classes", request.symbol.name);
    Err(refusal(reason, places, "rename by hand"))
}

/// A base class that cannot be seen may call the method, or have it.
fn check_bases(
    project: &Project<'_>,
    request: &Request<'_>,
    related: &BTreeSet<SymbolPath>,
) -> Result<(), Refusal> {
    let mut places = BTreeSet::new();
    for class in related {
        for base in &project.bases(class).foreign {
            if base_has_member(base, request.old) || base_has_member(base, request.to) {
                let what =
                    format!("`{}` extends `{base}`, which is not of this project", class.name);
                let line = declaration_line(project, class);
                places.insert(Place { path: class.path.clone(), line, what });
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` may override a member of a base class", request.symbol.name);
    let suggestion = "check that the base class has no such member, and rename by hand";
    Err(refusal(reason, places.into_iter().collect(), suggestion))
}

fn declaration_line(project: &Project<'_>, class: &SymbolPath) -> u32 {
    let definition = project.definitions(class).into_iter().next();
    definition.map_or(1, |definition| {
        let variable = definition.source.scopes().variable(definition.variable);
        variable.bindings.first().map_or(1, |one| definition.source.line(one.range.start()))
    })
}

/// No class that shares members with one of the family has the new name.
fn check_free(
    project: &Project<'_>,
    request: &Request<'_>,
    related: &BTreeSet<SymbolPath>,
) -> Result<(), Refusal> {
    let taken = related.iter().filter(|class| project.defines(class, request.to));
    let places: Vec<Place> = taken
        .map(|class| Place {
            path: class.path.clone(),
            line: declaration_line(project, class),
            what: format!("`{}.{}` is there already", class.name, request.to),
        })
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    let suggestion = "choose another name, or rename the other one first";
    Err(refusal(format!("`{}` is taken", request.to), places, suggestion))
}

/// Names in class bodies that would mean something else.
fn check_captures(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    edits: &FileEdits,
) -> Result<(), Refusal> {
    let mut renamed: BTreeMap<&str, BTreeSet<VariableId>> = BTreeMap::new();
    for reference in &found.references {
        let Some(source) = project.source(&reference.path) else { continue };
        let name = source.scopes().name_at(reference.range);
        renamed.entry(&reference.path).or_default().extend(name.and_then(|name| name.variable));
    }
    let mut places = Vec::new();
    for path in edits.paths() {
        let Some(before) = project.source(path) else { continue };
        let Some(text) = edits.text(project.files, path)? else { continue };
        let variables = renamed.remove(path).unwrap_or_default();
        match Source::parse(path, text) {
            Ok(after) => places.extend(captures(&before, &after, &variables, request.to)),
            Err(error) => {
                places.push(Place { path: path.to_owned(), line: error.line, what: error.message });
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    Err(refusal(format!("`{}` is taken", request.to), places, "choose another name"))
}

fn sites(project: &Project<'_>, request: &Request<'_>, found: &Found) -> Vec<Place> {
    let definitions =
        found.references.iter().filter(|reference| reference.kind == ReferenceKind::Definition);
    let sites = definitions.filter_map(|reference| {
        let source = project.source(&reference.path)?;
        Some(place(&source, reference.range, format!("`{}` is declared here", request.to)))
    });
    sites.collect()
}
