//! Other files: what they took from the old module they take from the new one.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_python::{Import, Source, TextRange};

use super::deferred::{check_early_accesses, in_functions};
use super::namespaces;
use super::origin::Remains;
use super::specifier::{Form, specifier};
use super::strings;
use super::target::apply;
use super::uses::{FileUses, members, uses_of};
use super::{Relocation, Report, exports, loads};
use crate::imports::{ImportEditor, Imported, Section};
use crate::outcome::Refusal;

/// The text of a file that uses the old module.
pub(super) fn text(
    relocation: &Relocation<'_, '_>,
    uses: &FileUses,
    remains: &Remains,
    report: &mut Report,
) -> Result<Arc<str>, Refusal> {
    let source = &uses.source;
    let path = source.path();
    let mut edits = strings::edits(relocation, uses, remains, report);
    let plan = namespaces::plan(relocation, uses, remains, report);
    edits.extend(plan.edits.iter().cloned());
    let text: Arc<str> = apply(path, source.text(), &edits)?.into();
    let mut editor = ImportEditor::new(relocation.project.files, path, text)?;
    plan.carry_out(relocation, &mut editor);
    let is_lazy = relocation.is_loaded_by_target(path);
    if let Some(chain) = &is_lazy {
        check_early_accesses(relocation, uses, chain)?;
    }
    let removed = from_names(relocation, &mut editor, is_lazy.is_some());
    star_names(relocation, uses, &mut editor);
    let text = editor.finish()?;
    match is_lazy {
        Some(chain) if !removed.is_empty() => {
            in_functions(relocation, path, &text, &removed, &chain, report)
        }
        _ => Ok(text),
    }
}

/// `from old import x` becomes `from new import x`. The names whose imports were removed instead, because they must not run at load time.
fn from_names(
    relocation: &Relocation<'_, '_>,
    editor: &mut ImportEditor<'_>,
    is_lazy: bool,
) -> Vec<Imported> {
    let mut removed = Vec::new();
    if !is_lazy {
        whole_statements(relocation, editor);
    }
    while let Some((import, name)) = next_from(relocation, editor.source()) {
        let statement = &editor.source().imports()[import];
        let old = Imported::of(statement, name);
        let new = relocation.taken_from_target(editor.source(), statement, &old);
        if is_lazy && loads::is_loaded(editor.source(), statement) {
            removed.push(new);
            editor.remove(import, name);
        } else {
            editor.replace(import, name, &new);
        }
        if editor.has_failed() {
            break;
        }
    }
    removed
}

/// Statements of which all names have moved only change their module.
fn whole_statements(relocation: &Relocation<'_, '_>, editor: &mut ImportEditor<'_>) {
    let is_moved = |import: &Import| {
        import.names.iter().all(|name| {
            relocation.is_moved(&name.name) && relocation.new_name(&name.name) == name.name
        })
    };
    loop {
        let source = editor.source();
        let mut imports = source.imports().iter().enumerate();
        let found =
            imports.find(|(_, import)| is_moved(import) && relocation.is_from_old(source, import));
        let Some((index, import)) = found else { return };
        let form = if import.level > 0 { Form::Relative } else { Form::Absolute };
        let module = specifier(relocation.project, source.path(), &relocation.to, form);
        if !editor.replace_module(index, &module) {
            return;
        }
    }
}

