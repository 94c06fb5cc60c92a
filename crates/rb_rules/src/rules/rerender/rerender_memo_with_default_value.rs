//! `{ items = [] }`: a default that is another one on each render.
//! Defaults of props alone; `x ?? []` in the body is not looked at.

mod fix;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentPattern, BindingPattern, Expression, JSXElementName};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{FunctionKind, FunctionView, Module};

use super::hooks::{attribute_around, hook_of_dep};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-memo-with-default-value",
    title: "A default value is new on each render",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A prop has `[]`, `{}` or a function as its default, and the value goes on: into the dependencies of a hook, or \
               as a prop to a component that compares its props.",
        why: "Where the prop is left out, each render makes another value. Hooks that depend on it run each time, and \
              memoized components below render for nothing. (`memo` on the component itself is not broken by it: it compares \
              what was passed.)",
        wrong: "import { memo } from 'react';\nconst Tags = memo(function Tags({ items = [] }: { items?: string[] }) {\n  return <Row items={items} />;\n});",
        right: "import { memo } from 'react';\nconst EMPTY_ITEMS: never[] = [];\nconst Tags = memo(function Tags({ items = EMPTY_ITEMS }: { items?: string[] }) {\n  return <Row items={items} />;\n});",
        safe: "Made where the default is built of literals alone, nothing in the component changes it or hands it to a \
               function that could, and its type can be written down.",
        leave: "React Compiler is switched on, or the value is only gone through.",
        given: &[],
    },
    wants: &[],
    applies: |facts| facts.package.uses_react && !facts.package.compiler,
    check,
};

/// A default of a prop, and the name that has it.
struct DefaultValue<'a> {
    view: FunctionView<'a>,
    pattern: &'a AssignmentPattern<'a>,
    symbol: SymbolId,
    name: &'a str,
    /// Of the prop.
    key: &'a str,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for view in module.functions() {
        let is_rendering = view.is_memo || view.kind != FunctionKind::Other;
        let Some(parameter) = view.func.params().items.first().filter(|_| is_rendering) else {
            continue;
        };
        let BindingPattern::ObjectPattern(object) = &parameter.pattern else { continue };
        for property in &object.properties {
            let (BindingPattern::AssignmentPattern(pattern), Some(key)) =
                (&property.value, property.key.static_name())
            else {
                continue;
            };
            let Some(id) = pattern.left.get_binding_identifier() else { continue };
            let key =
                if key == id.name { id.name.as_str() } else { module.slice(property.key.span()) };
            let it = DefaultValue {
                view: *view,
                pattern,
                symbol: id.symbol_id(),
                name: id.name.as_str(),
                key,
            };
            check_default(cx, &it);
        }
    }
}

fn check_default<'a>(cx: &mut Cx<'_, 'a>, it: &DefaultValue<'a>) {
    let kind = match it.pattern.right.get_inner_expression() {
        Expression::ArrayExpression(_) => "array",
        Expression::ObjectExpression(_) => "object",
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => "function",
        _ => return,
    };
    let Some(goes) = goes_on(cx, it) else { return };
    let message = format!(
        "the default of `{}` is another {kind} on each render, and {goes}: keep one outside of the component",
        it.name
    );
    let hit = Hit::at(it.pattern.right.span(), message);
    let (edits, doubt) = fix::fix(cx, it);
    cx.report(hit.auto_unless(doubt, "keep one outside of the component", edits));
}

/// Who compares the value, if anybody.
fn goes_on<'a>(cx: &Cx<'_, 'a>, it: &DefaultValue<'a>) -> Option<String> {
    let module = cx.module;
    let mut props = None;
    for one in module.value_uses(it.symbol) {
        let is_dep = matches!(module.parent(one.node), AstKind::ArrayExpression(_));
        if is_dep && let Some(hook) = hook_of_dep(module, one.node) {
            return Some(format!("`{}` depends on it", hook.callee_name().unwrap_or("a hook")));
        }
        let Some((prop, element)) = attribute_around(module, one.node) else { continue };
        if let JSXElementName::IdentifierReference(tag) = &element.name
            && (it.view.is_memo || is_memo_component(cx, tag))
        {
            props = Some(format!("`{}` gets it as `{prop}`", tag.name));
        }
    }
    props
}

/// Does the component compare its props?
fn is_memo_component<'a>(cx: &Cx<'_, 'a>, tag: &oxc_ast::ast::IdentifierReference<'a>) -> bool {
    let Some(symbol) = cx.module.symbol(tag) else { return false };
    let Some(import) = cx.module.import(symbol) else {
        return is_memo_named(cx.module, |view| view.symbol == Some(symbol));
    };
    let Some((path, name)) = cx.origin(import) else { return false };
    let answer = cx.world.ask("memo component", &path, &name, |module| {
        is_memo_named(module, |view| view.name == Some(name.as_str()))
    });
    answer.unwrap_or(false)
}

fn is_memo_named<'a>(module: &Module<'a>, is_it: impl Fn(&FunctionView<'a>) -> bool) -> bool {
    module.functions().iter().any(|view| view.is_memo && is_it(view))
}

#[cfg(test)]
mod tests;
