//! Analytics and chat widgets in the first bundle.

use oxc_ast::AstKind;
use oxc_ast::ast::{JSXAttributeItem, JSXAttributeValue, JSXElement, JSXElementName};
use rb_ecma::{ImportBinding, Module};

use super::bundle_dynamic_imports::loader;
use super::lazy::lazily;
use super::uses::{attribute, only_tags, value_imports, value_uses};
use crate::cx::{Cx, Hit};
use crate::facts::{Directive, Facts, FileKind, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

/// Error trackers are not among them: they miss the first errors when they come late. Nor are shims of a kilobyte that load
/// their script late themselves, such as `@vercel/analytics`.
const VENDORS: &[&str] = &[
    "@amplitude/",
    "@fullstory/",
    "@hotjar/",
    "@intercom/",
    "@segment/",
    "amplitude-js",
    "crisp-sdk-web",
    "heap-api",
    "logrocket",
    "mixpanel-browser",
    "posthog-js",
    "react-ga",
    "react-ga4",
    "react-gtm-module",
    "react-hotjar",
    "react-use-intercom",
];

/// Small packages that fetch the rest by themselves.
const LOADERS: &[&str] = &["@next/third-parties", "@vercel/analytics", "@vercel/speed-insights"];

const HOSTS: &[&str] = &[
    "cdn.amplitude.com",
    "cdn.heapanalytics.com",
    "cdn.mxpnl.com",
    "cdn.segment.com",
    "client.crisp.chat",
    "connect.facebook.net",
    "plausible.io",
    "static.hotjar.com",
    "widget.intercom.io",
    "www.clarity.ms",
    "www.google-analytics.com",
    "www.googletagmanager.com",
];

pub static RULE: Rule = Rule {
    id: "bundle-defer-third-party",
    title: "Analytics are loaded before the application",
    category: Category::Bundle,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "The root of the application (root layout, `_app`, the file that mounts it) imports analytics, session \
               recording or chat code and renders or starts it at once, or has a blocking `<script>` from such a \
               host.",
        why: "Code that shows nothing to the user competes with the code that does.",
        wrong: "import { Tracker } from '@segment/tracker-react';\n\
                export const Shell = ({ children }) => <body>{children}<Tracker /></body>;",
        right: "import { DeferredTracker } from './deferred-tracker';\n\
                export const Shell = ({ children }) => <body>{children}<DeferredTracker /></body>;",
        safe: "Always a draft: events before hydration are lost. In a server layout the deferred component needs a \
               client file of its own, since `ssr: false` is rejected elsewhere; no draft is offered then.",
        leave: "It is an error tracker, a consent dialog, or an experiment that changes the first paint: these must \
                come first.",
        given: &[Given::Root],
    },
    wants: &["import", "script"],
    applies: |facts| {
        let is_root = facts.is_root || matches!(facts.route, Some(Route::App | Route::Document));
        facts.package.uses_react && is_root && facts.kind == FileKind::Source
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for binding in value_imports(module) {
        let is_loader = is_one_of(LOADERS, binding.source);
        if !is_loader && !is_one_of(VENDORS, binding.source) {
            continue;
        }
        if let Some(elements) = only_tags(module, binding.symbol) {
            // A provider holds the application: without it there is nothing to show.
            if elements.iter().all(|it| it.children.is_empty()) {
                let hit = drawn(cx, binding, &elements);
                let condition = format!("`{}` may already load the rest lazily", binding.source);
                cx.report(if is_loader { hit.likely(condition) } else { hit });
            }
        } else if let Some(name) = started(module, binding) {
            cx.report(Hit::at(
                binding.span,
                format!(
                    "`{name}` from `{}` runs before the application; load and start it after the page has loaded",
                    binding.source
                ),
            ));
        }
    }
    for element in module.elements() {
        if let Some(host) = blocking_host(element) {
            let message = if cx.facts.package.uses_next {
                format!(
                    "the script from {host} blocks rendering; use `next/script` with a strategy"
                )
            } else {
                format!("the script from {host} blocks rendering; add `async` or `defer`")
            };
            cx.report(Hit::at(element.opening_element.span, message));
        }
    }
}

fn is_one_of(names: &[&str], source: &str) -> bool {
    names.iter().any(|name| {
        let rest = source.strip_prefix(name);
        rest.is_some_and(|rest| name.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
    })
}

fn drawn<'a>(cx: &Cx<'_, 'a>, binding: &ImportBinding<'a>, elements: &[&'a JSXElement<'a>]) -> Hit {
    let message = format!(
        "`{}` from `{}` is in the initial bundle; load it after the page has loaded",
        binding.local, binding.source
    );
    let hit = Hit::at(binding.span, message).low();
    if !may_be_here(cx.facts) {
        return hit;
    }
    match lazily(cx.module, binding, elements, loader(cx.facts)) {
        Some(edits) => hit.assist(format!("load `{}` lazily", binding.local), edits),
        None => hit,
    }
}

/// May the file itself load a client component late, without the server?
fn may_be_here(facts: &Facts) -> bool {
    !facts.package.uses_next
        || facts.directive == Some(Directive::UseClient)
        || facts.route == Some(Route::App)
}

/// `vendor.init(…)` at the top of the file.
fn started<'a>(module: &Module<'a>, binding: &ImportBinding<'a>) -> Option<String> {
    value_uses(module, binding.symbol).find_map(|it| {
        if module.function_around(it.node).is_some() {
            return None;
        }
        let mut around = module.ancestors(it.node);
        let call = match around.next()? {
            AstKind::CallExpression(call) => call,
            AstKind::StaticMemberExpression(_) => match around.next()? {
                AstKind::CallExpression(call) => call,
                _ => return None,
            },
            _ => return None,
        };
        let callee = oxc_span::GetSpan::span(&call.callee);
        let is_callee = callee.start <= it.span.start && it.span.end <= callee.end;
        is_callee.then(|| module.slice(callee).to_owned())
    })
}

