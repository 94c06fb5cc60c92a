//! The new module: its own uses of the old one are rewritten, the imports that the code needs are added, the code is put in.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_core::Edit;
use rb_python::{BindingKind, Ranged, Source, TextRange};

use super::origin::Remains;
use super::selection::{bound_by, place};
use super::supply::Supply;
use super::{Relocation, Report, What, exports, own_uses, placement};
use crate::imports::{ImportEditor, is_docstring};
use crate::layout::{self, Block, BlockKind, Piece};
use crate::operation::SymbolPath;
use crate::outcome::{Place, Refusal};
use crate::project::Meaning;

/// The text of the new module after the move.
pub(super) fn text(
    relocation: &Relocation<'_, '_>,
    supply: &Supply,
    remains: &Remains,
    report: &mut Report,
) -> Result<Arc<str>, Refusal> {
    let pieces = pieces(relocation, supply)?;
    let text = match relocation.target.as_deref() {
        Some(target) => {
            let text = own_uses(relocation, target, remains, report)?;
            let text = with_imports(relocation, text, supply)?;
            placement::put(relocation, supply, &text, pieces)?
        }
        None => {
            let text = created(relocation, pieces.into_iter().map(|(_, piece)| piece).collect());
            with_imports(relocation, text.into(), supply)?
        }
    };
    with_exports(relocation, text)
}

/// The name is bound in the new module already.
pub(super) fn clash(relocation: &Relocation<'_, '_>, target: &Source, name: &str) -> Option<Place> {
    let symbol = SymbolPath { path: relocation.old.path().to_owned(), name: name.to_owned() };
    let scopes = target.scopes();
    if let Some(variable) = scopes.global(name) {
        let bindings = &scopes.variable(variable).bindings;
        let is_import = |kind| matches!(kind, BindingKind::Import { .. });
        let is_same =
            relocation.project.lookup(&relocation.to, name) == Some(Meaning::Symbol(symbol));
        if is_same && bindings.iter().all(|binding| is_import(binding.kind)) {
            return None;
        }
        return Some(place(target, bindings.first()?.range, format!("`{name}` is defined here")));
    }
    let meaning = relocation.project.lookup(&relocation.to, name);
    if meaning == Some(Meaning::Symbol(symbol)) {
        return None;
    }
    let mut uses = scopes.names.iter().filter(|used| used.variable.is_none() && used.name == name);
    let what = format!("`{name}` means something else here");
    // Others may take from here what `import *` brings in.
    let is_given = matches!(meaning, Some(Meaning::Symbol(_) | Meaning::Instance(_)));
    let unused = is_given.then(TextRange::default);
    uses.next().map(|used| used.range).or(unused).map(|range| place(target, range, what))
}

/// In a merge: the new module has the same statement already.
pub(super) fn drops(relocation: &Relocation<'_, '_>, name: &str) -> bool {
    let blocks = relocation.selection.blocks.iter();
    let mut own = blocks.filter(|block| bound_by(&relocation.old, block.statement).contains(name));
    own.any(|block| is_twin(relocation, block))
}

fn is_twin(relocation: &Relocation<'_, '_>, block: &Block) -> bool {
    let (What::Module, Some(target)) = (&relocation.what, relocation.target.as_deref()) else {
        return false;
    };
    let statement = relocation.old.body()[block.statement].range();
    let text = relocation.old.slice(statement);
    !bound_by(&relocation.old, block.statement).is_empty()
        && target.body().iter().any(|other| target.slice(other.range()) == text)
}

/// The moved code, each block with its edits. In the order of the old module.
fn pieces(
    relocation: &Relocation<'_, '_>,
    supply: &Supply,
) -> Result<Vec<(Block, Piece)>, Refusal> {
    if relocation.is_duplicate() {
        return Ok(Vec::new());
    }
    let old = &relocation.old;
    let mut blocks = relocation.copies.clone();
    blocks.extend(
        relocation.selection.blocks.iter().filter(|block| !is_twin(relocation, block)).cloned(),
    );
    blocks.sort_by_key(|block| block.statement);
    blocks.retain(|block| !relocation.copies.contains(block) || !is_known(relocation, block));
    let mut pieces: Vec<(Block, Piece)> = Vec::new();
    for block in blocks {
        let before = pieces.last().map(|(before, _)| before.statement);
        let is_next = before.is_some_and(|before| before + 1 == block.statement);
        let gap = is_next.then(|| layout::gap_above(old.text(), block.range.start().to_usize()));
        let text = edited(old, block.range, &supply.edits)?;
        let kind = block.kind;
        pieces.push((block, Piece { text, kind, gap }));
    }
    Ok(pieces)
}

/// A statement that would be copied, but the new module binds its names already.
fn is_known(relocation: &Relocation<'_, '_>, copy: &Block) -> bool {
    let Some(target) = relocation.target.as_deref() else { return false };
    bound_by(&relocation.old, copy.statement)
        .iter()
        .all(|name| target.scopes().global(name).is_some())
}

