//! The outcome of a rename: documents, names of tests and files, and what a reviewer has to know.

use std::collections::BTreeMap;

use rb_python::BindingKind;

use super::alias;
use super::changelogs;
use super::own_names;
use super::shown_names;
use super::test_names::{files_named_after, tests_named_after};
use super::{Renaming, Request};
use crate::document::{DocumentQuery, Documents, documents};
use crate::files::Overlay;
use crate::imports::in_order;
use crate::operation::{Operation, SymbolPath};
use crate::operations::edits::FileEdits;
use crate::operations::line_fit::fitted;
use crate::operations::new_name::is_public;
use crate::operations::rename_module;
use crate::outcome::{ApiChange, Mention, Outcome, Refusal};
use crate::project::Project;
use crate::references::{Doubt, Found};

pub(super) fn outcome(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    renaming: Renaming,
) -> Result<Outcome, Refusal> {
    let Renaming { mut edits, sites, exposed_by, overrides, notes } = renaming;
    let mut outcome = Outcome { sites, notes, ..Outcome::default() };
    shown_names::follow(project, request, found, &mut edits);
    let left = found.mentions.iter().filter(|doubt| !edits.covers(&doubt.path, doubt.range));
    outcome.mentions.extend(left.map(|doubt| mention(project, doubt)));
    outcome.mentions.extend(own_names::mentions(project, request, found, &edits));
    follow_tests(project, request, found, &mut edits, &mut outcome);
    let api = if request.alias { Vec::new() } else { api(request, &exposed_by, &overrides) };
    let documented = follow_documents(project, request, found, &exposed_by);
    edits.merge(from_documents(documented.edits));
    outcome.mentions.extend(documented.mentions);
    if let Some(note) = request.note_in_changelogs {
        let changelogs = changelogs::notes(project, request, note);
        let paths: Vec<String> = changelogs.paths().map(str::to_owned).collect();
        outcome.mentions.retain(|mention| !paths.contains(&mention.path));
        edits.merge(changelogs);
    }
    let changes = in_order(project.files, edits.apply(project.files)?);
    outcome.files = fitted(project.files, changes);
    if request.alias {
        alias::keep(project, request, &exposed_by, &overrides, &mut outcome)?;
    }
    let count = rb_core::plural(outcome.files.len(), "file");
    if request.rename_files {
        rename_files(project, request, found, &mut outcome)?;
    }
    outcome.title = format!("`{}` renamed to `{}` in {count}", request.symbol.name, request.to);
    outcome.notes.extend(api_note(request, &api));
    outcome.api = api;
    outcome.mentions.sort();
    outcome.mentions.dedup();
    Ok(outcome)
}

fn mention(project: &Project<'_>, doubt: &Doubt) -> Mention {
    let path = doubt.path.clone();
    let Some(source) = project.source(&path) else {
        return Mention { path, line: 1, text: doubt.why.clone() };
    };
    Mention::at(&path, source.text(), doubt.range.start().to_usize())
}

fn follow_tests(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    edits: &mut FileEdits,
    outcome: &mut Outcome,
) {
    for test in tests_named_after(project, request, found) {
        if !request.rename_tests || !test.rename(project, edits) {
            outcome.mentions.push(test.mention());
        }
    }
}

/// Documents name the symbol by every module that has it. The bare word may mean a name that is kept somewhere, a parameter, or what
/// templates and the like know it by.
fn follow_documents(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    exposed_by: &[String],
) -> Documents {
    let name = &request.symbol.name;
    let new_name = match name.rsplit_once('.') {
        Some((class, _)) => format!("{class}.{}", request.to),
        None => request.to.to_owned(),
    };
    let modules = std::iter::once(&request.symbol.path).chain(exposed_by);
    let dotted = modules.flat_map(|path| {
        let names = project.module_names(path).into_iter();
        names.map(|module| (format!("{module}.{name}"), format!("{module}.{new_name}")))
    });
    let dotted: Vec<(String, String)> = dotted.collect();
    let mut names = vec![(name.clone(), new_name.clone())];
    if name.contains('.') {
        names.push((request.old.to_owned(), request.to.to_owned()));
    }
    let query = DocumentQuery { dotted: dotted.clone(), names, ..DocumentQuery::default() };
    let all = documents(project, &query);
    let has_other_meaning =
        is_parameter(project, request.old) || is_given_by_name(project, request.old, found);
    if request.keep_name_in.is_empty() && !has_other_meaning {
        return all;
    }
    let sure = documents(project, &DocumentQuery { dotted, ..DocumentQuery::default() });
    let mut mentions = all.mentions;
    mentions.extend(sure.mentions);
    for (path, edits) in &all.edits {
        let known = sure.edits.get(path);
        let left = edits.iter().filter(|edit| !known.is_some_and(|known| known.contains(edit)));
        let text = project.files.text(path).unwrap_or_default();
        mentions.extend(left.map(|edit| Mention::at(path, &text, edit.start as usize)));
    }
    Documents { edits: sure.edits, mentions }
}

