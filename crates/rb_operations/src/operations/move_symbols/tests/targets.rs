//! Existing modules, and what is refused.

use expect_test::expect;

use super::check;

#[test]
fn st1_move_to_an_existing_module() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
from pkg.target import Base

__all__ = ("Thing", "make", "rest")

DEFAULTS = {"a": 1}
DEFAULTS.update(b=2)


class Thing(Base):
    pass


def make():
    return Thing(DEFAULTS)


def rest():
    return make()
//- pkg/target.py
"""Target."""

from pkg.old import make

__all__ = ["Base", "use"]


class Base:
    pass


def use():
    return make()


if __name__ == "__main__":
    use()
"#;
    check(
        fixture,
        "pkg/old.py#Thing pkg/old.py#make pkg/old.py#DEFAULTS",
        "pkg/target.py",
        &expect![[r#"
        `DEFAULTS`, `Thing`, `make` moved from pkg/old.py to pkg/target.py
        //- pkg/old.py
        from pkg.target import make

        __all__ = ("rest",)


        def rest():
            return make()
        //- pkg/target.py
        """Target."""

        __all__ = ["Base", "Thing", "make", "use"]

        DEFAULTS = {"a": 1}
        DEFAULTS.update(b=2)


        class Base:
            pass


        def use():
            return make()


        class Thing(Base):
            pass


        def make():
            return Thing(DEFAULTS)


        if __name__ == "__main__":
            use()
        api: pkg/old.py pkg.old.DEFAULTS -> pkg.target.DEFAULTS
        api: pkg/old.py pkg.old.Thing -> pkg.target.Thing
        api: pkg/old.py pkg.old.make -> pkg.target.make
    "#]],
    );
}

#[test]
fn st1_move_refuses_a_name_that_is_taken() {
    let fixture = "//- a.py\ndef f(): pass\ndef open(): pass\n//- b.py\ndef f(): pass\nopen('x')\n";
    check(
        fixture,
        "a.py#f",
        "b.py",
        &expect![[r#"
        refused: b.py already has something else named `f`
          b.py:1: `f` is defined here
        suggestion: rename one of the two first
    "#]],
    );
    check(
        fixture,
        "a.py#open",
        "b.py",
        &expect![[r#"
        refused: b.py already has something else named `open`
          b.py:2: `open` means something else here
        suggestion: rename one of the two first
    "#]],
    );
    check(
        fixture,
        "a.py#missing",
        "b.py",
        &expect![[r#"
        refused: a.py does not define `missing`
        suggestion: name a function, class or variable at its top level
    "#]],
    );
    check(
        fixture,
        "a.py#f",
        "a.py",
        &expect![[r#"
        refused: a.py is both the old and the new module
        suggestion: name another file
    "#]],
    );
    check(
        fixture,
        "a.py#f",
        "b-c.py",
        &expect![[r#"
        refused: b-c.py cannot be the file of a Python module
        suggestion: name a file such as `package/module.py`
    "#]],
    );
}

#[test]
fn st1_move_refuses_what_cannot_be_taken_apart() {
    check(
        "//- a.py\nx, y = 1, 2\nprint(y)\n",
        "a.py#x",
        "b.py",
        &expect![[r#"
        refused: one statement defines `x` and `y`
          a.py:1: both are defined here
        suggestion: move `y` too, or define them apart
    "#]],
    );
    check(
        "//- a.py\nx = 1; y = 2\n",
        "a.py#x",
        "b.py",
        &expect![[r#"
        refused: a statement cannot be moved without the other one on its line
          a.py:1: shares its line with another statement
        suggestion: write them on two lines first
    "#]],
    );
    check(
        "//- a.py\nfrom c import x\n",
        "a.py#x",
        "b.py",
        &expect![[r#"
        refused: a.py only imports `x`
        suggestion: move it from the module that defines it
    "#]],
    );
    check(
        "//- a.py\nx = 1\ndef f():\n    global x\n    x = 2\n",
        "a.py#x",
        "b.py",
        &expect![[r#"
        refused: `x` is assigned by code that stays
          a.py:4: `x` is assigned here
        suggestion: move that code too
    "#]],
    );
    check(
        "//- a.py\nx = 1\ndef f():\n    global x\n    x = 2\n",
        "a.py#f",
        "b.py",
        &expect![[r#"
        refused: the moved code assigns `x`, which stays
          a.py:4: `x` is assigned here
        suggestion: move that variable too
    "#]],
    );
    check(
        "//- a.py\nimport os\nHERE = os.path.dirname(__file__)\n",
        "a.py#HERE",
        "c/b.py",
        &expect![[r#"
        refused: the moved code uses `__file__`, which would mean another folder
          a.py:2: `__file__` is used here
        suggestion: pass the path to it instead
    "#]],
    );
}

#[test]
fn st1_move_odd_files() {
    check(
        "//- a.py\ndef f(): pass\n//- b.py\n",
        "a.py#f",
        "b.py",
        &expect![[r#"
        `f` moved from a.py to b.py
        //- a.py
        //- b.py
        def f(): pass
        api: a.py a.f -> b.f
        note: a.py defines nothing any more
    "#]],
    );
    check(
        "//- a.py\ndef f(): pass\n//- b.py\ndef (\n",
        "a.py#f",
        "b.py",
        &expect![[r#"
        refused: b.py has a syntax error in line 1: Expected an identifier
        suggestion: name a Python file without syntax errors
    "#]],
    );
    check(
        "//- a.py\nfrom .x import y\ndef f(): return y\n",
        "a.py#f",
        "b/c.py",
        &expect![[r#"
        `f` moved from a.py to b/c.py
        //- a.py
        //- b/c.py (created)
        from x import y


        def f(): return y
        api: a.py a.f -> c.f
        note: a.py defines nothing any more
    "#]],
    );
}

#[test]
fn st1_move_imports_for_annotations_do_not_close_a_circle() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
from __future__ import annotations


class Stream:
    pass


def pause(stream: Stream | None):
    return stream


def run():
    return pause(Stream())
"#;
    check(
        fixture,
        "pkg/old.py#pause",
        "pkg/new.py",
        &expect![[r#"
        `pause` moved from pkg/old.py to pkg/new.py
        //- pkg/new.py (created)
        from __future__ import annotations

        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from pkg.old import Stream


        def pause(stream: Stream | None):
            return stream
        //- pkg/old.py
        from __future__ import annotations

        from pkg.new import pause


        class Stream:
            pass


        def run():
            return pause(Stream())
        api: pkg/old.py pkg.old.pause -> pkg.new.pause
    "#]],
    );
}

#[test]
fn st1_move_to_a_module_of_one_system_is_refused() {
    let fixture = r#"
//- old.py
def f():
    return 1
//- windows.py
import sys
if sys.platform == "win32":
    x = 1
else:
    raise ImportError("only on Windows")
"#;
    check(
        fixture,
        "old.py#f",
        "windows.py",
        &expect![[r#"
        refused: windows.py cannot be loaded on every system
          windows.py:2: this stops the import
        suggestion: choose another module
    "#]],
    );
}

#[test]
fn st1_move_puts_a_constant_behind_what_it_needs_of_the_new_module() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
from pkg import new
from pkg.new import double as twice

RATE = new.LIMIT
SIZE = (lambda size: twice(size))(2)
//- pkg/new.py
import os


def double(size):
    return 2 * size


LIMIT = double(3)
"#;
    check(
        fixture,
        "pkg/old.py#RATE pkg/old.py#SIZE",
        "pkg/new.py",
        &expect![[r#"
        `RATE`, `SIZE` moved from pkg/old.py to pkg/new.py
        //- pkg/new.py
        import os


        def double(size):
            return 2 * size


        LIMIT = double(3)

        RATE = LIMIT
        SIZE = (lambda size: double(size))(2)
        //- pkg/old.py
        api: pkg/old.py pkg.old.RATE -> pkg.new.RATE
        api: pkg/old.py pkg.old.SIZE -> pkg.new.SIZE
        note: pkg/old.py defines nothing any more
    "#]],
    );
}

#[test]
fn st1_move_refuses_a_name_that_the_new_module_has_by_a_star() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/core.py
LIMIT = 7
//- pkg/old.py
LIMIT = 10
//- pkg/new.py
from pkg.core import *


def f():
    return LIMIT
//- pkg/silent.py
from pkg.core import *
"#;
    check(
        fixture,
        "pkg/old.py#LIMIT",
        "pkg/new.py",
        &expect![[r#"
        refused: pkg/new.py already has something else named `LIMIT`
          pkg/new.py:5: `LIMIT` means something else here
        suggestion: rename one of the two first
    "#]],
    );
    check(
        fixture,
        "pkg/old.py#LIMIT",
        "pkg/silent.py",
        &expect![[r#"
        refused: pkg/silent.py already has something else named `LIMIT`
          pkg/silent.py:1: `LIMIT` means something else here
        suggestion: rename one of the two first
    "#]],
    );
}

#[test]
fn st1_move_to_a_package_imports_its_modules() {
    let fixture = r#"
//- pkg/__init__.py
from .other import x
//- pkg/other.py
x = 1
//- pkg/util.py
RATE = 1
//- pkg/old.py
from . import util

SIZE = util.RATE
"#;
    check(
        fixture,
        "pkg/old.py#SIZE",
        "pkg/__init__.py",
        &expect![[r#"
        `SIZE` moved from pkg/old.py to pkg/__init__.py
        //- pkg/__init__.py
        from . import util
        from .other import x

        SIZE = util.RATE
        //- pkg/old.py
        api: pkg/old.py pkg.old.SIZE -> pkg.SIZE
        note: pkg/old.py defines nothing any more
    "#]],
    );
}

#[test]
fn st1_move_into_or_out_of_a_program_that_is_run() {
    let fixture = r#"
//- main.py
from tools import helper


def own():
    return 1


def with_own():
    return own()


def alone():
    return 2


if __name__ == "__main__":
    print(helper(), own(), with_own(), alone())
//- tools.py
def helper():
    return other()


def other():
    return 1


def lonely():
    return 1
//- test_tools.py
from tools import other
"#;
    check(
        fixture,
        "tools.py#other",
        "main.py",
        &expect![[r#"
        refused: main.py is run as a program, and test_tools.py would import it
          test_tools.py:1: the import would run it a second time
        suggestion: choose a module that is not run itself
    "#]],
    );
    check(
        fixture,
        "tools.py#lonely",
        "main.py",
        &expect![[r#"
        `lonely` moved from tools.py to main.py
        //- main.py
        from tools import helper


        def own():
            return 1


        def with_own():
            return own()


        def alone():
            return 2


        def lonely():
            return 1


        if __name__ == "__main__":
            print(helper(), own(), with_own(), alone())
        //- tools.py
        def helper():
            return other()


        def other():
            return 1
        api: tools.py tools.lonely -> main.lonely
    "#]],
    );
    check(
        fixture,
        "main.py#with_own",
        "tools.py",
        &expect![[r#"
        refused: tools.py and main.py would import each other while they are loaded (main.py → tools.py)
          main.py:9: this is needed when the module is loaded
        suggestion: move what is used at load time too
    "#]],
    );
    check(
        fixture,
        "main.py#alone",
        "tools.py",
        &expect![[r#"
        `alone` moved from main.py to tools.py
        //- main.py
        from tools import alone, helper


        def own():
            return 1


        def with_own():
            return own()


        if __name__ == "__main__":
            print(helper(), own(), with_own(), alone())
        //- tools.py
        def helper():
            return other()


        def other():
            return 1


        def lonely():
            return 1


        def alone():
            return 2
        api: main.py main.alone -> tools.alone
    "#]],
    );
}

#[test]
fn st1_move_puts_constants_below_what_is_for_type_checkers() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
LIMIT = 8
//- pkg/target.py
import typing

if typing.TYPE_CHECKING:
    import asyncio

    Event = asyncio.Event

NAMES = []


def f() -> "Event": ...
"#;
    check(
        fixture,
        "pkg/old.py#LIMIT",
        "pkg/target.py",
        &expect![[r#"
        `LIMIT` moved from pkg/old.py to pkg/target.py
        //- pkg/old.py
        //- pkg/target.py
        import typing

        if typing.TYPE_CHECKING:
            import asyncio

            Event = asyncio.Event

        NAMES = []

        LIMIT = 8


        def f() -> "Event": ...
        api: pkg/old.py pkg.old.LIMIT -> pkg.target.LIMIT
        note: pkg/old.py defines nothing any more
    "#]],
    );
}

#[test]
fn st1_move_does_not_leave_a_stub_behind() {
    let fixture = "\
//- p/__init__.py
//- p/a.py
def f(): return 1


def _helper(): return 2
//- p/a.pyi
def f() -> int: ...
//- p/b.py
X = 1
//- p/c.py
Y = 1
//- p/c.pyi
Y: int
";
    check(
        fixture,
        "p/a.py#f",
        "p/b.py",
        &expect![[r#"
            refused: p/a.pyi declares `f` for type checkers
              p/a.pyi:1: a stub does not follow
            suggestion: move it there by hand, with its stub
        "#]],
    );
    check(
        fixture,
        "p/a.py#_helper",
        "p/b.py",
        &expect![[r#"
            `_helper` moved from p/a.py to p/b.py
            //- p/a.py
            def f(): return 1
            //- p/b.py
            X = 1


            def _helper(): return 2
        "#]],
    );
    check(
        fixture,
        "p/b.py#X",
        "p/c.py",
        &expect![[r#"
            refused: p/c.pyi says what p/c.py has, for type checkers
            suggestion: choose a module that has no stub, or move it by hand
        "#]],
    );
}
