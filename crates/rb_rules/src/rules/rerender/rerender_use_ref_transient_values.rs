//! State that nothing shows: each change renders for nothing.
//! State that a hook hands on or depends on is left alone, even where a ref would do.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::{Func, FunctionKind, Module, Use};

use super::hooks::{
    State, attribute_around, call_of, hook_of_dep, is_handler_name, is_ref, states,
};
use super::imports::{bring, settle};
use super::places::places;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-use-ref-transient-values",
    title: "State that never reaches the output should be a ref",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A state is read only in event handlers and effects: nothing that is shown, passed on or listed as a \
               dependency uses it.",
        why: "Each call of the setter re-renders the component with the same result. A ref keeps the value without a \
              render, and handlers see it at once.",
        wrong: "import { useState } from 'react';\nconst Pad = () => {\n  const [last, setLast] = useState(0);\n  const onMove = (e) => {\n    if (e.clientX - last > 9) ping();\n    setLast(e.clientX);\n  };\n  return <div onMouseMove={onMove} />;\n};",
        right: "import { useRef } from 'react';\nconst Pad = () => {\n  const last = useRef(0);\n  const onMove = (e) => {\n    if (e.clientX - last.current > 9) ping();\n    last.current = e.clientX;\n  };\n  return <div onMouseMove={onMove} />;\n};",
        safe: "Always a draft: readers see the new value at once instead of with the next render, and renders that \
               something else relied on are gone.",
        leave: "The setter is called in order to re-render.",
        given: &[],
    },
    wants: &["useState"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let all = states(module);
    let setters: Vec<SymbolId> = all.iter().filter_map(State::setter_symbol).collect();
    for state in all {
        let Some(setter) = state.setter_symbol() else { continue };
        let is_rendering =
            module.function_view(state.owner).is_some_and(|view| view.kind != FunctionKind::Other);
        if is_rendering && let Some(event) = only_moves(module, &state) {
            let message = format!(
                "every `{event}` event re-renders the component to restyle one element by `{}`; set the style through a ref",
                state.name()
            );
            let condition = "other parts of the component may depend on it";
            cx.report(Hit::at(state.declarator.span, message).likely(condition));
        }
        if !is_rendering || !is_transient(module, &state) || shows_refs(module, &state) {
            continue;
        }
        if !renders_alone(module, &state, &setters) {
            continue;
        }
        let is_frequent = module.value_uses(setter).any(|it| is_in_frequent_handler(module, &it));
        let message = format!(
            "`{}` is not used for rendering, but every `{}` call re-renders the component; keep it in a ref",
            state.name(),
            module.name(setter)
        );
        let hit = Hit::at(state.declarator.span, message);
        let hit = if is_frequent { hit } else { hit.low() };
        cx.report(match edits(module, &state) {
            Some(edits) => hit.assist("keep it in a ref", edits),
            None => hit,
        });
    }
}

/// The frequent event of the page that sets a state which the `style` of plain elements alone reads.
fn only_moves<'a>(module: &Module<'a>, state: &State<'a>) -> Option<&'a str> {
    let mut reads = module.value_uses(state.symbol()).peekable();
    reads.peek()?;
    let is_style = reads.all(|it| {
        let mut around = module.ancestors(it.node);
        around.any(|kind| {
            matches!(kind, AstKind::JSXAttribute(it)
                if module.slice(it.name.span()) == "style")
        }) && module.function_around(it.node).map(Func::node) == Some(state.owner.node())
    });
    let mut sets = module.value_uses(state.setter_symbol()?);
    if is_style {
        sets.find_map(|it| listened(module, module.function_around(it.node)?))
    } else {
        None
    }
}

