//! A page awaits data that one part of it needs, and the rest waits too.
//!
//! Only of pages that are made for each request, as far as can be seen: nobody waits for one that is made beforehand.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, JSXChild, JSXElement, JSXElementName};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::awaits::Step;
use super::components::{Waiting, metadata};
use super::names::{called_name, words};
use crate::cx::{Cx, Hit};
use crate::facts::{Directive, FileKind, Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::Target;

pub static RULE: Rule = Rule {
    id: "async-suspense-boundaries",
    title: "A page waits for data that one part of it needs",
    category: Category::Waterfalls,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A server page awaits a read at the top, the result goes to one part of what it shows, and another \
               part does not need it. The page is rendered for each request: its path has a dynamic segment, or it \
               reads something of the request. There is no `loading` file and no `Suspense` of a layout as a \
               fallback.",
        why: "The visitor sees nothing until the data arrives, although the frame of the page could be shown at \
              once.",
        wrong: "export default async function Page({ params }) {
  const rows = await readRows(params);
  return <main><Nav /><Grid rows={rows} /></main>;
}",
        right: "export default function Page({ params }) {
  return <main><Nav /><Suspense fallback={<Shell />}><GridLoader params={params} /></Suspense></main>;
}
async function GridLoader({ params }) {
  return <Grid rows={await readRows(params)} />;
}",
        safe: "No fix is offered: the fallback must be designed, and once the page is streaming its status code is \
               fixed.",
        leave: "The data decides the layout, the status or the head of the page, search engines must find it in the \
                first response, or the read is fast.",
        given: &[
            Given::Path("app/[team]/page.tsx"),
            Given::Next(16, 0),
            Given::Realm(Realm::Server),
            Given::Route(Route::Page),
        ],
    },
    wants: &["await"],
    applies: |facts| {
        facts.kind == FileKind::Source
            && facts.route == Some(Route::Page)
            && facts.realm == Realm::Server
            && facts.package.app_router
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let page = module.components().find(|view| {
        let parent = module.parent(view.func.node());
        let is_exported = matches!(parent, AstKind::ExportDefaultDeclaration(_));
        is_exported || view.symbol.is_some_and(|it| is_default(module, it))
    });
    let Some(page) = page else { return };
    let Some(waiting) = Waiting::of(cx, page.func) else { return };
    if cx.world.has_loading(&cx.facts.path) || tells_head(module, &waiting) {
        return;
    }
    let layouts = layouts(cx);
    let texts: Vec<_> = layouts.iter().filter_map(|it| cx.world.text(it)).collect();
    // Does a layout show something while the page is awaited, or does it wait for the same?
    let is_covered = texts.iter().any(|it| it.contains("Suspense"))
        || waiting.reads.iter().all(|it| is_awaited_anyway(it, &texts));
    if is_covered {
        return;
    }
    if let Some((part, sibling)) = split(module, &waiting) {
        let first = &waiting.reads[0];
        let labels: Vec<String> =
            waiting.reads.iter().map(|it| format!("`{}`", it.label(module))).collect();
        let verb = if labels.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} {verb} needed only by {part}, but {sibling} waits too; await in a separate component inside `Suspense`",
            labels.join(", "),
        );
        let hit = Hit::at(first.span(), message);
        if is_made_per_request(cx, layouts) {
            cx.report(hit);
        } else if !is_built_once(module.text()) {
            cx.report(hit.likely("the page may be prerendered at build time"));
        }
    }
}

/// `export default Page`
fn is_default(module: &Module<'_>, symbol: oxc_semantic::SymbolId) -> bool {
    module
        .uses(symbol)
        .any(|it| matches!(module.parent(it.node), AstKind::ExportDefaultDeclaration(_)))
}

/// The layouts around the page.
fn layouts(cx: &Cx<'_, '_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut folder: &str = &cx.facts.path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        folder = above;
        let files = ["tsx", "jsx", "js", "ts"].map(|it| format!("{folder}/layout.{it}"));
        found.extend(files.into_iter().filter(|it| cx.world.text(it).is_some()));
    }
    found
}

