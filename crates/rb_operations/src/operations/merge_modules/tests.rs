//! Modules that become one.

use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, modules: &str, into: &str, merge_tests: bool, expected: &Expect) {
    let modules: Vec<String> = modules.split(' ').map(|module| format!("\"{module}\"")).collect();
    let operation = format!(
        r#"{{"operation": "merge", "modules": [{}], "into": "{into}", "merge_tests": {merge_tests}}}"#,
        modules.join(", ")
    );
    expected.assert_eq(&snapshot(fixture, &operation));
}

#[test]
fn st1_merge_into_an_existing_module() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/dates.py
"Commonly-used dates"

from lib.translation import gettext_lazy as _

# The days.
DAYS = {
    1: _("Monday"),
}
MONTHS = {1: _("January")}

# Apart.

def first(): return DAYS[1]
//- pkg/formats.py
"""Formats."""

import os
from pkg.dates import (
    DAYS,
    MONTHS,
)
from lib.translation import gettext as _

SEP = os.sep


class Format:
    def day(self): return DAYS[1], MONTHS[1], _("x")
//- pkg/widgets.py
from pkg import dates
from pkg.dates import MONTHS as m, first

x = dates.DAYS, m, first
//- tests/test_dates.py
import pkg.dates

from unittest import mock

with mock.patch("pkg.dates.DAYS"):
    pkg.dates.first()
