//! Imports that a change left without a use: the names go, and a statement with its last name.
//!
//! Only a name that the file used before and no longer uses is taken. It stays where somebody else may need it: another file imports it from
//! here or names it with the module, `__all__` lists it, a comment stands at it, or loading its module does something that nothing else does.

mod loading;
mod takers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rb_python::{BindingKind, Import, ImportPlace, NameRole, Source, StringUse};

use self::loading::is_missed;
use self::takers::ModuleNames;
use crate::files::Files;
use crate::imports::{ImportEditor, Imported};
use crate::layout::{self, line_end, line_start};
use crate::project::{Project, word_ranges};
use crate::source_cache::CachedFiles;

/// The text of a file without the imports that nothing uses any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanedImports {
    pub text: Arc<str>,
    /// In the order of the text.
    pub removed: Vec<RemovedImport>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedImport {
    /// As the file knows it.
    pub name: String,
    /// Where it stood.
    pub line: u32,
}

/// Functions that reach every name of a module.
const BY_ANY_NAME: &[&str] = &["globals", "locals", "vars", "eval", "exec", "__import__"];

/// Takes out what `path` imported and used when its text was `before`, and no longer uses. `files` has the file as it is now. None if there is
/// nothing to take out.
pub fn remove_unused_imports(
    files: &dyn Files,
    path: &str,
    before: &str,
) -> Option<CleanedImports> {
    let name = path.rsplit('/').next().unwrap_or(path);
    // Files that import in order to give on.
    let is_python = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "py");
    if !is_python || matches!(name, "__init__.py" | "conftest.py") {
        return None;
    }
    let files = CachedFiles::new(files);
    let project = Project::new(&files);
    let now = project.source(path)?;
    let before = Source::parse(path, before.into()).ok()?;
    let is_open = now
        .scopes()
        .names
        .iter()
        .any(|it| it.variable.is_none() && BY_ANY_NAME.contains(&it.name.as_str()));
    let unused: Vec<(usize, usize)> = names(&now)
        .filter(|(import, name)| {
            let local = now.imports()[*import].names[*name].local();
            is_unused(&now, *import, *name) && is_used(&before, local)
        })
        .collect();
    if is_open || unused.is_empty() || now.all().is_some_and(|all| all.is_partial) {
        return None;
    }
    let module = ModuleNames::of(&project, path);
    let is_free = |(import, name): &(usize, usize)| {
        let import = &now.imports()[*import];
        let local = import.names[*name].local();
        is_plain(&now, import, *name)
            && !is_mentioned(&now, import, local)
            && !module.is_taken(&project, local)
            && !is_missed(&project, &now, import, *name)
    };
    let unused: Vec<(usize, usize)> = unused.into_iter().filter(is_free).collect();
    let mut editor = ImportEditor::new(&files, path, Arc::clone(now.text())).ok()?;
    let mut removed = Vec::new();
    for (import, name) in unused {
        let import = &now.imports()[import];
        let (at, within) = editor.find(&Imported::of(import, name), import.place)?;
        editor.remove(at, within);
        let line = now.line(import.names[name].range.start());
        removed.push(RemovedImport { name: import.names[name].local().to_owned(), line });
    }
    let text = editor.finish().ok()?;
    (!removed.is_empty()).then_some(CleanedImports { text, removed })
}

/// The names that statements at the top bind, as indexes of statement and name.
fn names(source: &Source) -> impl Iterator<Item = (usize, usize)> {
    let imports =
        source.imports().iter().enumerate().filter(|(_, import)| {
            matches!(import.place, ImportPlace::Top | ImportPlace::TypeChecking)
        });
    imports.flat_map(|(at, import)| (0..import.names.len()).map(move |name| (at, name)))
}

/// Is the import all that the name is, and does nothing use it?
fn is_unused(source: &Source, import: usize, name: usize) -> bool {
    let local = source.imports()[import].names[name].local();
    let Some(variable) = source.scopes().global(local) else { return false };
    let bindings = &source.scopes().variable(variable).bindings;
    matches!(bindings.as_slice(), [only] if only.kind == BindingKind::Import { import, name })
        && source.scopes().names_of(variable).next().is_none()
}

/// Did an import bind the name, and did something use it?
fn is_used(source: &Source, local: &str) -> bool {
    let Some(variable) = source.scopes().global(local) else { return false };
    let mut bindings = source.scopes().variable(variable).bindings.iter();
    bindings.any(|it| matches!(it.kind, BindingKind::Import { .. }))
        && source.scopes().names_of(variable).any(|it| it.role == NameRole::Use)
}

/// Does the statement only bind names, and does nobody say more about it?
fn is_plain(source: &Source, import: &Import, name: usize) -> bool {
    let imported = &import.names[name];
    let is_given_on = imported.alias.as_ref().is_some_and(|(alias, _)| *alias == imported.name);
    let loads = !import.is_from && imported.alias.is_none() && imported.name.contains('.');
    let text: &str = source.text();
    let (start, end) = (import.range.start().to_usize(), import.range.end().to_usize());
    let lines = &text[line_start(text, start)..line_end(text, end)];
    !is_given_on
        && !loads
        && imported.local() != "_"
        && imported.name != "*"
        && import.specifier(name) != "__future__"
        && !lines.contains('#')
}

/// Does a list of exports, a string, a doctest or a comment for type checkers name it?
fn is_mentioned(source: &Source, import: &Import, local: &str) -> bool {
    let text: &str = source.text();
    let comments = source.comments();
    let places = word_ranges(text, local).map(|place| layout::range(place.start, place.end));
    places.filter(|place| !import.range.contains_range(*place)).any(|place| {
        let start = line_start(text, place.start().to_usize());
        let line = text[start..].lines().next().unwrap_or_default().trim_start();
        if comments.iter().any(|it| it.contains_range(place)) {
            return line.contains("type:");
        }
        let mut strings = source.strings().iter().filter(|it| it.range.contains_range(place));
        strings.any(|it| match it.usage {
            StringUse::Docstring => line.starts_with(">>>") || line.starts_with("..."),
            StringUse::Annotation
            | StringUse::Argument { .. }
            | StringUse::All
            | StringUse::Other => !it.is_bytes,
        })
    })
}
