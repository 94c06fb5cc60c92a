//! Which statements of a module make up the symbols that leave it.
//!
//! A symbol may be several statements: overloads, branches of `if` and `try`, a constant and the calls that fill it. What cannot be taken
//! apart is refused.

use std::collections::BTreeSet;

use rb_python::ast::{Expr, Stmt};
use rb_python::{Binding, BindingKind, Ranged, ScopeId, Source, TextRange};

use crate::imports::is_docstring;
use crate::layout::{self, Block, BlockKind};
pub(super) use crate::operations::calls::place;
use crate::outcome::Refusal;

/// What leaves the module.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    /// In the order of the text.
    pub(super) blocks: Vec<Block>,
    /// All top-level names that these blocks bind.
    pub(super) names: BTreeSet<String>,
}

impl Selection {
    pub(super) fn contains(&self, range: TextRange) -> bool {
        self.blocks.iter().any(|block| block.range.contains_range(range))
    }
}

/// The statements that define these names.
pub(super) fn select(source: &Source, names: &BTreeSet<String>) -> Result<Selection, Refusal> {
    let mut indexes = BTreeSet::new();
    for name in names {
        check_hook(source, name)?;
        indexes.extend(definitions(source, name)?);
    }
    let mut all: BTreeSet<String> = names.clone();
    for index in &indexes {
        let others = bound_by(source, *index).into_iter().filter(|name| !names.contains(name));
        for other in others {
            if is_used_outside(source, &other, *index) {
                return Err(bound_together(source, *index, names, &other));
            }
            all.insert(other);
        }
    }
    add_followers(source, &mut indexes, &mut all);
    let selection = Selection { blocks: blocks(source, &indexes)?, names: all };
    check_globals(source, &selection)?;
    Ok(selection)
}

/// All of a module except its docstring, imports and `__all__`, with the comments that stand between.
pub(super) fn select_all(source: &Source) -> Result<Selection, Refusal> {
    for hook in ["__getattr__", "__dir__"] {
        check_hook(source, hook)?;
    }
    let body = source.body();
    let is_taken = |index: &usize| {
        let is_doc = *index == 0 && is_docstring(&body[0]);
        !is_doc && !is_import_only(&body[*index]) && !is_all(source, &body[*index])
    };
    let indexes: BTreeSet<usize> = (0..body.len()).filter(is_taken).collect();
    let names = indexes.iter().flat_map(|index| bound_by(source, *index)).collect();
    let mut blocks = blocks(source, &indexes)?;
    for block in &mut blocks {
        if let Some(comments) = layout::floating_comments(source, block) {
            block.range = TextRange::new(comments.start(), block.range.end());
        }
    }
    Ok(Selection { blocks, names })
}

/// Python looks some names up in the module itself: elsewhere they mean another module.
fn check_hook(source: &Source, name: &str) -> Result<(), Refusal> {
    let is_hook = matches!(name, "__all__" | "__dir__" | "__getattr__" | "__path__");
    let variable = source.scopes().global(name).filter(|_| is_hook);
    let binding = variable.and_then(|id| source.scopes().variable(id).bindings.first());
    let Some(binding) = binding else { return Ok(()) };
    let reason = format!("`{name}` works for the module that it is in: {}", source.path());
    let what = format!("`{name}` is defined here");
    Err(refusal(source, binding.range, reason, what, "leave it there, and move the rest"))
}

fn blocks(source: &Source, indexes: &BTreeSet<usize>) -> Result<Vec<Block>, Refusal> {
    let block = |index: &usize| {
        layout::block(source, *index).ok_or_else(|| {
            let what = "shares its line with another statement".to_owned();
            let reason = "a statement cannot be moved without the other one on its line";
            refusal(
                source,
                source.body()[*index].range(),
                reason,
                what,
                "write them on two lines first",
            )
        })
    };
    indexes.iter().map(block).collect()
}

