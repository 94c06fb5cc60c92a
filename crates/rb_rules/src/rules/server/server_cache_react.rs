//! `React.cache` that never hits, and reads that one request makes twice for lack of it.

use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::{Func, Module};

use super::callers::{Caller, callers};
use super::deeds::{Deed, Place};
use super::entries::{EntryKind, Given as Behind, exports, is_action_file, is_server_source};
use super::names::{calls_in, has_word, path_of};
use crate::cx::{Cx, Hit};
use crate::facts::{Facts, Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-cache-react",
    title: "A read of one request is not shared",
    category: Category::Server,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A function made by React's `cache` is called with an object, an array or a function that is written in the call. \
               Or: the same read of the database is made by two parts of one page, such as its component and \
               `generateMetadata`, and nothing shares the result.",
        why: "`cache` compares arguments by identity, so that a fresh object never hits. Without `cache` the same query runs again \
              for each caller in the request; only `fetch` is shared by itself.",
        wrong: "import { cache } from 'react';

const getOrg = cache(async (q: { id: string }) => readOrg(q.id));

export default async function Page() {
  return <Org org={await getOrg({ id: 'x' })} />;
}",
        right: "import { cache } from 'react';

const getOrg = cache(async (id: string) => readOrg(id));

export default async function Page() {
  return <Org org={await getOrg('x')} />;
}",
        safe: "Always a draft. Wrapping gives all callers of a request one result object, so that who changes it changes it for \
               the others, and a failure is kept for the rest of the request. `cache` works for components of the server only.",
        leave: "The callers need results of their own, or the read is meant to be made anew.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/page.tsx"),
            Given::Realm(Realm::Server),
            Given::Route(Route::Page),
        ],
    },
    wants: &[],
    applies: is_server_source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    // Nothing is shared where no component is rendered.
    let renders = !matches!(cx.facts.route, Some(Route::Handler | Route::Api | Route::Middleware))
        && !is_action_file(cx.facts, cx.module);
    if renders {
        for &call in cx.module.calls() {
            missed(cx, call);
        }
    }
    let package = &cx.facts.package;
    let has_cache =
        package.react_at_least(19, 0) || (package.app_router && package.next_at_least(13, 4));
    if has_cache && !is_action_file(cx.facts, cx.module) && !cx.module.has_directive("use cache") {
        repeated(cx);
    }
}

/// A call that no other call can share its result with.
fn missed<'a>(cx: &mut Cx<'_, 'a>, call: &'a CallExpression<'a>) {
    let fresh = call.arguments.iter().filter_map(|it| it.as_expression()).find_map(|it| {
        let what = match it.get_inner_expression() {
            Expression::ObjectExpression(_) => "object",
            Expression::ArrayExpression(_) => "array",
            Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => {
                "function"
            }
            _ => return None,
        };
        Some((it, what))
    });
    let Some((fresh, what)) = fresh else { return };
    // `export default auth((req) => …)` makes something when the module is loaded.
    if cx.module.function_around(call.node_id.get()).is_none() {
        return;
    }
    let Some(symbol) = cx.module.symbol_of(&call.callee) else { return };
    if is_cached(cx, symbol) {
        let name = cx.module.name(symbol);
        let cause = format!(
            "`{name}` is cached by the identity of its arguments, and this {what} is new in each call: it never hits"
        );
        // What has no plain form can only be kept, or be read without a cache.
        cx.report(if is_plain(fresh) {
            Hit::at(fresh.span(), format!("{cause}; pass strings or numbers"))
        } else {
            Hit::at(fresh.span(), cause).low()
        });
    }
}

/// Could its parts be handed over one by one?
fn is_plain(fresh: &Expression<'_>) -> bool {
    let Expression::ObjectExpression(object) = fresh.get_inner_expression() else { return true };
    object.properties.iter().all(|it| {
        it.as_property().is_some_and(|it| {
            !matches!(
                it.value.get_inner_expression(),
                Expression::ObjectExpression(_) | Expression::ArrayExpression(_)
            )
        })
    })
}

fn is_cached(cx: &Cx<'_, '_>, symbol: SymbolId) -> bool {
    let module = cx.module;
    if let Some(init) = module.initializer(symbol) {
        return is_cache_call(module, init);
    }
    let Some((file, name)) = module.import(symbol).and_then(|it| cx.origin(it)) else {
        return false;
    };
    let answer = cx.world.ask("made by cache", &file, &name, |module| {
        exports(module).into_iter().any(|it| {
            it.name == name
                && matches!(it.given, Behind::Value(value) if is_cache_call(module, value))
        })
    });
    answer == Some(true)
}

