//! A timer begins anew because a callback is a new function.
//!
//! Listeners are for `advanced_event_handler_refs`; what is called at once is left alone.

use super::callbacks::{Runs, callbacks};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "advanced-use-latest",
    title: "A timer or request begins anew whenever a callback changes",
    category: Category::Advanced,
    impact: Impact::Low,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "An effect depends on a callback that it calls later only: when a timer is due, or a promise is settled.",
        why: "A new callback ends the effect and begins it again: the timer starts from zero, the request is sent twice.",
        wrong: "import { useEffect } from 'react';

export function useSearch(q, onFind) {
  useEffect(() => {
    const timer = setTimeout(() => onFind(q), 200);
    return () => clearTimeout(timer);
  }, [q, onFind]);
}",
        right: "import { useEffect, useEffectEvent } from 'react';

export function useSearch(q, onFind) {
  const find = useEffectEvent(onFind);
  useEffect(() => {
    const timer = setTimeout(() => find(q), 200);
    return () => clearTimeout(timer);
  }, [q]);
}",
        safe: "A draft: the latest callback is called, and a new one no longer begins the timer anew. With React 19.2 it is \
               `useEffectEvent` (a linter before `eslint-plugin-react-hooks` 6.1 does not know it); before that a ref.",
        leave: "A new callback means something new, and the effect is to run again for it.",
        given: &[],
    },
    wants: &["useEffect", "useLayoutEffect", "useInsertionEffect"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for callback in callbacks(cx.module) {
        if callback.runs != Runs::Later {
            continue;
        }
        let package = &cx.facts.package;
        let has_events = package.react_at_least(19, 2);
        let name = cx.module.name(callback.symbol);
        let message = format!(
            "`{name}` is only called later, and a new one makes the effect begin anew: read the latest one instead"
        );
        let hit = Hit::at(callback.span, message);
        let hit = if has_events { hit } else { hit.low() };
        let is_old = has_events && package.eslint_hooks.is_some_and(|it| !it.at_least(6, 1));
        let title = "call the latest callback";
        cx.report(match callback.edits(cx.module, package) {
            Some(edits) if is_old => hit.auto_unless(Some(OLD_LINTER), title, edits),
            Some(edits) => hit.assist(title, edits),
            None => hit,
        });
    }
}

const OLD_LINTER: &str = "this version of eslint-plugin-react-hooks would ask for it back";

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::Version;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_advanced_use_latest_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_advanced_use_latest_is_drafted() {
        let setup = Setup::new();
        setup.check(&RULE, RULE.doc.wrong, expect![[r#"
            7:10 note: `onFind` is only called later, and a new one makes the effect begin anew: read the latest one instead [assist: call the latest callback]
            --- assist
            import { useEffect, useEffectEvent } from 'react';

            export function useSearch(q, onFind) {
              const onFindEvent = useEffectEvent(onFind);
              useEffect(() => {
                const timer = setTimeout(() => onFindEvent(q), 200);
                return () => clearTimeout(timer);
              }, [q]);
            }
        "#]]);
        let older = |it: &mut crate::PackageFacts| it.eslint_hooks = Some(Version::new(5, 2, 0));
        Setup::new().package(older).check(&RULE, RULE.doc.wrong, expect![[r#"
            7:10 note: `onFind` is only called later, and a new one makes the effect begin anew: read the latest one instead [assist: call the latest callback] (not proved: this version of eslint-plugin-react-hooks would ask for it back)
            --- assist
            import { useEffect, useEffectEvent } from 'react';

            export function useSearch(q, onFind) {
              const onFindEvent = useEffectEvent(onFind);
              useEffect(() => {
                const timer = setTimeout(() => onFindEvent(q), 200);
                return () => clearTimeout(timer);
              }, [q]);
            }
        "#]]);
        let text = "import * as React from 'react'
export function A({ id, onLoad, onTick }: Props) {
  React.useEffect(() => {
    load(id).then((it) => onLoad(it))
    const timer = window.setInterval(onTick, 1000)
    return () => clearInterval(timer)
  }, [id, onLoad, onTick])
  return <b />
}
";
        setup.check(&RULE, text, expect![[r#"
            7:11 note: `onLoad` is only called later, and a new one makes the effect begin anew: read the latest one instead [assist: call the latest callback]
            7:19 note: `onTick` is only called later, and a new one makes the effect begin anew: read the latest one instead [assist: call the latest callback]
            --- assist
            import * as React from 'react'
            export function A({ id, onLoad, onTick }: Props) {
              const onLoadEvent = React.useEffectEvent(onLoad)
              React.useEffect(() => {
                load(id).then((it) => onLoadEvent(it))
                const timer = window.setInterval(onTick, 1000)
                return () => clearInterval(timer)
              }, [id, onTick])
              return <b />
            }

        "#]]);
        Setup::new().react(17, 0).check(&RULE, text, expect![[r#"
            7:11 note: `onLoad` is only called later, and a new one makes the effect begin anew: read the latest one instead [assist: call the latest callback]
            7:19 note: `onTick` is only called later, and a new one makes the effect begin anew: read the latest one instead [assist: call the latest callback]
            --- assist
            import * as React from 'react'
            export function A({ id, onLoad, onTick }: Props) {
              const onLoadRef = React.useRef(onLoad)
              React.useLayoutEffect(() => {
                onLoadRef.current = onLoad
              })
              React.useEffect(() => {
                load(id).then((it) => onLoadRef.current(it))
                const timer = window.setInterval(onTick, 1000)
                return () => clearInterval(timer)
              }, [id, onTick])
              return <b />
            }

        "#]]);
    }

    #[test]
    fn ru1_advanced_use_latest_leaves_the_rest_alone() {
        let setup = Setup::new();
        let wrong = RULE.doc.wrong;
        for (from, to) in [
            // It is called at once.
            ("const timer", "onFind(q); const timer"),
            // It stays the same.
            ("(q, onFind) {", "(q, f) {\n  const onFind = useCallback(f, []);"),
            ("onFind", "setFound"),
            // It is handed to somebody unknown: a new one may matter.
            ("onFind(q), 200", "run(onFind), 200"),
            ("setTimeout(() => onFind(q), 200)", "schedule(() => onFind(q))"),
            // How long the timer is.
            ("onFind(q), 200", "log(q), onFind"),
            // Not a dependency.
            ("[q, onFind]", "[q]"),
        ] {
            assert!(wrong.contains(from), "{from}");
            setup.silent(&RULE, &wrong.replace(from, to));
        }
    }
}
