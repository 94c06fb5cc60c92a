use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

const TYPES: &str = "type User = { id: string; age: number };
interface Order { userId: string; at?: string; no: number }
";

#[test]
fn ru1_js_index_maps_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_js_index_maps_is_fixed() {
    Setup::new().check(
        &RULE,
        &format!(
            "{TYPES}export function join(orders: Order[], users: User[]) {{
  const rows = orders.map((o) => ({{
    name: users.find((u) => u.id === o.userId)?.age,
    other: users.find(({{ id }}) => o.userId === id),
  }}));
  return rows;
}}
"
        ),
        expect![[r#"
            5:11 note: `users` is searched by `id` on every iteration; build a Map keyed by `id` before the loop [auto: build a Map once]
            6:12 note: `users` is searched by `id` on every iteration; build a Map keyed by `id` before the loop
            --- auto
            type User = { id: string; age: number };
            interface Order { userId: string; at?: string; no: number }
            export function join(orders: Order[], users: User[]) {
              const usersById = new Map<string, User>();
              for (const u of users) {
                if (!usersById.has(u.id)) {
                  usersById.set(u.id, u);
                }
              }
              const rows = orders.map((o) => ({
                name: usersById.get(o.userId)?.age,
                other: usersById.get(o.userId),
              }));
              return rows;
            }

        "#]],
    );
}

#[test]
fn ru1_js_index_maps_names_are_its_own() {
    Setup::new().check(
        &RULE,
        &format!(
            "{TYPES}export function join(orders: Order[], users: User[]) {{
  const one = orders.map((o) => users.find((u) => u.id === o.userId));
  const two = orders.map((o) => users.find((u) => o.userId === u.id)?.age);
  return [one, two];
}}
"
        ),
        expect![[r#"
            4:33 note: `users` is searched by `id` on every iteration; build a Map keyed by `id` before the loop [auto: build a Map once]
            5:33 note: `users` is searched by `id` on every iteration; build a Map keyed by `id` before the loop [auto: build a Map once]
            --- auto
            type User = { id: string; age: number };
            interface Order { userId: string; at?: string; no: number }
            export function join(orders: Order[], users: User[]) {
              const usersById = new Map<string, User>();
              for (const u of users) {
                if (!usersById.has(u.id)) {
                  usersById.set(u.id, u);
                }
              }
              const one = orders.map((o) => usersById.get(o.userId));
              const usersById2 = new Map<string, User>();
              for (const u of users) {
                if (!usersById2.has(u.id)) {
                  usersById2.set(u.id, u);
                }
              }
              const two = orders.map((o) => usersById2.get(o.userId)?.age);
              return [one, two];
            }

        "#]],
    );
}

#[test]
fn ru1_js_index_maps_keeps_line_ends() {
    Setup::new().fixes(
        &RULE,
        "type U = { id: string }\r\nfunction f(xs: string[], us: U[]) {\r\n\tconst all = xs.map((x: string) => us.find((u) => u.id === x))\r\n\treturn all\r\n}\r\n",
        "type U = { id: string }\r\nfunction f(xs: string[], us: U[]) {\r\n\tconst usById = new Map<string, U>()\r\n\tfor (const u of us) {\r\n\t\tif (!usById.has(u.id)) {\r\n\t\t\tusById.set(u.id, u)\r\n\t\t}\r\n\t}\r\n\tconst all = xs.map((x: string) => usById.get(x))\r\n\treturn all\r\n}\r\n",
    );
}

