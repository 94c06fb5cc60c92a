//! Effects of React, and calls on objects of the browser.

use oxc_ast::ast::{CallExpression, Expression};
use oxc_span::Span;
use rb_ecma::{Func, Module};

/// The function of `useEffect(…)` and its like.
pub(super) fn effect<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Func<'a>> {
    let name = module.react_call(call)?;
    if !["useEffect", "useLayoutEffect", "useInsertionEffect"].contains(&name) {
        return None;
    }
    module.function_of(call.arguments.first()?.as_expression()?)
}

/// `name` and the object of `object.name(…)`.
pub(super) fn method<'a, 'c>(
    call: &'c CallExpression<'a>,
) -> Option<(&'c Expression<'a>, &'c str)> {
    match call.callee.get_inner_expression() {
        Expression::StaticMemberExpression(it) => Some((&it.object, it.property.name.as_str())),
        _ => None,
    }
}

pub(super) fn string<'a>(expression: &Expression<'a>) -> Option<&'a str> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(it) => Some(it.value.as_str()),
        _ => None,
    }
}

/// `window`, `document`, `document.body`, `globalThis`, `window.document`: there is one of each.
pub(super) fn is_page<'a>(module: &Module<'a>, object: &Expression<'a>) -> bool {
    const GLOBALS: &[&str] = &["window", "document", "globalThis", "self"];
    match object.get_inner_expression() {
        Expression::Identifier(it) => GLOBALS.contains(&it.name.as_str()) && module.is_global(it),
        Expression::StaticMemberExpression(it) => {
            ["document", "body", "documentElement"].contains(&it.property.name.as_str())
                && is_page(module, &it.object)
        }
        _ => false,
    }
}

/// Calls that stand in a piece of the text.
pub(super) fn calls_in<'m, 'a>(
    module: &'m Module<'a>,
    span: Span,
) -> impl Iterator<Item = &'a CallExpression<'a>> + 'm {
    let all = module.calls();
    // They are in the order of the text; one that begins before `span` is not in it.
    let first = all.partition_point(|it| it.span.start < span.start);
    all[first..]
        .iter()
        .copied()
        .take_while(move |it| it.span.start < span.end)
        .filter(move |it| span.contains_inclusive(it.span))
}
