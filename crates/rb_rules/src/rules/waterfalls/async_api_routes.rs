//! Waterfalls in handlers of requests and in actions of the server.

use oxc_ast::ast::{Expression, Statement};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::async_dependencies::held_back;
use super::awaits::{Step, depends, is_in_handler, is_meant, is_ordered, waiting_lists};
use super::likely::{Candidate, likely_waterfalls};
use super::names::{Sort, called_name, sort, words};
use super::proofs::{doubt_of_read, doubt_of_start};
use super::runs::{promise_code, reading_step, runs_of};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::facts::Route;
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "async-api-routes",
    title: "A handler or action waits for reads that could run together",
    category: Category::Waterfalls,
    impact: Impact::Critical,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A route handler, API route or server action awaits independent reads one after the other, or awaits \
               the session before a read that does not need it.",
        why: "Every request takes the sum of the waiting times.",
        wrong: "export async function GET() {
  const who = await readSession();
  const config = await readConfig();
  const rows = await readRows(who.id);
  return Response.json({ config, rows });
}",
        right: "export async function GET() {
  const configPromise = readConfig();
  configPromise.catch(() => {});
  const who = await readSession();
  const [config, rows] = await Promise.all([configPromise, readRows(who.id)]);
  return Response.json({ config, rows });
}",
        safe: "Calls that are proved to only read go into one `Promise.all`, as in `async-parallel`. What starts \
               before the session is known is a policy question (cost, denial of service): it is done automatically \
               for reads of configuration that depend only on constants, otherwise as a draft. The early promise \
               gets an empty `catch`, so its failure does not end the process before it is awaited; errors appear in \
               the same order as before.",
        leave: "No work may be done for callers who are not signed in.",
        given: &[
            Given::Path("app/api/rows/route.ts"),
            Given::Next(16, 0),
            Given::Route(Route::Handler),
        ],
    },
    wants: &["await"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for list in waiting_lists(module) {
        if list.iter().filter(|it| Step::of(it).is_some()).take(2).count() < 2 {
            continue;
        }
        let late = behind_identity(cx, list);
        let mut taken: Vec<Span> = late.iter().map(|it| it.span).collect();
        let mut hits: Vec<Hit> = late.into_iter().map(|it| it.hit).collect();
        for run in runs_of(cx, list) {
            let is_told = taken.iter().any(|it| run.steps.iter().any(|step| step.span() == *it));
            if !is_told && is_in_handler(cx, run.steps[0].node) {
                taken.push(run.span());
                hits.push(run.hit(cx));
            }
        }
        let candidates = likely_waterfalls(cx, list).into_iter();
        let is_new = |it: &Candidate| is_in_handler(cx, it.node) && !taken.contains(&it.span);
        hits.extend(candidates.filter(is_new).map(|it| it.hit));
        let held = held_back(cx, list).into_iter();
        hits.extend(held.filter(|(node, _)| is_in_handler(cx, *node)).map(|(_, hit)| hit));
        for hit in hits {
            cx.report(hit);
        }
    }
}

/// A read that waits for the session without a need.
struct Late {
    /// Of the statement that reads.
    span: Span,
    hit: Hit,
}

fn behind_identity<'a>(cx: &Cx<'_, 'a>, list: &'a [Statement<'a>]) -> Vec<Late> {
    let module = cx.module;
    let mut found = Vec::new();
    for pair in list.windows(2) {
        let (Some(who), Some(read)) = (Step::of(&pair[0]), reading_step(cx, &pair[1])) else {
            continue;
        };
        let span = Span::new(who.span().start, read.span().end);
        let fits = who.bound.is_some()
            && sort(cx, who.awaited) == Sort::Identity
            && !depends(module, read.span(), &who)
            && is_in_handler(cx, who.node)
            && !is_ordered(module, who.node)
            && !is_meant(module, span);
        if let (true, Some(hit)) = (fits, told(cx, &who, &read)) {
            found.push(Late { span: read.span(), hit });
        }
    }
    found
}

fn told<'a>(cx: &Cx<'_, 'a>, who: &Step<'a>, read: &Step<'a>) -> Option<Hit> {
    let module = cx.module;
    read.bound.as_ref()?;
    let message = format!(
        "`{}` does not depend on `{}` but waits for it; start it earlier and await it where it is used",
        read.label(module),
        who.label(module)
    );
    let hit = Hit::at(read.span(), message);
    let doubt = doubt_of_read(cx, read.awaited);
    let hit = if doubt.is_some() { hit.low() } else { hit };
    let doubt = doubt
        .or_else(|| doubt_of_start(cx, read.awaited))
        .or_else(|| doubt_of_policy(module, read.awaited));
    Some(match started_before(module, who, read) {
        Some(edits) => hit.auto_unless(doubt, "start it earlier", edits),
        None => hit,
    })
}

/// Only what is the same for every caller may start before the caller is known.
fn doubt_of_policy<'a>(module: &Module<'a>, awaited: &'a Expression<'a>) -> Option<String> {
    const CONFIGURATION: &[&str] =
        &["config", "configuration", "settings", "flags", "features", "manifest", "options"];
    let by_name = called_name(awaited).map(words).unwrap_or_default();
    let says_so = by_name.iter().any(|it| CONFIGURATION.contains(&it.as_str()));
    let around = module.captures(awaited.span());
    let is_constant = around.iter().all(|&it| module.is_top_level(it) && module.is_stable(it));
    (!(says_so && is_constant)).then(|| "work would start before it is known who asks".to_owned())
}

