//! When a name is looked up: while its module is loaded, when its function runs, or never.

use rb_python::ast::Expr;
use rb_python::ast::visitor::{self, Visitor};
use rb_python::{Name, Ranged, ScopeId, ScopeKind, Source, TextRange};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timing {
    /// Only read by type checkers: quoted annotations, and all of them below `from __future__ import annotations`.
    Type,
    /// When a function is called.
    Run,
    /// When the module is imported.
    Load,
}

/// Where annotations stand in a file.
pub(super) struct Timings<'s> {
    source: &'s Source,
    annotations: Vec<TextRange>,
    has_future: bool,
}

impl<'s> Timings<'s> {
    /// `has_future`: annotations are not evaluated.
    pub(super) fn new(source: &'s Source, has_future: bool) -> Self {
        let mut finder = Finder::default();
        finder.visit_body(source.body());
        Timings { source, annotations: finder.annotations, has_future }
    }

    pub(super) fn of(&self, name: &Name) -> Timing {
        if name.is_quoted || (self.has_future && self.is_annotation(name.range)) {
            Timing::Type
        } else if is_in_function(self.source, name.scope) {
            Timing::Run
        } else {
            Timing::Load
        }
    }

    pub(super) fn is_annotation(&self, range: TextRange) -> bool {
        self.annotations.iter().any(|annotation| annotation.contains_range(range))
    }
}

/// `from __future__ import annotations`.
pub(in crate::operations) fn has_future(source: &Source) -> bool {
    let future = source.imports().iter().filter(|import| import.specifier(0) == "__future__");
    future.flat_map(|import| &import.names).any(|name| name.name == "annotations")
}

pub(super) fn is_in_function(source: &Source, scope: ScopeId) -> bool {
    let scopes = source.scopes();
    let mut next = Some(scope);
    while let Some(id) = next {
        let scope = scopes.scope(id);
        // A lambda at the top level may be called there.
        if scope.kind == ScopeKind::Function {
            return true;
        }
        next = scope.parent;
    }
    false
}

#[derive(Default)]
struct Finder {
    annotations: Vec<TextRange>,
}

impl<'a> Visitor<'a> for Finder {
    fn visit_annotation(&mut self, expr: &'a Expr) {
        self.annotations.push(expr.range());
        visitor::walk_annotation(self, expr);
    }
}
