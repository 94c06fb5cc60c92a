//! The walk over a syntax tree: which nodes are symbols, references and decisions.
//!
//! A function, arrow or class is named by what holds it (a variable, a property, an assignment) or else by its own name;
//! without either it is part of the symbol around it. Imports and exports are in `modules`.

use std::mem;

use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, BinaryExpression, BindingPattern,
    BlockStatement, CallExpression, CatchClause, Class, ConditionalExpression, Decorator,
    DoWhileStatement, ExportAllDeclaration, ExportDeclaration, ExportDefaultDeclaration,
    ExportFromDeclaration, ExportNamedDeclaration, Expression, ForInStatement, ForOfStatement,
    ForStatement, Function, IdentifierReference, IfStatement, ImportDeclaration, ImportExpression,
    JSXClosingElement, JSXElement, JSXElementName, JSXFragment, JSXOpeningElement,
    LogicalExpression, MethodDefinition, NewExpression, ObjectExpression, ObjectProperty,
    ObjectPropertyKind, PropertyDefinition, PropertyKey, StaticBlock, StaticMemberExpression,
    SwitchCase, SwitchStatement, TSAccessibility, TSClassImplements, TSEnumDeclaration,
    TSExportAssignment, TSExternalModuleDeclaration, TSGlobalDeclaration,
    TSImportEqualsDeclaration, TSImportType, TSInterfaceDeclaration, TSInterfaceHeritage,
    TSNamespaceDeclaration, TSSignature, TSType, TSTypeAliasDeclaration, TSTypeName,
    TaggedTemplateExpression, VariableDeclaration, VariableDeclarationKind, VariableDeclarator,
    WhileStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span as At};
use oxc_syntax::operator::BinaryOperator;
use oxc_syntax::scope::ScopeFlags;

use super::collect::{Collector, Declaration};
use super::react::{self, Rendering};
use super::value::{self, Value};
use crate::facts::{ReferenceKind, SymbolKind};

pub(super) struct Walk<'a, 'p> {
    pub(super) collect: Collector<'a, 'p>,
    /// Inside of a function or a block: variables are nobody else's business.
    pub(super) local: bool,
    /// The `export` statement around the declaration that comes next.
    pub(super) export: Option<At>,
    /// Inside of `declare module` and its like: everything there is meant for others.
    ambient: bool,
    /// The functions around the current node that are symbols, innermost last.
    rendering: Vec<Rendering<'a>>,
}

/// What a symbol is called, and the text that is it.
#[derive(Clone, Copy)]
pub(super) struct Holder<'a> {
    pub(super) name: &'a str,
    /// What it is as long as the value does not say more.
    pub(super) kind: SymbolKind,
    pub(super) at: At,
    /// Where its signature starts: behind decorators.
    pub(super) head: u32,
    pub(super) comment_before: u32,
    pub(super) exported: bool,
    /// An export list may name it.
    pub(super) top: bool,
}

impl<'a> Holder<'a> {
    pub(super) fn new(name: &'a str, kind: SymbolKind, at: At) -> Self {
        let comment_before = at.start;
        Holder { name, kind, at, head: at.start, comment_before, exported: false, top: false }
    }