fn is_cache_call<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    matches!(value.get_inner_expression(), Expression::CallExpression(call) if module.is_react_call(call, "cache"))
}

/// A function of the file that may be worth sharing.
struct Candidate<'a> {
    name: &'a str,
    symbol: Option<SymbolId>,
    exported: Option<&'a str>,
    func: Func<'a>,
}

fn candidates<'a>(module: &Module<'a>) -> Vec<Candidate<'a>> {
    let exported = exports(module);
    let of = |func: Func<'a>| {
        let found = exported
            .iter()
            .find(|it| matches!(it.given, Behind::Function(it) if it.span() == func.span()));
        found.map(|it| it.name)
    };
    module
        .functions()
        .iter()
        .filter(|view| view.symbol.is_some_and(|it| module.is_top_level(it)))
        .filter_map(|view| {
            let exported = of(view.func);
            Some(Candidate { name: view.name?, symbol: view.symbol, exported, func: view.func })
        })
        .collect()
}

fn repeated(cx: &mut Cx<'_, '_>) {
    for candidate in candidates(cx.module) {
        if !reads_itself(cx, candidate.func) {
            continue;
        }
        let callers = callers(cx, candidate.symbol, candidate.exported);
        let Some((first, second)) = pair(&callers) else { continue };
        if !is_only_read(cx, candidate.func) {
            continue;
        }
        // `cache` compares objects by identity, and a route hands out new ones.
        let by_object = first.arguments.as_ref().is_some_and(|it| {
            it.split(", ").any(|it| ["params", "props", "searchParams"].contains(&it))
        });
        let cure = if by_object { "give it plain values and wrap it" } else { "wrap it" };
        let message = format!(
            "one request runs `{}` for {} and again for {}; {cure} in `cache` of React",
            candidate.name,
            shown(first, cx.facts),
            shown(second, cx.facts)
        );
        let at = candidate
            .symbol
            .map_or(candidate.func.span(), |it| cx.module.scoping().symbol_span(it));
        let hit = Hit::at(at, message);
        cx.report(match draft(cx.module, &candidate).filter(|_| !by_object) {
            Some(edits) => hit.assist("share the result within a request", edits),
            None => hit,
        });
    }
}

fn shown(caller: &Caller, facts: &Facts) -> String {
    let what = if caller.entry == "default" { "the component" } else { &caller.entry };
    let what = if what == "the component" { what.to_owned() } else { format!("`{what}`") };
    if *caller.path == *facts.path { what } else { format!("{what} of {}", caller.path) }
}

/// Does the function itself read a database? Asked first, since it takes no look at other files.
fn reads_itself<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    let place = Place::new(cx.module, &cx.facts.path, cx.world);
    !func.has_directive("use cache")
        && !func.has_directive("use server")
        && place.own_events(func).iter().any(|it| matches!(it.deed, Deed::Read(_)))
}

/// Does nothing in it change something, or tell somebody?
fn is_only_read<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    let tells = calls_in(cx.module, func.span()).any(|call| {
        let path = path_of(&call.callee);
        path.iter().any(|it| has_word(it, &["console", "log", "logger", "track", "analytics"]))
            || path
                .last()
                .is_some_and(|it| ["unstable_cache", "cache", "revalidateTag"].contains(it))
    });
    let events = Place::new(cx.module, &cx.facts.path, cx.world).events(func);
    let writes = events.iter().any(|it| matches!(it.deed, Deed::Write(_)));
    !tells && !writes && !calls_cached(cx, func)
}

/// Is the read behind it shared already?
fn calls_cached<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    calls_in(cx.module, func.span())
        .filter_map(|call| cx.module.symbol_of(&call.callee))
        .any(|symbol| is_cached(cx, symbol))
}

/// Two calls that one request makes, with the same arguments.
fn pair(callers: &[Caller]) -> Option<(&Caller, &Caller)> {
    let is_part = |it: &&Caller| {
        matches!(it.kind, EntryKind::Component | EntryKind::Metadata)
            && matches!(it.route, Some(Route::Page | Route::Layout | Route::Template))
            && it.arguments.is_some()
    };
    let parts: Vec<&Caller> = callers.iter().filter(is_part).collect();
    parts.iter().enumerate().find_map(|(at, first)| {
        let second = parts[at + 1..].iter().find(|second| {
            (&first.path, &first.entry) != (&second.path, &second.entry)
                && first.arguments == second.arguments
                && is_one_route(first, second)
        })?;
        Some((*first, *second))
    })
}

