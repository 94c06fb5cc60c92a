//! Makes a name of one module known in a file that has begun to use it.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_core::Edit;
use rb_python::{ImportPlace, Name, Ranged, ScopeId, Source, TextRange};

use super::calls::{place, refusal};
use super::functions::functions;
use super::relocation::loads::Loads;
use super::relocation::specifier::{form, specifier};
use crate::imports::{ImportEditor, Imported, Section, at_head_of_function};
use crate::outcome::Refusal;
use crate::project::Project;

/// A top-level name, and the module that defines it.
pub(super) struct Needed<'n> {
    pub(super) home: &'n str,
    pub(super) name: &'n str,
    /// Another name of that module. Where a function imports it for itself, the new one is imported there as well.
    pub(super) beside: &'n str,
}

/// The text with the imports that it needs. `project` is as it was before the text changed.
pub(super) fn with_import(
    project: &Project<'_>,
    path: &str,
    text: Arc<str>,
    needed: &Needed<'_>,
) -> Result<Arc<str>, Refusal> {
    if path == needed.home {
        return Ok(text);
    }
    let source = Source::parse(path, Arc::clone(&text)).map_err(|error| {
        Refusal::new(format!("{path} would have a syntax error in {error}"), "change it by hand")
    })?;
    if source.scopes().global(needed.name).is_some() {
        return Err(taken(&source, needed.name));
    }
    let uses = source.scopes().names.iter();
    let uses = uses.filter(|one| one.name == needed.name && one.variable.is_none());
    let mut edits = BTreeSet::new();
    let mut is_at_top = false;
    for one in uses {
        match local_import(project, &source, one, needed) {
            Some(at) => _ = edits.insert(Edit::insert(at, format!(", {}", needed.name))),
            None if makes_cycle(project, path, needed.home) => {
                edits.insert(import_in_function(project, &source, one, needed)?);
            }
            None => is_at_top = true,
        }
    }
    let edits: Vec<Edit> = edits.into_iter().collect();
    let text: Arc<str> = rb_core::edit::apply(&text, &edits)
        .map_err(|error| Refusal::new(error.to_string(), "change the imports by hand"))?
        .into();
    if !is_at_top {
        return Ok(text);
    }
    let module = written(project, &source, needed);
    let mut editor = ImportEditor::new(project.files, path, text)?;
    editor.add(&Imported::from(module, needed.name), Section::Top);
    editor.finish()
}

/// Behind the name of the other symbol, where a function imports that for itself.
fn local_import(
    project: &Project<'_>,
    source: &Source,
    one: &Name,
    needed: &Needed<'_>,
) -> Option<u32> {
    let scopes = source.scopes();
    let around: Vec<ScopeId> =
        std::iter::successors(Some(one.scope), |scope| scopes.scope(*scope).parent).collect();
    source.imports().iter().find_map(|import| {
        let is_local = matches!(import.place, ImportPlace::Local | ImportPlace::Conditional);
        let is_seen = import.is_from && is_local && around.contains(&import.scope);
        let name = import.names.iter().find(|name| is_seen && name.name == needed.beside)?;
        let module = project.files.resolve(source.path(), &import.specifier(0))?;
        (project.module_path(&module) == needed.home).then(|| name.range.end().into())
    })
}

/// Would an import at the top lead back to the file while it is loaded?
fn makes_cycle(project: &Project<'_>, path: &str, home: &str) -> bool {
    let loads = Loads::new(project);
    let is_loaded_already = loads.of(path).contains(home);
    let (from, to) = (BTreeSet::from([home.to_owned()]), BTreeSet::from([path.to_owned()]));
    !is_loaded_already && loads.chain(&from, &to).is_some()
}

fn import_in_function(
    project: &Project<'_>,
    source: &Source,
    one: &Name,
    needed: &Needed<'_>,
) -> Result<Edit, Refusal> {
    check_locals(source, one.range)?;
    let statement = Imported::from(written(project, source, needed), needed.name).statement();
    at_head_of_function(source, one.range, &[statement]).ok_or_else(|| {
        let places = vec![place(source, one.range, format!("`{}` is needed here", needed.name))];
        let reason = format!("importing {} here would make an import cycle", needed.home);
        refusal(reason, places, "break the cycle first")
    })
}

/// An import is one more variable of a function, which `locals()` would give.
pub(super) fn check_locals(source: &Source, range: TextRange) -> Result<(), Refusal> {
    let mut functions = functions(source).into_iter();
    let around = functions.find(|one| one.node.range().contains_range(range));
    let locals = around.and_then(|function| Some((function.locals(source)?, function.node)));
    let Some((locals, function)) = locals else { return Ok(()) };
    let name = &function.name;
    let reason = format!("an import in `{name}`, which uses `locals()`, would change what it does");
    let places = vec![place(source, locals, "`locals()` would have the imported name")];
    Err(refusal(reason, places, "choose a module that can be imported at the top"))
}

/// As the file writes the module already, or as it writes others.
fn written(project: &Project<'_>, source: &Source, needed: &Needed<'_>) -> String {
    let from =
        source.imports().iter().filter(|import| import.is_from && import.place == ImportPlace::Top);
    let mut specifiers = from.map(|import| import.specifier(0));
    let is_home = |module: &String| {
        let found = project.files.resolve(source.path(), module);
        found.is_some_and(|found| project.module_path(&found) == needed.home)
    };
    specifiers.find(is_home).unwrap_or_else(|| {
        specifier(project, source.path(), needed.home, form(project, source, needed.home))
    })
}

fn taken(source: &Source, name: &str) -> Refusal {
    let variable = source.scopes().global(name);
    let binding = variable.and_then(|id| source.scopes().variable(id).bindings.first().cloned());
    let places = binding.map(|binding| place(source, binding.range, "it is bound here"));
    let reason = format!("the name `{name}` is taken in {}", source.path());
    refusal(reason, places.into_iter().collect(), "choose another name")
}
