//! `require("…")` and `import("…")`, wherever they stand.
//!
//! Of the two halves of a choice by `process.env.NODE_ENV` only that of production counts, as for every bundler. A
//! `require` that a function takes as its parameter is not the one of the module.

use oxc_ast::ast::{
    BinaryExpression, BindingPattern, CallExpression, ConditionalExpression, Expression, Function,
    IfStatement, ImportExpression, LogicalExpression, Program,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};
use oxc_syntax::scope::ScopeFlags;

use super::loads::How;

#[derive(Default)]
pub(super) struct Calls {
    pub(super) found: Vec<(Box<str>, How)>,
    pub(super) computed: u32,
}

impl Calls {
    pub(super) fn of(program: &Program<'_>) -> Calls {
        let mut calls = Calls::default();
        let text = program.source_text;
        if text.contains("require") || text.contains("import(") || text.contains("import (") {
            calls.visit_program(program);
        }
        calls
    }

    fn add(&mut self, argument: Option<&Expression<'_>>, how: How) {
        match argument.and_then(written) {
            Some(specifier) => self.found.push((specifier.into(), how)),
            None => self.computed += 1,
        }
    }
}

/// A string, or a template without a hole.
fn written<'a>(expression: &Expression<'a>) -> Option<&'a str> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(it) => Some(it.value.as_str()),
        Expression::TemplateLiteral(it) if it.expressions.is_empty() => {
            it.quasis.first()?.value.cooked.map(|it| it.as_str())
        }
        _ => None,
    }
}

impl<'a> Visit<'a> for Calls {
    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.add(Some(&it.source), How::Later);
        walk::walk_import_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let is_require = matches!(&it.callee, Expression::Identifier(it) if it.name == "require");
        if is_require && it.arguments.len() == 1 {
            self.add(it.arguments[0].as_expression(), How::Require);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let takes_require = it.params.items.iter().any(|it| match &it.pattern {
            BindingPattern::BindingIdentifier(it) => it.name == "require",
            _ => false,
        });
        if !takes_require {
            walk::walk_function(self, it, flags);
        }
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        match in_production(&it.test) {
            Some(true) => self.visit_statement(&it.consequent),
            Some(false) => {
                if let Some(other) = &it.alternate {
                    self.visit_statement(other);
                }
            }
            None => walk::walk_if_statement(self, it),
        }
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        match in_production(&it.test) {
            Some(true) => self.visit_expression(&it.consequent),
            Some(false) => self.visit_expression(&it.alternate),
            None => walk::walk_conditional_expression(self, it),
        }
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        let left = in_production(&it.left);
        let is_settled = match it.operator {
            LogicalOperator::And => left == Some(false),
            LogicalOperator::Or => left == Some(true),
            LogicalOperator::Coalesce => false,
        };
        if !is_settled {
            walk::walk_logical_expression(self, it);
        }
    }
}

/// What a test of `process.env.NODE_ENV` comes to where it is `production`.
fn in_production(test: &Expression<'_>) -> Option<bool> {
    match test.get_inner_expression() {
        Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
            // One `!` before a comparison is all that is written by hand.
            match it.argument.get_inner_expression() {
                Expression::BinaryExpression(it) => compared(it).map(|it| !it),
                _ => None,
            }
        }
        Expression::BinaryExpression(it) => compared(it),
        _ => None,
    }
}

fn compared(it: &BinaryExpression<'_>) -> Option<bool> {
    let is_equal = match it.operator {
        BinaryOperator::Equality | BinaryOperator::StrictEquality => true,
        BinaryOperator::Inequality | BinaryOperator::StrictInequality => false,
        _ => return None,
    };
    let name = match (is_node_env(&it.left), is_node_env(&it.right)) {
        (true, false) => written(&it.right)?,
        (false, true) => written(&it.left)?,
        (true, true) | (false, false) => return None,
    };
    Some((name == "production") == is_equal)
}

fn is_node_env(expression: &Expression<'_>) -> bool {
    let Expression::StaticMemberExpression(it) = expression.get_inner_expression() else {
        return false;
    };
    let Expression::StaticMemberExpression(env) = it.object.get_inner_expression() else {
        return false;
    };
    let is_process = matches!(&env.object, Expression::Identifier(it) if it.name == "process");
    it.property.name == "NODE_ENV" && env.property.name == "env" && is_process
}
