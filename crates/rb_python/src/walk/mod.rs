//! One walk over the tree of a file, which collects scopes, imports and strings.
//!
//! `statements` holds what opens scopes and binds names, `expressions` the rest, `annotations` the names in quoted annotations. The tree is
//! no deeper than `nesting::LIMIT`, so recursion is safe.

mod annotations;
mod expressions;
mod statements;

use std::collections::BTreeMap;

use ruff_python_ast::visitor::source_order::SourceOrderVisitor;
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

use crate::builder::ScopesBuilder;
use crate::imports::{Import, ImportPlace};
use crate::scopes::{Binding, BindingKind, NameRole, ScopeId, Scopes};
use crate::strings::{self, StringLiteral, StringUse};

pub(crate) struct Collected {
    pub(crate) scopes: Scopes,
    pub(crate) imports: Vec<Import>,
    pub(crate) strings: Vec<StringLiteral>,
}

pub(crate) fn collect(text: &str, body: &[Stmt]) -> Collected {
    let range = TextRange::up_to(TextSize::of(text));
    let mut walk = Walk {
        text,
        scopes: ScopesBuilder::new(range),
        imports: Vec::new(),
        strings: Vec::new(),
        typing: Typing::default(),
        statement: range,
        target: Target { kind: BindingKind::Other, from: TextSize::new(0) },
        loop_from: None,
        place: ImportPlace::Top,
        is_annotation: false,
        is_quoted: false,
    };
    walk.body_with_docstring(body);
    let Walk { scopes, imports, mut strings, .. } = walk;
    strings.sort_by_key(|string| string.range.start());
    Collected { scopes: scopes.finish(), imports, strings }
}

struct Walk<'t> {
    text: &'t str,
    scopes: ScopesBuilder,
    imports: Vec<Import>,
    strings: Vec<StringLiteral>,
    typing: Typing,
    /// The innermost statement.
    statement: TextRange,
    target: Target,
    /// Where the outermost loop of the scope begins: what its body binds further below may be bound already.
    loop_from: Option<TextSize>,
    place: ImportPlace,
    /// Strings are annotations.
    is_annotation: bool,
    /// The tree is that of a quoted annotation.
    is_quoted: bool,
}

/// What a name that is assigned to is bound by.
#[derive(Clone, Copy)]
struct Target {
    kind: BindingKind,
    from: TextSize,
}

/// What the file imports from `typing` and its like, so that `cast` is known to be that `cast`.
#[derive(Default)]
struct Typing {
    /// `t` of `import typing as t`.
    modules: Vec<String>,
    /// From the name in the file to the name in `typing`.
    names: BTreeMap<String, String>,
}

impl Walk<'_> {
    fn use_name(&mut self, name: &str, range: TextRange) {
        self.scopes.name(name, range, NameRole::Use, self.is_quoted);
    }

    /// A name that is bound in the current scope.
    fn bind(&mut self, name: &str, range: TextRange, kind: BindingKind, from: TextSize) {
        self.bind_in(self.scopes.current, name, range, kind, from);
    }

    fn bind_in(
        &mut self,
        scope: ScopeId,
        name: &str,
        range: TextRange,
        kind: BindingKind,
        from: TextSize,
    ) {
        self.scopes.name(name, range, NameRole::Binding, self.is_quoted);
        self.add_binding(scope, name, range, kind, from);
    }

    fn add_binding(
        &mut self,
        scope: ScopeId,
        name: &str,
        range: TextRange,
        kind: BindingKind,
        from: TextSize,
    ) {
        let from = self.loop_from.map_or(from, |start| start.min(from));
        let binding = Binding { range, statement: self.statement, kind };
        self.scopes.bind(scope, name, binding, from);
    }

    fn bind_identifier(&mut self, identifier: &Identifier, kind: BindingKind, from: TextSize) {
        self.bind(identifier.as_str(), identifier.range(), kind, from);
    }

    /// An expression that is assigned to: its names are bound, the rest is used.
    fn targets(&mut self, target: &Expr, kind: BindingKind, from: TextSize) {
        let outer = std::mem::replace(&mut self.target, Target { kind, from });
        self.visit_expr(target);
        self.target = outer;
    }

    fn name_expression(&mut self, name: &ast::ExprName) {
        match name.ctx {
            ExprContext::Load | ExprContext::Invalid => self.use_name(&name.id, name.range),
            ExprContext::Store => {
                let Target { kind, from } = self.target;
                self.bind(&name.id, name.range, kind, from);
            }
            ExprContext::Del => {
                self.scopes.name(&name.id, name.range, NameRole::Delete, self.is_quoted);
                // It makes the name one of this scope and gives it no value.
                let binding = Binding {
                    range: name.range,
                    statement: self.statement,
                    kind: BindingKind::Other,
                };
                let never = TextSize::new(u32::MAX);
                self.scopes.bind(self.scopes.current, &name.id, binding, never);
            }
        }
    }

    fn string(&mut self, literal: &ast::StringLiteral, usage: StringUse) {
        // A string within a quoted annotation is a part of that string.
        if !self.is_quoted {
            self.strings.push(strings::literal(self.text, literal, usage));
        }
    }

    fn bytes(&mut self, literal: &ast::BytesLiteral, usage: StringUse) {
        if !self.is_quoted {
            self.strings.push(strings::bytes(self.text, literal, usage));
        }
    }

    /// Does something with another scope as the current one.
    fn within<R>(&mut self, scope: ScopeId, action: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.scopes.current, scope);
        let result = action(self);
        self.scopes.current = outer;
        result
    }
}
