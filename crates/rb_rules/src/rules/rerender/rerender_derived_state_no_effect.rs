//! State that an effect keeps in step with what it is computed from.
//! Effects that do anything besides, wait, clean up or look at a condition are left alone.

mod fix;

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use self::fix::Place;
use super::hooks::{
    Hook, State, call_of, hook_of_dep, hooks, is_ref, is_steady, locals_used, may_be_function,
    path_of, states,
};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-derived-state-no-effect",
    title: "State is computed from props or state by an effect",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: true,
    doc: Doc {
        what: "A state is set by only one effect, to a value computed from props or other state. It can be computed \
               while rendering instead.",
        why: "Each change renders twice, and the first render shows the old value.",
        wrong: "import { useEffect, useState } from 'react';\nconst Full = ({ a, b }) => {\n  const [name, setName] = useState('');\n  useEffect(() => {\n    setName(`${a} ${b}`);\n  }, [a, b]);\n  return <p>{name}</p>;\n};",
        right: "const Full = ({ a, b }) => {\n  const name = `${a} ${b}`;\n  return <p>{name}</p>;\n};",
        safe: "Fixed automatically if the value is pure, the dependencies are exactly what it reads, and everything \
               it reads is available where it is needed. The intended difference: the first render, and what a \
               server sends, shows the value instead of the initial state, and one render is gone. A value that is \
               newly created each time is kept by `useMemo`.",
        leave: "The value comes from the browser and must not exist during hydration, or the state must keep its \
                last value.",
        given: &[],
    },
    wants: &["useState"],
    applies: |facts| facts.package.uses_react,
    check,
};

/// A state with the effect that feeds it.
struct Derived<'a> {
    state: State<'a>,
    effect: Hook<'a>,
    /// What the state is set to.
    value: &'a Expression<'a>,
    /// Names of the component that the value reads.
    reads: Vec<SymbolId>,
    /// The value calls what is not known to be pure.
    is_sure: bool,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    // A layout effect is there to render twice before anything is seen.
    let effects = hooks(module, &["useEffect"]);
    if effects.is_empty() {
        return;
    }
    let found: Vec<Derived<'_>> =
        states(module).into_iter().filter_map(|state| derived(cx, state, &effects)).collect();
    let planned: Vec<Option<Place<'_>>> = found.iter().map(|it| fix::place(module, it)).collect();
    let all_gone: Vec<Span> = found
        .iter()
        .zip(&planned)
        .filter(|(it, place)| place.is_some() && doubt(cx, it).is_none())
        .flat_map(|(it, _)| [it.state.call.span, it.effect.call.span])
        .collect();
    for (it, place) in found.iter().zip(planned) {
        let name = it.state.name();
        let message = format!(
            "an effect derives `{name}` from other values, one render late; compute it during render"
        );
        let mut hit = Hit::at(it.effect.call.span, message);
        if !it.is_sure {
            hit = hit.low();
        }
        let edits = place.and_then(|place| fix::edits(cx, it, &place, &all_gone));
        cx.report(match edits {
            Some(edits) => hit.auto_unless(doubt(cx, it), "compute it during render", edits),
            None => hit,
        });
    }
}

fn derived<'a>(cx: &Cx<'_, 'a>, state: State<'a>, effects: &[Hook<'a>]) -> Option<Derived<'a>> {
    let module = cx.module;
    let setter = state.setter_symbol()?;
    let mut uses = module.value_uses(setter).filter(|it| hook_of_dep(module, it.node).is_none());
    let (only, None) = (uses.next()?, uses.next()) else { return None };
    let call = call_of(module, &only)?;
    let effect =
        effects.iter().find(|it| only_call(it.func).is_some_and(|it| it.span == call.span))?;
    let [argument] = call.arguments.as_slice() else { return None };
    let value = argument.as_expression()?;
    let is_same_owner = effect.owner.node() == state.owner.node();
    if !is_same_owner
        || value.get_inner_expression().is_function()
        || !effect.func.params().items.is_empty()
    {
        return None;
    }
    let reads = locals_used(module, value.span(), state.owner);
    let is_reactive = reads.iter().any(|&symbol| !is_steady(module, symbol));
    if !is_reactive
        || reads.contains(&state.symbol())
        || reads_outside(module, value.span(), &reads)
    {
        return None;
    }
    let is_sure = cx.is_pure1(value);
    let found = Derived { state, effect: *effect, value, reads, is_sure };
    is_in_step(module, &found).then_some(found)
}

/// Does the state follow whatever the value reads? A list that leaves something out keeps the value of another moment, and
/// one that names more may stand for what an unknown function reads.
fn is_in_step<'a>(module: &Module<'a>, it: &Derived<'a>) -> bool {
    if it.effect.call.arguments.len() < 2 {
        return true;
    }
    let Some(deps) = it.effect.dep_list() else { return false };
    let is_listed = |symbol: SymbolId| {
        is_steady(module, symbol) || deps.iter().any(|dep| module.mentions(dep.span(), symbol))
    };
    it.reads.iter().all(|&symbol| is_listed(symbol)) && (it.is_sure || is_exact(module, it, &deps))
}

