//! An Effect Event in a list of dependencies makes the effect run after every render.
//!
//! Only React's own hook counts: a home-made one may give a function that stays the same.

use oxc_ast::ast::{Expression, IdentifierReference};
use oxc_span::Span;

use super::hooks::{Effect, effects, without};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "advanced-effect-event-deps",
    title: "An Effect Event is no dependency",
    category: Category::Advanced,
    impact: Impact::Low,
    fix: FixKind::Auto,
    level: Level::Audit,
    repairs: true,
    doc: Doc {
        what: "The result of `useEffectEvent` is listed among the dependencies of an effect.",
        why: "It is a new function on every render, so the effect runs after every render; React says that it must \
              not be listed.",
        wrong: "import { useEffect, useEffectEvent } from 'react';

export function useRoom(room: string, cb: () => void) {
  const onUp = useEffectEvent(cb);
  useEffect(() => connect(room, () => onUp()), [room, onUp]);
}",
        right: "import { useEffect, useEffectEvent } from 'react';

export function useRoom(room: string, cb: () => void) {
  const onUp = useEffectEvent(cb);
  useEffect(() => connect(room, () => onUp()), [room]);
}",
        safe: "Fixed automatically if the name is bound to React's own hook (19.2 or newer), and no linter of the \
               project is known to demand it: `eslint-plugin-react-hooks` is absent, or 6.1 or newer. The effect \
               then no longer runs when nothing changed, as the hook promises.",
        leave: "The hook comes from elsewhere and returns a stable function: then listing it does no harm.",
        given: &[],
    },
    wants: &["useEffectEvent"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for effect in effects(cx.module) {
        let events = listed_events(cx, &effect);
        let (Some(deps), Some(first)) = (effect.deps, events.first()) else { continue };
        let names: Vec<String> = events.iter().map(|it| format!("`{}`", it.name)).collect();
        let names = names.join(", ");
        let message = if events.len() == 1 {
            format!(
                "{names} is an Effect Event and changes on every render; remove it from the dependency array"
            )
        } else {
            format!(
                "{names} are Effect Events and change on every render; remove them from the dependency array"
            )
        };
        let spans: Vec<Span> = events.iter().map(|it| it.span).collect();
        let hit = Hit::at(first.span, message);
        let title = "remove it from the dependency array";
        cx.report(hit.auto_unless(doubt(cx, deps.span), title, without(deps, &spans)));
    }
}

fn listed_events<'a>(cx: &Cx<'_, 'a>, effect: &Effect<'a>) -> Vec<&'a IdentifierReference<'a>> {
    effect.names().filter(|name| is_event(cx, name)).collect()
}

fn is_event<'a>(cx: &Cx<'_, 'a>, name: &IdentifierReference<'a>) -> bool {
    let Some(init) = cx.module.symbol(name).and_then(|it| cx.module.initializer(it)) else {
        return false;
    };
    let Expression::CallExpression(call) = init.get_inner_expression() else { return false };
    let hook = cx.module.react_call(call);
    matches!(hook, Some("useEffectEvent" | "experimental_useEffectEvent"))
}

fn doubt(cx: &Cx<'_, '_>, deps: Span) -> Option<&'static str> {
    let package = &cx.facts.package;
    let is_experimental = cx.module.text().contains("experimental_useEffectEvent");
    if !package.react_at_least(19, 2) && !is_experimental {
        return Some("React may be older than 19.2");
    }
    if cx.module.has_comment(deps) {
        return Some("the dependency array contains a comment");
    }
    match package.eslint_hooks {
        Some(version) if !version.at_least(6, 1) => {
            Some("this version of eslint-plugin-react-hooks would report it as missing")
        }
        None if package.depends_on("eslint-plugin-react-hooks")
            || package.depends_on("eslint-config-next") =>
        {
            Some("the version of eslint-plugin-react-hooks is unknown")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::Version;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_advanced_effect_event_deps_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_advanced_effect_event_deps_in_every_form() {
        Setup::new().check(
            &RULE,
            "import * as React from 'react'
import { useLayoutEffect as layout, useEffectEvent as event, experimental_useEffectEvent as old } from 'react'

export const useA = (cb, room) => {
  const a = React.useEffectEvent(cb)
  const b = event(() => cb(room))
  const c = old(cb)
  React.useEffect(() => a(), [a])
  layout(() => { b(); a() }, [b, room, a])
  layout(() => c(room), [room, c, cb])
  layout(() => { a(); b() }, [
    room,
    a,
    b,
  ])
}
",
            expect![[r#"
                8:31 note: `a` is an Effect Event and changes on every render; remove it from the dependency array [auto: remove it from the dependency array]
                9:31 note: `b`, `a` are Effect Events and change on every render; remove them from the dependency array [auto: remove it from the dependency array]
                10:32 note: `c` is an Effect Event and changes on every render; remove it from the dependency array [auto: remove it from the dependency array]
                13:5 note: `a`, `b` are Effect Events and change on every render; remove them from the dependency array [auto: remove it from the dependency array]
                --- auto
                import * as React from 'react'
                import { useLayoutEffect as layout, useEffectEvent as event, experimental_useEffectEvent as old } from 'react'

                export const useA = (cb, room) => {
                  const a = React.useEffectEvent(cb)
                  const b = event(() => cb(room))
                  const c = old(cb)
                  React.useEffect(() => a(), [])
                  layout(() => { b(); a() }, [room])
                  layout(() => c(room), [room, cb])
                  layout(() => { a(); b() }, [
                    room,
                  ])
                }

            "#]],
        );
    }

    #[test]
    fn ru1_advanced_effect_event_deps_leaves_others_alone() {
        let setup = Setup::new();
        // Not React's hook; a member of it; a list that is none of an effect; a list that is made elsewhere.
        for text in [
            "import { useEffect } from 'react';\nimport { useEffectEvent } from './own';\nfunction useA(f) { const e = useEffectEvent(f); useEffect(() => e(), [e]); }",
            "import { useEffect, useEffectEvent } from 'react';\nfunction useA(f) { const e = useEffectEvent(f); useEffect(() => e(), [f]); }",
            "import { useMemo, useEffectEvent } from 'react';\nfunction useA(f) { const e = useEffectEvent(f); return useMemo(() => 1, [e]); }",
            "import { useEffect, useEffectEvent } from 'react';\nfunction useA(f) { const e = useEffectEvent(f); const d = [e]; useEffect(() => e(), d); }",
        ] {
            setup.silent(&RULE, text);
        }
    }

    #[test]
    fn ru1_advanced_effect_event_deps_without_proof() {
        let text = "import { useEffect, useEffectEvent } from 'react';\nfunction useA(f) { const e = useEffectEvent(f); useEffect(() => e(), [e]); }";
        Setup::new().react(18, 3).no_auto(&RULE, text);
        let older = |it: &mut crate::PackageFacts| it.eslint_hooks = Some(Version::new(5, 2, 0));
        Setup::new().package(older).no_auto(&RULE, text);
        let unknown = |it: &mut crate::PackageFacts| {
            it.dependencies.insert("eslint-plugin-react-hooks".into());
        };
        Setup::new().package(unknown).no_auto(&RULE, text);
        Setup::new().no_auto(&RULE, &text.replace("[e]", "[/* on purpose */ e]"));
        let newer = |it: &mut crate::PackageFacts| it.eslint_hooks = Some(Version::new(6, 1, 0));
        Setup::new().package(newer).fixes(&RULE, text, &text.replace("[e]", "[]"));
    }
}