    fn behind(mut self, decorators: &[Decorator<'_>]) -> Self {
        if let Some(last) = decorators.last().filter(|last| self.at.contains_inclusive(last.span)) {
            self.head = last.span.end;
        }
        self
    }
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(super) fn new(collect: Collector<'a, 'p>) -> Self {
        Walk { collect, local: false, export: None, ambient: false, rendering: Vec::new() }
    }

    /// Adds a symbol; its signature ends at `head_end`.
    pub(super) fn declare(
        &mut self,
        holder: Holder<'a>,
        head_end: u32,
        has_body: bool,
    ) -> Option<u32> {
        let Holder { name, kind, at, head, comment_before, exported, top } = holder;
        let head = At::new(head, head_end.clamp(head, at.end));
        let declaration = Declaration { name, kind, at, head, comment_before, exported, has_body };
        if top {
            self.collect.declare_top(&declaration)
        } else {
            self.collect.declare(&declaration)
        }
    }

    /// The holder of what a statement declares under its own name.
    fn statement(&mut self, name: &'a str, kind: SymbolKind, at: At) -> Holder<'a> {
        let export = self.export.take();
        let exported = export.is_some() || self.ambient;
        Holder { exported, top: self.is_top(), ..Holder::new(name, kind, export.unwrap_or(at)) }
    }

    pub(super) fn is_top(&self) -> bool {
        !self.local && self.collect.scope.is_none()
    }

    /// A value under a name: a symbol, with all that is in it, if it is a function or a class. `false` where it is
    /// neither, and nothing has been done.
    pub(super) fn hold(&mut self, holder: Holder<'a>, value: Value<'a, '_>) -> bool {
        match value {
            Value::Function(it) => _ = self.function(holder, it),
            Value::Arrow(it) => _ = self.arrow(holder, it),
            Value::Class(it) => self.class(holder, it),
            Value::Component(call, inner) => self.component(holder, call, inner),
            Value::Object(_) | Value::Other(_) => return false,
        }
        true
    }

    fn function(&mut self, holder: Holder<'a>, it: &Function<'a>) -> Option<u32> {
        let head_end = it.body.as_ref().map_or(holder.at.end, |body| body.span.start);
        let symbol = self.declare(holder, head_end, it.body.is_some());
        self.in_function(symbol, |walk| walk::walk_function(walk, it, ScopeFlags::Function));
        symbol
    }

    fn arrow(&mut self, holder: Holder<'a>, it: &ArrowFunctionExpression<'a>) -> Option<u32> {
        let head_end =
            it.return_type.as_ref().map_or(it.params.span.end, |returned| returned.span.end);
        let symbol = self.declare(holder, head_end, true);
        self.in_function(symbol, |walk| walk::walk_arrow_function_expression(walk, it));
        symbol
    }

    fn class(&mut self, holder: Holder<'a>, it: &Class<'a>) {
        let kind =
            if react::is_component_class(it) { SymbolKind::Component } else { SymbolKind::Class };
        let holder = Holder { kind, ..holder }.behind(&it.decorators);
        let symbol = self.declare(holder, it.body.span.start, false);
        self.inside(symbol, |walk| walk.class_parts(it));
    }

    fn class_parts(&mut self, it: &Class<'a>) {
        if let Some(base) = it.heritage_expression() {
            self.reference_to(ReferenceKind::Inherit, base);
        }
        walk::walk_class(self, it);
    }

    /// `memo(…)` and its like; `inner` is what it is given.
    fn component(
        &mut self,
        holder: Holder<'a>,
        call: &CallExpression<'a>,
        inner: Option<&Expression<'a>>,
    ) {
        self.reference_to(ReferenceKind::Call, &call.callee);
        self.visit_expression(&call.callee);
        let holder = Holder { kind: SymbolKind::Component, ..holder };
        let given = match inner.map(value::of) {
            Some(Value::Function(it)) => {
                self.function(holder, it);
                1
            }
            Some(Value::Arrow(it)) => {
                self.arrow(holder, it);
                1
            }
            Some(Value::Component(call, inner)) => {
                self.component(holder, call, inner);
                1
            }
            _ => {
                self.declare(holder, holder.at.end, false);
                0
            }
        };
        call.arguments.iter().skip(given).for_each(|argument| self.visit_argument(argument));
    }

    /// What `walk` finds lies in `symbol`.
    pub(super) fn inside(&mut self, symbol: Option<u32>, walk: impl FnOnce(&mut Self)) {
        let outside = self.collect.enter(symbol);
        walk(self);
        self.collect.leave(outside);
    }

    fn in_function(&mut self, symbol: Option<u32>, walk: impl FnOnce(&mut Self)) {
        let local = mem::replace(&mut self.local, true);
        let ambient = mem::replace(&mut self.ambient, false);
        self.rendering.extend(symbol.map(Rendering::new));
        self.inside(symbol, walk);
        if symbol.is_some()
            && let Some(rendering) = self.rendering.pop()
        {
            self.rendered(rendering);
        }
        self.local = local;
        self.ambient = ambient;
    }

    /// Everything in a function has been seen: is it a component?
    fn rendered(&mut self, mut rendering: Rendering<'a>) {
        let symbol = self.collect.symbol(rendering.symbol);
        let named = react::is_component_name(&symbol.name) || &*symbol.name == "default";
        if symbol.kind == SymbolKind::Function && rendering.jsx && named {
            symbol.kind = SymbolKind::Component;
        }
        rendering.hooks.sort_unstable();
        rendering.hooks.dedup();
        symbol.hooks = rendering.hooks.into_iter().map(Into::into).collect();
        symbol.suspense = rendering.suspense;
        // What a method renders, its class does.
        if let Some(parent) = symbol.parent.filter(|_| rendering.suspense) {
            let parent = self.collect.symbol(parent);
            parent.suspense |= parent.kind == SymbolKind::Component;
        }
    }

    fn block(&mut self, walk: impl FnOnce(&mut Self)) {
        let local = mem::replace(&mut self.local, true);
        walk(self);
        self.local = local;
    }

    /// One more way through the function around the current node.
    fn decision(&mut self) {
        if let Some(rendering) = self.rendering.last() {
            self.collect.symbol(rendering.symbol).complexity += 1;
        }
    }

    fn renders(&mut self) {
        self.collect.facts.marks.jsx = true;
        if let Some(rendering) = self.rendering.last_mut() {
            rendering.jsx = true;
        }
    }

    fn declarator(&mut self, it: &VariableDeclarator<'a>, holder: Holder<'a>) {
        if let Some(written) = &it.type_annotation {
            self.visit_ts_type_annotation(written);
        }
        if self.is_import_binding(it) {
            return;
        }
        let BindingPattern::BindingIdentifier(id) = &it.id else {
            return self.pattern(it, holder);
        };
        let holder = Holder { name: id.name.as_str(), ..holder };
        let value = it.init.as_ref().map(value::of);
        let function = Holder { kind: SymbolKind::Function, ..holder };
        if value.is_some_and(|value| self.hold(function, value)) {
            return;
        }
        let head_end = match &it.init {
            Some(init) if value::is_bulk(init) => init.span().start,
            _ => holder.at.end,
        };
        let symbol = if self.local { None } else { self.declare(holder, head_end, false) };
        it.init.iter().for_each(|init| self.export_variable(holder.name, init));
        self.inside(symbol, |walk| match value {
            Some(Value::Object(object)) if symbol.is_some() => walk.named_object(object),
            _ => it.init.iter().for_each(|init| walk.visit_expression(init)),
        });
    }

    /// `const { a, b: [c] } = …`: each name is a symbol.
    fn pattern(&mut self, it: &VariableDeclarator<'a>, holder: Holder<'a>) {
        if !self.local {
            for id in it.id.get_binding_identifiers() {
                let holder =
                    Holder { name: id.name.as_str(), at: id.span, head: id.span.start, ..holder };
                self.declare(holder, id.span.end, false);
            }
        }
        self.visit_binding_pattern(&it.id);
        it.init.iter().for_each(|init| self.visit_expression(init));
    }

    /// Whoever reaches an object that has a name reaches its methods, in objects below it too.
    pub(super) fn named_object(&mut self, it: &ObjectExpression<'a>) {
        for property in &it.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(it) => self.property(it, Named::Yes),
                ObjectPropertyKind::SpreadProperty(it) => self.visit_spread_element(it),
            }
        }
    }