fn is_parameter(project: &Project<'_>, name: &str) -> bool {
    project.files_with(&[name]).iter().filter(|path| !Project::is_test(path)).any(|path| {
        let Some(source) = project.source(path) else { return false };
        let mut variables = source.scopes().variables.iter().filter(|one| one.name == name);
        variables.any(|one| one.bindings.iter().any(|one| one.kind == BindingKind::Parameter))
    })
}

/// `globals.update(name=name)`, `{"name": name}`: others know it by its old name as before.
fn is_given_by_name(project: &Project<'_>, name: &str, found: &Found) -> bool {
    let keys = [format!("{name}="), format!("\"{name}\": "), format!("'{name}': ")];
    found.references.iter().any(|reference| {
        let source = project.source(&reference.path);
        source.is_some_and(|source| {
            let before = &source.text()[..reference.range.start().to_usize()];
            keys.iter().any(|key| before.ends_with(key.as_str()))
        })
    })
}

fn from_documents(edits: BTreeMap<String, Vec<rb_core::Edit>>) -> FileEdits {
    let mut all = FileEdits::default();
    for (path, edits) in edits {
        for edit in edits {
            all.add(&path, edit);
        }
    }
    all
}

fn api(request: &Request<'_>, exposed_by: &[String], overrides: &[SymbolPath]) -> Vec<ApiChange> {
    let name = &request.symbol.name;
    let paths = std::iter::once(&request.symbol.path).chain(exposed_by);
    let own = paths.map(|path| (path, name.clone()));
    let others = overrides.iter().map(|one| (&one.path, format!("{}.{}", one.name, request.old)));
    let is_api = |(path, name): &(&String, String)| is_public(name) && !Project::is_test(path);
    let change = |(path, before): (&String, String)| {
        let after = match before.rsplit_once('.') {
            Some((class, _)) => format!("{class}.{}", request.to),
            None => request.to.to_owned(),
        };
        ApiChange { path: path.clone(), before, after }
    };
    own.chain(others).filter(is_api).map(change).collect()
}

fn api_note(request: &Request<'_>, api: &[ApiChange]) -> Option<String> {
    api.first()?;
    let (old, to) = (request.old, request.to);
    let place = match request.symbol.name.rsplit_once('.') {
        Some((class, _)) => format!("in the body of `{class}`"),
        None => format!("at the end of {}", request.symbol.path),
    };
    let kept = match request.keep_name_in {
        [] => String::new(),
        paths => format!(", except through {}", paths.join(" and ")),
    };
    Some(format!(
        "`{old}` is public: users outside of this project have to follow{kept}. To keep the old name for them, add `{old} = {to}` {place}"
    ))
}

/// Files that are named after the symbol get its new name; those that others import, with all that follows from it.
fn rename_files(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    outcome: &mut Outcome,
) -> Result<(), Refusal> {
    let mut overlay = Overlay::with(project.files, &outcome.files);
    for (path, to) in files_named_after(request, found) {
        if project.files.text(&to).is_some() {
            outcome.notes.push(format!("{path} keeps its name: {to} exists"));
            continue;
        }
        let step = {
            let project = Project::new(&overlay);
            let operation = Operation::RenameModule { path: path.clone(), to: to.clone() };
            rename_module::plan(&project, &operation)?
        };
        for (path, change) in step.files {
            overlay.put(&path, change);
        }
        outcome.notes.push(format!("{path} is now {to}"));
        outcome.mentions.extend(step.mentions);
        for mention in &mut outcome.mentions {
            if mention.path == path {
                mention.path.clone_from(&to);
            }
        }
    }
    outcome.files = overlay.into_changes();
    Ok(())
}