/// The statements that bind a name.
fn definitions(source: &Source, name: &str) -> Result<BTreeSet<usize>, Refusal> {
    let path = source.path();
    let Some(variable) = source.scopes().global(name) else {
        let reason = format!("{path} does not define `{name}`");
        return Err(Refusal::new(reason, "name a function, class or variable at its top level"));
    };
    let bindings = &source.scopes().variable(variable).bindings;
    if bindings.iter().all(|binding| is_import(binding.kind)) {
        let reason = format!("{path} only imports `{name}`");
        return Err(Refusal::new(reason, "move it from the module that defines it"));
    }
    let mut indexes = BTreeSet::new();
    for binding in bindings {
        let index = statement_index(source, binding.range).expect("each binding is in a statement");
        let statement = &source.body()[index];
        if is_import(binding.kind) && matches!(statement, Stmt::Import(_) | Stmt::ImportFrom(_)) {
            let what = format!("`{name}` is imported here");
            let reason = format!("{path} defines and imports `{name}`");
            return Err(refusal(
                source,
                binding.range,
                reason,
                what,
                "remove one of the two first",
            ));
        }
        if !is_inside_of_definition(statement, binding) {
            indexes.insert(index);
        }
    }
    Ok(indexes)
}

fn is_import(kind: BindingKind) -> bool {
    matches!(kind, BindingKind::Import { .. })
}

/// Bound by a function, through `global`.
fn is_inside_of_definition(statement: &Stmt, binding: &Binding) -> bool {
    match statement {
        Stmt::FunctionDef(function) => function.name.range() != binding.range,
        Stmt::ClassDef(class) => class.name.range() != binding.range,
        _ => false,
    }
}

/// The statement at the top level around a place.
pub(super) fn statement_index(source: &Source, range: TextRange) -> Option<usize> {
    let body = source.body();
    let index = body.partition_point(|statement| statement.end() < range.end());
    body.get(index).filter(|statement| statement.range().contains_range(range)).map(|_| index)
}

/// The top-level names that a statement binds, not through `global`.
pub(super) fn bound_by(source: &Source, index: usize) -> BTreeSet<String> {
    let statement = &source.body()[index];
    let scopes = source.scopes();
    let is_bound = |binding: &Binding| {
        statement.range().contains_range(binding.range)
            && !is_inside_of_definition(statement, binding)
    };
    let globals = scopes.scope(ScopeId(0)).variables.iter();
    let bound = globals.filter(|(_, id)| scopes.variable(**id).bindings.iter().any(is_bound));
    bound.map(|(name, _)| name.clone()).collect()
}

fn is_used_outside(source: &Source, name: &str, index: usize) -> bool {
    let statement = source.body()[index].range();
    let Some(variable) = source.scopes().global(name) else { return false };
    let is_outside = |range: TextRange| !statement.contains_range(range);
    let in_all = source.all().is_some_and(|all| all.entries.iter().any(|entry| entry.name == name));
    in_all || source.scopes().names_of(variable).any(|name| is_outside(name.range))
}

fn bound_together(source: &Source, index: usize, names: &BTreeSet<String>, other: &str) -> Refusal {
    let bound = bound_by(source, index);
    let name = names.iter().find(|name| bound.contains(*name)).map_or("", String::as_str);
    let reason = format!("one statement defines `{name}` and `{other}`");
    let what = "both are defined here".to_owned();
    let suggestion = format!("move `{other}` too, or define them apart");
    refusal(source, source.body()[index].range(), reason, what, suggestion)
}

/// Statements that only work on what is moved: `X.update(…)`, `X["a"] = 1`, `f.attribute = …`, loops that do so.
fn add_followers(source: &Source, indexes: &mut BTreeSet<usize>, names: &mut BTreeSet<String>) {
    for (index, statement) in source.body().iter().enumerate() {
        // A string below an assignment documents it.
        let is_doc = is_docstring(statement) && index > 0 && indexes.contains(&(index - 1));
        if is_doc && layout::kind(&source.body()[index - 1]) == BlockKind::Constant {
            indexes.insert(index);
        }
        if indexes.contains(&index) || !changes_one_of(statement, names) {
            continue;
        }
        let binds = bound_by(source, index);
        let is_free =
            binds.iter().all(|name| names.contains(name) || !is_used_outside(source, name, index));
        if is_free && needs_only(source, statement.range(), names, &binds) {
            indexes.insert(index);
            names.extend(binds);
        }
    }
}

