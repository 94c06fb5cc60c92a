//! `Move`: top-level symbols go to another module, which is created if it does not exist.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_operations::{FileChange, Files, Operation, Outcome, Overlay, Refusal, SymbolPath};

use crate::check::{after, check};
use crate::cycles::check_cycles;
use crate::path_meaning::meaning;
use crate::project::{Project, is_declaration_file, is_script, is_typescript, tree_of};
use crate::relocation::Relocation;

pub(crate) fn plan(files: &dyn Files, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Move { symbols, to } = operation else {
        return Err(Refusal::new("this is not a move", "use `Move`"));
    };
    let mut by_file: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for symbol in symbols {
        check_paths(files, symbol, to)?;
        by_file.entry(&symbol.path).or_default().insert(symbol.name.clone());
    }
    if by_file.is_empty() {
        return Err(Refusal::new("there is nothing to move", "name the symbols to move"));
    }
    let mut overlay = Overlay::new(files);
    let mut outcome = Outcome::default();
    for (from, names) in &by_file {
        let one = move_names(&overlay, from, to, names)?;
        for (path, change) in one.files {
            overlay.put(&path, change);
        }
        outcome.sites.extend(one.sites);
        outcome.api.extend(one.api);
        outcome.notes.extend(one.notes);
    }
    outcome.files = overlay.into_changes();
    let names: Vec<String> = symbols.iter().map(|it| format!("`{}`", it.name)).collect();
    let count = plural(outcome.files.len(), "file");
    outcome.title = format!("{} moved to {to} in {count}", names.join(", "));
    Ok(outcome)
}

fn check_paths(files: &dyn Files, symbol: &SymbolPath, to: &str) -> Result<(), Refusal> {
    if !is_script(to) {
        let reason = format!("{to} is not a JavaScript or TypeScript file");
        return Err(Refusal::new(reason, "give a path that ends in .ts, .tsx, .js or .jsx"));
    }
    if symbol.path == to {
        return Err(Refusal::new(
            format!("`{}` is in {to} already", symbol.name),
            "give another file",
        ));
    }
    if is_declaration_file(to) != is_declaration_file(&symbol.path) {
        let reason = "a declaration file and a file with code cannot exchange code".to_owned();
        return Err(Refusal::new(reason, "give a file of the same kind"));
    }
    if is_typescript(&symbol.path) && !is_typescript(to) {
        let reason = format!("{to} is a JavaScript file, and {} TypeScript", symbol.path);
        return Err(Refusal::new(reason, "give a TypeScript file"));
    }
    let stem = symbol.path.rsplit_once('.').map_or("", |(stem, _)| stem);
    let beside = format!("{stem}.d.ts");
    if !is_typescript(&symbol.path) && files.text(&beside).is_some() {
        let reason = format!("{beside} declares the types of {}", symbol.path);
        return Err(Refusal::new(reason, "move the types by hand"));
    }
    Ok(())
}

/// A framework or a tool takes the exports of some files by their names.
fn check_meaning(
    project: &Project<'_>,
    from: &str,
    names: &BTreeSet<String>,
) -> Result<(), Refusal> {
    let meant = meaning(from, &project.files.paths());
    let meant = meant.filter(|it| !matches!(it.what, "a test file" | "a declaration file"));
    let (Some(meant), Some(facts)) = (meant, project.module(from)) else { return Ok(()) };
    let is_exported = |name: &&String| facts.links.names_of(name).next().is_some();
    match names.iter().find(is_exported) {
        Some(name) => {
            let reason = format!("{from} has to export `{name}`: it is {}", meant.what);
            Err(Refusal::new(reason, "move what it uses instead"))
        }
        None => Ok(()),
    }
}

/// Names of one file.
pub(crate) fn move_names(
    files: &dyn Files,
    from: &str,
    to: &str,
    names: &BTreeSet<String>,
) -> Result<Outcome, Refusal> {
    let is_new = files.text(to).is_none();
    let with_target = with_target(files, from, to);
    let tree = tree_of(&with_target);
    let project = Project::new(&with_target, &tree);
    for name in names {
        project.declaration(&SymbolPath { path: from.to_owned(), name: name.clone() })?;
    }
    check_meaning(&project, from, names)?;
    let mut relocation = Relocation::new(&project, from, to, names, is_new)?;
    relocation.carry_out()?;
    let mut changes = relocation.edits.apply(project.files)?;
    tidy_source(&project, from, &mut changes);
    check(&project, &changes)?;
    let mut notes = relocation.notes.clone();
    let helpers = relocation.names.difference(names);
    notes.extend(helpers.map(|it| format!("`{it}` went along: nothing else uses it")));
    notes.extend(check_cycles(&project, &after(project.files, &changes), &[from, to])?);
    let default = relocation.exports.get("default");
    notes
        .extend(default.map(|it| format!("`{it}` was the default export, and is a named one now")));
    let sites = names.iter().filter_map(|name| {
        let declaration = relocation.source.declaration(name)?;
        Some(project.place(from, declaration.start(), name.clone()))
    });
    let mut outcome =
        Outcome { sites: sites.collect(), api: relocation.api(), notes, ..Outcome::default() };
    let mut whole = Overlay::new(files);
    if is_new {
        let text = with_target.text(to).unwrap_or_default();
        whole.put(to, FileChange::Created(text));
    }
    for (path, change) in changes {
        whole.put(&path, change);
    }
    outcome.files = whole.into_changes();
    Ok(outcome)
}

/// The files, with the target among them: empty but for the directives of the source.
fn with_target<'f>(files: &'f dyn Files, from: &str, to: &str) -> Overlay<'f> {
    let mut overlay = Overlay::new(files);
    if files.text(to).is_some() {
        return overlay;
    }
    let tree = tree_of(files);
    let source = Project::new(files, &tree).module(from);
    let mut text = String::new();
    if let Some(source) = source {
        for directive in source.directives.iter().filter(|it| it.as_str() != "use strict") {
            text.push_str(&source.style.quoted(directive));
            text.push_str(source.style.semicolon());
            text.push_str(source.style.line_end);
        }
    }
    overlay.put(to, FileChange::Created(text.into()));
    overlay
}

/// A source that has nothing left is removed, or stays a module for those who still import it.
fn tidy_source(project: &Project<'_>, from: &str, changes: &mut BTreeMap<String, FileChange>) {
    let Some(FileChange::Edited(text)) = changes.get(from) else { return };
    let files = after(project.files, changes);
    let tree = tree_of(&files);
    let now = Project::new(&files, &tree);
    let Some(facts) = now.module(from) else { return };
    let is_empty = facts.statements.is_empty()
        && facts.declarations.is_empty()
        && facts.rest.is_empty()
        && facts.directives.is_empty()
        && facts.specifiers.is_empty();
    if !is_empty {
        return;
    }
    let has_comments = !text.trim_start_matches('\u{feff}').trim().is_empty();
    if now.users_of(from).is_empty() && !has_comments {
        changes.insert(from.to_owned(), FileChange::Removed);
    } else {
        let end = facts.style.semicolon();
        let text = format!("{}export {{}}{end}\n", text.trim_start());
        changes.insert(from.to_owned(), FileChange::Edited(text.into()));
    }
}

#[cfg(test)]
mod tests;
