//! A page awaits data that one part of it needs, and the rest waits too.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, JSXChild, JSXElement, JSXElementName};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::components::{Waiting, metadata};
use super::names::called_name;
use crate::cx::{Cx, Hit};
use crate::facts::{FileKind, Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "async-suspense-boundaries",
    title: "A page waits for data that one part of it needs",
    category: Category::Waterfalls,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A page of the server awaits a read at the top, the result goes to one part of what it shows, and a part beside it \
               does not need it. No `loading` file and no `Suspense` of a layout stands in for the page meanwhile.",
        why: "The visitor sees nothing at all until the data is there, where the frame of the page could be shown at once.",
        wrong: "export default async function Page() {
  const rows = await readRows();
  return <main><Nav /><Grid rows={rows} /></main>;
}",
        right: "export default function Page() {
  return <main><Nav /><Suspense fallback={<Shell />}><GridLoader /></Suspense></main>;
}
async function GridLoader() {
  return <Grid rows={await readRows()} />;
}",
        safe: "Reported only: what is shown meanwhile has to be designed, and once the page is on its way its status is fixed.",
        leave: "The data decides the layout, the status or the head of the page, search engines must find it in the first answer, \
                or the read is fast.",
        given: &[
            Given::Path("app/page.tsx"),
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
    if cx.world.has_loading(&cx.facts.path) || has_boundary(cx) || tells_head(module, &waiting) {
        return;
    }
    if let Some((part, sibling)) = split(module, &waiting) {
        let first = &waiting.reads[0];
        let labels: Vec<String> =
            waiting.reads.iter().map(|it| format!("`{}`", it.label(module))).collect();
        let verb = if labels.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} {verb} needed by {part} alone, but {sibling} waits as well: await in a component of its own under `Suspense`",
            labels.join(", "),
        );
        cx.report(Hit::at(first.span(), message));
    }
}

/// `export default Page`
fn is_default(module: &Module<'_>, symbol: oxc_semantic::SymbolId) -> bool {
    module
        .uses(symbol)
        .any(|it| matches!(module.parent(it.node), AstKind::ExportDefaultDeclaration(_)))
}

/// Does a layout above show something while the page is awaited?
fn has_boundary(cx: &Cx<'_, '_>) -> bool {
    let mut folder: &str = &cx.facts.path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        folder = above;
        let layouts = ["tsx", "jsx", "js", "ts"].map(|it| format!("{folder}/layout.{it}"));
        let texts = layouts.iter().filter_map(|it| cx.world.text(it));
        if texts.into_iter().any(|it| it.contains("Suspense")) {
            return true;
        }
    }
    false
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
        Setup::new().path("app/page.tsx").next(16, 0).realm(Realm::Server).route(Route::Page)
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
                3:3 warning: `rows`, `tags` are needed by the part on line 10 alone, but the `<header>` on line 9 waits as well: await in a component of its own under `Suspense`
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
}
