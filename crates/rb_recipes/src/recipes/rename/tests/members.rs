//! Members of enums, objects, classes and interfaces.

use expect_test::expect;

use super::check;

#[test]
fn ru3_rename_members_of_enums() {
    check(
        r#"
//- e.ts
export enum Color { Red = 'red', Dark = Red, 'Blue' = 'blue' }
export const first = Color.Red;
export type R = Color.Red;
//- f.ts
import { Color } from './e';
import * as e from './e';
switch (first) { case Color.Red: case e.Color.Red: case Color['Red']: }
const { Red } = Color;
console.log(Red, Object.values(Red));
export function of(color: Color): color is Color.Red { return color === Color.Red; }
"#,
        "e.ts#Color.Red",
        "Crimson",
        &expect![[r#"
            chain: `Red` renamed to `Crimson` in 2 files
              e.ts:1 `Red` → `Crimson`
              api e.ts#Color.Red: Color.Red -> Color.Crimson
            //- e.ts
            export enum Color { Crimson = 'red', Dark = Crimson, 'Blue' = 'blue' }
            export const first = Color.Crimson;
            export type R = Color.Crimson;

            //- f.ts
            import { Color } from './e';
            import * as e from './e';
            switch (first) { case Color.Crimson: case e.Color.Crimson: case Color['Crimson']: }
            const { Crimson } = Color;
            console.log(Crimson, Object.values(Crimson));
            export function of(color: Color): color is Color.Crimson { return color === Color.Crimson; }

        "#]],
    );
}

#[test]
fn ru3_rename_enums_that_are_handed_on() {
    check(
        r#"
//- e.ts
export enum Color { Red, Blue }
//- f.ts
import { Color } from './e';
console.log(Object.keys(Color), Color[0]);
"#,
        "e.ts#Color.Red",
        "Crimson",
        &expect![[r#"
            left: f.ts:2:25 `console.log(Object.keys(Color), Color[0]);`: the enum that contains `Red` is used here, and it is passed on as one value; access the members by name first
        "#]],
    );
}

#[test]
fn ru3_rename_members_of_objects() {
    check(
        r#"
//- api.ts
export const api = {
  load() { return this.other(); },
  other() { return [1].map(() => this.load()); },
  load2: 1,
} as const;
//- b.ts
import { api } from './api';
const { load } = api;
load(); api.load(); api?.load();
jest.spyOn(api, 'load');
"#,
        "api.ts#api.load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              api.ts:1 `load` → `read`
              api api.ts#api.load: api.load -> api.read
            //- api.ts
            export const api = {
              read() { return this.other(); },
              other() { return [1].map(() => this.read()); },
              load2: 1,
            } as const;

            //- b.ts
            import { api } from './api';
            const { read } = api;
            read(); api.read(); api?.read();
            jest.spyOn(api, 'read');

        "#]],
    );
}

#[test]
fn ru3_rename_methods_of_classes() {
    check(
        r#"
//- a.ts
export class Store {
  load(): this { return this; }
  get twice() { return [1].map(() => this.load()); }
  run = () => this.load();
}
export class Sub extends Store {
  override load() { return super.load(); }
  static make() { return this.load(); }
}
//- b.ts
import { Store, Sub } from './a';
import fs from 'fs';
const store = new Store();
store.load();
const { load } = store;
function f(it: Sub | null, list: string[]) { it?.load(); fs.load(); JSON.load(); return load; }
class Other { load() { return this.load(); } }
new Other().load();
vi.spyOn(Store.prototype, 'load');
const half = { load: 1 } as unknown as Store;
class Holder { readonly store = new Store(); other: Sub; f() { this.store.load(); this.other.load(); } }
"#,
        "a.ts#Store.load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 2 files
              a.ts:1 `load` → `read`
              api a.ts#Store.load: Store.load -> Store.read
            //- a.ts
            export class Store {
              read(): this { return this; }
              get twice() { return [1].map(() => this.read()); }
              run = () => this.read();
            }
            export class Sub extends Store {
              override read() { return super.read(); }
              static make() { return this.load(); }
            }

            //- b.ts
            import { Store, Sub } from './a';
            import fs from 'fs';
            const store = new Store();
            store.read();
            const { read: load } = store;
            function f(it: Sub | null, list: string[]) { it?.read(); fs.load(); JSON.load(); return load; }
            class Other { load() { return this.load(); } }
            new Other().load();
            vi.spyOn(Store.prototype, 'read');
            const half = { read: 1 } as unknown as Store;
            class Holder { readonly store = new Store(); other: Sub; f() { this.store.read(); this.other.read(); } }

        "#]],
    );
}

#[test]
fn ru3_rename_methods_of_unknown_values() {
    check(
        r#"
//- a.js
export class Store { load() {} }
//- b.js
export function f(it) { it.load(); const { load } = it; }
window.store.load();
"#,
        "a.js#Store.load",
        "read",
        &expect![[r#"
            left: b.js:1:28 `export function f(it) { it.load(); const { load } = it; }`: it is unclear whether this `load` is that of `Store`; declare the type of the value, or rename by hand
            left: b.js:1:44 `export function f(it) { it.load(); const { load } = it; }`: it is unclear whether this `load` is that of `Store`; declare the type of the value, or rename by hand
            left: b.js:2:14 `window.store.load();`: it is unclear whether this `load` is that of `Store`; declare the type of the value, or rename by hand
        "#]],
    );
}

#[test]
fn ru3_rename_methods_that_are_not_its_own() {
    check(
        r#"
//- a.ts
import { Component } from 'react';
export class Base { load() {} }
export class Store extends Base { load() {} }
export class View extends Component { private render2() { this.render2(); } render() {} }
"#,
        "a.ts#Store.load",
        "read",
        &expect![[r#"
            left: a.ts:2:14 `export class Base { load() {} }`: `load` is first declared here; rename it here
        "#]],
    );
}

#[test]
fn ru3_rename_private_methods() {
    check(
        r#"
//- a.ts
import { Component } from 'react';
export class View extends Component { private paint() {} render() { this.paint(); } }
//- b.js
it.paint();
"#,
        "a.ts#View.paint",
        "draw",
        &expect![[r#"
            chain: `paint` renamed to `draw` in 1 file
              a.ts:2 `paint` → `draw`
            //- a.ts
            import { Component } from 'react';
            export class View extends Component { private draw() {} render() { this.draw(); } }

        "#]],
    );
}

#[test]
fn ru3_rename_hash_names() {
    check(
        r#"
//- a.js
class A {
  #load = 1;
  has(it) { return #load in it && it.#load; }
  inner() { return class { #load = 2; f() { return this.#load; } }; }
}
class B { #load; }
"#,
        "a.js#A.#load",
        "read",
        &expect![[r#"
            chain: `load` renamed to `read` in 1 file
              a.js:1 `load` → `read`
            //- a.js
            class A {
              #read = 1;
              has(it) { return #read in it && it.#read; }
              inner() { return class { #load = 2; f() { return this.#load; } }; }
            }
            class B { #load; }

        "#]],
    );
}

#[test]
fn ru3_rename_members_of_interfaces() {
    check(
        r#"
//- a.ts
export interface User { name: string; age: number }
export interface Admin extends User { level: 1 }
export class Person implements User { name = ''; age = 1; f() { return this.name; } }
export const one: User = { name: 'x', age: 1 };
export function f(user: Admin, { name }: User, key: User['name']) { return user.name + name; }
const name = 1;
"#,
        "a.ts#User.name",
        "title",
        &expect![[r#"
            chain: `name` renamed to `title` in 1 file
              a.ts:1 `name` → `title`
              api a.ts#User.name: User.name -> User.title
            //- a.ts
            export interface User { title: string; age: number }
            export interface Admin extends User { level: 1 }
            export class Person implements User { title = ''; age = 1; f() { return this.title; } }
            export const one: User = { title: 'x', age: 1 };
            export function f(user: Admin, { title: name }: User, key: User['title']) { return user.title + name; }
            const name = 1;

        "#]],
    );
}

#[test]
fn ru3_rename_members_of_interfaces_unseen() {
    check(
        r#"
//- a.ts
export interface User { name: string }
export function f(user: User) { return user.name; }
//- b.ts
import { f } from './a';
f({ name: 'x' });
"#,
        "a.ts#User.name",
        "title",
        &expect![[r#"
            left: b.ts:2:5 `f({ name: 'x' });`: it is unclear whether this `name` is that of `User`; declare the type of the value, or rename by hand
        "#]],
    );
}

#[test]
fn ru3_rename_values_of_the_same_shape() {
    check(
        r#"
//- a.ts
export class Store { load() {} }
interface Loads { load(): void }
export function go(it: Loads) { it.load(); }
go(new Store());
"#,
        "a.ts#Store.load",
        "read",
        &expect![[r#"
            left: a.ts:3:36 `export function go(it: Loads) { it.load(); }`: it is unclear whether this `load` is that of `Store`; declare the type of the value, or rename by hand
        "#]],
    );
}

#[test]
fn ru3_rename_decorated_members() {
    check(
        r#"
//- a.ts
export class Store { @column() load = 1; }
"#,
        "a.ts#Store.load",
        "read",
        &expect![[r#"
            left: a.ts:1:22 `export class Store { @column() load = 1; }`: a decorator may read the name of `load`; rename it by hand
        "#]],
    );
}

#[test]
fn ru3_rename_a_member_that_is_not_there() {
    check(
        r#"
//- a.ts
export class Store { load = 1; }
"#,
        "a.ts#Store.save",
        "read",
        &expect![[r#"
            error: there is no member `save` of `Store` in a.ts
        "#]],
    );
}

#[test]
fn ru3_rename_namespaces_in_cycles() {
    check(
        r#"
//- a.js
import * as self from './a.js';
export function load() { return self.load; }
export { self };
"#,
        "a.js#load",
        "read",
        &expect![[r#"
            left: a.js:3:10 `export { self };`: the module that contains `load` is used here, and its module is passed on as one value; access the members by name first
        "#]],
    );
}

#[test]
fn ru3_rename_members_of_namespaces() {
    check(
        r#"
//- a.ts
export namespace N { export const load = 1; }
console.log(N.load);
"#,
        "a.ts:1#load",
        "read",
        &expect![[r#"
            left: a.ts:1:35 `export namespace N { export const load = 1; }`: `load` is a member of a namespace, whose uses are not traced from here; qualify it with its owner, or rename it by hand
        "#]],
    );
}
