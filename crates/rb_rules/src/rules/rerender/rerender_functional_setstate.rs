//! `setList([...list, x])` computes from the list of a render that may be long past.
//! State of classes and setters that come from outside are not looked at.

mod fix;
mod guards;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpressionElement, CallExpression, Expression, ObjectPropertyKind, Statement,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module, PURE_METHODS, Use};

use self::fix::Plan;
use super::hooks::{State, call_of, states};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-functional-setstate",
    title: "The next state is computed from a captured one",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: true,
    doc: Doc {
        what: "A `useState` setter receives a value computed from the state of the same pair. With a function, \
               `setList((prev) => …)`, React passes the current state.",
        why: "A callback that reads the state must be recreated whenever it changes, and so must everything that \
              receives the callback. A callback that runs later, or twice before the next render, computes from an \
              old value and loses updates.",
        wrong: "import { useCallback, useState } from 'react';\nconst List = () => {\n  const [list, setList] = useState([]);\n  const add = useCallback((x) => setList([...list, x]), [list]);\n  return <Rows rows={list} onAdd={add} />;\n};",
        right: "import { useCallback, useState } from 'react';\nconst List = () => {\n  const [list, setList] = useState([]);\n  const add = useCallback((x) => setList((prev) => [...prev, x]), []);\n  return <Rows rows={list} onAdd={add} />;\n};",
        safe: "Fixed automatically in a click, key or form handler of a DOM element if it is the only call of the \
               setter, the value is pure, it reads nothing of the event, and no condition checks the state first. \
               Elsewhere it is a draft: two calls in one tick then add up. (So do two clicks that a program makes in \
               one tick; those of a person are a render apart.)",
        leave: "The value is also needed to be sent or compared; a guard limits the state; the callback computes \
                another state that it also lists.",
        given: &[],
    },
    wants: &["useState"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let all = states(module);
    for state in &all {
        let Some(setter) = state.setter_symbol() else { continue };
        let calls: Vec<&CallExpression<'_>> =
            module.value_uses(setter).filter_map(|it| call_of(module, &it)).collect();
        for call in calls {
            check_call(cx, &all, state, call);
        }
    }
}

fn check_call<'a>(
    cx: &mut Cx<'_, 'a>,
    all: &[State<'a>],
    state: &State<'a>,
    call: &'a CallExpression<'a>,
) {
    let module = cx.module;
    let [argument] = call.arguments.as_slice() else { return };
    let Some(value) = argument.as_expression() else { return };
    if value.get_inner_expression().is_function() || gives_back(module, state, value) {
        return;
    }
    let Some(func) = module.function_around(call.node_id.get()) else { return };
    let reads = reads_of(module, state, value.span());
    // The setter called while rendering has rules of its own.
    if reads.is_empty() || func.node() == state.owner.node() {
        return;
    }
    let Some(around) = surroundings(module, state, call, func) else { return };
    let made = guards::made_of(module, state);
    if guards::is_guarded(module, state, &made, call)
        || guards::is_narrowed(module, state, &reads)
        || made.iter().any(|&it| module.mentions(value.span(), it))
        || is_read_besides(module, state, func.span())
        || calls_unknown(module, state, value)
        || is_set_beside(module, state, call)
        || (around.is_fresh && moves_with_another(module, all, state, call))
        || (around.is_low && is_switch(module, state, value))
    {
        return;
    }
    let setter = call.callee_name().unwrap_or("the setter");
    let message =
        format!("`{setter}` uses the `{}` {}; pass an updater function", state.name(), around.why);
    let mut hit = Hit::at(call.span, message);
    if around.is_low {
        hit = hit.low();
    }
    let plan = Plan { state, call, func, value, reads };
    cx.report(match plan.edits(module) {
        Some(edits) => hit.auto_unless(plan.doubt(cx), "use an updater function", edits),
        None => hit,
    });
}

