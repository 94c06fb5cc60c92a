//! Members of classes and of enums that are used and declared no more.

use expect_test::expect;

use crate::support::{check, silent};

const ENUMS: &str = "
//- src/colors.ts
export enum Color { Red = 'r', Green = 'g', Blue = 'b' }
export const Phase = { First: 1, Second: 2 } as const;
export const dark = (it: Color) => it === Color.Red;
//- src/index.ts
export { Color as Paint, Phase } from './colors';
//- src/use.ts
import { Paint, Phase } from './index';
// Paint.Green is the usual one.
export const usual = Paint.Green;
export const named = 'Paint.Green';
export const second = (Phase) => Phase.Second;
//- src/other.ts
import { Phase } from './colors';
export const step = (n: number) => n === Phase.Second;
";

#[test]
fn ve6_an_enum_loses_a_member_that_is_used() {
    check(
        ENUMS,
        "
//- src/colors.ts
export enum Color { Blue = 'b' }
export const Phase = { First: 1 } as const;
export const dark = (it: Color) => it === Color.Red;
",
        &expect![[r#"
            Error dangling_reference src/colors.ts:3 `Color.Red` is used but no longer declared <- src/colors.ts:1
            Error dangling_reference src/other.ts:2 `Phase.Second` is used but no longer declared <- src/colors.ts:2
            Error dangling_reference src/use.ts:3 `Paint.Green` is used but no longer declared <- src/colors.ts:1
        "#]],
    );
    silent(
        ENUMS,
        "
//- src/colors.ts
export enum Color { Red = 'r', Blue = 'b', Olive = 'o' }
export const Phase = { First: 1, Later: 2 } as const;
export const dark = (it: Color) => it === Color.Red;
//- src/use.ts
import { Paint, Phase } from './index';
export const usual = Paint.Olive;
export const second = (Phase) => Phase.Second;
//- src/other.ts
import { Phase } from './colors';
export const step = (n: number) => n === Phase.Later;
",
    );
}

const PYTHON_ENUM: &str = "
//- shop/__init__.py
//- shop/state.py
from enum import Enum, unique

@unique
class State(Enum):
    OPEN = 1
    CLOSED = 2
//- shop/order.py
from .state import State

def close(order):
    order.state = State.CLOSED
    order.is_open = order.state == State.OPEN
";

#[test]
fn ve6_a_python_enum_loses_a_member_that_is_used() {
    check(
        PYTHON_ENUM,
        "
//- shop/state.py
from enum import Enum, unique

@unique
class State(Enum):
    OPEN = 1
    DONE = 2
",
        &expect![[r#"
            Error dangling_reference shop/order.py:4 `State.CLOSED` is used but no longer declared <- shop/state.py:6
        "#]],
    );
}

const GENERIC: &str = "
//- src/request.ts
export class Request<P extends string = '/', I extends object = {}> {
  param(key: P) { return this.#value(key); }
  #value(key: P) { return key; }
}
";

#[test]
fn ve6_a_bound_of_a_generic_class_is_no_base() {
    check(
        GENERIC,
        "
//- src/request.ts
export class Request<P extends string = '/', I extends object = {}> {
  param(key: P) { return this.#value(key); }
}
",
        &expect![[r#"
            Error dangling_reference src/request.ts:2 `value` is used but no longer declared <- src/request.ts:2
        "#]],
    );
}

const LAZY: &str = "
//- shop/__init__.py
//- shop/context.py
import sys

def __getattr__(name):
    raise AttributeError(name)

class Context:
    def push(self):
        return self._open()

    def _open(self):
        return sys.modules
//- shop/helpers.py
import sys

def root(name):
    return sys.modules[name].__file__

def parts(name):
    return name.split('.')
//- shop/app.py
from .helpers import parts, root

def names(name):
    return parts(root(name))
";

#[test]
fn ve6_a_module_that_answers_for_its_names_still_has_classes() {
    check(
        LAZY,
        "
//- shop/context.py
import sys

def __getattr__(name):
    raise AttributeError(name)

class Context:
    def push(self):
        return self._open()
",
        &expect![[r#"
            Warning orphaned_import shop/context.py:1 `sys` is imported but not used <- shop/context.py:8
            Error dangling_reference shop/context.py:8 `_open` is used but no longer declared <- shop/context.py:8
        "#]],
    );
}

#[test]
fn ve6_a_module_that_looks_at_others_does_not_make_its_own_names() {
    check(
        LAZY,
        "
//- shop/helpers.py
import sys

def root(name):
    return sys.modules[name].__file__
",
        &expect![[r#"
            Error missing_export shop/app.py:1 `parts` is not exported by shop/helpers.py <- shop/helpers.py:4
        "#]],
    );
    silent(
        LAZY,
        "
//- shop/helpers.py
import sys

def root(name):
    return sys.modules[name].__file__

sys.modules[__name__] = make(root)
",
    );
}
