//! Imports and exports, of modules and of `CommonJS`.
//!
//! `module.exports = x` is the default export, as it is to a module that imports it; `module.exports = { a, b }` exports
//! `a` and `b`. What `require` or `import()` is given counts only where the text alone says which module it is.

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Declaration,
    ExportAllDeclaration, ExportDeclaration, ExportDefaultDeclaration,
    ExportDefaultDeclarationKind, ExportFromDeclaration, ExportNamedDeclaration, Expression, Ident,
    ImportDeclaration, ImportDeclarationSpecifier, ImportExpression, ImportOrExportKind,
    ObjectExpression, ObjectPropertyKind, Program, Statement, TSExportAssignment,
    TSImportEqualsDeclaration, TSImportType, TSImportTypeQualifier, TSModuleReference,
    VariableDeclarator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span as At};

use super::value::{self, Value};
use super::walk::{Holder, Walk};
use crate::facts::{ImportKind, SymbolKind};

/// Modules that only tests import.
const TEST_MODULES: &[&str] = &[
    "vitest",
    "@jest/globals",
    "jest",
    "mocha",
    "node:test",
    "ava",
    "tape",
    "tap",
    "uvu",
    "bun:test",
    "@playwright/test",
    "cypress",
    "qunit",
    "jasmine",
    "chai",
    "supertest",
];
const TEST_CALLS: &[&str] = &["describe", "it", "test", "suite"];

/// What a program is to the index, statement by statement.
enum Role {
    Import,
    ReExport,
    Own,
}

