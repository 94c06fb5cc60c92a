//! Files that the new module loads: they cannot import it at their top.

use std::sync::Arc;

use rb_python::{NameRole, Source, TextRange};

use super::selection::refusal;
use super::supply::lazy_edits;
use super::target::{apply, parse};
use super::timing::{Timing, Timings, has_future};
use super::uses::{FileUses, members, uses_of};
use super::{Relocation, Report, exports};
use crate::imports::{ImportEditor, Imported, Section};
use crate::outcome::Refusal;

/// Imports inside of the functions that use the names, because the new module loads this file.
pub(super) fn in_functions(
    relocation: &Relocation<'_, '_>,
    path: &str,
    text: &Arc<str>,
    removed: &[Imported],
    chain: &[String],
    report: &mut Report,
) -> Result<Arc<str>, Refusal> {
    let source = parse(path, Arc::clone(text))?;
    let timings = Timings::new(&source, has_future(&source));
    let given = members(&uses_of(relocation.project, path), path);
    let mut lazy: Vec<(TextRange, String)> = Vec::new();
    let mut types: Vec<&Imported> = Vec::new();
    for imported in removed {
        let local = imported.local();
        let uses = source
            .scopes()
            .names
            .iter()
            .filter(|name| name.variable.is_none() && name.name == local);
        let uses: Vec<_> = uses.filter(|name| name.role != NameRole::Binding).collect();
        let early = uses.iter().find(|name| timings.of(name) == Timing::Load);
        let is_listed = exports::listed(&source).iter().any(|listed| listed == local);
        if early.is_some() || given.contains(local) || is_listed {
            let range = early.map_or_else(TextRange::default, |name| name.range);
            let what = format!("`{local}` is needed when this file is loaded");
            return Err(circle(relocation, &source, range, what, chain));
        }
        for name in uses {
            match timings.of(name) {
                Timing::Type => types.push(imported),
                Timing::Run | Timing::Load => lazy.push((name.range, imported.statement())),
            }
        }
    }
    report.notes.push(format!(
        "{path} imports from {} inside of functions: at its top that would be an import cycle",
        relocation.to
    ));
    let text: Arc<str> = apply(path, text, &lazy_edits(&source, &lazy)?)?.into();
    let mut editor = ImportEditor::new(relocation.project.files, path, text)?;
    for imported in types {
        editor.add(imported, Section::TypeChecking);
    }
    editor.finish()
}

/// `new.x` at load time, in a file that the new module loads first.
pub(super) fn check_early_accesses(
    relocation: &Relocation<'_, '_>,
    uses: &FileUses,
    chain: &[String],
) -> Result<(), Refusal> {
    let source = &uses.source;
    let timings = Timings::new(source, has_future(source));
    let is_moved =
        |member: &Option<String>| member.as_ref().is_some_and(|name| relocation.is_moved(name));
    for access in uses.accesses.iter().filter(|access| is_moved(&access.member)) {
        let names = source.scopes().names.iter();
        let mut root = names.filter(|name| name.range.start() == access.range.start());
        if root.any(|name| timings.of(name) == Timing::Load) {
            let what = "this is needed when this file is loaded".to_owned();
            return Err(circle(relocation, source, access.range, what, chain));
        }
    }
    Ok(())
}

fn circle(
    relocation: &Relocation<'_, '_>,
    source: &Source,
    range: TextRange,
    what: String,
    chain: &[String],
) -> Refusal {
    let (path, to, chain) = (source.path(), &relocation.to, chain.join(" → "));
    let reason =
        format!("{path} and {to} would import each other while they are loaded ({to} → {chain})");
    refusal(source, range, reason, what, "choose another module")
}
