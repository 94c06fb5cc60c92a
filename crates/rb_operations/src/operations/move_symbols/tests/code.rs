//! What the moved code brings along, and what it finds.

use expect_test::expect;

use super::check;

#[test]
fn st1_move_renames_what_is_taken_in_the_target() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/dates.py
from lib.translation import gettext_lazy as _
from lib.paths import join

DAYS = {1: _("Monday")}


def where(day):
    return join(DAYS[day])
//- pkg/formats.py
from os.path import join

from lib.translation import gettext as _

NAMES = join(_("a"))
"#;
    check(
        fixture,
        "pkg/dates.py#DAYS pkg/dates.py#where",
        "pkg/formats.py",
        &expect![[r#"
        `DAYS`, `where` moved from pkg/dates.py to pkg/formats.py
        //- pkg/dates.py
        //- pkg/formats.py
        from os.path import join

        from lib.paths import join as paths_join
        from lib.translation import gettext as _
        from lib.translation import gettext_lazy

        NAMES = join(_("a"))

        DAYS = {1: gettext_lazy("Monday")}


        def where(day):
            return paths_join(DAYS[day])
        api: pkg/dates.py pkg.dates.DAYS -> pkg.formats.DAYS
        api: pkg/dates.py pkg.dates.where -> pkg.formats.where
        note: `_` is taken in pkg/formats.py: the moved code uses `gettext_lazy`
        note: `join` is taken in pkg/formats.py: the moved code uses `paths_join`
        note: pkg/dates.py defines nothing any more
    "#]],
    );
}

#[test]
fn st1_move_for_type_checkers_and_annotations() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from .wrappers import Request


def check(request: Request) -> list[str] | None:
    return t.cast("list[str]", request)
//- pkg/wrappers.py
class Request: ...
//- pkg/target.py
import os
//- pkg/future.py
from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from .wrappers import Response
"#;
    check(
        fixture,
        "pkg/old.py#check",
        "pkg/target.py",
        &expect![[r#"
        `check` moved from pkg/old.py to pkg/target.py
        //- pkg/old.py
        from __future__ import annotations
        //- pkg/target.py
        from __future__ import annotations

        import os
        import typing as t

        if t.TYPE_CHECKING:
            from .wrappers import Request


        def check(request: Request) -> list[str] | None:
            return t.cast("list[str]", request)
        api: pkg/old.py pkg.old.check -> pkg.target.check
        note: pkg/target.py now has `from __future__ import annotations`: annotations are not evaluated there any more, as in the old module
        note: pkg/old.py defines nothing any more
    "#]],
    );
    check(
        fixture,
        "pkg/old.py#check",
        "pkg/future.py",
        &expect![[r#"
        `check` moved from pkg/old.py to pkg/future.py
        //- pkg/future.py
        from __future__ import annotations

        import typing as t

        if t.TYPE_CHECKING:
            from .wrappers import Request, Response


        def check(request: Request) -> list[str] | None:
            return t.cast("list[str]", request)
        //- pkg/old.py
        from __future__ import annotations
        api: pkg/old.py pkg.old.check -> pkg.future.check
        note: pkg/old.py defines nothing any more
    "#]],
    );
    check(
        fixture,
        "pkg/old.py#check",
        "pkg/sub/new.py",
        &expect![[r#"
        `check` moved from pkg/old.py to pkg/sub/new.py
        //- pkg/old.py
        from __future__ import annotations
        //- pkg/sub/__init__.py (created)
        //- pkg/sub/new.py (created)
        from __future__ import annotations

        import typing as t

        if t.TYPE_CHECKING:
            from pkg.wrappers import Request


        def check(request: Request) -> list[str] | None:
            return t.cast("list[str]", request)
        api: pkg/old.py pkg.old.check -> pkg.sub.new.check
        note: pkg/old.py defines nothing any more
    "#]],
    );
}

#[test]
fn st1_move_takes_all_statements_of_a_symbol() {
    let fixture = r#"
//- old.py
import os
from typing import overload

try:
    import yaml
except ImportError:
    yaml = None

if os.name == "nt":
    SEP = ";"
else:
    SEP = ":"


@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return yaml.load(x, SEP)


f.cache = {}
X = []
"""About X."""
for name in ("a", "b"):
    X.append(name)
left = 1
"#;
    check(
        fixture,
        "old.py#f old.py#SEP old.py#X",
        "new.py",
        &expect![[r#"
        `SEP`, `X`, `f` moved from old.py to new.py
        //- new.py (created)
        import os
        from typing import overload

        try:
            import yaml
        except ImportError:
            yaml = None

        if os.name == "nt":
            SEP = ";"
        else:
            SEP = ":"


        @overload
        def f(x: int) -> int: ...
        @overload
        def f(x: str) -> str: ...
        def f(x):
            return yaml.load(x, SEP)


        f.cache = {}
        X = []
        """About X."""
        for name in ("a", "b"):
            X.append(name)
        //- old.py
        left = 1
        api: old.py old.SEP -> new.SEP
        api: old.py old.X -> new.X
        api: old.py old.f -> new.f
    "#]],
    );
}

#[test]
fn st1_move_keeps_a_logger_of_its_own_module() {
    let fixture = r#"
//- a.py
# Copyright me
import logging

logger = logging.getLogger(__name__)


def f():
    logger.info("f")


def g():
    logger.info("g")
"#;
    check(
        fixture,
        "a.py#f",
        "b.py",
        &expect![[r#"
        `f` moved from a.py to b.py
        //- a.py
        # Copyright me
        import logging

        logger = logging.getLogger(__name__)


        def g():
            logger.info("g")
        //- b.py (created)
        # Copyright me

        import logging

        logger = logging.getLogger(__name__)


        def f():
            logger.info("f")
        api: a.py a.f -> b.f
    "#]],
    );
}

#[test]
fn st1_move_into_a_module_that_the_code_has_as_a_namespace() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/types.py
class Callback: ...
//- pkg/ctx.py
import pkg.types
from . import types as ft


class Sub(pkg.types.Callback): ...


def after(f: ft.Callback, *, x=ft.Callback) -> "ft.Callback":
    return ft.Callback


def whole():
    return ft
"#;
    check(
        fixture,
        "pkg/ctx.py#Sub pkg/ctx.py#after",
        "pkg/types.py",
        &expect![[r#"
        `Sub`, `after` moved from pkg/ctx.py to pkg/types.py
        //- pkg/ctx.py
        from . import types as ft


        def whole():
            return ft
        //- pkg/types.py
        class Callback: ...


        class Sub(Callback): ...


        def after(f: Callback, *, x=Callback) -> "Callback":
            return Callback
        api: pkg/ctx.py pkg.ctx.Sub -> pkg.types.Sub
        api: pkg/ctx.py pkg.ctx.after -> pkg.types.after
    "#]],
    );
    check(
        fixture,
        "pkg/ctx.py#whole",
        "pkg/types.py",
        &expect![[r#"
        refused: the moved code uses pkg/types.py as a whole
          pkg/ctx.py:13: it would use the module that it is in
        suggestion: use its names instead
    "#]],
    );
}

#[test]
fn st1_move_leaves_what_python_looks_up_in_the_module() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
def __getattr__(name):
    raise AttributeError(name)


def moved():
    return 1
"#;
    check(
        fixture,
        "pkg/old.py#__getattr__",
        "pkg/new.py",
        &expect![[r#"
        refused: `__getattr__` works for the module that it is in: pkg/old.py
          pkg/old.py:1: `__getattr__` is defined here
        suggestion: leave it there, and move the rest
    "#]],
    );
}

#[test]
fn st1_move_leaves_code_for_some_systems_below_its_check() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/console.py
import sys

assert sys.platform == "win32"

from ctypes import windll

LIMIT = 8


def kernel():
    return windll.kernel32
"#;
    check(
        fixture,
        "pkg/console.py#kernel",
        "pkg/new.py",
        &expect![[r#"
        refused: pkg/console.py is loaded on some systems only
          pkg/console.py:3: the moved code relies on this check, which pkg/new.py lacks
        suggestion: write the check into the new module first
    "#]],
    );
    check(
        fixture,
        "pkg/console.py#LIMIT",
        "pkg/new.py",
        &expect![[r#"
        `LIMIT` moved from pkg/console.py to pkg/new.py
        //- pkg/console.py
        import sys

        assert sys.platform == "win32"

        from ctypes import windll


        def kernel():
            return windll.kernel32
        //- pkg/new.py (created)
        LIMIT = 8
        api: pkg/console.py pkg.console.LIMIT -> pkg.new.LIMIT
    "#]],
    );
}

#[test]
fn st1_move_leaves_modules_that_no_statement_imports() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/table-14.py
TABLE = [1]
//- pkg/load.py
from importlib import import_module


def load(version):
    return import_module(f"pkg.table-{version}").TABLE
"#;
    check(
        fixture,
        "pkg/table-14.py#TABLE",
        "pkg/new.py",
        &expect![[r#"
            refused: no `import` can name pkg/table-14.py, so what uses its names cannot be found
            suggestion: change it by hand, with the code that loads it
        "#]],
    );
}

#[test]
fn st1_move_leaves_what_code_in_a_text_takes() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/compat.py
LIMIT = 8


def other():
    return 1
//- pkg/make.py
from pkg import compat


def make():
    code = {}
    exec("def f():\n    return compat.LIMIT + other.LIMIT", {"compat": compat}, code)
    return code["f"]
"#;
    check(
        fixture,
        "pkg/compat.py#LIMIT",
        "pkg/make.py",
        &expect![[r#"
            refused: code that is written as text takes names of pkg/compat.py
              pkg/make.py:6: `LIMIT` stands in code that is run from a text
            suggestion: move it by hand, and change the text
        "#]],
    );
    check(
        fixture,
        "pkg/compat.py#other",
        "pkg/new.py",
        &expect![[r#"
            `other` moved from pkg/compat.py to pkg/new.py
            //- pkg/compat.py
            LIMIT = 8
            //- pkg/new.py (created)
            def other():
                return 1
            api: pkg/compat.py pkg.compat.other -> pkg.new.other
        "#]],
    );
}

#[test]
fn st1_move_takes_no_module_of_one_system_to_the_others() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/win32.py
import sys

if sys.platform != "win32":
    raise ImportError("for Windows")


class Term:
    pass
//- pkg/render.py
from pkg.win32 import Term


def render():
    return Term()
//- pkg/rule.py
RULE = 1
"#;
    check(
        fixture,
        "pkg/render.py#render",
        "pkg/rule.py",
        &expect![[r#"
            refused: pkg/win32.py cannot be loaded on every system
              pkg/render.py:1: pkg/rule.py would import `Term`, which needs it
            suggestion: choose another module
        "#]],
    );
    check(
        fixture,
        "pkg/rule.py#RULE",
        "pkg/render.py",
        &expect![[r#"
            refused: pkg/win32.py cannot be loaded on every system, and pkg/render.py imports it
            suggestion: choose another module
        "#]],
    );
}
