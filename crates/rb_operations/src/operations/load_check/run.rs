//! Statements and expressions that run while a module is loaded, and the functions that they call.
//!
//! What only scripts run does not run. What may not run is taken to succeed: branches, `try`, what stands behind a `return` on a condition, generators, methods of instances.

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{self, Expr, ExprContext, Stmt};
use rb_python::{NameRole, Ranged, ScopeId, ScopeKind, Source, TextRange};

use super::loader::{Loader, Value};
use crate::operations::relocation::loads::is_for_scripts;
use crate::project::word_ranges;

/// Functions are followed so deep.
const DEPTH: usize = 500;

impl Loader<'_, '_> {
    pub(super) fn statements(&mut self, source: &Source, body: &[Stmt]) {
        let is_conditional = self.is_conditional;
        for statement in body {
            self.statement(source, statement);
            if matches!(statement, Stmt::Return(_) | Stmt::Raise(_)) {
                break;
            }
            self.is_conditional |= may_leave(source, statement);
        }
        self.is_conditional = is_conditional;
    }

    fn statement(&mut self, source: &Source, statement: &Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.function(source, function),
            Stmt::ClassDef(class) => self.class(source, class),
            Stmt::Import(_) | Stmt::ImportFrom(_) => self.import_statement(source, statement),
            Stmt::Assign(assign) => {
                let value = self.value(source, &assign.value);
                for target in &assign.targets {
                    self.assign(source, target, value.clone());
                }
            }
            Stmt::AnnAssign(assign) => {
                if is_evaluated(source, &assign.target) && !self.facts.traits(source).has_future {
                    self.value(source, &assign.annotation);
                }
                if let Some(value) = &assign.value {
                    let value = self.value(source, value);
                    self.assign(source, &assign.target, value);
                }
            }
            Stmt::AugAssign(assign) => {
                self.value(source, &assign.value);
                self.assign(source, &assign.target, Value::Other);
            }
            Stmt::Expr(expr) => {
                self.value(source, &expr.value);
            }
            Stmt::Return(ast::StmtReturn { value: Some(value), .. }) => {
                self.value(source, value);
            }
            Stmt::With(with) => {
                for item in &with.items {
                    self.value(source, &item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.assign(source, target, Value::Other);
                    }
                }
                // It may swallow exceptions.
                self.on_condition(|loader| loader.statements(source, &with.body));
            }
            Stmt::If(branch) => {
                self.value(source, &branch.test);
                self.on_condition(|loader| {
                    if !is_for_scripts(source, &branch.test) {
                        loader.statements(source, &branch.body);
                    }
                    for clause in &branch.elif_else_clauses {
                        loader.statements(source, &clause.body);
                    }
                });
            }
            Stmt::For(block) => {
                self.value(source, &block.iter);
                self.assign(source, &block.target, Value::Other);
                self.on_condition(|loader| {
                    loader.statements(source, &block.body);
                    loader.statements(source, &block.orelse);
                });
            }
            Stmt::While(block) => {
                self.value(source, &block.test);
                self.on_condition(|loader| {
                    loader.statements(source, &block.body);
                    loader.statements(source, &block.orelse);
                });
            }
            Stmt::Try(attempt) => self.attempt(source, attempt),
            Stmt::Match(_) | Stmt::TypeAlias(_) => self.bind_within(source, statement.range()),
            Stmt::Return(_)
            | Stmt::Delete(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::IpyEscapeCommand(_) => {}
        }
    }

