//! The border to the browser: which elements are components of the client, and what those read of a prop.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, JSXAttribute, JSXAttributeItem, JSXAttributeName,
    JSXAttributeValue, JSXElement, JSXElementName, LogicalOperator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;
use rb_ecma::{Func, Module};

use super::entries::function_behind;
use crate::cx::Cx;
use crate::facts::{Directive, Realm};

/// File and name of the component, where the element is one of the client's.
pub(super) fn client_component<'a>(
    cx: &Cx<'_, 'a>,
    element: &JSXElement<'a>,
) -> Option<(String, String)> {
    let JSXElementName::IdentifierReference(name) = &element.opening_element.name else {
        return None;
    };
    let (file, name) = cx.component_origin(name)?;
    let facts = cx.world.facts(&file)?;
    let is_client = facts.directive == Some(Directive::UseClient) || facts.realm == Realm::Client;
    (is_client && *file != *cx.facts.path).then_some((file, name))
}

/// `name={value}` of an element; `None` where props are spread, since those may come from anywhere.
pub(super) fn props<'a>(
    element: &'a JSXElement<'a>,
) -> Vec<(&'a str, &'a JSXAttribute<'a>, &'a Expression<'a>)> {
    let attributes = element.opening_element.attributes.iter();
    attributes
        .filter_map(|it| {
            let JSXAttributeItem::Attribute(attribute) = it else { return None };
            let JSXAttributeName::Identifier(name) = &attribute.name else { return None };
            let Some(JSXAttributeValue::ExpressionContainer(value)) = &attribute.value else {
                return None;
            };
            Some((name.name.as_str(), &**attribute, value.expression.as_expression()?))
        })
        .filter(|(name, _, _)| *name != "key" && *name != "ref")
        .collect()
}

/// The fields of a prop that a component reads; `None` where the whole value goes somewhere else.
pub(super) fn fields_read(
    module: &Module<'_>,
    component: &str,
    prop: &str,
) -> Option<BTreeSet<String>> {
    let func = function_behind(module, component)?;
    let mut fields = BTreeSet::new();
    match prop_of(module, func, prop)? {
        Prop::Bound(symbol) => read_of_symbol(module, symbol, &mut fields)?,
        Prop::Member(props) => {
            for at in module.value_uses(props) {
                let AstKind::StaticMemberExpression(member) = module.parent(at.node) else {
                    return None;
                };
                if member.property.name == prop {
                    read_at(module, member.node_id.get(), &mut fields)?;
                }
            }
        }
    }
    Some(fields)
}

enum Prop {
    /// `({ user }) =>`
    Bound(SymbolId),
    /// `(props) =>`
    Member(SymbolId),
}

fn prop_of<'a>(module: &Module<'a>, func: Func<'a>, prop: &str) -> Option<Prop> {
    match &func.params().items.first()?.pattern {
        BindingPattern::BindingIdentifier(id) => {
            let symbol = id.symbol_id.get()?;
            module.is_stable(symbol).then_some(Prop::Member(symbol))
        }
        BindingPattern::ObjectPattern(pattern) => {
            let property =
                pattern.properties.iter().find(|it| it.key.is_specific_static_name(prop))?;
            let BindingPattern::BindingIdentifier(id) = &property.value else { return None };
            let symbol = id.symbol_id.get()?;
            module.is_stable(symbol).then_some(Prop::Bound(symbol))
        }
        _ => None,
    }
}

fn read_of_symbol(
    module: &Module<'_>,
    symbol: SymbolId,
    fields: &mut BTreeSet<String>,
) -> Option<()> {
    for at in module.value_uses(symbol) {
        read_at(module, at.node, fields)?;
    }
    Some(())
}

/// What becomes of the value at one place: a field of it is read, it is tested, or it escapes.
fn read_at(module: &Module<'_>, node: NodeId, fields: &mut BTreeSet<String>) -> Option<()> {
    let span = module.nodes().kind(node).span();
    match module.parent(node) {
        AstKind::StaticMemberExpression(member) if member.object.span() == span => {
            fields.insert(member.property.name.to_string());
            Some(())
        }
        AstKind::VariableDeclarator(declarator) => {
            let BindingPattern::ObjectPattern(pattern) = &declarator.id else { return None };
            if pattern.rest.is_some() {
                return None;
            }
            for property in &pattern.properties {
                fields.insert(property.key.static_name()?.to_string());
            }
            Some(())
        }
        AstKind::UnaryExpression(it) if it.operator.as_str() == "!" => Some(()),
        AstKind::IfStatement(it) if it.test.span() == span => Some(()),
        AstKind::ConditionalExpression(it) if it.test.span() == span => Some(()),
        AstKind::LogicalExpression(it)
            if it.operator == LogicalOperator::And && it.left.span() == span =>
        {
            Some(())
        }
        _ => None,
    }
}
