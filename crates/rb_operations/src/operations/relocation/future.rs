//! `from __future__ import annotations`: does it hold for moved code in its new module?

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{Expr, Operator};
use rb_python::{ImportPlace, Ranged, Source, TextRange};

use super::timing::{Timings, has_future};
use crate::layout::Block;

/// Are the annotations of the moved code left unevaluated in the new module?
pub(super) fn applies(old: &Source, target: Option<&Source>, blocks: &[Block]) -> bool {
    match target {
        None => has_future(old),
        Some(target) => has_future(target) || is_added(old, target, blocks),
    }
}

/// Does an existing module need the import for the code that it gets? Not if all annotations can be evaluated as well.
pub(super) fn is_added(old: &Source, target: &Source, blocks: &[Block]) -> bool {
    if !has_future(old) || has_future(target) {
        return false;
    }
    let timings = Timings::new(old, true);
    let is_within = |range: TextRange| blocks.iter().any(|block| block.range.contains_range(range));
    let names = old.scopes().names.iter().filter(|name| is_within(name.range));
    let annotated: Vec<_> =
        names.filter(|name| !name.is_quoted && timings.is_annotation(name.range)).collect();
    let is_for_types = annotated.iter().any(|name| {
        let imports =
            old.imports().iter().filter(|import| import.place == ImportPlace::TypeChecking);
        imports.flat_map(|import| &import.names).any(|imported| imported.local() == name.name)
    });
    let mut finder = NewSyntax { blocks, is_found: false };
    finder.visit_body(old.body());
    is_for_types || finder.is_found
}

/// `int | None` and `list[int]`, which older versions of Python cannot evaluate.
struct NewSyntax<'b> {
    blocks: &'b [Block],
    is_found: bool,
}

impl<'a> Visitor<'a> for NewSyntax<'_> {
    fn visit_annotation(&mut self, expr: &'a Expr) {
        let is_within = self.blocks.iter().any(|block| block.range.contains_range(expr.range()));
        self.is_found |= is_within && is_new(expr);
        visitor::walk_annotation(self, expr);
    }
}

fn is_new(expr: &Expr) -> bool {
    match expr {
        Expr::BinOp(union) => union.op == Operator::BitOr,
        Expr::Subscript(subscript) => {
            let generics = ["list", "dict", "tuple", "set", "frozenset", "type"];
            let is_builtin = matches!(&*subscript.value, Expr::Name(name) if generics.contains(&name.id.as_str()));
            is_builtin || is_new(&subscript.slice)
        }
        Expr::Tuple(tuple) => tuple.elts.iter().any(is_new),
        _ => false,
    }
}
