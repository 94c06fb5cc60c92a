//! Where the imports of a file were sorted, those that an operation added or changed go to their places among them.
//!
//! Only they move, within their block, and only past files that do nothing when they are loaded: an import runs what it imports.

mod quiet;
mod sort_order;
#[cfg(test)]
mod tests;

use rb_core::Edit;
use rb_ecma::links::{ByteRange, Target};
use rb_operations::{FileChange, Files, Operation, Outcome};

use self::quiet::is_quiet;
use self::sort_order::SortOrder;
use crate::check::after;
use crate::edits::applied;
use crate::project::{ImportStatement, ModuleFacts, Project, is_script, tree_of};

pub(crate) fn keep(files: &dyn Files, operation: &Operation, mut outcome: Outcome) -> Outcome {
    let tree = tree_of(files);
    let before = Project::new(files, &tree);
    let now_files = after(files, &outcome.files);
    let now_tree = tree_of(&now_files);
    let now = Project::new(&now_files, &now_tree);
    let mut sorted = Vec::new();
    for (path, change) in &outcome.files {
        let (FileChange::Created(text) | FileChange::Edited(text)) = change else { continue };
        if !is_script(path) {
            continue;
        }
        let known = before.module(path).or_else(|| before.module(&origin(operation, path)?));
        let (Some(known), Some(facts)) = (known, now.module(path)) else { continue };
        let edits = edits(&now, &known, &facts);
        if !edits.is_empty()
            && let Ok(text) = applied(path, text, &edits)
        {
            sorted.push((path.clone(), text));
        }
    }
    for (path, text) in sorted {
        if let Some(FileChange::Created(old) | FileChange::Edited(old)) =
            outcome.files.get_mut(&path)
        {
            *old = text.into();
        }
    }
    outcome
}

/// The file that a created one comes from.
fn origin(operation: &Operation, created: &str) -> Option<String> {
    match operation {
        Operation::RenameModule { path, to } => {
            let rest = created.strip_prefix(to.trim_end_matches('/'))?;
            Some(format!("{}{rest}", path.trim_end_matches('/')))
        }
        Operation::Move { symbols, .. } => symbols.first().map(|it| it.path.clone()),
        Operation::Merge { modules, .. } => modules.first().cloned(),
        Operation::Rename { .. }
        | Operation::RenameParameter { .. }
        | Operation::MoveMethod { .. }
        | Operation::AddParameter { .. }
        | Operation::RemoveParameter { .. }
        | Operation::ReorderParameters { .. }
        | Operation::ParameterObject { .. }
        | Operation::Encapsulate { .. }
        | Operation::InlineReexport { .. }
        | Operation::ReplaceDuplicate { .. } => None,
    }
}

fn edits(now: &Project<'_>, before: &ModuleFacts, facts: &ModuleFacts) -> Vec<Edit> {
    let known = runs(before);
    let orders: Vec<SortOrder> = SortOrder::all().filter(|order| order.is_used(&known)).collect();
    let mut edits = Vec::new();
    for run in runs(facts) {
        if orders.is_empty() || orders.iter().any(|order| order.is_sorted(&run)) {
            continue;
        }
        let is_fresh = |one: &ImportStatement| {
            !before.statements.iter().any(|it| {
                (&it.source, it.is_type, it.is_reexport)
                    == (&one.source, one.is_type, one.is_reexport)
            })
        };
        let (fresh, rest): (Vec<_>, Vec<_>) = run.iter().copied().partition(|it| is_fresh(it));
        let Some(order) = orders.iter().find(|order| order.is_sorted(&rest)) else { continue };
        let mut sorted = rest;
        for one in fresh {
            let at = sorted.partition_point(|it| order.key(it) <= order.key(one));
            sorted.insert(at, one);
        }
        if may_move(now, &run, &sorted) {
            edits.extend(run.iter().zip(&sorted).filter(|(old, new)| old.range != new.range).map(
                |(old, new)| Edit::replace(old.range.start, old.range.end, facts.slice(new.range)),
            ));
        }
    }
    edits
}

/// Imports of files, or of packages, or re-exports, that follow each other line by line.
fn runs(facts: &ModuleFacts) -> Vec<Vec<&ImportStatement>> {
    let mut runs: Vec<Vec<&ImportStatement>> = Vec::new();
    let kind = |it: &ImportStatement| (it.is_reexport, matches!(it.target, Target::File(_)));
    for statement in facts.statements.iter().filter(|it| !it.is_list) {
        if let Some(run) = runs.last_mut()
            && let Some(last) = run.last()
            && kind(last) == kind(statement)
            && is_next_line(facts, last, statement)
        {
            run.push(statement);
        } else {
            runs.push(vec![statement]);
        }
    }
    runs
}

fn is_next_line(facts: &ModuleFacts, last: &ImportStatement, next: &ImportStatement) -> bool {
    let gap = facts.slice(ByteRange { start: last.range.end, end: next.range.start });
    gap == "\n" || gap == "\r\n"
}

/// Does the program run the same if the statements stand in another order?
fn may_move(now: &Project<'_>, old: &[&ImportStatement], new: &[&ImportStatement]) -> bool {
    let place = |list: &[&ImportStatement], one: &ImportStatement| {
        list.iter().position(|it| it.range == one.range)
    };
    let is_free = |one: &ImportStatement| one.is_type || is_quiet(now, &one.target);
    old.iter().enumerate().all(|(index, one)| {
        old[index + 1..]
            .iter()
            .all(|other| place(new, one) < place(new, other) || is_free(one) || is_free(other))
    })
}