    fn on_condition(&mut self, action: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_conditional, true);
        action(self);
        self.is_conditional = outer;
    }

    fn attempt(&mut self, source: &Source, attempt: &ast::StmtTry) {
        self.on_condition(|loader| {
            loader.statements(source, &attempt.body);
            for ast::ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                loader.statements(source, &handler.body);
            }
            loader.statements(source, &attempt.orelse);
        });
        self.statements(source, &attempt.finalbody);
        self.bind_within(source, attempt.range);
    }

    fn function(&mut self, source: &Source, function: &ast::StmtFunctionDef) {
        for decorator in &function.decorator_list {
            let value = self.value(source, &decorator.expression);
            self.call(&value);
        }
        for parameter in function.parameters.iter_non_variadic_params() {
            if let Some(default) = &parameter.default {
                self.value(source, default);
            }
        }
        if !self.facts.traits(source).has_future {
            let parameters =
                function.parameters.iter().filter_map(ast::AnyParameterRef::annotation);
            for annotation in parameters.chain(function.returns.as_deref()) {
                self.value(source, annotation);
            }
        }
        self.define(source, &function.name);
    }

    fn class(&mut self, source: &Source, class: &ast::StmtClassDef) {
        for decorator in &class.decorator_list {
            let value = self.value(source, &decorator.expression);
            self.call(&value);
        }
        for base in class.bases() {
            self.value(source, base);
        }
        for keyword in class.keywords() {
            self.value(source, &keyword.value);
        }
        self.statements(source, &class.body);
        self.define(source, &class.name);
    }

    /// The name of a function or class at the top level.
    fn define(&mut self, source: &Source, name: &ast::Identifier) {
        if is_global(source, name.range()) {
            let (path, name) = (source.path().to_owned(), name.to_string());
            let value = Value::Definition { path, name: name.clone() };
            self.bind(source.path(), &name, value);
        }
    }

    fn import_statement(&mut self, source: &Source, statement: &Stmt) {
        let imports = source.imports();
        let Ok(index) =
            imports.binary_search_by_key(&statement.start(), |import| import.range.start())
        else {
            return;
        };
        match imports[index].place {
            rb_python::ImportPlace::TypeChecking => self.bind_within(source, statement.range()),
            rb_python::ImportPlace::Top
            | rb_python::ImportPlace::Conditional
            | rb_python::ImportPlace::Local => self.import(source, &imports[index]),
        }
    }

    /// Top-level names that something binds in one way or another.
    fn bind_within(&mut self, source: &Source, range: TextRange) {
        let scopes = source.scopes();
        for (name, id) in &scopes.scope(ScopeId(0)).variables {
            let bindings = &scopes.variable(*id).bindings;
            if bindings.iter().any(|binding| range.contains_range(binding.range)) {
                let known = self.known(source.path(), name);
                self.bind(source.path(), name, known.unwrap_or(Value::Other));
            }
        }
    }

    fn assign(&mut self, source: &Source, target: &Expr, value: Value) {
        match target {
            Expr::Name(name) => {
                if is_global(source, name.range) {
                    self.bind(source.path(), &name.id, value);
                }
            }
            Expr::Attribute(attribute) => {
                if let Value::Module(module) = self.value(source, &attribute.value) {
                    self.bind(&module, &attribute.attr, Value::Other);
                }
            }
            Expr::Starred(starred) => self.assign(source, &starred.value, Value::Other),
            Expr::Tuple(tuple) => {
                tuple.elts.iter().for_each(|one| self.assign(source, one, Value::Other));
            }
            Expr::List(list) => {
                list.elts.iter().for_each(|one| self.assign(source, one, Value::Other));
            }
            other => {
                self.value(source, other);
            }
        }
    }

    /// Looks up what an expression looks up.
    fn value(&mut self, source: &Source, expr: &Expr) -> Value {
        match expr {
            Expr::Name(name) => self.name(source, name),
            Expr::Attribute(attribute) => match self.value(source, &attribute.value) {
                Value::Module(module) if attribute.ctx == ExprContext::Load => {
                    self.member(source, attribute.range, &module, &attribute.attr)
                }
                Value::Module(_) | Value::Definition { .. } | Value::Other => Value::Other,
            },
            Expr::Call(call) => {
                self.called(source, call);
                Value::Other
            }
            Expr::Named(named) => {
                let value = self.value(source, &named.value);
                self.assign(source, &named.target, value);
                Value::Other
            }
            Expr::Lambda(lambda) => {
                let parameters = lambda.parameters.iter();
                let parameters = parameters.flat_map(|one| one.iter_non_variadic_params());
                for default in parameters.filter_map(|one| one.default.as_ref()) {
                    self.value(source, default);
                }
                Value::Other
            }
            Expr::BoolOp(operation) => {
                let mut values = operation.values.iter();
                if let Some(first) = values.next() {
                    self.value(source, first);
                }
                self.on_condition(|loader| {
                    values.for_each(|value| {
                        loader.value(source, value);
                    });
                });
                Value::Other
            }
            Expr::If(choice) => {
                self.value(source, &choice.test);
                self.on_condition(|loader| {
                    loader.value(source, &choice.body);
                    loader.value(source, &choice.orelse);
                });
                Value::Other
            }
            other => {
                visitor::walk_expr(&mut Parts { loader: self, source }, other);
                Value::Other
            }
        }
    }

    fn name(&mut self, source: &Source, name: &ast::ExprName) -> Value {
        if name.ctx != ExprContext::Load {
            return Value::Other;
        }
        let scopes = source.scopes();
        let Some(found) = scopes.name_at(name.range) else { return Value::Other };
        let is_global = match found.variable {
            Some(variable) => scopes.variable(variable).scope == ScopeId(0),
            None => scopes.scope(ScopeId(0)).has_star_import,
        };
        if is_global { self.global(source, &name.id, name.range) } else { Value::Other }
    }

    fn called(&mut self, source: &Source, call: &ast::ExprCall) {
        let function = self.value(source, &call.func);
        for argument in &call.arguments.args {
            self.value(source, argument);
        }
        for keyword in &call.arguments.keywords {
            self.value(source, &keyword.value);
        }
        match &*call.func {
            // `(lambda: …)()`
            Expr::Lambda(lambda) => {
                self.value(source, &lambda.body);
            }
            _ => self.call(&function),
        }
    }

    /// Runs the body of a function, or of the constructor of a class.
    fn call(&mut self, function: &Value) {
        let Value::Definition { path, name } = function else { return };
        if self.called.len() > DEPTH || !self.called.insert((path.clone(), name.clone())) {
            return;
        }
        let Some(source) = self.facts.project.source(path) else { return };
        let function = source.body().iter().rev().find_map(|statement| match statement {
            Stmt::FunctionDef(function) if function.name.as_str() == name => Some(function),
            Stmt::ClassDef(class) if class.name.as_str() == name => {
                class.body.iter().find_map(|member| {
                    member.as_function_def_stmt().filter(|one| one.name.as_str() == "__init__")
                })
            }
            _ => None,
        });
        let is_later = |function: &ast::StmtFunctionDef| {
            let text = source.slice(function.range);
            function.is_async || word_ranges(text, "yield").next().is_some()
        };
        if let Some(function) = function.filter(|function| !is_later(function)) {
            self.statements(&source, &function.body);
        }
    }
}

