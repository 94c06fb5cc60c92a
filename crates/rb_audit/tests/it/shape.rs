//! Circles, layers, and text that cannot be parsed.

use expect_test::expect;

use crate::support::{check, silent};

const LINE: &str = "
//- src/a.ts
import { b } from './b';
export const a = b;
export type A = typeof a;
//- src/b.ts
import { c } from './c';
export const b = c;
//- src/c.ts
export const c = 1;
";

#[test]
fn ve6_a_circle_closes() {
    check(
        LINE,
        "
//- src/c.ts
import { a } from './a';
export const c = () => a;
",
        &expect![[r#"
            Warning new_cycle src/c.ts:1 new import cycle: src/c.ts -> src/a.ts -> src/b.ts -> src/c.ts <- src/c.ts:1
        "#]],
    );
    silent(
        LINE,
        "
//- src/c.ts
import { A } from './a';
export const c = 1 as unknown as A;
",
    );
    silent(
        LINE,
        "
//- src/c.ts
export const c = async () => (await import('./a')).a;
",
    );
}

#[test]
fn ve6_a_circle_that_was_there() {
    silent(
        "
//- a.py
import b
def f():
    return b.g()
//- b.py
import a
def g():
    return a.f()
",
        "
//- gone b.py
//- bb.py
import a
def g():
    return a.f()
//- a.py
import bb
def f():
    return bb.g()
",
    );
}

#[test]
fn ve6_a_circle_for_types_alone() {
    silent(
        "
//- a.py
class A:
    pass
//- b.py
import a
B = a.A
",
        "
//- a.py
import typing as t
if t.TYPE_CHECKING:
    from b import B
class A:
    def f(self) -> 'B':
        pass
",
    );
}

#[test]
fn ve6_a_file_can_no_longer_be_parsed() {
    check(
        "
//- a.ts
export const a = 1;
export const b = [1, 2];
//- b.py
def f():
    return 1
//- c.go
package c

func F() int { return 1 }
",
        "
//- a.ts
export const a = 1;
export const b = [1, 2;
//- b.py
def f(:
    return 1
//- c.go
package c

func F() int { return 1
",
        &expect![[r#"
            Error syntax_error a.ts:2 the file is no longer valid TypeScript <- a.ts:2
            Error syntax_error b.py:1 the file is no longer valid Python <- b.py:1
            Error syntax_error c.go:4 the file is no longer valid Go <- c.go:3
        "#]],
    );
    silent(
        "
//- a.ts
export const a = [1, 2;
",
        "
//- a.ts
export const a = [1, 2, 3;
",
    );
}

const LAYERS: &str = "
//- package.json
{ \"name\": \"shop\", \"dependencies\": { \"express\": \"4\" } }
//- src/controllers/order.ts
import { placeOrder } from '../services/order';
export const post = () => placeOrder(1);
//- src/controllers/user.ts
import { findUser } from '../services/user';
export const get = () => findUser(1);
//- src/services/order.ts
import { save } from '../repositories/order';
export const placeOrder = (n: number) => save(n);
//- src/services/user.ts
import { find } from '../repositories/user';
export const findUser = (n: number) => find(n);
//- src/repositories/order.ts
import { Order } from '../models/order';
export const save = (n: number) => new Order(n);
//- src/repositories/user.ts
import { User } from '../models/user';
export const find = (n: number) => new User(n);
//- src/models/order.ts
export class Order { constructor(public n: number) {} }
//- src/models/user.ts
export class User { constructor(public n: number) {} }
";

#[test]
fn ve6_an_import_against_the_layers() {
    check(
        LAYERS,
        "
//- src/repositories/user.ts
import { User } from '../models/user';
import { post } from '../controllers/order';
export const find = (n: number) => new User(n + post().n);
",
        &expect![[r#"
            Warning cross_layer_import src/repositories/user.ts:2 src/repositories imports src/controllers, which is in a higher layer <- src/repositories/user.ts:2
        "#]],
    );
    silent(
        LAYERS,
        "
//- src/controllers/user.ts
import { findUser } from '../services/user';
import { find } from '../repositories/user';
export const get = () => findUser(find(1).n);
",
    );
}
