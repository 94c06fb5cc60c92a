//! The answer waits for a log entry that the one who asked does not need.

use oxc_ast::AstKind;
use oxc_ast::ast::{AwaitExpression, CallExpression, Statement};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Func;

use super::deeds::is_client;
use super::entries::{Entry, EntryKind, entries, is_server_source};
use super::names::{has_word, path_of, words};
use crate::cx::{Cx, Hit};
use crate::facts::{Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-after-nonblocking",
    title: "The response waits for logging",
    category: Category::Server,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A route handler, server action or server component awaits a call that logs, tracks or notifies, \
               ignores its result, and has nothing left to do but respond.",
        why: "The user waits for the round trip to the logging service. `after` from `next/server` runs the call \
              once the response has been sent, and keeps the function alive until it is done.",
        wrong: "export async function POST(req: Request) {
  await save(req);
  await audit.log('saved');
  return Response.json({ ok: true });
}",
        right: "import { after } from 'next/server';

export async function POST(req: Request) {
  await save(req);
  after(() => audit.log('saved'));
  return Response.json({ ok: true });
}",
        safe: "Always a draft. An error of the call no longer reaches the caller, the call runs even if the request \
               fails later, it sees the values that variables have by then, and in a component it may not read \
               cookies or headers. The platform must support `waitUntil`.",
        leave: "The entry must not be lost, as in an audit trail required by law, or a failed write must fail the \
                request.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/api/save/route.ts"),
            Given::Realm(Realm::Server),
            Given::Route(Route::Handler),
        ],
    },
    wants: &["await"],
    applies: |facts| {
        is_server_source(facts)
            && facts.package.next_at_least(15, 1)
            && facts.route != Some(Route::Api)
    },
    check,
};

/// How sure it is that a call only tells somebody something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    Plain,
    /// It may have to be kept for the law.
    Audit,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let entries = entries(cx.facts, module);
    for &call in module.calls() {
        let path = path_of(&call.callee);
        let Some(telling) = telling(&path).filter(|_| !is_trail(cx, call, &path)) else {
            continue;
        };
        let AstKind::AwaitExpression(awaiting) = module.parent(call.node_id.get()) else {
            continue;
        };
        let Some(entry) = entry_of(cx, &entries, awaiting) else { continue };
        if !is_last_work(cx, awaiting, entry.func) {
            continue;
        }
        let message = format!(
            "the response waits for `{}`, but its result is not used; run it in `after` from `next/server`",
            path.join(".")
        );
        let mut hit = Hit::at(awaiting.span, message);
        if telling == Telling::Audit {
            hit = hit.low();
        }
        cx.report(match draft(cx, awaiting, call, entry) {
            Some(edits) => hit.assist("run it after the response", edits),
            None => hit,
        });
    }
}

/// Does an audit have a file or a table of its own? It is there to be kept: `after` may lose what it was given.
fn is_trail<'a>(cx: &Cx<'_, 'a>, call: &CallExpression<'a>, path: &[&str]) -> bool {
    const AUDIT: &[&str] = &["audit", "audits"];
    let import = path.first().and_then(|root| {
        let mut all = cx.module.identifiers_in(call.callee.span()).iter();
        let root = all.find(|it| it.name.as_str() == *root)?;
        cx.module.import(cx.module.symbol(root)?)
    });
    import.is_some_and(|it| has_word(it.source, AUDIT))
        || path.iter().any(|it| is_client(it)) && has_word(&path.join("."), AUDIT)
}

/// The entry whose own statement this is.
fn entry_of<'e, 'a>(
    cx: &Cx<'_, 'a>,
    entries: &'e [Entry<'a>],
    awaiting: &AwaitExpression<'a>,
) -> Option<&'e Entry<'a>> {
    let node = awaiting.node_id.get();
    if !matches!(cx.module.parent(node), AstKind::ExpressionStatement(_)) {
        return None;
    }
    let func = cx.module.function_around(node)?;
    entries.iter().find(|it| it.func.span() == func.span() && it.kind != EntryKind::Metadata)
}

const NAMES: &[&str] = &[
    "analytics",
    "logger",
    "metrics",
    "telemetry",
    "posthog",
    "mixpanel",
    "amplitude",
    "plausible",
    "statsd",
];

const VERBS: &[&str] = &["log", "track", "notify", "audit"];

const OTHER: &[&str] = &[
    "email", "emails", "mail", "mailer", "sms", "console", "get", "read", "list", "find", "delete",
    "remove", "clear", "fetch", "load",
];