/// Is the name, at this place, one of the module?
fn is_global(source: &Source, range: TextRange) -> bool {
    let scopes = source.scopes();
    let name = scopes.name_at(range).filter(|name| name.role == NameRole::Binding);
    let variable = name.and_then(|name| name.variable);
    variable.is_some_and(|id| scopes.variable(id).scope == ScopeId(0))
}

/// Is the annotation of this variable looked up? Not that of a local variable.
fn is_evaluated(source: &Source, target: &Expr) -> bool {
    let scopes = source.scopes();
    let scope = scopes.name_at(target.range()).map(|name| scopes.scope(name.scope).kind);
    matches!(scope, Some(ScopeKind::Module | ScopeKind::Class))
}

/// Can the statement leave the block that it is in?
fn may_leave(source: &Source, statement: &Stmt) -> bool {
    let is_block = matches!(
        statement,
        Stmt::If(_) | Stmt::For(_) | Stmt::While(_) | Stmt::Try(_) | Stmt::With(_) | Stmt::Match(_)
    );
    let text = source.slice(statement.range());
    let words = ["return", "raise", "break", "continue", "exit"];
    is_block && words.iter().any(|word| word_ranges(text, word).next().is_some())
}

/// The parts of an expression.
struct Parts<'l, 's, 'p, 'f> {
    loader: &'l mut Loader<'p, 'f>,
    source: &'s Source,
}

impl<'a> Visitor<'a> for Parts<'_, '_, '_, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.loader.value(self.source, expr);
    }
}
