//! What starts the application runs on every mount of its root.
//!
//! Only names that speak of a start are taken for one; which code must run once is for the author to say.

use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_span::GetSpan;
use rb_ecma::{Func, FunctionKind, FunctionView, Module};

use super::hooks::{Effect, effects};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "advanced-init-once",
    title: "Start-up code runs on every mount",
    category: Category::Advanced,
    impact: Impact::LowMedium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "An effect of the root component starts something for the whole application: telemetry, a client, a \
               registry.",
        why: "The root mounts twice in development, and again whenever something above it changes: what should start \
              once starts again.",
        wrong: "import { useEffect } from 'react';
import { startTelemetry } from './telemetry';

export const App = () => {
  useEffect(() => {
    startTelemetry();
  }, []);
  return <Main />;
};",
        right: "import { useEffect } from 'react';
import { startTelemetry } from './telemetry';

let started = false;

export const App = () => {
  useEffect(() => {
    if (started) return;
    started = true;
    startTelemetry();
  }, []);
  return <Main />;
};",
        safe: "No fix is offered: a module-level flag outlives tests, reloads and mounts, and only you know whether \
               that is wanted.",
        leave: "It must happen on every mount.",
        given: &[],
    },
    wants: &["useEffect", "useLayoutEffect", "useInsertionEffect"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for effect in effects(module) {
        if !effect.is_on_mount() || effect.has_cleanup() || effect.callback.is_async() {
            continue;
        }
        let Some(component) = component(cx, &effect) else { continue };
        let Some(call) = starting(module, effect.callback, is_root(cx, component)) else {
            continue;
        };
        let name = module.slice(call.callee.span());
        let owner = component.name.unwrap_or("the root");
        let message = format!(
            "`{name}` is app-wide initialization but runs on every mount of `{owner}`; call it at the entry point or guard it with a module-level flag"
        );
        let hit = Hit::at(call.span, message);
        cx.report(if is_root(cx, component) {
            hit
        } else {
            hit.likely(format!("`{owner}` may need it on every mount"))
        });
    }
}

fn component<'c, 'a>(cx: &Cx<'c, 'a>, effect: &Effect<'a>) -> Option<&'c FunctionView<'a>> {
    let around = cx.module.component_or_hook_around(effect.call.node_id.get())?;
    (around.kind == FunctionKind::Component).then_some(around)
}

fn is_root(cx: &Cx<'_, '_>, component: &FunctionView<'_>) -> bool {
    cx.facts.is_root || component.name.is_none_or(|name| ["App", "MyApp"].contains(&name))
}

/// The first call, where the function is made of calls of imported functions alone, and hands them nothing of the component.
fn starting<'a>(
    module: &Module<'a>,
    callback: Func<'a>,
    is_root: bool,
) -> Option<&'a CallExpression<'a>> {
    let statements = callback.statements();
    let calls: Vec<&'a CallExpression<'a>> = statements.iter().filter_map(call).collect();
    let is_all = !calls.is_empty() && calls.len() == statements.len();
    let is_free = module.captures(callback.span()).iter().all(|&it| module.is_top_level(it));
    let imported = calls.iter().all(|it| is_imported(module, it));
    // Below the root, what is connected or enabled on mount mostly belongs to the component.
    let names = if is_root { starts } else { is_global };
    let first = calls.iter().copied().find(|it| names(module.slice(it.callee.span())))?;
    (is_all && is_free && imported).then_some(first)
}

/// `f();` and `void f();`
fn call<'a>(statement: &'a Statement<'a>) -> Option<&'a CallExpression<'a>> {
    let Statement::ExpressionStatement(it) = statement else { return None };
    let inner = match it.expression.get_inner_expression() {
        Expression::UnaryExpression(it) if it.operator.is_void() => {
            it.argument.get_inner_expression()
        }
        other => other,
    };
    match inner {
        Expression::CallExpression(call) => Some(call),
        _ => None,
    }
}

fn is_imported<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let root = module.identifiers_in(call.callee.span()).first();
    root.and_then(|it| module.symbol(it)).is_some_and(|it| module.import(it).is_some())
}

/// Names of what the whole application has but one of: who is logged in, and what is kept in the browser.
fn is_global(callee: &str) -> bool {
    const WORDS: &[&str] = &["auth", "session", "storage", "telemetry", "token"];
    const VERBS: &[&str] = &["check", "hydrate", "init", "load", "restore", "start"];
    let name = callee.rsplit('.').next().unwrap_or(callee);
    let words = rb_ecma::words(name);
    words.first().is_some_and(|it| VERBS.contains(&it.as_str()))
        && words.iter().any(|it| WORDS.contains(&it.as_str()))
}

/// Names of what is done once for all.
fn starts(callee: &str) -> bool {
    const WORDS: &[&str] = &[
        "init",
        "start",
        "setup",
        "register",
        "install",
        "boot",
        "configure",
        "enable",
        "connect",
        "initialize",
    ];
    let name = callee.rsplit('.').next().unwrap_or(callee).to_lowercase();
    WORDS.iter().any(|word| name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_advanced_init_once_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_advanced_init_once_in_every_form() {
        Setup::new().root().path("pages/_app.tsx").check(
            &RULE,
            "import React from 'react';
import * as Sentry from 'sentry';
import { registerIcons, KEY } from './icons';
export default function Shell({ Component }) {
  React.useEffect(() => { Sentry.init({ key: KEY }); void registerIcons(); }, []);
  return <Component />;
}",
            expect![[r#"
                5:27 note: `Sentry.init` is app-wide initialization but runs on every mount of `Shell`; call it at the entry point or guard it with a module-level flag
            "#]],
        );
    }

    #[test]
    fn ru1_advanced_init_once_leaves_the_rest_alone() {
        let setup = Setup::new();
        let wrong = RULE.doc.wrong;
        for (from, to) in [
            // Work of every mount.
            ("startTelemetry", "fetchUser"),
            ("startTelemetry();", "document.title = 'x';"),
            // It ends what it began.
            ("startTelemetry();", "return startTelemetry();"),
            // A value of the component.
            ("() => {\n  useEffect", "({ user }) => {\n  useEffect"),
            // Not the root, and something of its own.
            ("startTelemetry", "startPanel"),
            ("}, [])", "}, [a])"),
            ("import { startTelemetry } from './telemetry';", "function startTelemetry() {}"),
        ] {
            assert!(wrong.contains(from), "{from}");
            let text = wrong.replace(from, to);
            let text = if to == "startPanel" { text.replace("App", "Panel") } else { text };
            let text = if to.starts_with("({ user })") {
                text.replace("startTelemetry();", "startTelemetry(user);")
            } else {
                text
            };
            setup.silent(&RULE, &text);
        }
    }

    #[test]
    fn ru1_advanced_init_once_candidates() {
        let setup = Setup::new();
        // Of the whole application by its name, in a component that is not its root.
        setup.likely(&RULE, &RULE.doc.wrong.replace("App", "Panel"));
        let storage = RULE.doc.wrong.replace("startTelemetry", "loadFromStorage");
        setup.likely(&RULE, &storage.replace("App", "Panel"));
    }
}
