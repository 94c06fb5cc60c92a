//! Does a function do more than read? What it calls is either known to be harmless, or named for a closer look.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Expression, SimpleAssignmentTarget};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module, PURE_METHODS, is_quiet_class, is_quiet_function};

use super::at::{At, first_name, last_name};

/// Further methods of strings, dates, `Stats` and promises that change nothing. `get` is not among them: it may be a request.
const METHODS: &[&str] = &[
    "catch",
    "isBlockDevice",
    "isDirectory",
    "isFile",
    "isSymbolicLink",
    "matchAll",
    "substr",
    "test",
    "then",
    "toISOString",
];
/// Things whose functions change nothing.
const HARMLESS: &[&str] =
    &["path", "JSON", "Math", "Object", "Array", "Number", "String", "Boolean", "Buffer", "Date"];

/// What is called in a function that is not known to be harmless, by the span of the callee; `None` where the function
/// surely changes something that others see.
pub(super) fn calls<'a>(at: &At<'_, 'a>, func: Func<'a>) -> Option<BTreeSet<(u32, u32)>> {
    let (module, span) = (at.module, func.span());
    let mut found = BTreeSet::new();
    for node in at.nodes_in(span) {
        let kind = node.kind();
        if !span.contains_inclusive(kind.span()) {
            continue;
        }
        match kind {
            AstKind::AssignmentExpression(it) if changes(module, &it.left, span) => return None,
            AstKind::UpdateExpression(it) => match &it.argument {
                SimpleAssignmentTarget::AssignmentTargetIdentifier(name)
                    if module.symbol(name).is_some_and(|it| {
                        span.contains_inclusive(module.scoping().symbol_span(it))
                    }) => {}
                _ => return None,
            },
            AstKind::UnaryExpression(it)
                if it.operator == oxc_syntax::operator::UnaryOperator::Delete =>
            {
                return None;
            }
            AstKind::YieldExpression(_) | AstKind::TaggedTemplateExpression(_) => return None,
            AstKind::NewExpression(it) => {
                let name = last_name(&it.callee).unwrap_or_default();
                if !is_quiet_class(name) {
                    return None;
                }
            }
            AstKind::CallExpression(it) if !is_harmless(module, &it.callee) => {
                let callee = it.callee.span();
                found.insert((callee.start, callee.end));
            }
            _ => {}
        }
    }
    Some(found)
}

fn changes<'a>(module: &Module<'a>, target: &AssignmentTarget<'a>, within: Span) -> bool {
    match target {
        AssignmentTarget::AssignmentTargetIdentifier(name) => module
            .symbol(name)
            .is_none_or(|it| !within.contains_inclusive(module.scoping().symbol_span(it))),
        _ => true,
    }
}

fn is_harmless<'a>(module: &Module<'a>, callee: &Expression<'a>) -> bool {
    match callee.get_inner_expression() {
        Expression::Identifier(name) => {
            let is_own = (is_quiet_function(name.name.as_str()) || name.name == "require")
                && module.symbol(name).is_none();
            let from_path = module
                .symbol(name)
                .and_then(|it| module.import(it))
                .is_some_and(|it| matches!(it.source.trim_start_matches("node:"), "path" | "url"));
            is_own || from_path
        }
        Expression::StaticMemberExpression(it) => {
            let method = it.property.name.as_str();
            PURE_METHODS.contains(&method)
                || METHODS.contains(&method)
                || first_name(&it.object).is_some_and(|name| {
                    HARMLESS.contains(&name)
                        && it.property.name != "assign"
                        && !it.property.name.starts_with("define")
                })
        }
        _ => false,
    }
}
