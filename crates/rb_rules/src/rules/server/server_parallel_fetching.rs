//! A component of the server awaits, and holds back the reads of components below it that do not need the result.

use oxc_ast::AstKind;
use oxc_ast::ast::{JSXElement, JSXElementName};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, Module};

use crate::cx::{Cx, Hit};
use crate::exports::exported_function;
use crate::facts::{FileKind, Realm};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::rules::waterfalls::components::{Waiting, is_conditional};
use crate::rules::waterfalls::names::{Sort, called_name, sort};

pub static RULE: Rule = Rule {
    id: "server-parallel-fetching",
    title: "A component's own read holds back the reads of its children",
    category: Category::Server,
    impact: Impact::Critical,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A server component awaits a read, and renders another component that awaits a read of its own and \
               receives nothing from the first.",
        why: "A child is not rendered until its parent has finished waiting, so the two reads run one after the \
              other.",
        wrong: "export default async function Page() {
  const top = await readTop();
  return <><h1>{top}</h1><Side /></>;
}
async function Side() {
  const rows = await readSide();
  return <ul>{rows}</ul>;
}",
        right: "export default function Page() {
  return <><Top /><Side /></>;
}
async function Top() {
  return <h1>{await readTop()}</h1>;
}
async function Side() {
  const rows = await readSide();
  return <ul>{rows}</ul>;
}",
        safe: "No fix is offered: a read that moves into its own component fails at another error boundary, and \
               children would start before whatever the parent ensures.",
        leave: "The child relies on something that the parent's read puts into a cache, or must not start before it.",
        given: &[Given::Path("app/page.tsx"), Given::Next(16, 0), Given::Realm(Realm::Server)],
    },
    wants: &["await"],
    applies: |facts| facts.kind == FileKind::Source && facts.realm == Realm::Server,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for view in module.components() {
        let Some(waiting) = Waiting::of(cx, view.func) else { continue };
        let whole = waiting.shown.span();
        let mut held: Vec<String> = Vec::new();
        let first = module.elements().partition_point(|it| it.span.start < whole.start);
        for element in module.elements()[first..].iter().take_while(|it| it.span.start < whole.end)
        {
            if let Some(name) = held_back(cx, &waiting, element) {
                held.push(format!("`<{name}>`"));
            }
        }
        held.sort();
        held.dedup();
        if !held.is_empty() {
            let labels: Vec<String> =
                waiting.reads.iter().map(|it| format!("`{}`", it.label(module))).collect();
            let message = format!(
                "{} cannot start fetching until {} {} loaded, without needing it; await in a sibling component",
                held.join(" and "),
                labels.join(" and "),
                if labels.len() == 1 { "is" } else { "are" },
            );
            cx.report(Hit::at(waiting.reads[0].span(), message));
        }
    }
}

/// The name of an element whose component reads by itself, and needs nothing of what is awaited.
fn held_back<'a>(
    cx: &Cx<'_, 'a>,
    waiting: &Waiting<'a>,
    element: &JSXElement<'a>,
) -> Option<&'a str> {
    let module = cx.module;
    let JSXElementName::IdentifierReference(name) = &element.opening_element.name else {
        return None;
    };
    if !waiting.shown.span().contains_inclusive(element.span)
        || waiting.needs(module, element.span)
        || is_conditional(module, waiting, element.node_id.get())
    {
        return None;
    }
    let calls = child_reads(cx, name)?;
    let own: Vec<&str> = waiting.reads.iter().filter_map(|it| called_name(it.awaited)).collect();
    // What the parent reads as well is there already.
    let fresh = !calls.is_empty() && !calls.iter().any(|it| own.contains(&it.as_str()));
    fresh.then_some(name.name.as_str())
}