/// The call that is all there is in the function.
fn only_call(func: Func<'_>) -> Option<&CallExpression<'_>> {
    if func.is_async() || func.is_generator() {
        return None;
    }
    let expression = match func {
        Func::Arrow(it) if it.body.as_expression().is_some() => it.body.as_expression()?,
        _ => match func.statements() {
            [Statement::ExpressionStatement(it)] => &it.expression,
            _ => return None,
        },
    };
    match expression.get_inner_expression() {
        Expression::CallExpression(call) => Some(call),
        _ => None,
    }
}

/// Globals that give the same for the same.
const PLAIN: &[&str] = &[
    "undefined",
    "NaN",
    "Infinity",
    "Math",
    "Object",
    "Array",
    "String",
    "Number",
    "Boolean",
    "JSON",
    "Map",
    "Set",
    "parseInt",
    "parseFloat",
    "isNaN",
    "isFinite",
    "Intl",
    "BigInt",
    "URLSearchParams",
    "encodeURIComponent",
    "decodeURIComponent",
];

/// Does the value hang on what is no prop or state: the browser, the clock, chance, a ref?
fn reads_outside(module: &Module<'_>, span: Span, reads: &[SymbolId]) -> bool {
    let text = module.slice(span);
    let words = [
        "await ",
        "random",
        ".now(",
        ".current",
        "getBoundingClientRect",
        "offsetWidth",
        "offsetHeight",
        "scrollTop",
    ];
    words.iter().any(|word| text.contains(word))
        || reads.iter().any(|&symbol| is_ref(module, symbol))
        || module
            .identifiers_in(span)
            .iter()
            .any(|it| module.is_global(it) && !PLAIN.contains(&it.name.as_str()))
}

/// Why the edit is not proved.
fn doubt<'a>(cx: &Cx<'_, 'a>, it: &Derived<'a>) -> Option<&'static str> {
    let module = cx.module;
    if !it.is_sure {
        return Some("computing the value may have side effects");
    }
    let Some(deps) = it.effect.dep_list() else {
        return Some("the dependency array is not written inline");
    };
    if it.state.initial().is_some_and(|initial| {
        !initial.get_inner_expression().is_function() && !cx.is_pure1(initial)
    }) {
        return Some("computing the initial state may have side effects");
    }
    let types = module.types(it.value);
    if types.may_be(rb_ecma::Types::FUNCTION) && may_be_function(it.value) {
        return Some("the value may be a function, which the setter would call");
    }
    if module.is_typescript()
        && it.state.call.type_arguments.is_none()
        && chooses_literals(it.value)
    {
        return Some("its type would be narrower");
    }
    if seeds_another(module, &it.state) {
        return Some("another hook uses its initial value");
    }
    (!is_exact(module, it, &deps))
        .then_some("the dependency array does not match what the value reads")
}

/// `a ? 'x' : 'y'`: a compiler takes it for one of the two, and the state for any text.
fn chooses_literals(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::NullLiteral(_) => true,
        Expression::ConditionalExpression(it) => {
            chooses_literals(&it.consequent) || chooses_literals(&it.alternate)
        }
        Expression::LogicalExpression(it) => {
            chooses_literals(&it.left) || chooses_literals(&it.right)
        }
        _ => false,
    }
}

/// Does a state or a ref begin with the value? It would begin with another one, and keep it.
fn seeds_another(module: &Module<'_>, state: &State<'_>) -> bool {
    module.value_uses(state.symbol()).any(|it| {
        module.ancestors(it.node).take(6).any(|kind| match kind {
            AstKind::CallExpression(call) => {
                matches!(module.react_call(call), Some("useState" | "useRef" | "useReducer"))
            }
            _ => false,
        })
    })
}

/// Are the dependencies what the value reads, each by its name or by every path that is read of it, and nothing besides?
fn is_exact<'a>(module: &Module<'a>, it: &Derived<'a>, deps: &[&'a Expression<'a>]) -> bool {
    let span = it.value.span();
    let mut read: Vec<String> = Vec::new();
    let names: Vec<&str> = deps.iter().map(|dep| module.slice(dep.span())).collect();
    for &symbol in it.reads.iter().filter(|&&symbol| !is_steady(module, symbol)) {
        let name = module.name(symbol);
        if names.contains(&name) {
            read.push(name.to_owned());
            continue;
        }
        for one in module.value_uses(symbol).filter(|it| span.contains_inclusive(it.span)) {
            let mut path = name.to_owned();
            let prefixes: Vec<String> = path_of(module, &one)
                .names
                .iter()
                .map(|part| {
                    path = format!("{path}.{part}");
                    path.clone()
                })
                .collect();
            let Some(listed) = names.iter().find(|dep| prefixes.contains(&dep.replace("?.", ".")))
            else {
                return false;
            };
            read.push((*listed).to_owned());
        }
    }
    deps.iter().zip(&names).all(|(dep, name)| {
        read.iter().any(|it| it == name)
            || module.symbol_of(dep).is_some_and(|symbol| is_steady(module, symbol))
    })
}

#[cfg(test)]
mod tests;