impl Relocation<'_, '_> {
    /// What a file imports in place of a name of the old module.
    pub(super) fn taken_from_target(
        &self,
        source: &Source,
        statement: &Import,
        old: &Imported,
    ) -> Imported {
        let form = if statement.level > 0 { Form::Relative } else { Form::Absolute };
        let own = old.name.as_deref().unwrap_or_default();
        if self.is_moved(own) {
            let module = specifier(self.project, source.path(), &self.to, form);
            return Imported::from(module, self.new_name(own)).bound_as(old);
        }
        // The old module goes, and it only imported the name: from where it did.
        let bound =
            self.old.scopes().global(own).map(|id| &self.old.scopes().variable(id).bindings);
        let import = bound.into_iter().flatten().find_map(|binding| match binding.kind {
            rb_python::BindingKind::Import { import, name } => Some((import, name)),
            _ => None,
        });
        let Some((import, name)) = import else {
            let module = specifier(self.project, source.path(), &self.to, form);
            return Imported::from(module, own).bound_as(old);
        };
        let mut imported = Imported::of(&self.old.imports()[import], name);
        if let Some(path) = self.project.files.resolve(self.old.path(), &imported.module) {
            imported.module = specifier(self.project, source.path(), &path, form);
        }
        imported.bound_as(old)
    }

    fn is_from_old(&self, source: &Source, import: &Import) -> bool {
        let found =
            import.is_from.then(|| self.project.files.resolve(source.path(), &import.specifier(0)));
        let found = found.flatten().map(|found| self.project.module_path(&found));
        found.as_deref() == Some(self.old.path())
    }
}

pub(super) fn next_from(
    relocation: &Relocation<'_, '_>,
    source: &Source,
) -> Option<(usize, usize)> {
    let from = source
        .imports()
        .iter()
        .enumerate()
        .filter(|(_, import)| relocation.is_from_old(source, import));
    let mut names = from.flat_map(|(index, import)| {
        import
            .names
            .iter()
            .enumerate()
            .map(move |(name, imported)| (index, name, imported.name.as_str()))
    });
    let is_followed =
        |name: &str| name != "*" && (relocation.is_whole() || relocation.is_moved(name));
    let is_submodule = |name: &str| {
        relocation.old.path().ends_with("__init__.py") && {
            let folder = crate::files::folder_of(relocation.old.path());
            !relocation.is_moved(name) && relocation.project.exists(&format!("{folder}/{name}.py"))
        }
    };
    names
        .find(|(_, _, name)| is_followed(name) && !is_submodule(name))
        .map(|(index, name, _)| (index, name))
}

pub(super) fn next_star(
    relocation: &Relocation<'_, '_>,
    source: &Source,
) -> Option<(usize, usize)> {
    let mut from = source
        .imports()
        .iter()
        .enumerate()
        .filter(|(_, import)| relocation.is_from_old(source, import));
    from.find(|(_, import)| import.names.iter().any(|name| name.name == "*"))
        .map(|(index, _)| (index, 0))
}

/// `from old import *` no longer brings the moved names in.
fn star_names(relocation: &Relocation<'_, '_>, uses: &FileUses, editor: &mut ImportEditor<'_>) {
    let Some(star) = next_star(relocation, editor.source()) else { return };
    let statement = editor.source().imports()[star.0].clone();
    let form = if statement.level > 0 { Form::Relative } else { Form::Absolute };
    let path = uses.source.path();
    let module = specifier(relocation.project, path, &relocation.to, form);
    let listed: BTreeSet<String> = exports::listed(&relocation.old).into_iter().collect();
    let is_exported = |name: &&String| match relocation.old.all() {
        Some(_) => listed.contains(*name),
        None => !name.starts_with('_'),
    };
    let is_package = path.ends_with("__init__.py");
    let taken = members(&uses_of(relocation.project, path), path);
    let is_wanted = |name: &&String| {
        let is_used = super::target_names::is_unbound_in(editor.source(), name);
        is_package || is_used || taken.contains(*name)
    };
    let names: Vec<String> =
        relocation.selection.names.iter().filter(is_exported).filter(is_wanted).cloned().collect();
    for name in names {
        let imported = Imported::from(&*module, relocation.new_name(&name)).named(&name);
        editor.add(&imported, Section::Top);
    }
    if relocation.is_whole()
        && let Some((import, name)) = next_star(relocation, editor.source())
    {
        editor.remove(import, name);
    }
}

pub(super) fn replace(range: TextRange, text: &str) -> rb_core::Edit {
    rb_core::Edit::replace(range.start().to_u32(), range.end().to_u32(), text)
}
