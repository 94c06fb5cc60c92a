use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_async_defer_await_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_async_defer_await_is_fixed() {
    Setup::new().fixes(&RULE, RULE.doc.wrong, RULE.doc.right);
    Setup::new().fixes(
        &RULE,
        "async function f(skip: boolean) {
  const row = await fetch('/row');

  if (skip) return;

  use(row);
}",
        "async function f(skip: boolean) {
  if (skip) return;

  const row = await fetch('/row');

  use(row);
}",
    );
    Setup::new().path("src/a.js").fixes(
        &RULE,
        "export const load = async (list, preview) => {
  for (const id of list) {
    const row = await fetch('/rows')
    const text = await fetch('/texts')
    const mode = preview
    if (mode) {
      return
    }
    show(row, text)
  }
}
",
        "export const load = async (list, preview) => {
  for (const id of list) {
    const mode = preview
    if (mode) {
      return
    }
    const row = await fetch('/rows')
    const text = await fetch('/texts')
    show(row, text)
  }
}
",
    );
}

#[test]
fn ru1_async_defer_await_into_a_branch() {
    Setup::new().check(
            &RULE,
            "async function f(full: boolean, id: string) {
  const row = await fetch(
    '/rows',
  );
  if (full) {
    show(row);
  }
}
async function g(full: boolean) {
  const row = await readRow();
  if (full) return show();
  use(row);
}",
            expect![[r#"
                2:3 warning: `row` is used in only one branch of the `if` on line 5; await it there [auto: await it in that branch]
                10:3 warning: `row` is awaited before the early exit on line 11, which does not use it; await it below [assist: await it below] (not proved: side effects of the other path would run earlier)
                --- auto
                async function f(full: boolean, id: string) {
                  if (full) {
                    const row = await fetch(
                      '/rows',
                    );
                    show(row);
                  }
                }
                async function g(full: boolean) {
                  const row = await readRow();
                  if (full) return show();
                  use(row);
                }
                --- assist
                async function f(full: boolean, id: string) {
                  const row = await fetch(
                    '/rows',
                  );
                  if (full) {
                    show(row);
                  }
                }
                async function g(full: boolean) {
                  if (full) return show();
                  const row = await readRow();
                  use(row);
                }
            "#]],
        );
}

#[test]
fn ru1_async_defer_await_above_what_is_said_of_the_branch() {
    Setup::new().fixes(
        &RULE,
        "async function f(full: boolean) {
  const row = await fetch('/row');
  if (full) {
    // Shown at once.
    show(row);
  }
}",
        "async function f(full: boolean) {
  if (full) {
    const row = await fetch('/row');
    // Shown at once.
    show(row);
  }
}",
    );
}

#[test]
fn ru1_async_defer_await_is_silent() {
    let setup = Setup::new();
    for body in [
        // It is used by the condition, by the exit, by both branches, or not at all.
        "const row = await getRow(); if (!row) return; use(row);",
        "const row = await getRow(); if (skip) return row; use(row);",
        "const row = await getRow(); if (skip) { use(row); return; } more(row);",
        "const row = await getRow(); if (skip) return; done();",
        "await getRow(); if (skip) return; done();",
        // A guard, a limit, a call that may leave by itself.
        "const user = await requireAuth(); if (skip) return; use(user);",
        "const left = await rateLimit(); if (skip) return; use(left);",
        "const it = await validate(row); if (skip) return; use(it);",
        "const jar = await cookies(); if (skip) return; use(jar);",
        "const it = await connection(); if (skip) return; use(it);",
        "const s = await getSession(); if (skip) return; use(s);",
        // Effects.
        "const it = await saveRow(row); if (skip) return; use(it);",
        "const it = await fetch('/x', { method: 'DELETE' }); if (skip) return; use(it);",
        // The condition may be changed by the call, or while it waits.
        "const it = await loadInto(state); if (state.empty) return; use(it);",
        "let off = false; stop(() => { off = true; }); const it = await getIt(); if (off) return; use(it);",
        "const it = await getIt(); if (signal.aborted) return; use(it);",
        "const it = await getIt(); if (ref.current !== id) return; use(it);",
        "const it = await getIt(); if (isStopped()) return; use(it);",
        "const it = await getIt(); if (this.closed) return; use(it);",
        "const it = await getIt(); if (process.env.X) return; use(it);",
        // A check by another name.
        "const it = await getItOrThrow(); if (skip) return; use(it);",
        // Better started together with what the exit looks at.
        "const one = await getOne(); const it = await getIt(); if (!one) return; use(it);",
        "const [a, b] = await Promise.all([getA(), getB()]); const it = await getIt(a); if (!b) return; use(it);",
        "if (!id) id = ask(); const one = await getOne(id); const it = await getIt(id); if (!one) throw new Error(`unknown: ${id}`); use(it);",
        // Locks, transactions and things that are put away.
        "using lock = take(); const it = await getIt(); if (skip) return; use(it);",
        "await db.transaction(async (t) => { const it = await t.getIt(); if (skip) return; use(it); });",
        // The time is taken.
        "const t0 = Date.now(); const it = await getIt(); if (skip) return; use(it, Date.now() - t0);",
        // No exit, and used behind.
        "const it = await getIt(); if (skip) note(); use(it);",
        // Already running.
        "const it = await promise; if (skip) return; use(it);",
        // To start all three at once would gain more.
        "const room = await findRoom(id); const from = await findUser(1); const to = await findUser(2); if (!room) throw new Error('none'); use(room, from, to);",
        // A dry run does everything but write.
        "const it = await db.getDocs(id); if (!state.dryRun) { write(it); }",
        "const it = await db.getDocs(id); if (state.options.dry_run) return; write(it);",
    ] {
        setup.silent(
            &RULE,
            &format!(
                "async function f(skip, row, state, signal, ref, id, db, promise) {{ {body} }}"
            ),
        );
    }
}

