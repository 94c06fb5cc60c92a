//! The old module after the move: without the code, with imports of what it still uses, without imports that nothing uses any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_core::Edit;
use rb_python::{ImportPlace, NameRole, Source, TextRange};

use super::cycles::Cycles;
use super::needs::Origin;
use super::selection::{bound_by, is_all, is_import_only};
use super::specifier::{form, specifier};
use super::supply::lazy_edits;
use super::target::{apply, parse};
use super::timing::Timing;
use super::uses::members;
use super::{Relocation, exports};
use crate::imports::{ImportEditor, Imported, Section, is_docstring};
use crate::layout::{self, Block};
use crate::outcome::Refusal;
use crate::project::word_ranges;

/// What stays of the old module.
#[derive(Debug, Clone, Default)]
pub(super) struct Remains {
    /// None if the module is removed.
    pub(super) text: Option<Arc<str>>,
    /// Top-level names that it still binds.
    pub(super) bound: BTreeSet<String>,
    /// Those that its own code uses.
    pub(super) used: BTreeSet<String>,
    /// Nothing stays but a docstring, imports and `__all__`.
    pub(super) is_empty: bool,
}

/// `strings`: further edits of its text, of which those in the moved code do not count.
pub(super) fn remains(
    relocation: &Relocation<'_, '_>,
    cycles: &Cycles,
    strings: &[Edit],
) -> Result<Remains, Refusal> {
    if relocation.is_whole() {
        return Ok(Remains::default());
    }
    let path = relocation.old.path();
    let mut edits = edits(relocation, cycles)?;
    let is_left = |edit: &&Edit| {
        !relocation.selection.contains(TextRange::new(edit.start.into(), edit.end.into()))
    };
    edits.extend(strings.iter().filter(is_left).cloned());
    let text: Arc<str> = apply(path, relocation.old.text(), &edits)?.into();
    let mut editor = ImportEditor::new(relocation.project.files, path, text)?;
    add_back(relocation, cycles, &mut editor);
    remove_unused(relocation, &mut editor);
    let text = editor.finish()?;
    let source = parse(path, Arc::clone(&text))?;
    let scopes = source.scopes();
    let looked_up = scopes.names.iter().filter(|name| name.role != NameRole::Binding);
    let looked_up = looked_up.filter(|name| name.variable == scopes.global(&name.name));
    let used = looked_up.map(|name| name.name.clone()).collect();
    let bound = scopes.scopes.first().map(|module| module.variables.keys().cloned().collect());
    let is_head = |statement: &rb_python::ast::Stmt| {
        is_docstring(statement) || is_import_only(statement) || is_all(&source, statement)
    };
    let is_empty = source.body().iter().all(is_head);
    Ok(Remains { used, bound: bound.unwrap_or_default(), is_empty, text: Some(text) })
}

/// The code goes, and so do its entries in `__all__`.
fn edits(relocation: &Relocation<'_, '_>, cycles: &Cycles) -> Result<Vec<Edit>, Refusal> {
    let old = &relocation.old;
    let mut gone: Vec<TextRange> =
        relocation.selection.blocks.iter().map(|block| block.range).collect();
    let unused = relocation.copies.iter().filter(|copy| is_unused(relocation, copy));
    gone.extend(unused.map(|copy| copy.range));
    gone.sort_by_key(|range| range.start());
    let mut edits = layout::cut(old.text(), &gone);
    edits.extend(exports::removed(old, &relocation.selection.names));
    if cycles.back.in_functions {
        let mut lazy = Vec::new();
        for need in &relocation.left {
            let statement = relocation.back(&need.name).statement();
            let uses = need.uses.iter().filter(|(_, timing)| *timing == Timing::Run);
            lazy.extend(uses.map(|(range, _)| (*range, statement.clone())));
        }
        edits.extend(lazy_edits(old, &lazy)?);
    }
    Ok(edits)
}

