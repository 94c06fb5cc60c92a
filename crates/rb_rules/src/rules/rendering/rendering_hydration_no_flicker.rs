//! A value that only the browser has is set after the first paint: what was drawn before it flashes.
//!
//! Whether what flashes is in sight cannot be told; names of what comes later on purpose are left alone.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, Module};

use super::super::advanced::hooks::{Effect, State, effects, states};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-hydration-no-flicker",
    title: "A stored value arrives after the first paint",
    category: Category::Rendering,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "In a server-rendered page, a state that decides how things look is read from storage, a cookie or a \
               media query: in an effect after the first render, or while rendering.",
        why: "The server renders the default, and users see it jump to their own value. If it is read while \
              rendering, the two renders differ.",
        wrong: "import { useEffect, useState } from 'react';

export const Theme = ({ children }) => {
  const [theme, setTheme] = useState('light');
  useEffect(() => {
    setTheme(localStorage.getItem('theme') ?? 'light');
  }, []);
  return <div className={theme}>{children}</div>;
};",
        right: "export const Theme = ({ children }) => (
  <>
    <script dangerouslySetInnerHTML={{ __html: BOOT_THEME }} />
    {children}
  </>
);",
        safe: "No fix is offered. A small inline script that sets an attribute of the document before the first \
               paint needs a nonce if a content security policy forbids scripts; a cookie that the server reads, or \
               `useSyncExternalStore`, are alternatives.",
        leave: "What depends on the value is out of sight at first, or is only added where nothing was.",
        given: &[Given::Ssr],
    },
    wants: &[
        "localStorage",
        "sessionStorage",
        "cookie",
        "Cookies",
        "nookies",
        "matchMedia",
        "innerWidth",
        "innerHeight",
    ],
    applies: |facts| {
        facts.package.uses_react
            && facts.package.ssr
            && facts.is_client()
            && !facts.package.react_native
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    if module.text().contains("useSyncExternalStore") {
        return;
    }
    let mounts: Vec<Effect<'_>> = effects(module).filter(Effect::is_on_mount).collect();
    for state in states(module).filter(|it| is_visible(module, it.value)) {
        if is_only_added(module, &state) {
            continue;
        }
        let set = mounts.iter().find_map(|it| set_from_browser(module, it, &state));
        let name = module.name(state.value).to_owned();
        if let Some((span, what)) = set {
            let message = format!(
                "`{name}` gets its value from {what} after the first paint, so the server HTML flashes; apply it before the first paint"
            );
            cx.report(Hit::at(span, message));
        } else if let Some(initial) = state.initial() {
            report_read(cx, &name, initial, state.call.node_id.get());
        }
    }
    for declarator in module.declarators() {
        let (Some(id), Some(init)) = (declarator.id.get_binding_identifier(), &declarator.init)
        else {
            continue;
        };
        if let Some(symbol) = id.symbol_id.get()
            && is_visible(module, symbol)
        {
            report_read(cx, id.name.as_str(), init, declarator.node_id.get());
        }
    }
}

/// `typeof window === "undefined" ? a : localStorage.getItem(…)` while rendering. Without the question for the window it would have
/// failed on the server at once: such a component is not rendered there.
fn report_read<'a>(cx: &mut Cx<'_, 'a>, name: &str, value: &Expression<'a>, node: NodeId) {
    let module = cx.module;
    let around = module.function_around(node).and_then(|it| module.function_view(it));
    let is_rendering = around.is_some_and(|it| it.kind == FunctionKind::Component);
    let asks = module.slice(value.span()).contains("typeof window");
    let is_bare = !asks && reads_at_once(module, value);
    if !is_rendering
        || !(asks && is_run(module, value) || is_bare)
        || is_later(module, value.span())
    {
        return;
    }
    if let Some(what) = browser_read(module, value.span()) {
        let message = format!(
            "`{name}` starts with a value from {what}, which the server does not have, so hydration mismatches or the default flashes; apply it before the first paint"
        );
        let hit = Hit::at(value.span(), message);
        cx.report(if asks {
            hit
        } else {
            hit.likely("the component may never render on the server")
        });
    }
}

/// `localStorage.getItem("theme") || "light"`, in the component itself and in no branch.
fn reads_at_once<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    let first = match value.get_inner_expression() {
        Expression::LogicalExpression(it) if !it.operator.is_and() => {
            it.left.get_inner_expression()
        }
        other => other,
    };
    let Expression::CallExpression(call) = first else { return false };
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return false;
    };
    member.property.name == "getItem" && module.is_storage(&member.object)
}

