//! A module or package gets another name or folder: its files move, and everything that names it follows.
//!
//! Imports are worked out from where the files are afterwards, so that relative imports in moved files and in those that import them come
//! right in one way.

mod file;
mod local_name;
mod paths;

use std::collections::{BTreeMap, BTreeSet};

use super::changes::{check_importable, check_syntax, follow_documents, rename_documents};
use super::line_fit::fitted;
use super::move_symbols::new_package;
use super::partial_paths::partial_paths;
use super::relocation::specifier::module_name;
use super::sequence::Sequence;
use crate::document::DocumentQuery;
use crate::files::Overlay;
use crate::imports::in_order;
use crate::operation::Operation;
use crate::outcome::{ApiChange, FileChange, Outcome, Place, Refusal};
use crate::project::{Project, is_python};
use crate::references::ModuleReferenceKind;

use self::paths::Paths;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::RenameModule { path, to } = operation else {
        return Err(Refusal::new(
            "this is not a renaming of a module",
            "name a module and its new path",
        ));
    };
    let paths = Paths::new(project, path, to)?;
    let mut sequence = Sequence::new(project.files);
    sequence.step(|project| Ok(new_package(project, &paths.new_module)))?;
    sequence.step(|project| rename(project, &paths))?;
    Ok(sequence.finish())
}

fn rename(project: &Project<'_>, paths: &Paths) -> Result<Outcome, Refusal> {
    let both = with_new_files(project, paths, Old::Kept);
    let after_files = with_new_files(project, paths, Old::Removed);
    let mut references: BTreeMap<String, Vec<ModuleReferenceKind>> = BTreeMap::new();
    for reference in project.module_references(&paths.old_module).references {
        references.entry(reference.path).or_default().push(reference.kind);
    }
    let after = Project::new(&after_files);
    let scene = Scene { project, paths, references: &references, both: &both, after };
    let mut outcome = Outcome { title: paths.title(), ..Outcome::default() };
    for (old, new) in &paths.files {
        let text = project.files.text(old).unwrap_or_else(|| "".into());
        outcome.files.insert(old.clone(), FileChange::Removed);
        outcome.files.insert(new.clone(), FileChange::Created(text));
    }
    for path in scene.files() {
        let text = file::text(&scene, &path, &mut outcome.notes)?;
        let Some(text) = text else { continue };
        let new = paths.renamed(&path);
        let change = if new == path { FileChange::Edited(text) } else { FileChange::Created(text) };
        outcome.files.insert(new, change);
    }
    let query = query(&scene);
    rename_documents(project, &query, &mut outcome);
    follow_documents(project, &mut outcome, &query)?;
    outcome.files = tidied(project, outcome.files);
    check_syntax(&outcome.files)?;
    check_importable(project, &outcome.files, &paths.new_module)?;
    outcome.sites = vec![Place { path: paths.old_module.clone(), line: 1, what: paths.title() }];
    outcome.api = api(&scene);
    Ok(outcome)
}

/// In files that stay where they are, imports stay sorted and lines that got too long are broken.
fn tidied(
    project: &Project<'_>,
    files: BTreeMap<String, FileChange>,
) -> BTreeMap<String, FileChange> {
    let is_edited = |change: &FileChange| matches!(change, FileChange::Edited(_));
    let (edited, mut others): (BTreeMap<_, _>, BTreeMap<_, _>) =
        files.into_iter().partition(|(_, change)| is_edited(change));
    others.extend(fitted(project.files, in_order(project.files, edited)));
    others
}

/// The project before and after.
struct Scene<'p, 'f> {
    project: &'p Project<'f>,
    paths: &'p Paths,
    /// What names the module, by file.
    references: &'p BTreeMap<String, Vec<ModuleReferenceKind>>,
    /// With the old files and the new ones.
    both: &'p Overlay<'p>,
    after: Project<'p>,
}

impl Scene<'_, '_> {
    /// Files that name the module, and those that move.
    fn files(&self) -> BTreeSet<String> {
        let moved = self.paths.files.keys().filter(|path| is_python(path));
        self.references.keys().chain(moved).cloned().collect()
    }

    fn old_name(&self) -> String {
        module_name(self.project, &self.paths.old_module)
    }

    fn new_name(&self) -> String {
        module_name(&self.after, &self.paths.new_module)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Old {
    Kept,
    Removed,
}

fn with_new_files<'o>(project: &'o Project<'_>, paths: &Paths, old_files: Old) -> Overlay<'o> {
    let mut overlay = Overlay::new(project.files);
    for (old, new) in &paths.files {
        let text = project.files.text(old).unwrap_or_else(|| "".into());
        overlay.put(new, FileChange::Created(text));
        if old_files == Old::Removed {
            overlay.put(old, FileChange::Removed);
        }
    }
    overlay
}

fn query(scene: &Scene<'_, '_>) -> DocumentQuery {
    let files = scene.paths.files.iter().map(|(old, new)| (old.clone(), new.clone()));
    let modules = scene.paths.files.iter().filter(|(old, _)| is_python(old));
    let dotted =
        modules.map(|(old, new)| (module_name(scene.project, old), module_name(&scene.after, new)));
    let mut dotted: Vec<(String, String)> = dotted.collect();
    let source = scene.project.source(&scene.paths.old_module);
    let names = source.iter().filter_map(|source| source.scopes().scopes.first());
    let members = names.flat_map(|module| module.variables.keys().cloned()).collect();
    let (old, new) = (scene.old_name(), scene.new_name());
    dotted.extend(partial_paths(scene.project, &scene.paths.old_module, &old, &new, &members));
    DocumentQuery { dotted, files: files.collect(), ..DocumentQuery::default() }
}

fn api(scene: &Scene<'_, '_>) -> Vec<ApiChange> {
    let (before, after) = (scene.old_name(), scene.new_name());
    let is_public = !before.split('.').any(|part| part.starts_with('_'));
    let is_test = Project::is_test(&scene.paths.old_module);
    let change = ApiChange { path: scene.paths.old_module.clone(), before, after };
    if is_public && !is_test { vec![change] } else { Vec::new() }
}

#[cfg(test)]
mod tests;
