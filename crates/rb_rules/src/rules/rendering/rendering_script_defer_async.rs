//! `<script src>` without `defer` or `async` holds the page up.
//!
//! Scripts that React adds in the browser block nothing, and are not spoken of.

use oxc_ast::AstKind;
use oxc_ast::ast::JSXElement;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::Module;

use super::jsx;
use crate::cx::{Cx, Hit};
use crate::facts::Route;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-script-defer-async",
    title: "A script blocks the page while it is loaded",
    category: Category::Rendering,
    impact: Impact::High,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A server-rendered page has `<script src>` without `defer` or `async`.",
        why: "The browser stops parsing the page until the script is loaded and has run.",
        wrong: "const Doc = () => <head><script src=\"/a.js\" /></head>;",
        right: "const Doc = () => <head><script src=\"/a.js\" defer /></head>;",
        safe: "A draft: `defer` keeps the order among deferred scripts, but the script now runs after inline scripts \
               and after the page is parsed. In Next.js the draft uses `next/script`.",
        leave: "The script must run before anything is painted: a theme, a polyfill, the configuration of the page.",
        given: &[],
    },
    wants: &["<script"],
    applies: |facts| facts.package.uses_react && !facts.package.react_native,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for &element in cx.module.elements() {
        if jsx::is_host(element, "script")
            && is_blocking(element)
            && is_in_page(cx, element)
            && !is_on_purpose(cx.module, element)
        {
            let source = jsx::text_of(element, "src").unwrap_or_default();
            let named = if source.is_empty() { String::new() } else { format!(" `{source}`") };
            let hit = |advice: &str| {
                let message = format!("the script{named} blocks rendering; {advice}");
                Hit::at(element.opening_element.span, message)
            };
            if uses_next_script(cx) {
                let hit = hit("load it with `next/script` or add `defer`");
                cx.report(match next_script(cx, element) {
                    Some(edits) => hit.assist("load it with `next/script`", edits),
                    None => hit,
                });
            } else {
                let at = jsx::end_of_attributes(element);
                let edits = vec![Edit::insert(at, " defer")];
                cx.report(
                    hit("add `defer`, or `async` if order does not matter")
                        .assist("add `defer`", edits),
                );
            }
        }
    }
}

fn is_blocking<'a>(element: &'a JSXElement<'a>) -> bool {
    let has = |name: &str| jsx::attribute(element, name).is_some();
    let is_script = jsx::attribute(element, "type").is_none_or(|it| {
        matches!(jsx::text(it), Some("" | "text/javascript" | "application/javascript"))
    });
    has("src")
        && is_script
        && !["async", "defer", "noModule", "nomodule"].into_iter().any(has)
        && !jsx::has_spread(element)
        && !must_be_first(element)
}

/// Did somebody already say, to another tool, that it is meant?
fn is_on_purpose<'a>(module: &Module<'a>, element: &JSXElement<'a>) -> bool {
    let before = module.comments().iter().rfind(|it| it.span.end <= element.span.start);
    before.is_some_and(|it| {
        let gap = module.line(element.span.start) - module.line(it.span.end);
        gap <= 1
            && ["sync-script", "synchron", "blocking"]
                .iter()
                .any(|word| module.slice(it.span).contains(word))
    })
}

/// Names of scripts that are loaded this way on purpose.
fn must_be_first<'a>(element: &'a JSXElement<'a>) -> bool {
    const WORDS: &[&str] = &[
        "polyfill",
        "theme",
        "boot",
        "env",
        "config",
        "runtime",
        "init",
        "critical",
        "react-scan",
        "livereload",
    ];
    let texts = jsx::attributes(element).flat_map(|(_, it)| jsx::texts(it));
    let lower: Vec<String> = texts.map(str::to_lowercase).collect();
    lower.iter().any(|text| WORDS.iter().any(|word| text.contains(word)))
}

/// Does the browser read it as part of a page? What React adds to a page that is there blocks nothing.
fn is_in_page<'a>(cx: &Cx<'_, 'a>, element: &JSXElement<'a>) -> bool {
    let mut around = cx.module.ancestors(element.node_id.get());
    let in_document = around.any(|kind| match kind {
        AstKind::JSXElement(outer) => {
            jsx::is_host(outer, "head")
                || jsx::is_host(outer, "html")
                || jsx::tag(cx.module, outer) == "Html"
        }
        _ => false,
    });
    in_document || (cx.facts.package.ssr && cx.facts.is_server())
}

