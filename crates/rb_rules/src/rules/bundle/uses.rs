//! When a name is used: as an element, when something happens, or only under a condition.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Expression, JSXAttribute, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXElement,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, ImportBinding, Module, Use};

/// Does the path say that this runs on a server, or by hand? The import graph does not see it where no framework divides
/// the two.
pub(super) fn is_backend(path: &str) -> bool {
    path.split('/').any(|part| {
        matches!(part, "server" | "backend" | "cli" | "scripts" | "bin") || part.ends_with("-cli")
    })
}

/// The uses of a name that are there when the program runs.
pub(super) fn value_uses<'m, 'a>(
    module: &'m Module<'a>,
    symbol: SymbolId,
) -> impl Iterator<Item = Use<'a>> + 'm {
    module.uses(symbol).filter(|it| !it.is_type() && !it.flags.is_value_as_type())
}

/// Every import of a value, in the order of the text.
pub(super) fn value_imports<'m, 'a>(module: &'m Module<'a>) -> Vec<&'m ImportBinding<'a>> {
    let mut found: Vec<&ImportBinding<'a>> =
        module.imports().values().filter(|it| !it.is_type).collect();
    found.sort_by_key(|it| it.span.start);
    found
}

/// The elements that a name is the tag of; `None` where it is used in another way too, or not at all.
pub(super) fn only_tags<'a>(
    module: &Module<'a>,
    symbol: SymbolId,
) -> Option<Vec<&'a JSXElement<'a>>> {
    let mut elements = Vec::new();
    for it in module.uses(symbol) {
        match module.parent(it.node) {
            AstKind::JSXOpeningElement(opening) => {
                let AstKind::JSXElement(element) = module.parent(opening.node_id.get()) else {
                    return None;
                };
                elements.push(element);
            }
            AstKind::JSXClosingElement(_) => {}
            _ => return None,
        }
    }
    (!elements.is_empty()).then_some(elements)
}

pub(super) fn attribute<'a>(
    element: &'a JSXElement<'a>,
    name: &str,
) -> Option<&'a JSXAttribute<'a>> {
    element.opening_element.attributes.iter().find_map(|it| match it {
        JSXAttributeItem::Attribute(it) if attribute_name(it) == Some(name) => Some(&**it),
        _ => None,
    })
}

pub(super) fn attribute_name<'a>(it: &JSXAttribute<'a>) -> Option<&'a str> {
    match &it.name {
        JSXAttributeName::Identifier(name) => Some(name.name.as_str()),
        JSXAttributeName::NamespacedName(_) => None,
    }
}

pub(super) fn attribute_expression<'a>(it: &'a JSXAttribute<'a>) -> Option<&'a Expression<'a>> {
    match it.value.as_ref()? {
        JSXAttributeValue::ExpressionContainer(it) => it.expression.as_expression(),
        _ => None,
    }
}

/// Does the node run only when something happens: in an event handler, an effect, an async function?
pub(super) fn is_later(module: &Module<'_>, node: NodeId) -> bool {
    let mut around = module.ancestors(node).filter_map(Func::of);
    around.any(|func| func.is_async() || is_handler(module, func))
}

fn is_handler<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    match module.parent(func.node()) {
        AstKind::JSXExpressionContainer(it) => is_event(module, it.node_id.get()),
        AstKind::CallExpression(call) => {
            let name = module.react_call(call);
            let is_effect =
                matches!(name, Some("useEffect" | "useLayoutEffect" | "useInsertionEffect"));
            is_effect && call.arguments.first().is_some_and(|it| it.span() == func.span())
        }
        _ => named_handler(module, func),
    }
}

/// A function that elements alone are given, for their events.
fn named_handler<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    let Some(symbol) = module.function_view(func).and_then(|it| it.symbol) else { return false };
    let mut uses = module.uses(symbol).peekable();
    uses.peek().is_some()
        && uses.all(|it| match module.parent(it.node) {
            AstKind::JSXExpressionContainer(it) => is_event(module, it.node_id.get()),
            _ => false,
        })
}

/// `onX={…}`
fn is_event(module: &Module<'_>, container: NodeId) -> bool {
    matches!(module.parent(container), AstKind::JSXAttribute(it)
        if attribute_name(it).is_some_and(|it| it.starts_with("on")))
}

/// The condition that a node stands under within its component, where it hangs on something that is not fixed for the
/// module.
pub(super) fn condition_around(module: &Module<'_>, node: NodeId) -> Option<Span> {
    let component = module.component_or_hook_around(node)?;
    if component.kind != FunctionKind::Component {
        return None;
    }
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        let span = kind.span();
        if span == component.func.span() {
            return None;
        }
        let test = match kind {
            AstKind::ConditionalExpression(it) if it.test.span() != inner => Some(it.test.span()),
            AstKind::LogicalExpression(it) if it.operator.is_and() && it.right.span() == inner => {
                Some(it.left.span())
            }
            AstKind::IfStatement(it) if it.test.span() != inner => Some(it.test.span()),
            _ => None,
        };
        if let Some(test) = test {
            let is_open = module
                .identifiers_in(test)
                .iter()
                .any(|it| module.symbol(it).is_some_and(|symbol| !module.is_top_level(symbol)));
            if is_open {
                return Some(test);
            }
        }
        inner = span;
    }
    None
}
