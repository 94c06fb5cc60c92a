use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

/// `log=False` for `f` of `a.py`, with `log=True` in calls outside of tests.
const LOG: &str = r#"{"operation": "add-parameter", "function": "a.py#f", "name": "log", "default": "False",
    "annotation": null, "values": [{"value": "True", "calls": "not-tests"}]}"#;

const LOGGING: &str = r#"{"operation": "add-parameter", "function": "a.py#f", "name": "log", "default": "False",
    "annotation": null, "values": [{"value": "True", "calls": "all"}], "logs": true}"#;

const REQUIRED: &str = r#"{"operation": "add-parameter", "function": "a.py#f", "name": "log", "default": null,
    "annotation": "bool", "values": [{"value": "True", "calls": "not-tests"}]}"#;

#[test]
fn st1_calls_pass_the_value_by_place() {
    check(
        "\
//- a.py
def f(x, y=1):
    return f(x) if x else y

//- b.py
import a
from a import f
from a import f as g

print(f(1), a.f(2, y=3), g(*x, **y), f(1, log=None))

//- tests/test_a.py
from a import f

assert f(1) == 1
",
        LOG,
        &expect![[r#"
            parameter `log` added to `f`, `log=True` in 4 calls
            //- a.py
            def f(x, y=1, log=False):
                return f(x, log=True) if x else y

            //- b.py
            import a
            from a import f
            from a import f as g

            print(
                f(1, log=True), a.f(2, y=3, log=True), g(*x, log=True, **y), f(1, log=None)
            )

            api: a.py f(x, y=1) -> f(x, y=1, log=False)
        "#]],
    );
}

#[test]
fn st1_the_parameter_goes_where_no_call_can_pass_it_by_accident() {
    let signatures = [
        "def f(): pass",
        "def f(a, b=1): pass",
        "def f(a, *args): pass",
        "def f(a, *args, b, **kwargs): pass",
        "def f(a, **kwargs): pass",
        "def f(a, *, b): pass",
        "def f(a, /): pass",
        "def f(a: int) -> int: pass",
        "def f() -> int: pass",
        "async def f(a,): pass",
        "def f(\n    a,\n    b,\n): pass",
    ];
    let mut shown = String::new();
    for signature in signatures {
        let new = snapshot(&format!("//- a.py\n{signature}\n"), LOG);
        let text = new.split("//- a.py\n").nth(1).unwrap_or(&new);
        shown.push_str(text.split("api:").next().unwrap_or(text));
    }
    expect![[r#"
        def f(log=False): pass
        def f(a, b=1, log=False): pass
        def f(a, *args, log=False): pass
        def f(a, *args, b, log=False, **kwargs): pass
        def f(a, log=False, **kwargs): pass
        def f(a, *, b, log=False): pass
        def f(a, /, log=False): pass
        def f(a: int, log: bool = False) -> int: pass
        def f(log: bool = False) -> int: pass
        async def f(a, log=False,): pass
        def f(
            a,
            b,
            log=False,
        ): pass
    "#]]
    .assert_eq(&shown);
}

#[test]
fn st1_overrides_overloads_and_stubs_follow() {
    check(
        "\
//- a.py
from typing import overload


class A:
    @overload
    def f(self, x: int) -> int: ...
    @overload
    def f(self, x: str) -> str: ...
    def f(self, x):
        return x


class B(A):
    def f(self, x):
        return super().f(x)


def use(a: A, b: B):
    return a.f(1), b.f(2), A.f(a, 3), list(map(a.f, [1]))

//- a.pyi
class A:
    def f(self, x: int) -> int: ...
",
        &LOG.replace("a.py#f", "a.py#A.f"),
        &expect![[r#"
            parameter `log` added to `A.f`, `log=True` in 3 calls, `log=log` in 1 call
            //- a.py
            from typing import overload


            class A:
                @overload
                def f(self, x: int, log: bool = ...) -> int: ...
                @overload
                def f(self, x: str, log: bool = ...) -> str: ...
                def f(self, x, log=False):
                    return x


            class B(A):
                def f(self, x, log=False):
                    return super().f(x, log=log)


            def use(a: A, b: B):
                return a.f(1, log=True), b.f(2, log=True), A.f(
                    a, 3, log=True
                ), list(map(a.f, [1]))

            //- a.pyi
            class A:
                def f(self, x: int, log: bool = ...) -> int: ...
            api: a.py A.f(self, x) -> A.f(self, x, log=False)
            note: a.py:19: left as it is: it is passed on, not called
        "#]],
    );
}

#[test]
fn st1_generator_arguments_get_parentheses() {
    check(
        "\
//- a.py
from functools import partial


def f(x):
    return list(x)


f(x for x in [1])
partial(f, [1])
callbacks = [f]
",
        LOG,
        &expect![[r#"
            parameter `log` added to `f`, `log=True` in 2 calls
            //- a.py
            from functools import partial


            def f(x, log=False):
                return list(x)


            f((x for x in [1]), log=True)
            partial(f, [1], log=True)
            callbacks = [f]
            api: a.py f(x) -> f(x, log=False)
            note: a.py:10: left as it is: it is passed on, not called
        "#]],
    );
}

#[test]
fn st1_a_name_that_is_taken_is_refused() {
    for text in ["def f(log):\n    pass\n", "log = 1\n\n\ndef f():\n    return log\n"] {
        let refused = snapshot(&format!("//- a.py\n{text}"), LOG);
        assert!(refused.starts_with("refused"), "{refused}");
    }
    let free = snapshot("//- a.py\ndef f():\n    return [log for log in ()]\n", LOG);
    assert!(!free.starts_with("refused"), "{free}");
}

#[test]
fn st1_what_keywords_take_is_not_taken_from_them() {
    check(
        "//- a.py\ndef f(**options):\n    return options\n\n\nf(log=1)\n",
        LOG,
        &expect![[r#"
            refused: calls pass `log` already, for `**` of the function
              a.py:5: passed here
            suggestion: choose another name for the parameter
        "#]],
    );
}

#[test]
fn st1_without_a_default_every_call_needs_a_value() {
    check(
        "//- a.py\ndef f(x):\n    return x\n\n\nf(1)\n",
        REQUIRED,
        &expect![[r#"
        parameter `log` added to `f`, `log=True` in 1 call
        //- a.py
        def f(x, log: bool):
            return x


        f(1, log=True)
        api: a.py f(x) -> f(x, log)
    "#]],
    );
    check(
        "//- a.py\ndef f(x=1):\n    return x\n\n\nf(1)\n",
        REQUIRED,
        &expect![[r#"
        refused: `log` needs a default: others before it have one
          a.py:1: the signature
        suggestion: say which default it has
    "#]],
    );
    check(
        "//- a.py\ndef f(x):\n    return x\n\n//- test_a.py\nfrom a import f\n\nf(1)\n",
        REQUIRED,
        &expect![[r#"
            refused: `log` has no default, and not every call gets a value
              test_a.py:3: no value is given for this call
            suggestion: give the parameter a default
        "#]],
    );
}

#[test]
fn st1_a_log_statement_is_added() {
    check(
        "\
//- a.py
'''Module.'''
from __future__ import annotations

import os

import b


def f(x: int) -> int:
    '''Documented.

    :param x: a number,
        or two
    :return: the same
    '''
    # Comment.
    return x

//- b.py
from a import f

f(1)
",
        LOGGING,
        &expect![[r#"
            parameter `log` added to `f`, `log=True` in 1 call
            //- a.py
            '''Module.'''
            from __future__ import annotations

            import logging
            import os

            import b

            logger = logging.getLogger(__name__)


            def f(x: int, log: bool = False) -> int:
                '''Documented.

                :param x: a number,
                    or two
                :param log: Log a debug message when the function is called.
                :return: the same
                '''
                if log:
                    logger.debug("f called")
                # Comment.
                return x

            //- b.py
            from a import f

            f(1, log=True)
            api: a.py f(x: int) -> f(x: int, log=False)
        "#]],
    );
}

#[test]
fn st1_a_logger_that_is_there_is_used() {
    check(
        "//- a.py\nimport logging\n\nLOG = logging.getLogger('x')\n\n\ndef f(): return 1\n",
        LOGGING,
        &expect![[r#"
            parameter `log` added to `f`
            //- a.py
            import logging

            LOG = logging.getLogger('x')


            def f(log=False):
                if log:
                    LOG.debug('f called')
                return 1
            api: a.py f() -> f(log=False)
        "#]],
    );
    check(
        "//- a.py\ndef f():\n    def inner(): pass\n    return inner\n",
        &LOGGING.replace("\"log\"", "\"logging\""),
        &expect![[r#"
            parameter `logging` added to `f`
            //- a.py
            import logging

            logger = logging.getLogger(__name__)


            def f(logging=False):
                if logging:
                    logger.debug("f called")
                def inner(): pass
                return inner
            api: a.py f() -> f(logging=False)
        "#]],
    );
}

#[test]
fn st1_docstrings_describe_the_parameter_as_the_others() {
    check(
        "\
//- a.py
def f(a, b):
    \"\"\"F.

    Args:
        a (int): First.
        b (int): Second,
            in two lines.

    Returns:
        int: Third.
    \"\"\"
",
        LOG,
        &expect![[r#"
            parameter `log` added to `f`
            //- a.py
            def f(a, b, log=False):
                """F.

                Args:
                    a (int): First.
                    b (int): Second,
                        in two lines.
                    log (bool): Defaults to ``False``.

                Returns:
                    int: Third.
                """
            api: a.py f(a, b) -> f(a, b, log=False)
        "#]],
    );
}

#[test]
fn st1_constructors_are_called_by_their_class() {
    check(
        "\
//- a.py
class A:
    def __init__(self, x):
        self.x = x


class B(A):
    pass


def make() -> A:
    return A(1)
",
        &LOG.replace("a.py#f", "a.py#A"),
        &expect![[r#"
            parameter `log` added to `A`, `log=True` in 1 call
            //- a.py
            class A:
                def __init__(self, x, log=False):
                    self.x = x


            class B(A):
                pass


            def make() -> A:
                return A(1, log=True)
            api: a.py A.__init__(self, x) -> A.__init__(self, x, log=False)
        "#]],
    );
}

#[test]
fn st1_functions_that_are_not_called_as_they_are_written_are_refused() {
    check(
        "//- a.py\nclass A:\n    @property\n    def f(self):\n        return 1\n",
        &LOG.replace("a.py#f", "a.py#A.f"),
        &expect![[r#"
            refused: `f` is not called with its own parameters: `@property`
              a.py:3: `@property`
            suggestion: change its signature by hand
        "#]],
    );
    check(
        "//- a.py\nf = 1\n",
        LOG,
        &expect![[r#"
        refused: there is no function `f` in a.py
        suggestion: name a function or method that the file defines
    "#]],
    );
}

#[test]
fn st1_replacements_in_tests_are_noted() {
    check(
        "\
//- a.py
def f(x):
    return x

//- tests/test_a.py
from unittest import mock


@mock.patch('a.f')
def test(f):
    f.assert_called_with(1)
",
        LOG,
        &expect![[r#"
            parameter `log` added to `f`
            //- a.py
            def f(x, log=False):
                return x

            api: a.py f(x) -> f(x, log=False)
            note: tests/test_a.py:4: `f` is named in a string; a function that takes its place, and what is asserted about its calls, may have to follow
        "#]],
    );
}

#[test]
fn st1_a_constructor_that_subclasses_have_too_needs_a_default() {
    let fixture = "\
//- a.py
class Shop:
    def __init__(self, total):
        self.total = total

//- b.py
from a import *

class Basket(Shop): pass

//- c.py
from a import Shop
from b import Basket

print(Shop(1), Basket(2))
";
    let operation = |default: &str| {
        format!(
            r#"{{"operation": "add-parameter", "function": "a.py#Shop.__init__", "name": "load", "default": {default}, "annotation": null, "values": [{{"value": "5", "calls": "all"}}]}}"#
        )
    };
    check(
        fixture,
        &operation("null"),
        &expect![[r#"
        refused: `load` has no default, and not every call gets a value
          b.py:3: this subclass is constructed so, too
        suggestion: give the parameter a default
    "#]],
    );
    check(
        fixture,
        &operation("\"7\""),
        &expect![[r#"
        parameter `load` added to `Shop.__init__`, `load=5` in 1 call
        //- a.py
        class Shop:
            def __init__(self, total, load=7):
                self.total = total

        //- c.py
        from a import Shop
        from b import Basket

        print(Shop(1, load=5), Basket(2))
    "#]],
    );
}

#[test]
fn st1_calls_in_some_places_alone_pass_a_value() {
    let fixture = "\
//- lib.py
def load(path):
    return path
//- shop/cart.py
from lib import load


class Cart:
    def open(self):
        def inner():
            return load('a')
        return inner

    def close(self):
        return load('b')


load('c')
//- shop/users/one.py
from lib import load

load('d')
//- other.py
from lib import load

load('e')
";
    let added = |values: &str| {
        let head = r#"{"operation": "add-parameter", "function": "lib.py#load", "name": "log", "default": "False", "annotation": null"#;
        format!(r#"{head}, "values": [{values}]}}"#)
    };
    let value = |value: &str, within: &str| {
        format!(r#"{{"value": "{value}", "calls": "all", "within": [{within}]}}"#)
    };
    let narrow = value("True", r#""shop/cart.py#Cart.open", "shop/users/""#);
    check(
        fixture,
        &added(&narrow),
        &expect![[r#"
        parameter `log` added to `load`, `log=True` in 2 calls
        //- lib.py
        def load(path, log=False):
            return path
        //- shop/cart.py
        from lib import load


        class Cart:
            def open(self):
                def inner():
                    return load('a', log=True)
                return inner

            def close(self):
                return load('b')


        load('c')
        //- shop/users/one.py
        from lib import load

        load('d', log=True)
        api: lib.py load(path) -> load(path, log=False)
    "#]],
    );
    let wide = value("None", "");
    check(
        fixture,
        &added(&format!("{wide}, {narrow}")),
        &expect![[r#"
        parameter `log` added to `load`, `log=None` in 3 calls, `log=True` in 2 calls
        //- lib.py
        def load(path, log=False):
            return path
        //- other.py
        from lib import load

        load('e', log=None)
        //- shop/cart.py
        from lib import load


        class Cart:
            def open(self):
                def inner():
                    return load('a', log=True)
                return inner

            def close(self):
                return load('b', log=None)


        load('c', log=None)
        //- shop/users/one.py
        from lib import load

        load('d', log=True)
        api: lib.py load(path) -> load(path, log=False)
    "#]],
    );
    check(
        fixture,
        &added(&value("True", r#""shop/cart.py#Cart.opens""#)),
        &expect![[r#"
        refused: no call of `load` that could pass `True` is in shop/cart.py#Cart.opens
        suggestion: name files, folders with a `/`, or `path/to/file.py#function`
    "#]],
    );
}