/// What the component behind a name awaits; `None` where it is no asynchronous component of the server.
fn child_reads<'a>(
    cx: &Cx<'_, 'a>,
    name: &oxc_ast::ast::IdentifierReference<'a>,
) -> Option<Vec<String>> {
    let module = cx.module;
    let symbol = module.symbol(name)?;
    if module.import(symbol).is_none() {
        let mut views = module.functions().iter();
        let view = views.find(|it| it.symbol == Some(symbol))?;
        let is_component = view.kind == FunctionKind::Component;
        return is_component.then(|| reads_of(cx, view.func)).flatten();
    }
    let (file, export) = cx.component_origin(name)?;
    let facts = cx.world.facts(&file).filter(|it| it.realm != Realm::Client)?;
    let answer = cx.world.ask("reads of component", &file, &export, |module| {
        let there = Cx::new(module, &facts, cx.world, &RULE);
        exported_function(module, &export).and_then(|func| reads_of(&there, func))
    });
    answer.flatten()
}

fn reads_of<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> Option<Vec<String>> {
    func.is_async().then(|| awaited_reads(cx.module, func.span(), cx))
}

/// The names of the reads that are awaited in a piece of code.
fn awaited_reads<'a>(module: &Module<'a>, span: Span, cx: &Cx<'_, 'a>) -> Vec<String> {
    let calls = module.calls();
    let first = calls.partition_point(|it| it.span.start < span.start);
    let within = calls[first..].iter().take_while(|it| it.span.start < span.end);
    let awaits = within.filter_map(|it| match module.parent(it.node_id.get()) {
        AstKind::AwaitExpression(it) => Some(it),
        _ => None,
    });
    awaits
        .filter(|it| sort(cx, &it.argument) == Sort::Read)
        .filter_map(|it| called_name(&it.argument).map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    const SIDE: &str =
        "export async function Side() { const rows = await readSide(); return <ul>{rows}</ul>; }";

    fn server() -> Setup {
        Setup::new()
            .path("app/page.tsx")
            .next(16, 0)
            .realm(Realm::Server)
            .file("app/side.tsx", SIDE)
    }

    #[test]
    fn ru1_server_parallel_fetching_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_parallel_fetching_in_another_file() {
        server().check(
            &RULE,
            "import { Side as Aside } from './side';
const Page = async () => {
  const top = await readTop();
  return <><h1>{top}</h1><div><Aside /></div></>;
};",
            expect![[r#"
                3:3 error: `<Aside>` cannot start fetching until `top` is loaded, without needing it; await in a sibling component
            "#]],
        );
    }

    #[test]
    fn ru1_server_parallel_fetching_is_silent() {
        for body in [
            // The child needs it: as a prop, as what is between its tags, or to be there at all.
            "const top = await readTop(); return <><h1>{top}</h1><Side top={top} /></>;",
            "const top = await readTop(); return <Side><h1>{top}</h1></Side>;",
            "const top = await readTop(); return <><h1>{top}</h1>{top.on && <Side />}</>;",
            "const top = await readTop(); return top.on ? <Side /> : <h1>{top}</h1>;",
            "const top = await readTop(); return <>{top.map((it) => <Side key={it} />)}</>;",
            // A gate.
            "const top = await readTop(); if (!top) notFound(); return <><h1>{top}</h1><Side /></>;",
            "const top = await readTop(); if (!top) return null; return <><h1>{top}</h1><Side /></>;",
            "const who = await getSession(); const top = await readTop(); return <><h1>{top}</h1><Side /></>;",
            // The child counts on what the parent has read.
            "const top = await readSide(); return <><h1>{top}</h1><Side /></>;",
            // Nothing is awaited that takes long.
            "const { top } = await params; return <><h1>{top}</h1><Side /></>;",
        ] {
            let text = format!(
                "import {{ Side }} from './side';\nexport default async function Page({{ params }}) {{ {body} }}"
            );
            server().silent(&RULE, &text);
        }
        let parent = "import { Side } from './side';\nexport default async function Page() { const top = await readTop(); return <><h1>{top}</h1><Side /></>; }";
        // A child that does not wait, one of the browser, and one that is not known.
        server().file("app/side.tsx", "export const Side = () => <ul />;").silent(&RULE, parent);
        server().realm_of("app/side.tsx", Realm::Client).silent(&RULE, parent);
        server().silent(&RULE, &parent.replace("./side", "ui-kit"));
        server().realm(Realm::Client).silent(&RULE, parent);
    }
}
