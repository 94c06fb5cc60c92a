//! State that is set with every pixel of a scroll blocks what is urgent.
//! What has to follow the pointer is told by names and by where it is drawn, not by what it looks like.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module, Types};

use super::hooks::{State, attribute_around, call_of, host_name, states};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-transitions",
    title: "A frequent update is made urgently",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A scroll, resize, wheel or pointer-move listener sets state on each call, without a frame, a delay or \
               a condition.",
        why: "Each of the many events renders at once, and typing or clicking waits for it. A transition can be \
              interrupted, and renders when there is time.",
        wrong: "import { useEffect, useState } from 'react';\nconst Progress = () => {\n  const [y, setY] = useState(0);\n  useEffect(() => {\n    const onScroll = () => setY(window.scrollY);\n    window.addEventListener('scroll', onScroll);\n    return () => window.removeEventListener('scroll', onScroll);\n  }, []);\n  return <Chart y={y} />;\n};",
        right: "import { startTransition, useEffect, useState } from 'react';\nconst Progress = () => {\n  const [y, setY] = useState(0);\n  useEffect(() => {\n    const onScroll = () => startTransition(() => setY(window.scrollY));\n    window.addEventListener('scroll', onScroll);\n    return () => window.removeEventListener('scroll', onScroll);\n  }, []);\n  return <Chart y={y} />;\n};",
        safe: "Always a draft: the order relative to urgent updates changes, and a value may be skipped. A ref with \
               `requestAnimationFrame`, or CSS, may be the better solution.",
        leave: "Something must follow the pointer or the scroll position: a drag, a tooltip, a virtualized list.",
        given: &[],
    },
    wants: &[
        "scroll",
        "Scroll",
        "resize",
        "wheel",
        "Wheel",
        "mousemove",
        "MouseMove",
        "pointermove",
        "PointerMove",
        "drag",
        "Drag",
        "touchmove",
        "TouchMove",
    ],
    applies: |facts| facts.package.react_at_least(18, 0) && !facts.package.react_native,
    check,
};

const EVENTS: &[&str] =
    &["scroll", "mousemove", "pointermove", "resize", "wheel", "drag", "touchmove"];

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for state in states(module) {
        let Some(setter) = state.setter_symbol() else { continue };
        if follows_pointer(module, &state) {
            continue;
        }
        for it in module.value_uses(setter) {
            let Some(call) = call_of(module, &it) else { continue };
            let Some(event) = frequent_event(module, call) else { continue };
            if is_threshold(module, call) {
                continue;
            }
            report(cx, &state, call, event);
        }
    }
}

fn report<'a>(cx: &mut Cx<'_, 'a>, state: &State<'a>, call: &'a CallExpression<'a>, event: &str) {
    let module = cx.module;
    if let Some(compared) = comparisons(module, state) {
        let message = format!(
            "`{}` is set on every `{event}` event, but only {compared} is used; store that in state instead",
            state.name()
        );
        cx.report(Hit::at(call.span, message));
        return;
    }
    let message = format!(
        "`{}` is set on every `{event}` event, and each update is urgent; wrap it in `startTransition`",
        state.name()
    );
    let hit = Hit::at(call.span, message);
    let placed = module.import_name("react", "startTransition");
    cx.report(match placed {
        Some(placed) => {
            let mut edits = placed.edits;
            edits.push(Edit::insert(call.span.start, format!("{}(() => ", placed.name)));
            edits.push(Edit::insert(call.span.end, ")"));
            hit.assist("wrap it in `startTransition`", edits)
        }
        None => hit,
    });
}

/// `y > 5`, where nothing else of the state is used: a truth would do in its place.
fn comparisons<'a>(module: &Module<'a>, state: &State<'a>) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for it in module.value_uses(state.symbol()) {
        let AstKind::BinaryExpression(test) = module.parent(it.node) else { return None };
        let other = if test.left.span() == it.span { &test.right } else { &test.left };
        let is_fixed = match module.resolved(other) {
            Expression::NumericLiteral(_) => true,
            other => module.symbol_of(other).is_some_and(|it| module.is_top_level(it)),
        };
        if !is_fixed || !(test.operator.is_compare() || test.operator.is_equality()) {
            return None;
        }
        let shown = format!("`{}`", module.slice(test.span));
        if !found.contains(&shown) {
            found.push(shown);
        }
    }
    (!found.is_empty() && found.len() <= 2).then(|| found.join(" and "))
}

/// The event whose listener makes the call each time it runs.
fn frequent_event<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<&'static str> {
    let func = module.function_around(call.node_id.get())?;
    if func.is_async() || !is_unconditional(module, func, call) {
        return None;
    }
    if let Some(event) = event_of_value(module, func.node(), func.span()) {
        return Some(event);
    }
    let mut node = func.node();
    if let AstKind::CallExpression(hook) = module.parent(node) {
        if !module.is_react_call(hook, "useCallback") {
            return None;
        }
        node = hook.node_id.get();
    }
    let symbol = match (func, module.parent(node)) {
        (_, AstKind::VariableDeclarator(it)) => it.id.get_binding_identifier()?.symbol_id(),
        (Func::Function(it), _) if it.is_declaration() => it.id.as_ref()?.symbol_id(),
        _ => return None,
    };
    module.value_uses(symbol).find_map(|it| event_of_value(module, it.node, it.span))
}