/// A layout asks for the same, or it is the question who is there, which all of the request share, or it takes no time.
fn is_awaited_anyway(read: &Step<'_>, layouts: &[std::sync::Arc<str>]) -> bool {
    let Some(called) = called_name(read.awaited) else { return false };
    let asks_nothing = matches!(read.awaited.get_inner_expression(), Expression::CallExpression(it) if it.arguments.is_empty());
    let words = words(called);
    let is_who = asks_nothing && words.last().is_some_and(|it| it == "user");
    // Words of a language lie beside the code.
    let is_words = words.iter().any(|it| it == "dictionary" || it == "messages");
    is_who || is_words || layouts.iter().any(|it| it.contains(&format!("await {called}(")))
}

/// Does the file say that the page, or what it reads, is kept?
fn is_built_once(text: &str) -> bool {
    const WORDS: &[&str] =
        &["generateStaticParams", "force-static", "revalidate", "use cache", "force-cache"];
    WORDS.iter().any(|it| text.contains(it))
}

/// Is the page made anew for each request? One that asks nothing of the request is made when the project is built.
fn is_made_per_request(cx: &Cx<'_, '_>, layouts: Vec<String>) -> bool {
    let varies = cx.facts.path.contains("/[") && !cx.module.text().contains("generateStaticParams");
    varies || asks_request(cx, layouts)
}

/// Does the page, a layout or what they are made of ask for something of the request?
fn asks_request(cx: &Cx<'_, '_>, layouts: Vec<String>) -> bool {
    const MOST: usize = 200;
    let mut open = layouts;
    open.push(cx.facts.path.to_string());
    let mut seen: BTreeSet<String> = open.iter().cloned().collect();
    while let Some(file) = open.pop() {
        let is_client = |facts: crate::facts::Facts| facts.directive == Some(Directive::UseClient);
        if cx.world.facts(&file).is_some_and(is_client) {
            continue;
        }
        let asked = cx.world.ask("what a page is made of", &file, "", made_of);
        let Some((asks, specifiers)) = asked else { continue };
        if asks {
            return true;
        }
        for specifier in specifiers {
            if let Target::File(next) = cx.world.resolve(&file, &specifier)
                && seen.len() < MOST
                && seen.insert(next.clone())
            {
                open.push(next);
            }
        }
    }
    false
}

/// Whether a file asks for something of the request, and what it imports.
fn made_of(module: &Module<'_>) -> (bool, Vec<String>) {
    const WORDS: &[&str] = &[
        "cookies(",
        "headers(",
        "draftMode(",
        "connection(",
        "noStore(",
        "no-store",
        "force-dynamic",
        "revalidate = 0",
        "revalidate: 0",
        "auth(",
        "Session(",
        "currentUser",
        "searchParams",
    ];
    let asks = WORDS.iter().any(|it| module.text().contains(it));
    let imports = module.import_declarations().filter(|it| !it.import_kind.is_type());
    (asks, imports.map(|it| it.source.value.to_string()).collect())
}

/// Does the head of the page need the same data?
fn tells_head(module: &Module<'_>, waiting: &Waiting<'_>) -> bool {
    metadata(module).is_some_and(|span| {
        let names = module.identifiers_in(span);
        waiting.reads.iter().any(|it| {
            let called = called_name(it.awaited);
            called.is_some_and(|called| {
                names.iter().any(|it| it.name == called) || module.slice(span).contains(called)
            })
        })
    })
}

/// The part that needs the data and one that does not, beside each other.
fn split<'a>(module: &Module<'a>, waiting: &Waiting<'a>) -> Option<(String, String)> {
    let mut children = match waiting.shown.get_inner_expression() {
        Expression::JSXElement(it) => {
            if waiting.needs(module, it.opening_element.span) {
                return None;
            }
            &it.children
        }
        Expression::JSXFragment(it) => &it.children,
        _ => return None,
    };
    loop {
        let parts: Vec<&'a JSXChild<'a>> =
            children.iter().filter(|it| is_something(module, it)).collect();
        if let [JSXChild::Element(only)] = parts[..] {
            if waiting.needs(module, only.opening_element.span) {
                return None;
            }
            children = &only.children;
            continue;
        }
        let (needing, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|it| waiting.needs(module, it.span()));
        let [part] = needing[..] else { return None };
        let sibling = others.into_iter().find(|it| is_worth_showing(it))?;
        if is_main_content(module, part.span()) {
            return None;
        }
        return Some((label(module, part), label(module, sibling)));
    }
}

