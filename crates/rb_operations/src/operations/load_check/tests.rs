use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

#[test]
fn st1_a_function_that_runs_while_a_module_is_loaded_must_find_what_it_imports() {
    check(
        "\
//- p/__init__.py
//- p/a.py
def limit():
    return 1


//- p/b.py
def size():
    from p.a import limit

    return limit()


//- p/c.py
from p.b import size

SIZE = size()
",
        r#"{"operation": "move", "symbols": ["p/a.py#limit"], "to": "p/c.py"}"#,
        &expect![[r#"
            refused: p/b.py could not be loaded any more
              p/b.py:2: `limit` of `p.c` is not there yet, or not any more
            suggestion: change these imports first, or choose another module
        "#]],
    );
}

#[test]
fn st1_a_package_has_a_module_only_when_it_is_loaded() {
    check(
        "\
//- p/__init__.py
from .tools import parse

//- p/load.py
def total():
    return 1


//- p/tools.py
import p.load


def parse():
    return p.load.total()


//- p/sub/__init__.py
from .deep import size

//- p/sub/deep.py
import p.load

size = p.load.total()
",
        r#"{"operation": "rename-module", "path": "p/load.py", "to": "p/sub/fresh.py"}"#,
        &expect![[r#"
            refused: p/sub/deep.py could not be loaded any more
              p/sub/deep.py:3: p/__init__.py has no `sub` yet, or not any more
            suggestion: change these imports first, or choose another module
        "#]],
    );
}

#[test]
fn st1_import_star_gives_only_what_is_bound_by_then() {
    check(
        "\
//- p/__init__.py
//- p/load.py
def merge(a, b):
    return a + b


SUM = merge(1, 2)

//- p/sub/__init__.py
from .deep import TOTAL

//- p/sub/deep.py
from p.load import *

TOTAL = merge(1, 2)

//- main.py
import p.load
",
        r#"{"operation": "parameter-object", "function": "p/load.py#merge", "class": "Options", "module": "p/sub/fresh.py"}"#,
        &expect![[r#"
            refused: p/sub/deep.py could not be loaded any more
              p/sub/deep.py:4: `merge` is not defined here yet
            suggestion: change these imports first, or choose another module
        "#]],
    );
}

#[test]
fn st1_what_may_not_run_or_may_fail_is_no_reason_to_refuse() {
    check(
        "\
//- p/__init__.py
//- p/a.py
def f():
    return 1


//- p/b.py
import sys

try:
    VALUE = missing
except NameError:
    VALUE = None
if sys.argv:
    VALUE = LATER
LATER = 1


def g():
    return LATEST


def h(flag):
    if flag:
        return 1
    return LATEST


h(True)
LATEST = 2
",
        r#"{"operation": "move", "symbols": ["p/a.py#f"], "to": "p/b.py"}"#,
        &expect![[r#"
            `f` moved from p/a.py to p/b.py
            //- p/a.py
            //- p/b.py
            import sys

            try:
                VALUE = missing
            except NameError:
                VALUE = None
            if sys.argv:
                VALUE = LATER
            LATER = 1


            def g():
                return LATEST


            def h(flag):
                if flag:
                    return 1
                return LATEST


            h(True)
            LATEST = 2


            def f():
                return 1
            api: p/a.py p.a.f -> p.b.f
            note: p/a.py defines nothing any more
        "#]],
    );
}

#[test]
fn st1_a_module_that_could_not_be_loaded_before_is_no_reason_to_refuse() {
    check(
        "\
//- p/__init__.py
//- p/a.py
from p.b import f

X = 1


def g():
    return 1

//- p/b.py
from p.a import X


def f():
    return X
",
        r#"{"operation": "move", "symbols": ["p/a.py#g"], "to": "p/c.py"}"#,
        &expect![[r#"
            `g` moved from p/a.py to p/c.py
            //- p/a.py
            from p.b import f

            X = 1
            //- p/c.py (created)
            def g():
                return 1
            api: p/a.py p.a.g -> p.c.g
        "#]],
    );
}

#[test]
fn st1_a_new_file_may_fail_as_the_code_in_it_did_before() {
    check(
        "\
//- p/__init__.py
//- p/x.py
from p.y import g

X = 1

//- p/y.py
from p.x import X


def g():
    return X


//- p/a.py
from p.x import X


def f():
    return X
",
        r#"{"operation": "move", "symbols": ["p/a.py#f"], "to": "p/c.py"}"#,
        &expect![[r#"
            `f` moved from p/a.py to p/c.py
            //- p/a.py
            //- p/c.py (created)
            from p.x import X


            def f():
                return X
            api: p/a.py p.a.f -> p.c.f
            note: p/a.py defines nothing any more
        "#]],
    );
}

#[test]
fn st1_what_only_a_script_runs_is_not_loaded() {
    check(
        "\
//- p/__init__.py
//- p/color.py
class Color:
    pass


if __name__ == \"__main__\":
    from p.console import Console

    print(Console)

//- p/style.py
from p.color import Color


class Style(Color):
    pass


//- p/console.py
from p.style import Style


class Console(Style):
    pass


//- p/a.py
from p.style import Style


def f():
    return Style()


//- p/b.py
\"\"\"Helpers.\"\"\"
",
        r#"{"operation": "move", "symbols": ["p/a.py#f"], "to": "p/b.py"}"#,
        &expect![[r#"
            `f` moved from p/a.py to p/b.py
            //- p/a.py
            //- p/b.py
            """Helpers."""

            from p.style import Style


            def f():
                return Style()
            api: p/a.py p.a.f -> p.b.f
            note: p/a.py defines nothing any more
        "#]],
    );
}