    /// A function is a method of the symbol around it, whether written `a() {}`, `a: function () {}` or `a: () => …`.
    fn property(&mut self, it: &ObjectProperty<'a>, object: Named) {
        if it.computed {
            self.visit_property_key(&it.key);
        }
        match value::of(&it.value) {
            Value::Object(inner) if object == Named::Yes => self.named_object(inner),
            value @ (Value::Function(_) | Value::Arrow(_)) => {
                let name = self.collect.key(&it.key);
                let exported = object == Named::Yes;
                let holder = Holder { exported, ..Holder::new(name, SymbolKind::Method, it.span) };
                self.hold(holder, value);
            }
            _ => self.visit_expression(&it.value),
        }
    }

    /// A call, a base class and so on, by the name at the end of a path.
    fn reference_to(&mut self, kind: ReferenceKind, expression: &Expression<'a>) {
        let (qualifier, name) = match expression.get_inner_expression() {
            Expression::Identifier(name) => ("", name.name.as_str()),
            Expression::StaticMemberExpression(member) => {
                (self.collect.path(&member.object), member.property.name.as_str())
            }
            Expression::PrivateFieldExpression(member) => {
                (self.collect.path(&member.object), self.collect.slice(member.field.span))
            }
            _ => return,
        };
        self.collect.reference(kind, qualifier, name, expression.span());
        if kind == ReferenceKind::Call && react::is_namespace(qualifier) {
            self.maybe_react(qualifier, name);
        }
    }

