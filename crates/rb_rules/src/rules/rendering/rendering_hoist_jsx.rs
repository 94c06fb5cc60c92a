//! Elements that never change are made anew on every render.
//!
//! Components are never moved: React would skip them, and they may show something else each time.

mod moved;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    CallExpression, Expression, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild,
    JSXElement, JSXExpression, ObjectExpression, ObjectPropertyKind, Statement,
};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{FunctionKind, FunctionView, Module};

use self::moved::{declaration, fresh, name, replacement};
use super::super::advanced::hooks::is_hook_name;
use super::super::js::shapes::is_exported_in_place;
use super::jsx;
use crate::cx::{Cx, Hit};
use crate::facts::Realm;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

/// Fewer elements are not worth a name.
const FEWEST: usize = 5;
/// Texts are read and changed where they stand; so many elements may still be worth it.
const FEWEST_WITH_TEXT: usize = 12;

pub static RULE: Rule = Rule {
    id: "rendering-hoist-jsx",
    title: "Elements that never change are made on every render",
    category: Category::Rendering,
    impact: Impact::Low,
    fix: FixKind::Auto,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A component renders a part made of plain elements with constant attributes: a drawing, or five or \
               more elements. Parts with text are easier to read in place and are reported only from a dozen \
               elements on.",
        why: "All of it is created and compared again on every render. Created once at the top of the file, React \
              sees the same element and skips it.",
        wrong: "const Box = ({ busy }) => (
  <div>{busy ? <svg viewBox=\"0 0 8 8\"><path d=\"M1 1h6\" /></svg> : null}</div>
);",
        right: "const BOX_ICON = <svg viewBox=\"0 0 8 8\"><path d=\"M1 1h6\" /></svg>;

const Box = ({ busy }) => <div>{busy ? BOX_ICON : null}</div>;",
        safe: "Fixed automatically if every tag is a plain element, every attribute and child is a literal, there is \
               no `key`, `ref` or handler, and nothing in the file gives elements another meaning: scoped styles, \
               another JSX runtime, translation macros. The code moves unchanged. A second part of the same kind is \
               a draft: it needs a name that distinguishes it from the first. With React Compiler on, nothing is \
               reported: the compiler does it.",
        leave: "The component renders once, or is easier to read with its parts in place.",
        given: &[],
    },
    wants: &["</"],
    applies: |facts| {
        let package = &facts.package;
        // What is only rendered on a server is rendered once.
        package.uses_react
            && !package.compiler
            && !package.react_native
            && facts.realm != Realm::Server
            && !is_mail(&facts.path)
    },
    check,
};

/// Mails are rendered once.
fn is_mail(path: &str) -> bool {
    path.to_lowercase().split('/').any(|part| part.starts_with("email") || part.starts_with("mail"))
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let doubt = file_doubt(cx);
    for hit in constant_components(module) {
        cx.report(hit);
    }
    let mut done = 0;
    let mut taken: Vec<String> = Vec::new();
    for &element in module.elements() {
        if element.span.start < done || jsx::host(element).is_none() || !is_static(element) {
            continue;
        }
        // Elements inside go with it, whatever is said of it.
        done = element.span.end;
        if !is_worth_it(module, element) {
            continue;
        }
        let Some(component) = rerendering(module, element) else { continue };
        if is_whole(component, element) {
            continue;
        }
        let base = name(module, component, element);
        let name = fresh(module, &base, &mut taken);
        let tag = jsx::host(element).unwrap_or_default();
        let message = format!(
            "this <{tag}> never changes but is recreated on every render of `{}`; move it to module scope",
            shown(component)
        );
        let edits = vec![
            module.insert_at_top(&declaration(module, &name, element)),
            replacement(module, &name, element),
        ];
        let numbered = (name != base).then_some("it needs a more descriptive name");
        let doubt = doubt.or_else(|| element_doubt(module, element)).or(numbered);
        cx.report(Hit::at(element.opening_element.span, message).auto_unless(
            doubt,
            "move it to module scope",
            edits,
        ));
    }
}

/// Components of the file alone that give the same element each time, for another component of the file.
fn constant_components(module: &Module<'_>) -> Vec<Hit> {
    let found = module.components().filter_map(|view| {
        let (name, symbol) = (view.name?, view.symbol?);
        let given = view.func.returned().or_else(|| match view.func.statements() {
            [Statement::ReturnStatement(only)] => only.argument.as_ref(),
            _ => None,
        })?;
        let Expression::JSXElement(element) = given.get_inner_expression() else { return None };
        let fits = view.func.params().items.is_empty()
            && !view.is_memo
            && module.is_top_level(symbol)
            && !is_exported_in_place(module, symbol)
            && is_static(element)
            && is_used_here(module, symbol);
        let message = format!("`{name}` always returns the same element; store it in a constant");
        fits.then(|| {
            let hit = Hit::at(element.opening_element.span, message);
            hit.likely("its parent may render only once")
        })
    });
    found.collect()
}

