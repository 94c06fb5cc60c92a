//! Shapes that several rules of this folder look for: method calls, callbacks, chains of members, insertions.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, IdentifierReference,
    StaticMemberExpression,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan as _, Span};
use oxc_syntax::operator::BinaryOperator;
use rb_core::Edit;
use rb_ecma::{Func, Module};

/// `object.name(…)`.
#[derive(Clone, Copy)]
pub struct Method<'a> {
    pub object: &'a Expression<'a>,
    pub name: &'a str,
    pub name_span: Span,
    /// `?.` before the name or before the arguments.
    pub optional: bool,
}

pub fn method<'a>(call: &'a CallExpression<'a>) -> Option<Method<'a>> {
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return None;
    };
    Some(Method {
        object: &member.object,
        name: member.property.name.as_str(),
        name_span: member.property.span,
        optional: member.optional || call.optional,
    })
}

/// The call of a method that an expression is.
pub fn method_call<'a>(
    expression: &'a Expression<'a>,
) -> Option<(&'a CallExpression<'a>, Method<'a>)> {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return None };
    Some((call, method(call)?))
}

/// The function written in place as the first argument.
pub fn callback<'a>(call: &'a CallExpression<'a>) -> Option<Func<'a>> {
    Func::of_expression(call.arguments.first()?.as_expression()?)
}

/// The one argument of a call that has no other.
pub fn only_argument<'a>(call: &'a CallExpression<'a>) -> Option<&'a Expression<'a>> {
    match call.arguments.as_slice() {
        [only] => only.as_expression(),
        _ => None,
    }
}

/// The symbol of a parameter that is a bare name.
pub fn parameter(func: Func<'_>, at: usize) -> Option<SymbolId> {
    match &func.params().items.get(at)?.pattern {
        BindingPattern::BindingIdentifier(id) => id.symbol_id.get(),
        _ => None,
    }
}

/// `root.a.b`.
#[derive(Clone)]
pub struct Chain<'a> {
    pub root: &'a IdentifierReference<'a>,
    pub names: Vec<&'a str>,
}

pub fn chain<'a>(expression: &'a Expression<'a>) -> Option<Chain<'a>> {
    match expression.get_inner_expression() {
        Expression::Identifier(root) => Some(Chain { root, names: Vec::new() }),
        Expression::StaticMemberExpression(member) => member_chain(member),
        _ => None,
    }
}

pub fn member_chain<'a>(member: &'a StaticMemberExpression<'a>) -> Option<Chain<'a>> {
    if member.optional {
        return None;
    }
    let mut inner = chain(&member.object)?;
    inner.names.push(member.property.name.as_str());
    Some(inner)
}

/// Does nothing in the span declare it?
pub fn is_declared_outside(module: &Module<'_>, symbol: SymbolId, span: Span) -> bool {
    !span.contains_inclusive(module.scoping().symbol_span(symbol))
}

/// Does a piece of the text use something that is declared within `span`?
pub fn uses_inner(module: &Module<'_>, piece: Span, span: Span) -> bool {
    module
        .identifiers_in(piece)
        .iter()
        .filter_map(|it| module.symbol(it))
        .any(|symbol| !is_declared_outside(module, symbol, span))
}

/// Is what the symbol holds changed in the span: assigned, or filled, emptied, sorted in place?
pub fn is_changed_in(module: &Module<'_>, symbol: SymbolId, span: Span) -> bool {
    const CHANGING: &[&str] = &[
        "push",
        "pop",
        "shift",
        "unshift",
        "splice",
        "sort",
        "reverse",
        "fill",
        "copyWithin",
        "set",
        "add",
        "delete",
        "clear",
    ];
    module.value_uses(symbol).filter(|it| span.contains_inclusive(it.span)).any(|it| {
        if it.is_write() {
            return true;
        }
        let mut inner = it.span;
        for kind in module.ancestors(it.node) {
            match kind {
                AstKind::StaticMemberExpression(member) => {
                    inner = member.span;
                    if CHANGING.contains(&member.property.name.as_str()) {
                        return true;
                    }
                }
                AstKind::ComputedMemberExpression(member) if member.object_span() == inner => {
                    inner = member.span;
                }
                AstKind::AssignmentExpression(assignment) => {
                    return oxc_span::GetSpan::span(&assignment.left).contains_inclusive(inner);
                }
                AstKind::UpdateExpression(_) | AstKind::UnaryExpression(_) => {
                    return matches!(kind, AstKind::UpdateExpression(_))
                        || matches!(kind, AstKind::UnaryExpression(it)
                            if it.operator == oxc_syntax::operator::UnaryOperator::Delete);
                }
                _ => return false,
            }
        }
        false
    })
}

