//! Calls that do not fit what they call.

use expect_test::expect;

use crate::support::{check, silent};

const CALLS: &str = "
//- src/mail.ts
export function send(to: string, body: string) { return to + body; }
export function load(id: string) { return { id }; }
export function render(options: { title: string; wide?: boolean }) { return options; }
export class Box { constructor(private size: number) {} grow(by: number) { return this.grow(by); } }
//- src/use.ts
import { send, load, render, Box } from './mail';
import * as mail from './mail';
export const a = send('a', 'b');
export const b = mail.send('a', 'b');
export function c() { return load('1').id; }
export const d = render({ title: 'a', wide: true });
export const e = new Box(1);
";

#[test]
fn ve6_a_parameter_is_added() {
    check(
        CALLS,
        "
//- src/mail.ts
export function send(to: string, body: string, from: string) { return to + body + from; }
export function load(id: string) { return { id }; }
export function render(options: { title: string; wide?: boolean }) { return options; }
export class Box { constructor(private size: number, private name: string) {} grow(by: number, how: string) { return this.grow(by); } }
",
        &expect![[r#"
            Error signature_mismatch src/mail.ts:4 `grow` takes at least 2 arguments, but is called with 1 <- src/mail.ts:4
            Error signature_mismatch src/use.ts:3 `send` takes at least 3 arguments, but is called with 2 <- src/mail.ts:1
            Error signature_mismatch src/use.ts:4 `send` takes at least 3 arguments, but is called with 2 <- src/mail.ts:1
            Error signature_mismatch src/use.ts:7 `Box` takes at least 2 arguments, but is called with 1 <- src/mail.ts:4
        "#]],
    );
    silent(
        CALLS,
        "
//- src/mail.ts
export function send(to: string, body: string, from = 'me', ...more: string[]) { return to + body + from; }
export function load(id: string, deep?: boolean) { return { id }; }
export function render(options: { title: string; wide?: boolean }) { return options; }
export class Box { constructor(private size: number, name?: string) {} grow(by: number) { return this.grow(by); } }
",
    );
}

#[test]
fn ve6_a_parameter_is_removed() {
    check(
        CALLS,
        "
//- src/mail.ts
export function send(to: string) { return to; }
export function load() { return { id: 1 }; }
export function render(options: { title: string }) { return options; }
export class Box { grow(by: number) { return this.grow(by); } }
",
        &expect![[r#"
            Error signature_mismatch src/use.ts:3 `send` takes at most 1 argument, but is called with 2 <- src/mail.ts:1
            Error signature_mismatch src/use.ts:4 `send` takes at most 1 argument, but is called with 2 <- src/mail.ts:1
            Error signature_mismatch src/use.ts:5 `load` takes at most 0 arguments, but is called with 1 <- src/mail.ts:2
            Error signature_mismatch src/use.ts:6 the object parameter of `render` has no `wide` <- src/mail.ts:3
        "#]],
    );
}

#[test]
fn ve6_a_key_is_made_required() {
    check(
        CALLS,
        "
//- src/mail.ts
export function send(to: string, body: string) { return to + body; }
export function load(id: string) { return { id }; }
export function render(options: { title: string; wide?: boolean; tone: string }) { return options; }
export class Box { constructor(private size: number) {} grow(by: number) { return this.grow(by); } }
",
        &expect![[r#"
            Error signature_mismatch src/use.ts:6 `render` needs an object with `tone`, which is missing <- src/mail.ts:3
        "#]],
    );
}

#[test]
fn ve6_a_function_becomes_asynchronous() {
    check(
        CALLS,
        "
//- src/mail.ts
export function send(to: string, body: string) { return to + body; }
export async function load(id: string) { return { id }; }
export function render(options: { title: string; wide?: boolean }) { return options; }
export class Box { constructor(private size: number) {} grow(by: number) { return this.grow(by); } }
",
        &expect![[r#"
            Error signature_mismatch src/use.ts:5 `load` became async, and its result is used without `await` <- src/mail.ts:2
        "#]],
    );
    silent(
        CALLS,
        "
//- src/mail.ts
export function send(to: string, body: string) { return to + body; }
export async function load(id: string) { return { id }; }
export function render(options: { title: string; wide?: boolean }) { return options; }
export class Box { constructor(private size: number) {} grow(by: number) { return this.grow(by); } }
//- src/use.ts
import { send, load, render, Box } from './mail';
import * as mail from './mail';
export const a = send('a', 'b');
export const b = mail.send('a', 'b');
export async function c() { return (await load('1')).id; }
export const d = render({ title: 'a', wide: true });
export const e = new Box(1);
",
    );
}

#[test]
fn ve6_a_function_ceases_to_be_asynchronous() {
    check(
        "
//- a.ts
export async function get(): Promise<number> { return 1; }
//- b.ts
import { get } from './a';
get().then((n) => console.log(n));
",
        "
//- a.ts
export function get(): number { return 1; }
",
        &expect![[r#"
            Error signature_mismatch b.ts:2 `get` is no longer async, and its result is no longer a promise <- a.ts:1
        "#]],
    );
}

const PROPS: &str = "
//- src/Card.tsx
interface Props { title: string; tone?: string }
export function Card({ title, tone }: Props) { return <p className={tone}>{title}</p>; }
//- src/Page.tsx
import { Card } from './Card';
export const Page = () => <Card title=\"a\" tone=\"b\" key=\"1\"><i /></Card>;
export const Other = (props) => <Card {...props} />;
";

#[test]
fn ve6_props() {
    check(
        PROPS,
        "
//- src/Card.tsx
interface Props { title: string }
export function Card({ title }: Props) { return <p>{title}</p>; }
",
        &expect![[r#"
            Error signature_mismatch src/Page.tsx:2 `Card` does not accept `tone` <- src/Card.tsx:2
        "#]],
    );
    check(
        PROPS,
        "
//- src/Card.tsx
interface Props { title: string; tone?: string; size: number }
export function Card({ title, tone, size }: Props) { return <p className={tone}>{title}{size}</p>; }
",
        &expect![[r#"
            Error signature_mismatch src/Page.tsx:2 `Card` needs `size`, which is not passed <- src/Card.tsx:2
        "#]],
    );
    silent(
        PROPS,
        "
//- src/Card.tsx
import type { HTMLProps } from 'react';
interface Props extends HTMLProps<HTMLElement> { title: string }
export function Card({ title, ...rest }: Props) { return <p {...rest}>{title}</p>; }
",
    );
}

#[test]
fn ve6_plain_javascript_takes_what_it_is_given() {
    let before = "
//- a.js
export function f(a, b) { return a + b; }
export function g() { return arguments.length; }
export function h({ x, y }) { return x + y; }
//- b.js
import { f, g, h } from './a';
f(1, 2);
g(1, 2, 3);
h({ x: 1, y: 2 });
f.call(null, 1);
f.apply(null, [1]);
[1].map(f);
f(...[1, 2]);
";
    check(
        before,
        "
//- a.js
export function f(a, b, c) { return a + b + c; }
export function g() { return arguments.length; }
export function h({ x }) { return x; }
",
        &expect![[r#"
            Warning signature_mismatch b.js:2 `f` takes at least 3 arguments, but is called with 2 <- a.js:1
            Warning signature_mismatch b.js:4 the object parameter of `h` has no `y` <- a.js:3
        "#]],
    );
    silent(
        before,
        "
//- a.js
export function f(a, b, c = 1) { return a + b + c; }
export function g(a) { return arguments.length; }
export function h({ x, y, z }) { return x + y + z; }
",
    );
}

#[test]
fn ve6_overloads_and_generics() {
    silent(
        "
//- a.ts
export function f(a: string): void;
export function f(a: string, b: number): void;
export function f(a: string, b?: number) {}
export function g<T>(a: T) { return a; }
//- b.ts
import { f, g } from './a';
f('a', 1);
g<string>('a');
",
        "
//- a.ts
export function f(a: string): void;
export function f(a: string, b: number): void;
export function f(a: string, b: number, c: number): void;
export function f(a: string, b?: number, c?: number) {}
export function g<T>(a: T, b?: T) { return a; }
//- b.ts
import { f, g } from './a';
f('a', 1);
f('a', 1, 2);
g<string>('a');
",
    );
}

#[test]
fn ve6_a_call_that_never_fitted_is_not_this_changes() {
    silent(
        "
//- a.ts
export function f(a: string) { return a; }
//- b.ts
import { f } from './a';
f();
",
        "
//- a.ts
export function f(a: string) { return a + 1; }
//- b.ts
import { f } from './a';
f();
export const n = 1;
",
    );
}

#[test]
fn ve6_an_await_is_dropped() {
    let before = "
//- a.ts
export async function get(id: string) { return { id }; }
//- b.ts
import { get } from './a';
import { far } from 'far';
export async function one() { const it = await get('1'); return it.id; }
export async function two() { const list = await far.list(2); return list.length; }
export async function three() { return await get('3'); }
";
    check(
        before,
        "
//- b.ts
import { get } from './a';
import { far } from 'far';
export async function one() { const it = get('1'); return it.id; }
export async function two() { const list = far.list(2); return list.length; }
export async function three() { return await get('3'); }
",
        &expect![[r#"
            Warning signature_mismatch b.ts:3 the result of `get` was awaited before, but is now used without `await` <- b.ts:3
            Warning signature_mismatch b.ts:4 the result of `list` was awaited before, but is now used without `await` <- b.ts:4
        "#]],
    );
    silent(
        before,
        "
//- b.ts
import { get } from './a';
import { far } from 'far';
export async function one() { const it = get('1'); return (await it).id; }
export async function two() { return far.list(2).then((list) => list.length); }
export function three() { return get('3'); }
",
    );
}

#[test]
fn ve6_plain_javascript_asks_for_what_may_be_missing() {
    silent(
        "
//- a.js
export function f(a) { return a; }
export function g(a) { return a; }
//- b.js
import { f, g } from './a';
f(1);
g(1);
",
        "
//- a.js
export function f(a, options) { if (!options) return a; return options.a; }
export function g(a, depth) { return [a, depth]; }
//- b.js
import { f, g } from './a';
f(1);
g(1);
g(1, 2);
",
    );
}
