//! Where moved code goes in a module that exists: constants behind the imports, definitions at the end, but always before what uses them at
//! load time and behind what they use then.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_python::ast::{Expr, Stmt};
use rb_python::{NameRole, Source};

use super::Relocation;
use super::selection::{bound_by, is_all, is_for_types, is_import_only, statement_index};
use super::supply::Supply;
use super::target::{apply, parse};
use super::timing::{Timing, Timings, has_future};
use crate::imports::is_docstring;
use crate::layout::{self, Block, Piece};
use crate::outcome::Refusal;

/// Blocks of the old module with their texts.
type Placed = Vec<(Block, Piece)>;

/// The text with the pieces in it.
pub(super) fn put(
    relocation: &Relocation<'_, '_>,
    supply: &Supply,
    text: &Arc<str>,
    pieces: Placed,
) -> Result<Arc<str>, Refusal> {
    let source = parse(&relocation.to, Arc::clone(text))?;
    let (top, bottom) = divide(relocation, supply, pieces);
    let lowest = supply.load_names.iter().filter_map(|name| last_statement(&source, name)).max();
    let lowest = lowest.map_or(0, |index| index + 1);
    let end = layout::main_guard(&source).unwrap_or(source.body().len());
    let early = first_load_use(&source, &names_of(relocation, &bottom));
    let bottom_at = early.unwrap_or(end).min(end);
    if bottom_at < lowest {
        let reason =
            format!("the moved code is needed in {} before what it needs itself", relocation.to);
        return Err(Refusal::new(reason, "reorder the definitions of that module first"));
    }
    let constants = end_of_constants(&source);
    let top_at =
        first_load_use(&source, &names_of(relocation, &top)).unwrap_or(constants).min(constants);
    let (top, bottom, bottom_at) = if top_at > bottom_at {
        let mut all = top;
        all.extend(bottom);
        all.sort_by_key(|(block, _)| block.statement);
        (Vec::new(), all, bottom_at)
    } else {
        (top, bottom, bottom_at)
    };
    let text = inserted(relocation, &source, bottom_at, bottom)?;
    let source = parse(&relocation.to, text)?;
    inserted(relocation, &source, top_at, top)
}

fn inserted(
    relocation: &Relocation<'_, '_>,
    source: &Source,
    at: usize,
    pieces: Placed,
) -> Result<Arc<str>, Refusal> {
    if pieces.is_empty() {
        return Ok(Arc::clone(source.text()));
    }
    let pieces: Vec<Piece> = regapped(pieces);
    let edit = layout::insertion(source, at, &pieces);
    Ok(apply(&relocation.to, source.text(), &[edit])?.into())
}

/// The blank lines of the old module hold only between statements that still stand together.
fn regapped(pieces: Placed) -> Vec<Piece> {
    let mut before: Option<usize> = None;
    let mut result = Vec::new();
    for (block, mut piece) in pieces {
        let is_next = before.is_some_and(|before| before + 1 == block.statement);
        piece.gap = piece.gap.filter(|_| is_next);
        before = Some(block.statement);
        result.push(piece);
    }
    result
}

/// Constants that need no moved definition go to the top, the rest to the end.
fn divide(relocation: &Relocation<'_, '_>, supply: &Supply, pieces: Placed) -> (Placed, Placed) {
    let (mut top, mut bottom): (Placed, Placed) = (Vec::new(), Vec::new());
    let mut below: BTreeSet<String> = BTreeSet::new();
    let timings = Timings::new(&relocation.old, has_future(&relocation.old));
    for (block, piece) in pieces {
        let is_copy = relocation.copies.contains(&block);
        let statement = &relocation.old.body()[block.statement];
        // A string below a constant, a call that fills it.
        let is_about_top = matches!(statement, Stmt::Expr(_))
            && top.last().is_some_and(|(before, _)| before.statement + 1 == block.statement);
        let is_constant = is_copy || is_assignment(statement) || is_about_top;
        let names = relocation
            .old
            .scopes()
            .names
            .iter()
            .filter(|name| block.range.contains_range(name.range));
        let mut loaded = names.filter(|name| timings.of(name) == Timing::Load);
        let needs_below =
            loaded.any(|name| name.role != NameRole::Binding && below.contains(&name.name));
        let needs_target =
            supply.target_uses.iter().any(|range| block.range.contains_range(*range));
        if is_constant && !needs_below && !needs_target {
            top.push((block, piece));
        } else {
            below.extend(bound_by(&relocation.old, block.statement));
            bottom.push((block, piece));
        }
    }
    (top, bottom)
}

fn is_assignment(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Assign(_) | Stmt::AnnAssign(_) | Stmt::AugAssign(_))
}

fn names_of(relocation: &Relocation<'_, '_>, pieces: &[(Block, Piece)]) -> BTreeSet<String> {
    pieces.iter().flat_map(|(block, _)| bound_by(&relocation.old, block.statement)).collect()
}

/// The first statement of the new module that uses one of the names when it is loaded.
fn first_load_use(source: &Source, names: &BTreeSet<String>) -> Option<usize> {
    let timings = Timings::new(source, has_future(source));
    let uses = source.scopes().names.iter().filter(|name| {
        name.variable.is_none() && names.contains(&name.name) && timings.of(name) == Timing::Load
    });
    uses.filter_map(|name| statement_index(source, name.range)).min()
}

fn last_statement(source: &Source, name: &str) -> Option<usize> {
    let variable = source.scopes().global(name)?;
    let bindings = &source.scopes().variable(variable).bindings;
    bindings.iter().filter_map(|binding| statement_index(source, binding.range)).max()
}

/// Behind the docstring, the imports, `__all__` and the constants that follow them.
fn end_of_constants(source: &Source) -> usize {
    let body = source.body();
    let is_head = |(index, statement): &(usize, &Stmt)| {
        (*index == 0 && is_docstring(statement))
            || is_import_only(statement)
            || is_all(source, statement)
            || is_import_attempt(statement)
            || is_for_types(statement)
            || matches!(statement, Stmt::Assign(_) | Stmt::AnnAssign(_))
    };
    body.iter().enumerate().take_while(is_head).count()
}

/// `try: import x` with its alternatives.
fn is_import_attempt(statement: &Stmt) -> bool {
    let is_simple = |statement: &Stmt| match statement {
        Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) => true,
        Stmt::Assign(assign) => {
            matches!(*assign.value, Expr::NoneLiteral(_) | Expr::BooleanLiteral(_))
        }
        _ => false,
    };
    match statement {
        Stmt::Try(attempt) => attempt.body.iter().all(is_simple),
        _ => false,
    }
}
