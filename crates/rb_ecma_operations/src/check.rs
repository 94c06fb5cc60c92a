//! A last look at what an operation made: every file parses, every import leads somewhere, no name lost what it meant.
//!
//! Operations are written to get this right; what slips through becomes a refusal and never an edit.

use std::collections::{BTreeMap, BTreeSet};

use rb_ecma::links::{ImportKind, Target};
use rb_operations::{FileChange, Files, Overlay, Place, Refusal};

use crate::project::{ModuleFacts, Origin, Project, is_script, tree_of};

/// Files with the changes on top.
pub(crate) fn after<'f>(
    files: &'f dyn Files,
    changes: &BTreeMap<String, FileChange>,
) -> Overlay<'f> {
    let mut overlay = Overlay::new(files);
    for (path, change) in changes {
        overlay.put(path, change.clone());
    }
    overlay
}

/// Compares the project before and after.
pub(crate) fn check(
    before: &Project<'_>,
    changes: &BTreeMap<String, FileChange>,
) -> Result<(), Refusal> {
    let files = after(before.files, changes);
    let tree = tree_of(&files);
    let now = Project::new(&files, &tree);
    let mut known_globals = BTreeSet::new();
    for path in changes.keys() {
        let facts = before.module(path);
        let globals = facts.iter().flat_map(|it| it.globals().map(|used| used.name.clone()));
        known_globals.extend(globals.collect::<Vec<_>>());
    }
    let mut looked_at = BTreeSet::new();
    for (path, change) in changes.iter().filter(|(path, _)| is_script(path)) {
        looked_at.extend(before.users_of(path).iter().cloned());
        if matches!(change, FileChange::Removed) {
            continue;
        }
        looked_at.insert(path.clone());
        let Some(facts) = now.module(path) else {
            let reason = format!("the change would leave {path} with a syntax error");
            return Err(Refusal::new(reason, "change this file by hand"));
        };
        if let Some(lost) = facts.globals().find(|it| !known_globals.contains(&it.name)) {
            let place = now.place(path, lost.range.start, lost.name.clone());
            let reason = format!("`{}` would no longer be bound in {path}", lost.name);
            return Err(Refusal {
                places: vec![place],
                ..Refusal::new(reason, "change this file by hand")
            });
        }
        check_doubles(&now, path, &facts)?;
    }
    for path in looked_at {
        check_imports(before, &now, &path)?;
    }
    Ok(())
}

/// Nothing is imported twice under one name, or both imported and declared.
fn check_doubles(now: &Project<'_>, path: &str, facts: &ModuleFacts) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for statement in facts.statements.iter().filter(|it| !it.is_reexport) {
        for name in &statement.names {
            let is_declared = facts.declaration(&name.local).is_some_and(|it| !it.is_type());
            if !seen.insert(&name.local) || is_declared {
                let place = now.place(path, name.range.start, name.local.clone());
                let reason = format!("`{}` would be declared twice in {path}", name.local);
                let refusal = Refusal::new(reason, "rename one of them first");
                return Err(Refusal { places: vec![place], ..refusal });
            }
        }
    }
    check_exports(now, path, facts)
}

/// Nothing is exported twice under one name.
fn check_exports(now: &Project<'_>, path: &str, facts: &ModuleFacts) -> Result<(), Refusal> {
    let declared = facts
        .declarations
        .iter()
        .filter(|it| it.pieces.iter().any(|piece| piece.keyword.is_some() && !piece.is_default));
    let mut seen: BTreeSet<&str> = declared.map(|it| it.name.as_str()).collect();
    let lists = facts.statements.iter().filter(|it| it.is_reexport);
    for name in lists.flat_map(|it| &it.names).filter(|it| !it.local.is_empty()) {
        if !seen.insert(&name.local) {
            let place = now.place(path, name.range.start, name.local.clone());
            let reason = format!("`{}` would be exported twice by {path}", name.local);
            let refusal = Refusal::new(reason, "remove one of the exports first");
            return Err(Refusal { places: vec![place], ..refusal });
        }
    }
    Ok(())
}

/// What a file imports must be there, if it was there before.
fn check_imports(before: &Project<'_>, now: &Project<'_>, path: &str) -> Result<(), Refusal> {
    let Some(facts) = now.module(path) else { return Ok(()) };
    let known: Vec<Place> =
        before.module(path).map(|it| missing(before, path, &it)).unwrap_or_default();
    for place in missing(now, path, &facts) {
        if !known.iter().any(|it| it.what == place.what) {
            let reason = format!("{path} could no longer import {}", place.what);
            return Err(Refusal {
                places: vec![place],
                ..Refusal::new(reason, "change it by hand")
            });
        }
    }
    Ok(())
}

/// Imports that lead nowhere.
fn missing(project: &Project<'_>, path: &str, facts: &ModuleFacts) -> Vec<Place> {
    let mut found = Vec::new();
    for import in &facts.links.imports {
        let name = match &import.taken {
            ImportKind::Name(name) | ImportKind::GivenOn { name, .. } => Some(name),
            ImportKind::Whole
            | ImportKind::AllGivenOn
            | ImportKind::WholeGivenOn { .. }
            | ImportKind::Nothing => None,
        };
        let what = match (&import.target, name) {
            (Target::Unknown, _) if import.specifier.starts_with('.') => {
                format!("`{}`", import.specifier)
            }
            (Target::File(file), Some(name)) if project.origin(file, name) == Origin::Missing => {
                format!("`{name}` of `{}`", import.specifier)
            }
            _ => continue,
        };
        found.push(project.place(path, import.place.start, what));
    }
    found
}
