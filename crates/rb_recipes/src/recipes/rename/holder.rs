//! A value of which one member changes its name: a module as one object, an enum, an object that is a constant.
//!
//! It is followed as far as its member can be seen; where it is handed on, the member may be used unseen, and that is said.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentTarget, AssignmentTargetProperty, BindingPattern, CallExpression,
    Expression, FormalParameters, ObjectPattern, TSType,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::BinaryOperator;

use super::exports::{self, key};
use super::file::{File, FileResult};
use super::{doubles, scope};

/// What kind of value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HolderKind {
    Module,
    /// A module of which a type changes its name: nothing of that is there when the program runs.
    Types,
    /// An enum; `true`: all its members have values that do not come from their names.
    Enum(bool),
    Object,
}

#[derive(Clone, Copy)]
pub(super) struct Holder<'h, 'f, 'a> {
    pub(super) file: &'h File<'f, 'a>,
    pub(super) held: HolderKind,
    /// The module is `CommonJS`: its default is the module again.
    pub(super) has_default: bool,
}

impl<'a> Holder<'_, '_, 'a> {
    /// Every use of a name that is bound to the value.
    pub(super) fn symbol(&self, symbol: SymbolId, found: &mut FileResult) {
        if !found.seen.insert(symbol) {
            return;
        }
        let file = self.file;
        if self.held != HolderKind::Types && file.module.scoping().symbol_is_mutated(symbol) {
            let span = file.module.scoping().symbol_span(symbol);
            let reason = format!("`{}` is reassigned", file.module.name(symbol));
            file.stop(found, span, &reason, "bind it once, with `const`");
        }
        for used in file.module.uses(symbol) {
            self.node(used.node, used.span, found);
        }
    }

    /// What is done with the value at a node.
    pub(super) fn node(&self, node: NodeId, span: Span, found: &mut FileResult) {
        let file = self.file;
        let parent = file.module.nodes().parent_id(node);
        match file.module.nodes().kind(parent) {
            AstKind::StaticMemberExpression(it) => {
                if it.property.name == file.old() {
                    file.put_new(found, it.property.span);
                } else if it.property.name == "default" && self.has_default {
                    self.node(parent, it.span, found);
                }
            }
            AstKind::ComputedMemberExpression(it) if it.object.span() == span => {
                match it.expression.get_inner_expression() {
                    Expression::StringLiteral(name) if name.value == file.old() => {
                        file.put_string(found, name);
                    }
                    Expression::StringLiteral(_) => {}
                    Expression::NumericLiteral(_) if !self.is_module() => {}
                    _ => {
                        self.lost(span, "one of its members is accessed by a computed name", found);
                    }
                }
            }
            AstKind::TSQualifiedName(it) => {
                if it.right.name == file.old() {
                    file.put_new(found, it.right.span);
                }
            }
            AstKind::JSXMemberExpression(it) => {
                if it.property.name == file.old() {
                    file.put_new(found, it.property.span);
                }
            }
            AstKind::VariableDeclarator(it) => self.pattern(&it.id, span, found),
            AstKind::AssignmentExpression(it) if it.right.span() == span => {
                self.assigned(&it.left, span, found);
            }
            kind => self.further(kind, parent, span, found),
        }
    }