#[test]
fn ru1_async_defer_await_proves_little() {
    let setup = Setup::new();
    for body in [
        // Not known to only read.
        "const it = await getIt(); if (skip) return; use(it);",
        // The condition may throw, or be of another file.
        "const it = await fetch('/x'); if (user.skip) return; use(it);",
        "const it = await fetch('/x'); if (user > 1) return; use(it);",
        "const it = await fetch('/x'); if (SKIP) return; use(it);",
        // The path that leaves does something, which would be done before the caller goes on.
        "const it = await fetch('/x'); if (skip) { note(); return; } use(it);",
        "const it = await fetch('/x'); if (skip) return note(); use(it);",
        "const it = await fetch('/x'); if (skip) return user.name; use(it);",
        "let n = 0; tick(() => { n += 1; }); const it = await fetch('/x'); if (skip) return n; use(it);",
        "for (;;) { const it = await fetch('/x'); if (skip) continue; use(it); }",
        "\nconst it = await fetch('/x');\nif (skip) {\n  use(it);\n}\nnote();",
        "\nconst it = await fetch('/x');\nif (skip) {\n  use(it);\n} else note();",
        // The failure is seen.
        "try { const it = await fetch('/x'); if (skip) return; use(it); } catch { note(); }",
        // A function captures it.
        "const it = await fetch('/x'); if (skip) return; return () => it;",
        "let it = await fetch('/x'); if (skip) return; it = 1; use(it);",
        // The branch has a name of its own that the call uses.
        "\nconst it = await fetch(`/x/${user}`);\nif (skip) {\n  const user = 1;\n  use(it, user);\n}",
        // A comment would be left behind.
        "\n// what it is for\nconst it = await fetch('/x');\nif (skip) return;\nuse(it);",
    ] {
        // Each on its own line, so that an edit can be made.
        let body = body.replace("; ", ";\n").replace("{ ", "{\n");
        let text = format!(
            "import {{ SKIP }} from './a';\nexport async function f(skip, user) {{\n{body}\n}}"
        );
        setup.no_auto(&RULE, &text);
    }
    // Another may change the object meanwhile.
    setup.no_auto(
        &RULE,
        "async function f(user: { skip: boolean }) {
  const it = await fetch('/x');
  if (user.skip) return;
  use(it);
}",
    );
    // Next may render it ahead of time.
    let setup = Setup::new().next(16, 0).realm(crate::facts::Realm::Server);
    setup.no_auto(&RULE, RULE.doc.wrong);
}

