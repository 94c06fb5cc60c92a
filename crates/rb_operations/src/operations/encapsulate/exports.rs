//! The class instead of its functions in `__all__` and in imports.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_python::{Import, ImportName, ImportPlace, Source, TextRange};

use crate::imports::{ImportEditor, Imported};
use crate::operations::edits::FileEdits;
use crate::operations::item_list::ItemList;
use crate::outcome::Refusal;
use crate::project::Project;
use crate::references::{Reference, ReferenceKind};

/// The first entry becomes that of the class, the others go.
pub(super) fn rewrite(
    project: &Project<'_>,
    class: &str,
    path: &str,
    entries: &[Reference],
    edits: &mut FileEdits,
) {
    let Some(source) = project.source(path) else { return };
    let Some(all) = source.all() else { return };
    let mut ranges: Vec<TextRange> = entries.iter().map(|entry| entry.range).collect();
    ranges.sort_by_key(|range| range.start());
    ranges.dedup();
    let Some(first) = ranges.first() else { return };
    edits.replace(path, *first, class);
    for (list, brackets) in all.ranges.iter().enumerate() {
        let own: Vec<TextRange> = all
            .entries
            .iter()
            .filter(|entry| entry.list == list)
            .map(|entry| entry.range)
            .collect();
        let gone: Vec<TextRange> = ranges[1..]
            .iter()
            .filter_map(|range| own.iter().find(|entry| entry.contains_range(*range)).copied())
            .collect();
        if !source.slice(*brackets).starts_with(['[', '(']) {
            for entry in gone {
                edits.replace(path, entry, format!("\"{class}\""));
            }
            continue;
        }
        let items = ItemList::new(&source, *brackets, &own);
        let indexes: Vec<usize> = gone.iter().filter_map(|entry| items.index_of(*entry)).collect();
        for edit in items.remove(&indexes) {
            edits.add(path, edit);
        }
    }
}

/// The text, importing the class where it imported the functions. The imports stand as they did before other edits.
pub(super) fn import_class(
    project: &Project<'_>,
    class: &str,
    path: &str,
    text: Arc<str>,
    references: &[Reference],
) -> Result<Arc<str>, Refusal> {
    let mut by_statement: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for reference in references {
        if let ReferenceKind::Import { import, name } = reference.kind {
            by_statement.entry(import).or_default().push(name);
        }
    }
    let mut editor = ImportEditor::new(project.files, path, text)?;
    // From the last to the first: a statement that goes shifts those behind it.
    for (import, mut names) in by_statement.into_iter().rev() {
        names.sort_unstable();
        names.dedup();
        let Some(statement) = editor.source().imports().get(import).cloned() else { continue };
        let gives_on = names.iter().any(|name| is_given_on(&statement.names[*name]));
        let alias = gives_on.then(|| class.to_owned());
        let new = Imported { alias, ..Imported::from(statement.specifier(0), class) };
        let is_there = editor.source().imports().iter().any(|other| {
            other.scope == statement.scope && other.names.iter().any(|name| name.local() == class)
        });
        let kept = if is_there { None } else { names.first().copied() };
        for name in names.iter().rev().filter(|name| Some(**name) != kept) {
            editor.remove(import, *name);
        }
        if let Some(kept) = kept {
            // Only names behind it went, so it stands where it stood.
            editor.replace(import, kept, &new);
        }
    }
    editor.finish()
}

/// `from m import f as f` says that others may take it from here.
fn is_given_on(name: &ImportName) -> bool {
    name.alias.as_ref().is_some_and(|(alias, _)| *alias == name.name)
}

/// The text without an import of the module that nothing uses any more.
pub(super) fn without_module(
    project: &Project<'_>,
    home: &str,
    path: &str,
    text: Arc<str>,
) -> Result<Arc<str>, Refusal> {
    let mut editor = ImportEditor::new(project.files, path, text)?;
    let is_gone = |import: usize, name: usize| {
        let source = editor.source();
        let file = module_of(&source.imports()[import], name)
            .and_then(|module| project.files.resolve(path, &module));
        let is_home = file.is_some_and(|file| project.module_path(&file) == home);
        is_home && !is_used(source, import, name)
    };
    let imports = editor.source().imports().iter().enumerate();
    let all: Vec<(usize, usize)> = imports
        .flat_map(|(import, statement)| (0..statement.names.len()).map(move |name| (import, name)))
        .filter(|(import, name)| is_gone(*import, *name))
        .collect();
    for (import, name) in all.into_iter().rev() {
        editor.remove(import, name);
    }
    editor.finish()
}

/// The module that a name of an import may be. None for `import a.b`, which others may count on.
fn module_of(import: &Import, name: usize) -> Option<String> {
    let imported = &import.names[name];
    let from = import.specifier(name);
    match import.is_from {
        true if from.ends_with('.') => Some(format!("{from}{}", imported.name)),
        true => Some(format!("{from}.{}", imported.name)),
        false if imported.name.contains('.') && imported.alias.is_none() => None,
        false => Some(imported.name.clone()),
    }
}

/// Does the file use it, or is it there for others?
fn is_used(source: &Source, import: usize, name: usize) -> bool {
    let import = &source.imports()[import];
    let is_package = source.path().ends_with("__init__.py");
    if is_package && import.place != ImportPlace::Local {
        return true;
    }
    let scopes = source.scopes();
    let own = scopes.scope(import.scope).variables.get(import.names[name].local());
    own.is_none_or(|id| {
        scopes.names_of(*id).next().is_some() || scopes.variable(*id).bindings.len() > 1
    })
}
