//! Each language construct as it is written, and the facts that come of it.

use expect_test::{Expect, expect};

use super::*;
use crate::languages::shown;

#[track_caller]
fn check(language: Language, text: &str, expected: &Expect) {
    expected.assert_eq(&shown(language, text));
}

#[test]
fn ix2_symbols_of_a_module() {
    check(
        Language::TypeScript,
        r#"/** Where things are kept. */
export const ROOT = '/tmp', limit = 3
// eslint-disable-next-line no-var
export var counter = 0
const { a, b: [c] = [] } = settings()
/**
 * Adds up.
 * @returns the sum
 */
export async function* sum<T extends number>(
  first: T,
  ...rest: T[]
): AsyncGenerator<T> {
  for (const one of rest) if (one > 0 && first) yield one
  function inner() { return first ?? 0 }
  const local = 1, helper = (x: T) => x ? 1 : 2
  switch (local) { case 1: break; default: }
  try { inner() } catch { }
  return helper(first) || 0
}
const double = (n: number): number => n * 2
let late: string
function overloaded(a: string): void
function overloaded(a: any) {}
export enum Color { Red, Green }
export type Pair<T> = [T, T]
export interface Shape extends Base<string>, ns.Other {
  /** In square metres. */
  area(unit: string): number
  scale: (by: number) => Shape
  name: string
}
if (ROOT) { const hidden = 1; var shown = function () {} }
for (const i of []) { }
namespace outer.inner { export const deep = 1; const own = 2 }
declare module 'virtual:x' { export function load(): void }
declare global { interface Window { app: Shape } }
"#,
        &expect![[r#"
                +constant ROOT 2..2 `ROOT = '/tmp'` doc "Where things are kept."
                +constant limit 2..2 `limit = 3`
                +variable counter 4..4 `export var counter = 0`
                -constant a 5..5 `a`
                -constant c 5..5 `c`
                +function sum 10..20 `export async function* sum<T extends number>( first: T, ...rest: T[] ): AsyncGenerator<T>` complexity 7 doc "Adds up.\n@returns the sum"
                -function inner in sum 15..15 `function inner()` complexity 2
                -function helper in sum 16..16 `helper = (x: T)` complexity 2
                -function double 21..21 `const double = (n: number): number`
                -variable late 22..22 `let late: string`
                -function overloaded 23..23 `function overloaded(a: string): void`
                -function overloaded 24..24 `function overloaded(a: any)`
                +enum Color 25..25 `export enum Color`
                +type Pair 26..26 `export type Pair<T> = [T, T]`
                +interface Shape 27..32 `export interface Shape extends Base<string>, ns.Other`
                +method area in Shape 29..29 `area(unit: string): number` doc "In square metres."
                +method scale in Shape 30..30 `scale: (by: number) => Shape`
                -function shown 33..33 `var shown = function ()`
                -module outer 35..35 `namespace outer`
                -module inner in outer 35..35 `inner`
                -constant deep in inner 35..35 `export const deep = 1`
                -constant own in inner 35..35 `const own = 2`
                +module virtual:x 36..36 `declare module 'virtual:x'`
                +function load in virtual:x 36..36 `export function load(): void`
                +module global 37..37 `declare global`
                +interface Window in global 37..37 `interface Window`
                export ROOT = ROOT
                export limit = limit
                export counter = counter
                export sum = sum
                export Color = Color
                export Pair = Pair
                export Shape = Shape
                Call settings from top
                Call inner from sum
                Call helper from sum
                Inherit Base from Shape
                Inherit ns . Other from Shape
            "#]],
    );
}

#[test]
fn ix2_classes_and_objects() {
    check(
        Language::TypeScript,
        r#"@Injectable({ scope: 1 })
export class Store<T> extends Base.Of<T> implements Reader, io.Closer {
  #secret = 1
  static readonly size = 3
  private cache = new Map<string, T>()
  onChange = (event: Event): void => { if (event) this.#emit() }
  handler = function () {}
  @Input() value: string
  constructor(private readonly db: Db) { super(); this.late = () => db }
  static create(): Store<any> { return new Store(null!) }
  get first() { return this.#emit() }
  set first(value) {}
  async *[Symbol.iterator]() {}
  #emit() { return super.emit?.() }
  private hide() {}
  abstract nothing(): void
  static { Store.create() }
}
export const api = {
  get(path: string) { return fetch(path) },
  post: async (path) => api.get(path),
  nested: { remove: function () {} },
  get size() { return 1 },
  plain: 1,
}
const Anonymous = class extends Store<number> { run() {} }
register({ start() {}, stop: () => {} })
"#,
        &expect![[r#"
                +class Store 2..18 `export class Store<T> extends Base.Of<T> implements Reader, io.Closer`
                +method onChange in Store 6..6 `onChange = (event: Event): void` complexity 2
                +method handler in Store 7..7 `handler = function ()`
                +method constructor in Store 9..9 `constructor(private readonly db: Db)`
                +method late in constructor 9..9 `this.late = ()`
                +method create in Store 10..10 `static create(): Store<any>`
                +method first in Store 11..11 `get first()`
                +method first in Store 12..12 `set first(value)`
                +method [Symbol.iterator] in Store 13..13 `async *[Symbol.iterator]()`
                -method #emit in Store 14..14 `#emit()`
                -method hide in Store 15..15 `private hide()`
                +method nothing in Store 16..16 `abstract nothing(): void`
                +constant api 19..25 `export const api`
                +method get in api 20..20 `get(path: string)`
                +method post in api 21..21 `post: async (path)`
                +method remove in api 22..22 `remove: function ()`
                +method size in api 23..23 `get size()`
                -class Anonymous 26..26 `const Anonymous = class extends Store<number>`
                -method run in Anonymous 26..26 `run()`
                -method start 27..27 `start()`
                -method stop 27..27 `stop: ()`
                export Store = Store
                export api = api
                Inherit Base . Of from Store
                Call Injectable from Store
                Inherit Reader from Store
                Inherit io . Closer from Store
                New Map from Store
                Call this . #emit from onChange
                Call Input from Store
                New Store from create
                Call this . #emit from first
                Call super . emit from #emit
                Call Store . create from Store
                Call fetch from get
                Call api . get from post
                Inherit Store from Anonymous
                Call register from top
            "#]],
    );
}

#[test]
fn ix2_a_function_in_an_object_is_a_method_wherever_the_object_stands() {
    const PLACES: &str = r#"{
  const block = { a() {}, b: function () {}, c: () => 1, below: { d() {}, e: async () => 2 } }
}
(function () { const called = { a() {}, b: function named() { go() }, 'c-d': () => 1 } })()
window.ns = { a() {}, b: function* () {}, [c]: () => 1 }
defineX({ a() {}, b: (function () {}), c: x => x ? go() : 1 }, [{ d() {}, e: () => 2 }])
function f() {
  const local = { a() {}, b: function () {}, c: () => 1 }
  return {
    a() {},
    /** Does it. */
    b: function () {}, c: () => ({ d() {}, e: () => 2 }) }
}
const held = wrap({ a() {}, b: function () {}, c: () => 1, plain: 1, called: go() })
"#;
    check(
        Language::JavaScript,
        PLACES,
        &expect![[r#"
                -method a 2..2 `a()`
                -method b 2..2 `b: function ()`
                -method c 2..2 `c: ()`
                -method d 2..2 `d()`
                -method e 2..2 `e: async ()`
                -method a 4..4 `a()`
                -method b 4..4 `b: function named()`
                -method c-d 4..4 `'c-d': ()`
                -method a 5..5 `a()`
                -method b 5..5 `b: function* ()`
                -method [c] 5..5 `[c]: ()`
                -method a 6..6 `a()`
                -method b 6..6 `b: (function ()`
                -method c 6..6 `c: x` complexity 2
                -method d 6..6 `d()`
                -method e 6..6 `e: ()`
                -function f 7..13 `function f()`
                -method a in f 8..8 `a()`
                -method b in f 8..8 `b: function ()`
                -method c in f 8..8 `c: ()`
                -method a in f 10..10 `a()`
                -method b in f 12..12 `b: function ()` doc "Does it."
                -method c in f 12..12 `c: ()`
                -method d in c 12..12 `d()`
                -method e in c 12..12 `e: ()`
                -constant held 14..14 `const held = wrap({ a() {}, b: function () {}, c: () => 1, plain: 1, called: go() })`
                -method a in held 14..14 `a()`
                -method b in held 14..14 `b: function ()`
                -method c in held 14..14 `c: ()`
                Call go from b
                Call defineX from top
                Call go from c
                Call wrap from held
                Call go from held
            "#]],
    );
    // As read without the parser.
    let broken = format!("{PLACES}function broken( {{\n");
    check(
        Language::JavaScript,
        &broken,
        &expect![[r#"
                +method a 2..2 `a()`
                +method b 2..2 `b: function ()`
                +method c 2..2 `c: () =>`
                +method d 2..2 `d()`
                +method e 2..2 `e: async () =>`
                +method a 4..4 `a()`
                +method b 4..4 `b: function named()`
                +method c-d 4..4 `'c-d': () =>`
                +method a 5..5 `a()`
                +method b 5..5 `b: function* ()`
                +method [c] 5..5 `[c]: () =>`
                +method a 6..6 `a()`
                +method b 6..6 `b: (function ()`
                +method c 6..6 `c: x =>` complexity 2
                +method d 6..6 `d()`
                +method e 6..6 `e: () =>`
                -function f 7..13 `function f()`
                -method a in f 8..8 `a()`
                -method b in f 8..8 `b: function ()`
                -method c in f 8..8 `c: () =>`
                -method a in f 10..10 `a()`
                -method b in f 12..12 `b: function ()` doc "Does it."
                -method c in f 12..12 `c: () =>`
                -method d in c 12..12 `d()`
                -method e in c 12..12 `e: () =>`
                -constant held 14..14 `const held = wrap({ a() {}, b: function () {}, c: () => 1, plain: 1, called: go() })`
                -method a in held 14..14 `a()`
                -method b in held 14..14 `b: function ()`
                -method c in held 14..14 `c: () =>`
                Call go from b
                Call defineX from top
                Call go from c
                Call wrap from held
                Call go from held
                syntax errors 1
            "#]],
    );
}

#[test]
fn ix2_assignments_to_members() {
    const MEMBERS: &str = r#"import type { Scope } from './scope'
class Owner {}
globalThis.Global = class extends Base { m() {} }
Owner.Inner = class Other { m() {} }
exports.Shared = class { m() {} };
(self as any).cast = () => 1;
(<Scope>self).asserted = function () {};
(Owner as any).fixed = () => 2
Owner['quoted'] = () => 3
Owner.prototype[`told`] = function () {}
window['on-load'] = () => 4
exports['odd-name'] = () => 5
Owner[computed] = () => 6
"#;
    check(
        Language::TypeScript,
        MEMBERS,
        &expect![[r#"
                -class Owner 2..2 `class Owner`
                -class Global 3..3 `globalThis.Global = class extends Base`
                -method m in Global 3..3 `m()`
                -class Inner in Owner 4..4 `Owner.Inner = class Other`
                -method m in Inner 4..4 `m()`
                +class Shared 5..5 `exports.Shared = class`
                +method m in Shared 5..5 `m()`
                -method cast 6..6 `(self as any).cast = ()`
                -method asserted 7..7 `(<Scope>self).asserted = function ()`
                -method fixed in Owner 8..8 `(Owner as any).fixed = ()`
                -method quoted in Owner 9..9 `Owner['quoted'] = ()`
                -method told in Owner 10..10 `Owner.prototype[`told`] = function ()`
                -method on-load 11..11 `window['on-load'] = ()`
                +function odd-name 12..12 `exports['odd-name'] = ()`
                import TypeOnly `./scope` [Scope] uses 1
                export Shared = Shared
                export odd-name = odd-name
                Inherit Base from Global
            "#]],
    );
    // As read without the parser.
    let broken = format!("{MEMBERS}function broken( {{\n");
    check(
        Language::TypeScript,
        &broken,
        &expect![[r#"
                -class Owner 2..2 `class Owner`
                -class Global 3..3 `globalThis.Global = class extends Base`
                -method m in Global 3..3 `m()`
                -class Inner 4..4 `Owner.Inner = class Other`
                -method m in Inner 4..4 `m()`
                +class Shared 5..5 `exports.Shared = class`
                +method m in Shared 5..5 `m()`
                -method cast 6..6 `(self as any).cast = () =>`
                -method asserted 7..7 `(<Scope>self).asserted = function ()`
                -method fixed 8..8 `(Owner as any).fixed = () =>`
                -method quoted 9..9 `Owner['quoted'] = () =>`
                -method told 10..10 `Owner.prototype[`told`] = function ()`
                -method on-load 11..11 `window['on-load'] = () =>`
                +function odd-name 12..12 `exports['odd-name'] = () =>`
                import TypeOnly `./scope` [Scope] uses 1
                export Shared = Shared
                export odd-name = odd-name
                Inherit Base from Global
                syntax errors 1
            "#]],
    );
    check(
        Language::JavaScript,
        "module.exports = { a() {}, b: function () {}, c: () => 1, below: { d() {}, e: () => 2 } }\nfunction broken( {\n",
        &expect![[r#"
                +method a 1..1 `a()`
                +method b 1..1 `b: function ()`
                +method c 1..1 `c: () =>`
                +method d 1..1 `d()`
                +method e 1..1 `e: () =>`
                export a = a
                export b = b
                export c = c
                export below = 
                syntax errors 1
            "#]],
    );
}

#[test]
fn ix2_commonjs() {
    check(
        Language::JavaScript,
        r#"#!/usr/bin/env node
'use strict'
/*!
 * Copyright
 */

var fs = require('fs'), { join, sep: separator } = require(`path`)
const merge = require('lodash').merge
var app = exports = module.exports = {};

/**
 * Starts it.
 */

app.start = function start(port) { return fs.readFile(port) };
app.on = app.addListener = function () {};
function Emitter() { this.emit = function () {} }
Emitter.prototype.once = function (name) { return join(name) }
Emitter.prototype = { off: function () {} }
exports.version = merge('1')
exports.Emitter = Emitter
exports.lazy = () => require('./lazy')
exports.__esModule = void 0
exports.other = require('./other')
if (require.main === module) { app.start(80) }
return
"#,
        &expect![[r#"
                +variable app 9..9 `var app = exports = module.exports = {}`
                +method start in app 15..15 `app.start = function start(port)` doc "Starts it."
                +method on in app 16..16 `app.on`
                +method addListener in app 16..16 `app.addListener = function ()`
                +function Emitter 17..17 `function Emitter()`
                +method emit in Emitter 17..17 `this.emit = function ()`
                +method once in Emitter 18..18 `Emitter.prototype.once = function (name)`
                +method off in Emitter 19..19 `off: function ()`
                +constant version 20..20 `exports.version = merge('1')`
                +function lazy 22..22 `exports.lazy = ()`
                import Require `fs` [* as fs] uses 1
                import Require `path` [join, sep as separator] uses 1
                import Require `lodash` [merge] uses 1
                import Require `./lazy` [] uses 0
                import Require `./other` [] uses 0
                export default = app
                export version = version
                export Emitter = Emitter
                export lazy = lazy
                export other = 
                Call fs . readFile from start
                Call join from once
                Call merge from version
                Call app . start from top
                mark main
            "#]],
    );
    check(
        Language::JavaScript,
        "const a = 1\nfunction b() {}\nmodule.exports = { a, renamed: b, c() {}, d: () => 1, 'e-f': 2, ...require('./more') }\n",
        &expect![[r#"
                +constant a 1..1 `const a = 1`
                +function b 2..2 `function b()`
                +function c 3..3 `c()`
                +function d 3..3 `d: ()`
                import Require `./more` [] uses 0
                export a = a
                export renamed = b
                export c = c
                export d = d
                export e-f = 
            "#]],
    );
    check(
        Language::JavaScript,
        "module.exports = class Router { use() {} }",
        &expect![[r#"
            +class Router 1..1 `module.exports = class Router`
            +method use in Router 1..1 `use()`
            export default = Router
        "#]],
    );
    check(
        Language::JavaScript,
        "module.exports = require('./lib/express')",
        &expect![[r#"
            import Require `./lib/express` [] uses 0
            export default = 
            mark only re-exports
        "#]],
    );
}

#[test]
fn ix3_imports_and_exports() {
    check(
        Language::TypeScript,
        r#"/// <reference path="./globals.d.ts" />
/// <reference types='node' />
import './side'
import fallback, { one, two as second, type Three } from './all'
import * as ns from "../ns"
import type { Only } from './types'
import { type A, type B as C } from './types2'
import legacy = require('legacy')
import Alias = ns.Inner
export * from './everything'
export * as grouped from './grouped'
export { one, x as default, 'odd name' as odd } from './some'
export type { Late } from './late'
export { second as renamed, fallback }
export import Direct = ns.Direct
const page = () => import('./page')
const { load, ...others } = await import(`./loader`)
let type: import('./shape').Shape<Only>
jest.mock('./mocked')
ns.use(proxyquire.noCallThru().load('./doubled', {}), rewire('fs'))
one(legacy, ns.one, import(variable), require(variable))
"#,
        &expect![[r#"
            -function page 16..16 `const page = ()`
            -variable type 18..18 `let type: import('./shape').Shape<Only>`
            import Include `./globals.d.ts` [] uses 0
            import TypeOnly `node` [] uses 0
            import Static `./side` [] uses 0
            import Static `./all` [default as fallback, one, two as second, Three] uses 3
            import Static `../ns` [* as ns] uses 4
            import TypeOnly `./types` [Only] uses 1
            import TypeOnly `./types2` [A, B as C] uses 0
            import Require `legacy` [* as legacy] uses 1
            import ReExport `./everything` [* as ] uses 0
            import ReExport `./grouped` [* as grouped] uses 0
            import ReExport `./some` [one, x as default, odd name as odd] uses 0
            import ReExport `./late` [Late] uses 0
            import Dynamic `./page` [] uses 0
            import Dynamic `./loader` [load, * as others] uses 0
            import TypeOnly `./shape` [Shape as ] uses 0
            import Dynamic `./mocked` [] uses 0
            import Dynamic `./doubled` [] uses 0
            export grouped = grouped
            export one = one
            export default = default
            export odd = odd
            export Late = Late
            export renamed = second
            export fallback = fallback
            export Direct = Direct
            Call ns . use from top
            Call ? . load from top
            Call proxyquire . noCallThru from top
            Call rewire from top
            Call one from top
            Call require from top
        "#]],
    );
    check(
        Language::TypeScript,
        "import a from 'a'\nfunction f() {}\nexport = f\n",
        &expect![[r#"
            +function f 2..2 `function f()`
            import Static `a` [default as a] uses 0
            export default = f
        "#]],
    );
    check(
        Language::TypeScript,
        "export default 1 + 1\n",
        &expect![[r#"
            export default = 
        "#]],
    );
    check(
        Language::JavaScript,
        "export default { name: 'x', data() { return {} } }\n",
        &expect![[r#"
            +constant default 1..1 `export default`
            +method data in default 1..1 `data()`
            export default = default
        "#]],
    );
}

#[test]
fn ix4_references_count_once_for_each_way() {
    check(
        Language::TypeScript,
        r#"function f(this: X) {
  g(); g(); a.b.c(); a?.b!.c(); this.go(); f()(); f().h(); new ns.Thing(); new Thing
  a
    .b
    .d()
  tag`x${g()}`
  ;(function named() { g() })()
  list[0](); import.meta.hot.accept()
}
"#,
        &expect![[r#"
                -function f 1..9 `function f(this: X)`
                -function named in f 7..7 `function named()`
                Call g from f x3
                Call a.b . c from f x2
                Call this . go from f
                Call f from f x2
                Call ? . h from f
                New ns . Thing from f
                New Thing from f
                Call a.b . d from f
                Call tag from f
                Call g from named
                Call ? . accept from f
            "#]],
    );
}

#[test]
fn ix5_components() {
    check(
        Language::Tsx,
        r#"'use client'
import React, { memo, useState } from 'react'
export function Page({ id }: Props) {
  const [state, set] = useState(0)
  const value = React.useMemo(() => useless(state), [])
  useEffect(() => { app.useStatic() })
  return <React.Suspense fallback={<Spinner.Small />}><div>{id ? <Item /> : null}</div></React.Suspense>
}
const Item = memo(function Item() { return <li>don't</li> }, same)
export const Field = React.forwardRef<HTMLElement, Props>((props, ref) => { useId(); return <input ref={ref} /> })
const Both = memo(forwardRef(() => <></>))
const Loaded = lazy(() => import('./loaded'))
const Again = memo(Page)
class Old extends React.Component<Props> { render() { return <Suspense><b /></Suspense> } }
function useOnline() { return useSyncExternalStore(subscribe) }
const Upper = () => 1
const lower = () => <p />
function Plain() { return React.createElement('p') }
export default () => <Page id={1} />
"#,
        &expect![[r#"
                +component Page 3..8 `export function Page({ id }: Props)` complexity 2 hooks useEffect useMemo useState suspense
                -component Item 9..9 `const Item = memo(function Item()`
                +component Field 10..10 `export const Field = React.forwardRef<HTMLElement, Props>((props, ref)` hooks useId
                -component Both 11..11 `const Both = memo(forwardRef(()`
                -component Loaded 12..12 `const Loaded = lazy(() => import('./loaded'))`
                -component Again 13..13 `const Again = memo(Page)`
                -component Old 14..14 `class Old extends React.Component<Props>` suspense
                -method render in Old 14..14 `render()` suspense
                -function useOnline 15..15 `function useOnline()` hooks useSyncExternalStore
                -function Upper 16..16 `const Upper = ()`
                -function lower 17..17 `const lower = ()`
                -component Plain 18..18 `function Plain()`
                +component default 19..19 `export default ()`
                import Static `react` [default as React, memo, useState] uses 9
                import Dynamic `./loaded` [] uses 0
                export Page = Page
                export Field = Field
                export default = default
                Call useState from Page
                Call React . useMemo from Page
                Call useless from Page
                Call useEffect from Page
                Call app . useStatic from Page
                Element React . Suspense from Page
                Element Spinner . Small from Page
                Element Item from Page
                Call memo from top x3
                Call React . forwardRef from top
                Call useId from Field
                Call forwardRef from top
                Call lazy from top
                Inherit React . Component from Old
                Element Suspense from render
                Call useSyncExternalStore from useOnline
                Call React . createElement from Plain
                Element Page from default
                mark use client
                mark jsx
            "#]],
    );
}

#[test]
fn ix5_marks_of_a_file() {
    check(
        Language::Tsx,
        "'use server'\nexport async function save() { 'use client' }\n",
        &expect![[r#"
            +function save 2..2 `export async function save()`
            export save = save
            mark use server
        "#]],
    );
    check(
        Language::TypeScript,
        "describe.each([1])('x', () => { it('y', () => {}) })\n",
        &expect![[r#"
            Call describe . each from top
            Call it from top
            mark tests
        "#]],
    );
    check(
        Language::TypeScript,
        "import { test } from 'node:test'\n",
        &expect![[r#"
            import Static `node:test` [test] uses 0
            mark tests
        "#]],
    );
    check(
        Language::TypeScript,
        "if (import.meta.main) run()\n",
        &expect![[r#"
            Call run from top
            mark main
        "#]],
    );
    check(
        Language::TypeScript,
        "test(1)\n",
        &expect![[r#"
            Call test from top
        "#]],
    );
    check(
        Language::TypeScript,
        "'use client'\nimport a, { b } from './a'\nexport * from './b'\nexport { a, b as c }\nexport default b\n",
        &expect![[r#"
                import Static `./a` [default as a, b] uses 3
                import ReExport `./b` [* as ] uses 0
                export a = a
                export c = b
                export default = b
                mark use client
                mark only re-exports
            "#]],
    );
    check(
        Language::TypeScript,
        "export * from './b'\nexport const own = 1\n",
        &expect![[r#"
            +constant own 2..2 `export const own = 1`
            import ReExport `./b` [* as ] uses 0
            export own = own
        "#]],
    );
    check(
        Language::TypeScript,
        "import './a'\n",
        &expect![[r#"
            import Static `./a` [] uses 0
        "#]],
    );
}

#[test]
fn ix2_declaration_files() {
    check(
        Language::TypeScript,
        "export declare const version: string;\nexport function f(a: number): void;\nexport default class A { m(): void; readonly x: 1 }\nexport const bare: number;\nexport as namespace Lib;\ndeclare var globalish: any;\n",
        &expect![[r#"
                +constant version 1..1 `export declare const version: string`
                +function f 2..2 `export function f(a: number): void`
                +class A 3..3 `export default class A`
                +method m in A 3..3 `m(): void`
                +constant bare 4..4 `export const bare: number`
                -variable globalish 6..6 `declare var globalish: any`
                export version = version
                export f = f
                export default = A
                export bare = bare
            "#]],
    );
}

#[test]
fn ix2_flow_is_read_as_far_as_it_goes() {
    check(
        Language::JavaScript,
        "/** @flow strict */\nimport type {Node} from './types';\nimport {useState} from 'react';\nexport opaque type Id = string;\ntype Props = {| +a: ?string, ... |};\n/** Shows it. */\nexport function Show(props: Props): Node {\n  const [a] = useState<?string>((null: any));\n  return <Box.Row>{a && props.a}</Box.Row>;\n}\nexport const go = (x: number): void => Show(x);\nexport default class Thing extends Base { +field: string = ''; run(): void { this.go(); } }\nexports.named = function () {};\n",
        &expect![[r#"
                +type Id 4..4 `type Id = string`
                -type Props 5..5 `type Props = {| +a: ?string, ... |}`
                +component Show 7..10 `export function Show(props: Props): Node` complexity 2 hooks useState doc "Shows it."
                +function go 11..11 `export const go = (x: number): void =>`
                +class Thing 12..12 `export default class Thing extends Base`
                +method run in Thing 12..12 `run(): void`
                +function named 13..13 `exports.named = function ()`
                import TypeOnly `./types` [Node] uses 1
                import Static `react` [useState] uses 1
                export Id = Id
                export Show = Show
                export go = go
                export default = Thing
                export named = named
                Call useState from Show
                Element Box . Row from Show
                Call Show from go
                Inherit Base from Thing
                Call this . go from run
                mark jsx
                syntax errors 4
            "#]],
    );
}

#[test]
fn ix2_a_signature_holds_no_comment() {
    check(
        Language::TypeScript,
        "export function f(\n  a: A, // the first: {\n  b = '//', /* the\n second */ c?: C,\n): D /* or none */ {\n}\nclass E { // of F\n  g( // nothing\n  ) {}\n}\nconst h = 1 // not h\n",
        &expect![[r#"
                +function f 1..6 `export function f( a: A, b = '//', c?: C, ): D`
                -class E 7..10 `class E`
                -method g in E 8..9 `g( )`
                -constant h 11..11 `const h = 1`
                export f = f
            "#]],
    );
    // As read without the parser.
    check(
        Language::TypeScript,
        "function f(\n  a: A, // the first: {\n  b = '//',\n): D /* or none */ {\n}\nfunction broken( {\n",
        &expect![[r#"
                -function f 1..5 `function f( a: A, b = '//', ): D`
                syntax errors 1
            "#]],
    );
}

#[test]
fn ix2_broken_code_says_what_it_exports() {
    check(
        Language::JavaScript,
        "export function f(a) {}\nexport default class A { m() {} }\nexport const b = 1\nexport const c = () => 1, d = () => 2\nconst e = 2\nlet g = function () {}\n@dec export class H {}\nfunction broken( {\n",
        &expect![[r#"
                +function f 1..1 `export function f(a)`
                +class A 2..2 `export default class A`
                +method m in A 2..2 `m()`
                +constant b 3..3 `export const b = 1`
                +function c 4..4 `c = () =>`
                -function d 4..4 `d = () =>`
                -constant e 5..5 `const e = 2`
                -function g 6..6 `let g = function ()`
                +class H 7..7 `export class H`
                export f = f
                export default = A
                export b = b
                export c = c
                export H = H
                syntax errors 1
            "#]],
    );
}

#[test]
fn ix2_broken_code_gives_what_it_can() {
    check(
        Language::TypeScript,
        "import { a } from './a'\nexport class Good extends Base implements I { m(x: A) { return a(x) } }\nfunction broken( {\nconst f = () => new a.B()\nexport { f as g }\ninterface J extends I { k(): void }\n",
        &expect![[r#"
                +class Good 2..2 `export class Good extends Base implements I`
                +method m in Good 2..2 `m(x: A)`
                import Static `./a` [a] uses 2
                export Good = Good
                Inherit Base from Good
                Inherit I from Good
                Call a from m
                New a . B from top
                syntax errors 4
            "#]],
    );
    check(
        Language::JavaScript,
        "const a = await load()\nreturn a\n",
        &expect![[r#"
            -constant a 1..1 `const a = await load()`
            Call load from a
        "#]],
    );
    check(
        Language::TypeScript,
        "export const a = <p>{b}</p>\n",
        &expect![[r#"
            +constant a 1..1 `export const a`
            export a = a
            mark jsx
        "#]],
    );
}