/// `onScroll={…}` or `addEventListener('scroll', …)` around a function.
fn event_of_value(module: &Module<'_>, node: NodeId, span: Span) -> Option<&'static str> {
    if let Some((name, _)) = attribute_around(module, node) {
        let name = name.strip_prefix("on")?.to_lowercase();
        return EVENTS.iter().find(|it| **it == name).copied();
    }
    let AstKind::CallExpression(call) = module.parent(node) else { return None };
    let [event, listener, ..] = call.arguments.as_slice() else { return None };
    if call.callee_name() != Some("addEventListener") || listener.span() != span {
        return None;
    }
    match event.as_expression()? {
        Expression::StringLiteral(it) => {
            EVENTS.iter().find(|name| **name == it.value.as_str()).copied()
        }
        _ => None,
    }
}

/// A statement of the function itself, with no way out before it.
fn is_unconditional<'a>(module: &Module<'a>, func: Func<'a>, call: &CallExpression<'a>) -> bool {
    if let Func::Arrow(arrow) = func
        && let Some(only) = arrow.body.as_expression()
    {
        return only.span() == call.span;
    }
    let statements = func.statements();
    let Some(at) = statements.iter().position(|it| it.span().contains_inclusive(call.span)) else {
        return false;
    };
    let is_own = matches!(&statements[at], Statement::ExpressionStatement(it) if it.expression.span() == call.span);
    is_own && !statements[..at].iter().any(|it| module.slice(it.span()).contains("return"))
}

/// A truth that changes seldom, or a value that is computed to: the same value renders nothing.
fn is_threshold<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let Some(value) = call.arguments.first().and_then(|it| it.as_expression()) else { return true };
    let value = module.resolved(value);
    let is_choice = matches!(value, Expression::ConditionalExpression(_));
    if is_choice || !is_measured(module.slice(value.span())) {
        return true;
    }
    let types = module.types(value);
    // What is computed by a function may be a threshold as well.
    let is_call = matches!(value.get_inner_expression(), Expression::CallExpression(it) if it.callee.get_identifier_reference().is_some());
    is_call || types.is_only(Types::BOOLEAN | Types::NULLISH)
}

/// Does it read a place or an extent, which is another one each time?
fn is_measured(text: &str) -> bool {
    const MEASURES: &[&str] = &[
        "scroll",
        "inner",
        "client",
        "page",
        "offset",
        "screen",
        "delta",
        "movement",
        "getBoundingClientRect",
        ".x",
        ".y",
    ];
    MEASURES.iter().any(|it| text.contains(it))
}

/// Names of what has to stay with the pointer or the page.
const WORDS: &[&str] = &[
    "drag",
    "tooltip",
    "position",
    "cursor",
    "mouse",
    "pointer",
    "hover",
    "offset",
    "coord",
    "point",
    "rect",
    "transform",
    "pan",
    "zoom",
    "virtual",
    "visible",
    "range",
    "parallax",
    "size",
    "dimension",
    "bounds",
];

