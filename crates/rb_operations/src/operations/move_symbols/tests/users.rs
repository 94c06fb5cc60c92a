//! Other files, which follow.

use expect_test::expect;

use super::check;

#[test]
fn st1_move_to_a_new_module_carries_its_imports() {
    let fixture = r#"
//- pkg/__init__.py
from .old import f
//- pkg/old.py
"""Doc."""
import json
import os
from typing import Any

from pkg.other import helper, unused_helper

LIMIT = 3


# Says how.
def f(path: Any) -> str:
    """Reads."""
    return helper(os.path.join(path, json.dumps(LIMIT)))


def g():
    return unused_helper(json)
//- pkg/other.py
def helper(x): return x
def unused_helper(x): return x
//- tests/test_old.py
from unittest import mock

from pkg import old
from pkg.old import LIMIT, f, g


@mock.patch("pkg.old.f")
def test_f(patched):
    assert old.f("x") == f("x")
    assert old.g() == g()
"#;
    check(
        fixture,
        "pkg/old.py#f",
        "pkg/new.py",
        &expect![[r#"
        `f` moved from pkg/old.py to pkg/new.py
        //- pkg/__init__.py
        from .new import f
        //- pkg/new.py (created)
        import json
        import os
        from typing import Any

        from pkg.old import LIMIT
        from pkg.other import helper


        # Says how.
        def f(path: Any) -> str:
            """Reads."""
            return helper(os.path.join(path, json.dumps(LIMIT)))
        //- pkg/old.py
        """Doc."""
        import json

        from pkg.other import unused_helper

        LIMIT = 3


        def g():
            return unused_helper(json)
        //- tests/test_old.py
        from unittest import mock

        from pkg import new, old
        from pkg.new import f
        from pkg.old import LIMIT, g


        @mock.patch("pkg.new.f")
        def test_f(patched):
            assert new.f("x") == f("x")
            assert old.g() == g()
        api: pkg/old.py pkg.old.f -> pkg.new.f
    "#]],
    );
}

#[test]
fn st1_move_patches_follow_the_code_that_looks_the_name_up() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
import json
import os


def helper(): return os.getcwd()


def moved(): return helper(), json.dumps(os.sep)


def stays(): return moved(), os.name
//- tests/test_it.py
from unittest import mock

import pkg.old


@mock.patch("pkg.old.json.dumps")
@mock.patch("pkg.old.moved")
@mock.patch("pkg.old.os")
@mock.patch("pkg.old.stays")
def test(*mocks):
    with mock.patch.object(pkg.old, "json"), mock.patch.object(pkg.old, "stays"):
        load = "pkg.old.moved"
"#;
    check(
        fixture,
        "pkg/old.py#moved",
        "pkg/new.py",
        &expect![[r#"
        `moved` moved from pkg/old.py to pkg/new.py
        //- pkg/new.py (created)
        import json
        import os


        def moved():
            from pkg.old import helper
            return helper(), json.dumps(os.sep)
        //- pkg/old.py
        import os

        from pkg.new import moved


        def helper(): return os.getcwd()


        def stays(): return moved(), os.name
        //- tests/test_it.py
        from unittest import mock

        import pkg.new
        import pkg.old


        @mock.patch("pkg.new.json.dumps")
        @mock.patch("pkg.old.moved")
        @mock.patch("pkg.old.os")
        @mock.patch("pkg.old.stays")
        def test(*mocks):
            with mock.patch.object(pkg.new, "json"), mock.patch.object(pkg.old, "stays"):
                load = "pkg.new.moved"
        api: pkg/old.py pkg.old.moved -> pkg.new.moved
        note: pkg/new.py imports `helper` inside of functions: at its top that would be an import cycle
        mention: tests/test_it.py:8: @mock.patch("pkg.old.os")
    "#]],
    );
}

#[test]
fn st1_move_users_of_every_form() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
def f(): pass
def g(): pass
//- pkg/new.py
//- a.py
import pkg.old
pkg.old.f()
//- b.py
import pkg.old
pkg.old.f(pkg.old.g)
//- c.py
from pkg import old as o
o.f()
//- d.py
from pkg import old
new = old.f(old.g())
//- e.py
def run():
    from pkg.old import f, g
    from pkg import old
    return f, g, old.f
//- f.py
from pkg.old import *
f()
//- pkg/rel.py
from .old import f as ff, g
try:
    from .old import f
except ImportError:
    f = None
//- docs/a.rst
See :func:`pkg.old.f` and :func:`pkg.old.g`.
//- CHANGES.rst
Added pkg.old.f
"#;
    check(
        fixture,
        "pkg/old.py#f",
        "pkg/new.py",
        &expect![[r#"
        `f` moved from pkg/old.py to pkg/new.py
        //- a.py
        import pkg.new
        pkg.new.f()
        //- b.py
        import pkg.new
        import pkg.old
        pkg.new.f(pkg.old.g)
        //- c.py
        from pkg import new as o
        o.f()
        //- d.py
        from pkg import new as pkg_new
        from pkg import old
        new = pkg_new.f(old.g())
        //- docs/a.rst
        See :func:`pkg.new.f` and :func:`pkg.old.g`.
        //- e.py
        def run():
            from pkg.old import g
            from pkg.new import f
            from pkg import new
            return f, g, new.f
        //- f.py
        from pkg.new import f
        from pkg.old import *
        f()
        //- pkg/new.py
        def f(): pass
        //- pkg/old.py
        def g(): pass
        //- pkg/rel.py
        from .new import f as ff
        from .old import g
        try:
            from .new import f
        except ImportError:
            f = None
        api: pkg/old.py pkg.old.f -> pkg.new.f
        mention: CHANGES.rst:1: Added pkg.old.f
    "#]],
    );
}

#[test]
fn st1_move_in_a_folder_without_init_below_a_package() {
    let fixture = r#"
//- src/pkg/__init__.py
from .inner.app import f
//- src/pkg/inner/app.py
from ..helpers import h


def f(): return h()


def g(): return f()
//- src/pkg/helpers.py
def h(): pass
"#;
    check(
        fixture,
        "src/pkg/inner/app.py#f",
        "src/pkg/inner/new.py",
        &expect![[r#"
        `f` moved from src/pkg/inner/app.py to src/pkg/inner/new.py
        //- src/pkg/__init__.py
        from .inner.new import f
        //- src/pkg/inner/app.py
        from .new import f


        def g(): return f()
        //- src/pkg/inner/new.py (created)
        from ..helpers import h


        def f(): return h()
        api: src/pkg/inner/app.py pkg.inner.app.f -> pkg.inner.new.f
    "#]],
    );
    check(
        fixture,
        "src/pkg/inner/app.py#f",
        "src/pkg/helpers.py",
        &expect![[r#"
        `f` moved from src/pkg/inner/app.py to src/pkg/helpers.py
        //- src/pkg/__init__.py
        from .helpers import f
        //- src/pkg/helpers.py
        def h(): pass


        def f(): return h()
        //- src/pkg/inner/app.py
        from ..helpers import f


        def g(): return f()
        api: src/pkg/inner/app.py pkg.inner.app.f -> pkg.helpers.f
    "#]],
    );
}

#[test]
fn st1_move_assignments_to_a_module_are_patches() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
def f(): pass


def g(): return f()
//- tests/test_f.py
from pkg import old

f = old.f
old.f = None
"#;
    check(
        fixture,
        "pkg/old.py#f",
        "pkg/new.py",
        &expect![[r#"
        `f` moved from pkg/old.py to pkg/new.py
        //- pkg/new.py (created)
        def f(): pass
        //- pkg/old.py
        from pkg.new import f


        def g(): return f()
        //- tests/test_f.py
        from pkg import new, old

        f = new.f
        old.f = None
        api: pkg/old.py pkg.old.f -> pkg.new.f
    "#]],
    );
}

#[test]
fn st1_move_keeps_imports_that_give_a_name_on() {
    let fixture = r#"
//- pkg/__init__.py
from .old import a as a
from .old import b as b
from .old import c as c
//- pkg/old.py
def a(): pass


def b(): pass


def c(): pass
"#;
    check(
        fixture,
        "pkg/old.py#a pkg/old.py#b",
        "pkg/new.py",
        &expect![[r#"
        `a`, `b` moved from pkg/old.py to pkg/new.py
        //- pkg/__init__.py
        from .new import a as a
        from .new import b as b
        from .old import c as c
        //- pkg/new.py (created)
        def a(): pass


        def b(): pass
        //- pkg/old.py
        def c(): pass
        api: pkg/old.py pkg.old.a -> pkg.new.a
        api: pkg/old.py pkg.old.b -> pkg.new.b
    "#]],
    );
}

#[test]
fn st1_move_refuses_a_lookup_of_the_name_in_the_new_module() {
    let fixture = r#"
//- old.py
def f(): pass
//- new.py
import old

print(getattr(old, "f")())
"#;
    check(
        fixture,
        "old.py#f",
        "new.py",
        &expect![[r#"
        refused: new.py looks up `f` in the old module by its name
          new.py:3: the name is a string here
        suggestion: use the name itself here first
    "#]],
    );
}

#[test]
fn st1_move_keeps_comments_for_linters_at_each_import() {
    let fixture = r#"
//- pkg/__init__.py
from .old import moved, stays  # noqa: F401
//- pkg/old.py
def moved():
    return 1


def stays():
    return 2
"#;
    check(
        fixture,
        "pkg/old.py#moved",
        "pkg/new.py",
        &expect![[r#"
        `moved` moved from pkg/old.py to pkg/new.py
        //- pkg/__init__.py
        from .new import moved  # noqa: F401
        from .old import stays  # noqa: F401
        //- pkg/new.py (created)
        def moved():
            return 1
        //- pkg/old.py
        def stays():
            return 2
        api: pkg/old.py pkg.old.moved -> pkg.new.moved
    "#]],
    );
}

#[test]
fn st1_move_writes_imports_as_the_neighbours_do() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/internal.py
def log(): ...
//- pkg/debug/__init__.py
from ..internal import log
//- pkg/debug/shown.py
import re

HELP = "help"


def show():
    return HELP
"#;
    check(
        fixture,
        "pkg/debug/shown.py#HELP",
        "pkg/internal.py",
        &expect![[r#"
        `HELP` moved from pkg/debug/shown.py to pkg/internal.py
        //- pkg/debug/shown.py
        import re

        from ..internal import HELP


        def show():
            return HELP
        //- pkg/internal.py
        HELP = "help"


        def log(): ...
        api: pkg/debug/shown.py pkg.debug.shown.HELP -> pkg.internal.HELP
    "#]],
    );
}
