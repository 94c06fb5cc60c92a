//! From a `SymbolPath` to its variables and statements, and back.
//!
//! A symbol is named as Python's `__qualname__` does: `f`, `Class.method`, `function.<locals>.Class`. One symbol may have several definitions:
//! in the branches of an `if`, as overloads, in the stub of the module, in those of modules that import it.

use std::sync::Arc;

use rb_python::ast::{self, Stmt};
use rb_python::{BindingKind, Ranged, ScopeId, ScopeKind, Source, TextRange, VariableId};

use super::{Meaning, Project};
use crate::operation::SymbolPath;

const LOCALS: &str = "<locals>";

/// One variable that a symbol stands for.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) source: Arc<Source>,
    pub(crate) variable: VariableId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    Class,
    Function,
    Variable,
}

impl Project<'_> {
    /// The variables of a symbol. Empty if there is no such symbol; an attribute that is only ever set on `self` has no variable.
    pub(crate) fn definitions(&self, symbol: &SymbolPath) -> Vec<Definition> {
        let mut definitions = Vec::new();
        let stubs = self.stubs_that_give(symbol);
        for source in self.sources_of(&symbol.path).into_iter().chain(stubs) {
            for variable in self.variables(&source, &symbol.name) {
                definitions.push(Definition { source: Arc::clone(&source), variable });
            }
        }
        definitions
    }

    fn variables(&self, source: &Source, qualified: &str) -> Vec<VariableId> {
        let mut scopes = vec![ScopeId(0)];
        let mut variables = Vec::new();
        let mut kind = ScopeKind::Class;
        for part in qualified.split('.') {
            if part == LOCALS {
                kind = ScopeKind::Function;
                continue;
            }
            if !variables.is_empty() {
                scopes = self.scopes_of(source, &variables, kind);
                kind = ScopeKind::Class;
            }
            let find = |scope: &ScopeId| {
                let scope = source.scopes().scopes.get(scope.0 as usize)?;
                scope.variables.get(part).copied()
            };
            variables = scopes.iter().filter_map(find).collect();
            if variables.is_empty() {
                break;
            }
        }
        variables
    }

    fn scopes_of(
        &self,
        source: &Source,
        variables: &[VariableId],
        kind: ScopeKind,
    ) -> Vec<ScopeId> {
        let outline = self.outline(source);
        let bindings = variables.iter().flat_map(|id| &source.scopes().variable(*id).bindings);
        bindings
            .filter_map(|binding| outline.scope_of(binding.statement))
            .filter(|scope| source.scopes().scope(*scope).kind == kind)
            .collect()
    }

    /// The scopes of the bodies of a class or function.
    pub(crate) fn bodies(&self, definition: &Definition, kind: ScopeKind) -> Vec<ScopeId> {
        self.scopes_of(&definition.source, &[definition.variable], kind)
    }

    pub(crate) fn kind(&self, symbol: &SymbolPath) -> SymbolKind {
        if let Some(kind) = self.kinds.borrow().get(symbol) {
            return *kind;
        }
        let kind = self.find_kind(symbol);
        self.kinds.borrow_mut().insert(symbol.clone(), kind);
        kind
    }

    fn find_kind(&self, symbol: &SymbolPath) -> SymbolKind {
        let definitions = self.definitions(symbol);
        let variables = definitions.iter().map(|one| one.source.scopes().variable(one.variable));
        let kinds: Vec<BindingKind> =
            variables.flat_map(|one| one.bindings.iter().map(|binding| binding.kind)).collect();
        if kinds.contains(&BindingKind::Class) {
            SymbolKind::Class
        } else if kinds.contains(&BindingKind::Function) {
            SymbolKind::Function
        } else {
            SymbolKind::Variable
        }
    }

    /// The `def` statements of a symbol, with their files.
    pub(crate) fn with_functions(
        &self,
        symbol: &SymbolPath,
        mut visit: impl FnMut(&Arc<Source>, &ast::StmtFunctionDef),
    ) {
        for definition in self.definitions(symbol) {
            let source = &definition.source;
            for binding in &source.scopes().variable(definition.variable).bindings {
                let statement = statement_at(source.body(), binding.statement);
                if let Some(Stmt::FunctionDef(function)) = statement
                    && function.name.range() == binding.range
                {
                    visit(source, function);
                }
            }
        }
    }

    /// Top-level names and members of classes with this name, wherever they are defined. Imports do not count.
    pub(crate) fn symbols_named(&self, name: &str) -> Vec<SymbolPath> {
        let mut symbols = Vec::new();
        for path in self.files_with(&[name]) {
            let Some(source) = self.source(&path) else { continue };
            for scope in &source.scopes().scopes {
                let Some(variable) = scope.variables.get(name) else { continue };
                let bindings = &source.scopes().variable(*variable).bindings;
                let is_import = |kind| matches!(kind, BindingKind::Import { .. });
                let is_defined = bindings.iter().any(|binding| !is_import(binding.kind));
                let is_symbol = matches!(scope.kind, ScopeKind::Module | ScopeKind::Class);
                if is_defined && is_symbol {
                    symbols.extend(self.symbol_of(&source, *variable));
                }
            }
            let outline = self.outline(&source);
            let attributes = outline.classes_with_attribute(name);
            let classes = attributes.filter_map(|class| self.symbol_of_scope(&source, class));
            symbols.extend(classes.map(|class| member_of(&class, name)));
        }
        symbols.sort();
        symbols.dedup();
        symbols
    }

    /// None for what has no name that others could use: parameters, plain local variables, variables of comprehensions.
    pub(crate) fn symbol_of(&self, source: &Source, variable: VariableId) -> Option<SymbolPath> {
        let variable = source.scopes().variable(variable);
        let scope = source.scopes().scope(variable.scope);
        let is_definition = |kind| matches!(kind, BindingKind::Function | BindingKind::Class);
        let is_named = match scope.kind {
            ScopeKind::Module | ScopeKind::Class => true,
            ScopeKind::Function => variable.bindings.iter().any(|one| is_definition(one.kind)),
            ScopeKind::Lambda | ScopeKind::Comprehension | ScopeKind::TypeParameters => false,
        };
        if !is_named {
            return None;
        }
        let name = format!("{}{}", prefix(source, variable.scope), variable.name);
        Some(SymbolPath { path: self.home(source, &name), name })
    }

    /// The class or function whose body a scope is.
    pub(crate) fn symbol_of_scope(&self, source: &Source, scope: ScopeId) -> Option<SymbolPath> {
        let scope = source.scopes().scope(scope);
        let name = format!("{}{}", prefix(source, scope.parent?), scope.name);
        Some(SymbolPath { path: self.home(source, &name), name })
    }

    /// The file that defines what a file declares. A stub may declare what its module imports.
    fn home(&self, source: &Source, name: &str) -> String {
        let module = self.module_path(source.path());
        let top = name.split('.').next().unwrap_or(name);
        let found = (module != source.path()).then(|| self.lookup(&module, top)).flatten();
        match found {
            Some(Meaning::Symbol(symbol)) if symbol.name == top => symbol.path,
            _ => module,
        }
    }
}

