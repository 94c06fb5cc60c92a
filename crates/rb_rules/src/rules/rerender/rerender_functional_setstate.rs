//! `setList([...list, x])` computes from the list of a render that may be long past.
//! State of classes and setters that come from outside are not looked at.

mod fix;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpressionElement, CallExpression, Expression, ObjectPropertyKind, Statement,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module, Use};

use self::fix::Plan;
use super::hooks::{State, call_of, contains, states};
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
        what: "A setter of `useState` is given a value that is computed from the state of its own pair. With a function, \
               `setList((prev) => …)`, React hands in the state as it is at that moment.",
        why: "A callback that reads the state has to be made anew whenever it changes, and with it everything that gets the \
              callback. One that runs later, or twice before the next render, computes from an old value and loses updates.",
        wrong: "import { useCallback, useState } from 'react';\nconst List = () => {\n  const [list, setList] = useState([]);\n  const add = useCallback((x) => setList([...list, x]), [list]);\n  return <Rows rows={list} onAdd={add} />;\n};",
        right: "import { useCallback, useState } from 'react';\nconst List = () => {\n  const [list, setList] = useState([]);\n  const add = useCallback((x) => setList((prev) => [...prev, x]), []);\n  return <Rows rows={list} onAdd={add} />;\n};",
        safe: "Made in a handler of a click, a key or a form of a DOM element, where it is the only call of the setter, the \
               value only computes, it reads nothing of the event, and no condition looks at the state first. Elsewhere it is a \
               draft: two calls in one tick add up from then on. (So do two clicks that a program makes in one tick; those of a \
               person are a render apart.)",
        leave: "The value is needed besides, to be sent or compared; a guard holds the state to a bound; the callback computes \
                another state that it lists as well.",
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
    let around = surroundings(module, state, call, func);
    if around.is_fresh
        && (is_bounded(module, state, call, func) || moves_with_another(module, all, state, call))
    {
        return;
    }
    let setter = call.callee_name().unwrap_or("the setter");
    let message =
        format!("`{setter}` computes from the `{}` {}: pass a function", state.name(), around.why);
    let mut hit = Hit::at(call.span, message);
    if around.is_low {
        hit = hit.low();
    }
    let plan = Plan { state, call, func, value, reads };
    cx.report(match plan.edits(module) {
        Some(edits) => hit.auto_unless(plan.doubt(cx), "compute from the state at hand", edits),
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
    module.value_uses(state.symbol()).filter(|it| contains(span, it.span)).collect()
}

/// Is the state held to a bound first, `if (page < last)`? A function would step over it where the guard saw an old state.
fn is_bounded<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    call: &CallExpression<'a>,
    func: Func<'a>,
) -> bool {
    let bounds = |test: Span| {
        module.nodes().iter().any(|node| match node.kind() {
            AstKind::BinaryExpression(it) => {
                it.operator.is_compare()
                    && contains(test, it.span)
                    && module.mentions(it.span, state.symbol())
            }
            _ => false,
        })
    };
    let before = func.statements().iter().any(|statement| match statement {
        Statement::IfStatement(it) => it.span.end <= call.span.start && bounds(it.test.span()),
        _ => false,
    });
    let mut around =
        module.ancestors(call.node_id.get()).take_while(|kind| Func::of(*kind).is_none());
    before
        || around.any(|kind| match kind {
            AstKind::IfStatement(it) => bounds(it.test.span()),
            AstKind::ConditionalExpression(it) => bounds(it.test.span()),
            AstKind::LogicalExpression(it) => bounds(it.left.span()),
            _ => false,
        })
}