    fn maybe_react(&mut self, qualifier: &str, name: &'a str) {
        let Some(rendering) = self.rendering.last_mut() else { return };
        if react::is_hook(name) {
            rendering.hooks.push(name);
        } else if name == "createElement" && matches!(qualifier, "" | "React") {
            rendering.jsx = true;
        }
    }

    fn reference_to_type(&mut self, name: &TSTypeName<'a>) {
        let (qualifier, name, at) = match name {
            TSTypeName::IdentifierReference(name) => ("", name.name.as_str(), name.span),
            TSTypeName::QualifiedName(path) => {
                (self.collect.type_path(&path.left), path.right.name.as_str(), path.span)
            }
            TSTypeName::ThisExpression(_) => return,
        };
        self.collect.reference(ReferenceKind::Inherit, qualifier, name, at);
    }

    fn element(&mut self, name: &JSXElementName<'a>) {
        let (qualifier, name, at) = match name {
            JSXElementName::IdentifierReference(name) => ("", name.name.as_str(), name.span),
            JSXElementName::MemberExpression(member) => {
                let qualifier = self.collect.slice(member.object.span());
                (qualifier, member.property.name.as_str(), member.span)
            }
            JSXElementName::Identifier(_)
            | JSXElementName::NamespacedName(_)
            | JSXElementName::ThisExpression(_) => return,
        };
        if qualifier.is_empty() && !react::is_component_name(name) {
            return;
        }
        self.collect.reference(ReferenceKind::Element, qualifier, name, at);
        if name == "Suspense"
            && matches!(qualifier, "" | "React")
            && let Some(rendering) = self.rendering.last_mut()
        {
            rendering.suspense = true;
        }
    }

    /// `namespace a { … }`, `declare module 'a' { … }`.
    fn module(
        &mut self,
        name: &'a str,
        at: At,
        body: u32,
        ambient: bool,
        walk: impl FnOnce(&mut Self),
    ) {
        let holder = self.statement(name, SymbolKind::Module, at);
        let symbol =
            self.declare(Holder { exported: holder.exported || ambient, ..holder }, body, false);
        let outer = self.ambient;
        self.ambient |= ambient;
        let local = mem::replace(&mut self.local, false);
        self.inside(symbol, walk);
        self.local = local;
        self.ambient = outer;
    }
}

/// Does the object that a property stands in belong to a name?
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Named {
    Yes,
    No,
}