fn telling(path: &[&str]) -> Option<Telling> {
    let last = path.last()?;
    let spoken: Vec<String> = path.iter().flat_map(|it| words(it)).collect();
    let pair =
        |first: &str, second: &str| spoken.windows(2).any(|it| it[0] == first && it[1] == second);
    let is_login = ["in", "out", "off"].iter().any(|it| pair("log", it));
    if is_login || spoken.iter().any(|it| OTHER.contains(&it.as_str())) {
        return None;
    }
    if has_word(&path.join("."), &["audit", "audits"]) {
        return Some(Telling::Audit);
    }
    if path.iter().any(|it| is_client(it)) {
        return None;
    }
    let of_last = words(last);
    let begins = |it: &&str| words(it).first().is_some_and(|it| VERBS.contains(&it.as_str()));
    let writes_log = of_last.last().is_some_and(|it| it == "log")
        && of_last
            .first()
            .is_some_and(|it| ["write", "record", "create", "add"].contains(&it.as_str()));
    let is_told = spoken.iter().any(|it| NAMES.contains(&it.as_str()))
        || begins(last)
        || pair("send", "event")
        || writes_log;
    is_told.then_some(Telling::Plain)
}

/// Does nothing but the answer come after it, and does nobody catch what it throws?
fn is_last_work<'a>(cx: &Cx<'_, 'a>, awaiting: &AwaitExpression<'a>, func: Func<'a>) -> bool {
    let mut node = awaiting.node_id.get();
    loop {
        let Some(siblings) = cx.module.siblings(node) else { return false };
        if !siblings.after().iter().all(is_answer) {
            return false;
        }
        if siblings.after().iter().any(leaves) || is_body(func, siblings.list) {
            return is_uncaught(cx, awaiting, func);
        }
        // A block that goes on behind its end: what stands there counts too.
        let start = siblings.list[0].span();
        let outer = cx.module.ancestors(node).find(|kind| {
            matches!(kind, AstKind::BlockStatement(_)) && kind.span().start < start.start
        });
        let Some(AstKind::BlockStatement(block)) = outer else { return false };
        if !matches!(cx.module.parent(block.node_id.get()), AstKind::IfStatement(_)) {
            return false;
        }
        node = block.node_id.get();
    }
}

fn is_body<'a>(func: Func<'a>, list: &[Statement<'a>]) -> bool {
    func.statements().first().map(GetSpan::span) == list.first().map(GetSpan::span)
        && func.statements().len() == list.len()
}

fn is_uncaught<'a>(cx: &Cx<'_, 'a>, awaiting: &AwaitExpression<'a>, func: Func<'a>) -> bool {
    let around = cx.module.ancestors(awaiting.node_id.get());
    let mut around = around.take_while(|kind| kind.span() != func.span());
    !around.any(|kind| {
        matches!(
            kind,
            AstKind::TryStatement(_)
                | AstKind::ForStatement(_)
                | AstKind::ForOfStatement(_)
                | AstKind::ForInStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::DoWhileStatement(_)
        )
    })
}

fn leaves(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ReturnStatement(_) | Statement::ThrowStatement(_))
}

/// A statement that but prepares and gives the answer: it awaits nothing except what is told likewise.
fn is_answer(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(it) => match &it.expression {
            oxc_ast::ast::Expression::AwaitExpression(it) => {
                matches!(&it.argument, oxc_ast::ast::Expression::CallExpression(call)
                    if telling(&path_of(&call.callee)).is_some())
            }
            _ => !awaits(statement),
        },
        Statement::ReturnStatement(_) | Statement::VariableDeclaration(_) => !awaits(statement),
        _ => false,
    }
}

fn awaits(statement: &Statement<'_>) -> bool {
    struct Awaits(bool);
    impl<'a> Visit<'a> for Awaits {
        fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
            self.0 = true;
        }
        fn visit_function(
            &mut self,
            _: &oxc_ast::ast::Function<'a>,
            _: oxc_syntax::scope::ScopeFlags,
        ) {
        }
        fn visit_arrow_function_expression(
            &mut self,
            _: &oxc_ast::ast::ArrowFunctionExpression<'a>,
        ) {
        }
    }
    let mut look = Awaits(false);
    look.visit_statement(statement);
    look.0
}

