use expect_test::expect;

use super::RULE;
use crate::finding::Severity;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_async_parallel_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_async_parallel_is_fixed() {
    Setup::new().fixes(&RULE, RULE.doc.wrong, RULE.doc.right);
}

#[test]
fn ru1_async_parallel_finds_runs() {
    Setup::new().check(
            &RULE,
            "import { readNews, readStocks } from './api';
const home = async () => {
  const { items } = await readNews();
  const [first] = await readStocks('x', {
    limit: 3,
  });
  const third = await readNews(first);
  return [items, first, third];
};
class Page {
  async load() {
    const a = await this.readA();
    const b = await this.readB();
    return [a, b];
  }
}
export async function warm(client) {
  await client.prefetchQuery({ queryKey: ['a'] });
  await client.prefetchQuery({ queryKey: ['b'] });
}
",
            expect![[r#"
                3:3 error: `items` and `first` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `readNews()` may have side effects)
                12:5 warning: `a` and `b` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `this.readA()` may have side effects)
                18:3 warning: `prefetchQuery()` and `prefetchQuery()` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `prefetchQuery()` is not bound to a plain `const`)
                --- assist
                import { readNews, readStocks } from './api';
                const home = async () => {
                  const [{ items }, [first]] = await Promise.all([
                    readNews(),
                    readStocks('x', {
                      limit: 3,
                    }),
                  ]);
                  const third = await readNews(first);
                  return [items, first, third];
                };
                class Page {
                  async load() {
                    const [a, b] = await Promise.all([this.readA(), this.readB()]);
                    return [a, b];
                  }
                }
                export async function warm(client) {
                  await Promise.all([
                    client.prefetchQuery({ queryKey: ['a'] }),
                    client.prefetchQuery({ queryKey: ['b'] }),
                  ]);
                }

            "#]],
        );
}

#[test]
fn ru1_async_parallel_takes_in_what_runs_together_already() {
    Setup::new().check(
            &RULE,
            "async function f() {
  const [a, b] = await Promise.all([getA(), getB()]);
  const c = await (await fetch('/c')).json();
  return [a, b, c];
}",
            expect![[r#"
                2:3 error: `a, …` and `c` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `Promise.all([getA(), getB()])` may have side effects)
                --- assist
                async function f() {
                  const [a, b, c] = await Promise.all([
                    getA(),
                    getB(),
                    fetch('/c').then((response) => response.json())
                  ]);
                  return [a, b, c];
                }
            "#]],
        );
}

#[test]
fn ru1_async_parallel_keeps_style() {
    Setup::new().path("src/a.js").fixes(
            &RULE,
            "export async function f(id) {\r\n\tconst a = await fetch('/a')\r\n\tconst b = await fetch('/b')\r\n\tconst long = await fetch('/a/very/long/path/to/make/the/line/long')\r\n\treturn [a, b, long]\r\n}\r\n",
            "export async function f(id) {\r\n\tconst [a, b, long] = await Promise.all([\r\n\t\tfetch('/a'),\r\n\t\tfetch('/b'),\r\n\t\tfetch('/a/very/long/path/to/make/the/line/long')\r\n\t])\r\n\treturn [a, b, long]\r\n}\r\n",
        );
}

#[test]
fn ru1_async_parallel_follows_functions() {
    let setup = Setup::new().file(
            "src/api.ts",
            "export async function readA() { return fetch('/a'); }\nexport async function readB(id: string) { return fetch(`/b/${id}`); }\n",
        );
    setup.fixes(
        &RULE,
        "import { readA, readB } from './api';
export async function f(id: string) {
  const a = await readA();
  const b = await readB(id);
  return [a, b];
}
",
        "import { readA, readB } from './api';
export async function f(id: string) {
  const [a, b] = await Promise.all([readA(), readB(id)]);
  return [a, b];
}
",
    );
}

#[test]
fn ru1_async_parallel_mistrusts_functions_that_are_not_async() {
    let setup =
        Setup::new().file("src/api.ts", "export function readB() { return fetch('/b'); }\n");
    setup.no_auto(
        &RULE,
        "import { readB } from './api';
export async function f() {
  const a = await fetch('/a');
  const b = await readB();
  return [a, b];
}",
    );
}

#[test]
fn ru1_async_parallel_knows_nouns() {
    let setup = Setup::new();
    for body in [
        "const a = await getPost(1); const b = await getStore(2);",
        "const a = await findPage(1); const b = await loadPosts(2);",
    ] {
        setup.no_auto(&RULE, &format!("async function f() {{ {body} }}"));
    }
}

#[test]
fn ru1_async_parallel_candidates() {
    for body in [
        // A guard stands between, which the second one does not need.
        "const a = await getA(); if (!a) return; const b = await getB();",
        "const chat = await getChatById(id); if (!chat) { notFound(); } const s = await auth();",
        // Who is there is asked first, and nothing is decided about it.
        "const s = await getSession(); const b = await getB();",
        "const s = await auth(); const b = await getB();",
        "const u = await getCurrentUser(); const b = await getB();",
    ] {
        Setup::new().likely(&RULE, &format!("async function f(id) {{ {body} }}"));
    }
    let found = Setup::new().findings(
        &RULE,
        "async function f(id) {\n  const chat = await getChatById(id);\n  if (!chat) notFound();\n  const s = await auth();\n}",
    );
    expect![["`s` does not depend on `chat` but waits for it; run them in parallel (not proved: `auth()` would also run if line 3 exits early)"]]
        .assert_eq(&found[0].message);
}