impl<'a> Walk<'a, '_> {
    pub(super) fn program(&mut self, program: &Program<'a>) {
        let marks = &mut self.collect.facts.marks;
        marks.main = program.hashbang.is_some();
        for directive in &program.directives {
            marks.use_client |= directive.directive == "use client";
            marks.use_server |= directive.directive == "use server";
        }
        self.file_references(program);
        // Functions may use what is imported further down.
        for statement in &program.body {
            if let Statement::ImportDeclaration(import) = statement {
                self.import_declaration(import);
            }
        }
        for statement in &program.body {
            if !matches!(statement, Statement::ImportDeclaration(_)) {
                self.visit_statement(statement);
            }
            self.collect.facts.marks.tests |= is_test(statement);
        }
        let imports = &self.collect.facts.imports;
        let tests = imports.iter().any(|import| {
            TEST_MODULES.contains(&&*import.specifier)
                || import.specifier.starts_with("@testing-library/")
        });
        self.collect.facts.marks.tests |= tests;
        self.collect.facts.marks.only_reexports = self.is_barrel(program);
    }

    fn is_barrel(&self, program: &Program<'a>) -> bool {
        let mut reexports = false;
        for statement in &program.body {
            match self.role(statement) {
                Role::Import => {}
                Role::ReExport => reexports = true,
                Role::Own => return false,
            }
        }
        reexports
    }

    fn role(&self, statement: &Statement<'a>) -> Role {
        let imported = |local: &Expression<'a>| matches!(local, Expression::Identifier(name) if self.collect.is_imported(&name.name));
        match statement {
            Statement::ImportDeclaration(_) | Statement::EmptyStatement(_) => Role::Import,
            Statement::VariableDeclaration(it)
                if it.declarations.iter().all(|it| it.init.as_ref().and_then(loaded).is_some()) =>
            {
                Role::Import
            }
            Statement::ExportAllDeclaration(_) | Statement::ExportFromDeclaration(_) => {
                Role::ReExport
            }
            Statement::ExportNamedDeclaration(it)
                if it.specifiers.iter().all(|it| self.collect.is_imported(&it.local.name())) =>
            {
                Role::ReExport
            }
            Statement::ExportDefaultDeclaration(it)
                if it.declaration.as_expression().is_some_and(imported) =>
            {
                Role::ReExport
            }
            Statement::ExpressionStatement(it) => match &it.expression {
                Expression::AssignmentExpression(it)
                    if exports_target(&it.left).is_some() && loaded(&it.right).is_some() =>
                {
                    Role::ReExport
                }
                _ => Role::Own,
            },
            _ => Role::Own,
        }
    }

    /// `/// <reference path="…" />`, which stand before everything else.
    fn file_references(&mut self, program: &Program<'a>) {
        let code = program.body.first().map_or(u32::MAX, |statement| statement.span().start);
        for comment in program.comments.iter().take_while(|comment| comment.span.end <= code) {
            let text = self.collect.slice(comment.span);
            let Some(tag) = text
                .strip_prefix("///")
                .map(str::trim_start)
                .filter(|tag| tag.starts_with("<reference"))
            else {
                continue;
            };
            for (attribute, kind) in
                [("path=", ImportKind::Include), ("types=", ImportKind::TypeOnly)]
            {
                let Some((_, value)) = tag.split_once(attribute) else { continue };
                let mut parts = value.splitn(3, ['"', '\'']);
                if let (Some(""), Some(specifier), Some(_)) =
                    (parts.next(), parts.next(), parts.next())
                {
                    self.collect.import(kind, specifier, &[], comment.span);
                }
            }
        }
    }

    pub(super) fn import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        let mut names = Vec::new();
        let mut types = 0;
        for specifier in it.specifiers.iter().flatten() {
            let (name, local) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    types += usize::from(it.import_kind == ImportOrExportKind::Type);
                    (it.imported.name().as_str(), &it.local)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => ("default", &it.local),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => ("*", &it.local),
            };
            names.push((name, local.name.as_str()));
        }
        let only_types =
            it.import_kind == ImportOrExportKind::Type || (types > 0 && types == names.len());
        let kind = if only_types { ImportKind::TypeOnly } else { ImportKind::Static };
        self.collect.import(kind, it.source.value.as_str(), &names, it.span);
    }

    /// `import a = require('a')`; `import a = b.c` only renames.
    pub(super) fn import_equals(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        let local = it.id.name.as_str();
        if self.export.take().is_some() && self.is_top() {
            self.collect.export(local, local);
        }
        match &it.module_reference {
            TSModuleReference::ExternalModuleReference(module) => {
                let types = it.import_kind == ImportOrExportKind::Type;
                let kind = if types { ImportKind::TypeOnly } else { ImportKind::Require };
                self.collect.import(
                    kind,
                    module.expression.value.as_str(),
                    &[("*", local)],
                    it.span,
                );
            }
            TSModuleReference::IdentifierReference(name) => self.visit_identifier_reference(name),
            TSModuleReference::QualifiedName(name) => self.visit_ts_qualified_name(name),
        }
    }

    /// `import('./a').B` in a type.
    pub(super) fn import_type(&mut self, it: &TSImportType<'a>) {
        let name = it.qualifier.as_ref().map(|qualifier| {
            let mut qualifier = qualifier;
            loop {
                match qualifier {
                    TSImportTypeQualifier::Identifier(name) => return name.name.as_str(),
                    TSImportTypeQualifier::QualifiedName(path) => qualifier = &path.left,
                }
            }
        });
        let names: Vec<_> = name.map(|name| (name, "")).into_iter().collect();
        self.collect.import(ImportKind::TypeOnly, it.source.value.as_str(), &names, it.span);
    }

    pub(super) fn dynamic_import(&mut self, it: &ImportExpression<'a>) {
        if let Some(specifier) = value::literal(&it.source) {
            self.collect.import(ImportKind::Dynamic, specifier, &[], it.span);
        }
    }

    /// `require('a')` and calls that name a module for another reason. Such a call refers to no symbol.
    pub(super) fn module_call(&mut self, it: &CallExpression<'a>) -> bool {
        let Some(specifier) = first_literal(it) else { return false };
        if specifier.starts_with('.') && is_double_loader(&it.callee) {
            self.collect.import(ImportKind::Dynamic, specifier, &[], it.span);
            // The loader is a symbol of its own, which is used here.
            return false;
        }
        let kind = match &it.callee {
            Expression::Identifier(name) if name.name == "require" => ImportKind::Require,
            Expression::StaticMemberExpression(member) => {
                let Expression::Identifier(object) = &member.object else { return false };
                match (object.name.as_str(), member.property.name.as_str()) {
                    ("require", "resolve")
                    | ("jest", "mock" | "unmock" | "doMock" | "requireActual" | "requireMock")
                    | ("vi", "mock" | "unmock" | "doMock" | "importActual" | "importMock") => {
                        ImportKind::Dynamic
                    }
                    _ => return false,
                }
            }
            _ => return false,
        };
        self.collect.import(kind, specifier, &[], it.span);
        true
    }

    /// `const a = require('a')`, `const { a } = await import('a')`: the names are imports, not symbols.
    pub(super) fn is_import_binding(&mut self, it: &VariableDeclarator<'a>) -> bool {
        let Some((kind, specifier, member)) = it.init.as_ref().and_then(loaded) else {
            return false;
        };
        let mut names = Vec::new();
        match &it.id {
            BindingPattern::BindingIdentifier(id) => {
                names.push((member.unwrap_or("*"), id.name.as_str()));
            }
            BindingPattern::ObjectPattern(pattern) => {
                for property in &pattern.properties {
                    let name = if member.is_some() { "" } else { self.collect.key(&property.key) };
                    for id in property.value.get_binding_identifiers() {
                        names.push((member.unwrap_or(name), id.name.as_str()));
                    }
                }
                if let Some(id) =
                    pattern.rest.as_ref().and_then(|rest| rest.argument.get_binding_identifier())
                {
                    names.push(("*", id.name.as_str()));
                }
                self.visit_object_pattern(pattern);
            }
            _ => return false,
        }
        self.collect.import(kind, specifier, &names, it.span);
        true
    }

    pub(super) fn export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        if self.is_top() {
            match &it.declaration {
                Declaration::VariableDeclaration(variables) => {
                    for declarator in &variables.declarations {
                        for id in declarator.id.get_binding_identifiers() {
                            self.collect.export(id.name.as_str(), id.name.as_str());
                        }
                    }
                }
                declaration => {
                    if let Some(id) = declaration.id() {
                        self.collect.export(id.name.as_str(), id.name.as_str());
                    }
                }
            }
        }
        self.export = Some(it.span);
        self.visit_declaration(&it.declaration);
        self.export = None;
    }

    pub(super) fn export_list(&mut self, it: &ExportNamedDeclaration<'a>) {
        if self.is_top() {
            for specifier in &it.specifiers {
                self.collect
                    .export(specifier.exported.name().as_str(), specifier.local.name().as_str());
            }
        }
    }

    pub(super) fn export_from(&mut self, it: &ExportFromDeclaration<'a>) {
        let mut names = Vec::with_capacity(it.specifiers.len());
        for specifier in &it.specifiers {
            let given = specifier.exported.name().as_str();
            names.push((specifier.local.name().as_str(), given));
            self.collect.export(given, given);
        }
        self.collect.import(ImportKind::ReExport, it.source.value.as_str(), &names, it.span);
    }

    pub(super) fn export_all(&mut self, it: &ExportAllDeclaration<'a>) {
        let given = it.exported.as_ref().map_or("", |name| name.name().as_str());
        if !given.is_empty() {
            self.collect.export(given, given);
        }
        self.collect.import(
            ImportKind::ReExport,
            it.source.value.as_str(),
            &[("*", given)],
            it.span,
        );
    }

    pub(super) fn export_default(&mut self, it: &ExportDefaultDeclaration<'a>) {
        match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                self.default_value(Value::Function(function), function.name(), it.span);
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                self.default_value(Value::Class(class), class.name(), it.span);
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => {
                self.collect.export("default", interface.id.name.as_str());
                self.export = Some(it.span);
                self.visit_ts_interface_declaration(interface);
            }
            other => {
                if let Some(expression) = other.as_expression() {
                    self.default_expression(expression, it.span);
                }
            }
        }
    }

    /// `export = a`, which is what `module.exports = a` is called in TypeScript.
    pub(super) fn export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.default_expression(&it.expression, it.span);
    }

    fn default_expression(&mut self, expression: &Expression<'a>, at: At) {
        let value = value::of(expression);
        match value {
            Value::Function(function) => self.default_value(value, function.name(), at),
            Value::Class(class) => self.default_value(value, class.name(), at),
            Value::Arrow(_) => self.default_value(value, None, at),
            Value::Component(_, Some(Expression::Identifier(name))) => {
                self.collect.export("default", name.name.as_str());
                self.visit_expression(expression);
            }
            Value::Component(_, inner) => {
                let name = match inner.map(value::of) {
                    Some(Value::Function(function)) => function.name(),
                    _ => None,
                };
                self.default_value(value, name, at);
            }
            Value::Object(object) => {
                let holder =
                    Holder { exported: true, ..Holder::new("default", SymbolKind::Constant, at) };
                self.collect.export("default", "default");
                let symbol = self.declare(holder, object.span.start, false);
                self.inside(symbol, |walk| walk.named_object(object));
            }
            Value::Other(_) => {
                let local = match expression.get_inner_expression() {
                    Expression::Identifier(name) => name.name.as_str(),
                    _ => "",
                };
                self.collect.export("default", local);
                self.visit_expression(expression);
            }
        }
    }

    /// A function or class is exported as `default`, which is also its name if it has no other.
    fn default_value(&mut self, value: Value<'a, '_>, name: Option<Ident<'a>>, at: At) {
        let name = name.map_or("default", |name| name.as_str());
        self.collect.export("default", name);
        let holder = Holder::new(name, SymbolKind::Function, at);
        self.hold(Holder { exported: true, top: self.is_top(), ..holder }, value);
    }

    /// Assignments that name something. `false` where this one does not, and nothing has been done.
    pub(super) fn assignment(&mut self, it: &AssignmentExpression<'a>) -> bool {
        if !it.operator.is_assign() {
            return false;
        }
        match exports_target(&it.left) {
            Some(Target::Module) => self.assign_module(it),
            Some(Target::Named(name)) => self.assign_export(name, it),
            None => return self.assign_member(it),
        }
        true
    }

    /// `module.exports = …`
    fn assign_module(&mut self, it: &AssignmentExpression<'a>) {
        match value::of(&it.right) {
            Value::Object(object) => self.exported_object(object),
            // `module.exports = exports = …`: the value is at the end.
            Value::Other(Expression::AssignmentExpression(inner)) => {
                self.collect.export("default", final_name(inner));
                self.visit_assignment_expression(inner);
            }
            _ => self.default_expression(&it.right, it.span),
        }
    }

    fn exported_object(&mut self, it: &ObjectExpression<'a>) {
        for property in &it.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                self.visit_object_property_kind(property);
                continue;
            };
            let name = self.collect.key(&property.key);
            let value = value::of(&property.value);
            let local = match value {
                Value::Other(Expression::Identifier(local)) => local.name.as_str(),
                Value::Function(_) | Value::Arrow(_) | Value::Class(_) => name,
                _ => "",
            };
            if !property.computed {
                self.collect.export(name, local);
            }
            let holder =
                Holder { exported: true, ..Holder::new(name, SymbolKind::Function, property.span) };
            if !self.hold(holder, value) {
                self.visit_expression(&property.value);
            }
        }
    }

    /// `var a = module.exports = …`
    pub(super) fn export_variable(&mut self, name: &'a str, init: &Expression<'a>) {
        let mut init = init;
        while let Expression::AssignmentExpression(it) = init {
            if matches!(exports_target(&it.left), Some(Target::Module)) {
                self.collect.export("default", name);
            }
            init = &it.right;
        }
    }

    /// `exports.a = …`
    fn assign_export(&mut self, name: &'a str, it: &AssignmentExpression<'a>) {
        let value = value::of(&it.right);
        let holder = Holder { exported: true, ..Holder::new(name, SymbolKind::Function, it.span) };
        match value {
            Value::Other(Expression::Identifier(local)) => {
                self.collect.export(name, local.name.as_str());
                self.visit_expression(&it.right);
            }
            Value::Other(expression) => {
                // Compiled code announces its exports with `exports.a = void 0`.
                let constant = !self.local && !expression.is_void() && loaded(expression).is_none();
                self.collect.export(name, if constant { name } else { "" });
                let holder = Holder { kind: SymbolKind::Constant, ..holder };
                let symbol = if constant { self.declare(holder, it.span.end, false) } else { None };
                self.inside(symbol, |walk| walk.visit_expression(expression));
            }
            Value::Object(object) => {
                self.collect.export(name, name);
                let holder = Holder { kind: SymbolKind::Constant, ..holder };
                let symbol = self.declare(holder, object.span.start, false);
                self.inside(symbol, |walk| walk.named_object(object));
            }
            _ => {
                self.collect.export(name, name);
                self.hold(holder, value);
            }
        }
    }

    /// `A.prototype.b = function …`, `a.b = …`, `this.b = …`: methods of what stands before them, if the file declares it.
    /// A class belongs to it in the same way.
    fn assign_member(&mut self, it: &AssignmentExpression<'a>) -> bool {
        let value = value::of(&it.right);
        let Some((object, name)) = member(&it.left) else {
            return self.assign_name(it, value);
        };
        let path = self.collect.path(object.get_inner_expression());
        let owner = path.strip_suffix(".prototype").unwrap_or(path);
        let parent =
            if path == "this" { self.collect.scope } else { self.collect.top_symbol(owner) };
        match value {
            Value::Object(methods) if name == "prototype" => {
                let parent = self.collect.top_symbol(path);
                self.inside(parent, |walk| walk.named_object(methods));
            }
            Value::Function(_) | Value::Arrow(_) | Value::Class(_) if path != "?" => {
                self.visit_expression(object);
                let exported = parent.is_some();
                let holder = Holder { exported, ..Holder::new(name, SymbolKind::Method, it.span) };
                self.inside(parent, |walk| _ = walk.hold(holder, value));
            }
            // `a.b = a.c = function …`: another name for what is read next.
            Value::Other(Expression::AssignmentExpression(inner))
                if path != "?" && ends_in_function(inner) =>
            {
                let exported = parent.is_some();
                let holder = Holder { exported, ..Holder::new(name, SymbolKind::Method, it.span) };
                self.inside(parent, |walk| _ = walk.declare(holder, inner.span.start, false));
                self.visit_assignment_expression(inner);
            }
            _ => return false,
        }
        true
    }

    /// `a = function …`, `a = class …`
    fn assign_name(&mut self, it: &AssignmentExpression<'a>, value: Value<'a, '_>) -> bool {
        let AssignmentTarget::AssignmentTargetIdentifier(target) = &it.left else { return false };
        if !matches!(value, Value::Function(_) | Value::Arrow(_) | Value::Class(_)) {
            return false;
        }
        let holder = Holder::new(target.name.as_str(), SymbolKind::Function, it.span);
        self.hold(Holder { top: self.is_top(), ..holder }, value)
    }
}

