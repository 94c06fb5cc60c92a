mod hostile;

use expect_test::{Expect, expect};

use super::RECIPE;
use super::names::{by_key, set_of};
use crate::testing::Project;

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    Project::new(fixture).check(&RECIPE, expected);
}

#[test]
fn ru3_indexed_lookup_builds_maps_and_sets() {
    check(
        "//- a.ts
type User = { id: string; name: string };
type Order = { userId: string; total: number };
export function show(users: User[], orders: Order[]) {
  const out: string[] = [];
  // One line for each order.
  for (const order of orders) {
    const user = users.find((user) => user.id === order.userId);
    out.push(user ? user.name : 'nobody');
  }
  return out;
}
export const names = (users: User[], orders: Order[]) => orders.map((o) => users.find((u) => u.id === o.userId)?.name);
export function groups(users: User[], orders: Order[]) {
  return users.map((user) => ({ user, orders: orders.filter((o) => o.userId === user.id), any: orders.some((o) => o.userId === user.id) }));
}
export function counts(users: User[], orders: Order[]) {
  return users.map((user) => orders.filter((o) => o.userId === user.id).length);
}
export function known(text: string, allowed: string[]) {
  const first = text.split(' ').filter((word) => allowed.includes(word));
  const rest = text.split(' ').filter((word) => !allowed.includes(word));
  return [...first, ...rest];
}
",
        &expect![[r#"
            chain: `users` is searched through `usersById`, a Map keyed by `id`
              a.ts:7 `find` → `Map.get`
            chain: `users` is searched through `usersById`, a Map keyed by `id`
              a.ts:12 `find` → `Map.get`
            chain: `orders` is searched through `ordersByUserId`, a Map keyed by `userId`
              a.ts:14 `filter` → `Map.get`
            chain: `orders` is searched through `orderUserIdSet`, a Set of `userId`
              a.ts:14 `some` → `Set.has`
            chain: `orders` is searched through `ordersByUserId`, a Map keyed by `userId`
              a.ts:17 `filter` → `Map.get`
            chain: `allowed` is searched through `allowedSet`, a Set
              a.ts:20 `includes` → `Set.has`
              a.ts:21 `includes` → `Set.has`
            //- a.ts
            type User = { id: string; name: string };
            type Order = { userId: string; total: number };
            export function show(users: User[], orders: Order[]) {
              const out: string[] = [];
              const usersById = new Map<string, User>();
              for (const user of users) {
                if (!usersById.has(user.id)) {
                  usersById.set(user.id, user);
                }
              }
              // One line for each order.
              for (const order of orders) {
                const user = usersById.get(order.userId);
                out.push(user ? user.name : 'nobody');
              }
              return out;
            }
            export const names = (users: User[], orders: Order[]) => {
              const usersById = new Map<string, User>();
              for (const u of users) {
                if (!usersById.has(u.id)) {
                  usersById.set(u.id, u);
                }
              }
              return orders.map((o) => usersById.get(o.userId)?.name);
            };
            export function groups(users: User[], orders: Order[]) {
              const ordersByUserId = new Map<string, Order[]>();
              for (const o of orders) {
                const group = ordersByUserId.get(o.userId);
                if (group) {
                  group.push(o);
                } else {
                  ordersByUserId.set(o.userId, [o]);
                }
              }
              const orderUserIdSet = new Set(orders.map((o) => o.userId));
              return users.map((user) => ({ user, orders: [...(ordersByUserId.get(user.id) ?? [])], any: orderUserIdSet.has(user.id) }));
            }
            export function counts(users: User[], orders: Order[]) {
              const ordersByUserId = new Map<string, Order[]>();
              for (const o of orders) {
                const group = ordersByUserId.get(o.userId);
                if (group) {
                  group.push(o);
                } else {
                  ordersByUserId.set(o.userId, [o]);
                }
              }
              return users.map((user) => (ordersByUserId.get(user.id) ?? []).length);
            }
            export function known(text: string, allowed: string[]) {
              const allowedSet = new Set(allowed);
              const first = text.split(' ').filter((word) => allowedSet.has(word));
              const rest = text.split(' ').filter((word) => !allowedSet.has(word));
              return [...first, ...rest];
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_makes_lists_sets_through_functions() {
    check(
        "//- b.js
const countries = ['at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'fr', 'gr', 'hr', 'hu', 'ie', 'it'];
const few = ['a', 'b'];
export const european = (users) => users.filter((user) => countries.includes(user.country) && !few.includes(user.x));
function transform(properties, dateFields) {
  return Object.keys(properties).filter((key) => dateFields.indexOf(key) === -1);
}
export function toEsri(properties, delimited) {
  const dateFields = delimited.split(',');
  return transform(properties, dateFields);
}
function isKnown(known, value) {
  return known.includes(value);
}
export function count(values, text) {
  const known = text.split(',');
  return values.filter((value) => isKnown(known, value)).length;
}
",
        &expect![[r#"
            chain: `countries` becomes a Set
              b.js:3 `includes` → `Set.has`
            chain: `dateFields` becomes a Set
              b.js:5 `indexOf` → `Set.has`
            chain: `known` becomes a Set
              b.js:12 `includes` → `Set.has`
            //- b.js
            const countries = new Set(['at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'fr', 'gr', 'hr', 'hu', 'ie', 'it']);
            const few = ['a', 'b'];
            export const european = (users) => users.filter((user) => countries.has(user.country) && !few.includes(user.x));
            function transform(properties, dateFields) {
              return Object.keys(properties).filter((key) => !dateFields.has(key));
            }
            export function toEsri(properties, delimited) {
              const dateFields = new Set(delimited.split(','));
              return transform(properties, dateFields);
            }
            function isKnown(known, value) {
              return known.has(value);
            }
            export function count(values, text) {
              const known = new Set(text.split(','));
              return values.filter((value) => isKnown(known, value)).length;
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_leaves_functions_that_other_files_call() {
    check(
        "//- package.json
{ \"name\": \"app\", \"private\": true }
//- lib.ts
export function isWanted(row: string, wanted: string[]): boolean {
  return wanted.includes(row);
}
export function pick(rows: string[], wanted: string[]): string[] {
  return rows.filter((row) => wanted.includes(row));
}
export function isIn(row: string, list: string[]): boolean {
  return list.includes(row);
}
//- main.ts
import { isIn, isWanted } from './lib';
export function run(rows: string[], text: string) {
  const wanted = text.split(',');
  return rows.filter((row) => isWanted(row, wanted));
}
export const one = (row: string, text: string) => isWanted(row, text.split(';'));
export const all = (rows: string[], list: string[]) => rows.filter((row) => isIn(row, list));
//- test/main.test.ts
import { isWanted } from '../lib';
test('it', () => expect(isWanted('a', 'a,b'.split(','))).toBe(true));
",
        &expect![[r#"
            chain: `wanted` is searched through `wantedSet`, a Set
              lib.ts:5 `includes` → `Set.has`
            //- lib.ts
            export function isWanted(row: string, wanted: string[]): boolean {
              return wanted.includes(row);
            }
            export function pick(rows: string[], wanted: string[]): string[] {
              const wantedSet = new Set(wanted);
              return rows.filter((row) => wantedSet.has(row));
            }
            export function isIn(row: string, list: string[]): boolean {
              return list.includes(row);
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_leaves_what_is_no_long_list() {
    check(
        "//- a.js
const KINDS = ['a', 'b', 'c'];
export const kinds = (rows) => rows.filter((row) => KINDS.includes(row.kind));
export const words = (rows, text) => rows.filter((row) => text.includes(row));
export function title(rows) {
  const heading = 'a long heading';
  return rows.filter((row) => heading.indexOf(row) !== -1);
}
export const fixed = (rows, list) => rows.map((row) => list.includes('x'));
export const once = (list, x) => list.map((it) => it.id).includes(x);
export function few(values) {
  const names = values.map((it) => it.name);
  return ['a', 'b'].filter((it) => names.includes(it));
}
export function forever(names, next) {
  let name = next();
  while (names.includes(name)) name = next();
  return name;
}
",
        &expect![[r#"
            nothing
        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_says_why_it_leaves() {
    check(
        "//- a.js
export const unknown = (rows, deps) => rows.filter((row) => deps.includes(row));
export function changes(rows) {
  const names = rows.map((it) => it.name);
  for (const row of rows) {
    if (!names.includes(row.title)) names.push(row.title);
  }
  return names;
}
export function live(store, rows) {
  const names = store.names();
  names.forEach((it) => it.trim());
  for (const row of rows) {
    if (!names.includes(row)) store.add(row);
  }
}
export function loose(rows) {
  const items = rows.map((id) => ({ id }));
  return rows.map((row) => items.find((it) => it.id == row));
}
export function two(rows) {
  const items = rows.map((id) => ({ id, on: true }));
  return rows.map((row) => items.find((it) => it.id === row && it.on));
}
export function position(rows) {
  const names = rows.map((it) => it.name);
  return rows.map((row) => names.indexOf(row.title));
}
export function nan(rows, xs) {
  const sizes = rows.map((it) => it.size);
  return xs.filter((x) => sizes.indexOf(x) >= 0);
}
export function elements(rows, items) {
  items.forEach((it) => it);
  return rows.map((row) => items.find((it) => it.id === row));
}
export async function waits(rows, list) {
  const names = list.map((it) => it.name);
  return Promise.all(rows.map(async (row) => {
    await row.load();
    if (names.includes(row.name)) names.push(row.name);
  }));
}
export function keys(rows, pairs) {
  const items = pairs.map((id) => ({ id }));
  for (const row of rows) {
    const item = items.find((it) => it.id === row);
    if (item) item.id = 'done';
  }
}
//- b.js
class Set {}
export function shadowed(rows) {
  const names = rows.map((it) => it.name);
  return [rows.filter((row) => names.includes(row)), names, new Set()];
}
",
        &expect![[r#"
            left: a.js:1:61 `deps.includes(row)`: it is not certain that `deps` is an array; it may be a string; if it is one, build the index of `deps` before the loop, or pass a Set
            left: a.js:5:10 `names.includes(row.title)`: the loop changes `names`; build the index where the list changes, and keep the two in sync
            left: a.js:13:10 `names.includes(row)`: `store.add(row)` in the loop may change `names`; build the index before the loop if it does not
            left: a.js:18:28 `items.find((it) => it.id == row)`: `==` treats values as equal that a Map does not; compare with `===` first
            left: a.js:22:28 `items.find((it) => it.id === row && it.on)`: the search tests more than one equality; build a Map by the key that varies, and test the other conditions on the result
            left: a.js:26:28 `names.indexOf(row.title)`: its result is used as a position; keep a Map from each value to its first position, and use -1 for missing values
            left: a.js:30:27 `sizes.indexOf(x)`: `sizes` may hold NaN or holes, which `indexOf` does not find and a Set does; use `includes`, or declare it as an array of strings
            left: a.js:34:28 `items.find((it) => it.id === row)`: it is not certain that every element of `items` has a readable `id`; declare the element type of `items`, or build a Map by `id` if no element is missing
            left: a.js:40:9 `names.includes(row.name)`: the loop changes `names`; build the index where the list changes, and keep the two in sync
            left: a.js:46:18 `items.find((it) => it.id === row)`: `item.id = 'done'` in the loop may change `items` or a key in it; build the index before the loop if it does not
            left: b.js:4:32 `names.includes(row)`: `Set` has another meaning in this file; rename it
        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_keeps_first_nan_and_copies() {
    check(
        "//- a.js
export function first(rows, values) {
  const items = values.map((value, at) => ({ key: value, at }));
  const out = [];
  for (const row of rows) {
    out.push(items.find(({ key }) => key === row));
    const found = items.filter((it) => it.key === row);
    found.push(row);
    out.push(found);
    for (const it of items.filter((it) => it.key === `${row}`)) out.push(it.at);
  }
  return out;
}
",
        &expect![[r#"
            chain: `items` is searched through `itemsByKey`, a Map keyed by `key`
              a.js:5 `find` → `Map.get`
            chain: `items` is searched through `itemsByKey2`, a Map keyed by `key`
              a.js:6 `filter` → `Map.get`
            left: a.js:9:22 `items.filter((it) => it.key === `${row}`)`: ``${row}`` would be computed even if `items` is empty; compute it in a constant before the search
            //- a.js
            export function first(rows, values) {
              const items = values.map((value, at) => ({ key: value, at }));
              const out = [];
              const itemsByKey = new Map();
              for (const item of items) {
                if (!Number.isNaN(item.key) && !itemsByKey.has(item.key)) {
                  itemsByKey.set(item.key, item);
                }
              }
              const itemsByKey2 = new Map();
              for (const it of items) {
                const group = itemsByKey2.get(it.key);
                if (group) {
                  group.push(it);
                } else if (!Number.isNaN(it.key)) {
                  itemsByKey2.set(it.key, [it]);
                }
              }
              for (const row of rows) {
                out.push(itemsByKey.get(row));
                const found = [...(itemsByKey2.get(row) || [])];
                found.push(row);
                out.push(found);
                for (const it of items.filter((it) => it.key === `${row}`)) out.push(it.at);
              }
              return out;
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_names() {
    let sets = [
        ("dateFields", None),
        ("outFieldsSet", None),
        ("countries", None),
        ("COUNTRIES", None),
        ("users", Some("id")),
    ];
    let sets = sets.map(|(list, key)| set_of(list, key));
    assert_eq!(sets, ["dateFieldSet", "outFieldSet", "countrySet", "COUNTRY_SET", "userIdSet"]);
    assert_eq!(by_key("users", "team_id"), "usersByTeamId");
}

#[test]
fn ru3_indexed_lookup_leaves_thin_work_alone() {
    let changed = |fixture: &str| !Project::new(fixture).run(&RECIPE).changed.is_empty();
    let loops = "  const out = [];\n  for (const row of rows) {\n    if (ids.includes(row.id)) out.push(row);\n  }\n  return out;\n}\n";
    // Every caller gives three.
    assert!(!changed(&format!(
        "//- a.js\nfunction pick(rows, ids) {{\n{loops}export const some = (rows) => pick(rows, [1, 2, 3]);\n"
    )));
    for vendored in ["public/js/bundle.js", "vendor/a.js", "third_party/a.js", "assets/a.min.js"] {
        assert!(!changed(&format!(
            "//- {vendored}\nexport function pick(rows, ids = Object.keys(rows)) {{\n{loops}"
        )));
    }
}

#[test]
fn ru3_indexed_lookup_names_are_told_apart() {
    let fixture = "//- a.ts\nconst outFieldsSet = new Set<string>();\nexport function pick(rows: string[], outFields: string[]) {\n  return rows.filter((row) => outFields.includes(row) || outFieldsSet.has(row));\n}\n";
    let outcome = Project::new(fixture).run(&RECIPE);
    let text = outcome.changed.get("a.ts").map(ToString::to_string).unwrap_or_default();
    assert!(text.contains("outFieldLookup"), "{text}");
}