/// The host of a plain script that the page waits for.
fn blocking_host(element: &JSXElement<'_>) -> Option<&'static str> {
    let JSXElementName::Identifier(name) = &element.opening_element.name else { return None };
    let has_spread = element
        .opening_element
        .attributes
        .iter()
        .any(|it| matches!(it, JSXAttributeItem::SpreadAttribute(_)));
    let waits = name.name == "script"
        && !has_spread
        && ["async", "defer", "type"].iter().all(|it| attribute(element, it).is_none());
    let Some(JSXAttributeValue::StringLiteral(src)) =
        &attribute(element, "src").filter(|_| waits)?.value
    else {
        return None;
    };
    let url = src.value.as_str();
    HOSTS.iter().copied().find(|host| {
        let rest = url.strip_prefix("https:").unwrap_or(url);
        rest.strip_prefix("//")
            .and_then(|it| it.strip_prefix(host))
            .is_some_and(|it| it.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Route;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_bundle_defer_third_party_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_bundle_defer_third_party_in_a_server_layout() {
        // A client file of its own is needed: no draft.
        Setup::new().next(15, 1).root().route(Route::Layout).check(
            &RULE,
            "import { Analytics } from '@segment/tracker-react';\nexport default ({ children }) => <html><body>{children}<Analytics /></body></html>;",
            expect![[r#"
                1:10 note: `Analytics` from `@segment/tracker-react` is in the initial bundle; load it after the page has loaded
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_defer_third_party_in_app_and_entry() {
        Setup::new().next(15, 1).route(Route::App).check(
            &RULE,
            "import Link from 'next/link';\nimport { Analytics } from '@segment/tracker-react';\nimport '../a.css';\n\nexport default ({ Component }) => <><Component /><Analytics /></>;\n",
            expect![[r#"
                2:10 note: `Analytics` from `@segment/tracker-react` is in the initial bundle; load it after the page has loaded [assist: load `Analytics` lazily]
                --- assist
                import Link from 'next/link';
                import '../a.css';
                import dynamic from 'next/dynamic';

                const Analytics = dynamic(() => import('@segment/tracker-react').then((m) => m.Analytics), { ssr: false });

                export default ({ Component }) => <><Component /><Analytics /></>;

            "#]],
        );
        Setup::new().root().check(
            &RULE,
            "import posthog from 'posthog-js'\nimport ReactGA from 'react-ga4'\nposthog.init('key')\nReactGA.initialize('x')\n",
            expect![[r#"
                1:8 warning: `posthog.init` from `posthog-js` runs before the application; load and start it after the page has loaded
                2:8 warning: `ReactGA.initialize` from `react-ga4` runs before the application; load and start it after the page has loaded
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_defer_third_party_scripts() {
        let page =
            |script: &str| format!("export default () => <html><head>{script}</head></html>;");
        let setup = Setup::new().next(15, 1).route(Route::Document);
        setup.check(&RULE, &page("<script src=\"https://www.googletagmanager.com/gtag/js?id=1\" />"), expect![[r#"
            1:34 warning: the script from www.googletagmanager.com blocks rendering; use `next/script` with a strategy
        "#]]);
        setup.silent(
            &RULE,
            &page("<script async src=\"https://www.googletagmanager.com/gtag/js?id=1\" />"),
        );
        setup.silent(
            &RULE,
            &page("<script src=\"https://example.com/www.googletagmanager.com/a.js\" />"),
        );
        setup.silent(
            &RULE,
            &page("<script {...props} src=\"https://www.googletagmanager.com/gtag/js\" />"),
        );
    }

    #[test]
    fn ru1_bundle_defer_third_party_leaves() {
        let root = Setup::new().root();
        // Error trackers have to come first.
        root.silent(&RULE, "import * as Sentry from '@sentry/react';\nSentry.init({});");
        // Shims that may load their script late themselves.
        for source in ["@vercel/analytics/react", "@vercel/speed-insights/next"] {
            root.likely(
                &RULE,
                &format!(
                    "import {{ Tracker }} from '{source}';\nexport const A = () => <Tracker />;"
                ),
            );
        }
        // A provider holds the application.
        root.silent(
            &RULE,
            "import { IntercomProvider } from 'react-use-intercom';\nexport const A = ({ children }) => <IntercomProvider>{children}</IntercomProvider>;",
        );
        // Consent managers, flags.
        root.silent(
            &RULE,
            "import { Consent } from '@cookiehub/react';\nexport const A = () => <Consent />;",
        );
        // Not the root.
        Setup::new().silent(&RULE, "import posthog from 'posthog-js';\nposthog.init('x');");
        // Started later.
        root.silent(
            &RULE,
            "import posthog from 'posthog-js';\nexport const start = () => posthog.init('x');",
        );
        root.silent(&RULE, "import type { PostHog } from 'posthog-js';\nexport type P = PostHog;");
        // Server side.
        Setup::new()
            .route(Route::Instrumentation)
            .silent(&RULE, "import posthog from 'posthog-js';\nposthog.init('x');");
    }
}