enum Target<'a> {
    /// `module.exports`
    Module,
    /// `exports.a`, `module.exports.a`
    Named(&'a str),
}

fn exports_target<'a>(target: &AssignmentTarget<'a>) -> Option<Target<'a>> {
    if let AssignmentTarget::AssignmentTargetIdentifier(name) = target {
        return (name.name == "exports").then_some(Target::Module);
    }
    let (object, name) = member(target)?;
    let object = object.get_inner_expression();
    if object.is_specific_id("module") && name == "exports" {
        return Some(Target::Module);
    }
    let named =
        object.is_specific_id("exports") || object.is_specific_member_access("module", "exports");
    // A mark of compiled modules, not a name in them.
    (named && name != "__esModule").then_some(Target::Named(name))
}

/// The object and the name in `a.b` and `a['b']`.
fn member<'a, 't>(target: &'t AssignmentTarget<'a>) -> Option<(&'t Expression<'a>, &'a str)> {
    match target {
        AssignmentTarget::StaticMemberExpression(member) => {
            Some((&member.object, member.property.name.as_str()))
        }
        AssignmentTarget::ComputedMemberExpression(member) => {
            Some((&member.object, value::literal(&member.expression)?))
        }
        _ => None,
    }
}

/// The name at the end of `exports = module.exports = name`.
fn final_name<'a>(mut it: &AssignmentExpression<'a>) -> &'a str {
    loop {
        match &it.right {
            Expression::AssignmentExpression(inner) => it = inner,
            Expression::Identifier(name) => return name.name.as_str(),
            _ => return "",
        }
    }
}