fn draft<'a>(
    cx: &Cx<'_, 'a>,
    awaiting: &AwaitExpression<'a>,
    call: &CallExpression<'a>,
    entry: &Entry<'a>,
) -> Option<Vec<Edit>> {
    let module = cx.module;
    let head = Span::new(awaiting.span.start, call.span.start);
    let inside = module.slice(call.span);
    // Components may not ask for the request any more once it is answered.
    let asks = ["cookies(", "headers("].iter().any(|it| inside.contains(it));
    if module.slice(head).trim() != "await" || (asks && entry.kind == EntryKind::Component) {
        return None;
    }
    let after = module.import_name("next/server", "after")?;
    let keyword = if inside.contains("await ") { "async () => " } else { "() => " };
    let mut edits = after.edits;
    edits.push(Edit::replace(head.start, head.end, format!("{}({keyword}", after.name)));
    edits.push(Edit::insert(call.span.end, ")"));
    Some(edits)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::RULE;
    use crate::facts::{Realm, Route};
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        Setup::new()
            .next(15, 1)
            .realm(Realm::Server)
            .path("src/app/api/route.ts")
            .route(Route::Handler)
    }

    fn check(text: &str, expected: Expect) {
        setup().check(&RULE, text, expected);
    }

    #[test]
    fn ru1_server_after_nonblocking_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_after_nonblocking_in_handlers() {
        check(
            "import { NextResponse } from \"next/server\"
export const DELETE = async () => {
  await audit.log(\"gone\")
}
export const POST = async (req: Request) => {
  const body = await req.json()
  if (body.silent) {
    await trackEvent(\"x\", await id())
    return NextResponse.json(1)
  }
  await logger.info(\"saved\")
  await analytics.flush()
  return NextResponse.json(2)
}",
            expect![[r#"
                3:3 note: the response waits for `audit.log`, but its result is not used; run it in `after` from `next/server` [assist: run it after the response]
                8:5 warning: the response waits for `trackEvent`, but its result is not used; run it in `after` from `next/server` [assist: run it after the response]
                11:3 warning: the response waits for `logger.info`, but its result is not used; run it in `after` from `next/server` [assist: run it after the response]
                12:3 warning: the response waits for `analytics.flush`, but its result is not used; run it in `after` from `next/server` [assist: run it after the response]
                --- assist
                import { NextResponse, after } from "next/server"
                export const DELETE = async () => {
                  after(() => audit.log("gone"))
                }
                export const POST = async (req: Request) => {
                  const body = await req.json()
                  if (body.silent) {
                    await trackEvent("x", await id())
                    return NextResponse.json(1)
                  }
                  await logger.info("saved")
                  await analytics.flush()
                  return NextResponse.json(2)
                }
            "#]],
        );
    }

    #[test]
    fn ru1_server_after_nonblocking_in_actions_and_components() {
        setup().path("src/app/actions.ts").check(
            &RULE,
            "'use server';
export async function save(form: FormData) {
  await write(form);
  await recordLog({ what: 'saved' });
  revalidatePath('/');
}",
            expect![[r#"
                4:3 warning: the response waits for `recordLog`, but its result is not used; run it in `after` from `next/server` [assist: run it after the response]
                --- assist
                'use server';

                import { after } from 'next/server';

                export async function save(form: FormData) {
                  await write(form);
                  after(() => recordLog({ what: 'saved' }));
                  revalidatePath('/');
                }
            "#]],
        );
        setup().path("src/app/page.tsx").route(Route::Page).check(
            &RULE,
            "export default async function Page() {
  const post = await read();
  await trackView(post.id);
  await logEvent(await cookies());
  return <p>{post.title}</p>;
}",
            expect![[r#"
                3:3 warning: the response waits for `trackView`, but its result is not used; run it in `after` from `next/server` [assist: run it after the response]
                4:3 warning: the response waits for `logEvent`, but its result is not used; run it in `after` from `next/server`
                --- assist
                import { after } from "next/server";

                export default async function Page() {
                  const post = await read();
                  after(() => trackView(post.id));
                  await logEvent(await cookies());
                  return <p>{post.title}</p>;
                }
            "#]],
        );
    }

    #[test]
    fn ru1_server_after_nonblocking_leaves_false_positives() {
        let handler = |body: &str| format!("export async function POST() {{ {body} }}");
        for body in [
            // Synchronous, nothing to gain.
            "await console.log(1); return Response.json(1);",
            // Mail that the user waits for.
            "await notifyByEmail(user); return Response.json(1);",
            // Somebody looks at the failure.
            "try { await track('x'); return Response.json(1); } catch { return Response.error(); }",
            // The result is used.
            "const id = await track('x'); return Response.json(id);",
            "return await track('x');",
            // Work is left to do.
            "await track('x'); await save(); return Response.json(1);",
            "if (a) { await track('x'); } await save(); return Response.json(1);",
            "for (const x of xs) { await track(x); } return Response.json(1);",
            // Other words.
            "await logIn(user); return Response.json(1);",
            "await catalog.save(user); return Response.json(1);",
            "await db.track.create({ data }); return Response.json(1);",
            "await logs.remove(id); return Response.json(1);",
            // Already scheduled.
            "after(async () => { await track('x'); }); return Response.json(1);",
        ] {
            setup().silent(&RULE, &handler(body));
        }
        // A trail with a file or a table of its own is there to be kept.
        for (import, call) in [
            ("import { logDeletion } from './lib/audit-logs';", "logDeletion(id)"),
            ("import * as audit from '@/audit';", "audit.log(id)"),
            ("", "prisma.auditLog.create({ data: { id } })"),
        ] {
            let body = handler(&format!("await {call}; return Response.json(1);"));
            setup().silent(&RULE, &format!("{import}\n{body}"));
        }
        let text = handler("await track('x'); return Response.json(1);");
        assert!(!setup().findings(&RULE, &text).is_empty());
        // No `after` before Next 15.1, and none on clients.
        setup().next(15, 0).silent(&RULE, &text);
        setup().realm(Realm::Client).silent(&RULE, &text);
        setup().silent(&RULE, &text.replace("POST", "helper"));
        setup().route(Route::Api).path("src/pages/api/x.ts").silent(&RULE, &text);
    }
}