#[test]
fn ru1_js_index_maps_drafts() {
    Setup::new().check(
        &RULE,
        "const List = ({ rows, data }) => {
\tconst users = data.users
\treturn rows.map((row) => <Row key={row.id} user={users.find((u) => u.id === row.userId)} />)
}
",
        expect![[r#"
            3:51 note: `users` is searched by `id` on every iteration; build a Map keyed by `id` before the loop [assist: build a Map once] (not proved: the type of the key is unknown)
            --- assist
            const List = ({ rows, data }) => {
            	const users = data.users
            	const usersById = new Map<NonNullable<typeof users>[number]["id"], NonNullable<typeof users>[number]>()
            	for (const u of users ?? []) {
            		if (!usersById.has(u.id)) {
            			usersById.set(u.id, u)
            		}
            	}
            	return rows.map((row) => <Row key={row.id} user={usersById.get(row.userId)} />)
            }

        "#]],
    );
    Setup::new().path("src/a.js").check(
        &RULE,
        "async function f(a) {
  const b = await load();
  for (const x of a) use(b.all.find(function (y) { return y.key === x.key; }));
}
",
        expect![[r#"
            3:26 note: `b.all` is searched by `key` on every iteration; build a Map keyed by `key` before the loop [assist: build a Map once] (not proved: the type of the key is unknown)
            --- assist
            async function f(a) {
              const b = await load();
              const allByKey = new Map();
              for (const y of b.all ?? []) {
                if (!allByKey.has(y.key)) {
                  allByKey.set(y.key, y);
                }
              }
              for (const x of a) use(allByKey.get(x.key));
            }

        "#]],
    );
}

#[test]
fn ru1_js_index_maps_names_a_key_with_underscores() {
    Setup::new().path("src/a.js").check(
        &RULE,
        "async function f(a) {
  const b = await load();
  for (const x of a) use(b.find((y) => y._id === x.key), b.find((y) => y.team_id === x.key));
}
",
        expect![[r#"
            3:26 note: `b` is searched by `_id` on every iteration; build a Map keyed by `_id` before the loop [assist: build a Map once] (not proved: the type of the key is unknown)
            3:58 note: `b` is searched by `team_id` on every iteration; build a Map keyed by `team_id` before the loop [assist: build a Map once] (not proved: the type of the key is unknown)
            --- assist
            async function f(a) {
              const b = await load();
              const bById = new Map();
              for (const y of b ?? []) {
                if (!bById.has(y._id)) {
                  bById.set(y._id, y);
                }
              }
              for (const x of a) use(bById.get(x.key), b.find((y) => y.team_id === x.key));
            }

        "#]],
    );
}

#[test]
fn ru1_js_index_maps_proves_before_it_edits() {
    let setup = Setup::new();
    for body in [
        // A key that may be NaN; one that is looked for may be missing; a list of texts; effects in the loop.
        "orders.map((o) => users.find((u) => u.age === o.no))",
        "orders.map((o) => users.find((u) => u.id === o.at))",
        "orders.map((o) => { seen(o); return users.find((u) => u.id === o.userId); })",
        "orders.map((o) => users.find((u) => u.id === /* it */ o.userId))",
        "orders.map((o) => users?.find((u) => u.id === o.userId))",
        "orders.map((o) => users.some((u) => u.id === o.userId))",
        "orders.map((o) => users.filter((u) => u.id === o.userId))",
        "orders.map((o) => users.findIndex((u) => u.id === o.userId))",
        "orders.map((o) => rest.find((u) => u.id === o.userId))",
        // Something else of the statement may change the list first.
        "[users.push(rest), orders.map((o) => users.find((u) => u.id === o.userId))]",
        "rest(users, orders.map((o) => users.find((u) => u.id === o.userId)))",
    ] {
        setup.no_auto(
                &RULE,
                &format!("{TYPES}export function useF(orders: Order[], users: User[], rest: any) {{\n  return {body};\n}}"),
            );
    }
}

#[test]
fn ru1_js_index_maps_silent() {
    let setup = Setup::new();
    for body in [
        // Literal or tiny lists.
        "const few = [{ id: 1 }, { id: 2 }]; return orders.map((o) => few.find((u) => u.id === o.userId));",
        "return ['a', 'b'].map((o) => users.find((u) => u.id === o));",
        "return orders.map((o) => columns.find((c) => c.id === o.column));",
        // `==`, and more conditions.
        "return orders.map((o) => users.find((u) => u.id == o.userId));",
        "return orders.map((o) => users.find((u) => u.id === o.userId && u.on));",
        // Changed in the loop.
        "return orders.map((o) => { users.push(o); return users.find((u) => u.id === o.userId); });",
        "for (const o of orders) { if (!users.find((u) => u.id === o.id)) users.push(o); }",
        "for (const o of orders) { users = users.concat(o); use(users.find((u) => u.id === o.id)); }",
        // Another list each time.
        "return orders.map((o) => o.children.find((u) => u.id === o.userId));",
        // The same thing each time.
        "return orders.map((o) => users.find((u) => u.id === current));",
        // The place in a list of what was picked out of that list: who picks knows it.
        "const shown = pick(users, current); return shown.map((s) => users.findIndex((u) => u.id === s.id));",
        // The element on both sides.
        "return orders.map((o) => users.find((u) => u.id === u.boss));",
        // Reached for one element of many.
        "return orders.some((o) => o.id === current && users.some((u) => u.id === o.userId));",
        // In no loop; in a function that is only made in one; for as long as it takes.
        "return users.find((u) => u.id === orders.id);",
        "return orders.map((o) => () => users.find((u) => u.id === o.userId));",
        "let o = orders; while (o) { o = users.find((u) => u.id === o.parent); }",
    ] {
        setup
            .silent(&RULE, &format!("function useF(orders, users, current, columns) {{ {body} }}"));
    }
    // Written down by hand; the words of a command line.
    setup.silent(&RULE, "import { useMemo } from 'react'; function A({ t, xs }) { const SAMPLE = useMemo(() => ({ all: [{ id: t.a }] }), [t]); return xs.map((x) => SAMPLE.all.find((it) => it.id === x)); }");
    setup.silent(&RULE, "new Command().action(async (names) => { const index = await load(); for (const name of names) go(index.find((it) => it.name === name)); });");
    setup.silent(&RULE, "const out = orders.map((o) => users.find((u) => u.id === o.userId));");
}

#[test]
fn ru1_js_index_maps_leaves_what_costs_nothing() {
    let setup = Setup::new();
    let of = |list: &str, body: &str| {
        format!(
            "export async function f(ids) {{\n  const {list} = await load(ids);\n  const users = await read(ids);\n{body}\n}}"
        )
    };
    let plain = "  return users.map((id) => rows.find((it) => it.id === id));";
    assert_eq!(setup.findings(&RULE, &of("rows", plain)).len(), 1);
    for body in [
        // Each round waits for something longer.
        "  for (const id of users) {\n    const row = rows.find((it) => it.id === id);\n    await save(row);\n  }",
        // Only when something went wrong.
        "  if (!rows.length) {\n    const all = users.map((id) => rows.find((it) => it.id === id));\n    throw new Error(all.join());\n  }",
    ] {
        setup.silent(&RULE, &of("rows", body));
    }
    // A handful.
    setup.silent(&RULE, &of("recipients", &plain.replace("rows", "recipients")));
}