#[test]
fn ru1_async_parallel_is_silent() {
    let setup = Setup::new();
    for body in [
        // One needs the other: by name, by a part, by a closure, by a variable that the first may set.
        "const a = await getA(); const b = await getB(a);",
        "const { id } = await getA(); const b = await getB(`/${id}`);",
        "const a = await getA(); const b = await getB(() => a.id);",
        "const a = await getA(); const b = await getB(later()); function later() { return a; }",
        "let key = 1; const a = await getA((x) => { key = x; }); const b = await getB(key);",
        "const r = await fetch('/a'); const b = await r.json();",
        // Ordered effects: write then read, sleep, steps of a UI.
        "await saveRow(row); const b = await getRow();",
        "const a = await createRow(); const b = await getRow();",
        "await sleep(10); const b = await getRow();",
        "const a = await page.getTitle(); const b = await page.getUrl();",
        "const a = await fetch('/a', { method: 'POST', body }); const b = await fetch('/b');",
        "const a = await runA(); const b = await runB();",
        "const a = await getAndPublish(1); const b = await getB();",
        "const a = await api.post('/a'); const b = await getB();",
        // One transaction, one connection, a lock or a queue.
        "const a = await tx.user.findMany(); const b = await tx.post.findMany();",
        "await db.$transaction(async (c) => { const a = await c.user.findMany(); const b = await c.post.findMany(); });",
        "await withLock(async () => { const a = await getA(); const b = await getB(); });",
        "await queue.add(async () => { const a = await getA(); const b = await getB(); });",
        "const a = await User.findByPk(1, { transaction: t }); const b = await Team.findAll({ transaction: t, lock: true });",
        // Rate limits and order, said so.
        "// one at a time: the API has a rate limit\nconst a = await getA(); const b = await getB();",
        // `import()` for its effects.
        "const a = await import('./a'); const b = await import('./b');",
        // A stream that is read twice.
        "const a = await reader.read(); const b = await reader.read();",
        "const a = await rl.getLine(); const b = await cursor.getNext();",
        // The same thing again, to see what has changed.
        "const a = await fetch('/x'); const b = await fetch('/x');",
        // Actions of the server are sent one after the other anyway; what makes a client may do more.
        "const a = await getTeamAction(); const b = await getRoleAction();",
        "const a = await getMailClient(); const b = await getB();",
        "const a = await getNextRow(1); const b = await getB();",
        // It may come out of the cache that was filled.
        "await client.prefetchQuery(row); const b = await client.fetchQuery(body);",
        // Nearly free.
        "const a = await storage.getItem('a'); const b = await storage.getItem('b');",
        "const t = await getTranslate(); const b = await getB();",
        "const h = await getIdentityHash(row); const b = await getB();",
        // What is handed the props of a page looks at its params.
        "const a = await getIsMobile(props); const b = await getB();",
        // Cheap ones of Next.
        "const { id } = await params; const jar = await cookies(); const b = await getB();",
        // A gate before the rest; the question who is there, and a decision about it.
        "await requireUser(); const b = await getB();",
        "const s = await auth(); if (!s) return; const b = await getB();",
        "const ok = await checkRateLimit(); const b = await getB();",
        "const a = await fetch('/api/login'); const b = await fetch('/api/me');",
        // A way out for those who may not go on; what was found already; a limit; what writes.
        "const a = await getTeam(); if (!a) return res.status(403).end(); const b = await getB();",
        "const access = await getTeam(); if (!access) return; const b = await getB();",
        "const a = await getCached(); if (a) return a; const b = await getB();",
        "const a = await getCount(); if (a > 9) return; const b = await getB();",
        "const a = await getA(); if (!a) return; const token = await db.token.create({});",
        // More than a way out between.
        "const a = await getA(); if (!a) { await save(); return; } const b = await getB();",
        "const a = await getA(); show(a); const s = await auth();",
        "const a = await getA(); const id = a.id; if (!a) return; const b = await getB(id);",
        // Already running.
        "const p = getA(); const q = getB(); const a = await p; const b = await q;",
    ] {
        setup.silent(
            &RULE,
            &format!("async function f(row, body, params, db, tx, t, queue) {{ {body} }}"),
        );
    }
}

#[test]
fn ru1_async_parallel_skips_tests_and_handlers() {
    use crate::facts::Route;
    Setup::new().route(Route::Handler).silent(&RULE, RULE.doc.wrong);
    Setup::new().silent(
        &RULE,
        "async function act() { 'use server'; const a = await getA(); const b = await getB(); }",
    );
}

