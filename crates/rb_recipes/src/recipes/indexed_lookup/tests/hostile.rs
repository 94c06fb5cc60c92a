//! Code that is typed, strange, or long.

use std::fmt::Write as _;

use expect_test::expect;

use super::{RECIPE, check};
use crate::testing::Project;

#[test]
fn ru3_indexed_lookup_asks_of_types_and_questions() {
    check(
        "//- a.tsx
import type { Team } from 'somewhere';
type Props = { teams: Team[]; users: { teamId: string }[]; extra?: Team[] };
export const List = ({ teams, users }: Props) => (
  <ul>
    {users.map((user) => (
      <li>{teams.find((team) => team.id === user.teamId)?.name}</li>
    ))}
  </ul>
);
export function maybe(data: Awaited<ReturnType<typeof load>>, users: { teamId: string }[]) {
  return data.teams ? users.map((user) => data.teams.find((team) => team.id === user.teamId)) : [];
}
export function sure(data: Awaited<ReturnType<typeof load>>, users: { teamId: string }[]) {
  return users.map((user) => data.teams.find((team) => team.id === user.teamId));
}
export function json(text: string, users: { teamId: string }[]) {
  const data = JSON.parse(text);
  return users.map((user) => data.teams.find((team) => team.id === user.teamId));
}
export function optional(users: string[], names?: string[]) {
  return users.filter((user) => names?.includes(user));
}
class Named { get id() { return Math.random(); } }
export function getter(users: { teamId: number }[], all: Named[]) {
  return users.map((user) => all.find((it) => it.id === user.teamId));
}
declare function load(): Promise<unknown>;
",
        &expect![[r#"
            chain: `teams` is searched through `teamsById`, a Map keyed by `id`
              a.tsx:6 `find` → `Map.get`
            chain: `data.teams` is searched through `teamsById`, a Map keyed by `id`
              a.tsx:14 `find` → `Map.get`
            left: a.tsx:11:43 `data.teams.find((team) => team.id === user.teamId)`: `data.teams` may be undefined before the loop, where its index would be built; give it a default of `[]` before the loop
            left: a.tsx:18:30 `data.teams.find((team) => team.id === user.teamId)`: it is not certain that `data.teams` is an array; it may be another collection; if it is one, build the index of `data.teams` before the loop, or pass a Set
            left: a.tsx:21:33 `names?.includes(user)`: it is not certain that `names` is an array; it may be a string; if it is one, build the index of `names` before the loop, or pass a Set
            left: a.tsx:25:30 `all.find((it) => it.id === user.teamId)`: it is not certain that every element of `all` has a readable `id`; declare the element type of `all`, or build a Map by `id` if no element is missing
            //- a.tsx
            import type { Team } from 'somewhere';
            type Props = { teams: Team[]; users: { teamId: string }[]; extra?: Team[] };
            export const List = ({ teams, users }: Props) => {
              const teamsById = new Map<unknown, Team>();
              for (const team of teams) {
                if (!teamsById.has(team.id)) {
                  teamsById.set(team.id, team);
                }
              }
              return (
                <ul>
                  {users.map((user) => (
                    <li>{teamsById.get(user.teamId)?.name}</li>
                  ))}
                </ul>
              );
            };
            export function maybe(data: Awaited<ReturnType<typeof load>>, users: { teamId: string }[]) {
              return data.teams ? users.map((user) => data.teams.find((team) => team.id === user.teamId)) : [];
            }
            export function sure(data: Awaited<ReturnType<typeof load>>, users: { teamId: string }[]) {
              const teamsById = new Map<unknown, (typeof data.teams)[number]>();
              for (const team of data.teams) {
                if (!teamsById.has(team.id)) {
                  teamsById.set(team.id, team);
                }
              }
              return users.map((user) => teamsById.get(user.teamId));
            }
            export function json(text: string, users: { teamId: string }[]) {
              const data = JSON.parse(text);
              return users.map((user) => data.teams.find((team) => team.id === user.teamId));
            }
            export function optional(users: string[], names?: string[]) {
              return users.filter((user) => names?.includes(user));
            }
            class Named { get id() { return Math.random(); } }
            export function getter(users: { teamId: number }[], all: Named[]) {
              return users.map((user) => all.find((it) => it.id === user.teamId));
            }
            declare function load(): Promise<unknown>;

        "#]],
    );
}

#[expect(clippy::too_many_lines, reason = "one text, and what becomes of it")]
#[test]
fn ru3_indexed_lookup_stands_hostile_code() {
    check(
        "//- a.js
const out = [];
export function labels(rows, list) {
  const names = list.map((it) => it.name);
  outer: for (const row of rows) {
    for (const cell of row.cells) {
      if (names.indexOf(cell) > -1) continue outer;
      if (/* there */ -1 !== names.indexOf(cell)) break outer;
      if ((names.indexOf(cell)) === -1) out.push(cell);
    }
  }
  return names;
}
export class Table {
  names = 'a,b'.split(',');
  rows = [1, 2].map((it) => this.names.includes(it));
  *each(rows, list) {
    const names = list.map((it) => it.name);
    for (const row of rows) yield names.includes(row);
  }
  static { const names = out.map((it) => it.name); for (const it of out) { if (names.includes(it)) out.pop(); } }
}
export function cases(kind, rows, list) {
  const names = list.map((it) => it.name);
  switch (kind) {
    case 1:
      rows.forEach((row) => { if (names.includes(row)) out.push(names.length); });
  }
  if (kind) for (const row of rows) if (names.includes(row)) out.push(row);
  return { names, namesSet: 1 };
}
export const curried = (list) => (rows) => rows.filter((row) => list.map((it) => it.name).includes(row) || list.includes(row));
export const object = (rows, text) => ({ found: rows.filter((row) => text.split(',').includes(row)) });
export function evil(rows, code) {
  const names = rows.map((it) => it.name);
  return [rows.filter((row) => names.includes(row)), names];
}
//- b.js
export function evil(rows, code) {
  const names = rows.map((it) => it.name);
  eval(code);
  return [rows.filter((row) => names.includes(row)), names];
}
",
        &expect![[r#"
            chain: `names` becomes a Set
              a.js:18 `includes` → `Set.has`
            chain: `names` becomes a Set
              a.js:20 `includes` → `Set.has`
            chain: `names` is searched through `nameSet`, a Set
              a.js:28 `includes` → `Set.has`
            chain: `list` is searched through `listSet`, a Set
              a.js:31 `includes` → `Set.has`
            chain: `names` is searched through `nameSet`, a Set
              a.js:35 `includes` → `Set.has`
            left: a.js:6:11 `names.indexOf(cell)`: `names` may hold NaN or holes, which `indexOf` does not find and a Set does; use `includes`, or declare it as an array of strings
            left: a.js:7:30 `names.indexOf(cell)`: its result is used as a position; keep a Map from each value to its first position, and use -1 for missing values
            left: a.js:8:12 `names.indexOf(cell)`: its result is used as a position; keep a Map from each value to its first position, and use -1 for missing values
            left: a.js:26:35 `names.includes(row)`: there is no line before the loop where an index could be built; move the loop into a function
            left: a.js:31:65 `list.map((it) => it.name).includes(row)`: `list.map((it) => it.name)` is created again for each search; build a Set of it once, before the loop, if the loop does not change its source
            left: a.js:32:70 `text.split(',').includes(row)`: `text.split(',')` is created again for each search; build a Set of it once, before the loop, if the loop does not change its source
            left: b.js:4:32 `names.includes(row)`: `eval` in this file may use any name; remove `eval`
            //- a.js
            const out = [];
            export function labels(rows, list) {
              const names = list.map((it) => it.name);
              outer: for (const row of rows) {
                for (const cell of row.cells) {
                  if (names.indexOf(cell) > -1) continue outer;
                  if (/* there */ -1 !== names.indexOf(cell)) break outer;
                  if ((names.indexOf(cell)) === -1) out.push(cell);
                }
              }
              return names;
            }
            export class Table {
              names = 'a,b'.split(',');
              rows = [1, 2].map((it) => this.names.includes(it));
              *each(rows, list) {
                const names = new Set(list.map((it) => it.name));
                for (const row of rows) yield names.has(row);
              }
              static { const names = new Set(out.map((it) => it.name)); for (const it of out) { if (names.has(it)) out.pop(); } }
            }
            export function cases(kind, rows, list) {
              const names = list.map((it) => it.name);
              switch (kind) {
                case 1:
                  rows.forEach((row) => { if (names.includes(row)) out.push(names.length); });
              }
              const nameSet = new Set(names);
              if (kind) for (const row of rows) if (nameSet.has(row)) out.push(row);
              return { names, namesSet: 1 };
            }
            export const curried = (list) => (rows) => {
              const listSet = new Set(list);
              return rows.filter((row) => list.map((it) => it.name).includes(row) || listSet.has(row));
            };
            export const object = (rows, text) => ({ found: rows.filter((row) => text.split(',').includes(row)) });
            export function evil(rows, code) {
              const names = rows.map((it) => it.name);
              const nameSet = new Set(names);
              return [rows.filter((row) => nameSet.has(row)), names];
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_knows_traps() {
    check(
        "//- a.js
export function response(fields, outFields) {
  const outFieldsSet = outFields === '*' ? null : outFields.split(',');
  if (!outFieldsSet) {
    return fields;
  }
  return fields.filter((field) => outFieldsSet.includes(field.alias) || outFieldsSet.includes(field.name));
}
export function unasked(fields, outFields) {
  const outFieldsSet = outFields === '*' ? null : outFields.split(',');
  return fields.filter((field) => outFieldsSet.includes(field.alias));
}
export class Kept {
  has(rows) { return rows.filter((row) => this.names.includes(row)); }
}
export const handed = (rows, list, done) => {
  list.forEach((it) => it.trim());
  rows.forEach((row) => { if (list.includes(row)) rows.forEach(done); });
};
export const same = (rows, text) => {
  const names = text.split(',');
  return rows.filter((row) => names.some((name) => name === row));
};
//- b.ts
type Row = { id: string; key: string };
export const missing = (rows: Row[], old: Row[]) => rows.filter((row) => !old.find(({ id }) => id === row.id));
export const menu = (rows: Row[], options: Row[]) => rows.map((row) => options.find((it) => it.id === row.id));
//- c.ts
import { observable } from 'mobx';
type Row = { id: string };
export const watched = (rows: Row[], old: Row[]) => rows.map((row) => old.find((it) => it.id === row.id));
export const state = observable({});
",
        &expect![[r#"
            chain: `outFieldsSet` is searched through `outFieldLookup`, a Set
              a.js:6 `includes` → `Set.has`
            chain: `old` is searched through `oldIdSet`, a Set of `id`
              b.ts:2 `find` → `Set.has`
            left: a.js:10:35 `outFieldsSet.includes(field.alias)`: `outFieldsSet` may not be an array, or may be undefined; give it a default of `[]` before the loop
            left: a.js:13:43 `this.names.includes(row)`: `this.names` belongs to the object, whose methods may change it; build the index before the loop if nothing in the loop does
            left: a.js:17:31 `list.includes(row)`: `rows.forEach(done)` in the loop may change `list`; build the index before the loop if it does not
            left: a.js:21:31 `names.some((name) => name === row)`: the search is for the element itself; use `includes`, or a Set if no element is NaN
            left: b.ts:3:72 `options.find((it) => it.id === row.id)`: by its name, the list `options` is likely to be short; build a Map before the loop if it can be long
            left: c.ts:3:71 `old.find((it) => it.id === row.id)`: elements of `old` may be reactive, and an index would read the `id` of all of them; build the Map where the list is stored, as a computed value
            //- a.js
            export function response(fields, outFields) {
              const outFieldsSet = outFields === '*' ? null : outFields.split(',');
              if (!outFieldsSet) {
                return fields;
              }
              const outFieldLookup = new Set(outFieldsSet);
              return fields.filter((field) => outFieldLookup.has(field.alias) || outFieldLookup.has(field.name));
            }
            export function unasked(fields, outFields) {
              const outFieldsSet = outFields === '*' ? null : outFields.split(',');
              return fields.filter((field) => outFieldsSet.includes(field.alias));
            }
            export class Kept {
              has(rows) { return rows.filter((row) => this.names.includes(row)); }
            }
            export const handed = (rows, list, done) => {
              list.forEach((it) => it.trim());
              rows.forEach((row) => { if (list.includes(row)) rows.forEach(done); });
            };
            export const same = (rows, text) => {
              const names = text.split(',');
              return rows.filter((row) => names.some((name) => name === row));
            };

            //- b.ts
            type Row = { id: string; key: string };
            export const missing = (rows: Row[], old: Row[]) => {
              const oldIdSet = new Set(old.map((item) => item.id));
              return rows.filter((row) => !oldIdSet.has(row.id));
            };
            export const menu = (rows: Row[], options: Row[]) => rows.map((row) => options.find((it) => it.id === row.id));

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_keeps_line_ends_and_semicolons() {
    let text = "export function known(rows, list) {\r\n\tconst names = list.map((it) => it.name)\r\n\
                \treturn [names, rows.filter((row) => names.includes(row))]\r\n}\r\n";
    let outcome = Project::new(&format!("//- a.js\n{text}")).run(&RECIPE);
    let expected = text
        .replace("\treturn", "\tconst nameSet = new Set(names)\r\n\treturn")
        .replace("names.includes", "nameSet.has");
    assert_eq!(&*outcome.changed["a.js"], expected);
}

#[test]
fn ru3_indexed_lookup_survives_long_files() {
    let mut fixture = String::from("//- a.js\n");
    for at in 0..20 {
        write!(
            fixture,
            "export function known{at}(rows, list) {{\n  const names = list.map((it) => it.name);\n  names.sort();\n  return rows.filter((row) => names.includes(row));\n}}\n"
        )
        .expect("a string takes it");
        for line in 0..250 {
            writeln!(fixture, "const x{at}n{line} = {line};").expect("a string takes it");
        }
    }
    let outcome = Project::new(&fixture).run(&RECIPE);
    assert_eq!(outcome.plan.share(), (20, 20));
}

#[test]
fn ru3_indexed_lookup_believes_no_cast() {
    check(
        "//- a.ts
export function select(rows: string[], value: unknown) {
  return rows.map((row) => (value as string[]).includes(row));
}
export function query(rows: string[], request: { query: unknown }) {
  const ids = request.query as string[];
  return rows.filter((row) => ids.includes(row));
}
export function wider<K extends string>(rows: string[], keys: readonly K[]) {
  return rows.filter((row) => !(keys as readonly string[]).includes(row));
}
export function comment(rows: string[], keys: string[]) {
  return rows.filter((row) => (
    keys // all of them
  ).includes(row));
}
",
        &expect![[r#"
            chain: `keys as readonly string[]` is searched through `keySet`, a Set
              a.ts:9 `includes` → `Set.has`
            chain: `keys` is searched through `keySet`, a Set
              a.ts:12 `includes` → `Set.has`
            left: a.ts:2:28 `(value as string[]).includes(row)`: only `as` claims that `value as string[]` is an array; it may be a string; build a Set of it before the loop if it never is one
            left: a.ts:6:31 `ids.includes(row)`: only `as` claims that `ids` is an array; it may be a string; build a Set of it before the loop if it never is one
            //- a.ts
            export function select(rows: string[], value: unknown) {
              return rows.map((row) => (value as string[]).includes(row));
            }
            export function query(rows: string[], request: { query: unknown }) {
              const ids = request.query as string[];
              return rows.filter((row) => ids.includes(row));
            }
            export function wider<K extends string>(rows: string[], keys: readonly K[]) {
              const keySet = new Set(keys as readonly string[]);
              return rows.filter((row) => !keySet.has(row));
            }
            export function comment(rows: string[], keys: string[]) {
              const keySet = new Set(keys);
              return rows.filter((row) => (
                keySet // all of them
              ).has(row));
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_builds_no_index_of_constants_in_each_call() {
    check(
        "//- names.ts
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'];
//- a.ts
import { NAMES } from './names';
const KINDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'];
const filled: string[] = [];
export const fill = (name: string) => filled.push(name);
export const kinds = (rows: string[]) => rows.filter((row) => KINDS.includes(row)).concat(KINDS);
export const names = (rows: string[]) => rows.filter((row) => NAMES.includes(row));
export const others = (rows: string[]) => rows.filter((row) => filled.includes(row));
for (const row of process.argv) {
  if (NAMES.includes(row)) console.log(row);
}
",
        &expect![[r#"
            chain: `filled` is searched through `filledSet`, a Set
              a.ts:7 `includes` → `Set.has`
            chain: `NAMES` is searched through `NAME_SET`, a Set
              a.ts:9 `includes` → `Set.has`
            left: a.ts:5:63 `KINDS.includes(row)`: `KINDS` is created once, but its index would be built on every call; build the index where `KINDS` is declared
            left: a.ts:6:63 `NAMES.includes(row)`: `NAMES` is created once, but its index would be built on every call; build the index where `NAMES` is declared
            //- a.ts
            import { NAMES } from './names';
            const KINDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'];
            const filled: string[] = [];
            export const fill = (name: string) => filled.push(name);
            export const kinds = (rows: string[]) => rows.filter((row) => KINDS.includes(row)).concat(KINDS);
            export const names = (rows: string[]) => rows.filter((row) => NAMES.includes(row));
            export const others = (rows: string[]) => {
              const filledSet = new Set(filled);
              return rows.filter((row) => filledSet.has(row));
            };
            const NAME_SET = new Set(NAMES);
            for (const row of process.argv) {
              if (NAME_SET.has(row)) console.log(row);
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_needs_few_parentheses() {
    check(
        "//- a.ts
type Row = { group: string; size: number };
export function each(groups: string[], rows: Row[]) {
  let total = 0;
  for (const group of groups) {
    for (const row of rows.filter((it) => it.group === group)) total += row.size;
  }
  return total;
}
",
        &expect![[r#"
            chain: `rows` is searched through `rowsByGroup`, a Map keyed by `group`
              a.ts:5 `filter` → `Map.get`
            //- a.ts
            type Row = { group: string; size: number };
            export function each(groups: string[], rows: Row[]) {
              let total = 0;
              const rowsByGroup = new Map<string, Row[]>();
              for (const it of rows) {
                const group2 = rowsByGroup.get(it.group);
                if (group2) {
                  group2.push(it);
                } else {
                  rowsByGroup.set(it.group, [it]);
                }
              }
              for (const group of groups) {
                for (const row of rowsByGroup.get(group) ?? []) total += row.size;
              }
              return total;
            }

        "#]],
    );
}
