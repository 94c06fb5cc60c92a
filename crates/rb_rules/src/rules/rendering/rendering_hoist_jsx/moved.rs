//! The element at the top of the file, and the name in its place.
//!
//! Code moves as it is written; only its indentation changes.

use oxc_ast::AstKind;
use oxc_ast::ast::JSXElement;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{FunctionView, Module};

use super::super::jsx;

/// `icon={<svg>…</svg>}` is `ICON`, anything else is called by the component and the tag.
pub(super) fn name<'a>(
    module: &Module<'a>,
    component: &FunctionView<'a>,
    element: &'a JSXElement<'a>,
) -> String {
    let tag = match jsx::host(element) {
        Some("svg") => "icon",
        Some(tag) => tag,
        None => "element",
    };
    let own = component.name.unwrap_or("static");
    let around = module
        .ancestors(element.node_id.get())
        .find(|kind| !matches!(kind, AstKind::JSXExpressionContainer(_)));
    let base = match around {
        Some(AstKind::JSXAttribute(it)) => format!("{own}_{}", module.slice(it.name.span())),
        Some(AstKind::VariableDeclarator(it)) if it.id.is_binding_identifier() => {
            module.slice(it.id.span()).to_owned()
        }
        // `StarIcon` is an icon already.
        _ if own.to_lowercase().ends_with(tag) => own.to_owned(),
        _ => format!("{own}_{tag}"),
    };
    constant_case(&base)
}

/// `emptyState` is `EMPTY_STATE`.
fn constant_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut last_lower = false;
    for character in name.chars() {
        if character.is_uppercase() && last_lower {
            out.push('_');
        }
        out.extend(if character.is_alphanumeric() {
            character.to_uppercase().next()
        } else {
            Some('_')
        });
        last_lower = character.is_lowercase() || character.is_numeric();
    }
    out
}

/// A name that neither the file nor another edit to it has.
pub(super) fn fresh(module: &Module<'_>, base: &str, taken: &mut Vec<String>) -> String {
    let numbered = (2..).map(|count| format!("{base}{count}"));
    let mut free = std::iter::once(base.to_owned())
        .chain(numbered)
        .filter(|name| module.fresh_name(name) == *name && !taken.contains(name));
    let name = free.next().expect("numbers do not end");
    taken.push(name.clone());
    name
}

/// Lines move to the left by as much as the first one.
pub(super) fn declaration<'a>(module: &Module<'a>, name: &str, element: &JSXElement<'a>) -> String {
    let style = module.style();
    let code = module.slice(element.span);
    if !code.contains('\n') {
        return format!("const {name} = {code}{}", style.semicolon());
    }
    let indent = module.indent_at(element.span.start);
    let lines = code.lines().map(|line| line.strip_prefix(indent).unwrap_or(line));
    let moved: Vec<String> =
        lines
            .map(|line| {
                if line.trim().is_empty() {
                    String::new()
                } else {
                    format!("{}{line}", style.indent)
                }
            })
            .collect();
    let eol = style.line_end;
    format!("const {name} = ({eol}{}{eol}){}", moved.join(eol), style.semicolon())
}

/// Parentheses that held nothing but the element go with it.
pub(super) fn replacement<'a>(module: &Module<'a>, name: &str, element: &JSXElement<'a>) -> Edit {
    let (start, end) = (element.span.start, element.span.end);
    match module.parent(element.node_id.get()) {
        AstKind::JSXElement(_) | AstKind::JSXFragment(_) => {
            Edit::replace(start, end, format!("{{{name}}}"))
        }
        AstKind::ConditionalExpression(_)
        | AstKind::LogicalExpression(_)
        | AstKind::ReturnStatement(_)
        | AstKind::VariableDeclarator(_)
        | AstKind::AssignmentExpression(_)
        | AstKind::ArrowFunctionExpression(_) => {
            let span = with_parentheses(module, element.span);
            let before =
                module.text()[..span.start as usize].ends_with(|c: char| c.is_alphanumeric());
            let space = if before { " " } else { "" };
            Edit::replace(span.start, span.end, format!("{space}{name}"))
        }
        // `icon=<svg/>` has no braces yet.
        AstKind::JSXAttribute(_) => Edit::replace(start, end, format!("{{{name}}}")),
        _ => Edit::replace(start, end, name),
    }
}

fn with_parentheses(module: &Module<'_>, span: Span) -> Span {
    let text = module.text();
    let before = text[..span.start as usize].trim_end();
    let after = &text[span.end as usize..];
    let gap = after.len() - after.trim_start().len();
    let comments = module.has_comment(Span::new(span.start.saturating_sub(1), span.start));
    if before.ends_with('(') && after.trim_start().starts_with(')') && !comments {
        let start = u32::try_from(before.len() - 1).expect("texts are small");
        let end = span.end + u32::try_from(gap + 1).expect("texts are small");
        return Span::new(start, end);
    }
    span
}
