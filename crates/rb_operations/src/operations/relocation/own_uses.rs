//! What the new module took from the old one: it is its own now.

use std::sync::Arc;

use rb_core::Edit;
use rb_python::{Source, TextRange};

use super::origin::Remains;
use super::target::apply;
use super::users::{next_from, next_star, replace};
use super::uses::{FileUses, names_bound_by, with_member};
use super::{Relocation, Report, strings};
use crate::imports::{ImportEditor, Imported};
use crate::outcome::Refusal;

/// The text of the new module, for which the names are its own.
pub(super) fn own_text(
    relocation: &Relocation<'_, '_>,
    uses: &FileUses,
    remains: &Remains,
    report: &mut Report,
) -> Result<Arc<str>, Refusal> {
    let source = &uses.source;
    let mut edits = strings::edits(relocation, uses, remains, report);
    edits.extend(plain_names(relocation, uses)?);
    let text: Arc<str> = apply(source.path(), source.text(), &edits)?.into();
    let mut editor = ImportEditor::new(relocation.project.files, source.path(), text)?;
    remove_names(relocation, &mut editor);
    remove_own_namespaces(relocation, uses, &mut editor);
    if relocation.is_whole() {
        while let Some((import, name)) = next_star(relocation, editor.source()) {
            editor.remove(import, name);
        }
    }
    editor.finish()
}

/// `old.x` and `alias` become `x`.
fn plain_names(relocation: &Relocation<'_, '_>, uses: &FileUses) -> Result<Vec<Edit>, Refusal> {
    let source = &uses.source;
    let mut edits = Vec::new();
    for access in &uses.accesses {
        let moved = access.member.as_deref().filter(|member| relocation.is_moved(member));
        if let Some(member) = moved.filter(|_| access.is_quoted) {
            let reason =
                format!("{} looks up `{member}` in the old module by its name", source.path());
            let what = "the name is a string here".to_owned();
            let suggestion = "use the name itself here first";
            return Err(super::selection::refusal(source, access.range, reason, what, suggestion));
        }
        if let (Some(member), Some(range)) = (moved, with_member(source, access)) {
            check_local(source, range, relocation.new_name(member))?;
            edits.push(replace(range, relocation.new_name(member)));
        }
    }
    for (import, name) in &uses.names {
        let imported = Imported::of(&source.imports()[*import], *name);
        let Some(own) = imported.name.as_deref().filter(|own| relocation.is_moved(own)) else {
            continue;
        };
        let new = relocation.new_name(own);
        if imported.local() == new {
            continue;
        }
        for range in names_bound_by(source, *import, *name) {
            check_local(source, range, new)?;
            edits.push(replace(range, new));
        }
    }
    Ok(edits)
}

/// Imports of what is here now go; what the old module only passed on is taken from where it was.
fn remove_names(relocation: &Relocation<'_, '_>, editor: &mut ImportEditor<'_>) {
    while let Some((import, name)) = next_from(relocation, editor.source()) {
        let statement = &editor.source().imports()[import];
        let old = Imported::of(statement, name);
        if old.name.as_deref().is_some_and(|own| relocation.is_moved(own)) {
            editor.remove(import, name);
        } else {
            let new = relocation.taken_from_target(editor.source(), statement, &old);
            if new == old {
                break;
            }
            editor.replace(import, name, &new);
        }
        if editor.has_failed() {
            break;
        }
    }
}

/// The old module as a namespace, if all that was used of it has moved.
fn remove_own_namespaces(
    relocation: &Relocation<'_, '_>,
    uses: &FileUses,
    editor: &mut ImportEditor<'_>,
) {
    let stays =
        |member: &Option<String>| !member.as_ref().is_some_and(|name| relocation.is_moved(name));
    let is_needed = uses.accesses.iter().any(|access| access.is_quoted || stays(&access.member));
    if uses.accesses.is_empty() || is_needed {
        return;
    }
    for namespace in &uses.namespaces {
        let statement = &uses.source.imports()[namespace.import];
        let imported = Imported::of(statement, namespace.name);
        if let Some((import, name)) = editor.find(&imported, statement.place) {
            editor.remove(import, name);
        }
    }
}

/// A name that is written in place of another must not meet a local variable.
pub(super) fn check_local(source: &Source, range: TextRange, name: &str) -> Result<(), Refusal> {
    let scopes = source.scopes();
    let found = scopes.lookup(scopes.scope_at(range), name);
    let is_local = found.is_some_and(|id| scopes.variable(id).scope != rb_python::ScopeId(0));
    if !is_local {
        return Ok(());
    }
    let reason = format!("`{name}` is a local variable in {}", source.path());
    let what = format!("`{name}` would mean the local variable here");
    Err(super::selection::refusal(source, range, reason, what, "rename the local variable first"))
}