/// The state as it was, or a copy of it: what was seen is meant to come back, or a render is wanted.
fn gives_back<'a>(module: &Module<'a>, state: &State<'a>, value: &Expression<'a>) -> bool {
    let is_it = |it: &Expression<'a>| module.symbol_of(it) == Some(state.symbol());
    match value.get_inner_expression() {
        Expression::ArrayExpression(it) => match it.elements.as_slice() {
            [ArrayExpressionElement::SpreadElement(only)] => is_it(&only.argument),
            _ => false,
        },
        Expression::ObjectExpression(it) => match it.properties.as_slice() {
            [ObjectPropertyKind::SpreadProperty(only)] => is_it(&only.argument),
            _ => false,
        },
        other => is_it(other),
    }
}

/// Uses of the state in the argument, where they are read at once.
fn reads_of<'a>(module: &Module<'a>, state: &State<'a>, span: Span) -> Vec<Use<'a>> {
    module.value_uses(state.symbol()).filter(|it| span.contains_inclusive(it.span)).collect()
}

/// `!open`, `open === id ? null : id`: what is shown is what is switched.
fn is_switch<'a>(module: &Module<'a>, state: &State<'a>, value: &Expression<'a>) -> bool {
    match value.get_inner_expression() {
        Expression::UnaryExpression(it) => it.operator.is_not(),
        Expression::BinaryExpression(it) => it.operator.is_compare() || it.operator.is_equality(),
        Expression::ConditionalExpression(it) => module.mentions(it.test.span(), state.symbol()),
        _ => false,
    }
}

/// Does the value call what may hang on its moment? A function that computes the state runs when React renders.
fn calls_unknown<'a>(module: &Module<'a>, state: &State<'a>, value: &Expression<'a>) -> bool {
    let calls = module.calls();
    let first = calls.partition_point(|it| it.span.start < value.span().start);
    let within = calls[first..].iter().take_while(|it| it.span.start < value.span().end);
    within.into_iter().any(|call| match call.callee.get_inner_expression() {
        Expression::StaticMemberExpression(it) => {
            !PURE_METHODS.contains(&it.property.name.as_str())
                && !module.mentions(it.object.span(), state.symbol())
                && !it.object.get_identifier_reference().is_some_and(|it| module.is_global(it))
        }
        _ => false,
    })
}

/// Does another handler of the same element set the state, too? Which of the two runs first is not seen here.
fn is_set_beside<'a>(module: &Module<'a>, state: &State<'a>, call: &CallExpression<'a>) -> bool {
    let mut attribute = None;
    let mut element = None;
    for kind in module.ancestors(call.node_id.get()) {
        match kind {
            AstKind::JSXAttribute(it) if attribute.is_none() => attribute = Some(it.span),
            AstKind::JSXOpeningElement(it) if attribute.is_some() => {
                element = Some(it.span);
                break;
            }
            _ => {}
        }
    }
    let (Some(attribute), Some(element), Some(setter)) =
        (attribute, element, state.setter_symbol())
    else {
        return false;
    };
    module
        .value_uses(setter)
        .any(|it| element.contains_inclusive(it.span) && !attribute.contains_inclusive(it.span))
}

/// Does the function compute another state as well, one from the other, or from itself where the callback lists it? Then
/// both are meant to be of one moment, or the callback is made anew all the same.
fn moves_with_another<'a>(
    module: &Module<'a>,
    all: &[State<'a>],
    state: &State<'a>,
    call: &CallExpression<'a>,
) -> bool {
    let mut outer = module.ancestors(call.node_id.get()).filter_map(|kind| match kind {
        AstKind::CallExpression(it) if module.is_react_call(it, "useCallback") => Some(it),
        _ => None,
    });
    let hook = outer.next();
    let func = module.function_around(call.node_id.get()).map(Func::span);
    let Some(within) = hook.map(|it| it.span).or(func) else { return false };
    let mut others = all.iter().filter(|it| it.symbol() != state.symbol());
    others.any(|other| {
        let is_tied = module.mentions(call.span, other.symbol())
            || hook.is_some_and(|hook| lists(module, hook, other));
        let uses = other.setter_symbol().into_iter().flat_map(|it| module.value_uses(it));
        let mut calls = uses.filter_map(|it| call_of(module, &it));
        calls.any(|it| {
            let given = it.arguments.first().and_then(|it| it.as_expression());
            within.contains_inclusive(it.span)
                && given.map(|it| module.resolved(it)).is_some_and(|value| {
                    let reads = |it: &State<'a>| module.mentions(value.span(), it.symbol());
                    !value.is_function() && (reads(state) || (is_tied && reads(other)))
                })
        })
    })
}

