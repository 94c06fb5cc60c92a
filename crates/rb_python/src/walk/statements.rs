//! Statements: definitions, assignments, blocks and imports.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::Walk;
use crate::imports::{Import, ImportName, ImportPlace};
use crate::scopes::{BindingKind, NameRole, Redirect, ScopeId, ScopeKind};
use crate::strings::StringUse;

impl Walk<'_> {
    pub(super) fn statement(&mut self, statement: &Stmt) {
        let outer = std::mem::replace(&mut self.statement, statement.range());
        match statement {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::TypeAlias(alias) => self.type_alias(alias),
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.targets(target, BindingKind::Assignment, assign.range.end());
                }
                self.visit_expr(&assign.value);
            }
            Stmt::AugAssign(assign) => {
                self.targets(&assign.target, BindingKind::Assignment, assign.range.end());
                self.visit_expr(&assign.value);
            }
            Stmt::AnnAssign(assign) => self.annotated_assignment(assign),
            Stmt::For(statement) => self.for_loop(statement),
            Stmt::While(_) => self.block(statement, Some(statement.start())),
            Stmt::If(statement) => self.if_statement(statement),
            Stmt::With(_) | Stmt::Match(_) | Stmt::Try(_) => self.block(statement, None),
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Global(global) => self.redirects(&global.names, Redirect::Global),
            Stmt::Nonlocal(nonlocal) => self.redirects(&nonlocal.names, Redirect::Nonlocal),
            Stmt::Return(_)
            | Stmt::Delete(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Expr(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::IpyEscapeCommand(_) => source_order::walk_stmt(self, statement),
        }
        self.statement = outer;
    }

    /// Of a module, class or function.
    pub(super) fn body_with_docstring(&mut self, body: &[Stmt]) {
        let mut rest = body;
        if let Some((Stmt::Expr(first), others)) = body.split_first()
            && let Expr::StringLiteral(docstring) = &*first.value
        {
            for part in &docstring.value {
                self.string(part, StringUse::Docstring);
            }
            rest = others;
        }
        for statement in rest {
            self.visit_stmt(statement);
        }
    }

    fn function(&mut self, function: &ast::StmtFunctionDef) {
        for decorator in &function.decorator_list {
            self.visit_decorator(decorator);
        }
        self.bind_identifier(&function.name, BindingKind::Function, function.range.end());
        let outer = self.scopes.current;
        for parameter in function.parameters.iter_non_variadic_params() {
            if let Some(default) = &parameter.default {
                self.visit_expr(default);
            }
        }
        let header = self.type_parameters(
            function.type_params.as_deref(),
            function.range,
            function.name.as_str(),
        );
        let inner = self.within(header, |walk| {
            for parameter in &*function.parameters {
                if let Some(annotation) = parameter.annotation() {
                    walk.visit_annotation(annotation);
                }
            }
            if let Some(returns) = &function.returns {
                walk.visit_annotation(returns);
            }
            walk.scopes.open(ScopeKind::Function, function.range, function.name.as_str())
        });
        let header_end =
            function.returns.as_ref().map_or(function.parameters.end(), |returns| returns.end());
        self.enter(inner, header_end, |walk| {
            walk.parameters(&function.parameters);
            walk.body_with_docstring(&function.body);
        });
        self.scopes.place(function.range.end(), outer);
    }

    /// Binds the parameters in the current scope.
    pub(super) fn parameters(&mut self, parameters: &ast::Parameters) {
        for parameter in parameters {
            let name = parameter.name();
            self.bind_identifier(name, BindingKind::Parameter, name.start());
        }
    }

    /// The scope of the type parameters, or the current one if there are none.
    fn type_parameters(
        &mut self,
        parameters: Option<&ast::TypeParams>,
        range: TextRange,
        name: &str,
    ) -> ScopeId {
        let Some(parameters) = parameters else {
            return self.scopes.current;
        };
        let scope = self.scopes.open(ScopeKind::TypeParameters, range, name);
        self.scopes.place(parameters.start(), scope);
        self.within(scope, |walk| walk.visit_type_params(parameters));
        scope
    }

    pub(super) fn type_parameter(&mut self, parameter: &ast::TypeParam) {
        let name = parameter.name();
        self.bind_identifier(name, BindingKind::Other, name.start());
        if let ast::TypeParam::TypeVar(variable) = parameter
            && let Some(bound) = &variable.bound
        {
            self.visit_annotation(bound);
        }
        if let Some(default) = parameter.default() {
            self.visit_annotation(default);
        }
    }

    fn class(&mut self, class: &ast::StmtClassDef) {
        for decorator in &class.decorator_list {
            self.visit_decorator(decorator);
        }
        self.bind_identifier(&class.name, BindingKind::Class, class.range.end());
        let outer = self.scopes.current;
        let header =
            self.type_parameters(class.type_params.as_deref(), class.range, class.name.as_str());
        let inner = self.within(header, |walk| {
            if let Some(arguments) = &class.arguments {
                walk.visit_arguments(arguments);
            }
            walk.scopes.open(ScopeKind::Class, class.range, class.name.as_str())
        });
        let parameters_end =
            class.type_params.as_ref().map_or(class.name.end(), |parameters| parameters.end());
        let header_end =
            class.arguments.as_ref().map_or(parameters_end, |arguments| arguments.end());
        self.enter(inner, header_end, |walk| walk.body_with_docstring(&class.body));
        self.scopes.place(class.range.end(), outer);
    }

    /// The body of a function or class, which begins behind its header.
    fn enter(&mut self, scope: ScopeId, header_end: TextSize, action: impl FnOnce(&mut Self)) {
        self.scopes.place(header_end, scope);
        let place = std::mem::replace(&mut self.place, ImportPlace::Local);
        let loop_from = self.loop_from.take();
        self.within(scope, action);
        self.loop_from = loop_from;
        self.place = place;
    }

    fn type_alias(&mut self, alias: &ast::StmtTypeAlias) {
        self.targets(&alias.name, BindingKind::Assignment, alias.range.end());
        let outer = self.scopes.current;
        let name = match &*alias.name {
            Expr::Name(name) => name.id.as_str(),
            _ => "",
        };
        let scope = self.type_parameters(alias.type_params.as_deref(), alias.range, name);
        self.within(scope, |walk| walk.visit_annotation(&alias.value));
        self.scopes.place(alias.range.end(), outer);
    }

    fn annotated_assignment(&mut self, assign: &ast::StmtAnnAssign) {
        let kind = match assign.value {
            Some(_) => BindingKind::Assignment,
            None => BindingKind::Declaration,
        };
        match &*assign.target {
            // `(x): int` declares nothing.
            Expr::Name(name) if !assign.simple && assign.value.is_none() => {
                self.use_name(&name.id, name.range);
            }
            target => self.targets(target, kind, assign.range.end()),
        }
        self.visit_annotation(&assign.annotation);
        if let Some(value) = &assign.value {
            self.visit_expr(value);
        }
    }

    fn for_loop(&mut self, statement: &ast::StmtFor) {
        self.targets(&statement.target, BindingKind::Other, statement.iter.end());
        self.visit_expr(&statement.iter);
        self.in_block(Some(statement.iter.end()), |walk| {
            walk.visit_body(&statement.body);
            walk.visit_body(&statement.orelse);
        });
    }

    fn if_statement(&mut self, statement: &ast::StmtIf) {
        self.visit_expr(&statement.test);
        self.in_block(None, |walk| {
            let place = walk.place;
            if place == ImportPlace::Conditional && is_type_checking(&statement.test) {
                walk.place = ImportPlace::TypeChecking;
            }
            walk.visit_body(&statement.body);
            walk.place = place;
            for clause in &statement.elif_else_clauses {
                walk.visit_elif_else_clause(clause);
            }
        });
    }

    fn block(&mut self, statement: &Stmt, loop_from: Option<TextSize>) {
        self.in_block(loop_from, |walk| source_order::walk_stmt(walk, statement));
    }

    fn in_block(&mut self, loop_from: Option<TextSize>, action: impl FnOnce(&mut Self)) {
        let (place, outer_loop) = (self.place, self.loop_from);
        if place == ImportPlace::Top {
            self.place = ImportPlace::Conditional;
        }
        self.loop_from = outer_loop.or(loop_from);
        action(self);
        (self.place, self.loop_from) = (place, outer_loop);
    }

    fn redirects(&mut self, names: &[ast::Identifier], redirect: Redirect) {
        for name in names {
            self.scopes.redirect(name.as_str(), redirect);
            self.scopes.name(name.as_str(), name.range(), NameRole::Use, false);
        }
    }

    fn import(&mut self, statement: &ast::StmtImport) {
        let import = Import {
            range: statement.range,
            scope: self.scopes.current,
            is_from: false,
            level: 0,
            module: None,
            names: statement.names.iter().map(import_name).collect(),
            place: self.place,
        };
        for name in &import.names {
            if is_typing(&name.name) && (name.alias.is_some() || !name.name.contains('.')) {
                self.typing.modules.push(name.local().to_owned());
            }
        }
        self.add_import(import);
    }

    fn import_from(&mut self, statement: &ast::StmtImportFrom) {
        let module = statement.module.as_ref();
        let import = Import {
            range: statement.range,
            scope: self.scopes.current,
            is_from: true,
            level: statement.level,
            module: module.map(|module| (module.to_string(), module.range())),
            names: statement.names.iter().map(import_name).collect(),
            place: self.place,
        };
        if statement.level == 0 && module.is_some_and(|module| is_typing(module)) {
            for name in &import.names {
                self.typing.names.insert(name.local().to_owned(), name.name.clone());
            }
        }
        self.add_import(import);
    }

    fn add_import(&mut self, import: Import) {
        let index = self.imports.len();
        for (name_index, name) in import.names.iter().enumerate() {
            if name.name == "*" {
                self.scopes.star_import();
                continue;
            }
            let range = match &name.alias {
                Some((_, range)) => *range,
                None => self.first_part(name.name_range),
            };
            let kind = BindingKind::Import { import: index, name: name_index };
            let scope = self.scopes.current;
            self.add_binding(scope, name.local(), range, kind, import.range.end());
        }
        self.imports.push(import);
    }

    /// `a` of `a.b`.
    fn first_part(&self, range: TextRange) -> TextRange {
        let text = &self.text[range];
        let end = text.find(|c: char| c == '.' || c == '\\' || c.is_whitespace());
        TextRange::at(range.start(), TextSize::of(&text[..end.unwrap_or(text.len())]))
    }
}

fn import_name(alias: &ast::Alias) -> ImportName {
    ImportName {
        name: alias.name.to_string(),
        name_range: alias.name.range(),
        alias: alias.asname.as_ref().map(|name| (name.to_string(), name.range())),
        range: alias.range,
    }
}

fn is_typing(module: &str) -> bool {
    matches!(module, "typing" | "typing_extensions" | "collections.abc")
}

/// `TYPE_CHECKING` or `typing.TYPE_CHECKING`.
fn is_type_checking(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id == "TYPE_CHECKING",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "TYPE_CHECKING",
        _ => false,
    }
}