/// `mousemove` of `addEventListener('mousemove', listener)`.
fn listened<'a>(module: &Module<'a>, listener: Func<'a>) -> Option<&'a str> {
    const EVENTS: &[&str] = &["mousemove", "pointermove", "touchmove", "scroll", "wheel", "drag"];
    let symbol = module.function_view(listener).and_then(|it| it.symbol);
    module.calls().iter().find_map(|call| {
        let [first, second, ..] = call.arguments.as_slice() else { return None };
        let Expression::StringLiteral(event) = first.as_expression()? else { return None };
        let second = second.as_expression()?;
        let is_it = second.span() == listener.span()
            || symbol.is_some() && module.symbol_of(second) == symbol;
        let is_listening = call.callee_name() == Some("addEventListener")
            || matches!(call.callee.get_inner_expression(), Expression::StaticMemberExpression(it)
                if it.property.name == "addEventListener");
        let event = event.value.as_str();
        (is_it && is_listening && EVENTS.contains(&event)).then_some(event)
    })
}

/// Read in handlers and effects, at least once, and nowhere else; set there, too.
fn is_transient<'a>(module: &Module<'a>, state: &State<'a>) -> bool {
    let Some(setter) = state.setter_symbol() else { return false };
    let mut reads = module.value_uses(state.symbol());
    // What is read for its own next value alone is read by nobody, or is set in order to render.
    let is_read = module.value_uses(state.symbol()).any(|it| !is_for_itself(module, setter, &it));
    let all_outside = reads.all(|it| {
        hook_of_dep(module, it.node).is_none()
            && places(module, state.owner, it.node).is_handler_only()
    });
    let is_set = module.value_uses(setter).any(|it| call_of(module, &it).is_some());
    // The setter of a pair that is handed on may be called to render.
    let is_kept = module.value_uses(setter).all(|it| {
        hook_of_dep(module, it.node).is_some()
            || (call_of(module, &it).is_some()
                && places(module, state.owner, it.node).is_outside_render())
    });
    is_read && all_outside && is_set && is_kept
}

/// `setOpen(!open)`.
fn is_for_itself<'a>(module: &Module<'a>, setter: SymbolId, it: &Use<'a>) -> bool {
    module.ancestors(it.node).any(|kind| {
        matches!(kind, AstKind::CallExpression(call) if module.symbol_of(&call.callee) == Some(setter))
    })
}

/// Is there a call of the setter that is the only one of its function? Where another state is set beside it, there is a
/// render anyway.
fn renders_alone<'a>(module: &Module<'a>, state: &State<'a>, setters: &[SymbolId]) -> bool {
    let Some(setter) = state.setter_symbol() else { return false };
    module.value_uses(setter).filter_map(|it| module.function_around(it.node)).any(|func| {
        module.identifiers_in(func.span()).iter().all(|it| {
            let symbol = module.symbol(it);
            let is_setter = symbol.is_some_and(|it| it != setter && setters.contains(&it));
            !is_setter && !is_setter_name(it.name.as_str(), symbol == Some(setter))
        })
    })
}

/// `setOpen` of a store or of the parent renders as well.
fn is_setter_name(name: &str, is_own: bool) -> bool {
    let starts = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    !is_own
        && name != "setTimeout"
        && name != "setInterval"
        && (starts("set") || name == "dispatch")
}

/// Does the component show what a ref holds? Then a render may be what the setter is called for.
fn shows_refs<'a>(module: &Module<'a>, state: &State<'a>) -> bool {
    module.identifiers_in(state.owner.span()).iter().any(|it| {
        let Some(symbol) = module.symbol(it) else { return false };
        if !is_ref(module, symbol) {
            return false;
        }
        let node = it.node_id.get();
        matches!(module.parent(node), AstKind::StaticMemberExpression(member) if member.property.name == "current")
            && places(module, state.owner, node).render
    })
}

fn is_in_frequent_handler<'a>(module: &Module<'a>, it: &Use<'a>) -> bool {
    const EVENTS: &[&str] = &["Move", "Scroll", "Wheel", "Drag", "DragOver", "Resize"];
    let Some(func) = module.function_around(it.node) else { return false };
    let is_frequent = |node| {
        attribute_around(module, node).is_some_and(|(name, _)| {
            is_handler_name(name) && EVENTS.iter().any(|event| name.ends_with(event))
        })
    };
    if is_frequent(func.node()) {
        return true;
    }
    let symbol = match module.function_view(func) {
        Some(view) => view.symbol,
        None => None,
    };
    symbol.is_some_and(|symbol| module.value_uses(symbol).any(|it| is_frequent(it.node)))
}