fn is_something(module: &Module<'_>, child: &JSXChild<'_>) -> bool {
    match child {
        JSXChild::Text(it) => !it.value.trim().is_empty(),
        JSXChild::ExpressionContainer(it) => it.expression.is_expression(),
        JSXChild::Element(it) => !module.slice(it.opening_element.span).starts_with("<script"),
        JSXChild::Fragment(_) | JSXChild::Spread(_) => true,
    }
}

/// A component by its name, anything else by its line.
fn label<'a>(module: &Module<'a>, part: &'a JSXChild<'a>) -> String {
    let line = module.line(part.span().start);
    match part {
        JSXChild::Element(it) => match name_of(it) {
            Some(name) if name.starts_with(|c: char| c.is_uppercase()) => format!("`<{name}>`"),
            Some(name) => format!("the `<{name}>` on line {line}"),
            None => format!("the part on line {line}"),
        },
        _ => format!("the part on line {line}"),
    }
}

/// An element that would be seen by itself.
fn is_worth_showing<'a>(child: &'a JSXChild<'a>) -> bool {
    let JSXChild::Element(element) = child else { return false };
    let Some(name) = name_of(element) else { return false };
    if name.starts_with(|c: char| c.is_uppercase()) {
        return name != "Suspense" && name != "Script";
    }
    element.children.iter().any(|it| match it {
        JSXChild::Text(it) => !it.value.trim().is_empty(),
        JSXChild::Element(_) | JSXChild::Fragment(_) => true,
        JSXChild::ExpressionContainer(_) | JSXChild::Spread(_) => false,
    })
}

fn name_of<'a>(element: &'a JSXElement<'a>) -> Option<&'a str> {
    match &element.opening_element.name {
        JSXElementName::Identifier(it) => Some(it.name.as_str()),
        JSXElementName::IdentifierReference(it) => Some(it.name.as_str()),
        JSXElementName::MemberExpression(it) => Some(it.property.name.as_str()),
        JSXElementName::NamespacedName(_) | JSXElementName::ThisExpression(_) => None,
    }
}