    fn further(&self, kind: AstKind<'a>, parent: NodeId, span: Span, found: &mut FileResult) {
        let file = self.file;
        match kind {
            AstKind::AwaitExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::ChainExpression(_) => self.node(parent, kind.span(), found),
            AstKind::ExpressionStatement(_) | AstKind::UnaryExpression(_) => {}
            AstKind::TSTypeReference(_) if !self.is_module() => {}
            AstKind::TSTypeQuery(_) => self.type_query(parent, span, found),
            AstKind::ExportSpecifier(it) => {
                found.objects.insert(it.exported.name().to_string());
            }
            AstKind::ExportDefaultDeclaration(_) => {
                found.objects.insert("default".to_owned());
            }
            AstKind::BinaryExpression(it) => match (&it.left, it.operator) {
                (Expression::StringLiteral(name), BinaryOperator::In)
                    if name.value == file.old() =>
                {
                    file.put_string(found, name);
                }
                (Expression::StringLiteral(_), BinaryOperator::In) => {}
                (_, BinaryOperator::In) => self.lost(span, "its names are tested with `in`", found),
                _ => {}
            },
            AstKind::ObjectProperty(it)
                if file.is_exported_object(file.module.nodes().parent_id(parent)) =>
            {
                let name = it.key.static_name().filter(|_| !it.computed);
                found.objects.extend(name.map(std::borrow::Cow::into_owned));
            }
            // A module may be a function with members.
            AstKind::CallExpression(call) if call.callee.span() == span => {}
            AstKind::NewExpression(new) if new.callee.span() == span => {}
            AstKind::CallExpression(call) => self.argument(call, parent, span, found),
            AstKind::ArrowFunctionExpression(_) | AstKind::ReturnStatement(_)
                if doubles::is_lazy(file, parent) => {}
            AstKind::SpreadElement(_) if doubles::is_in_factory(file, parent) => {}
            _ => self.lost(span, "it is passed on as one value", found),
        }
    }

    /// `typeof value`, as a type.
    fn type_query(&self, query: NodeId, span: Span, found: &mut FileResult) {
        let nodes = self.file.module.nodes();
        let around = nodes.parent_id(query);
        match nodes.kind(around) {
            AstKind::TSIndexedAccessType(it) => {
                if let TSType::TSLiteralType(literal) = &it.index_type
                    && let oxc_ast::ast::TSLiteral::StringLiteral(name) = &literal.literal
                {
                    if name.value == self.file.old() {
                        self.file.put_string(found, name);
                    }
                } else {
                    self.lost(span, "its type is passed on", found);
                }
            }
            AstKind::TSTypeParameterInstantiation(_)
                if doubles::is_actual(self.file, nodes.parent_id(around)) => {}
            _ => self.lost(span, "its type is passed on", found),
        }
    }

    fn argument(
        &self,
        call: &CallExpression<'a>,
        node: NodeId,
        span: Span,
        found: &mut FileResult,
    ) {
        let first = call.arguments.first().is_some_and(|it| it.span() == span);
        if !first {
            return self.lost(span, "it is passed on as one value", found);
        }
        let called = self.file.module.slice(call.callee.span());
        let member = called.rsplit('.').next().unwrap_or_default();
        match (member, call.arguments.get(1)) {
            ("spyOn" | "stub" | "replace" | "spy" | "replaceProperty", Some(second)) => {
                match second {
                    Argument::StringLiteral(name) => {
                        if name.value == self.file.old() {
                            self.file.put_string(found, name);
                        }
                    }
                    _ => {
                        self.lost(span, "one of its members is accessed by a computed name", found);
                    }
                }
            }
            ("mocked" | "freeze", None) => self.node(node, call.span, found),
            ("values" | "nativeEnum", _) if self.held == HolderKind::Enum(true) => {}
            _ => self.lost(span, "it is passed on as one value", found),
        }
    }

    /// What the value is bound to.
    pub(super) fn pattern(&self, pattern: &BindingPattern<'a>, span: Span, found: &mut FileResult) {
        match pattern {
            BindingPattern::BindingIdentifier(it) => {
                if let Some(symbol) = it.symbol_id.get() {
                    self.symbol(symbol, found);
                    self.exported(symbol, found);
                }
            }
            BindingPattern::ObjectPattern(it) => self.properties(it, found),
            BindingPattern::AssignmentPattern(it) => self.pattern(&it.left, span, found),
            BindingPattern::ArrayPattern(_) => {
                self.lost(span, "it is destructured as an array", found);
            }
        }
    }