/// `useRef` for `useState`, `.current` for reads, assignments for calls of the setter.
fn edits<'a>(module: &Module<'a>, state: &State<'a>) -> Option<Vec<Edit>> {
    let name = state.name();
    let setter = state.setter_symbol()?;
    let is_lazy = state.initial().is_some_and(|it| it.get_inner_expression().is_function());
    let is_typed = state.declarator.type_annotation.is_some();
    if is_lazy || is_typed || module.has_comment(state.declarator.span) {
        return None;
    }
    let mut edits = Vec::new();
    for it in module.uses(state.symbol()) {
        if it.is_type() {
            return None;
        }
        let is_shorthand =
            matches!(module.parent(it.node), AstKind::ObjectProperty(it) if it.shorthand);
        let text = if is_shorthand { format!(": {name}.current") } else { ".current".to_owned() };
        edits.push(Edit::insert(it.span.end, text));
    }
    for it in module.value_uses(setter) {
        edits.extend(assignment(module, name, call_of(module, &it)?)?);
    }
    let call = state.call;
    let gone = [call.callee.span()];
    let mut symbols: Vec<_> = module.symbol_of(&call.callee).into_iter().collect();
    let hook = if let Expression::StaticMemberExpression(member) = &call.callee {
        // `React.useRef` where it says `React.useState`.
        format!("{}.useRef", module.slice(member.object.span()))
    } else {
        let (hook, brought) = bring(module, "useRef", &mut symbols, &gone)?;
        edits.extend(brought);
        hook
    };
    let pattern = state.declarator.id.span();
    let text = format!("{name} = {hook}");
    edits.push(Edit::replace(pattern.start, call.callee.span().end, text));
    if call.arguments.is_empty() {
        edits.push(Edit::insert(call.span.end - 1, "undefined"));
    }
    edits.extend(settle(module, &symbols, &gone, &gone)?);
    Some(edits)
}

