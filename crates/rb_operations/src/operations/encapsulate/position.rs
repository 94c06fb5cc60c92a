//! Where the class stands: where one of the functions stood, with all that their signatures need above it.

use std::collections::BTreeSet;

use rb_python::ast::visitor::source_order::{SourceOrderVisitor, walk_expr, walk_stmt};
use rb_python::ast::{Expr, Stmt, StmtFunctionDef};
use rb_python::{Name, Ranged, ScopeKind, Source, TextRange};

use crate::operations::calls::{place, refusal};
use crate::outcome::{Place, Refusal};

/// The index of the statement. `functions` are indexes into the body, sorted.
pub(super) fn position(
    source: &Source,
    class: &str,
    functions: &[usize],
) -> Result<usize, Refusal> {
    let nodes: Vec<&StmtFunctionDef> =
        functions.iter().filter_map(|index| source.body()[*index].as_function_def_stmt()).collect();
    let heads: Vec<&Name> = nodes.iter().flat_map(|node| head_names(source, node)).collect();
    let of_class: Vec<Place> = heads
        .iter()
        .filter(|name| name.name == class)
        .map(|name| place(source, name.range, "needed while the class is made"))
        .collect();
    if !of_class.is_empty() {
        let reason = "a decorator or default of one function needs another one";
        return Err(refusal(reason, of_class, "leave one of them out"));
    }
    let needed: BTreeSet<usize> =
        heads.iter().filter_map(|name| first_binding(source, name)).collect();
    let latest = needed.iter().max().copied();
    let fits = |at: &&usize| latest.is_none_or(|latest| latest < **at);
    let Some(at) = functions.iter().find(fits).copied() else {
        let places = vec![place(source, nodes[0].name.range(), "the first function")];
        let reason = "the functions need what is defined below all of them";
        return Err(refusal(reason, places, "move that up first"));
    };
    check_between(source, class, functions[0], at)?;
    Ok(at)
}

/// Names that are looked up when the function is defined.
fn head_names<'s>(source: &'s Source, node: &StmtFunctionDef) -> Vec<&'s Name> {
    let body = node.body.first().map_or(node.range().end(), Ranged::start);
    let head = TextRange::new(node.range().start(), body);
    let is_lazy = has_future_annotations(source);
    let annotations = annotations(node);
    let in_head = source.scopes().names.iter().filter(|name| head.contains_range(name.range));
    in_head
        .filter(|name| {
            let is_annotation = annotations.iter().any(|range| range.contains_range(name.range));
            let is_type = name.is_quoted || (is_lazy && is_annotation);
            !is_type && name.range != node.name.range()
        })
        .collect()
}

fn annotations(node: &StmtFunctionDef) -> Vec<TextRange> {
    let parameters = node.parameters.iter_source_order();
    let own = parameters.filter_map(|parameter| parameter.annotation().map(Ranged::range));
    own.chain(node.returns.as_deref().map(Ranged::range)).collect()
}

fn has_future_annotations(source: &Source) -> bool {
    source.imports().iter().any(|import| {
        import.is_from
            && import.specifier(0) == "__future__"
            && import.names.iter().any(|name| name.name == "annotations")
    })
}

/// The statement of the module that first binds what a name means; None for builtins and the like.
fn first_binding(source: &Source, name: &Name) -> Option<usize> {
    let variable = source.scopes().variable(name.variable?);
    if source.scopes().scope(variable.scope).kind != ScopeKind::Module {
        return None;
    }
    let binding = variable.bindings.first()?;
    source.body().iter().position(|statement| statement.range().contains_range(binding.statement))
}

/// If the class stands below the first function, nothing in between may need the functions while the module loads.
fn check_between(source: &Source, class: &str, from: usize, to: usize) -> Result<(), Refusal> {
    let mut runner = Runner { class, places: Vec::new(), source };
    for statement in &source.body()[from..to] {
        if !statement.is_function_def_stmt() {
            runner.visit_stmt(statement);
        }
    }
    if runner.places.is_empty() {
        return Ok(());
    }
    let reason = "the functions are needed before all that they need is defined";
    Err(refusal(reason, runner.places, "leave one of them out, or move what it needs up"))
}

/// What runs while a module loads: calls, and uses of the class.
struct Runner<'s> {
    class: &'s str,
    source: &'s Source,
    places: Vec<Place>,
}

impl<'s> SourceOrderVisitor<'s> for Runner<'s> {
    fn visit_stmt(&mut self, statement: &'s Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                function
                    .decorator_list
                    .iter()
                    .for_each(|decorator| self.visit_decorator(decorator));
            }
            other => walk_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, expression: &'s Expr) {
        let is_use = expression.as_name_expr().is_some_and(|name| name.id.as_str() == self.class);
        if is_use || expression.is_call_expr() {
            self.places.push(place(self.source, expression.range(), "runs while the module loads"));
        }
        walk_expr(self, expression);
    }
}
