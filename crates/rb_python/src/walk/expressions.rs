//! Expressions and patterns: names, the scopes of lambdas and comprehensions, strings as arguments.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{self as ast, Expr, Pattern, Stmt};
use ruff_text_size::{Ranged, TextRange};

use super::Walk;
use crate::scopes::{BindingKind, ScopeKind};
use crate::strings::StringUse;

impl<'a> SourceOrderVisitor<'a> for Walk<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.statement(statement);
    }

    fn visit_annotation(&mut self, annotation: &'a Expr) {
        self.as_annotation(true, |walk| walk.visit_expr(annotation));
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => self.name_expression(name),
            Expr::Named(named) => self.walrus(named),
            Expr::Lambda(lambda) => self.as_annotation(false, |walk| walk.lambda(lambda)),
            Expr::ListComp(list) => {
                self.comprehension(list.range, &[&list.elt], &list.generators);
            }
            Expr::SetComp(set) => self.comprehension(set.range, &[&set.elt], &set.generators),
            Expr::Generator(generator) => {
                self.comprehension(generator.range, &[&generator.elt], &generator.generators);
            }
            Expr::DictComp(dict) => match &dict.key {
                Some(key) => {
                    self.comprehension(dict.range, &[key, &dict.value], &dict.generators);
                }
                None => self.comprehension(dict.range, &[&dict.value], &dict.generators),
            },
            Expr::Call(call) => self.call(call),
            Expr::Subscript(subscript) => self.subscript(subscript),
            Expr::StringLiteral(string) if self.is_annotation => self.quoted_annotation(string),
            _ => source_order::walk_expr(self, expression),
        }
    }

    fn visit_type_param(&mut self, parameter: &'a ast::TypeParam) {
        self.type_parameter(parameter);
    }

    fn visit_with_item(&mut self, item: &'a ast::WithItem) {
        self.visit_expr(&item.context_expr);
        if let Some(target) = &item.optional_vars {
            self.targets(target, BindingKind::Other, target.end());
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ast::ExceptHandler) {
        let ast::ExceptHandler::ExceptHandler(handler) = handler;
        if let Some(exception) = &handler.type_ {
            self.visit_expr(exception);
        }
        if let Some(name) = &handler.name {
            self.bind_identifier(name, BindingKind::Other, name.end());
        }
        self.visit_body(&handler.body);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        source_order::walk_pattern(self, pattern);
        let name = match pattern {
            Pattern::MatchAs(pattern) => &pattern.name,
            Pattern::MatchStar(pattern) => &pattern.name,
            Pattern::MatchMapping(pattern) => &pattern.rest,
            Pattern::MatchValue(_)
            | Pattern::MatchSingleton(_)
            | Pattern::MatchSequence(_)
            | Pattern::MatchClass(_)
            | Pattern::MatchOr(_) => &None,
        };
        if let Some(name) = name {
            self.bind_identifier(name, BindingKind::Other, name.end());
        }
    }

    fn visit_string_literal(&mut self, literal: &'a ast::StringLiteral) {
        self.string(literal, StringUse::Other);
    }

    fn visit_bytes_literal(&mut self, literal: &'a ast::BytesLiteral) {
        self.bytes(literal, StringUse::Other);
    }
}

