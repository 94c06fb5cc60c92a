//! What is written in an element: its tag, its attributes, the texts in them.
//!
//! Only what stands in the tree is read; nothing is followed to where it was made.

use oxc_ast::ast::{
    Expression, IdentifierReference, JSXAttribute, JSXAttributeItem, JSXAttributeName,
    JSXAttributeValue, JSXElement, JSXElementName, ObjectExpression, ObjectPropertyKind,
    StringLiteral, TemplateElement,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

/// The tag of an element of the page: `div`, `svg`. Components have none.
pub(super) fn host<'a>(element: &'a JSXElement<'a>) -> Option<&'a str> {
    match &element.opening_element.name {
        JSXElementName::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

pub(super) fn is_host(element: &JSXElement<'_>, tag: &str) -> bool {
    matches!(&element.opening_element.name, JSXElementName::Identifier(name) if name.name == tag)
}

/// The name of a component that is no member of anything.
pub(super) fn component<'a>(element: &'a JSXElement<'a>) -> Option<&'a IdentifierReference<'a>> {
    match &element.opening_element.name {
        JSXElementName::IdentifierReference(name) => Some(name),
        _ => None,
    }
}

/// The tag as it is written, of any element.
pub(super) fn tag<'a>(module: &Module<'a>, element: &JSXElement<'a>) -> &'a str {
    module.slice(element.opening_element.name.span())
}

pub(super) fn attributes<'a>(
    element: &'a JSXElement<'a>,
) -> impl Iterator<Item = (&'a str, &'a JSXAttribute<'a>)> {
    element.opening_element.attributes.iter().filter_map(|it| match it {
        JSXAttributeItem::Attribute(attribute) => match &attribute.name {
            JSXAttributeName::Identifier(name) => Some((name.name.as_str(), &**attribute)),
            JSXAttributeName::NamespacedName(_) => None,
        },
        JSXAttributeItem::SpreadAttribute(_) => None,
    })
}

pub(super) fn attribute<'a>(
    element: &'a JSXElement<'a>,
    name: &str,
) -> Option<&'a JSXAttribute<'a>> {
    attributes(element).find(|(it, _)| *it == name).map(|(_, attribute)| attribute)
}

pub(super) fn has_spread(element: &JSXElement<'_>) -> bool {
    let mut all = element.opening_element.attributes.iter();
    all.any(|it| matches!(it, JSXAttributeItem::SpreadAttribute(_)))
}

/// What stands in the braces of an attribute.
pub(super) fn value<'a>(attribute: &'a JSXAttribute<'a>) -> Option<&'a Expression<'a>> {
    match attribute.value.as_ref()? {
        JSXAttributeValue::ExpressionContainer(it) => it.expression.as_expression(),
        _ => None,
    }
}

/// An attribute whose value is a text and nothing else.
pub(super) fn text<'a>(attribute: &'a JSXAttribute<'a>) -> Option<&'a str> {
    match attribute.value.as_ref()? {
        JSXAttributeValue::StringLiteral(text) => Some(text.value.as_str()),
        JSXAttributeValue::ExpressionContainer(it) => {
            match it.expression.as_expression()?.get_inner_expression() {
                Expression::StringLiteral(text) => Some(text.value.as_str()),
                _ => None,
            }
        }
        _ => None,
    }
}

pub(super) fn text_of<'a>(element: &'a JSXElement<'a>, name: &str) -> Option<&'a str> {
    text(attribute(element, name)?)
}

/// `style={{ … }}`.
pub(super) fn style<'a>(element: &'a JSXElement<'a>) -> Option<&'a ObjectExpression<'a>> {
    match value(attribute(element, "style")?)?.get_inner_expression() {
        Expression::ObjectExpression(object) => Some(object),
        _ => None,
    }
}

pub(super) fn property<'a>(
    object: &'a ObjectExpression<'a>,
    name: &str,
) -> Option<&'a Expression<'a>> {
    object.properties.iter().find_map(|it| match it {
        ObjectPropertyKind::ObjectProperty(it) if it.key.is_specific_static_name(name) => {
            Some(&it.value)
        }
        _ => None,
    })
}

/// Every text in an attribute: those of `cn("a", on && "b")` and of templates too.
pub(super) fn texts<'a>(attribute: &'a JSXAttribute<'a>) -> Vec<&'a str> {
    let mut found = Texts(Vec::new());
    found.visit_jsx_attribute(attribute);
    found.0
}

struct Texts<'a>(Vec<&'a str>);

impl<'a> Visit<'a> for Texts<'a> {
    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.0.push(it.value.as_str());
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        self.0.push(it.value.raw.as_str());
    }
}

/// The classes that an element may have, without what they wait for: `md:hover:flex` is `flex`.
pub(super) fn classes<'a>(element: &'a JSXElement<'a>) -> Vec<&'a str> {
    let Some(attribute) = attribute(element, "className") else { return Vec::new() };
    let words = texts(attribute).into_iter().flat_map(str::split_whitespace);
    words.map(without_variant).collect()
}

fn without_variant(class: &str) -> &str {
    let until = class.find("-[").unwrap_or(class.len());
    class[..until].rfind(':').map_or(class, |at| &class[at + 1..])
}

/// The elements that begin in a piece of the text.
pub(super) fn elements_in<'m, 'a>(module: &'m Module<'a>, span: Span) -> &'m [&'a JSXElement<'a>] {
    let all = module.elements();
    let first = all.partition_point(|it| it.span.start < span.start);
    let last = all.partition_point(|it| it.span.start < span.end);
    &all[first..last.max(first)]
}

/// Where a new attribute goes: behind the last one, or behind the tag.
pub(super) fn end_of_attributes(element: &JSXElement<'_>) -> u32 {
    let opening = &element.opening_element;
    opening.attributes.last().map_or_else(
        || opening.type_arguments.as_ref().map_or(opening.name.span().end, |it| it.span.end),
        |it| it.span().end,
    )
}