/// A part of a text with the edits that lie in it.
fn edited(source: &Source, range: TextRange, edits: &[Edit]) -> Result<String, Refusal> {
    let (start, end) = (range.start().to_u32(), range.end().to_u32());
    let inside = edits.iter().filter(|edit| start <= edit.start && edit.end <= end);
    let shifted: Vec<Edit> = inside
        .map(|edit| Edit::replace(edit.start - start, edit.end - start, edit.text.clone()))
        .collect();
    apply(source.path(), source.slice(range), &shifted)
}

pub(super) fn apply(path: &str, text: &str, edits: &[Edit]) -> Result<String, Refusal> {
    rb_core::edit::apply(text, edits).map_err(|error| {
        let reason = format!("the edits of {path} do not fit together: {error}");
        Refusal::new(reason, "change this file by hand first")
    })
}

/// What the new module took from the old one is its own now.
fn own_uses(
    relocation: &Relocation<'_, '_>,
    target: &Source,
    remains: &Remains,
    report: &mut Report,
) -> Result<Arc<str>, Refusal> {
    let Some(uses) = relocation.uses.get(&relocation.to) else {
        return Ok(Arc::clone(target.text()));
    };
    own_uses::own_text(relocation, uses, remains, report)
}

fn with_imports(
    relocation: &Relocation<'_, '_>,
    text: Arc<str>,
    supply: &Supply,
) -> Result<Arc<str>, Refusal> {
    let mut editor = ImportEditor::new(relocation.project.files, &relocation.to, text)?;
    // How `TYPE_CHECKING` is written depends on what is imported at the top.
    let mut imports = supply.imports.clone();
    imports.sort_by_key(|(_, section)| *section);
    for (imported, section) in &imports {
        editor.add(imported, *section);
    }
    editor.finish()
}

/// The text of a module that did not exist, without imports.
fn created(relocation: &Relocation<'_, '_>, mut pieces: Vec<Piece>) -> String {
    let old = &relocation.old;
    let names = exported(relocation);
    if !names.is_empty() {
        let text = exports::statement(old, &names, 88);
        pieces.insert(0, Piece { text, kind: BlockKind::Constant, gap: None });
        if let Some(next) = pieces.get_mut(1) {
            next.gap = None;
        }
    }
    let newline = layout::newline(old.text());
    let code = layout::join(&pieces, newline);
    match head(relocation) {
        Some(head) => {
            format!("{}{newline}{newline}{code}", head.replace("\r\n", "\n").replace('\n', newline))
        }
        None => code,
    }
}

/// The licence goes along, be it written as comments or as the docstring.
fn head(relocation: &Relocation<'_, '_>) -> Option<String> {
    let old = &relocation.old;
    if let Some(licence) = layout::licence(old.text()) {
        return Some(licence.to_owned());
    }
    let docstring = old.body().first().filter(|statement| is_docstring(statement))?;
    let text = old.slice(docstring.range()).trim_matches(['"', '\'', 'r', 'R', 'u', 'U']);
    let lines: Vec<String> =
        text.trim().lines().map(|line| format!("# {line}").trim_end().to_owned()).collect();
    let comment = lines.join("\n");
    (relocation.is_whole() && layout::licence(&format!("{comment}\n")).is_some()).then_some(comment)
}

/// Names for the `__all__` of the new module.
fn exported(relocation: &Relocation<'_, '_>) -> Vec<String> {
    let listed = exports::listed(&relocation.old);
    let moved = relocation.asked();
    if relocation.target.is_none() || (relocation.is_whole() && relocation.old.all().is_some()) {
        return listed.into_iter().filter(|name| moved.contains(name)).collect();
    }
    let scopes = relocation.old.scopes();
    let is_definition = |name: &String| {
        let bindings = scopes.global(name).map(|id| &scopes.variable(id).bindings);
        let is_one = |kind| matches!(kind, BindingKind::Function | BindingKind::Class);
        bindings.is_some_and(|bindings| bindings.iter().any(|binding| is_one(binding.kind)))
    };
    let is_public =
        |name: &&String| !name.starts_with('_') && (is_definition(name) || listed.contains(name));
    moved.iter().filter(is_public).cloned().collect()
}

fn with_exports(relocation: &Relocation<'_, '_>, text: Arc<str>) -> Result<Arc<str>, Refusal> {
    if relocation.target.is_none() || relocation.is_duplicate() {
        return Ok(text);
    }
    let source = parse(&relocation.to, text)?;
    let known: BTreeSet<String> = exports::listed(&source).into_iter().collect();
    let names: Vec<String> =
        exported(relocation).into_iter().filter(|name| !known.contains(name)).collect();
    let edits = exports::added(&source, &names);
    Ok(apply(&relocation.to, source.text(), &edits)?.into())
}

pub(super) fn parse(path: &str, text: Arc<str>) -> Result<Source, Refusal> {
    Source::parse(path, text).map_err(|error| {
        let reason = format!("the change would leave {path} with a syntax error in {error}");
        Refusal::new(reason, "change this file by hand")
    })
}