/// A file and itself, or a layout and what stands below it.
fn is_one_route(first: &Caller, second: &Caller) -> bool {
    let folder =
        |it: &Caller| it.path.rsplit_once('/').map_or(String::new(), |(it, _)| format!("{it}/"));
    let above = |upper: &Caller, lower: &Caller| {
        upper.route != Some(Route::Page) && folder(lower).starts_with(&folder(upper))
    };
    first.path == second.path || above(first, second) || above(second, first)
}

fn draft<'a>(module: &Module<'a>, candidate: &Candidate<'a>) -> Option<Vec<Edit>> {
    if candidate.exported == Some("default") {
        return None;
    }
    let cache = module.import_name("react", "cache")?;
    let (span, name) = (candidate.func.span(), &cache.name);
    let mut edits = cache.edits;
    match candidate.func {
        Func::Function(it) if it.is_declaration() => {
            let own = candidate.name;
            edits.push(Edit::insert(span.start, format!("const {own} = {name}(")));
            edits.push(Edit::insert(span.end, format!("){}", module.style().semicolon())));
        }
        Func::Function(_) | Func::Arrow(_) => {
            edits.push(Edit::insert(span.start, format!("{name}(")));
            edits.push(Edit::insert(span.end, ")"));
        }
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::RULE;
    use crate::facts::{Realm, Route};
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        Setup::new().next(15, 1).realm(Realm::Server).path("src/app/page.tsx").route(Route::Page)
    }

    fn check(text: &str, expected: Expect) {
        setup().check(&RULE, text, expected);
    }

    #[test]
    fn ru1_server_cache_react_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_cache_react_finds_fresh_arguments() {
        setup()
            .file("src/lib/org.ts", "import * as React from 'react';\nexport const getTeam = React.cache(async (q) => read(q));")
            .check(
                &RULE,
                "import { cache as share } from 'react';
import { getTeam } from '@/lib/org';
const getOrg = share(async (q) => readOrg(q));
export default async function Page() {
  await getOrg(['x']);
  await getOrg(() => 1);
  await getTeam({ id: 'x' });
  await getTeam('x');
  await other({ id: 'x' });
  await getTeam({ at: 1, ...more });
  await getTeam({ ids: [1, 2] });
}",
                expect![[r#"
                    5:16 warning: `getOrg` is cached by the identity of its arguments, and this array is new in each call: it never hits; pass strings or numbers
                    6:16 warning: `getOrg` is cached by the identity of its arguments, and this function is new in each call: it never hits; pass strings or numbers
                    7:17 warning: `getTeam` is cached by the identity of its arguments, and this object is new in each call: it never hits; pass strings or numbers
                    10:17 note: `getTeam` is cached by the identity of its arguments, and this object is new in each call: it never hits
                    11:17 note: `getTeam` is cached by the identity of its arguments, and this object is new in each call: it never hits
                "#]],
            );
    }

    #[test]
    fn ru1_server_cache_react_finds_reads_that_are_repeated() {
        check(
            "import { db } from '@/lib/db';
async function getPost(slug: string) {
  const post = await db.post.findUnique({ where: { slug } });
  if (!post) notFound();
  return post;
}
export async function generateMetadata({ params }: Props) {
  const post = await getPost((await params).slug);
  return { title: post.title };
}
export default async function Page({ params }: Props) {
  const { slug } = await params;
  const post = await getPost(slug);
  return <h1>{post.title}</h1>;
}",
            expect![[r#"
                2:16 warning: one request runs `getPost` for `generateMetadata` and again for the component; wrap it in `cache` of React [assist: share the result within a request]
                --- assist
                import { db } from '@/lib/db';
                import { cache } from 'react';
                const getPost = cache(async function getPost(slug: string) {
                  const post = await db.post.findUnique({ where: { slug } });
                  if (!post) notFound();
                  return post;
                });
                export async function generateMetadata({ params }: Props) {
                  const post = await getPost((await params).slug);
                  return { title: post.title };
                }
                export default async function Page({ params }: Props) {
                  const { slug } = await params;
                  const post = await getPost(slug);
                  return <h1>{post.title}</h1>;
                }
            "#]],
        );
    }

    #[test]
    fn ru1_server_cache_react_drafts_nothing_for_objects() {
        check(
            "const fromParams = async (params) => db.store.findFirst({ where: { id: params.id } });
export async function generateMetadata({ params }) { return fromParams(params); }
export default async function Page({ params }) { return <p>{(await fromParams(params)).name}</p>; }",
            expect![[r#"
                1:7 warning: one request runs `fromParams` for `generateMetadata` and again for the component; give it plain values and wrap it in `cache` of React
            "#]],
        );
    }

    fn library() -> Setup {
        let user = "import { getUser } from '@/lib/user';";
        setup()
            .path("src/lib/user.ts")
            .file("src/app/layout.tsx", &format!("{user}\nexport default async function Layout() {{ return <p>{{(await getUser()).name}}</p>; }}"))
            .file("src/app/a/page.tsx", &format!("{user}\nexport default async function Page() {{ return <p>{{(await getUser()).name}}</p>; }}"))
            .route_of("src/app/layout.tsx", Route::Layout)
            .route_of("src/app/a/page.tsx", Route::Page)
    }

    #[test]
    fn ru1_server_cache_react_over_files() {
        library().check(
            &RULE,
            "import { db } from './db'
export const getUser = async () => {
  const session = await auth()
  return db.user.findUnique({ where: { id: session.id } })
}",
            expect![[r#"
                2:14 warning: one request runs `getUser` for the component of src/app/a/page.tsx and again for the component of src/app/layout.tsx; wrap it in `cache` of React [assist: share the result within a request]
                --- assist
                import { db } from './db'
                import { cache } from 'react'
                export const getUser = cache(async () => {
                  const session = await auth()
                  return db.user.findUnique({ where: { id: session.id } })
                })
            "#]],
        );
    }

    #[test]
    fn ru1_server_cache_react_leaves_false_positives() {
        for body in [
            // Shared already.
            "export const getUser = cache(async () => db.user.findFirst());",
            "export const getUser = unstable_cache(async () => db.user.findFirst());",
            "export async function getUser() { 'use cache'; return db.user.findFirst(); }",
            "export async function getUser() { return fetch('/me').then((it) => it.json()); }",
            "const inner = cache(async () => db.user.findFirst());\nexport async function getUser() { await db.a.count(); return inner(); }",
            // Effects.
            "export async function getUser() { await db.hit.create({}); return db.user.findFirst(); }",
            "export async function getUser() { console.log('read'); return db.user.findFirst(); }",
        ] {
            library().silent(&RULE, &format!("import {{ cache }} from 'react';\nimport {{ unstable_cache }} from 'next/cache';\n{body}"));
        }
        let read = "export async function getUser() { return db.user.findFirst(); }";
        assert!(!library().findings(&RULE, read).is_empty());
        // No `cache` there.
        library().react(18, 3).next(12, 0).silent(&RULE, read);
        library().realm(Realm::Client).silent(&RULE, read);
        // Pages of different routes, and other arguments.
        let pages = |first: &str, second: &str| {
            let page = |call: &str| {
                format!(
                    "import {{ getUser }} from '@/lib/user';\nexport default async function Page({{ params }}) {{ return <p>{{await {call}}}</p>; }}"
                )
            };
            setup()
                .path("src/lib/user.ts")
                .file("src/app/a/layout.tsx", &page(first))
                .file("src/app/a/page.tsx", &page(second))
                .route_of("src/app/a/layout.tsx", Route::Layout)
                .route_of("src/app/a/page.tsx", Route::Page)
        };
        let read =
            "export async function getUser(id) { return db.user.findFirst({ where: { id } }); }";
        assert!(
            !pages("getUser(params.id)", "getUser(params.id)").findings(&RULE, read).is_empty()
        );
        pages("getUser(params.id)", "getUser(params.other)").silent(&RULE, read);
        pages("getUser(1)", "getUser(2)").silent(&RULE, read);
        pages("getUser(params.id)", "getUser(params.id)")
            .route_of("src/app/a/layout.tsx", Route::Page)
            .file("src/app/b/page.tsx", "")
            .silent(
                &RULE,
                "export async function other(id) { return db.user.findFirst({ where: { id } }); }",
            );
        // Made when the module is loaded, and places where nothing is shared.
        let wrap = "import { cache } from 'react';\nconst auth = cache(nextAuth);\n";
        setup().silent(&RULE, &format!("{wrap}export default auth(async (req) => 1);"));
        let inside = format!("{wrap}export async function GET() {{ return auth({{}}); }}");
        assert!(!setup().findings(&RULE, &inside).is_empty());
        setup().route(Route::Handler).silent(&RULE, &inside);
        setup().silent(&RULE, &format!("'use server';\n{inside}"));
        // A constant keeps its identity.
        setup().silent(&RULE, "import { cache } from 'react';\nconst f = cache(read);\nconst q = { id: 1 };\nexport const g = () => f(q);");
    }
}