struct Around {
    why: &'static str,
    is_low: bool,
    /// The state is that of the last render.
    is_fresh: bool,
}

const RENEWED: &str = "captured by the callback, which is recreated on every change";

/// What makes the captured state an old one. `None` where that cannot be told, or a function would not help.
fn surroundings<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    call: &CallExpression<'a>,
    func: Func<'a>,
) -> Option<Around> {
    let waits = func.is_async() && waits_before(module, func, call.span);
    let mut found = waits.then_some("from before the `await`");
    for kind in module.ancestors(call.node_id.get()) {
        if found.is_some() || kind.span() == state.owner.span() {
            break;
        }
        let AstKind::CallExpression(outer) = kind else { continue };
        found = match (module.react_call(outer), outer.callee_name()) {
            (Some("useCallback"), _) => match callback(module, state, outer) {
                Callback::Unknown => return None,
                Callback::Fresh => continue,
                Callback::Holds(why) => Some(why),
            },
            (Some("useEffect" | "useLayoutEffect"), _) => Some("captured by the effect"),
            (None, Some("setTimeout" | "setInterval")) => Some("from before the timer"),
            (None, Some("then" | "catch" | "finally")) => Some("from before the promise settled"),
            (None, Some("addEventListener")) => Some("captured when the listener was added"),
            _ => continue,
        };
        // The innermost that defers says it best; a callback is said only where nothing else is.
    }
    Some(match found {
        Some(why) => Around { why, is_low: false, is_fresh: why == RENEWED },
        None => Around { why: "from the last render", is_low: true, is_fresh: true },
    })
}

/// What a `useCallback` makes of the state.
enum Callback {
    /// Nobody can see the list, or something else keeps the state in it.
    Unknown,
    /// Made anew by each render.
    Fresh,
    Holds(&'static str),
}

fn callback<'a>(module: &Module<'a>, state: &State<'a>, hook: &CallExpression<'a>) -> Callback {
    let [body, deps] = hook.arguments.as_slice() else { return Callback::Fresh };
    let Some(Expression::ArrayExpression(_)) = deps.as_expression() else {
        return Callback::Unknown;
    };
    if !lists(module, hook, state) {
        return Callback::Holds("captured when the callback was created");
    }
    if is_read_besides(module, state, body.span()) {
        Callback::Unknown
    } else {
        Callback::Holds(RENEWED)
    }
}

/// Does the function read the state for anything but its setter? It is sent or compared as it was seen.
fn is_read_besides<'a>(module: &Module<'a>, state: &State<'a>, func: Span) -> bool {
    let is_for_setter = |it: &Use<'a>| {
        module.ancestors(it.node).any(|kind| match kind {
            AstKind::CallExpression(call) => {
                call.arguments.iter().any(|given| given.span().contains_inclusive(it.span))
                    && module.symbol_of(&call.callee) == state.setter_symbol()
            }
            _ => false,
        })
    };
    let mut inside =
        module.value_uses(state.symbol()).filter(|it| func.contains_inclusive(it.span));
    inside.any(|it| !is_for_setter(&it))
}

/// Is the state among the dependencies of the hook?
fn lists<'a>(module: &Module<'a>, hook: &CallExpression<'a>, state: &State<'a>) -> bool {
    let Some(Expression::ArrayExpression(deps)) =
        hook.arguments.get(1).and_then(|it| it.as_expression())
    else {
        return false;
    };
    module.mentions(deps.span, state.symbol())
}

/// Is there an `await` of the function before this place, on the way to it?
fn waits_before<'a>(module: &Module<'a>, func: Func<'a>, at: Span) -> bool {
    let text = module.text();
    let mut before = func.statements().iter().filter(|it| it.span().start < at.start);
    before.any(|it| {
        let span = it.span();
        let code = &text[span.start as usize..span.end.min(at.start) as usize];
        let leaves = matches!(it, Statement::IfStatement(_))
            && span.end <= at.start
            && code.contains("return");
        !leaves && code.contains("await ")
    })
}

#[cfg(test)]
mod tests;