/// What stands before the names of a scope.
fn prefix(source: &Source, scope: ScopeId) -> String {
    let scope = source.scopes().scope(scope);
    let outer = scope.parent.map_or_else(String::new, |parent| prefix(source, parent));
    match scope.kind {
        ScopeKind::Module => String::new(),
        ScopeKind::Class => format!("{outer}{}.", scope.name),
        ScopeKind::Function => format!("{outer}{}.{LOCALS}.", scope.name),
        ScopeKind::Lambda | ScopeKind::Comprehension | ScopeKind::TypeParameters => outer,
    }
}

/// `Class.member`.
pub(crate) fn member_of(class: &SymbolPath, name: &str) -> SymbolPath {
    SymbolPath { path: class.path.clone(), name: format!("{}.{name}", class.name) }
}

impl SymbolPath {
    /// The last part of its name.
    pub(crate) fn last(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// The class of a member; None for a top-level name and for what is local to a function.
    pub(crate) fn class(&self) -> Option<SymbolPath> {
        let (outer, _) = self.name.rsplit_once('.')?;
        let is_class = !outer.ends_with(LOCALS);
        is_class.then(|| SymbolPath { path: self.path.clone(), name: outer.to_owned() })
    }
}

/// The statement with exactly this range, at any depth.
pub(crate) fn statement_at(body: &[Stmt], range: TextRange) -> Option<&Stmt> {
    let index = body.partition_point(|statement| statement.range().end() < range.end());
    let statement = body.get(index)?;
    if statement.range() == range {
        return Some(statement);
    }
    if !statement.range().contains_range(range) {
        return None;
    }
    child_bodies(statement).into_iter().find_map(|body| statement_at(body, range))
}

/// The blocks of a compound statement.
pub(crate) fn child_bodies(statement: &Stmt) -> Vec<&[Stmt]> {
    match statement {
        Stmt::FunctionDef(one) => vec![&one.body],
        Stmt::ClassDef(one) => vec![&one.body],
        Stmt::For(one) => vec![&one.body, &one.orelse],
        Stmt::While(one) => vec![&one.body, &one.orelse],
        Stmt::If(one) => {
            let others = one.elif_else_clauses.iter().map(|clause| &clause.body[..]);
            std::iter::once(&one.body[..]).chain(others).collect()
        }
        Stmt::With(one) => vec![&one.body],
        Stmt::Match(one) => one.cases.iter().map(|case| &case.body[..]).collect(),
        Stmt::Try(one) => {
            let handlers = one.handlers.iter().map(|handler| {
                let ast::ExceptHandler::ExceptHandler(handler) = handler;
                &handler.body[..]
            });
            let bodies = std::iter::once(&one.body[..]).chain(handlers);
            bodies.chain([&one.orelse[..], &one.finalbody[..]]).collect()
        }
        _ => Vec::new(),
    }
}
