//! The browser learns late of a host that the first page needs.
//!
//! Hints in headers are not seen, and which host matters is not measured.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, JSXElement};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, Module};

use super::super::advanced::hooks::{Effect, effects};
use super::jsx;
use crate::cx::{Cx, Hit};
use crate::facts::Route;
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-resource-hints",
    title: "The first page needs a host that nothing announces",
    category: Category::Rendering,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "The root of the application loads something from another host at once, and there is no hint for that \
               host.",
        why: "DNS lookup and handshake start only when the browser finds the URL. `preconnect` from `react-dom` lets \
              them start with the page.",
        wrong: "export const App = () => <main style={{ backgroundImage: 'url(https://cdn.example.com/a.png)' }} />;",
        right: "import { preconnect } from 'react-dom';

export const App = () => {
  preconnect('https://cdn.example.com');
  return <main style={{ backgroundImage: 'url(https://cdn.example.com/a.png)' }} />;
};",
        safe: "No fix is offered: which host matters must be measured, and too many hints are as bad as none.",
        leave: "The resource is not needed for the first paint, or the hint is sent as a header.",
        given: &[Given::Root],
    },
    wants: &["https://"],
    applies: |facts| {
        facts.is_root && facts.package.react_at_least(19, 0) && !facts.package.react_native
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let mut hosts: BTreeMap<String, Span> = BTreeMap::new();
    for (span, url) in resources(cx.module) {
        if let Some(host) = host(&url) {
            hosts.entry(host).or_insert(span);
        }
    }
    if hosts.is_empty() {
        return;
    }
    let hinted = hinting_texts(cx);
    let own = own_sites(cx.module);
    let mut found: Vec<(Span, String)> = hosts
        .into_iter()
        .filter(|(host, _)| !hinted.iter().any(|text| text.contains(host.as_str())))
        .filter(|(host, _)| !own.contains(&site(host)))
        .map(|(host, span)| (span, host))
        .collect();
    found.sort_by_key(|(span, _)| span.start);
    for (span, host) in found {
        let message = format!(
            "the first page loads from `{host}` without a resource hint; call `preconnect('https://{host}')` from react-dom if it is needed early"
        );
        cx.report(Hit::at(span, message));
    }
}

/// Addresses that the browser loads while it shows the root.
fn resources(module: &Module<'_>) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    for &element in module.elements() {
        if in_component(module, element) {
            found.extend(of_element(module, element));
        }
    }
    let mounts: Vec<Span> =
        effects(module).filter(Effect::is_on_mount).map(|it| it.callback.span()).collect();
    for &call in module.calls() {
        let at_once =
            mounts.iter().any(|it| it.start <= call.span.start && call.span.end <= it.end);
        let first = call.arguments.first().and_then(|it| it.as_expression());
        if let (true, true, Some(Expression::StringLiteral(url))) =
            (at_once, module.is_global_named(&call.callee, "fetch"), first)
        {
            found.push((call.span, url.value.to_string()));
        }
    }
    found
}

/// What is rendered at once, and not when something happens.
fn in_component(module: &Module<'_>, element: &JSXElement<'_>) -> bool {
    let around = module.ancestors(element.node_id.get()).find_map(Func::of);
    let view = around.and_then(|it| module.function_view(it));
    let conditional = module
        .ancestors(element.node_id.get())
        .take_while(|it| Func::of(*it).is_none())
        .any(|it| matches!(it, AstKind::ConditionalExpression(_) | AstKind::LogicalExpression(_)));
    view.is_some_and(|it| it.kind == FunctionKind::Component) && !conditional
}

fn of_element<'a>(module: &Module<'a>, element: &'a JSXElement<'a>) -> Option<(Span, String)> {
    let text = |name: &str| jsx::text_of(element, name);
    let plain = |url: &str| (element.opening_element.span, url.to_owned());
    match jsx::host(element)? {
        "link" if text("rel") == Some("stylesheet") => text("href").map(plain),
        "img" if text("loading") != Some("lazy") => text("src").map(plain),
        "script"
            if jsx::attribute(element, "async").is_none()
                && jsx::attribute(element, "defer").is_none() =>
        {
            text("src").map(plain)
        }
        _ => {
            let style = jsx::style(element)?;
            let value = ["backgroundImage", "background"]
                .into_iter()
                .find_map(|it| jsx::property(style, it))?;
            let code = module.slice(value.span());
            let url = code.split_once("url(")?.1.trim_start_matches(['"', '\'', '\\']);
            Some((value.span(), url.to_owned()))
        }
    }
}

fn host(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://")?;
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-')
        .unwrap_or(rest.len());
    let host = &rest[..end];
    // `${…}` and the like are not known.
    let is_whole = !rest[end..].starts_with(['$', '{']);
    (host.contains('.') && is_whole).then(|| host.to_lowercase())
}