fn ends_in_function(mut it: &AssignmentExpression<'_>) -> bool {
    while let Expression::AssignmentExpression(inner) = &it.right {
        it = inner;
    }
    it.right.is_function()
}

/// The module that a value is, or is a member of: `require('a')`, `require('a').b`, `await import('a')`.
fn loaded<'a>(value: &Expression<'a>) -> Option<(ImportKind, &'a str, Option<&'a str>)> {
    match value.get_inner_expression() {
        Expression::CallExpression(call) if call.callee.is_specific_id("require") => {
            Some((ImportKind::Require, first_literal(call)?, None))
        }
        Expression::AwaitExpression(awaited) => match awaited.argument.get_inner_expression() {
            Expression::ImportExpression(import) => {
                Some((ImportKind::Dynamic, value::literal(&import.source)?, None))
            }
            _ => None,
        },
        Expression::StaticMemberExpression(member) => {
            let (kind, specifier, inner) = loaded(&member.object)?;
            inner.is_none().then_some((kind, specifier, Some(member.property.name.as_str())))
        }
        _ => None,
    }
}

/// Loads a module with others in the place of what it imports: `proxyquire('./a', …)`, `proxyquire.noCallThru().load('./a', …)`,
/// `rewire('./a')`, `esmock.strict('./a', …)`.
fn is_double_loader(callee: &Expression<'_>) -> bool {
    let mut at = callee;
    // Longer chains are something else.
    for _ in 0..8 {
        at = match at {
            Expression::Identifier(name) => {
                return matches!(name.name.as_str(), "proxyquire" | "rewire" | "esmock");
            }
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::CallExpression(call) if call.arguments.is_empty() => &call.callee,
            _ => return false,
        };
    }
    false
}

fn first_literal<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    value::literal(call.arguments.first()?.as_expression()?)
}

/// `describe('…', …)`, `test.only('…', …)`, `it.each(…)('…', …)`
fn is_test(statement: &Statement<'_>) -> bool {
    let Statement::ExpressionStatement(statement) = statement else { return false };
    let Expression::CallExpression(call) = &statement.expression else { return false };
    if first_literal(call).is_none()
        && !matches!(call.arguments.first(), Some(Argument::TemplateLiteral(_)))
    {
        return false;
    }
    let mut callee = &call.callee;
    // Nobody writes a longer one.
    for _ in 0..8 {
        callee = match callee {
            Expression::Identifier(name) => return TEST_CALLS.contains(&name.name.as_str()),
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::CallExpression(call) => &call.callee,
            _ => return false,
        }
    }
    false
}