/// Is the state where something has to stay with the pointer or the page: a style, a coordinate, a drag?
fn follows_pointer<'a>(module: &Module<'a>, state: &State<'a>) -> bool {
    const ATTRIBUTES: &[&str] = &["style", "top", "left", "transform"];
    const OF_SHAPES: &[&str] = &["x", "y", "cx", "cy", "width", "height", "d"];
    let owner = module.function_view(state.owner).and_then(|view| view.name).unwrap_or_default();
    let name = format!("{} {}", state.name(), owner).to_lowercase();
    if WORDS.iter().any(|word| name.contains(word)) {
        return true;
    }
    module.value_uses(state.symbol()).any(|it| {
        let of_shape = attribute_around(module, it.node).is_some_and(|(name, element)| {
            host_name(element).is_some() && OF_SHAPES.contains(&name)
        });
        let mut around =
            module.ancestors(it.node).take_while(|kind| kind.span() != state.owner.span());
        of_shape
            || around.any(|kind| match kind {
                AstKind::JSXAttribute(it) => it
                    .name
                    .as_identifier()
                    .is_some_and(|name| ATTRIBUTES.contains(&name.name.as_str())),
                AstKind::ObjectProperty(it) => {
                    it.key.static_name().is_some_and(|name| ATTRIBUTES.contains(&name.as_ref()))
                }
                AstKind::TemplateLiteral(_) => true,
                _ => false,
            })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_transitions_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_transitions_is_found() {
        Setup::new().check(
            &RULE,
            "import { useCallback, useEffect, useState } from 'react'
export function Page() {
  const [y, setY] = useState(0)
  const [w, setW] = useState(0)
  const [top, setTop] = useState(0)
  useEffect(() => {
    const onScroll = () => {
      setY(window.scrollY)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', () => setW(window.innerWidth))
  }, [])
  const follow = useCallback((e) => setTop(e.currentTarget.scrollTop), [])
  return <div onScroll={follow}><Chart y={y} w={w} now={top} /></div>
}
",
            expect![[r#"
                8:7 warning: `y` is set on every `scroll` event, and each update is urgent; wrap it in `startTransition` [assist: wrap it in `startTransition`]
                11:45 warning: `w` is set on every `resize` event, and each update is urgent; wrap it in `startTransition` [assist: wrap it in `startTransition`]
                13:37 warning: `top` is set on every `scroll` event, and each update is urgent; wrap it in `startTransition` [assist: wrap it in `startTransition`]
                --- assist
                import { useCallback, useEffect, useState, startTransition } from 'react'
                export function Page() {
                  const [y, setY] = useState(0)
                  const [w, setW] = useState(0)
                  const [top, setTop] = useState(0)
                  useEffect(() => {
                    const onScroll = () => {
                      startTransition(() => setY(window.scrollY))
                    }
                    window.addEventListener('scroll', onScroll, { passive: true })
                    window.addEventListener('resize', () => setW(window.innerWidth))
                  }, [])
                  const follow = useCallback((e) => setTop(e.currentTarget.scrollTop), [])
                  return <div onScroll={follow}><Chart y={y} w={w} now={top} /></div>
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_transitions_leaves_others() {
        let setup = Setup::new();
        for body in [
            // It must track the pointer or the page.
            "const [drag, setDrag] = useState(0); return <i onPointerMove={(e) => setDrag(e.clientX)}>{drag}</i>;",
            "const [a, setA] = useState(0); return <i onMouseMove={(e) => setA(e.clientX)} style={{ left: a }} />;",
            "const [a, setA] = useState(0); return <svg onMouseMove={(e) => setA(e.clientX)}><circle cx={a} /></svg>;",
            // Controlled inputs are urgent.
            "const [a, setA] = useState(''); return <input value={a} onChange={(e) => setA(e.target.value)} />;",
            // A threshold.
            "const [a, setA] = useState(false); return <div onScroll={(e) => setA(e.currentTarget.scrollTop > 50)}>{a}</div>;",
            "const [a, setA] = useState(0); return <div onScroll={(e) => { if (e.x > 5) setA(e.x); }}>{a}</div>;",
            "const [a, setA] = useState(0); return <div onScroll={(e) => { if (busy) return; setA(e.x); }}>{a}</div>;",
            "const [a, setA] = useState(0); return <div onScroll={(e) => setA(sectionAt(e))}>{a}</div>;",
            "const [a, setA] = useState(false); return <div onScroll={(e) => { const end = isAtEnd(e.scrollTop); setA(end); }}>{a}</div>;",
            // The same thing again and again renders nothing.
            "const [a, setA] = useState(0); return <ul>{rows.map((row) => <li onMouseMove={() => setA(row)}>{a}</li>)}</ul>;",
            "const useVirtualRows = () => { const [a, setA] = useState(0); on.addEventListener('scroll', () => setA(window.scrollY)); return a; }; return <i />;",
            // A frame or a delay around.
            "const [a, setA] = useState(0); return <div onScroll={() => requestAnimationFrame(() => setA(1 + y))}>{a}</div>;",
            "const [a, setA] = useState(0); const on = throttle(() => setA(window.scrollY), 100); return <div onScroll={on}>{a}</div>;",
            // Not frequent.
            "const [a, setA] = useState(0); return <div onClick={(e) => setA(e.clientX)}>{a}</div>;",
            // A transition already.
            "const [a, setA] = useState(0); return <div onScroll={(e) => startTransition(() => setA(e.x))}>{a}</div>;",
        ] {
            setup.silent(&RULE, &format!("import {{ startTransition, useState }} from 'react';\nfunction A() {{ {body} }}"));
        }
        // No transitions before React 18.
        setup.react(17, 0).silent(&RULE, RULE.doc.wrong);
    }

    #[test]
    fn ru1_rerender_transitions_of_what_is_but_compared() {
        Setup::new().check(
            &RULE,
            "import { useEffect, useState } from 'react'
export function Header({ wide }) {
  const [y, setY] = useState(0)
  useEffect(() => {
    const onScroll = () => {
      setY(window.scrollY)
    }
    window.addEventListener('scroll', onScroll)
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  return <header className={cn('a', (y > 5 || wide) && 'b')} />
}
",
            expect![[r#"
                6:7 warning: `y` is set on every `scroll` event, but only `y > 5` is used; store that in state instead
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_transitions_of_a_computed_step() {
        Setup::new().silent(
            &RULE,
            "import { useEffect, useState } from 'react';
const columns = (width: number): number => (width > 900 ? 4 : 2);
export function Grid() {
  const [count, setCount] = useState(2);
  useEffect(() => {
    const onResize = () => setCount(columns(window.innerWidth));
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  return <p>{count}</p>;
}
",
        );
    }
}
