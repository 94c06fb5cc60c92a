//! What may be taken for proved of an expression: that it has no effects, that it cannot throw, that it only reads.
//!
//! The names are those by which the rules ask for them: PURE0, PURE1, READONLY-ASYNC. Functions of this file are looked into,
//! those of others are asked for through `outside`.

mod names;
mod reading;

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, BindingPattern, CallExpression, ChainElement,
    Expression, ObjectPropertyKind, Statement, UnaryOperator,
};

use crate::bindings::ImportBinding;
use crate::builtin_effects::{CALLING_METHODS, PURE_FUNCTIONS, PURE_METHODS, is_pure_static};
use crate::functions::Func;
use crate::module::Module;
use crate::types::Types;

pub use self::names::{AUTH_NAMES, words};

/// How far calls are followed.
const DEPTH: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purity {
    /// Reads and operators: no call, and nothing that is made anew.
    Pure0,
    /// No effect, but calls of functions known to have none, and fresh values.
    Pure1,
    Impure,
}

/// Asks whether a function of another file has the property.
pub type Outside<'o> = &'o dyn Fn(&ImportBinding<'_>) -> bool;

impl<'a> Module<'a> {
    /// Libraries whose objects do things when they are read.
    pub fn has_watched_objects(&self) -> bool {
        const LIBRARIES: &[&str] = &[
            "mobx",
            "mobx-react",
            "mobx-react-lite",
            "mobx-state-tree",
            "valtio",
            "immer",
            "@vue/reactivity",
            "vue",
            "@legendapp/state",
            "@preact/signals-react",
        ];
        self.import_declarations().any(|it| LIBRARIES.contains(&it.source.value.as_str()))
    }

    pub fn is_pure0(&self, expression: &Expression<'a>) -> bool {
        self.purity(expression, &|_| false) == Purity::Pure0
    }

    pub fn is_pure1(&self, expression: &Expression<'a>, outside: Outside<'_>) -> bool {
        self.purity(expression, outside) <= Purity::Pure1
    }

    pub fn purity(&self, expression: &Expression<'a>, outside: Outside<'_>) -> Purity {
        if self.has_watched_objects() && has_member(expression) {
            return Purity::Impure;
        }
        self.pure(expression, outside, DEPTH)
    }

    fn pure(&self, expression: &Expression<'a>, outside: Outside<'_>, depth: u32) -> Purity {
        let all = |parts: &[&Expression<'a>]| {
            parts.iter().map(|it| self.pure(it, outside, depth)).max().unwrap_or(Purity::Pure0)
        };
        match expression {
            Expression::NumericLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::Identifier(_)
            | Expression::ThisExpression(_) => Purity::Pure0,
            Expression::StaticMemberExpression(it) => all(&[&it.object]),
            Expression::ComputedMemberExpression(it) => {
                // The key may be an object whose `toString` does anything.
                let is_plain = self.types(&it.expression).is_only(Types::PRIMITIVE);
                all(&[&it.object, &it.expression]).max(if is_plain {
                    Purity::Pure1
                } else {
                    Purity::Impure
                })
            }
            Expression::UnaryExpression(it) if it.operator != UnaryOperator::Delete => {
                all(&[&it.argument])
            }
            Expression::BinaryExpression(it) if !is_risky(it.operator) => {
                all(&[&it.left, &it.right])
            }
            Expression::LogicalExpression(it) => all(&[&it.left, &it.right]),
            Expression::ConditionalExpression(it) => {
                all(&[&it.test, &it.consequent, &it.alternate])
            }
            Expression::TemplateLiteral(it) => it
                .expressions
                .iter()
                .map(|it| self.pure(it, outside, depth))
                .max()
                .unwrap_or(Purity::Pure0),
            Expression::TSAsExpression(it) => all(&[&it.expression]),
            Expression::TSNonNullExpression(it) => all(&[&it.expression]),
            Expression::TSSatisfiesExpression(it) => all(&[&it.expression]),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::StaticMemberExpression(it) => all(&[&it.object]),
                ChainElement::CallExpression(call) => self.pure_call(call, outside, depth),
                _ => Purity::Impure,
            },
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::RegExpLiteral(_) => Purity::Pure1,
            Expression::ArrayExpression(it) => {
                let parts = it.elements.iter().map(|element| match element {
                    ArrayExpressionElement::SpreadElement(spread) => {
                        let inner = self.pure(&spread.argument, outside, depth);
                        let is_array = self.types(&spread.argument).is_only(Types::ARRAY);
                        inner.max(if is_array { Purity::Pure1 } else { Purity::Impure })
                    }
                    ArrayExpressionElement::Elision(_) => Purity::Pure1,
                    other => self.pure(other.to_expression(), outside, depth),
                });
                parts.max().unwrap_or(Purity::Pure0).max(Purity::Pure1)
            }
            Expression::ObjectExpression(it) => {
                let parts = it.properties.iter().map(|property| match property {
                    ObjectPropertyKind::SpreadProperty(it) => {
                        self.pure(&it.argument, outside, depth)
                    }
                    ObjectPropertyKind::ObjectProperty(it) if it.computed => Purity::Impure,
                    ObjectPropertyKind::ObjectProperty(it) => self.pure(&it.value, outside, depth),
                });
                parts.max().unwrap_or(Purity::Pure0).max(Purity::Pure1)
            }
            Expression::NewExpression(it) => {
                let is_known = it.callee.get_identifier_reference().is_some_and(|name| {
                    ["Map", "Set", "URLSearchParams"].contains(&name.name.as_str())
                        && self.is_global(name)
                });
                if is_known {
                    self.pure_arguments(&it.arguments, outside, depth)
                } else {
                    Purity::Impure
                }
            }
            Expression::CallExpression(call) => self.pure_call(call, outside, depth),
            _ => Purity::Impure,
        }
    }

    fn pure_arguments(
        &self,
        arguments: &[Argument<'a>],
        outside: Outside<'_>,
        depth: u32,
    ) -> Purity {
        let parts = arguments.iter().map(|argument| match argument.as_expression() {
            Some(argument) => match Func::of_expression_ref(self, argument) {
                Some(func) if depth > 0 => self.pure_body(func, outside, depth - 1),
                _ => self.pure(argument, outside, depth),
            },
            None => Purity::Impure,
        });
        parts.max().unwrap_or(Purity::Pure1).max(Purity::Pure1)
    }

    fn pure_call(&self, call: &CallExpression<'a>, outside: Outside<'_>, depth: u32) -> Purity {
        if depth == 0 {
            return Purity::Impure;
        }
        let arguments = self.pure_arguments(&call.arguments, outside, depth);
        if arguments == Purity::Impure {
            return Purity::Impure;
        }
        let callee = call.callee.get_inner_expression();
        if let Some(member) = callee.as_member_expression() {
            let Some(name) = member.static_property_name() else { return Purity::Impure };
            if let Some(owner) = member.object().get_identifier_reference()
                && self.is_global(owner)
                && is_pure_static(owner.name.as_str(), name)
            {
                return Purity::Pure1;
            }
            let owner = self.types(member.object());
            let is_method = PURE_METHODS.contains(&name)
                && owner.is_only(Types::ARRAY | Types::STRING | Types::NUMBER);
            if is_method && self.callbacks_are_pure(name, &call.arguments, outside, depth) {
                return self.pure(member.object(), outside, depth).max(Purity::Pure1);
            }
            return Purity::Impure;
        }
        let Expression::Identifier(name) = callee else { return Purity::Impure };
        match self.symbol(name) {
            None => {
                let is_pure = PURE_FUNCTIONS.contains(&name.name.as_str());
                if is_pure { Purity::Pure1 } else { Purity::Impure }
            }
            Some(symbol) => {
                if let Some(import) = self.import(symbol) {
                    return if outside(import) { Purity::Pure1 } else { Purity::Impure };
                }
                match self.function_of(callee) {
                    Some(func) => self.pure_body(func, outside, depth - 1),
                    None => Purity::Impure,
                }
            }
        }
    }

    /// A function that is handed over by its name is called, too.
    fn callbacks_are_pure(
        &self,
        method: &str,
        arguments: &[Argument<'a>],
        outside: Outside<'_>,
        depth: u32,
    ) -> bool {
        !CALLING_METHODS.contains(&method)
            || arguments.iter().filter_map(|it| it.as_expression()).all(|argument| {
                !self.types(argument).may_be(Types::FUNCTION)
                    || self.function_of(argument).is_some_and(|func| {
                        depth > 0 && self.pure_body(func, outside, depth - 1) <= Purity::Pure1
                    })
            })
    }

    /// Is calling it without effect, and does it but compute?
    pub fn is_pure_function(&self, func: Func<'a>, outside: Outside<'_>) -> bool {
        !self.has_watched_objects() && self.pure_body(func, outside, DEPTH) <= Purity::Pure1
    }

    fn pure_body(&self, func: Func<'a>, outside: Outside<'_>, depth: u32) -> Purity {
        if func.is_async() || func.is_generator() || has_defaults(func) {
            return Purity::Impure;
        }
        if let Some(value) = func.returned() {
            return self.pure(value, outside, depth).max(Purity::Pure1);
        }
        if self.pure_statements(func.statements(), outside, depth) {
            Purity::Pure1
        } else {
            Purity::Impure
        }
    }

    /// Declarations of constants, conditions and returns; loops and assignments are not followed.
    fn pure_statements(
        &self,
        statements: &[Statement<'a>],
        outside: Outside<'_>,
        depth: u32,
    ) -> bool {
        let pure = |it: &Expression<'a>| self.pure(it, outside, depth) <= Purity::Pure1;
        statements.iter().all(|statement| match statement {
            Statement::VariableDeclaration(it) => it
                .declarations
                .iter()
                .all(|it| it.init.as_ref().is_none_or(pure) && it.id.is_binding_identifier()),
            Statement::ReturnStatement(it) => it.argument.as_ref().is_none_or(pure),
            Statement::IfStatement(it) => {
                let arms = std::iter::once(&it.consequent).chain(it.alternate.as_ref());
                pure(&it.test)
                    && arms
                        .into_iter()
                        .all(|arm| self.pure_statements(std::slice::from_ref(arm), outside, depth))
            }
            Statement::BlockStatement(it) => self.pure_statements(&it.body, outside, depth),
            Statement::EmptyStatement(_) => true,
            _ => false,
        })
    }

    /// PURE0, and it cannot throw: no member is read of what may be null or undefined.
    pub fn is_total(&self, expression: &Expression<'a>) -> bool {
        self.is_pure0(expression) && self.reads_safely(expression)
    }

    fn reads_safely(&self, expression: &Expression<'a>) -> bool {
        match expression {
            Expression::StaticMemberExpression(it) => {
                let owner = self.types(&it.object);
                let is_there = owner.is_known() && !owner.includes(Types::NULLISH)
                    || self.is_namespace(&it.object);
                is_there && self.reads_safely(&it.object)
            }
            Expression::Identifier(name) => {
                // A name that nothing binds may not be there at all; one that is bound later is not there yet.
                self.symbol(name).is_some() || name.name == "undefined"
            }
            Expression::UnaryExpression(it) => self.reads_safely(&it.argument),
            Expression::BinaryExpression(it) => {
                // Mixing bigints and numbers, and turning symbols into text, throws.
                let plain = it.operator.is_equality()
                    || (self.types(&it.left) | self.types(&it.right))
                        .is_only(Types::NUMBER | Types::STRING | Types::BOOLEAN);
                plain && self.reads_safely(&it.left) && self.reads_safely(&it.right)
            }
            Expression::LogicalExpression(it) => {
                self.reads_safely(&it.left) && self.reads_safely(&it.right)
            }
            Expression::ConditionalExpression(it) => [&it.test, &it.consequent, &it.alternate]
                .into_iter()
                .all(|it| self.reads_safely(it)),
            Expression::TemplateLiteral(it) => it.expressions.iter().all(|part| {
                self.types(part).is_only(Types::PRIMITIVE.without(Types::SYMBOL))
                    && self.reads_safely(part)
            }),
            Expression::TSAsExpression(it) => self.reads_safely(&it.expression),
            Expression::TSSatisfiesExpression(it) => self.reads_safely(&it.expression),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::StaticMemberExpression(it) => {
                    it.optional && self.reads_safely(&it.object)
                }
                _ => false,
            },
            Expression::ComputedMemberExpression(_)
            | Expression::ThisExpression(_)
            | Expression::TSNonNullExpression(_) => false,
            _ => true,
        }
    }

    fn is_namespace(&self, object: &Expression<'a>) -> bool {
        self.symbol_of(object)
            .and_then(|it| self.import(it))
            .is_some_and(|import| import.imported == crate::bindings::Imported::Namespace)
    }
}

/// Defaults are computed when the function is called; what they do is not looked at.
fn has_defaults(func: Func<'_>) -> bool {
    func.params()
        .items
        .iter()
        .any(|it| it.initializer.is_some() || pattern_has_defaults(&it.pattern))
}

fn pattern_has_defaults(pattern: &BindingPattern<'_>) -> bool {
    match pattern {
        BindingPattern::BindingIdentifier(_) => false,
        BindingPattern::ObjectPattern(it) => {
            it.properties.iter().any(|it| it.computed || pattern_has_defaults(&it.value))
        }
        BindingPattern::ArrayPattern(it) => it.elements.iter().flatten().any(pattern_has_defaults),
        BindingPattern::AssignmentPattern(_) => true,
    }
}

impl<'a> Func<'a> {
    fn of_expression_ref(module: &Module<'a>, expression: &Expression<'a>) -> Option<Self> {
        match expression.get_inner_expression() {
            it @ (Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)) => {
                module.function_of(it)
            }
            _ => None,
        }
    }
}

fn is_risky(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::In | BinaryOperator::Instanceof)
}

fn has_member(expression: &Expression<'_>) -> bool {
    struct Members(bool);
    impl<'a> oxc_ast_visit::Visit<'a> for Members {
        fn visit_member_expression(&mut self, _: &oxc_ast::ast::MemberExpression<'a>) {
            self.0 = true;
        }
    }
    let mut look = Members(false);
    oxc_ast_visit::Visit::visit_expression(&mut look, expression);
    look.0
}