/// What a page is about: search engines look for it in the first answer.
fn is_main_content(module: &Module<'_>, span: Span) -> bool {
    ["<h1", "<article", "<Suspense", "ld+json"].iter().any(|it| module.slice(span).contains(it))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::{Realm, Route};
    use crate::testing::{Setup, check_doc};

    fn page() -> Setup {
        Setup::new().path("app/[id]/page.tsx").next(16, 0).realm(Realm::Server).route(Route::Page)
    }

    #[test]
    fn ru1_async_suspense_boundaries_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_async_suspense_boundaries_found() {
        page().check(
            &RULE,
            "const Page = async ({ params }) => {
  const { id } = await params;
  const rows = await readRows(id);
  const tags = await readTags();
  const shown = rows.filter((row) => row.on);
  return (
    <Shell>
      <div>
        <header><Logo /></header>
        {shown.map((row) => <Row key={row.id} row={row} tags={tags} />)}
      </div>
    </Shell>
  );
};
export default Page;",
            expect![[r#"
                3:3 warning: `rows`, `tags` are needed only by the part on line 10, but the `<header>` on line 9 waits too; await in a separate component inside `Suspense`
            "#]],
        );
    }

    #[test]
    fn ru1_async_suspense_boundaries_is_silent() {
        for body in [
            // The data decides the layout, the status, or where to go.
            "const rows = await readRows(); if (!rows) notFound(); return <main><Nav /><Grid rows={rows} /></main>;",
            "const rows = await readRows(); const all = rows ?? notFound(); return <main><Nav /><Grid rows={all} /></main>;",
            "const rows = await readRows(); if (!rows.length) return <Empty />; return <main><Nav /><Grid rows={rows} /></main>;",
            "const rows = await readRows(); return <main className={rows.kind}><Nav /><Grid rows={rows} /></main>;",
            "const rows = await readRows(); return rows ? <main><Nav /><Grid rows={rows} /></main> : null;",
            "const who = await getSession(); const rows = await readRows(); return <main><Nav /><Grid rows={rows} /></main>;",
            // What the page is about.
            "const post = await readPost(); return <main><Nav /><article>{post.text}</article></main>;",
            "const post = await readPost(); return <main><Nav /><div><h1>{post.title}</h1></div></main>;",
            // All parts need it, or two of them, or there is but one.
            "const rows = await readRows(); return <main><Nav n={rows.length} /><Grid rows={rows} /></main>;",
            "const rows = await readRows(); return <Grid rows={rows} />;",
            // Fast.
            "const { id } = await params; return <main><Nav /><Grid id={id} /></main>;",
            "const t = await getTranslations(); return <main><Nav /><b>{t('x')}</b></main>;",
        ] {
            page().silent(
                &RULE,
                &format!("export default async function Page({{ params }}) {{ {body} }}"),
            );
        }
    }

    #[test]
    fn ru1_async_suspense_boundaries_covered() {
        // Something is shown meanwhile, or the head of the page needs the data.
        page().loading().silent(&RULE, RULE.doc.wrong);
        let layout = "export default ({ children }) => <Suspense>{children}</Suspense>;";
        page().file("app/layout.tsx", layout).silent(&RULE, RULE.doc.wrong);
        let head = "export async function generateMetadata() { const rows = await readRows(); return { title: rows.title }; }";
        page().silent(&RULE, &format!("{head}\n{}", RULE.doc.wrong));
        // Not a page, or not on the server.
        Setup::new().silent(&RULE, RULE.doc.wrong);
        page().realm(Realm::Client).silent(&RULE, RULE.doc.wrong);
    }

    #[test]
    fn ru1_async_suspense_boundaries_of_pages_that_are_made_beforehand() {
        let still = || page().path("app/about/page.tsx");
        let text = "import { readRows } from '@/rows';
export default async function Page() {
  const rows = await readRows();
  return <main><Nav /><Grid rows={rows} /></main>;
}";
        let rows = "export async function readRows() { return fs.readFile('rows.json'); }";
        still().file("src/rows.ts", rows).likely(&RULE, text);
        still().likely(&RULE, text);
        let own =
            "async function readRows() { return fetch('/rows', { next: { revalidate: 60 } }); }";
        still().silent(&RULE, &text.replace("import { readRows } from '@/rows';", own));
        let all = "export function generateStaticParams() { return ALL; }";
        page().silent(&RULE, &format!("{text}\n{all}"));
        // Something of the request is asked for: here, by a function that is called, by a layout, or by word.
        let asks = "import { cookies } from 'next/headers';\nexport async function readRows() { return db(await cookies()); }";
        assert_eq!(still().file("src/rows.ts", asks).findings(&RULE, text).len(), 1);
        let deep = still()
            .file("src/rows.ts", "import { db } from './db';\nexport const readRows = async () => db();")
            .file("src/db.ts", "import { headers } from 'next/headers';\nexport const db = async () => query(await headers());");
        assert_eq!(deep.findings(&RULE, text).len(), 1);
        let layout = "export default async function L({ children }) { await auth(); return <b>{children}</b>; }";
        assert_eq!(still().file("app/layout.tsx", layout).findings(&RULE, text).len(), 1);
        let word = format!("export const dynamic = 'force-dynamic';\n{text}");
        assert_eq!(still().findings(&RULE, &word).len(), 1);
        let search = text.replace("Page()", "Page({ searchParams })");
        assert_eq!(still().findings(&RULE, &search).len(), 1);
    }

    #[test]
    fn ru1_async_suspense_boundaries_of_what_is_waited_for_anyway() {
        // The layout waits for the same; who is there is known at once, or decides everything.
        let layout = "export default async function L({ children }) { const t = await readTeam(); return <b>{children}</b>; }";
        let text = "export default async function Page() { const team = await readTeam(); return <main><Nav /><Card team={team} /></main>; }";
        assert_eq!(page().findings(&RULE, text).len(), 1);
        page().file("app/layout.tsx", layout).silent(&RULE, text);
        page().silent(&RULE, &text.replace("readTeam", "getCachedUser"));
        page().silent(&RULE, &text.replace("readTeam()", "getDictionary(lang)"));
    }
}