/// Is the value computed while rendering? A function that is but made there may run at any time; that of a state runs at once.
fn is_run<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    match value.get_inner_expression() {
        Expression::ConditionalExpression(_) | Expression::LogicalExpression(_) => true,
        Expression::CallExpression(call) => module.is_react_call(call, "useMemo"),
        Expression::ArrowFunctionExpression(it) => is_initial(module, it.node_id.get()),
        Expression::FunctionExpression(it) => is_initial(module, it.node_id.get()),
        _ => false,
    }
}

fn is_initial(module: &Module<'_>, node: NodeId) -> bool {
    matches!(module.parent(node), AstKind::CallExpression(call) if module.is_react_call(call, "useState"))
}

/// Does the state decide how something looks, or whether it is there?
fn is_visible(module: &Module<'_>, state: SymbolId) -> bool {
    // What pops up by itself is meant to come later.
    const LATER: &[&str] = &[
        "consent", "banner", "dismiss", "seen", "onboard", "tour", "prompt", "modal", "dialog",
        "popup", "toast", "announce", "cookie", "hint", "mounted", "ready", "loaded", "install",
    ];
    let name = module.name(state).to_lowercase();
    !LATER.iter().any(|word| name.contains(word))
        && module.value_uses(state).any(|it| decides_looks(module, it.node))
}

/// Nothing is known at first, and what is known later adds an element where the server drew none: nothing that is seen goes.
fn is_only_added<'a>(module: &Module<'a>, state: &State<'a>) -> bool {
    let is_nothing = match state.initial() {
        None | Some(Expression::NullLiteral(_)) => true,
        Some(Expression::StringLiteral(it)) => it.value.is_empty(),
        Some(it) => module.is_global_named(it, "undefined"),
    };
    let mut looks = module.value_uses(state.value).filter(|it| decides_looks(module, it.node));
    is_nothing && looks.all(|it| is_shown_or_nothing(module, it.node))
}

/// `{last && <i />}` and `{last === "mail" ? <i /> : null}`
fn is_shown_or_nothing(module: &Module<'_>, node: NodeId) -> bool {
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        match kind {
            AstKind::ConditionalExpression(it) => {
                return it.test.span() == inner
                    && matches!(it.alternate, Expression::NullLiteral(_));
            }
            AstKind::BinaryExpression(it) if it.operator.is_equality() => {
                let is_equal = !module.slice(it.span).contains("!=");
                let other = if it.left.span() == inner { &it.right } else { &it.left };
                let is_text =
                    matches!(other, Expression::StringLiteral(it) if !it.value.is_empty());
                if !is_equal || !is_text {
                    return false;
                }
            }
            AstKind::LogicalExpression(it) if it.operator.is_and() => {}
            AstKind::JSXExpressionContainer(_) => {
                return !matches!(module.parent(kind.node_id()), AstKind::JSXAttribute(_));
            }
            AstKind::ParenthesizedExpression(_) => {}
            _ => return false,
        }
        inner = kind.span();
    }
    false
}

fn decides_looks(module: &Module<'_>, node: NodeId) -> bool {
    let mut inner = module.nodes().kind(node).span();
    let mut is_test = false;
    for kind in module.ancestors(node) {
        match kind {
            AstKind::JSXAttribute(attribute) => {
                let name = module.slice(attribute.name.span());
                return ["className", "style", "data-theme", "hidden"].contains(&name);
            }
            AstKind::ConditionalExpression(it) => is_test |= it.test.span() == inner,
            AstKind::LogicalExpression(it) => {
                is_test |= it.left.span() == inner && it.operator.is_and();
            }
            AstKind::JSXExpressionContainer(_) | AstKind::ReturnStatement(_) => {
                let is_child = matches!(kind, AstKind::JSXExpressionContainer(_));
                // A container in an attribute is followed up to the attribute.
                if !is_child || !matches!(module.parent(kind.node_id()), AstKind::JSXAttribute(_)) {
                    return is_test;
                }
            }
            AstKind::Function(_)
            | AstKind::ArrowFunctionExpression(_)
            | AstKind::CallExpression(_)
                if !is_class_helper(module, kind) =>
            {
                return false;
            }
            _ => {}
        }
        inner = kind.span();
    }
    false
}

/// `cn("a", open && "b")`.
fn is_class_helper(module: &Module<'_>, kind: AstKind<'_>) -> bool {
    let AstKind::CallExpression(call) = kind else { return false };
    let name = module.slice(call.callee.span());
    ["cn", "clsx", "classNames", "classnames", "cx", "twMerge", "twJoin"].contains(&name)
}