/// `example.com` of `cdn.example.com`.
fn site(host: &str) -> String {
    let parts: Vec<&str> = host.rsplitn(3, '.').collect();
    parts.iter().take(2).rev().copied().collect::<Vec<_>>().join(".")
}

/// Where the application itself is, by what it says of itself: such hosts are its own.
fn own_sites(module: &Module<'_>) -> Vec<String> {
    let text = module.text();
    let mut sites = Vec::new();
    for mark in ["metadataBase", "canonical", "siteUrl", "og:url"] {
        for (at, _) in text.match_indices(mark) {
            let rest: String = text[at..].chars().take(200).collect();
            if let Some(found) = rest.find("https://").and_then(|from| host(&rest[from..])) {
                sites.push(site(&found));
            }
        }
    }
    sites
}

/// Texts of this file and of the other roots that give hints.
fn hinting_texts(cx: &Cx<'_, '_>) -> Vec<String> {
    const HINTS: &[&str] = &["preconnect", "dns-prefetch", "prefetchDNS", "preload", "preinit"];
    let hints = |text: &str| -> String {
        // The address stands with the hint, on its line or on the next ones.
        let lines: Vec<&str> = text.lines().collect();
        let near = |at: usize| lines[at.saturating_sub(4)..(at + 5).min(lines.len())].join("\n");
        let marked = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| HINTS.iter().any(|hint| line.contains(hint)));
        marked.map(|(at, _)| near(at)).collect::<Vec<_>>().join("\n")
    };
    let is_root = |path: &String| {
        cx.world.facts(path).is_some_and(|it| it.is_root || it.route == Some(Route::Document))
    };
    let mut texts = vec![own_hints(cx.module)];
    let others = cx.world.paths().into_iter().filter(|it| **it != *cx.facts.path).filter(is_root);
    texts.extend(others.filter_map(|path| cx.world.text(&path)).map(|text| hints(&text)));
    texts
}

/// Arguments of hinting calls, and `<link>` with a hint.
fn own_hints(module: &Module<'_>) -> String {
    let mut found = String::new();
    for call in module.calls() {
        let name = module.export_name(&call.callee, "react-dom");
        if matches!(
            name,
            Some(
                "preconnect"
                    | "prefetchDNS"
                    | "preload"
                    | "preinit"
                    | "preinitModule"
                    | "preloadModule"
            )
        ) {
            found.push_str(module.slice(call.span));
        }
    }
    for &element in module.elements() {
        let rel = jsx::text_of(element, "rel").unwrap_or_default();
        if jsx::is_host(element, "link") && ["preconnect", "dns-prefetch", "preload"].contains(&rel)
        {
            found.push_str(module.slice(element.opening_element.span));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_resource_hints_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_resource_hints_in_every_form() {
        Setup::new().root().check(
            &RULE,
            r#"import { useEffect } from "react";
export default function Layout({ children }) {
  useEffect(() => { fetch("https://api.example.org/me"); }, []);
  return (
    <html>
      <head><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter" /></head>
      <body><img src="https://images.example.net/a.png" /><img src="https://images.example.net/b.png" />{children}</body>
    </html>
  );
}"#,
            expect![[r#"
                3:21 warning: the first page loads from `api.example.org` without a resource hint; call `preconnect('https://api.example.org')` from react-dom if it is needed early
                6:13 warning: the first page loads from `fonts.googleapis.com` without a resource hint; call `preconnect('https://fonts.googleapis.com')` from react-dom if it is needed early
                7:13 warning: the first page loads from `images.example.net` without a resource hint; call `preconnect('https://images.example.net')` from react-dom if it is needed early
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_resource_hints_leaves_the_rest_alone() {
        let wrong = RULE.doc.wrong;
        // Not the root; before React 19.
        Setup::new().silent(&RULE, wrong);
        Setup::new().root().react(18, 3).silent(&RULE, wrong);
        let setup = Setup::new().root();
        for body in [
            // Only after something happens.
            "<b onClick={() => fetch('https://api.example.org/x')} />",
            "<>{open && <img src='https://a.example.org/x.png' />}</>",
            "<img loading='lazy' src='https://a.example.org/x.png' />",
            "<a href='https://a.example.org'>x</a>",
            "<script async src='https://a.example.org/x.js' />",
            // There already.
            "<head><link rel='preconnect' href='https://a.example.org' /><img src='https://a.example.org/x.png' /></head>",
            // Of the same host.
            "<img src='/x.png' />",
            "<img src={`https://${host}/x.png`} />",
        ] {
            setup.silent(&RULE, &format!("export const App = ({{ open }}) => {body};"));
        }
        let image = "export const App = () => <img src='https://cdn.example.org/x.png' />;";
        // Its own host; a hint in another root.
        setup.silent(&RULE, &format!("export const metadata = {{ metadataBase: new URL('https://example.org') }};\n{image}"));
        setup.silent(&RULE, &format!("import {{ preconnect as early }} from 'react-dom';\nearly('https://cdn.example.org');\n{image}"));
    }
}
