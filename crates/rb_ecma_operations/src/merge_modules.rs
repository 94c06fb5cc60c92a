//! `Merge`: all that is in some modules goes into one, which is created if need be, and they are removed.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_operations::{ApiChange, FileChange, Files, Operation, Outcome, Overlay, Refusal};

use crate::check::{after, check};
use crate::cycles::check_cycles;
use crate::edits::FileEdits;
use crate::mentions::mentions;
use crate::path_meaning::meaning;
use crate::project::{Project, is_script, is_typescript, tree_of};
use crate::relocation::Relocation;
use crate::rename_module;

pub(crate) fn plan(files: &dyn Files, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Merge { modules, into, merge_tests } = operation else {
        return Err(Refusal::new("this is not a merge", "use `Merge`"));
    };
    let mut modules: Vec<&String> = modules.iter().filter(|it| *it != into).collect();
    modules.dedup();
    if modules.is_empty() {
        return Err(Refusal::new("there is nothing to merge", "name at least one other module"));
    }
    let mut overlay = Overlay::new(files);
    let mut outcome = Outcome::default();
    for (index, module) in modules.iter().enumerate() {
        let is_first = index == 0 && files.text(into).is_none();
        let one = if is_first {
            let path = (*module).clone();
            rename_module::plan(&overlay, &Operation::RenameModule { path, to: into.clone() })?
        } else {
            merge_one(&overlay, module, into)?
        };
        for (path, change) in one.files {
            overlay.put(&path, change);
        }
        outcome.sites.extend(one.sites);
        outcome.api.extend(one.api);
        outcome.notes.extend(one.notes);
        outcome.mentions.extend(one.mentions);
    }
    if *merge_tests {
        outcome.notes.push("test files were not merged: they import the new module".to_owned());
    }
    outcome.files = overlay.into_changes();
    let names: Vec<&str> = modules.iter().map(|it| it.as_str()).collect();
    let count = plural(outcome.files.len(), "file");
    outcome.title = format!("{} merged into {into} in {count}", names.join(", "));
    Ok(outcome)
}

fn merge_one(files: &dyn Files, module: &str, into: &str) -> Result<Outcome, Refusal> {
    check_paths(files, module, into)?;
    let tree = tree_of(files);
    let project = Project::new(files, &tree);
    let source = project.required(module)?;
    let names: BTreeSet<String> = source.declarations.iter().map(|it| it.name.clone()).collect();
    let mut relocation = Relocation::new(&project, module, into, &names, false)?;
    relocation.merge()?;
    crate::manifests::follow_in_scripts(&project, (module, into), &mut relocation.edits)?;
    let mut changes = relocation.edits.apply(files)?;
    changes.insert(module.to_owned(), FileChange::Removed);
    let mut manifests = FileEdits::default();
    crate::manifests::follow(files, &[(module.to_owned(), into.to_owned())], false, &mut manifests);
    changes.extend(manifests.apply(files)?);
    check(&project, &changes)?;
    let files_after = after(files, &changes);
    let tree_after = tree_of(&files_after);
    let now = Project::new(&files_after, &tree_after);
    crate::manifests::check_published(&project, &now, (module, into))?;
    let mut notes = relocation.notes.clone();
    notes.extend(relocation.lost_comments());
    notes.extend(check_cycles(&project, &files_after, &[into])?);
    Ok(outcome(files, &relocation, changes, notes))
}

fn outcome(
    files: &dyn Files,
    relocation: &Relocation<'_>,
    changes: BTreeMap<String, FileChange>,
    notes: Vec<String>,
) -> Outcome {
    let (from, to) = (relocation.from.clone(), relocation.to.clone());
    let stem = from.rsplit_once('.').map_or(from.as_str(), |(stem, _)| stem).to_owned();
    let mut texts = vec![from.clone()];
    texts.extend(Some(stem).filter(|it| it.contains('/')));
    Outcome {
        title: String::new(),
        sites: vec![relocation.project.place(&from, 0, from.clone())],
        api: vec![ApiChange { path: from, before: "a module".to_owned(), after: to }],
        notes,
        mentions: mentions(files, &changes, &texts),
        files: changes,
    }
}

fn check_paths(files: &dyn Files, module: &str, into: &str) -> Result<(), Refusal> {
    if !is_script(module) || !is_script(into) {
        let reason = format!("{module} and {into} are not both JavaScript or TypeScript files");
        return Err(Refusal::new(reason, "give files of these languages"));
    }
    if is_typescript(module) && !is_typescript(into) {
        let reason = format!("{into} is a JavaScript file, and {module} TypeScript");
        return Err(Refusal::new(reason, "merge into a TypeScript file"));
    }
    match meaning(module, &files.paths()) {
        Some(meant) => {
            let reason = format!("the path of {module} means something: {}", meant.what);
            Err(Refusal::new(reason, "move the symbols that you need instead"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