/// The call in an effect that gives the state a value that only the browser has.
fn set_from_browser<'a>(
    module: &Module<'a>,
    effect: &Effect<'a>,
    state: &State<'a>,
) -> Option<(Span, &'static str)> {
    let within = effect.callback.span();
    let setters = module
        .value_uses(state.setter?)
        .filter(|it| within.start <= it.span.start && it.span.end <= within.end);
    setters
        .filter_map(|it| {
            let AstKind::CallExpression(call) = module.parent(it.node) else { return None };
            let is_direct = module
                .function_around(it.node)
                .is_some_and(|func| func.node() == effect.callback.node());
            (call.callee.span() == it.span && is_direct).then_some(call)
        })
        .find_map(|call| {
            let what = given_from_browser(module, effect, call)?;
            Some((call.span, what))
        })
}

fn given_from_browser<'a>(
    module: &Module<'a>,
    effect: &Effect<'a>,
    call: &CallExpression<'a>,
) -> Option<&'static str> {
    if is_later(module, call.span) {
        return None;
    }
    let argument = call.arguments.first()?.as_expression()?;
    if let Some(what) = read_in(module, argument.span(), effect.callback.span()) {
        return Some(what);
    }
    // `if (localStorage.getItem(…) === "dark") setDark(true)`
    module.ancestors(call.node_id.get()).take_while(|kind| Func::of(*kind).is_none()).find_map(
        |kind| match kind {
            AstKind::IfStatement(it) => read_in(module, it.test.span(), effect.callback.span()),
            _ => None,
        },
    )
}

/// Keys that speak of what is shown later on purpose.
fn is_later(module: &Module<'_>, span: Span) -> bool {
    let text = module.slice(span).to_lowercase();
    ["consent", "banner", "dismiss", "onboard", "seen"].iter().any(|word| text.contains(word))
}