impl Walk<'_> {
    /// `(x := 1)` binds in the scope around all comprehensions.
    fn walrus(&mut self, named: &ast::ExprNamed) {
        if let Expr::Name(name) = &*named.target {
            let mut scope = self.scopes.current;
            while self.scopes.kind(scope) == ScopeKind::Comprehension {
                scope = self.scopes.parent(scope).expect("the module is no comprehension");
            }
            self.bind_in(scope, &name.id, name.range, BindingKind::Other, named.range.end());
        }
        self.visit_expr(&named.value);
    }

    fn lambda(&mut self, lambda: &ast::ExprLambda) {
        let parameters = lambda.parameters.as_deref();
        for parameter in parameters.into_iter().flat_map(ast::Parameters::iter_non_variadic_params)
        {
            if let Some(default) = &parameter.default {
                self.visit_expr(default);
            }
        }
        let outer = self.scopes.current;
        let scope = self.scopes.open(ScopeKind::Lambda, lambda.range, "");
        self.scopes.place(lambda.body.start(), scope);
        let loop_from = self.loop_from.take();
        self.within(scope, |walk| {
            if let Some(parameters) = parameters {
                walk.parameters(parameters);
            }
            walk.visit_expr(&lambda.body);
        });
        self.loop_from = loop_from;
        self.scopes.place(lambda.range.end(), outer);
    }

    fn comprehension(
        &mut self,
        range: TextRange,
        elements: &[&Expr],
        generators: &[ast::Comprehension],
    ) {
        let outer = self.scopes.current;
        let scope = self.scopes.open(ScopeKind::Comprehension, range, "");
        self.scopes.place(range.start(), scope);
        let was_annotation = std::mem::take(&mut self.is_annotation);
        self.within(scope, |walk| {
            for element in elements {
                walk.visit_expr(element);
            }
            for (index, generator) in generators.iter().enumerate() {
                walk.targets(&generator.target, BindingKind::Other, generator.iter.end());
                if index == 0 {
                    walk.scopes.place(generator.iter.start(), outer);
                    walk.within(outer, |walk| walk.visit_expr(&generator.iter));
                    walk.scopes.place(generator.iter.end(), scope);
                } else {
                    walk.visit_expr(&generator.iter);
                }
                for condition in &generator.ifs {
                    walk.visit_expr(condition);
                }
            }
        });
        self.is_annotation = was_annotation;
        self.scopes.place(range.end(), outer);
    }

    fn call(&mut self, call: &ast::ExprCall) {
        let outer = std::mem::take(&mut self.is_annotation);
        self.visit_expr(&call.func);
        let mut callee = None;
        for (position, argument) in call.arguments.args.iter().enumerate() {
            if self.is_quoted_argument(&call.func, Some(position), None) {
                self.visit_annotation(argument);
            } else {
                self.argument(&call.func, &mut callee, argument, Some(position));
            }
        }
        for keyword in &call.arguments.keywords {
            let name = keyword.arg.as_ref().map(ast::Identifier::as_str);
            if self.is_quoted_argument(&call.func, None, name) {
                self.visit_annotation(&keyword.value);
            } else {
                self.argument(&call.func, &mut callee, &keyword.value, None);
            }
        }
        self.is_annotation = outer;
    }

    fn argument(
        &mut self,
        function: &Expr,
        callee: &mut Option<String>,
        argument: &Expr,
        position: Option<usize>,
    ) {
        if !matches!(argument, Expr::StringLiteral(_) | Expr::BytesLiteral(_)) {
            self.visit_expr(argument);
            return;
        }
        let callee = callee.get_or_insert_with(|| callee_text(function)).clone();
        let usage = StringUse::Argument { callee, position };
        match argument {
            Expr::StringLiteral(string) => {
                for part in &string.value {
                    self.string(part, usage.clone());
                }
            }
            Expr::BytesLiteral(bytes) => {
                for part in &bytes.value {
                    self.bytes(part, usage.clone());
                }
            }
            _ => {}
        }
    }
}

/// `a.b.c`; `.c` if what stands before is no plain name; empty for anything else.
fn callee_text(function: &Expr) -> String {
    let mut parts = Vec::new();
    let mut rest = function;
    while let Expr::Attribute(attribute) = rest {
        parts.push(attribute.attr.as_str());
        rest = &attribute.value;
    }
    match rest {
        Expr::Name(name) => parts.push(name.id.as_str()),
        _ if parts.is_empty() => {}
        _ => {
            parts.truncate(1);
            parts.push("");
        }
    }
    parts.reverse();
    parts.join(".")
}