#[test]
fn ru1_async_parallel_proves_little() {
    let setup = Setup::new();
    for (head, body) in [
        // Not known to only read.
        ("", "const a = await getA(); const b = await getB();"),
        // A draft would lose a comment.
        ("", "const a = await fetch('/a'); /* why */ const b = await fetch('/b');"),
        // The error is looked at.
        (
            "",
            "try { const a = await fetch('/a'); const b = await fetch('/b'); } catch (e) { log(e); }",
        ),
        // Types and variables.
        ("", "let a = await fetch('/a'); let b = await fetch('/b');"),
        ("", "const a: Response = await fetch('/a'); const b: Response = await fetch('/b');"),
        ("", "const { a = log() } = await fetch('/a'); const b = await fetch('/b');"),
        // It may throw before it waits, so that the first is left alone.
        ("", "const a = await fetch('/a'); const b = await fetch(`/b/${user.id}`);"),
        ("", "const a = await fetch('/a'); const b = await fetch(`/b/${id}`);"),
        (
            "function getB() { return fetch('/b'); }",
            "const a = await fetch('/a'); const b = await getB();",
        ),
        // What it reads may change meanwhile.
        ("", "const a = await fetch('/a'); const b = await fetch(this.url);"),
        ("", "const a = await fetch('/a'); const b = await fetch(ref.current);"),
        (
            "let n = ''; export const set = (x: string) => { n = x; };\nasync function getB() { return fetch(`/b/${n}`); }",
            "const a = await fetch('/a'); const b = await getB();",
        ),
        (
            "async function getB(o: { id: string }) { return fetch(`/b/${o.id}`); }",
            "const a = await fetch('/a'); const b = await getB(user);",
        ),
        // The object may ask for a `POST`.
        ("", "const a = await fetch('/a'); const b = await fetch(request);"),
        ("", "const a = await fetch(request); const b = await fetch('/b');"),
        // Somebody is told of the result.
        ("", "const a = await fetch('/a').then(keep); const b = await fetch('/b');"),
        (
            "async function getB() { return fetch('/b').then(keep); }",
            "const a = await fetch('/a'); const b = await getB();",
        ),
        (
            "async function getB(n = keep()) { return fetch('/b'); }",
            "const a = await fetch('/a'); const b = await getB();",
        ),
        (
            "async function getB() { const { n = keep() } = await fetch('/b'); return n; }",
            "const a = await fetch('/a'); const b = await getB();",
        ),
        // Too many at once.
        (
            "",
            "const a = await fetch('/a'); const b = await fetch('/b'); const c = await fetch('/c'); const d = await fetch('/d'); const e = await fetch('/e'); const g = await fetch('/g'); const h = await fetch('/h');",
        ),
    ] {
        setup.no_auto(
            &RULE,
            &format!("{head}\nexport async function f(request, user, id, ref, keep) {{ {body} }}"),
        );
    }
}

#[test]
fn ru1_async_parallel_of_a_command_is_less_grave() {
    let text = "async function info(cwd) {
  const a = await getA(cwd);
  const b = await getB(cwd);
  return [a, b];
}";
    let graves = |manifest: &str| {
        let found = Setup::new().file("package.json", manifest).findings(&RULE, text);
        found.iter().map(|it| it.severity).collect::<Vec<_>>()
    };
    assert_eq!(graves(r#"{"name":"web"}"#), [Severity::Error]);
    assert_eq!(graves(r#"{"name":"tool","bin":"./dist/index.js"}"#), [Severity::Warning]);
    let migration = Setup::new().path("src/migrations/v3.ts").findings(&RULE, text);
    assert_eq!(migration[0].severity, Severity::Warning);
}

#[test]
fn ru1_async_parallel_keeps_the_lines_of_those_together() {
    Setup::new().check(
        &RULE,
        "async function f(id) {
  const [a, b] = await Promise.all([
    api.listA({
      id,
    }),
    api.listB(
      id,
      { deep: true },
    ),
  ]);
  const c = await api.listC({
    id,
  });
  return [a, b, c];
}
",
        expect![[r#"
            2:3 error: `a, …` and `c` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `Promise.all([…` may have side effects)
            --- assist
            async function f(id) {
              const [a, b, c] = await Promise.all([
                api.listA({
                  id,
                }),
                api.listB(
                  id,
                  { deep: true },
                ),
                api.listC({
                  id,
                }),
              ]);
              return [a, b, c];
            }

        "#]],
    );
}

#[test]
fn ru1_async_parallel_moves_lines_back() {
    Setup::new().check(
            &RULE,
            "async function f(ids, names) {
  const first =
    await api.listRows({
      ids: ids.map((it) => it.id),
    });
  const second = await api.listNames(
    {
      names,
    }
  );
  return [first, second];
}
",
            expect![[r#"
                2:3 error: `first` and `second` are independent but awaited in sequence; run them in parallel with `Promise.all` [assist: run them in parallel] (not proved: `api.listRows({…` may have side effects)
                --- assist
                async function f(ids, names) {
                  const [first, second] = await Promise.all([
                    api.listRows({
                      ids: ids.map((it) => it.id),
                    }),
                    api.listNames(
                      {
                        names,
                      }
                    ),
                  ]);
                  return [first, second];
                }

            "#]],
        );
}
