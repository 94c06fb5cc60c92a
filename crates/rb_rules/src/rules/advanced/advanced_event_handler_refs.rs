//! A listener is taken off and put on again because a callback is a new function.
//!
//! What the effect calls by itself is left alone: then a new callback is a reason to run again. So is an effect that reads
//! what it does not list: the new callback is what brings the rest anew.

use oxc_ast::ast::{BindingPattern, Expression};
use oxc_semantic::SymbolId;
use rb_ecma::Module;

use super::callbacks::{Runs, callbacks};
use super::hooks::Effect;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "advanced-event-handler-refs",
    title: "An effect subscribes anew whenever a callback changes",
    category: Category::Advanced,
    impact: Impact::Low,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "An effect that subscribes to something depends on a callback that it only calls when something \
               happens.",
        why: "Inline callbacks are new on every render, so the effect removes and adds its listener each time.",
        wrong: "import { useEffect } from 'react';

export function useEvt(name, fn) {
  useEffect(() => {
    window.addEventListener(name, fn);
    return () => window.removeEventListener(name, fn);
  }, [name, fn]);
}",
        right: "import { useEffect, useEffectEvent } from 'react';

export function useEvt(name, fn) {
  const onEvt = useEffectEvent(fn);
  useEffect(() => {
    const handle = (event) => onEvt(event);
    window.addEventListener(name, handle);
    return () => window.removeEventListener(name, handle);
  }, [name]);
}",
        safe: "A draft: the listener calls the latest callback, and the effect no longer restarts when the callback \
               changes. With React 19.2 it is `useEffectEvent`; before that a ref that is set in an effect, never \
               while rendering.",
        leave: "The callback is stable for as long as the listener should be: it comes from `useCallback`, or from \
                the top of a file. Or the effect reads more than it lists: then the listed callback is what \
                refreshes the rest.",
        given: &[],
    },
    wants: &["useEffect", "useLayoutEffect", "useInsertionEffect"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for callback in callbacks(cx.module) {
        if callback.runs != Runs::OnEvent
            || reads_unlisted(cx.module, &callback.effect)
            || is_listed_again(cx.module, &callback.effect, callback.symbol)
        {
            continue;
        }
        let name = cx.module.name(callback.symbol);
        let when = if callback.is_inline { "every render" } else { "every change of it" };
        let message = format!(
            "`{name}` is only called on events, but {when} re-subscribes the listener; call the latest one instead"
        );
        let hit = Hit::at(callback.span, message);
        cx.report(match callback.edits(cx.module, &cx.facts.package) {
            Some(edits) => hit.assist("call the latest callback", edits),
            None => hit,
        });
    }
}

/// Is another dependency made of the callback, by `useCallback` or the like? It renews the listener all the same.
fn is_listed_again<'a>(module: &Module<'a>, effect: &Effect<'a>, callback: SymbolId) -> bool {
    let mut others = effect.names().filter_map(|it| module.symbol(it));
    others.any(|other| {
        let init = module.initializer(other).map(Expression::get_inner_expression);
        let Some(Expression::CallExpression(made)) = init else { return false };
        other != callback && module.mentions(made.span, callback)
    })
}

/// Does the effect read something that changes, and does not list it?
fn reads_unlisted(module: &Module<'_>, effect: &Effect<'_>) -> bool {
    let listed: Vec<SymbolId> = effect
        .deps
        .into_iter()
        .flat_map(|deps| module.identifiers_in(deps.span))
        .filter_map(|it| module.symbol(it))
        .collect();
    module.captures(effect.callback.span()).into_iter().any(|symbol| {
        !listed.contains(&symbol) && !module.is_top_level(symbol) && !is_steady(module, symbol)
    })
}