/// The promise is made before, with a `catch` of its own, and awaited where the read was.
fn started_before<'a>(module: &Module<'a>, who: &Step<'a>, read: &Step<'a>) -> Option<Vec<Edit>> {
    let base = read.name().map_or_else(|| "reading".to_owned(), |it| format!("{it}Promise"));
    let name = module.fresh_name(&base);
    let code = promise_code(module, read.awaited)?;
    let style = module.style();
    let (end, eol) = (style.semicolon(), style.line_end);
    let at = who.span().start;
    let indent = module.indent_at(at);
    let start = format!(
        "const {name} = {code}{end}{eol}{indent}{name}.catch(() => {{}}){end}{eol}{indent}"
    );
    let awaited = read.awaited.span();
    Some(vec![Edit::insert(at, start), Edit::replace(awaited.start, awaited.end, name)])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Route;
    use crate::testing::{Setup, check_doc};

    fn handler() -> Setup {
        Setup::new().path("app/api/rows/route.ts").next(16, 0).route(Route::Handler)
    }

    #[test]
    fn ru1_async_api_routes_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_async_api_routes_starts_before_the_session() {
        handler().check(&RULE, RULE.doc.wrong, expect![[r#"
            3:3 warning: `config` does not depend on `who` but waits for it; start it earlier and await it where it is used [assist: start it earlier] (not proved: `readConfig()` may have side effects)
            --- assist
            export async function GET() {
              const configPromise = readConfig();
              configPromise.catch(() => {});
              const who = await readSession();
              const config = await configPromise;
              const rows = await readRows(who.id);
              return Response.json({ config, rows });
            }
        "#]]);
    }

    #[test]
    fn ru1_async_api_routes_proves_reads_of_configuration() {
        handler().fixes(
            &RULE,
            "const PATH = '/config.json';
async function readConfig() {
  return fetch(PATH);
}
export async function GET() {
  const who = await readSession();
  const config = await readConfig();
  return Response.json({ config, who });
}
",
            "const PATH = '/config.json';
async function readConfig() {
  return fetch(PATH);
}
export async function GET() {
  const configPromise = readConfig();
  configPromise.catch(() => {});
  const who = await readSession();
  const config = await configPromise;
  return Response.json({ config, who });
}
",
        );
    }

    #[test]
    fn ru1_async_api_routes_runs_and_tuples() {
        Setup::new().path("src/actions.ts").check(
            &RULE,
            "'use server'
export async function act(id: string) {
  const a = await fetch('/a')
  const b = await fetch('/b')
  if (!a.ok) return
  const [c, d] = await Promise.all([getC(), getD()])
  const e = await getE(c.id)
  return [b, d, e]
}
",
            expect![[r#"
                3:3 error: `a` and `b` are independent but awaited in sequence; run them in parallel with `Promise.all` [auto: run them in parallel]
                7:3 error: `e` needs only `c` but also waits for `d`; chain it with `.then` and await everything together [assist: chain it and await everything together]
                --- auto
                'use server'
                export async function act(id: string) {
                  const [a, b] = await Promise.all([fetch('/a'), fetch('/b')])
                  if (!a.ok) return
                  const [c, d] = await Promise.all([getC(), getD()])
                  const e = await getE(c.id)
                  return [b, d, e]
                }

                --- assist
                'use server'
                export async function act(id: string) {
                  const a = await fetch('/a')
                  const b = await fetch('/b')
                  if (!a.ok) return
                  const [e, d] = await Promise.all([getC().then((c) => getE(c.id)), getD()])
                  return [b, d, e]
                }

            "#]],
        );
        Setup::new().path("src/page.tsx").check(
            &RULE,
            "export function Page() {
  async function act() {
    'use server';
    const a = await getA();
    const b = await getB();
    return [a, b];
  }
  return <form action={act} />;
}
",
            expect![[r#"
                4:5 error: `a` and `b` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `getA()` may have side effects)
                --- assist
                export function Page() {
                  async function act() {
                    'use server';
                    const [a, b] = await Promise.all([getA(), getB()]);
                    return [a, b];
                  }
                  return <form action={act} />;
                }

            "#]],
        );
    }

    #[test]
    fn ru1_async_api_routes_is_silent() {
        for body in [
            // Something is decided when it is known who asks.
            "const who = await readSession(); if (!who) redirect('/login'); const rows = await readRows();",
            "const who = await auth(); if (!who) notFound(); const rows = await readRows();",
            // A gate: no work for those who may not pass.
            "await requireUser(); const rows = await readRows();",
            "const who = await verifyToken(); const rows = await readRows();",
            "const ok = await checkPermission(); const rows = await readRows();",
            // It needs the session.
            "const who = await readSession(); const rows = await readRows(who.id);",
            // The body of the request costs little, and writes are no reads.
            "const who = await readSession(); const body = await request.json();",
            "const who = await readSession(); const row = await saveRow();",
            "// do nothing before the session is known\nconst who = await readSession(); const rows = await readRows();",
        ] {
            handler().silent(&RULE, &format!("export async function GET(request) {{ {body} }}"));
        }
        // No handler.
        Setup::new().silent(&RULE, RULE.doc.wrong);
    }

    #[test]
    fn ru1_async_api_routes_proves_little() {
        let read = "async function readRows(id: string) { return fetch(`/rows/${id}`); }
function readFlags() { return fetch('/flags'); }
async function readConfig(id?: string) { return fetch(`/config/${id}`); }";
        for body in [
            // Not of configuration.
            "const who = await readSession(); const rows = await readRows('1');",
            // Of the caller.
            "const who = await readSession(); const config = await readConfig(id);",
            // It may throw at once.
            "const who = await readSession(); const config = await readFlags();",
            // Not known to only read.
            "const who = await readSession(); const config = await loadConfig();",
        ] {
            let text =
                format!("{read}\nexport async function GET(request, id: string) {{ {body} }}");
            handler().no_auto(&RULE, &text);
        }
    }
}