#[test]
fn ru1_async_defer_await_says_nothing_of_failures() {
    let setup = Setup::new();
    let found = |body: &str| {
        let text = format!(
            "export async function f(skip, id, res) {{\n  const it = await getIt(id);\n{body}\n}}"
        );
        setup.findings(&RULE, &text).len()
    };
    assert_eq!(found("  if (skip) {\n    return;\n  }\n  use(it);"), 1);
    assert_eq!(found("  if (skip) {\n    return { items: [] };\n  }\n  use(it);"), 1);
    assert_eq!(found("  if (skip) {\n    use(it);\n  }\n  return null;"), 1);
    assert_eq!(found("  if (skip) {\n    use(it);\n  } else {\n    note();\n  }"), 1);
    for body in [
        "  if (skip) {\n    throw new Error('no');\n  }\n  use(it);",
        "  if (skip) return { error: 'no' };\n  use(it);",
        "  if (skip) return res.status(404);\n  use(it);",
        "  if (skip) return redirect('/');\n  use(it);",
        "  if (skip.method === 'GET') {\n    use(it);\n  }",
        "  if (skip) {\n    return use(it);\n  }\n  throw new Error('no');",
        "  if (skip) {\n    use(it);\n  } else {\n    throw new Error('no');\n  }",
    ] {
        assert_eq!(found(body), 0, "{body}");
    }
}

#[test]
fn ru1_async_defer_await_leaves_checks() {
    let of = |name: &str, said: &str, bound: &str| {
        format!(
            "import {{ getScope }} from './scopes';\nexport async function {name}(skip, id) {{\n{said}  const {bound} = await getScope(id);\n  if (skip) return;\n  use({bound});\n}}"
        )
    };
    let plain = of("load", "", "scope");
    let setup = Setup::new();
    assert_eq!(setup.findings(&RULE, &plain).len(), 1);
    assert_eq!(setup.findings(&RULE, &of("load", "  // The scope.\n", "scope")).len(), 1);
    // By what is said of it, over several lines, too.
    for said in [
        "  // 1. Make sure the scope is there.\n",
        "  // Ensures that the scope is\n  // there.\n",
        "  /* Throws where it is not found. */\n",
    ] {
        setup.silent(&RULE, &of("load", said, "scope"));
    }
    // By what it binds, and by the function around.
    setup.silent(&RULE, &of("load", "", "permission"));
    setup.silent(&RULE, &of("validateRole", "", "scope"));
    setup.silent(&RULE, &of("assertScope", "", "scope"));
    for class in ["class ScopeGuard { async load", "class Scopes { async #checkScope"] {
        let text = plain.replace("export async function load", class);
        setup.silent(&RULE, &format!("{text} }}"));
    }
    // By what the function does: it throws, or asks whether one may, itself or one step further.
    let there = |text: &str| Setup::new().file("src/scopes.ts", text);
    for text in [
        "export async function getScope(id) { const it = await find(id); if (!it) throw new Error(id); return it; }",
        "export const getScope = async (id) => { ForbiddenError.throwUnlessCan(id); checkPermission(id); return find(id); };",
        "import { read } from './read';\nexport async function getScope(id) { return inner(id); }\nasync function inner(id) { await assertOwner(id); return find(id); }",
    ] {
        there(text).silent(&RULE, &plain);
    }
    // What fails further down is no check of its own.
    let quiet = there(
        "export async function getScope(id) { return read(id); }\nasync function read(id) { const it = await fetch(id); if (!it.ok) throw new Error(); return it; }",
    );
    assert_eq!(quiet.findings(&RULE, &plain).len(), 1);
}

#[test]
fn ru1_async_defer_await_knows_what_waits_for_nothing() {
    let text = "import { getPage } from './page';\nexport async function f(skip, id) {\n  const page = await getPage(id);\n  if (skip) return;\n  use(page);\n}";
    let file = |body: &str| {
        Setup::new().file("src/page.ts", &format!("export async function getPage(id) {{ {body} }}"))
    };
    file("const at = Number(id); if (at < 0) return { at: 0 }; return { at };").silent(&RULE, text);
    for body in [
        "return { at: await read(id) };",
        "return read(id);",
        "for await (const it of id) use(it);",
    ] {
        assert_eq!(file(body).findings(&RULE, text).len(), 1, "{body}");
    }
}

#[test]
fn ru1_async_defer_await_candidates() {
    let setup = Setup::new();
    let text = "async function update(id, user) {
  const rights = await fetchPermissions(user);
  const row = await getRow(id);
  if (!row) return { error: 'not found' };
  if (!rights.canEdit) return { error: 'forbidden' };
  return save(row, rights);
}";
    setup.likely(&RULE, text);
    // The path that leaves looks at it, or the read needs it.
    setup.silent(&RULE, &text.replace("if (!row)", "if (!row && rights)"));
    setup.silent(&RULE, &text.replace("getRow(id)", "getRow(id, rights)"));
    // A check that throws is among what is awaited.
    let both = "const [, rights] = await Promise.all([ensureAccess(user), fetchPermissions(user)])";
    setup.silent(&RULE, &text.replace("const rights = await fetchPermissions(user)", both));
}
