//! The old name stays: `old = new` behind what has the new name, imported and listed in `__all__` wherever others could take the old one.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_core::Edit;
use rb_python::ast::{Stmt, StmtClassDef};
use rb_python::{BindingKind, ImportPlace, Ranged, Source};

use super::Request;
use crate::files::{Files, Overlay};
use crate::imports::{ImportEditor, Imported, Section};
use crate::layout::{self, BlockKind, Piece};
use crate::operation::SymbolPath;
use crate::operations::relocation::exports;
use crate::operations::text_style;
use crate::outcome::{FileChange, Outcome, Refusal};
use crate::project::Project;

/// Adds to what the rename made of the files.
pub(super) fn keep(
    project: &Project<'_>,
    request: &Request<'_>,
    exposed_by: &[String],
    overrides: &[SymbolPath],
    outcome: &mut Outcome,
) -> Result<(), Refusal> {
    let mut overlay = Overlay::with(project.files, &outcome.files);
    if let Some(class) = request.symbol.class() {
        for class in std::iter::once(&class).chain(overrides) {
            edit(&mut overlay, &class.path, |source| in_class(source, request, class))?;
        }
    } else {
        let own = &request.symbol.path;
        edit(&mut overlay, own, |source| in_module(source, request))?;
        let stub = format!("{own}i");
        if overlay.text(&stub).is_some() {
            edit(&mut overlay, &stub, |source| in_module(source, request))?;
        }
        give_on(&mut overlay, request, exposed_by)?;
    }
    outcome.files = overlay.into_changes();
    outcome.notes.push(format!("`{}` stays as an alias of `{}`", request.old, request.to));
    Ok(())
}

fn edit(
    overlay: &mut Overlay<'_>,
    path: &str,
    edits: impl FnOnce(&Source) -> Result<Vec<Edit>, Refusal>,
) -> Result<(), Refusal> {
    let source = parsed(overlay, path)?;
    let edits = edits(&source)?;
    let text = rb_core::edit::apply(source.text(), &edits)
        .map_err(|error| Refusal::new(format!("no alias fits into {path}: {error}"), BY_HAND))?;
    overlay.put(path, FileChange::Edited(text.into()));
    Ok(())
}

const BY_HAND: &str = "rename without an alias, and add one by hand";

fn parsed(files: &dyn Files, path: &str) -> Result<Source, Refusal> {
    let text: Arc<str> = files.text(path).unwrap_or_default();
    Source::parse(path, text)
        .map_err(|error| Refusal::new(format!("{path} has a syntax error in {error}"), "fix it"))
}

/// Behind the last declaration at the top level of the module.
fn in_module(source: &Source, request: &Request<'_>) -> Result<Vec<Edit>, Refusal> {
    let (old, to) = (request.old, request.to);
    let variable = source.scopes().global(to).map(|id| source.scopes().variable(id));
    let bindings = variable.map_or(&[][..], |variable| variable.bindings.as_slice());
    let is_fixed =
        bindings.len() == 1 || bindings.iter().all(|one| matches!(one.kind, BindingKind::Function));
    let statement = bindings.last().and_then(|binding| {
        let mut body = source.body().iter();
        body.position(|statement| statement.range().contains_range(binding.statement))
    });
    let is_plain = bindings.iter().all(|binding| {
        matches!(binding.kind, BindingKind::Function | BindingKind::Class | BindingKind::Assignment)
            && source.body().iter().any(|statement| statement.range() == binding.statement)
    });
    let Some(statement) = statement.filter(|_| is_fixed && is_plain) else {
        let reason = format!(
            "`{old}` is declared in a block, or gets further values: an alias would not follow them"
        );
        return Err(Refusal::new(reason, BY_HAND));
    };
    let alias = Piece { text: format!("{old} = {to}"), kind: BlockKind::Constant, gap: None };
    let mut edits = vec![layout::insertion(source, statement + 1, &[alias])];
    edits.extend(listed(source, request));
    Ok(edits)
}

/// `__all__` has the old name again, beside the new one.
fn listed(source: &Source, request: &Request<'_>) -> Vec<Edit> {
    let has_new = exports::listed(source).iter().any(|name| name == request.to);
    if has_new { exports::added(source, &[request.old.to_owned()]) } else { Vec::new() }
}

/// Behind the methods of a class that has them.
fn in_class(
    source: &Source,
    request: &Request<'_>,
    class: &SymbolPath,
) -> Result<Vec<Edit>, Refusal> {
    let to = request.to;
    let is_method =
        |statement: &&Stmt| matches!(statement, Stmt::FunctionDef(it) if it.name.as_str() == to);
    let body = class_body(source.body(), &class.name).unwrap_or_default();
    let Some(method) = body.iter().rfind(is_method) else {
        let reason =
            format!("`{}.{}` is not declared by `def` in the class", class.name, request.old);
        return Err(Refusal::new(reason, BY_HAND));
    };
    let indent = text_style::indentation_at(source, method.start());
    let newline = layout::newline(source.text());
    let at = layout::line_end(source.text(), method.end().to_usize());
    let open = if source.text()[..at].ends_with('\n') { "" } else { newline };
    let line = format!("{open}{newline}{indent}{} = {to}{newline}", request.old);
    Ok(vec![Edit::insert(layout::offset(at), line)])
}

/// `name`: `Outer.Inner`.
fn class_body<'s>(body: &'s [Stmt], name: &str) -> Option<&'s [Stmt]> {
    let (first, rest) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
    let class = body.iter().find_map(|statement| match statement {
        Stmt::ClassDef(class @ StmtClassDef { name, .. }) if name.as_str() == first => Some(class),
        _ => None,
    })?;
    match rest {
        Some(rest) => class_body(&class.body, rest),
        None => Some(&class.body),
    }
}

/// Modules that give the new name on import the old one beside it, and so do those between them and the declaration.
fn give_on(
    overlay: &mut Overlay<'_>,
    request: &Request<'_>,
    exposed_by: &[String],
) -> Result<(), Refusal> {
    let mut waiting: Vec<String> = exposed_by.to_vec();
    let mut done: BTreeSet<String> = BTreeSet::from([request.symbol.path.clone()]);
    while let Some(path) = waiting.pop() {
        if !done.insert(path.clone()) {
            continue;
        }
        let source = parsed(overlay, &path)?;
        let found = source.imports().iter().enumerate().find_map(|(index, import)| {
            let name = import.names.iter().position(|name| name.local() == request.to)?;
            (import.is_from && import.names[name].name == request.to).then_some((index, name))
        });
        let Some((import, name)) = found else { continue };
        let beside = Imported::of(&source.imports()[import], name);
        let from = overlay.resolve(&path, &beside.module);
        let old = Imported::from(beside.module.clone(), request.old);
        let old = Imported { alias: beside.alias.is_some().then(|| request.old.to_owned()), ..old };
        let mut editor = ImportEditor::new(&*overlay, &path, Arc::clone(source.text()))?;
        match source.imports()[import].place {
            ImportPlace::Top => editor.add(&old, Section::Top),
            _ => editor.add_beside(import, &old),
        }
        let text = editor.finish()?;
        overlay.put(&path, FileChange::Edited(text));
        edit(overlay, &path, |source| Ok(listed(source, request)))?;
        waiting.extend(from);
    }
    Ok(())
}
