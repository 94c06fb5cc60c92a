//! Names that are used and declared no more.

use expect_test::expect;

use crate::support::{check, silent};

const LOCAL: &str = "
//- src/a.ts
import { helper } from './h';
import type { Shape } from './h';
const LIMIT = 3;
function twice(n: number) { return helper(n) * 2; }
export class Cart {
  add(n: number) { return this.count(n); }
  private count(n: number) { return twice(n) + LIMIT; }
}
export const area = (s: Shape) => s;
//- src/h.ts
export const helper = (n: number) => n;
export interface Shape { n: number }
";

#[test]
fn ve6_a_declaration_goes_and_its_uses_stay() {
    check(
        LOCAL,
        "
//- src/a.ts
import type { Shape } from './h';
function twice(n: number) { return helper(n) * 2; }
export class Cart {
  add(n: number) { return this.count(n); }
}
export const area = (s: Shape) => s + LIMIT + twice(1);
",
        &expect![[r#"
            Error dangling_reference src/a.ts:2 `helper` is used but no longer declared <- src/a.ts:1
            Error dangling_reference src/a.ts:4 `count` is used but no longer declared <- src/a.ts:4
            Error dangling_reference src/a.ts:6 `LIMIT` is used but no longer declared <- src/a.ts:6
        "#]],
    );
    silent(
        LOCAL,
        "
//- src/a.ts
import { helper as help } from './h';
import type { Shape } from './h';
const MOST = 3;
function double(n: number) { return help(n) * 2; }
export class Cart {
  add(n: number) { return this.tally(n); }
  private tally(n: number) { return double(n) + MOST; }
}
export const area = (s: Shape) => { const LIMIT = 1; return ((twice) => twice(LIMIT))(() => s); };
",
    );
}

#[test]
fn ve6_code_moves_and_forgets_what_it_needs() {
    check(
        LOCAL,
        "
//- src/a.ts
import type { Shape } from './h';
import { twice } from './b';
const LIMIT = 3;
export class Cart {
  add(n: number) { return this.count(n); }
  private count(n: number) { return twice(n) + LIMIT; }
}
export const area = (s: Shape) => s;
//- src/b.ts
export function twice(n: number) { return helper(n) * 2; }
",
        &expect![[r#"
            Error dangling_reference src/b.ts:1 `helper` is used but no longer declared <- src/b.ts:1
        "#]],
    );
}

#[test]
fn ve6_globals_and_what_cannot_be_seen() {
    // `fetch` and `describe` are there without an import; `eval` and inheritance may bring anything.
    silent(
        "
//- a.ts
import fetch from 'node-fetch';
import { describe } from 'vitest';
export const get = () => fetch('x');
describe('a', () => {});
//- b.js
import Base from 'base';
const secret = 1;
export class B extends Base { go() { this.stop(); } stop() {} }
export const run = (code) => eval(code) + secret;
",
        "
//- a.ts
export const get = () => fetch('x');
describe('a', () => {});
//- b.js
import Base from 'base';
export class B extends Base { go() { this.stop(); } }
export const run = (code) => eval(code) + secret;
",
    );
}

#[test]
fn ve6_a_method_may_come_from_a_base_that_is_no_plain_name() {
    silent(
        "
//- a.py
from collections import OrderedDict

class One:
    def update(self):
        pass

class Two(OrderedDict[str, int]):
    def fill(self):
        self.update(a=1)
",
        "
//- a.py
from collections import OrderedDict

class Two(OrderedDict[str, int]):
    def fill(self):
        self.update(a=1)
",
    );
}
