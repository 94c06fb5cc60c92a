//! How a function is used at a place: called, given to `partial`, as a decorator, or passed on.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_python::ast::visitor::source_order::{SourceOrderVisitor, walk_decorator, walk_expr};
use rb_python::ast::{self, Expr};
use rb_python::{Ranged, Source, TextRange, TextSize};

use crate::operations::functions::{last_name, last_name_range};

/// The uses in one file.
pub(in crate::operations) struct FileUses {
    pub(in crate::operations) source: Arc<Source>,
    pub(super) ranges: BTreeMap<TextSize, TextRange>,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::operations) enum Use<'s> {
    Call(&'s ast::ExprCall),
    /// `partial(f, 1)`
    Partial(&'s ast::ExprCall),
    /// `@f`
    Decorator(&'s Expr),
    /// Passed on, stored, compared.
    Value(&'s Expr),
    /// Named in a quoted annotation.
    Quoted(TextRange),
}

impl FileUses {
    /// In the order of the text.
    pub(in crate::operations) fn uses(&self) -> Vec<Use<'_>> {
        let mut finder = Finder { open: self.ranges.clone(), uses: Vec::new() };
        finder.visit_body(self.source.body());
        let Finder { open, mut uses } = finder;
        uses.extend(open.into_values().map(Use::Quoted));
        uses.sort_by_key(|one| one.range().start());
        uses
    }
}

impl Use<'_> {
    /// Of the name.
    pub(in crate::operations) fn range(&self) -> TextRange {
        let named =
            |expression: &Expr| last_name_range(expression).unwrap_or_else(|| expression.range());
        match self {
            Use::Call(call) => named(&call.func),
            Use::Partial(call) => call.arguments.args.first().map_or(call.range(), named),
            Use::Decorator(expression) | Use::Value(expression) => named(expression),
            Use::Quoted(range) => *range,
        }
    }
}

struct Finder<'s> {
    open: BTreeMap<TextSize, TextRange>,
    uses: Vec<Use<'s>>,
}

impl Finder<'_> {
    fn take(&mut self, expression: &Expr) -> bool {
        let Some(range) = last_name_range(expression) else { return false };
        if self.open.get(&range.start()) != Some(&range) {
            return false;
        }
        self.open.remove(&range.start());
        true
    }
}

impl<'s> SourceOrderVisitor<'s> for Finder<'s> {
    fn visit_decorator(&mut self, decorator: &'s ast::Decorator) {
        if self.take(&decorator.expression) {
            self.uses.push(Use::Decorator(&decorator.expression));
        }
        walk_decorator(self, decorator);
    }

    fn visit_expr(&mut self, expression: &'s Expr) {
        if let Expr::Call(call) = expression {
            if self.take(&call.func) {
                self.uses.push(Use::Call(call));
            }
            let is_partial = matches!(last_name(&call.func), Some("partial" | "partialmethod"));
            if is_partial && call.arguments.args.first().is_some_and(|first| self.take(first)) {
                self.uses.push(Use::Partial(call));
            }
        } else if self.take(expression) {
            self.uses.push(Use::Value(expression));
        }
        walk_expr(self, expression);
    }
}

/// Names and attributes that are written so.
pub(super) fn expressions_named<'s>(source: &'s Source, name: &str) -> Vec<&'s Expr> {
    struct Named<'s, 'n> {
        name: &'n str,
        expressions: Vec<&'s Expr>,
    }
    impl<'s> SourceOrderVisitor<'s> for Named<'s, '_> {
        fn visit_expr(&mut self, expression: &'s Expr) {
            if last_name(expression) == Some(self.name) {
                self.expressions.push(expression);
            }
            walk_expr(self, expression);
        }
    }
    let mut named = Named { name, expressions: Vec::new() };
    named.visit_body(source.body());
    named.expressions
}

/// Calls of what is written so.
pub(super) fn expressions_called<'s>(source: &'s Source, name: &str) -> Vec<&'s ast::ExprCall> {
    struct Calls<'s, 'n> {
        name: &'n str,
        calls: Vec<&'s ast::ExprCall>,
    }
    impl<'s> SourceOrderVisitor<'s> for Calls<'s, '_> {
        fn visit_expr(&mut self, expression: &'s Expr) {
            if let Expr::Call(call) = expression
                && last_name(&call.func) == Some(self.name)
            {
                self.calls.push(call);
            }
            walk_expr(self, expression);
        }
    }
    let mut calls = Calls { name, calls: Vec::new() };
    calls.visit_body(source.body());
    calls.calls
}
