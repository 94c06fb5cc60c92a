//! A timer begins anew because a callback is a new function.
//!
//! Listeners are for `advanced_event_handler_refs`; what is called at once is left alone.

use oxc_ast::ast::Expression;
use rb_ecma::Module;

use super::callbacks::{Callback, Runs, callbacks};
use super::hooks::Effect;
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
        what: "An effect depends on a callback that it only calls later: when a timer fires, or a promise settles.",
        why: "A new callback restarts the effect: the timer starts from zero, the request is sent twice.",
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
        safe: "A draft: the latest callback is called, and a new one no longer restarts the timer. With React 19.2 \
               it is `useEffectEvent` (`eslint-plugin-react-hooks` before 6.1 does not know it); before that a ref.",
        leave: "A new callback means something new, and the effect should run again for it.",
        given: &[],
    },
    wants: &["useEffect", "useLayoutEffect", "useInsertionEffect"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let mut all = callbacks(cx.module);
    all.retain(|it| it.runs == Runs::Later && !compares(cx.module, &it.effect));
    // One word about an effect, however many callbacks it has.
    for those in all.chunk_by(|a, b| a.effect.call.span == b.effect.call.span) {
        report(cx, those);
    }
}

fn report<'a>(cx: &mut Cx<'_, 'a>, those: &[Callback<'a>]) {
    let names: Vec<String> =
        those.iter().map(|it| format!("`{}`", cx.module.name(it.symbol))).collect();
    let (last, others) = names.split_last().expect("a group has one at least");
    let message = if others.is_empty() {
        format!(
            "{last} is only called later, but a new one restarts the effect; call the latest one instead"
        )
    } else {
        format!(
            "{} and {last} are only called later, but a new one restarts the effect; call the latest ones instead",
            others.join(", ")
        )
    };
    let package = &cx.facts.package;
    let has_events = package.react_at_least(19, 2);
    let hit = Hit::at(those[0].span, message);
    let hit = if has_events { hit } else { hit.low() };
    let is_old = has_events && package.eslint_hooks.is_some_and(|it| !it.at_least(6, 1));
    // One at a time: all of them want the same lines.
    let draft = those.iter().find_map(|it| Some((it.symbol, it.edits(cx.module, package)?)));
    let Some((symbol, edits)) = draft else {
        cx.report(hit);
        return;
    };
    let title = match those {
        [_] => "call the latest callback".to_owned(),
        _ => format!("call the latest `{}`", cx.module.name(symbol)),
    };
    cx.report(if is_old {
        hit.auto_unless(Some(OLD_LINTER), title, edits)
    } else {
        hit.assist(title, edits)
    });
}

/// Does the effect look at what was before, by `usePrevious` or by a name that says so? Then it knows itself whether there
/// is something to begin.
fn compares<'a>(module: &Module<'a>, effect: &Effect<'a>) -> bool {
    let is_kept = |name| {
        let kept = module.symbol(name).and_then(|it| module.initializer(it));
        matches!(kept.map(Expression::get_inner_expression), Some(Expression::CallExpression(call))
            if call.callee_name().is_some_and(|it| it.starts_with("usePrev")))
    };
    let code = module.slice(effect.callback.span());
    let mut words = code.split(|c: char| !c.is_alphanumeric());
    let is_said = words.any(|word| {
        let rest = word.strip_prefix("previous").or_else(|| word.strip_prefix("prev"));
        rest.is_some_and(|it| it.starts_with(|c: char| c.is_uppercase()))
    });
    is_said || effect.names().any(is_kept)
}

const OLD_LINTER: &str = "this version of eslint-plugin-react-hooks would report it as missing";

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
            7:10 note: `onFind` is only called later, but a new one restarts the effect; call the latest one instead [assist: call the latest callback]
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
            7:10 note: `onFind` is only called later, but a new one restarts the effect; call the latest one instead [assist: call the latest callback] (not proved: this version of eslint-plugin-react-hooks would report it as missing)
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
            7:11 note: `onLoad` and `onTick` are only called later, but a new one restarts the effect; call the latest ones instead [assist: call the latest `onLoad`]
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
            7:11 note: `onLoad` and `onTick` are only called later, but a new one restarts the effect; call the latest ones instead [assist: call the latest `onLoad`]
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
            // The effect compares with what was before: begun anew, it does nothing.
            (
                "const timer = setTimeout(() => onFind(q), 200);\n    return () => clearTimeout(timer);\n  }, [q, onFind]);",
                "if (q !== before) load(q).then(() => onFind(q));\n  }, [q, onFind, before]);\n  const before = usePrevious(q);",
            ),
            ("const timer", "if (before.prevQuery === q) return;\n    const timer"),
            // Not a dependency.
            ("[q, onFind]", "[q]"),
        ] {
            assert!(wrong.contains(from), "{from}");
            setup.silent(&RULE, &wrong.replace(from, to));
        }
    }

    #[test]
    fn ru1_advanced_use_latest_stands_above_the_comment() {
        let before = "import { useEffect } from 'react';
export const Tick = ({ onTick, ms }) => {
  const wide = ms > 9; // at first

  // Ticks for as long as it is shown.
  // lint-disable-next-line
  useEffect(() => {
    const timer = setInterval(() => onTick(wide), ms);
    return () => clearInterval(timer);
  }, [onTick, wide, ms]);
  return null;
};
";
        let after = Setup::new().fixed(&RULE, before, crate::Applicability::Assist);
        expect![[r#"
            import { useEffect, useEffectEvent } from 'react';
            export const Tick = ({ onTick, ms }) => {
              const wide = ms > 9; // at first

              const onTickEvent = useEffectEvent(onTick);
              // Ticks for as long as it is shown.
              // lint-disable-next-line
              useEffect(() => {
                const timer = setInterval(() => onTickEvent(wide), ms);
                return () => clearInterval(timer);
              }, [wide, ms]);
              return null;
            };
        "#]]
        .assert_eq(&after.unwrap_or_default());
    }
}
