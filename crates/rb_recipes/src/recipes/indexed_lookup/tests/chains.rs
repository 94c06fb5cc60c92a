//! Lists that become Sets across files: who calls, who promises, and where all of it is left.

use expect_test::expect;

use super::check;

#[test]
fn ru3_indexed_lookup_holds_public_names_back() {
    check(
        "//- package.json
{ \"name\": \"lib\", \"version\": \"1.0.0\", \"main\": \"./lib.ts\" }
//- lib.ts
export { isWanted } from './wanted';
//- wanted.ts
export function isWanted(row: string, wanted: string[]): boolean {
  return wanted.includes(row);
}
export function isKept(row: string, kept: string[]): boolean {
  return kept.includes(row);
}
//- main.ts
import { isKept, isWanted } from './wanted';
export function run(rows: string[], text: string) {
  const wanted = text.split(',');
  const kept = text.split(';');
  return rows.filter((row) => isWanted(row, wanted) && isKept(row, kept));
}
",
        &expect![[r#"
            chain: `kept` becomes a Set, in 2 files
              wanted.ts:5 `includes` → `Set.has`
              api wanted.ts#isKept: takes an array -> takes a Set
            left: wanted.ts:2:10 `wanted.includes(row)`: `isWanted` is public API, and would then take a Set; pass a Set yourself, or allow changes of the public API (allow_public_api_changes)
            //- main.ts
            import { isKept, isWanted } from './wanted';
            export function run(rows: string[], text: string) {
              const wanted = text.split(',');
              const kept = new Set(text.split(';'));
              return rows.filter((row) => isWanted(row, wanted) && isKept(row, kept));
            }

            //- wanted.ts
            export function isWanted(row: string, wanted: string[]): boolean {
              return wanted.includes(row);
            }
            export function isKept(row: string, kept: Set<string>): boolean {
              return kept.has(row);
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_changes_callers_in_tests() {
    check(
        "//- package.json
{ \"name\": \"app\", \"private\": true }
//- lib.ts
export function isWanted(row: string, wanted: readonly string[]): boolean {
  return wanted.includes(row);
}
//- main.ts
import { isWanted } from './lib';
export function run(rows: string[], text: string) {
  const wanted: string[] = text.split(',');
  return rows.filter((row) => isWanted(row, wanted));
}
//- lib.test.ts
import { isWanted } from './lib';
const WANTED = ['a', 'b'];
test('one', () => expect(isWanted('a', ['a', 'b'])).toBe(true));
test('two', () => expect(isWanted('a', WANTED)).toBe(true));
//- other/lib.ts
export function isWanted(row: string, wanted: string[]): boolean {
  return wanted.includes(row);
}
//- other/main.ts
import { isWanted } from './lib';
export function run(rows: string[], text: string) {
  const wanted = text.split(',');
  return rows.filter((row) => isWanted(row, wanted));
}
//- other/lib.test.ts
import { isWanted } from './lib';
const WANTED = ['a', 'b'];
test.each(WANTED)('%s', (it) => expect(isWanted(it, WANTED)).toBe(true));
",
        &expect![[r#"
            chain: `wanted` becomes a Set, in 3 files
              lib.ts:2 `includes` → `Set.has`
              api lib.ts#isWanted: takes an array -> takes a Set
            left: other/lib.ts:2:10 `wanted.includes(row)`: `WANTED` is used for more than membership tests, in other/lib.test.ts:3; build a Set of it before the loop, and pass that
            //- lib.test.ts
            import { isWanted } from './lib';
            const WANTED = new Set(['a', 'b']);
            test('one', () => expect(isWanted('a', new Set(['a', 'b']))).toBe(true));
            test('two', () => expect(isWanted('a', WANTED)).toBe(true));

            //- lib.ts
            export function isWanted(row: string, wanted: ReadonlySet<string>): boolean {
              return wanted.has(row);
            }

            //- main.ts
            import { isWanted } from './lib';
            export function run(rows: string[], text: string) {
              const wanted: Set<string> = new Set(text.split(','));
              return rows.filter((row) => isWanted(row, wanted));
            }

        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_leaves_lists_with_other_uses() {
    check(
        "//- package.json
{ \"name\": \"app\", \"private\": true }
//- lib.ts
export function isWanted(row: string, wanted: string[]): boolean {
  return wanted.includes(row);
}
//- main.ts
import { isWanted } from './lib';
export function run(rows: string[], text: string) {
  const wanted = text.split(',');
  return rows.filter((row) => isWanted(row, wanted));
}
//- more.ts
import { isWanted } from './lib';
export function first(rows: string[], text: string) {
  const wanted = text.split(',');
  return rows.find((row) => isWanted(row, wanted)) ?? wanted[0];
}
//- value.ts
export function isKnown(row: string, known: string[]): boolean {
  return known.includes(row);
}
//- uses.ts
import { isKnown } from './value';
export function run(rows: string[], text: string) {
  const known = text.split(',');
  return rows.filter((row) => isKnown(row, known));
}
export const checks = { isKnown };
",
        &expect![[r#"
            left: lib.ts:2:10 `wanted.includes(row)`: `wanted` is used for more than membership tests, in more.ts:4; build a Set of it before the loop, and pass that
        "#]],
    );
}

#[test]
fn ru3_indexed_lookup_follows_what_is_passed_on() {
    check(
        "//- package.json
{ \"name\": \"app\", \"private\": true }
//- lib/wanted.ts
export const isWanted = (row: string, wanted: Array<string>): boolean => wanted.indexOf(row) >= 0;
//- lib/index.ts
export { isWanted as isAsked } from './wanted';
//- main.ts
import { isAsked } from './lib';
export function run(rows: string[], text: string) {
  const wanted = text.split(',');
  return rows.filter((row) => isAsked(row, wanted));
}
//- all.ts
import * as lib from './lib';
export const one = (row: string, text: string) => lib.isAsked(row, text.split(','));
",
        &expect![[r#"
            chain: `wanted` becomes a Set, in 3 files
              lib/wanted.ts:1 `indexOf` → `Set.has`
              api lib/wanted.ts#isWanted: takes an array -> takes a Set
            //- all.ts
            import * as lib from './lib';
            export const one = (row: string, text: string) => lib.isAsked(row, new Set(text.split(',')));

            //- lib/wanted.ts
            export const isWanted = (row: string, wanted: Set<string>): boolean => wanted.has(row);

            //- main.ts
            import { isAsked } from './lib';
            export function run(rows: string[], text: string) {
              const wanted = new Set(text.split(','));
              return rows.filter((row) => isAsked(row, wanted));
            }

        "#]],
    );
}
