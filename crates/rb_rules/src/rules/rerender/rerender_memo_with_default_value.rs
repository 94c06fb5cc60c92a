//! `{ items = [] }`: a default that is another one on each render.
//! Defaults of props alone; `x ?? []` in the body is not looked at.

mod fix;
mod passed;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentPattern, BindingPattern, Expression, JSXElementName};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{FunctionKind, FunctionView, Module};

use super::hooks::{attribute_around, hook_of_dep, is_handler_name};
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
        what: "A prop defaults to `[]`, `{}` or a function, and the value goes into the dependencies of a hook, or \
               as a prop to a component that compares its props.",
        why: "If the prop is omitted, each render creates another value. Hooks that depend on it run each time, and \
              memoized components below re-render for nothing. (`memo` on the component itself still works: it \
              compares what was passed.)",
        wrong: "import { memo } from 'react';\nconst Tags = memo(function Tags({ items = [] }: { items?: string[] }) {\n  return <Row items={items} />;\n});",
        right: "import { memo } from 'react';\nconst EMPTY_ITEMS: never[] = [];\nconst Tags = memo(function Tags({ items = EMPTY_ITEMS }: { items?: string[] }) {\n  return <Row items={items} />;\n});",
        safe: "Fixed automatically if the default consists of literals only, nothing in the component mutates it or \
               passes it to a function that could, and its type can be written down.",
        leave: "React Compiler is on, or the value is only iterated.",
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
    if passed::is_always_passed(cx, it) {
        return;
    }
    let Some(goes) = goes_on(cx, it) else {
        if it.view.is_memo && is_handler(cx, it) {
            let message = format!(
                "the default of `{}` is a new {kind} on every render of a `memo` component; move it to module scope",
                it.name
            );
            let hit = Hit::at(it.pattern.right.span(), message);
            cx.report(hit.likely("child components may not compare it"));
        }
        return;
    };
    let message = format!(
        "the default of `{}` is a new {kind} on every render, and {}; move it to module scope",
        it.name, goes.what
    );
    let mut hit = Hit::at(it.pattern.right.span(), message);
    if !goes.is_compared {
        hit = hit.low();
    }
    let (edits, doubt) = fix::fix(cx, it);
    cx.report(hit.auto_unless(doubt, "move it to module scope", edits));
}

/// `<img onClick={onClick} />`
fn is_handler<'a>(cx: &Cx<'_, 'a>, it: &DefaultValue<'a>) -> bool {
    let mut uses = cx.module.value_uses(it.symbol);
    uses.any(|it| {
        attribute_around(cx.module, it.node).is_some_and(|(name, _)| is_handler_name(name))
    })
}

/// Where the value goes on to.
struct Goes {
    /// `` `useMemo` depends on it ``
    what: String,
    /// It is compared there with the one before.
    is_compared: bool,
}

/// Who compares the value, or may.
fn goes_on<'a>(cx: &Cx<'_, 'a>, it: &DefaultValue<'a>) -> Option<Goes> {
    let module = cx.module;
    let mut props: Option<Goes> = None;
    for one in module.value_uses(it.symbol) {
        let is_dep = matches!(module.parent(one.node), AstKind::ArrayExpression(_));
        if is_dep && let Some(hook) = hook_of_dep(module, one.node) {
            let name = hook.callee_name().unwrap_or("a hook");
            return Some(Goes { what: format!("`{name}` depends on it"), is_compared: true });
        }
        let Some((prop, element)) = attribute_around(module, one.node) else { continue };
        let JSXElementName::IdentifierReference(tag) = &element.name else { continue };
        let is_compared = match is_memo_component(cx, tag) {
            Some(true) => true,
            // The author compares props here, and may below.
            _ if it.view.is_memo => false,
            _ => continue,
        };
        if props.as_ref().is_none_or(|it| !it.is_compared) {
            let what = format!("`{}` receives it as `{prop}`", tag.name);
            props = Some(Goes { what, is_compared });
        }
    }
    props
}

/// Does the component compare its props? `None` where it is not seen.
fn is_memo_component<'a>(
    cx: &Cx<'_, 'a>,
    tag: &oxc_ast::ast::IdentifierReference<'a>,
) -> Option<bool> {
    let symbol = cx.module.symbol(tag)?;
    let Some(import) = cx.module.import(symbol) else {
        return is_memo_named(cx.module, |view| view.symbol == Some(symbol));
    };
    let (path, name) = cx.origin(import)?;
    cx.world.ask("memo component", &path, &name, |module| {
        is_memo_named(module, |view| view.name == Some(name.as_str()))
    })?
}

fn is_memo_named<'a>(
    module: &Module<'a>,
    is_it: impl Fn(&FunctionView<'a>) -> bool,
) -> Option<bool> {
    module.functions().iter().find(|view| is_it(view)).map(|view| view.is_memo)
}

#[cfg(test)]
mod tests;
