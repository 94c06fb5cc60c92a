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
                    5:16 warning: `getOrg` is cached by argument identity, but this array is new on every call, so the cache never hits; pass strings or numbers
                    6:16 warning: `getOrg` is cached by argument identity, but this function is new on every call, so the cache never hits; pass strings or numbers
                    7:17 warning: `getTeam` is cached by argument identity, but this object is new on every call, so the cache never hits; pass strings or numbers
                    10:17 note: `getTeam` is cached by argument identity, but this object is new on every call, so the cache never hits
                    11:17 note: `getTeam` is cached by argument identity, but this object is new on every call, so the cache never hits
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
                2:16 warning: one request runs `getPost` for both `generateMetadata` and the component; wrap it in React's `cache` [assist: share the result within a request]
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
                1:7 warning: one request runs `fromParams` for both `generateMetadata` and the component; pass it primitive values and wrap it in React's `cache`
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
                2:14 warning: one request runs `getUser` for both the component in src/app/a/page.tsx and the component in src/app/layout.tsx; wrap it in React's `cache` [assist: share the result within a request]
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
    let read = "export async function getUser(id) { return db.user.findFirst({ where: { id } }); }";
    assert!(!pages("getUser(params.id)", "getUser(params.id)").findings(&RULE, read).is_empty());
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
    let inside = format!("{wrap}export async function GET() {{ auth({{}}); return auth({{}}); }}");
    assert!(!setup().findings(&RULE, &inside).is_empty());
    setup().route(Route::Handler).silent(&RULE, &inside);
    setup().silent(&RULE, &format!("'use server';\n{inside}"));
    // A constant keeps its identity.
    setup().silent(&RULE, "import { cache } from 'react';\nconst f = cache(read);\nconst q = { id: 1 };\nexport const g = () => f(q);");
}

#[test]
fn ru1_server_cache_react_needs_a_second_call() {
    let page = "import { getRow } from './rows';
export default async function Page({ id }) {
  const row = await getRow({ id });
  return <p>{row.name}</p>;
}";
    let rows = "import { cache } from 'react';
export const getRow = cache(async ({ id }) => db.find(id));
";
    setup().file("src/app/rows.ts", rows).silent(&RULE, page);
    let other = "import { getRow } from './rows';
export default async function Layout({ id }) { return <b>{await getRow({ id })}</b>; }";
    let both = setup().file("src/app/rows.ts", rows).file("src/app/layout.tsx", other);
    assert_eq!(both.findings(&RULE, page).len(), 1);
}