/// A ref, or the part of a pair that React never changes.
fn is_steady(module: &Module<'_>, symbol: SymbolId) -> bool {
    let Some(declarator) = module.declarator(symbol) else { return false };
    let init = declarator.init.as_ref().map(Expression::get_inner_expression);
    let Some(Expression::CallExpression(call)) = init else { return false };
    match (module.react_call(call), &declarator.id) {
        (Some("useRef" | "useEffectEvent"), _) => true,
        (Some("useState" | "useReducer" | "useTransition"), BindingPattern::ArrayPattern(pair)) => {
            let second = pair.elements.get(1).and_then(Option::as_ref);
            let second = second.and_then(BindingPattern::get_binding_identifier);
            second.is_some_and(|it| it.symbol_id() == symbol)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_advanced_event_handler_refs_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_advanced_event_handler_refs_is_drafted() {
        Setup::new().check(&RULE, RULE.doc.wrong, expect![[r#"
            7:13 note: `fn` is only called on events, but every change of it re-subscribes the listener; call the latest one instead [assist: call the latest callback]
            --- assist
            import { useEffect, useEffectEvent } from 'react';

            export function useEvt(name, fn) {
              const fnEvent = useEffectEvent(fn);
              useEffect(() => {
                const fnLatest: typeof fn = (...args) => fnEvent(...args);
                window.addEventListener(name, fnLatest);
                return () => window.removeEventListener(name, fnLatest);
              }, [name]);
            }
        "#]]);
        Setup::new().check(&RULE, BOX, expect![[r#"
            13:13 note: `onClose` is only called on events, but every change of it re-subscribes the listener; call the latest one instead [assist: call the latest callback]
            17:7 note: `onResize` is only called on events, but every render re-subscribes the listener; call the latest one instead [assist: call the latest callback]
            --- assist
            import { useEffect, useEffectEvent } from 'react'

            export const Box = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
              function onResize() {
                measure()
              }
              const onCloseEvent = useEffectEvent(onClose)
              useEffect(() => {
                const onKey = (event: KeyboardEvent) => {
                  if (event.key === 'Escape') onCloseEvent()
                }
                document.addEventListener('keydown', onKey)
                return () => document.removeEventListener('keydown', onKey)
              }, [open])
              useEffect(() => {
                store.on('resize', onResize)
                return () => store.off('resize', onResize)
              }, [onResize])
              return <b />
            }

        "#]]);
    }

    const BOX: &str = "import { useEffect } from 'react'

export const Box = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  function onResize() {
    measure()
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open, onClose])
  useEffect(() => {
    store.on('resize', onResize)
    return () => store.off('resize', onResize)
  }, [onResize])
  return <b />
}
";
    #[test]
    fn ru1_advanced_event_handler_refs_before_effect_events() {
        Setup::new().react(18, 2).check(&RULE, BOX, expect![[r#"
            13:13 note: `onClose` is only called on events, but every change of it re-subscribes the listener; call the latest one instead [assist: call the latest callback]
            17:7 note: `onResize` is only called on events, but every render re-subscribes the listener; call the latest one instead [assist: call the latest callback]
            --- assist
            import { useEffect, useRef, useInsertionEffect } from 'react'

            export const Box = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
              function onResize() {
                measure()
              }
              const onCloseRef = useRef(onClose)
              useInsertionEffect(() => {
                onCloseRef.current = onClose
              })
              useEffect(() => {
                const onKey = (event: KeyboardEvent) => {
                  if (event.key === 'Escape') onCloseRef.current()
                }
                document.addEventListener('keydown', onKey)
                return () => document.removeEventListener('keydown', onKey)
              }, [open])
              useEffect(() => {
                store.on('resize', onResize)
                return () => store.off('resize', onResize)
              }, [onResize])
              return <b />
            }

        "#]]);
        // What may be missing is reported; how to leave it out is for the author.
        Setup::new().check(&RULE, &BOX.replace("onClose()", "onClose?.()"), expect![[r#"
            13:13 note: `onClose` is only called on events, but every change of it re-subscribes the listener; call the latest one instead
            17:7 note: `onResize` is only called on events, but every render re-subscribes the listener; call the latest one instead [assist: call the latest callback]
            --- assist
            import { useEffect, useEffectEvent } from 'react'

            export const Box = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
              function onResize() {
                measure()
              }
              useEffect(() => {
                const onKey = (event: KeyboardEvent) => {
                  if (event.key === 'Escape') onClose?.()
                }
                document.addEventListener('keydown', onKey)
                return () => document.removeEventListener('keydown', onKey)
              }, [open, onClose])
              const onResizeEvent = useEffectEvent(onResize)
              useEffect(() => {
                const onResizeLatest: typeof onResize = (...args) => onResizeEvent(...args)
                store.on('resize', onResizeLatest)
                return () => store.off('resize', onResizeLatest)
              }, [])
              return <b />
            }

        "#]]);
    }

    #[test]
    fn ru1_advanced_event_handler_refs_keeps_what_else_is_read_fresh() {
        let effect = |reads: &str| {
            format!(
                "import {{ useEffect, useRef, useState }} from 'react';
export function Box({{ open, onClose, form }}) {{
  const at = useRef(null);
  const [n, setN] = useState(0);
  const send = () => post(form);
  useEffect(() => {{
    const onKey = (event) => {{ {reads}; onClose(); }};
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }}, [open, onClose]);
  return <b ref={{at}} onClick={{send}}>{{n}}</b>;
}}"
            )
        };
        // Not listed: it is the new callback that brings them anew.
        for reads in ["send()", "post(form)", "count(n)", "(() => send())()"] {
            Setup::new().silent(&RULE, &effect(reads));
        }
        for reads in ["at.current = 1", "setN(1)", "post(open)", "post(event)"] {
            assert_eq!(Setup::new().findings(&RULE, &effect(reads)).len(), 1, "{reads}");
        }
    }

    #[test]
    fn ru1_advanced_event_handler_refs_leaves_the_rest_alone() {
        let setup = Setup::new();
        let wrong = RULE.doc.wrong;
        for (from, to) in [
            // It stays the same.
            ("(name, fn) {", "(name, f) {\n  const fn = useCallback(f, []);"),
            ("(name, fn) {", "(name) {\n  const [v, fn] = useState(0);"),
            ("(name, fn) {", "(name) {"),
            ("fn", "setValue"),
            // It is called at mount, too.
            ("window.addEventListener(name, fn);", "fn(); window.addEventListener(name, fn);"),
            // Once, and whoever takes it off elsewhere.
            ("(name, fn);\n    return", "(name, fn, { once: true });\n    return"),
            (
                "  useEffect",
                "  const stop = () => window.removeEventListener(name, fn);\n  useEffect",
            ),
            // No pair.
            ("    return () => window.removeEventListener(name, fn);\n", ""),
            // It is called when the effect ends.
            ("return () =>", "return () => fn() ||"),
            // Another dependency is made of it, and renews the listener all the same.
            (
                "  useEffect(() => {\n    window.addEventListener(name, fn);\n    return () => window.removeEventListener(name, fn);\n  }, [name, fn]);",
                "  const onKey = useCallback((event) => fn(event), [fn]);\n  useEffect(() => {\n    const on = (event) => { fn(event); onKey(event); };\n    window.addEventListener(name, on);\n    return () => window.removeEventListener(name, on);\n  }, [name, fn, onKey]);",
            ),
        ] {
            assert!(wrong.contains(from), "{from}");
            setup.silent(&RULE, &wrong.replace(from, to));
        }
    }
}