/// Is it drawn, and used for nothing else?
fn is_used_here(module: &Module<'_>, symbol: SymbolId) -> bool {
    let mut uses = module.value_uses(symbol).peekable();
    uses.peek().is_some()
        && uses.all(|it| matches!(module.parent(it.node), AstKind::JSXOpeningElement(_)))
}

fn shown<'a>(component: &FunctionView<'a>) -> &'a str {
    component.name.unwrap_or("the component")
}

/// All tags plain, all attributes and children literal.
fn is_static<'a>(element: &'a JSXElement<'a>) -> bool {
    // They have a life of their own, or React takes them elsewhere.
    const SPECIAL: &[&str] = &[
        "input", "select", "option", "textarea", "form", "script", "style", "link", "meta",
        "title", "iframe", "video", "audio", "canvas", "object", "embed", "html", "head", "body",
        "dialog", "details", "slot", "noscript", "template",
    ];
    let Some(tag) = jsx::host(element) else { return false };
    !SPECIAL.contains(&tag)
        && !tag.contains('-')
        && element.opening_element.attributes.iter().all(is_fixed_attribute)
        && element.children.iter().all(is_fixed_child)
}

fn is_fixed_attribute(item: &JSXAttributeItem<'_>) -> bool {
    let JSXAttributeItem::Attribute(attribute) = item else { return false };
    let JSXAttributeName::Identifier(name) = &attribute.name else { return false };
    let name = name.name.as_str();
    if ["key", "ref", "css", "tw", "jsx", "dangerouslySetInnerHTML", "suppressHydrationWarning"]
        .contains(&name)
        || (name.starts_with("on")
            && name.len() > 2
            && name[2..].starts_with(|c: char| c.is_uppercase()))
    {
        return false;
    }
    match &attribute.value {
        None | Some(JSXAttributeValue::StringLiteral(_)) => true,
        Some(JSXAttributeValue::ExpressionContainer(it)) => match it.expression.as_expression() {
            Some(Expression::ObjectExpression(object)) if name == "style" => {
                is_fixed_object(object)
            }
            Some(value) => is_literal(value),
            None => false,
        },
        Some(JSXAttributeValue::Element(_) | JSXAttributeValue::Fragment(_)) => false,
    }
}

fn is_fixed_object(object: &ObjectExpression<'_>) -> bool {
    object.properties.iter().all(|it| match it {
        ObjectPropertyKind::ObjectProperty(it) => {
            !it.computed && !it.shorthand && is_literal(&it.value)
        }
        ObjectPropertyKind::SpreadProperty(_) => false,
    })
}

fn is_literal(value: &Expression<'_>) -> bool {
    match value {
        Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_) => true,
        Expression::UnaryExpression(it) => {
            it.operator.is_arithmetic() && matches!(it.argument, Expression::NumericLiteral(_))
        }
        _ => false,
    }
}

fn is_fixed_child<'a>(child: &'a JSXChild<'a>) -> bool {
    match child {
        JSXChild::Text(_) => true,
        JSXChild::Element(element) => is_static(element),
        JSXChild::ExpressionContainer(it) => match &it.expression {
            JSXExpression::EmptyExpression(_) => true,
            other => other.as_expression().is_some_and(is_literal),
        },
        JSXChild::Fragment(_) | JSXChild::Spread(_) => false,
    }
}

/// Many elements, or a drawing; a part of a drawing is left with the rest of it.
fn is_worth_it<'a>(module: &Module<'a>, element: &'a JSXElement<'a>) -> bool {
    const PARTS: &[&str] = &[
        "g",
        "path",
        "defs",
        "mask",
        "clipPath",
        "filter",
        "pattern",
        "symbol",
        "text",
        "linearGradient",
        "radialGradient",
    ];
    let tag = jsx::host(element).unwrap_or_default();
    let count = jsx::elements_in(module, element.span).len();
    let fewest = if has_text(element) { FEWEST_WITH_TEXT } else { FEWEST };
    let is_large = count >= fewest || (count > 1 && tag == "svg");
    is_large && !PARTS.contains(&tag) && !belongs_together(module, element)
}

/// Is there something to read in it?
fn has_text<'a>(element: &'a JSXElement<'a>) -> bool {
    element.children.iter().any(|child| match child {
        JSXChild::Text(it) => has_letter(&it.value),
        JSXChild::Element(it) => has_text(it),
        JSXChild::ExpressionContainer(it) => it.expression.is_expression(),
        JSXChild::Fragment(_) | JSXChild::Spread(_) => true,
    })
}