impl<'a> Visit<'a> for Walk<'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.collect.used(&it.name);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        match &it.id {
            Some(id) => {
                let mut holder = self.statement(id.name.as_str(), SymbolKind::Function, it.span);
                holder.top &= it.is_declaration() || it.is_ts_declare_function();
                self.function(holder, it);
            }
            None => self.in_function(None, |walk| walk::walk_function(walk, it, flags)),
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.in_function(None, |walk| walk::walk_arrow_function_expression(walk, it));
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        match &it.id {
            Some(id) => {
                let mut holder = self.statement(id.name.as_str(), SymbolKind::Class, it.span);
                holder.top &= it.is_declaration();
                self.class(holder, it);
            }
            None => self.class_parts(it),
        }
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        if it.computed {
            self.visit_property_key(&it.key);
        }
        let name = self.collect.key(&it.key);
        let exported =
            it.accessibility != Some(TSAccessibility::Private) && !it.key.is_private_identifier();
        let holder = Holder { exported, ..Holder::new(name, SymbolKind::Method, it.span) };
        self.function(holder.behind(&it.decorators), &it.value);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        let value = it.value.as_ref().map(value::of);
        let Some(value @ (Value::Function(_) | Value::Arrow(_))) = value else {
            return self.block(|walk| walk::walk_property_definition(walk, it));
        };
        self.visit_decorators(&it.decorators);
        if it.computed {
            self.visit_property_key(&it.key);
        }
        if let Some(written) = &it.type_annotation {
            self.visit_ts_type_annotation(written);
        }
        let name = self.collect.key(&it.key);
        let exported =
            it.accessibility != Some(TSAccessibility::Private) && !it.key.is_private_identifier();
        let holder = Holder { exported, ..Holder::new(name, SymbolKind::Method, it.span) };
        self.hold(holder.behind(&it.decorators), value);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        self.property(it, Named::No);
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        let export = self.export.take();
        let constant = matches!(
            it.kind,
            VariableDeclarationKind::Const
                | VariableDeclarationKind::Using
                | VariableDeclarationKind::AwaitUsing
        );
        let kind = if constant { SymbolKind::Constant } else { SymbolKind::Variable };
        let statement = export.unwrap_or(it.span);
        for (index, declarator) in it.declarations.iter().enumerate() {
            let at = if it.declarations.len() == 1 { statement } else { declarator.span };
            let holder = Holder {
                comment_before: if index == 0 { statement.start } else { declarator.span.start },
                exported: export.is_some() || self.ambient,
                top: self.is_top(),
                ..Holder::new("", kind, at)
            };
            self.declarator(declarator, holder);
        }
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if !self.assignment(it) {
            walk::walk_assignment_expression(self, it);
        }
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        let holder = self.statement(it.id.name.as_str(), SymbolKind::Interface, it.span);
        let symbol = self.declare(holder, it.body.span.start, false);
        self.inside(symbol, |walk| {
            it.type_parameters.iter().for_each(|it| walk.visit_ts_type_parameter_declaration(it));
            walk.visit_ts_interface_heritages(&it.extends);
            for member in &it.body.body {
                if let Some(key) = method_key(member) {
                    let name = walk.collect.key(key);
                    let holder = Holder::new(name, SymbolKind::Method, member.span());
                    walk.declare(Holder { exported: true, ..holder }, holder.at.end, false);
                }
                walk.visit_ts_signature(member);
            }
        });
    }

    fn visit_ts_interface_heritage(&mut self, it: &TSInterfaceHeritage<'a>) {
        self.reference_to_type(&it.type_name);
        walk::walk_ts_interface_heritage(self, it);
    }

    fn visit_ts_class_implements(&mut self, it: &TSClassImplements<'a>) {
        self.reference_to_type(&it.expression);
        walk::walk_ts_class_implements(self, it);
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        let holder = self.statement(it.id.name.as_str(), SymbolKind::Type, it.span);
        let symbol = self.declare(holder, holder.at.end, false);
        self.inside(symbol, |walk| walk::walk_ts_type_alias_declaration(walk, it));
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let holder = self.statement(it.id.name.as_str(), SymbolKind::Enum, it.span);
        let symbol = self.declare(holder, it.body.span.start, false);
        self.inside(symbol, |walk| walk::walk_ts_enum_declaration(walk, it));
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.module(it.id.name.as_str(), it.span, it.id.span.end, it.declare, |walk| {
            walk::walk_ts_namespace_declaration(walk, it);
        });
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        let body = it.body.as_ref().map_or(it.span.end, |body| body.span.start);
        self.module(it.id.value.as_str(), it.span, body, true, |walk| {
            walk::walk_ts_external_module_declaration(walk, it);
        });
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.module("global", it.span, it.body.span.start, true, |walk| {
            walk::walk_ts_global_declaration(walk, it);
        });
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.import_equals(it);
    }

    fn visit_ts_import_type(&mut self, it: &TSImportType<'a>) {
        self.import_type(it);
        walk::walk_ts_import_type(self, it);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import_declaration(it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.export_declaration(it);
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.export_list(it);
        walk::walk_export_named_declaration(self, it);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_from(it);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.export_all(it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.export_default(it);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.export_assignment(it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.dynamic_import(it);
        walk::walk_import_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if !self.module_call(it) {
            self.reference_to(ReferenceKind::Call, &it.callee);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.reference_to(ReferenceKind::New, &it.callee);
        walk::walk_new_expression(self, it);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.reference_to(ReferenceKind::Call, &it.tag);
        walk::walk_tagged_template_expression(self, it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        // `@a()` is a call in itself.
        self.reference_to(ReferenceKind::Call, &it.expression);
        walk::walk_decorator(self, it);
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.renders();
        walk::walk_jsx_element(self, it);
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.renders();
        walk::walk_jsx_fragment(self, it);
    }

    fn visit_jsx_opening_element(&mut self, it: &JSXOpeningElement<'a>) {
        self.element(&it.name);
        walk::walk_jsx_opening_element(self, it);
    }

    /// It says nothing that the opening one has not said.
    fn visit_jsx_closing_element(&mut self, _: &JSXClosingElement<'a>) {}

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        if matches!(it.object, Expression::ImportMeta(_)) && it.property.name == "main" {
            self.collect.facts.marks.main = true;
        }
        walk::walk_static_member_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        if matches!(it.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality)
            && (is_main_check(&it.left, &it.right) || is_main_check(&it.right, &it.left))
        {
            self.collect.facts.marks.main = true;
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.block(|walk| walk::walk_block_statement(walk, it));
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.block(|walk| walk::walk_switch_statement(walk, it));
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.block(|walk| walk::walk_static_block(walk, it));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.decision();
        self.block(|walk| walk::walk_for_statement(walk, it));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.decision();
        self.block(|walk| walk::walk_for_in_statement(walk, it));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.decision();
        self.block(|walk| walk::walk_for_of_statement(walk, it));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.decision();
        walk::walk_while_statement(self, it);
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.decision();
        walk::walk_do_while_statement(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.decision();
        walk::walk_if_statement(self, it);
    }

    fn visit_switch_case(&mut self, it: &SwitchCase<'a>) {
        if it.test.is_some() {
            self.decision();
        }
        walk::walk_switch_case(self, it);
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        self.decision();
        walk::walk_catch_clause(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        self.decision();
        walk::walk_conditional_expression(self, it);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        self.decision();
        walk::walk_logical_expression(self, it);
    }
}

/// The name of a member that can be called: `a(): B`, `a: () => B`.
fn method_key<'t, 'a>(member: &'t TSSignature<'a>) -> Option<&'t PropertyKey<'a>> {
    match member {
        TSSignature::TSMethodSignature(method) => Some(&method.key),
        TSSignature::TSPropertySignature(property) => {
            let written = &property.type_annotation.as_ref()?.type_annotation;
            matches!(written, TSType::TSFunctionType(_)).then_some(&property.key)
        }
        _ => None,
    }
}

/// `require.main === module`
fn is_main_check(one: &Expression<'_>, other: &Expression<'_>) -> bool {
    other.is_specific_id("module") && one.is_specific_member_access("require", "main")
}