/// `setLast(x)` as `last.current = x`.
fn assignment<'a>(
    module: &Module<'a>,
    name: &str,
    call: &'a CallExpression<'a>,
) -> Option<Vec<Edit>> {
    let [argument] = call.arguments.as_slice() else { return None };
    let value = argument.as_expression()?;
    if value.get_inner_expression().is_function() {
        return None;
    }
    let (open, close) = match module.parent(call.node_id.get()) {
        AstKind::ExpressionStatement(_) => ("", String::new()),
        // `() => setLast(x)` gives nothing back.
        AstKind::ArrowFunctionExpression(_) => ("{ ", format!("{} }}", module.style().semicolon())),
        _ => ("(", ")".to_owned()),
    };
    let start =
        Edit::replace(call.span.start, value.span().start, format!("{open}{name}.current = "));
    Some(vec![start, Edit::replace(value.span().end, call.span.end, close)])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_use_ref_transient_values_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_use_ref_transient_values_is_found() {
        Setup::new().check(
            &RULE,
            "import { useState } from 'react';
export function Pad() {
  const [last, setLast] = useState<number>();
  const [from, setFrom] = useState({ x: 0 });
  const onMove = (e: PointerEvent) => {
    if (e.clientX - (last ?? 0) > 9) ping({ last });
    setLast(e.clientX);
  };
  return <div onPointerMove={onMove} onPointerDown={(e) => setFrom({ x: e.clientX })} onPointerUp={() => drop(from)} />;
}
",
            expect![[r#"
                3:9 warning: `last` is not used for rendering, but every `setLast` call re-renders the component; keep it in a ref [assist: keep it in a ref]
                4:9 note: `from` is not used for rendering, but every `setFrom` call re-renders the component; keep it in a ref [assist: keep it in a ref]
                --- assist
                import { useState, useRef } from 'react';
                export function Pad() {
                  const last = useRef<number>(undefined);
                  const [from, setFrom] = useState({ x: 0 });
                  const onMove = (e: PointerEvent) => {
                    if (e.clientX - (last.current ?? 0) > 9) ping({ last: last.current });
                    last.current = e.clientX;
                  };
                  return <div onPointerMove={onMove} onPointerDown={(e) => setFrom({ x: e.clientX })} onPointerUp={() => drop(from)} />;
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_use_ref_transient_values_keeps_the_way_hooks_are_written() {
        Setup::new().check(
            &RULE,
            "import * as React from 'react';
import { useEffect } from 'react';
export function Pad() {
  const [isOver, setIsOver] =
    React.useState(false);
  useEffect(() => {}, []);
  return <input onMouseEnter={() => setIsOver(true)} onBlur={() => isOver && go()} />;
}
",
            expect![[r#"
                4:9 note: `isOver` is not used for rendering, but every `setIsOver` call re-renders the component; keep it in a ref [assist: keep it in a ref]
                --- assist
                import * as React from 'react';
                import { useEffect } from 'react';
                export function Pad() {
                  const isOver = React.useRef(false);
                  useEffect(() => {}, []);
                  return <input onMouseEnter={() => { isOver.current = true; }} onBlur={() => isOver.current && go()} />;
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_use_ref_transient_values_leaves_others() {
        let setup = Setup::new();
        for body in [
            // Shown, passed on, depended on, returned.
            "return <div onMouseMove={(e) => { go(last); setLast(e.x); }}>{last}</div>;",
            "return <Child last={last} onMove={(e) => { go(last); setLast(e.x); }} />;",
            "useEffect(() => { go(last); }, [last]); return <div onMouseMove={(e) => setLast(e.x)} />;",
            "const on = useCallback((e) => { go(last); setLast(e.x); }, [last]); return <div onMouseMove={on} />;",
            // Through a closure that is shown.
            "const label = () => last + 1; return <div onMouseMove={(e) => { go(last); setLast(e.x); }}>{label()}</div>;",
            "return <div onMouseMove={(e) => setLast(e.x)}>{rows.map(() => <i>{last}</i>)}</div>;",
            // Set in order to render.
            "return <div onMouseMove={(e) => setLast({})} />;",
            "const ref = useRef(0); return <div onMouseMove={(e) => { go(last); ref.current++; setLast(e.x); }}>{ref.current}</div>;",
            // Read for its own next value alone: nobody would read the ref, or the render is what it is for.
            "return <Menu button={<i onClick={() => setLast(!last)} />} onClose={() => setLast(0)} />;",
            "const renew = () => { setLast(last + 1); }; return <b onClick={renew} />;",
            // There is a render anyway.
            "const [open, setOpen] = useState(false); return <div onClick={() => { setLast(1); setOpen(true); }} onBlur={() => go(last)}>{open}</div>;",
            // Given to somebody else.
            "return <Child setLast={setLast} onMove={() => go(last)} />;",
            "const api = useEvent(() => last); return <div onMouseMove={(e) => setLast(e.x)} onClick={api} />;",
        ] {
            setup.silent(&RULE, &format!("import {{ useCallback, useEffect, useRef, useState }} from 'react';\nfunction A({{ rows }}) {{ const [last, setLast] = useState(0); {body} }}"));
        }
        setup.silent(&RULE, "import { useState } from 'react';\nfunction useLast() { const [last, setLast] = useState(0); const on = () => { go(last); setLast(1); }; return { on }; }");
    }

    #[test]
    fn ru1_rerender_use_ref_transient_values_candidates() {
        let text = "import { useEffect, useState } from 'react';
function Dot() {
  const [x, setX] = useState(0);
  useEffect(() => {
    const onMove = (e) => setX(e.clientX);
    window.addEventListener('mousemove', onMove);
    return () => window.removeEventListener('mousemove', onMove);
  }, []);
  return <div style={{ left: x }} />;
}";
        let setup = Setup::new();
        setup.likely(&RULE, text);
        // Seldom, or shown as a text.
        setup.silent(&RULE, &text.replace("mousemove", "keydown"));
        setup.silent(&RULE, &text.replace("<div style={{ left: x }} />", "<b>{x}</b>"));
    }
}
