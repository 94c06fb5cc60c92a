//! Elements: what is written in them is computed, and no more is done.

use oxc_ast::ast::{JSXAttributeItem, JSXAttributeValue, JSXChild, JSXElement, JSXExpression};
use rb_ecma::Module;

use super::quiet;

pub(super) fn quiet_element<'a>(module: &Module<'a>, element: &JSXElement<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    element.opening_element.attributes.iter().all(|it| match it {
        JSXAttributeItem::Attribute(it) => match &it.value {
            None | Some(JSXAttributeValue::StringLiteral(_)) => true,
            Some(JSXAttributeValue::ExpressionContainer(it)) => {
                quiet_braces(module, &it.expression, depth)
            }
            Some(JSXAttributeValue::Element(it)) => quiet_element(module, it, depth),
            Some(JSXAttributeValue::Fragment(_)) => false,
        },
        JSXAttributeItem::SpreadAttribute(_) => false,
    }) && element.children.iter().all(|it| quiet_child(module, it, depth))
}

pub(super) fn quiet_child<'a>(module: &Module<'a>, child: &JSXChild<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match child {
        JSXChild::Text(_) => true,
        JSXChild::Element(it) => quiet_element(module, it, depth),
        JSXChild::Fragment(it) => it.children.iter().all(|it| quiet_child(module, it, depth)),
        JSXChild::ExpressionContainer(it) => quiet_braces(module, &it.expression, depth),
        JSXChild::Spread(_) => false,
    }
}

fn quiet_braces<'a>(module: &Module<'a>, braces: &JSXExpression<'a>, depth: u32) -> bool {
    match braces {
        JSXExpression::EmptyExpression(_) => true,
        other => other.as_expression().is_some_and(|it| quiet(module, it, depth)),
    }
}