//- docs/dates.txt
``pkg.dates`` is in ``pkg/dates.py``.
"#;
    check(
        fixture,
        "pkg/dates.py",
        "pkg/formats.py",
        false,
        &expect![[r#"
        pkg/dates.py merged into pkg/formats.py
        //- docs/dates.txt
        ``pkg.formats`` is in ``pkg/formats.py``.
        //- pkg/dates.py (removed)
        //- pkg/formats.py
        """Formats."""

        import os
        from lib.translation import gettext as _
        from lib.translation import gettext_lazy

        SEP = os.sep

        # The days.
        DAYS = {
            1: gettext_lazy("Monday"),
        }
        MONTHS = {1: gettext_lazy("January")}


        class Format:
            def day(self): return DAYS[1], MONTHS[1], _("x")


        # Apart.

        def first(): return DAYS[1]
        //- pkg/widgets.py
        from pkg import formats
        from pkg.formats import MONTHS as m, first

        x = formats.DAYS, m, first
        //- tests/test_dates.py
        import pkg.formats

        from unittest import mock

        with mock.patch("pkg.formats.DAYS"):
            pkg.formats.first()
        api: pkg/dates.py pkg.dates.DAYS -> pkg.formats.DAYS
        api: pkg/dates.py pkg.dates.MONTHS -> pkg.formats.MONTHS
        api: pkg/dates.py pkg.dates.first -> pkg.formats.first
        note: `_` is taken in pkg/formats.py: the moved code uses `gettext_lazy`
    "#]],
    );
}

#[test]
fn st1_merge_two_modules_and_their_tests_into_a_new_one() {
    let fixture = r#"
//- utils/__init__.py
//- utils/hashable.py
from utils.itercompat import is_iterable


def make_hashable(value):
    return is_iterable(value)
//- utils/itercompat.py
def is_iterable(x):
    "An implementation independent way of checking for iterables"
    return iter(x)
//- tests/test_hashable.py
from unittest import TestCase

from utils.hashable import make_hashable


class TestHashable(TestCase):
    def test_equal(self): make_hashable(1)
//- tests/test_itercompat.py
from unittest import TestCase

from utils.itercompat import is_iterable


class TestIterCompat(TestCase):
    def test(self): is_iterable(1)
"#;
    check(
        fixture,
        "utils/hashable.py utils/itercompat.py",
        "utils/able.py",
        true,
        &expect![[r#"
        utils/hashable.py and utils/itercompat.py merged into utils/able.py
        //- tests/test_able.py (created)
        from unittest import TestCase

        from utils.able import is_iterable, make_hashable


        class TestHashable(TestCase):
            def test_equal(self): make_hashable(1)


        class TestIterCompat(TestCase):
            def test(self): is_iterable(1)
        //- tests/test_hashable.py (removed)
        //- tests/test_itercompat.py (removed)
        //- utils/able.py (created)
        def make_hashable(value):
            return is_iterable(value)


        def is_iterable(x):
            "An implementation independent way of checking for iterables"
            return iter(x)
        //- utils/hashable.py (removed)
        //- utils/itercompat.py (removed)
        api: utils/hashable.py utils.hashable.make_hashable -> utils.able.make_hashable
        api: utils/itercompat.py utils.itercompat.is_iterable -> utils.able.is_iterable
    "#]],
    );
}

#[test]
fn st1_merge_refuses_clashes() {
    let fixture = "//- a.py\ndef f(): return 1\n//- b.py\ndef f(): return 2\n";
    check(
        fixture,
        "a.py",
        "b.py",
        false,
        &expect![[r#"
        refused: b.py already has something else named `f`
          b.py:1: `f` is defined here
        suggestion: rename one of the two first
    "#]],
    );
    check(
        fixture,
        "b.py",
        "b.py",
        false,
        &expect![[r#"
        refused: no module to merge was named
        suggestion: name the files of two modules
    "#]],
    );
}

#[test]
fn st1_merge_drops_equal_statements_and_keeps_the_main_guard_last() {
    let fixture = r#"
//- a.py
import logging
logger = logging.getLogger(__name__)

def f(): logger.info(1)
//- b.py
import logging
logger = logging.getLogger(__name__)

def main(): pass

if __name__ == "__main__":
    main()
"#;
    check(
        fixture,
        "a.py",
        "b.py",
        false,
        &expect![[r#"
        a.py merged into b.py
        //- a.py (removed)
        //- b.py
        import logging
        logger = logging.getLogger(__name__)

        def main(): pass


        def f(): logger.info(1)


        if __name__ == "__main__":
            main()
        api: a.py a.f -> b.f
        api: a.py a.logger -> b.logger
    "#]],
    );
}

#[test]
fn st1_merge_into_a_module_that_uses_it_at_load_time() {
    let fixture = r#"
//- pkg/__init__.py
from .b import *
//- pkg/b.py
__all__ = ["Base"]
class Base: pass
//- pkg/a.py
import pkg.b
X = 1
class Child(pkg.b.Base): pass
"#;
    check(
        fixture,
        "pkg/b.py",
        "pkg/a.py",
        false,
        &expect![[r#"
        pkg/b.py merged into pkg/a.py
        //- pkg/__init__.py
        from .a import Base
        //- pkg/a.py
        X = 1


        class Base: pass


        class Child(Base): pass
        //- pkg/b.py (removed)
        api: pkg/b.py pkg.b.Base -> pkg.a.Base
    "#]],
    );
}

#[test]
fn st1_merge_keeps_names_that_the_old_module_only_passed_on() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/functional.py
from lib import memoize


def first(): pass
//- pkg/names.py
from .functional import first, memoize


@memoize
def name(): return first()
//- pkg/user.py
from pkg.functional import memoize as m
"#;
    check(
        fixture,
        "pkg/functional.py",
        "pkg/names.py",
        false,
        &expect![[r#"
        pkg/functional.py merged into pkg/names.py
        //- pkg/functional.py (removed)
        //- pkg/names.py
        from lib import memoize


        @memoize
        def name(): return first()


        def first(): pass
        //- pkg/user.py
        from lib import memoize as m
        api: pkg/functional.py pkg.functional.first -> pkg.names.first
    "#]],
    );
}

#[test]
fn st1_merge_refuses_a_namespace_that_is_used_before_it_is_there() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/state.py
ready = 1
//- pkg/box.py
from . import worker
//- pkg/worker.py
from . import state
x = state.ready
"#;
    check(
        fixture,
        "pkg/state.py",
        "pkg/box.py",
        false,
        &expect![[r#"
        refused: pkg/worker.py and pkg/box.py would import each other while they are loaded (pkg/box.py → pkg/worker.py)
          pkg/worker.py:2: this is needed when this file is loaded
        suggestion: choose another module
    "#]],
    );
    let late = fixture.replace("x = state.ready", "def x(): return state.ready");
    check(
        &late,
        "pkg/state.py",
        "pkg/box.py",
        false,
        &expect![[r#"
        pkg/state.py merged into pkg/box.py
        //- pkg/box.py
        from . import worker

        ready = 1
        //- pkg/state.py (removed)
        //- pkg/worker.py
        from . import box
        def x(): return box.ready
        api: pkg/state.py pkg.state.ready -> pkg.box.ready
    "#]],
    );
}

#[test]
fn st1_merge_leaves_no_entry_twice() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/dates.py
def f(): pass
//- pkg/format.py
def g(): pass
//- docs/pkg.dates.rst
=============
 ``pkg.dates``
=============

.. automodule:: pkg.dates
    :members:
//- docs/pkg.format.rst
.. automodule:: pkg.format
//- docs/index.rst
.. toctree::

    pkg.format
    pkg.dates
    pkg.other

See pkg.dates.f.
//- report.json
{
  "pkg/dates.py": {
  },
  "pkg/format.py": {
  }
}
"#;
    check(
        fixture,
        "pkg/dates.py",
        "pkg/format.py",
        false,
        &expect![[r#"
            pkg/dates.py merged into pkg/format.py
            //- docs/index.rst
            .. toctree::

                pkg.format
                pkg.other

            See pkg.format.f.
            //- docs/pkg.dates.rst (removed)
            //- pkg/dates.py (removed)
            //- pkg/format.py
            def g(): pass


            def f(): pass
            api: pkg/dates.py pkg.dates.f -> pkg.format.f
            mention: report.json:2: "pkg/dates.py": {
        "#]],
    );
}
