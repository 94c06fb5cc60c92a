//! Within one file, and what is only spoken of.

use expect_test::expect;

use super::super::RECIPE;
use super::check;
use crate::testing::Project;

#[test]
fn ru3_rename_shadowing() {
    check(
        r#"
//- a.js
export const load = (load) => load;
function f({ load }) { return load; }
{ let load = 1; load; }
for (const load of []) load;
try {} catch (load) { load; }
label: load: for (;;) break load;
const o = { load: 1, load() { return load; }, get load() { return this.load; } };
o.load;
class A { load = load; static load() { return load; } }
load`x`; new load(); load?.(); typeof load; delete load.load; [load] = [load]; ({ load } = o); ({ load = 1 } = o);
function load2() { return load; }
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              a.js:1 `load` → `read`
              api a.js#load: load -> read
            //- a.js
            export const read = (load) => load;
            function f({ load }) { return load; }
            { let load = 1; load; }
            for (const load of []) load;
            try {} catch (load) { load; }
            label: load: for (;;) break load;
            const o = { load: 1, load() { return read; }, get load() { return this.load; } };
            o.load;
            class A { load = read; static load() { return read; } }
            read`x`; new read(); read?.(); typeof read; delete read.load; [read] = [read]; ({ load: read } = o); ({ load: read = 1 } = o);
            function load2() { return read; }

        "#]],
    );
}

#[test]
fn ru3_rename_locals() {
    check(
        r#"
//- a.js
export function f() {
  const { load, b: { load: c } } = x();
  return { load, c };
}
const load = 1;
"#,
        "a.js:2#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              a.js:2 `load` → `read`
            //- a.js
            export function f() {
              const { load: read, b: { load: c } } = x();
              return { load: read, c };
            }
            const load = 1;

        "#]],
    );
}

#[test]
fn ru3_rename_components() {
    check(
        r#"
//- card.jsx
export function Card() { return <div className="Card">Card</div>; }
Card.Head = () => null;
//- page.jsx
import { Card } from './card';
import * as ui from './card';
export const Page = () => <><Card><Card.Head /></Card><ui.Card></ui.Card></>;
"#,
        "card.jsx#Card",
        "Tile",
        &expect![[r#"
            chain: `Card` renamed to `Tile` in 2 files
              card.jsx:1 `Card` → `Tile`
              api card.jsx#Card: Card -> Tile
              note: 1 place mentions `Card` in strings, comments or documents
            mention: card.jsx:1 export function Card() { return <div className="Card">Card</div>; }
            //- card.jsx
            export function Tile() { return <div className="Card">Card</div>; }
            Tile.Head = () => null;

            //- page.jsx
            import { Tile } from './card';
            import * as ui from './card';
            export const Page = () => <><Tile><Tile.Head /></Tile><ui.Tile></ui.Tile></>;

        "#]],
    );
}

#[test]
fn ru3_rename_types() {
    check(
        r#"
//- t.ts
export interface User { name: string }
export interface User { age: number }
export namespace User { export type Id = string }
export type Users = User[];
export function isUser(u: unknown): u is User { return (u as User).name !== ''; }
class Admin implements User { name = ''; age = 1; id: User.Id = '' }
//- u.ts
import type { User, Users } from './t';
import type * as t from './t';
/** The {@link User} of {User}. */
export const u = <T extends User>(it: T): it is T & User => { const x: t.User | null = null; return x satisfies User; };
export type { User };
//- v.ts
export function f(User: string) { return User; }
"#,
        "t.ts#User",
        "Person",
        &expect![[r#"
            chain: `User` renamed to `Person` in 2 files
              t.ts:1 `User` → `Person`
              api t.ts#User: User -> Person
              api u.ts#User: User -> Person
              note: 1 place mentions `User` in strings, comments or documents
            mention: u.ts:3 /** The {@link User} of {User}. */
            //- t.ts
            export interface Person { name: string }
            export interface Person { age: number }
            export namespace Person { export type Id = string }
            export type Users = Person[];
            export function isUser(u: unknown): u is Person { return (u as Person).name !== ''; }
            class Admin implements Person { name = ''; age = 1; id: Person.Id = '' }

            //- u.ts
            import type { Person, Users } from './t';
            import type * as t from './t';
            /** The {@link User} of {User}. */
            export const u = <T extends Person>(it: T): it is T & Person => { const x: t.Person | null = null; return x satisfies Person; };
            export type { Person };

        "#]],
    );
}

#[test]
fn ru3_rename_mentions_are_listed() {
    check(
        r#"
//- a.js
/** load: calls load() */
export function load() { throw new Error(`load failed`); }
const names = ['load', "reload"];
//- README.md
Call `load` first.
reload, loader
And load().
//- page.html
<script>load()</script>
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              a.js:2 `load` → `read`
              api a.js#load: load -> read
              note: 6 places mention `load` in strings, comments or documents
            mention: README.md:1 Call `load` first.
            mention: README.md:3 And load().
            mention: a.js:1 /** load: calls load() */
            mention: a.js:2 export function load() { throw new Error(`load failed`); }
            mention: a.js:3 const names = ['load', "reload"];
            mention: page.html:1 <script>load()</script>
            //- a.js
            /** load: calls load() */
            export function read() { throw new Error(`load failed`); }
            const names = ['load', "reload"];

        "#]],
    );
}

#[test]
fn ru3_rename_windows_lines() {
    let fixture = "\n//- a.js\nexport const load = 1;\r\nconst b = { load };\r\n";
    let project = Project::new(fixture).argument("symbol", "a.js#load").argument("to", "read");
    let outcome = project.run_once(&RECIPE).expect("a plan");
    assert_eq!(
        &*outcome.changed["a.js"],
        "export const read = 1;\r\nconst b = { load: read };\r\n"
    );
}