/// A copied statement that only the moved code used.
fn is_unused(relocation: &Relocation<'_, '_>, copy: &Block) -> bool {
    let old = &relocation.old;
    let taken = members(&relocation.uses, old.path());
    let is_left = |range: TextRange| {
        !copy.range.contains_range(range) && !relocation.selection.contains(range)
    };
    bound_by(old, copy.statement).iter().all(|name| {
        let variable = old.scopes().global(name);
        let is_used =
            variable.is_some_and(|id| old.scopes().names_of(id).any(|name| is_left(name.range)));
        !is_used && !taken.contains(name) && !exports::listed(old).contains(name)
    })
}

impl Relocation<'_, '_> {
    fn is_of_project(&self, imports: &[(usize, usize)]) -> bool {
        let module = |(import, name): &(usize, usize)| self.old.imports()[*import].specifier(*name);
        imports
            .iter()
            .any(|import| self.project.files.resolve(self.old.path(), &module(import)).is_some())
    }

    /// The import of a moved name in the old module.
    fn back(&self, name: &str) -> Imported {
        let form = form(self.project, &self.old, &self.to);
        let module = specifier(self.project, self.old.path(), &self.to, form);
        Imported::from(module, self.new_name(name)).named(name)
    }
}

fn add_back(relocation: &Relocation<'_, '_>, cycles: &Cycles, editor: &mut ImportEditor<'_>) {
    for need in &relocation.left {
        // What functions use, they import themselves then.
        let is_for_types = if cycles.back.in_functions {
            need.has(Timing::Type)
        } else {
            cycles.back.for_types && need.is_type_only()
        };
        let section = if is_for_types { Section::TypeChecking } else { Section::Top };
        if is_for_types || !cycles.back.in_functions {
            editor.add(&relocation.back(&need.name), section);
        }
    }
}

/// Only imports that the moved code used can have become unused.
fn remove_unused(relocation: &Relocation<'_, '_>, editor: &mut ImportEditor<'_>) {
    let old = &relocation.old;
    let taken = members(&relocation.uses, old.path());
    let is_package = old.path().ends_with("__init__.py") || old.path().ends_with("__init__.pyi");
    let has_stars =
        relocation.uses.values().any(|uses| !uses.stars.is_empty()) && old.all().is_none();
    for need in &relocation.needs {
        let Origin::Import(imports) = &need.origin else { continue };
        // A package without `__all__` may give on what it imports of the project.
        let may_give = is_package && old.all().is_none() && relocation.is_of_project(imports);
        let is_given_on =
            taken.contains(&need.name) || ((may_give || has_stars) && !need.name.starts_with('_'));
        if is_given_on || is_used(editor.source(), &need.name) {
            continue;
        }
        for (import, name) in imports {
            let statement = &old.imports()[*import];
            let imported = Imported::of(statement, *name);
            let found = editor.find(&imported, statement.place);
            if let Some((import, name)) =
                found.filter(|(import, _)| !is_kept(editor.source(), *import))
            {
                editor.remove(import, name);
            }
        }
    }
}

/// In code, in `__all__`, or in a comment that may be for type checkers.
fn is_used(source: &Source, name: &str) -> bool {
    let scopes = source.scopes();
    let is_use = |id| scopes.names_of(id).any(|name| name.role != NameRole::Binding);
    let in_code = scopes.global(name).is_some_and(is_use);
    let in_comment = source.comments().iter().any(|comment| {
        let text = source.slice(*comment);
        text.contains("type:") && word_ranges(text, name).next().is_some()
    });
    in_code || in_comment || exports::listed(source).iter().any(|listed| listed == name)
}

/// `# noqa` says that an import is there for a reason.
fn is_kept(source: &Source, import: usize) -> bool {
    let statement = &source.imports()[import];
    let text: &str = source.text();
    let end = layout::line_end(text, statement.range.end().to_usize());
    let line = &text[statement.range.start().to_usize()..end];
    let is_plain = matches!(statement.place, ImportPlace::Top | ImportPlace::TypeChecking);
    !is_plain || line.to_lowercase().contains("noqa")
}
