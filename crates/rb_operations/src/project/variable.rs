//! What variables and attributes hold, by annotation and by construction. All bindings have to agree; `None` is no evidence.

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{self, Expr, Stmt};
use rb_python::{Binding, BindingKind, Ranged, ScopeKind, Source, TextRange, VariableId};

use super::expression::{IsAwaited, agree};
use super::outline::decorator;
use super::{Project, SymbolKind, Value, statement_at};
use crate::operation::SymbolPath;

/// How far what one thing holds may depend on what others hold.
const MAX_DEPTH: usize = 30;

impl Project<'_> {
    /// Infers once; a cycle, or a chain that is too long, is unknown.
    fn inferred(&self, key: String, infer: impl FnOnce() -> Value) -> Value {
        if let Some(value) = self.values.borrow().get(&key) {
            return value.clone();
        }
        let is_too_deep = self.pending.borrow().len() >= MAX_DEPTH;
        if is_too_deep || !self.pending.borrow_mut().insert(key.clone()) {
            return Value::Unknown;
        }
        let value = infer();
        self.pending.borrow_mut().remove(&key);
        self.values.borrow_mut().insert(key, value.clone());
        value
    }

    /// A local variable or parameter.
    pub(super) fn value_of_variable(&self, source: &Source, variable: VariableId) -> Value {
        self.inferred(format!("{}:{}", source.path(), variable.0), || {
            self.value_of_bindings(source, variable)
        })
    }

    fn value_of_bindings(&self, source: &Source, variable: VariableId) -> Value {
        let bindings = &source.scopes().variable(variable).bindings;
        agree(bindings.iter().filter_map(|binding| self.bound(source, variable, binding)))
    }

    /// For a variable that is bound by imports alone.
    pub(super) fn value_of_import(&self, source: &Source, variable: VariableId) -> Option<Value> {
        let bindings = &source.scopes().variable(variable).bindings;
        let is_import = |one: &Binding| matches!(one.kind, BindingKind::Import { .. });
        bindings.iter().all(is_import).then(|| self.value_of_bindings(source, variable))
    }

    /// What a top-level variable, an attribute or a property holds; functions and classes are themselves.
    pub(super) fn held_by(&self, symbol: SymbolPath) -> Value {
        match self.kind(&symbol) {
            SymbolKind::Function if self.is_property(&symbol) => {
                self.returned(&symbol, IsAwaited::No)
            }
            SymbolKind::Class | SymbolKind::Function => Value::Symbol(symbol),
            SymbolKind::Variable => self.inferred(symbol.to_string(), || self.held(&symbol)),
        }
    }

    fn held(&self, symbol: &SymbolPath) -> Value {
        let mut values = Vec::new();
        for definition in self.definitions(symbol) {
            let source = &definition.source;
            for binding in &source.scopes().variable(definition.variable).bindings {
                values.extend(self.bound(source, definition.variable, binding));
            }
        }
        for (source, attribute) in self.attribute_bindings(symbol) {
            values.extend(self.assigned(&source, attribute.statement, attribute.target));
        }
        agree(values)
    }

    fn is_property(&self, symbol: &SymbolPath) -> bool {
        let mut is_property = false;
        self.with_functions(symbol, |_, function| {
            let mut names = function.decorator_list.iter().filter_map(decorator);
            is_property |= names.any(|name| name.ends_with("property"));
        });
        is_property
    }

    /// What one binding gives a variable. None: no evidence.
    fn bound(&self, source: &Source, variable: VariableId, binding: &Binding) -> Option<Value> {
        match binding.kind {
            BindingKind::Import { import, name } => {
                Some(self.imported(source, &source.imports()[import], name).into())
            }
            BindingKind::Function | BindingKind::Class => {
                Some(self.symbol_of(source, variable).map_or(Value::Unknown, Value::Symbol))
            }
            BindingKind::Parameter => Some(self.parameter(source, variable, binding)),
            BindingKind::Assignment | BindingKind::Declaration | BindingKind::Other => {
                self.assigned(source, binding.statement, binding.range)
            }
        }
    }

    fn parameter(&self, source: &Source, variable: VariableId, binding: &Binding) -> Value {
        if let Some(receiver) = self.outline(source).receiver(variable) {
            let class = self.symbol_of_scope(source, receiver.class);
            return match class {
                Some(class) if receiver.is_class => Value::Symbol(class),
                Some(class) => Value::Instance(class),
                None => Value::Unknown,
            };
        }
        let scope = source.scopes().scope(source.scopes().variable(variable).scope);
        let statement = match scope.kind {
            ScopeKind::Function => statement_at(source.body(), scope.range),
            ScopeKind::Module
            | ScopeKind::Class
            | ScopeKind::Lambda
            | ScopeKind::Comprehension
            | ScopeKind::TypeParameters => None,
        };
        let Some(Stmt::FunctionDef(function)) = statement else { return Value::Unknown };
        // `*args: T` holds a tuple, `**kwargs: T` a dict.
        let mut parameters = function.parameters.iter_non_variadic_params();
        let parameter = parameters.find(|one| one.parameter.name.range() == binding.range);
        let annotation = parameter.and_then(|one| one.parameter.annotation.as_deref());
        annotation.map_or(Value::Unknown, |annotation| self.annotated(source, annotation))
    }

    /// What a statement gives the target at this range. None: no evidence.
    fn assigned(&self, source: &Source, statement: TextRange, target: TextRange) -> Option<Value> {
        match statement_at(source.body(), statement) {
            Some(Stmt::Assign(assignment)) => {
                let is_whole = assignment.targets.iter().any(|one| one.range() == target);
                match &*assignment.value {
                    Expr::NoneLiteral(_) => None,
                    value if is_whole => Some(self.value(source, value)),
                    _ => Some(Value::Unknown),
                }
            }
            Some(Stmt::AnnAssign(assignment)) => {
                match (self.annotated(source, &assignment.annotation), &assignment.value) {
                    (Value::Unknown, Some(value)) if is_bare(&assignment.annotation) => {
                        Some(self.value(source, value))
                    }
                    (value, _) => Some(value),
                }
            }
            Some(Stmt::With(with)) => {
                let is_target = |one: &&ast::WithItem| {
                    one.optional_vars.as_ref().is_some_and(|vars| vars.range() == target)
                };
                let item = with.items.iter().find(is_target);
                Some(item.map_or(Value::Unknown, |item| self.entered(source, &item.context_expr)))
            }
            Some(Stmt::Try(one)) => Some(self.caught(source, one, target)),
            Some(Stmt::Delete(_)) => None,
            _ => Some(Value::Unknown),
        }
    }

    /// `with value as x`: `__enter__` of the project says what it returns, or returns `self`.
    fn entered(&self, source: &Source, context: &Expr) -> Value {
        let Value::Instance(class) = self.settled(self.value(source, context)) else {
            return Value::Unknown;
        };
        let Some(enter) = self.member(&class, "__enter__") else { return Value::Unknown };
        let returned = self.returned(&enter, IsAwaited::No);
        if returned != Value::Unknown {
            return returned;
        }
        let mut gives_itself = true;
        self.with_functions(&enter, |_, function| {
            let receiver = function.parameters.iter_non_variadic_params().next();
            let receiver = receiver.map(|one| one.parameter.name.as_str());
            let returns = returns(&function.body);
            gives_itself &= !returns.is_empty()
                && returns
                    .iter()
                    .all(|value| value.as_name_expr().map(|name| name.id.as_str()) == receiver);
        });
        if gives_itself { Value::Instance(class) } else { Value::Unknown }
    }

    /// `except Error as x`.
    fn caught(&self, source: &Source, statement: &ast::StmtTry, target: TextRange) -> Value {
        for handler in &statement.handlers {
            let ast::ExceptHandler::ExceptHandler(handler) = handler;
            let is_target = handler.name.as_ref().is_some_and(|name| name.range() == target);
            if let (true, Some(class)) = (is_target, &handler.type_) {
                return match self.settled(self.value(source, class)) {
                    Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                        Value::Instance(class)
                    }
                    _ => Value::Unknown,
                };
            }
        }
        Value::Unknown
    }

    /// What a call of a function gives: by its annotation; for an undecorated top-level function also by what it returns.
    pub(super) fn returned(&self, function: &SymbolPath, is_awaited: IsAwaited) -> Value {
        self.inferred(format!("{function}() {is_awaited:?}"), || {
            let mut values = Vec::new();
            self.with_functions(function, |source, definition| {
                let is_direct = definition.is_async == (is_awaited == IsAwaited::Yes);
                values.push(match &definition.returns {
                    Some(annotation) if is_direct => self.annotated(source, annotation),
                    None if !definition.is_async && is_plain(function, definition) => {
                        self.agreed(source, returns(&definition.body))
                    }
                    Some(_) | None => Value::Unknown,
                });
            });
            match agree(values) {
                // A variable of the module may hold something else at another time.
                Value::Symbol(symbol) if self.kind(&symbol) == SymbolKind::Variable => {
                    self.held_by(symbol)
                }
                value => value,
            }
        })
    }
}

fn is_plain(symbol: &SymbolPath, function: &ast::StmtFunctionDef) -> bool {
    !symbol.name.contains('.') && function.decorator_list.is_empty()
}

/// `Final` and `ClassVar` without a type.
fn is_bare(annotation: &Expr) -> bool {
    matches!(super::outline::last_part(annotation), Some("Final" | "ClassVar"))
}

/// The values of the `return` statements of a body, without those of functions in it.
fn returns(body: &[Stmt]) -> Vec<&Expr> {
    let mut collector = Returns::default();
    collector.visit_body(body);
    if collector.is_generator { Vec::new() } else { collector.values }
}

#[derive(Default)]
struct Returns<'a> {
    values: Vec<&'a Expr>,
    is_generator: bool,
}

impl<'a> Visitor<'a> for Returns<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(one) => {
                self.values.extend(one.value.as_deref());
                visitor::walk_stmt(self, statement);
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Lambda(_) => {}
            Expr::Yield(_) | Expr::YieldFrom(_) => self.is_generator = true,
            _ => visitor::walk_expr(self, expression),
        }
    }
}
