//! Modules and packages with other names and in other folders.

use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, path: &str, to: &str, expected: &Expect) {
    let operation = format!(r#"{{"operation": "rename-module", "path": "{path}", "to": "{to}"}}"#);
    expected.assert_eq(&snapshot(fixture, &operation));
}

const PROJECT: &str = r#"
//- app/__init__.py
from . import retry, views
from .retry import add

__all__ = ["retry", "add"]
//- app/retry.py
from .base import show
from .sub import deep


def add(): pass
//- app/views.py
import app.retry
from app import retry as r


def show():
    from app.retry import add
    return app.retry.add(), r.add(), add
//- app/base.py
def show(): pass
//- app/sub/__init__.py
//- app/sub/deep.py
def x():
    from ..retry import add
    from .. import retry
    return retry.add, add
//- tests/test_retry.py
from unittest import mock

from app import retry

SETTINGS = ["app.retry"]


@mock.patch("app.retry.add")
def test_retry(add):
    retry.add()
//- docs/reference/app.retry.rst
=============
 ``app.retry``
=============

.. automodule:: app.retry
   :members:
//- docs/index.rst
.. toctree::

    app.retry
    app.views
//- pyproject.toml
[tool.scan]
files = ["app/retry.py"]
"#;

#[test]
fn st1_rename_module_in_its_folder() {
    check(
        PROJECT,
        "app/retry.py",
        "app/again.py",
        &expect![[r#"
            app/retry.py renamed to app/again.py
            //- app/__init__.py
            from . import again, views
            from .again import add

            __all__ = ["again", "add"]
            //- app/again.py (created)
            from .base import show
            from .sub import deep


            def add(): pass
            //- app/retry.py (removed)
            //- app/sub/deep.py
            def x():
                from ..again import add
                from .. import again
                return again.add, add
            //- app/views.py
            import app.again
            from app import again as r


            def show():
                from app.again import add
                return app.again.add(), r.add(), add
            //- docs/index.rst
            .. toctree::

                app.again
                app.views
            //- docs/reference/app.again.rst (created)
            =============
             ``app.again``
            =============

            .. automodule:: app.again
               :members:
            //- docs/reference/app.retry.rst (removed)
            //- pyproject.toml
            [tool.scan]
            files = ["app/again.py"]
            //- tests/test_retry.py
            from unittest import mock

            from app import again

            SETTINGS = ["app.again"]


            @mock.patch("app.again.add")
            def test_retry(add):
                again.add()
            api: app/retry.py app.retry -> app.again
        "#]],
    );
}

#[test]
fn st1_rename_module_into_another_folder() {
    check(
        PROJECT,
        "app/retry.py",
        "app/sub/retry.py",
        &expect![[r#"
            app/retry.py renamed to app/sub/retry.py
            //- app/__init__.py
            from . import views
            from .sub import retry
            from .sub.retry import add

            __all__ = ["retry", "add"]
            //- app/retry.py (removed)
            //- app/sub/deep.py
            def x():
                from .retry import add
                from . import retry
                return retry.add, add
            //- app/sub/retry.py (created)
            from ..base import show
            from . import deep


            def add(): pass
            //- app/views.py
            import app.sub.retry
            from app.sub import retry as r


            def show():
                from app.sub.retry import add
                return app.sub.retry.add(), r.add(), add
            //- docs/index.rst
            .. toctree::

                app.sub.retry
                app.views
            //- docs/reference/app.retry.rst (removed)
            //- docs/reference/app.sub.retry.rst (created)
            =================
             ``app.sub.retry``
            =================

            .. automodule:: app.sub.retry
               :members:
            //- pyproject.toml
            [tool.scan]
            files = ["app/sub/retry.py"]
            //- tests/test_retry.py
            from unittest import mock

            from app.sub import retry

            SETTINGS = ["app.sub.retry"]


            @mock.patch("app.sub.retry.add")
            def test_retry(add):
                retry.add()
            api: app/retry.py app.retry -> app.sub.retry
        "#]],
    );
    check(
        PROJECT,
        "app/retry.py",
        "core/",
        &expect![[r#"
        refused: app/__init__.py could not import core/retry.py as `retry`
        suggestion: choose a folder that is a package, or add an `__init__.py` to it
    "#]],
    );
}

#[test]
fn st1_rename_package() {
    check(
        PROJECT,
        "app/sub",
        "app/inner",
        &expect![[r#"
            app/sub renamed to app/inner
            //- app/inner/__init__.py (created)
            //- app/inner/deep.py (created)
            def x():
                from ..retry import add
                from .. import retry
                return retry.add, add
            //- app/retry.py
            from .base import show
            from .inner import deep


            def add(): pass
            //- app/sub/__init__.py (removed)
            //- app/sub/deep.py (removed)
            api: app/sub/__init__.py app.sub -> app.inner
        "#]],
    );
    check(
        PROJECT,
        "app",
        "lib/application",
        &expect![[r#"
            app renamed to lib/application
            //- app/__init__.py (removed)
            //- app/base.py (removed)
            //- app/retry.py (removed)
            //- app/sub/__init__.py (removed)
            //- app/sub/deep.py (removed)
            //- app/views.py (removed)
            //- docs/index.rst
            .. toctree::

                application.retry
                application.views
            //- docs/reference/app.retry.rst (removed)
            //- docs/reference/application.retry.rst (created)
            =====================
             ``application.retry``
            =====================

            .. automodule:: application.retry
               :members:
            //- lib/application/__init__.py (created)
            from . import retry, views
            from .retry import add

            __all__ = ["retry", "add"]
            //- lib/application/base.py (created)
            def show(): pass
            //- lib/application/retry.py (created)
            from .base import show
            from .sub import deep


            def add(): pass
            //- lib/application/sub/__init__.py (created)
            //- lib/application/sub/deep.py (created)
            def x():
                from ..retry import add
                from .. import retry
                return retry.add, add
            //- lib/application/views.py (created)
            import application.retry
            from application import retry as r


            def show():
                from application.retry import add
                return application.retry.add(), r.add(), add
            //- tests/test_retry.py
            from unittest import mock

            from application import retry

            SETTINGS = ["application.retry"]


            @mock.patch("application.retry.add")
            def test_retry(add):
                retry.add()
            api: app/__init__.py app -> application
            mention: pyproject.toml:2: files = ["app/retry.py"]
        "#]],
    );
}

#[test]
fn st1_rename_module_refuses_what_is_there() {
    check(
        PROJECT,
        "app/retry.py",
        "app/views.py",
        &expect![[r#"
        refused: there is a file app/views.py already
        suggestion: choose another name
    "#]],
    );
    check(
        PROJECT,
        "app/retry.py",
        "app/re-try.py",
        &expect![[r#"
        refused: app/re-try.py cannot be the file of a Python module
        suggestion: name a file such as `package/module.py`
    "#]],
    );
    check(
        PROJECT,
        "app/missing.py",
        "app/x.py",
        &expect![[r#"
        refused: app/missing.py is not a Python file of the project, or has syntax errors
        suggestion: name the file of a module
    "#]],
    );
    check(
        PROJECT,
        "app/sub",
        "app/sub/below",
        &expect![[r#"
        refused: app/sub cannot become app/sub/below
        suggestion: choose a folder outside of it
    "#]],
    );
}

#[test]
fn st1_rename_module_whose_new_name_is_taken_in_a_file() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/params.py
class Body: ...
//- a.py
from pkg import params


def f(items):
    for param in items:
        print(param)
    return params.Body(items)


def g(param):
    return param
//- b.py
from pkg import params


def f(param):
    return params.Body(param)
//- c.py
from pkg import params
param = params.Body()
"#;
    check(
        fixture,
        "pkg/params.py",
        "pkg/param.py",
        &expect![[r#"
        pkg/params.py renamed to pkg/param.py
        //- a.py
        from pkg import param


        def f(items):
            for param_ in items:
                print(param_)
            return param.Body(items)


        def g(param):
            return param
        //- b.py
        from pkg import param as params


        def f(param):
            return params.Body(param)
        //- c.py
        from pkg import param as params
        param = params.Body()
        //- pkg/param.py (created)
        class Body: ...
        //- pkg/params.py (removed)
        api: pkg/params.py pkg.params -> pkg.param
        note: `param` is taken in b.py: the module is imported `as params`
        note: `param` is taken in c.py: the module is imported `as params`
    "#]],
    );
}

#[test]
fn st1_rename_module_keeps_imports_sorted() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/autoretry.py
def add(): pass
//- pkg/base.py
from . import backends, builtins  # noqa
from .annotations import prepare
from .autoretry import add  # the one
from .defaults import (
    A,
    B,
)
from .registry import C
//- pkg/other.py
import os
from pkg import autoretry, zebra
import pkg.autoretry as ar
"#;
    check(
        fixture,
        "pkg/autoretry.py",
        "pkg/retry.py",
        &expect![[r#"
        pkg/autoretry.py renamed to pkg/retry.py
        //- pkg/autoretry.py (removed)
        //- pkg/base.py
        from . import backends, builtins  # noqa
        from .annotations import prepare
        from .defaults import (
            A,
            B,
        )
        from .registry import C
        from .retry import add  # the one
        //- pkg/other.py
        import os
        from pkg import retry, zebra
        import pkg.retry as ar
        //- pkg/retry.py (created)
        def add(): pass
        api: pkg/autoretry.py pkg.autoretry -> pkg.retry
    "#]],
    );
}