/// `_document` has its own rules for scripts.
fn uses_next_script(cx: &Cx<'_, '_>) -> bool {
    cx.facts.package.uses_next && cx.facts.route != Some(Route::Document)
}

fn next_script<'a>(cx: &Cx<'_, 'a>, element: &JSXElement<'a>) -> Option<Vec<Edit>> {
    let module = cx.module;
    let imported = module.imports().values().find(|it| it.source == "next/script" && !it.is_type);
    let (name, mut edits) = match imported {
        Some(import) => (import.local.to_owned(), Vec::new()),
        None => {
            let name = module.fresh_name("Script");
            let edit = module.add_import("next/script", &name)?;
            (name, vec![edit])
        }
    };
    let opening = element.opening_element.name.span();
    edits.push(Edit::replace(opening.start, opening.end, name.clone()));
    if let Some(closing) = &element.closing_element {
        let span = closing.name.span();
        edits.push(Edit::replace(span.start, span.end, name));
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::{Realm, Route};
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_script_defer_async_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_script_defer_async_in_every_form() {
        Setup::new().check(
            &RULE,
            r#"export function Page({ src }) {
  return (
    <html>
      <head>
        <script src="/a.js"></script>
        <script type="text/javascript" src={src} />
      </head>
    </html>
  );
}"#,
            expect![[r#"
                5:9 warning: the script `/a.js` blocks rendering; add `defer`, or `async` if order does not matter [assist: add `defer`]
                6:9 warning: the script blocks rendering; add `defer`, or `async` if order does not matter [assist: add `defer`]
                --- assist
                export function Page({ src }) {
                  return (
                    <html>
                      <head>
                        <script src="/a.js" defer></script>
                        <script type="text/javascript" src={src} defer />
                      </head>
                    </html>
                  );
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_script_defer_async_in_next() {
        let text = "import x from 'x';\nexport default function Layout() { return <body><script src='/a.js'></script></body>; }";
        let setup = Setup::new().next(15, 0).realm(Realm::Server);
        setup.check(&RULE, text, expect![[r#"
            2:49 warning: the script `/a.js` blocks rendering; load it with `next/script` or add `defer` [assist: load it with `next/script`]
            --- assist
            import x from 'x';
            import Script from 'next/script';
            export default function Layout() { return <body><Script src='/a.js'></Script></body>; }
        "#]]);
        setup.route(Route::Document).check(&RULE, text, expect![[r#"
            2:49 warning: the script `/a.js` blocks rendering; add `defer`, or `async` if order does not matter [assist: add `defer`]
            --- assist
            import x from 'x';
            export default function Layout() { return <body><script src='/a.js' defer></script></body>; }
        "#]]);
    }

    #[test]
    fn ru1_rendering_script_defer_async_leaves_the_rest_alone() {
        let setup = Setup::new().ssr().realm(Realm::Server);
        for script in [
            "<script src='/a.js' async />",
            "<script src='/a.js' defer={false} />",
            // Modules are deferred, data is not run.
            "<script type='module' src='/a.js' />",
            "<script type={kind} src='/a.js' />",
            "<script type='application/json' src='/a.json' />",
            "<script {...rest} src='/a.js' />",
            "<script dangerouslySetInnerHTML={{ __html: '1' }} />",
            // Scripts that must run first.
            "<script src='/theme-boot.js' />",
            "<script src='https://cdn.example.com/polyfill.min.js' />",
            "<script noModule src='/old.js' />",
            "<Script src='/a.js' />",
            "{\n// eslint-disable-next-line no-sync-scripts\n<script src='/a.js' />}",
        ] {
            setup.silent(&RULE, &format!("const A = () => <head>{script}</head>;"));
        }
        // Rendered in the browser: it blocks nothing.
        Setup::new().silent(&RULE, "const A = () => <div><script src='/a.js' /></div>;");
        Setup::new()
            .ssr()
            .silent(&RULE, "'use client';\nconst A = () => <div><script src='/a.js' /></div>;");
    }
}