/// `&nbsp;` is nothing to read.
fn has_letter(text: &str) -> bool {
    let mut pieces = text.split('&');
    let before = pieces.next().unwrap_or_default();
    let behind = pieces.map(|it| it.split_once(';').map_or(it, |(_, rest)| rest));
    std::iter::once(before).chain(behind).any(|it| it.contains(char::is_alphanumeric))
}

/// In a drawing, or in a text that is translated as a whole.
fn belongs_together<'a>(module: &Module<'a>, element: &JSXElement<'a>) -> bool {
    module.ancestors(element.node_id.get()).any(|kind| match kind {
        AstKind::JSXElement(outer) => {
            let tag = jsx::tag(module, outer);
            ["svg", "Trans", "T", "Translate", "FormattedMessage"].contains(&tag)
        }
        _ => false,
    })
}

/// The component around, where something can make it render again: it is handed something, or calls a hook.
fn rerendering<'m, 'a>(
    module: &'m Module<'a>,
    element: &JSXElement<'a>,
) -> Option<&'m FunctionView<'a>> {
    let around = module.component_or_hook_around(element.node_id.get())?;
    if around.kind != FunctionKind::Component || around.func.is_async() {
        return None;
    }
    let span = around.func.span();
    let calls = module.calls();
    let first = calls.partition_point(|it| it.span.start < span.start);
    let has_hook = calls[first..]
        .iter()
        .take_while(|it| it.span.start < span.end)
        .any(|it| it.callee_name().is_some_and(is_hook_name));
    let is_handed = !around.func.params().items.is_empty() && !is_memo(module, around);
    (has_hook || is_handed).then_some(around)
}

/// In `memo`, it renders again only where what it is handed has changed, and then it mostly shows something else.
fn is_memo<'a>(module: &Module<'a>, component: &FunctionView<'a>) -> bool {
    let is_given = |call: &CallExpression<'a>| {
        let first = call.arguments.first().and_then(|it| it.as_expression());
        first.and_then(|it| module.symbol_of(it)) == component.symbol
    };
    component.is_memo
        || component.symbol.is_some()
            && module
                .calls()
                .iter()
                .any(|call| module.is_react_call(call, "memo") && is_given(call))
}

/// Is it all that the component ever gives?
fn is_whole<'a>(component: &FunctionView<'a>, element: &JSXElement<'a>) -> bool {
    let is_it = |value: &Expression<'a>| value.span() == element.span;
    if component.func.returned().is_some_and(is_it) {
        return true;
    }
    let statements = component.func.statements();
    let others = statements.iter().filter(|it| !matches!(it, Statement::ReturnStatement(_)));
    let is_last = matches!(statements.last(), Some(Statement::ReturnStatement(it)) if it.argument.as_ref().is_some_and(is_it));
    is_last
        && others.clone().all(|it| {
            matches!(it, Statement::VariableDeclaration(_) | Statement::ExpressionStatement(_))
        })
}

/// What in the file gives elements another meaning.
fn file_doubt(cx: &Cx<'_, '_>) -> Option<&'static str> {
    let module = cx.module;
    let text = module.text();
    if text.contains("<style jsx") {
        return Some("styles are scoped to the component");
    }
    if module.comments().iter().any(|it| module.slice(it.span).contains("@jsx")) {
        return Some("the file sets its own JSX runtime");
    }
    if module.import_declarations().any(|it| is_macro(it.source.value.as_str())) {
        return Some("a macro transforms JSX elements");
    }
    if !module.program().body.iter().any(Statement::is_module_declaration) {
        return Some("the file is a script, so a top-level constant would be global");
    }
    let mut symbols = module.scoping().symbol_ids();
    let own = symbols.any(|it| module.name(it) == "React" && module.import(it).is_none());
    own.then_some("`React` is not imported and may be undefined at module load")
}

fn is_macro(source: &str) -> bool {
    source.ends_with("macro")
        || ["@emotion/react", "styled-jsx/css", "preact", "solid-js"].contains(&source)
}

fn element_doubt<'a>(module: &Module<'a>, element: &JSXElement<'a>) -> Option<&'static str> {
    if module.has_comment(element.span) {
        return Some("it contains a comment");
    }
    let has_long_text = jsx::elements_in(module, element.span).iter().any(|it| {
        jsx::attributes(it).any(|(_, attribute)| module.slice(attribute.span).contains('\n'))
            && jsx::attributes(it)
                .any(|(_, attribute)| jsx::texts(attribute).iter().any(|text| text.contains('\n')))
    });
    if has_long_text {
        return Some("it contains a multi-line string");
    }
    if jsx::host(element) != Some("svg") && has_text(element) {
        return Some("its text may be easier to read in place");
    }
    match module.parent(element.node_id.get()) {
        AstKind::CallExpression(_) => Some("it is passed to a function that may modify it"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