fn changes_one_of(statement: &Stmt, names: &BTreeSet<String>) -> bool {
    let is_moved = |expr: &Expr| root(expr).is_some_and(|name| names.contains(name));
    match statement {
        Stmt::Expr(expr) => expr.value.as_call_expr().is_some_and(|call| {
            call.func.as_attribute_expr().is_some_and(|attribute| is_moved(&attribute.value))
        }),
        Stmt::Assign(assign) => assign.targets.iter().all(is_moved),
        Stmt::AugAssign(assign) => is_moved(&assign.target),
        Stmt::For(block) => block.orelse.is_empty() && any_changes(&block.body, names),
        Stmt::If(block) => block.elif_else_clauses.is_empty() && any_changes(&block.body, names),
        _ => false,
    }
}

fn any_changes(body: &[Stmt], names: &BTreeSet<String>) -> bool {
    body.iter().any(|statement| changes_one_of(statement, names))
}

/// `X` of `X`, `X.a[0].b`.
fn root(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => root(&attribute.value),
        Expr::Subscript(subscript) => root(&subscript.value),
        _ => None,
    }
}

/// Are the names of the module that a statement uses all moved, or imported?
fn needs_only(
    source: &Source,
    range: TextRange,
    names: &BTreeSet<String>,
    binds: &BTreeSet<String>,
) -> bool {
    let scopes = source.scopes();
    let inside = scopes.names.iter().filter(|name| range.contains_range(name.range));
    inside.filter_map(|name| name.variable).all(|id| {
        let variable = scopes.variable(id);
        let is_known = names.contains(&variable.name) || binds.contains(&variable.name);
        let is_imported = variable.bindings.iter().all(|binding| is_import(binding.kind));
        variable.scope != ScopeId(0) || is_known || is_imported
    })
}

/// A variable and the functions that assign it by `global` stay together.
fn check_globals(source: &Source, selection: &Selection) -> Result<(), Refusal> {
    let scopes = source.scopes();
    for (name, id) in &scopes.scope(ScopeId(0)).variables {
        let is_moved = selection.names.contains(name);
        for binding in &scopes.variable(*id).bindings {
            if selection.contains(binding.range) == is_moved {
                continue;
            }
            let what = format!("`{name}` is assigned here");
            let (reason, suggestion) = if is_moved {
                (format!("`{name}` is assigned by code that stays"), "move that code too")
            } else {
                (format!("the moved code assigns `{name}`, which stays"), "move that variable too")
            };
            return Err(refusal(source, binding.range, reason, what, suggestion));
        }
    }
    Ok(())
}

/// An import, or an `if TYPE_CHECKING:` that holds nothing else.
pub(super) fn is_import_only(statement: &Stmt) -> bool {
    match statement {
        Stmt::Import(_) | Stmt::ImportFrom(_) => true,
        Stmt::If(guard) => is_for_types(statement) && guard.body.iter().all(is_import_only),
        _ => false,
    }
}

/// `if TYPE_CHECKING:`
pub(super) fn is_for_types(statement: &Stmt) -> bool {
    let Stmt::If(guard) = statement else { return false };
    root_attribute(&guard.test) == Some("TYPE_CHECKING") && guard.elif_else_clauses.is_empty()
}

fn root_attribute(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

pub(super) fn is_all(source: &Source, statement: &Stmt) -> bool {
    let is_name = |expr: &Expr| root(expr) == Some("__all__");
    let is_listed = |all: &rb_python::AllList| {
        all.ranges.iter().any(|range| statement.range().contains_range(*range))
    };
    match statement {
        Stmt::Assign(assign) => assign.targets.iter().all(is_name),
        Stmt::AugAssign(assign) => is_name(&assign.target),
        Stmt::AnnAssign(assign) => is_name(&assign.target),
        Stmt::Expr(_) => source.all().is_some_and(is_listed),
        _ => false,
    }
}

pub(super) fn refusal(
    source: &Source,
    range: TextRange,
    reason: impl Into<String>,
    what: String,
    suggestion: impl Into<String>,
) -> Refusal {
    let mut refusal = Refusal::new(reason, suggestion);
    refusal.places.push(place(source, range, what));
    refusal
}