    /// `export const held = …`
    pub(super) fn exported(&self, symbol: SymbolId, found: &mut FileResult) {
        let name = self.file.module.name(symbol);
        let links = crate::links::links(self.file.world, self.file.path);
        for export in links.iter().flat_map(|it| it.names_of(name)) {
            found.objects.insert(export.name.clone());
        }
    }

    fn properties(&self, pattern: &ObjectPattern<'a>, found: &mut FileResult) {
        let file = self.file;
        for property in &pattern.properties {
            if property.computed {
                self.lost(
                    property.span,
                    "one of its members is accessed by a computed name",
                    found,
                );
                continue;
            }
            if property.key.static_name().as_deref() != Some(file.old()) {
                continue;
            }
            match property.value.get_binding_identifier() {
                Some(id) if property.shorthand => {
                    if let Some(symbol) = id.symbol_id.get() {
                        taken_apart(file, symbol, id.span, found);
                    }
                }
                Some(id) if id.name == file.fresh() && property.value.span() == id.span => {
                    let span = property.key.span();
                    file.first_of_two(found, span, id.span, &id.name);
                }
                _ => {
                    key(file, &property.key, found);
                }
            }
        }
        if let Some(rest) = &pattern.rest {
            self.lost(rest.span, "the rest of it is passed on", found);
        }
    }

    fn assigned(&self, left: &AssignmentTarget<'a>, span: Span, found: &mut FileResult) {
        let file = self.file;
        match left {
            AssignmentTarget::ObjectAssignmentTarget(it) if it.rest.is_none() => {
                for property in &it.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                            if it.binding.name == file.old() {
                                let text = format!("{}: {}", file.fresh(), file.old());
                                file.put(found, it.binding.span, text);
                            }
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                            if it.computed {
                                self.lost(
                                    it.span,
                                    "one of its members is accessed by a computed name",
                                    found,
                                );
                            } else {
                                key(file, &it.name, found);
                            }
                        }
                    }
                }
            }
            AssignmentTarget::StaticMemberExpression(it)
                if it.property.name == "exports"
                    && file.module.is_global_named(&it.object, "module") =>
            {
                found.objects.insert(crate::links::WHOLE.to_owned());
            }
            AssignmentTarget::StaticMemberExpression(it) if file.is_exports(&it.object) => {
                found.objects.insert(it.property.name.to_string());
            }
            _ => self.lost(span, "it is passed on as one value", found),
        }
    }

    /// The first parameter of a function is the value.
    pub(super) fn parameter(
        &self,
        params: &FormalParameters<'a>,
        span: Span,
        found: &mut FileResult,
    ) {
        if let Some(first) = params.items.first() {
            self.pattern(&first.pattern, span, found);
        } else if params.rest.is_some() {
            self.lost(span, "it is passed on as one value", found);
        }
    }

    fn is_module(&self) -> bool {
        matches!(self.held, HolderKind::Module | HolderKind::Types)
    }

    pub(super) fn lost(&self, span: Span, what: &str, found: &mut FileResult) {
        let file = self.file;
        let whole = match self.held {
            HolderKind::Types => return,
            HolderKind::Module => "the module",
            HolderKind::Enum(_) => "the enum",
            HolderKind::Object => "the object",
        };
        let reason = format!("{whole} that contains `{}` is used here, and {what}", file.old());
        file.stop(found, span, &reason, "access the members by name first");
    }
}

/// `{ old }` of a pattern: the binding follows where nothing is in its way, as that of an import does.
pub(super) fn taken_apart(
    file: &File<'_, '_>,
    symbol: SymbolId,
    span: Span,
    found: &mut FileResult,
) {
    let mut own = FileResult::default();
    let clashes = scope::rename(file, symbol, &mut own);
    let follows = clashes.is_empty() && scope::declarations(file, symbol).len() == 1;
    if follows {
        own.edits.retain(|it| it.start != span.start);
        file.put_new(&mut own, span);
        found.take(own);
    } else {
        file.put(found, span, format!("{}: {}", file.fresh(), file.old()));
    }
    exports::follow(file, symbol, follows, found);
}
