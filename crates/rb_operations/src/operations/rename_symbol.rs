//! `Operation::Rename`: a function, class, method, attribute, constant or variable gets another name, everywhere or not at all.
//!
//! References come from the project; here it is decided which of them change, whether the new name is free in every scope that would see it,
//! which documents and names of tests follow, and what a reviewer has to know.

mod alias;
mod changelogs;
mod computed_names;
mod convention;
mod exposure;
#[cfg(test)]
mod following_tests;
pub(super) mod generated_code;
#[cfg(test)]
mod hidden_use_tests;
#[cfg(test)]
mod member_tests;
mod members;
mod metaclass;
mod names_of_arguments;
mod own_names;
mod receivers;
mod registration;
mod report;
mod shown_names;
mod star_imports;
mod test_names;
#[cfg(test)]
mod tests;
mod top_level;

use crate::operation::{Operation, SymbolPath};
use crate::operations::edits::FileEdits;
use crate::operations::new_name::{check_builtin, check_identifier, is_dunder};
use crate::outcome::{Outcome, Place, Refusal};
use crate::project::Project;
use crate::references::{Doubt, Found};

/// What was asked for.
pub(super) struct Request<'o> {
    symbol: &'o SymbolPath,
    /// The last part of the symbol's name.
    old: &'o str,
    to: &'o str,
    keep_name_in: &'o [String],
    alias: bool,
    rename_tests: bool,
    rename_files: bool,
    note_in_changelogs: Option<&'o str>,
}

/// The edits that carry out the rename in code.
#[derive(Default)]
pub(super) struct Renaming {
    edits: FileEdits,
    /// Declarations.
    sites: Vec<Place>,
    /// Files other than that of the declaration that give the name on and do so under the new one.
    exposed_by: Vec<String>,
    /// For a member: the other classes that define it, which follow.
    overrides: Vec<SymbolPath>,
    notes: Vec<String>,
}

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Rename {
        symbol,
        to,
        keep_name_in,
        alias,
        rename_tests,
        rename_files,
        note_in_changelogs,
    } = operation
    else {
        unreachable!("`step` sends renames here")
    };
    let old = symbol.name.rsplit('.').next().unwrap_or(&symbol.name);
    let request = Request {
        symbol,
        old,
        to,
        keep_name_in,
        alias: *alias,
        rename_tests: *rename_tests || *rename_files,
        rename_files: *rename_files,
        note_in_changelogs: note_in_changelogs.as_deref(),
    };
    check_request(project, &request)?;
    let mut found = project.references(symbol);
    found.doubts.retain(|doubt| !is_alternative_import(project, doubt, old));
    refuse_doubts(project, &request, &found)?;
    registration::check(project, &request, &found)?;
    generated_code::check(project, &request, &found)?;
    let renaming = if symbol.name.contains('.') {
        members::rename(project, &request, &found)?
    } else {
        top_level::rename(project, &request, &found)?
    };
    report::outcome(project, &request, &found, renaming)
}

fn check_request(project: &Project<'_>, request: &Request<'_>) -> Result<(), Refusal> {
    check_identifier(request.to)?;
    if request.to == request.old {
        let reason = format!("`{}` has this name already", request.symbol.name);
        return Err(Refusal::new(reason, "choose another name"));
    }
    if project.source(&request.symbol.path).is_none() {
        let reason = format!("{} is not a Python file that can be read", request.symbol.path);
        return Err(Refusal::new(reason, "check the path, and that the file has no syntax errors"));
    }
    if is_dunder(request.old) {
        let reason = format!("Python and its tools use `{}` by this name", request.symbol.name);
        return Err(Refusal::new(reason, "keep the name"));
    }
    if request.symbol.name.contains('.') {
        members::check_names(request)?;
    } else {
        check_builtin(request.to)?;
    }
    let is_test = |name: &str| name.to_lowercase().starts_with("test");
    if Project::is_test(&request.symbol.path) && is_test(request.old) != is_test(request.to) {
        let reason =
            format!("`{}` is a test by its name, or would become one", request.symbol.name);
        return Err(Refusal::new(reason, "keep the beginning of the name"));
    }
    Ok(())
}

fn refuse_doubts(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    if found.doubts.is_empty() {
        return Ok(());
    }
    let mut places: Vec<Place> =
        found.doubts.iter().map(|doubt| doubt_place(project, doubt)).collect();
    places.sort();
    places.dedup();
    let count = rb_core::plural(places.len(), "place");
    Err(Refusal {
        reason: format!("{count} may mean `{}` or something else", request.symbol.name),
        places,
        suggestion: "annotate the receivers with their types, or rename by hand".to_owned(),
    })
}

/// `except ImportError: from other import old`, beside the import or definition of the symbol: it is imported `as` the new name.
fn is_alternative_import(project: &Project<'_>, doubt: &Doubt, old: &str) -> bool {
    let Some(source) = project.source(&doubt.path) else { return false };
    let mut names = source.imports().iter().flat_map(|import| &import.names);
    names.any(|name| name.name_range == doubt.range && name.alias.is_none() && name.name == old)
}

fn doubt_place(project: &Project<'_>, doubt: &Doubt) -> Place {
    let line = project.source(&doubt.path).map_or(1, |source| source.line(doubt.range.start()));
    Place { path: doubt.path.clone(), line, what: doubt.why.clone() }
}