trait ObjectSpan {
    fn object_span(&self) -> Span;
}

impl ObjectSpan for oxc_ast::ast::ComputedMemberExpression<'_> {
    fn object_span(&self) -> Span {
        oxc_span::GetSpan::span(&self.object)
    }
}

/// `export const x`.
pub fn is_exported_in_place(module: &Module<'_>, symbol: SymbolId) -> bool {
    let node = module.scoping().symbol_declaration(symbol);
    module.ancestors(node).take(3).any(|kind| matches!(kind, AstKind::ExportDeclaration(_)))
}

/// The statement around a node that stands in a list, where no function lies between the two: code put before it runs
/// when the node does, or earlier in the same call.
pub fn statement_in_same_function(module: &Module<'_>, node: NodeId) -> Option<Span> {
    let siblings = module.siblings(node)?;
    let statement = oxc_span::GetSpan::span(siblings.statement());
    let own = module.function_around(node).map(rb_ecma::Func::span);
    let is_between = own.is_some_and(|own| statement.contains_inclusive(own));
    (!is_between).then_some(statement)
}

/// New lines of code before a statement that begins its line; a statement behind another on its line gets none.
pub fn insert_before(module: &Module<'_>, statement: Span, lines: &[String]) -> Option<Edit> {
    let start = module.line_start(statement.start);
    let before = &module.text()[start as usize..statement.start as usize];
    if !before.trim().is_empty() {
        return None;
    }
    let eol = module.style().line_end;
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push_str(eol);
        text.push_str(before);
    }
    Some(Edit::insert(statement.start, text))
}

/// A name that is free in the file, and that no other edit of the same look at it was given.
pub fn unused_name(module: &Module<'_>, base: &str, given: &mut Vec<String>) -> String {
    let mut name = module.fresh_name(base);
    let mut count = 2;
    while given.contains(&name) {
        name = module.fresh_name(&format!("{base}{count}"));
        count += 1;
    }
    given.push(name.clone());
    name
}

/// `usersById` of `users`, `By` and `id`.
pub fn camel(parts: &[&str]) -> String {
    let mut name = String::new();
    for part in parts {
        let mut characters = part.chars();
        if let Some(first) = characters.next() {
            if name.is_empty() {
                name.push(first);
            } else {
                name.extend(first.to_uppercase());
            }
            name.push_str(characters.as_str());
        }
    }
    name
}

/// The number that an argument or element is, where it is a literal.
pub fn number_of(argument: &Argument<'_>) -> Option<f64> {
    argument.as_expression().and_then(number)
}

/// The comparison around `indexOf` by which presence is asked: `… !== -1`, `… >= 0`, and whether the opposite is asked.
pub fn comparison<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<(Span, bool)> {
    let AstKind::BinaryExpression(it) = module.parent(call.node_id.get()) else { return None };
    // Parentheses around the call are not in its span.
    if it.left.span() != call.span || it.span.start != call.span.start {
        return None;
    }
    let bound = number(&it.right)?;
    let (minus_one, zero) = (bound + 1.0 == 0.0, bound == 0.0);
    let absent = match it.operator {
        BinaryOperator::StrictInequality
        | BinaryOperator::Inequality
        | BinaryOperator::GreaterThan
            if minus_one =>
        {
            false
        }
        BinaryOperator::GreaterEqualThan if zero => false,
        BinaryOperator::StrictEquality | BinaryOperator::Equality if minus_one => true,
        BinaryOperator::LessThan if zero => true,
        _ => return None,
    };
    Some((it.span, absent))
}

pub fn number(expression: &Expression<'_>) -> Option<f64> {
    match expression.get_inner_expression() {
        Expression::NumericLiteral(it) => Some(it.value),
        Expression::UnaryExpression(it)
            if it.operator == oxc_syntax::operator::UnaryOperator::UnaryNegation =>
        {
            number(&it.argument).map(|value| -value)
        }
        _ => None,
    }
}
