//! A handler of typing or scrolling sends telemetry before the page may go on.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_span::GetSpan;
use rb_ecma::{FunctionView, Module};

use super::hot::is_typing_or_scrolling;
use crate::cx::{Cx, Hit};
use crate::facts::{FileKind, Realm};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-request-idle-callback",
    title: "Telemetry is sent while the user types or scrolls",
    category: Category::JavaScript,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "An input, scroll or move handler does its work and then calls something that tracks or measures, such \
               as `track` or `analytics.capture`.",
        why: "The next frame waits until the handler is done. Work that nobody waits for can run when the browser is \
              idle.",
        wrong: "const Search = () => <input onChange={(event) => { setQuery(event.target.value); track('search', event.target.value); }} />;",
        right: "const idle = (work) => ('requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work));
const Search = () => (
  <input
    onChange={(event) => {
      const query = event.target.value;
      setQuery(query);
      idle(() => track('search', query));
    }}
  />
);",
        safe: "No fix is offered: the work would run later, in another order, and be lost if the user leaves the \
               page. `requestIdleCallback` is not in every browser and must be checked for.",
        leave: "The event must not be lost (consent, audits), or the function only puts it into a queue.",
        given: &[],
    },
    wants: &["track", "analytics", "metric", "telemetry", "sendEvent", "capture", "posthog", "gtag", "mixpanel", "amplitude"],
    applies: |facts| {
        facts.kind == FileKind::Source
            && facts.package.uses_react
            && facts.realm != Realm::Server
            && !facts.package.react_native
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for view in module.functions() {
        let statements = view.func.statements();
        if statements.len() < 2 || !statements.iter().any(|it| telemetry(it).is_some()) {
            continue;
        }
        let is_frequent = is_typing_or_scrolling(module, view.func);
        let handles = is_frequent || is_called_by_typing(module, view);
        // Where all it does is to tell of the event, there is nothing that waits.
        let works = statements.iter().position(is_work);
        let (Some(work), true) = (works, handles) else { continue };
        for statement in &statements[work + 1..] {
            if let Some(call) = telemetry(statement) {
                let name = module.slice(call.callee.span());
                let message = format!(
                    "`{name}` runs on every event and delays the next frame; defer it with `requestIdleCallback`"
                );
                let hit = Hit::at(call.span, message);
                cx.report(if is_frequent {
                    hit
                } else {
                    hit.likely("the handler may return before it gets here")
                });
            }
        }
    }
}

/// `onChange={(e) => search(e.target.value)}`: does a handler of typing call the function?
fn is_called_by_typing<'a>(module: &Module<'a>, view: &FunctionView<'a>) -> bool {
    let Some(symbol) = view.symbol else { return false };
    module.value_uses(symbol).any(|it| {
        let is_call = matches!(module.parent(it.node), AstKind::CallExpression(call)
            if call.callee.span() == it.span);
        let around = module.function_around(it.node);
        is_call && around.is_some_and(|func| is_typing_or_scrolling(module, func))
    })
}

/// A statement that changes something, or calls what is no telemetry.
fn is_work<'a>(statement: &'a Statement<'a>) -> bool {
    match statement {
        Statement::ExpressionStatement(it) => {
            matches!(
                it.expression,
                Expression::CallExpression(_) | Expression::AssignmentExpression(_)
            ) && telemetry(statement).is_none()
        }
        _ => false,
    }
}

/// A call whose name speaks of tracking, as a statement of its own.
fn telemetry<'a>(statement: &'a Statement<'a>) -> Option<&'a CallExpression<'a>> {
    const OWNERS: &[&str] = &[
        "analytics",
        "posthog",
        "mixpanel",
        "amplitude",
        "metrics",
        "telemetry",
        "tracker",
        "segment",
    ];
    const NAMES: &[&str] = &[
        "track",
        "trackEvent",
        "sendEvent",
        "logEvent",
        "capture",
        "gtag",
        "captureEvent",
        "sendAnalytics",
        "trackAnalytics",
        "recordEvent",
    ];
    let Statement::ExpressionStatement(it) = statement else { return None };
    let Expression::CallExpression(call) = &it.expression else { return None };
    let is_telemetry = match call.callee.get_inner_expression() {
        Expression::Identifier(name) => NAMES.contains(&name.name.as_str()),
        Expression::StaticMemberExpression(member) => {
            let owner = match member.object.get_inner_expression() {
                Expression::Identifier(it) => it.name.as_str(),
                Expression::StaticMemberExpression(it) => it.property.name.as_str(),
                _ => return None,
            };
            let name = member.property.name.as_str();
            OWNERS.contains(&owner)
                && (NAMES.contains(&name) || ["increment", "count", "event"].contains(&name))
        }
        _ => false,
    };
    let is_weighty = call.arguments.iter().any(|argument| {
        matches!(argument.as_expression(), Some(Expression::StringLiteral(text))
            if ["consent", "audit", "legal"].iter().any(|it| text.value.to_lowercase().contains(it)))
    });
    (is_telemetry && !is_weighty).then_some(call)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_request_idle_callback_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_request_idle_callback_finds() {
        Setup::new().check(
            &RULE,
            "import { useCallback } from 'react';
function A() {
  const onFind = (q) => { setHits(find(q)); track('find', q); };
  const onScroll = useCallback(function (e) {
    top.current = e.y;
    analytics.capture('scroll', e.y);
  }, []);
  window.addEventListener('scroll', function () { move(); window.analytics.track('move'); });
  return <input onInput={onFind} onScroll={onScroll} />;
}
",
            expect![[r#"
                3:45 warning: `track` runs on every event and delays the next frame; defer it with `requestIdleCallback`
                6:5 warning: `analytics.capture` runs on every event and delays the next frame; defer it with `requestIdleCallback`
                8:59 warning: `window.analytics.track` runs on every event and delays the next frame; defer it with `requestIdleCallback`
            "#]],
        );
    }

    #[test]
    fn ru1_js_request_idle_callback_silent() {
        let setup = Setup::new();
        for body in [
            // Clicks come one by one; leaving the page would lose it.
            "return <b onClick={() => { save(); track('save'); }} />;",
            "window.addEventListener('beforeunload', () => { save(); track('bye'); }); return <b/>;",
            "document.addEventListener('visibilitychange', () => { save(); track('bye'); }); return <b/>;",
            // Consent and audits.
            "return <input onChange={() => { save(); track('consent given'); }} />;",
            // Loggers that write to the console.
            "return <input onChange={() => { save(); console.log('x'); logger.info('y'); }} />;",
            // Later already; the only thing it does; before the work.
            "return <input onChange={() => { save(); setTimeout(() => track('x')); }} />;",
            "return <input onChange={() => { track('x'); track('y'); }} />;",
            "return <input onChange={() => track('x')} />;",
        ] {
            setup.silent(&RULE, &format!("function A() {{ {body} }}"));
        }
    }

    #[test]
    fn ru1_js_request_idle_callback_candidates() {
        let text = "import { useState } from 'react';
function Search() {
  const [rows, setRows] = useState([]);
  function search(query) { setRows(find(query)); analytics.track('search', { query }); }
  return <input onChange={(e) => search(e.target.value)} />;
}";
        Setup::new().likely(&RULE, text);
        Setup::new().silent(&RULE, &text.replace("onChange", "onClick"));
    }
}
