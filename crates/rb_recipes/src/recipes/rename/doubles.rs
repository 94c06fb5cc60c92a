//! What tests put in the place of a module, and modules that are loaded late.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, CallExpression, Expression, ObjectExpression, ObjectPropertyKind, Statement,
};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use rb_ecma::Func;

use super::exports::key;
use super::file::{File, FileResult, has_word};
use super::holder::Holder;

const MOCKS: &[&str] = &["mock", "doMock", "unstable_mockModule", "setMock", "mockModule"];
const ACTUAL: &[&str] =
    &["requireActual", "importActual", "requireMock", "importMock", "importOriginal"];
const LAZY: &[&str] = &["lazy", "dynamic", "loadable", "lazyWithRetry"];
const REPLACED: &[&str] = &["proxyquire", "rewire", "esmock", "mockRequire"];

/// `mock` of `jest.mock`, `lazy` of `React.lazy` and of `lazy`.
fn last_name<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    match call.callee.get_inner_expression() {
        Expression::Identifier(it) => Some(it.name.as_str()),
        Expression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        _ => None,
    }
}

/// A module given back to `lazy(() => import('…'))`, which takes the default of it.
pub(super) fn is_lazy(file: &File<'_, '_>, node: NodeId) -> bool {
    let own = Func::of(file.module.nodes().kind(node));
    let Some(func) = own.or_else(|| file.module.function_around(node)) else { return false };
    match file.module.parent(func.node()) {
        AstKind::CallExpression(call) => last_name(call).is_some_and(|it| LAZY.contains(&it)),
        _ => false,
    }
}

/// `vi.importActual<…>(…)` and its like.
pub(super) fn is_actual(file: &File<'_, '_>, node: NodeId) -> bool {
    match file.module.nodes().kind(node) {
        AstKind::CallExpression(call) => last_name(call).is_some_and(|it| ACTUAL.contains(&it)),
        _ => false,
    }
}

/// `jest.mock(…)` and its like.
pub(super) fn is_mock(file: &File<'_, '_>, node: NodeId) -> bool {
    match file.module.nodes().kind(node) {
        AstKind::CallExpression(call) => last_name(call).is_some_and(|it| MOCKS.contains(&it)),
        _ => false,
    }
}

/// Within the function that makes what stands for a module.
pub(super) fn is_in_factory(file: &File<'_, '_>, node: NodeId) -> bool {
    file.module.nodes().ancestor_ids(node).any(|it| is_mock(file, it))
}

/// Calls of a test's tools that name the module.
pub(super) fn read(holder: &Holder<'_, '_, '_>, target: &str, found: &mut FileResult) {
    let file = holder.file;
    for node in file.module.nodes().iter() {
        let AstKind::CallExpression(call) = node.kind() else { continue };
        let Some(name) = last_name(call) else { continue };
        let Some(specifier) = specifier(call) else { continue };
        let is_known = [MOCKS, ACTUAL, REPLACED].iter().any(|it| it.contains(&name));
        if !is_known || !file.leads_to(specifier, target) {
            continue;
        }
        if ACTUAL.contains(&name) {
            holder.node(node.id(), call.span, found);
        } else if REPLACED.contains(&name) {
            let reason = format!("`{name}` mocks the module");
            file.stop(found, call.span, &reason, "rename its members by hand");
        } else if let Some(factory) = call.arguments.get(1) {
            made(holder, factory, found);
        }
    }
}

/// The first argument: a string, or `import('…')` of one.
fn specifier<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    match call.arguments.first()? {
        Argument::StringLiteral(it) => Some(it.value.as_str()),
        Argument::ImportExpression(it) => match &it.source {
            Expression::StringLiteral(it) => Some(it.value.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn made<'a>(holder: &Holder<'_, '_, 'a>, factory: &Argument<'a>, found: &mut FileResult) {
    let file = holder.file;
    let func = match factory {
        Argument::ArrowFunctionExpression(it) => Func::of(AstKind::ArrowFunctionExpression(it)),
        Argument::FunctionExpression(it) => Func::of(AstKind::Function(it)),
        Argument::ObjectExpression(it) => return members(file, it, found),
        _ => None,
    };
    let objects = func.map(returned).unwrap_or_default();
    if objects.is_empty() {
        if !func.is_some_and(gives_original) && has_word(file.module.text(), file.old()) {
            let reason = format!("the mock of the module may have a `{}`", file.old());
            file.stop(found, factory.span(), &reason, "return a plain object from it");
        }
        return;
    }
    for object in objects {
        members(file, object, found);
    }
    if let Some(func) = func
        && let Some(first) = func.params().items.first()
        && let Some(symbol) =
            first.pattern.get_binding_identifier().and_then(|it| it.symbol_id.get())
    {
        // `importOriginal()`
        for used in file.module.uses(symbol) {
            let call = file.module.nodes().parent_id(used.node);
            if let AstKind::CallExpression(it) = file.module.nodes().kind(call) {
                holder.node(call, it.span, found);
            }
        }
    }
}

/// `(importOriginal) => importOriginal()`
fn gives_original(func: Func<'_>) -> bool {
    let first = func.params().items.first().and_then(|it| it.pattern.get_binding_identifier());
    let given = match func.returned() {
        Some(Expression::AwaitExpression(it)) => Some(&it.argument),
        other => other,
    };
    match (first, given) {
        (Some(first), Some(Expression::CallExpression(call))) => {
            call.callee.is_specific_id(&first.name)
        }
        _ => false,
    }
}

fn members(file: &File<'_, '_>, object: &ObjectExpression<'_>, found: &mut FileResult) {
    for property in &object.properties {
        let ObjectPropertyKind::ObjectProperty(it) = property else { continue };
        if it.shorthand && it.key.static_name().as_deref() == Some(file.old()) {
            file.put(found, it.key.span(), format!("{}: {}", file.fresh(), file.old()));
        } else if !it.computed {
            key(file, &it.key, found);
        }
    }
}

/// Objects that a function gives back.
fn returned<'a>(func: Func<'a>) -> Vec<&'a ObjectExpression<'a>> {
    let object = |it: &'a Expression<'a>| match it.get_inner_expression() {
        Expression::ObjectExpression(it) => Some(&**it),
        _ => None,
    };
    if let Some(it) = func.returned().and_then(object) {
        return vec![it];
    }
    let statements = func.statements().iter();
    statements
        .filter_map(|it| match it {
            Statement::ReturnStatement(it) => it.argument.as_ref().and_then(object),
            _ => None,
        })
        .collect()
}