/// Does the callback compute another state that it lists as well? That one makes it anew all the same, and the two would come apart.
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
    let Some(hook) = outer.next() else { return false };
    let mut others = all.iter().filter(|it| it.symbol() != state.symbol());
    others.any(|other| {
        let Some(setter) = other.setter_symbol() else { return false };
        let mut calls = module.value_uses(setter).filter_map(|it| call_of(module, &it));
        lists(module, hook, other)
            && calls.any(|it| {
                let given = it.arguments.first().and_then(|it| it.as_expression());
                contains(hook.span, it.span)
                    && given.is_some_and(|it| {
                        let value = module.resolved(it);
                        !value.is_function() && module.mentions(value.span(), other.symbol())
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

const RENEWED: &str = "of its render, so the callback is made anew with each change";

/// What makes the captured state an old one.
fn surroundings<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    call: &CallExpression<'a>,
    func: Func<'a>,
) -> Around {
    let mut found = None;
    for kind in module.ancestors(call.node_id.get()) {
        if kind.span() == state.owner.span() {
            break;
        }
        let AstKind::CallExpression(outer) = kind else { continue };
        let why = match (module.react_call(outer), outer.callee_name()) {
            (Some("useCallback"), _) if lists(module, outer, state) => RENEWED,
            (Some("useCallback"), _) => "of the render that made the callback",
            (Some("useEffect" | "useLayoutEffect"), _) => "that the effect saw",
            (None, Some("setTimeout" | "setInterval")) => "from before the timer",
            (None, Some("then" | "catch" | "finally")) => "from before the wait",
            (None, Some("addEventListener")) => "of the render that added the listener",
            _ => continue,
        };
        found = Some(why);
        // The innermost that defers says it best; a callback is said only where nothing else is.
        break;
    }
    if found.is_none() && func.is_async() && waits_before(module, func, call.span) {
        found = Some("from before the `await`");
    }
    match found {
        Some(why) => Around { why, is_low: false, is_fresh: why == RENEWED },
        None => Around { why: "of the last render", is_low: true, is_fresh: true },
    }
}

/// Is the state among the dependencies of the hook?
fn lists<'a>(module: &Module<'a>, hook: &CallExpression<'a>, state: &State<'a>) -> bool {
    let Some(Expression::ArrayExpression(deps)) =
        hook.arguments.get(1).and_then(|it| it.as_expression())
    else {
        return false;
    };
    deps.elements
        .iter()
        .any(|it| it.as_expression().is_some_and(|it| module.symbol_of(it) == Some(state.symbol())))
}

/// Is there an `await` of the function before this place?
fn waits_before<'a>(module: &Module<'a>, func: Func<'a>, at: Span) -> bool {
    let text = module.text();
    let start = func.body().map_or(func.span().start, |body| body.span.start);
    text[start as usize..at.start as usize].contains("await ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_functional_setstate_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_functional_setstate_is_found() {
        Setup::new().check(
            &RULE,
            "import React, { useCallback, useEffect, useState as state } from 'react'
import { load } from './load'

export function List({ id }) {
  const [list, setList] = state([])
  const [form, setForm] = React.useState({ name: '' })
  const [n, setN] = state(0)
  const add = useCallback((x) => setList([...list, x]), [id, list])
  const remove = useCallback((x) => { setList(list.filter((it) => it !== x)) }, [])
  useEffect(() => {
    const timer = setInterval(() => setN(n + 1), 1000)
    return () => clearInterval(timer)
  }, [n])
  const more = async () => {
    const next = await load()
    setList(list.concat(next))
  }
  load().then((it) => setForm({ ...form, it }))
  return <Rows add={add} remove={remove} more={more} onChange={(e) => setForm({ ...form, name: e.target.value })} />
}
",
            expect![[r#"
                8:34 warning: `setList` computes from the `list` of its render, so the callback is made anew with each change: pass a function [assist: compute from the state at hand] (not proved: the setter is used elsewhere, and calls in one tick would add up)
                9:39 warning: `setList` computes from the `list` of the render that made the callback: pass a function [assist: compute from the state at hand] (not proved: the setter is used elsewhere, and calls in one tick would add up)
                16:5 warning: `setList` computes from the `list` from before the `await`: pass a function [assist: compute from the state at hand] (not proved: the setter is used elsewhere, and calls in one tick would add up)
                18:23 warning: `setForm` computes from the `form` from before the wait: pass a function [assist: compute from the state at hand] (not proved: the setter is used elsewhere, and calls in one tick would add up)
                19:71 note: `setForm` computes from the `form` of the last render: pass a function
                11:37 warning: `setN` computes from the `n` from before the timer: pass a function [assist: compute from the state at hand] (not proved: it may run more than once before the next render)
                --- assist
                import React, { useCallback, useEffect, useState as state } from 'react'
                import { load } from './load'

                export function List({ id }) {
                  const [list, setList] = state([])
                  const [form, setForm] = React.useState({ name: '' })
                  const [n, setN] = state(0)
                  const add = useCallback((x) => setList((prev) => [...prev, x]), [id])
                  const remove = useCallback((x) => { setList((prev) => prev.filter((it) => it !== x)) }, [])
                  useEffect(() => {
                    const timer = setInterval(() => setN((prev) => prev + 1), 1000)
                    return () => clearInterval(timer)
                  }, [n])
                  const more = async () => {
                    const next = await load()
                    setList((prev) => prev.concat(next))
                  }
                  load().then((it) => setForm((prev) => ({ ...prev, it })))
                  return <Rows add={add} remove={remove} more={more} onChange={(e) => setForm({ ...form, name: e.target.value })} />
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_functional_setstate_is_fixed_in_handlers() {
        let setup = Setup::new();
        setup.fixes(
            &RULE,
            "import { useState } from \"react\";\nfunction A() {\n  const [on, setOn] = useState(false);\n  return <button onClick={() => setOn(!on)}>{on}</button>;\n}",
            "import { useState } from \"react\";\nfunction A() {\n  const [on, setOn] = useState(false);\n  return <button onClick={() => setOn((prev) => !prev)}>{on}</button>;\n}",
        );
        setup.fixes(
            &RULE,
            "import { useCallback, useState } from 'react'\nfunction A({ by }: { by: number }) {\n  const [sum, setSum] = useState({ n: 1, by })\n  const add = useCallback(() => {\n    setSum({ ...sum, by })\n  }, [by, sum])\n  return <button onClick={add}>{sum.n}</button>\n}",
            "import { useCallback, useState } from 'react'\nfunction A({ by }: { by: number }) {\n  const [sum, setSum] = useState({ n: 1, by })\n  const add = useCallback(() => {\n    setSum((prev) => ({ ...prev, by }))\n  }, [by])\n  return <button onClick={add}>{sum.n}</button>\n}",
        );
    }

    #[test]
    fn ru1_rerender_functional_setstate_finds_a_name() {
        let setup = Setup::new();
        let text = |call: &str, before: &str| {
            format!(
                "import {{ useState }} from 'react';\nconst last = (prev) => prev;\nfunction A() {{ const [a, setA] = useState([1]); {before}return <i onClick={{() => setA({call})}}>{{a}}</i>; }}"
            )
        };
        setup.fixes(&RULE, &text("a.concat(1)", ""), &text("(prev) => prev.concat(1)", ""));
        setup.fixes(
            &RULE,
            &text("a.concat(1)", "const prev = 1; "),
            &text("(prev2) => prev2.concat(1)", "const prev = 1; "),
        );
        setup.fixes(
            &RULE,
            &text("a.map((prev) => prev + a.length)", ""),
            &text("(prev2) => prev2.map((prev) => prev + prev2.length)", ""),
        );
    }

    #[test]
    fn ru1_rerender_functional_setstate_leaves_others() {
        let setup = Setup::new();
        for body in [
            // The setter of another pair.
            "const [a, setA] = useState(0); const [b, setB] = useState(0); return <i onClick={() => setA(b + 1)}>{a}</i>",
            // A setter from outside may take no functions.
            "const { count, setCount } = props; return <i onClick={() => setCount(count + 1)} />",
            // A function already.
            "const [a, setA] = useState(0); return <i onClick={() => setA((it) => it + 1)}>{a}</i>",
            // The value is needed besides.
            "const [a, setA] = useState([]); const add = (x) => { const next = a.concat(x); setA(next); save(next); }; return <i onClick={add} />",
            "const [a, setA] = useState(0); return <i onClick={() => setA(1)}>{a}</i>",
            // What was seen comes back.
            "const [a, setA] = useState([]); return <i onClick={() => save().catch(() => setA([...a]))}>{a}</i>",
            // The guard and the value are to see the same state: a function would step over the end.
            "const [a, setA] = useState(0); const next = () => { if (a < props.last) { setA(a + 1); } }; return <i onClick={next}>{a}</i>",
            "const [a, setA] = useState(0); const back = () => { if (a <= 1) return; setA(a - 1); }; return <i onClick={back}>{a}</i>",
            "const [a, setA] = useState([]); return <i onClick={() => a.length < 3 && setA([...a, 1])}>{a}</i>",
            // Two states move together: the other one makes the callback anew, and is the old one.
            "const [a, setA] = useState([]); const [b, setB] = useState([]); const undo = useCallback(() => { const last = b[0]; setB(b.slice(1)); setA([last, ...a]); }, [a, b]); return <i onClick={undo}>{a}</i>",
            // Another thing of the same name.
            "const [a, setA] = useState(0); return <i onClick={(a) => setA(a + 1)} />",
        ] {
            setup.silent(
                &RULE,
                &format!("import {{ useCallback, useState }} from 'react';\nfunction A(props) {{ {body}; }}"),
            );
        }
        // The other state is set and not computed.
        let found = setup.findings(&RULE, "import { useCallback, useState } from 'react';\nfunction A() { const [a, setA] = useState([]); const [b, setB] = useState(0); const add = useCallback((x) => { setA([...a, x, b]); setB(0); }, [a, b]); return <i onClick={add}>{a}</i>; }");
        assert_eq!(found.len(), 1);
        // State of a class.
        setup.silent(&RULE, "import React from 'react';\nclass A extends React.Component { add() { this.setState({ n: this.state.n + 1 }); } }");
    }

    #[test]
    fn ru1_rerender_functional_setstate_needs_a_proof() {
        let setup = Setup::new();
        for body in [
            // Two calls add up.
            "return <i onClick={() => { setA(a + 1); setA(a + 2); }}>{a}</i>",
            // The component may call it more than once.
            "return <Box onClick={() => setA(a + 1)}>{a}</Box>",
            "return <i onMouseMove={() => setA(a + 1)}>{a}</i>",
            // The event is spent.
            "return <i onClick={(e) => setA(a + e.detail)}>{a}</i>",
            "return <i onClick={(click) => setA(a + click.detail)}>{a}</i>",
            // What else is read may change until then.
            "const ref = useRef(1); return <i onClick={() => setA(a + ref.current)}>{a}</i>",
            "return <i onClick={() => setA(a + window.scrollY)}>{a}</i>",
            "return <i onClick={() => setA(a + settings.step)}>{a}</i>",
            // One event passes through both.
            "const add = () => setA(a + 1); return <p onClick={add}><i onClick={add}>{a}</i></p>",
            // The handler is kept with an old state.
            "const kept = useMemo(() => <i onClick={() => setA(a + 1)} />, []); return <p>{kept}{a}</p>",
            "const add = useCallback(() => setA(a + props.by), [a]); return <i onClick={add}>{a}</i>",
            // The value may be a function.
            "return <i onClick={() => setA(a || props.other)}>{a}</i>",
            // The type is narrowed before.
            "if (!a) return null; return <i onClick={() => setA(a + 1)}>{a}</i>",
            "return a ? <i onClick={() => setA(a + 1)}>{a}</i> : null",
            "return <i onClick={() => { if (a) setA(a + 1); }}>{a}</i>",
            // It waits, or runs later.
            "return <i onClick={async () => { await save(); setA(a + 1); }}>{a}</i>",
            "return <i onClick={() => setTimeout(() => setA(a + 1), 9)}>{a}</i>",
            // The call may have effects.
            "return <i onClick={() => setA(next(a))}>{a}</i>",
            "let by = 1; by++; return <i onClick={() => setA(a + by)}>{a}</i>",
            // The callback holds an old state.
            "const add = useCallback(() => setA(a + 1), []); return <i onClick={add}>{a}</i>",
            "return <i onClick={() => setA(a /* one more */ + 1)}>{a}</i>",
        ] {
            setup.no_auto(&RULE, &format!("import {{ useCallback, useMemo, useRef, useState }} from 'react';\nimport {{ settings }} from './settings';\nfunction A(props) {{ const [a, setA] = useState(0); {body}; }}"));
        }
    }
}