/// What of the browser a piece of code reads, by itself or through a constant of the function around.
fn read_in(module: &Module<'_>, span: Span, within: Span) -> Option<&'static str> {
    if let Some(what) = browser_read(module, span) {
        return Some(what);
    }
    module.identifiers_in(span).iter().find_map(|name| {
        let symbol = module.symbol(name)?;
        let declared = module.scoping().symbol_span(symbol);
        let init = module.declarator(symbol)?.init.as_ref()?;
        let is_inside = within.start <= declared.start && declared.end <= within.end;
        let is_function = init.get_inner_expression().is_function();
        (is_inside && !is_function).then(|| browser_read(module, init.span())).flatten()
    })
}

fn browser_read(module: &Module<'_>, span: Span) -> Option<&'static str> {
    module.identifiers_in(span).iter().find_map(|name| {
        if let Some(symbol) = module.symbol(name) {
            let import = module.import(symbol)?;
            let is_cookie = ["js-cookie", "cookies-next", "nookies"].contains(&import.source);
            let rest = module.text()[name.span.end as usize..].trim_start();
            return (is_cookie && (rest.starts_with(".get") || rest.starts_with('(')))
                .then_some("a cookie");
        }
        let rest = &module.text()[name.span.end as usize..span.end as usize];
        match name.name.as_str() {
            "localStorage" | "sessionStorage" => Some("storage"),
            "matchMedia" => Some("a media query"),
            "document" if rest.starts_with(".cookie") => Some("a cookie"),
            "window"
                if rest.starts_with(".localStorage") || rest.starts_with(".sessionStorage") =>
            {
                Some("storage")
            }
            "window" if rest.starts_with(".matchMedia") => Some("a media query"),
            "window" if rest.starts_with(".innerWidth") || rest.starts_with(".innerHeight") => {
                Some("the window size")
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_hydration_no_flicker_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_hydration_no_flicker_in_every_form() {
        Setup::new().ssr().check(
            &RULE,
            r#"import * as React from "react";
import Cookies from "js-cookie";

export default function Shell({ children }) {
  const [wide, setWide] = React.useState(false);
  const [dark, setDark] = React.useState(false);
  const [side, setSide] = React.useState("open");
  const [size] = React.useState(() => (typeof window === "undefined" ? 0 : window.innerWidth));
  const [kind, setKind] = React.useState("a");
  const narrow = typeof window !== "undefined" && window.matchMedia("(max-width: 9px)").matches;
  React.useEffect(() => {
    const query = window.matchMedia("(min-width: 800px)");
    setWide(query.matches);
    if (localStorage.getItem("dark") === "1") {
      setDark(true);
    }
  }, []);
  React.useLayoutEffect(() => {
    setSide(Cookies.get("side") ?? "open");
    setKind(document.cookie.includes("kind=b") ? "b" : "a");
  }, []);
  return (
    <div className={cn("shell", dark && "dark")} style={{ width: size }}>
      {wide ? <Side open={side} /> : null}
      <p className={kind} hidden={narrow} />
      {side === "open" && children}
    </div>
  );
}"#,
            expect![[r#"
                13:5 warning: `wide` gets its value from a media query after the first paint, so the server HTML flashes; apply it before the first paint
                15:7 warning: `dark` gets its value from storage after the first paint, so the server HTML flashes; apply it before the first paint
                19:5 warning: `side` gets its value from a cookie after the first paint, so the server HTML flashes; apply it before the first paint
                8:33 warning: `size` starts with a value from the window size, which the server does not have, so hydration mismatches or the default flashes; apply it before the first paint
                20:5 warning: `kind` gets its value from a cookie after the first paint, so the server HTML flashes; apply it before the first paint
                10:18 warning: `narrow` starts with a value from a media query, which the server does not have, so hydration mismatches or the default flashes; apply it before the first paint
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_hydration_no_flicker_leaves_the_rest_alone() {
        let wrong = RULE.doc.wrong;
        // A page without a server, a component without a browser.
        Setup::new().silent(&RULE, wrong);
        Setup::new().ssr().realm(Realm::Server).silent(&RULE, wrong);
        let setup = Setup::new().ssr();
        let head = "import { useEffect, useState, useSyncExternalStore } from 'react';\n";
        // There already.
        setup.silent(
            &RULE,
            &format!("{head}{}", wrong.replace("import { useEffect, useState } from 'react';", "")),
        );
        for (from, to) in [
            // It is not drawn; it changes nothing about the looks.
            ("<div className={theme}>", "<div onClick={() => send(theme)}>"),
            ("<div className={theme}>", "<div title={theme}>"),
            // Not on mount; not from the browser; later.
            ("}, []);", "}, [children]);"),
            ("localStorage.getItem('theme') ?? 'light'", "'dark'"),
            (
                "setTheme(localStorage.getItem('theme') ?? 'light')",
                "load().then(() => setTheme(localStorage.getItem('theme')))",
            ),
            // What comes later on purpose.
            ("'theme'", "'consent-given'"),
        ] {
            assert!(wrong.contains(from), "{from}");
            setup.silent(&RULE, &wrong.replace(from, to));
        }
        // Read while rendering without asking for the window: not rendered on the server.
        setup.silent(
            &RULE,
            "import { useState } from 'react';\nexport const A = () => { const [t] = useState(() => localStorage.getItem('t')); return <b className={t} />; };",
        );
    }

    #[test]
    fn ru1_rendering_hydration_no_flicker_of_what_is_only_added() {
        let text = |initial: &str, shown: &str| {
            format!(
                "import {{ useEffect, useState }} from 'react';\nexport const A = () => {{\n  const [last, setLast] = useState({initial});\n  useEffect(() => {{ setLast(localStorage.getItem('last') || ''); }}, []);\n  return <p>{{{shown}}}</p>;\n}};"
            )
        };
        let setup = Setup::new().ssr();
        // The server draws nothing there that would have to go.
        setup.silent(&RULE, &text("''", "last && last === 'mail' ? <i>last used</i> : null"));
        setup.silent(&RULE, &text("null", "last && <i>{last}</i>"));
        setup.silent(&RULE, &text("", "last === 'mail' && <i>last used</i>"));
        assert_eq!(setup.findings(&RULE, &text("''", "last ? <i /> : <b />")).len(), 1);
        assert_eq!(setup.findings(&RULE, &text("'mail'", "last === 'mail' && <i />")).len(), 1);
        assert_eq!(setup.findings(&RULE, &text("false", "last && <i />")).len(), 1);
    }

    #[test]
    fn ru1_rendering_hydration_no_flicker_candidates() {
        let setup = Setup::new().ssr();
        let text = "function Wrap({ children }) {
  const theme = localStorage.getItem('theme') || 'light';
  return <div className={theme}>{children}</div>;
}";
        setup.likely(&RULE, text);
        // Not what is drawn.
        setup.silent(&RULE, &text.replace("className={theme}", "onClick={() => go(theme)}"));
    }
}
