use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

/// The operation without conditions.
fn rename(symbol: &str, to: &str) -> String {
    format!(r#"{{"operation": "rename", "symbol": "{symbol}", "to": "{to}"}}"#)
}

const PACKAGE: &str = "\
//- pkg/__init__.py
from .helpers import old as old
//- pkg/helpers.py
__all__ = ['old', 'other']

def old(x):
    return x

def other():
    return old(1)
//- pkg/user.py
from .helpers import old, other
from .helpers import old as aliased

def run():
    return old(aliased(2)) + other()
//- tests/test_helpers.py
from unittest import mock
import pkg
from pkg import helpers

def test_old():
    with mock.patch('pkg.helpers.old'):
        assert pkg.old(1) == helpers.old(1)
";

#[test]
fn st1_a_function_is_renamed_in_every_file() {
    check(
        PACKAGE,
        &rename("pkg/helpers.py#old", "fresh"),
        &expect![[r#"
        `old` renamed to `fresh` in 4 files
        //- pkg/__init__.py
        from .helpers import fresh as fresh
        //- pkg/helpers.py
        __all__ = ['fresh', 'other']

        def fresh(x):
            return x

        def other():
            return fresh(1)
        //- pkg/user.py
        from .helpers import fresh, other
        from .helpers import fresh as aliased

        def run():
            return fresh(aliased(2)) + other()
        //- tests/test_helpers.py
        from unittest import mock
        import pkg
        from pkg import helpers

        def test_old():
            with mock.patch('pkg.helpers.fresh'):
                assert pkg.fresh(1) == helpers.fresh(1)
        api: pkg/helpers.py old -> fresh
        api: pkg/__init__.py old -> fresh
        note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` at the end of pkg/helpers.py
        mention: tests/test_helpers.py:5: def test_old():
    "#]],
    );
}

#[test]
fn st1_a_module_keeps_the_old_name_for_its_users() {
    let operation = r#"{"operation": "rename", "symbol": "pkg/helpers.py#old", "to": "fresh",
        "keep_name_in": ["pkg/__init__.py"]}"#;
    check(
        PACKAGE,
        operation,
        &expect![[r#"
        `old` renamed to `fresh` in 4 files
        //- pkg/__init__.py
        from .helpers import fresh as old
        //- pkg/helpers.py
        __all__ = ['fresh', 'other']

        def fresh(x):
            return x

        def other():
            return fresh(1)
        //- pkg/user.py
        from .helpers import fresh, other
        from .helpers import fresh as aliased

        def run():
            return fresh(aliased(2)) + other()
        //- tests/test_helpers.py
        from unittest import mock
        import pkg
        from pkg import helpers

        def test_old():
            with mock.patch('pkg.helpers.fresh'):
                assert pkg.old(1) == helpers.fresh(1)
        api: pkg/helpers.py old -> fresh
        note: `old` is public: users outside of this project have to follow, except through pkg/__init__.py. To keep the old name for them, add `old = fresh` at the end of pkg/helpers.py
        mention: tests/test_helpers.py:5: def test_old():
    "#]],
    );
}

#[test]
fn st1_users_of_a_kept_name_keep_it_too() {
    check(
        "\
//- pkg/__init__.py
from pkg.core import old

__all__ = ['old']
//- pkg/core.py
def old(): pass
//- pkg/again.py
from pkg import old
from pkg import *

def use():
    return old()
//- app.py
from pkg.again import old
import pkg.core

old()
pkg.old()
pkg.core.old()
",
        r#"{"operation": "rename", "symbol": "pkg/core.py#old", "to": "fresh",
            "keep_name_in": ["pkg/__init__.py"]}"#,
        &expect![[r#"
            `old` renamed to `fresh` in 3 files
            //- app.py
            from pkg.again import old
            import pkg.core

            old()
            pkg.old()
            pkg.core.fresh()
            //- pkg/__init__.py
            from pkg.core import fresh as old

            __all__ = ['old']
            //- pkg/core.py
            def fresh(): pass
            api: pkg/core.py old -> fresh
            note: `old` is public: users outside of this project have to follow, except through pkg/__init__.py. To keep the old name for them, add `old = fresh` at the end of pkg/core.py
        "#]],
    );
}

#[test]
fn st1_a_module_that_has_no_such_name_cannot_keep_it() {
    check(
        PACKAGE,
        r#"{"operation": "rename", "symbol": "pkg/helpers.py#old", "to": "fresh",
            "keep_name_in": ["pkg/nothing.py"]}"#,
        &expect![[r#"
            refused: pkg/nothing.py does not import `old` under this name
            suggestion: name a module that gives it to others, such as an `__init__.py`
        "#]],
    );
}

#[test]
fn st1_names_that_are_taken_are_refused() {
    let fixture = "\
//- a.py
def old(): pass
def fresh(): pass
def other(parameter):
    return old()
";
    check(
        fixture,
        &rename("a.py#old", "fresh"),
        &expect![[r#"
        refused: `fresh` is taken
          a.py:2: `fresh` is bound here already
        suggestion: choose another name, or rename the other one first
    "#]],
    );
    check(
        fixture,
        &rename("a.py#old", "parameter"),
        &expect![[r#"
        refused: `parameter` is taken
          a.py:4: `old` would be taken for another `parameter`
        suggestion: choose another name, or rename the other one first
    "#]],
    );
    check(
        fixture,
        &rename("a.py#old", "list"),
        &expect![[r#"
        refused: `list` is a builtin of Python, which the new name would hide
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        &rename("a.py#old", "class"),
        &expect![[r#"
        refused: `class` is a keyword of Python
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        &rename("a.py#old", "old"),
        &expect![[r#"
        refused: `old` has this name already
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        &rename("a.py#missing", "fresh"),
        &expect![[r#"
        refused: a.py has no top-level name `missing`
        suggestion: check the name, or name the file that declares it
    "#]],
    );
    check(
        fixture,
        &rename("b.py#old", "fresh"),
        &expect![[r#"
        refused: b.py is not a Python file that can be read
        suggestion: check the path, and that the file has no syntax errors
    "#]],
    );
}

#[test]
fn st1_a_file_with_another_of_that_name_imports_it_as_the_old_one() {
    check(
        "\
//- a.py
def old(): pass
//- b.py
from a import old
from c import fresh

print(old, fresh)
//- c.py
fresh = 1
//- d.py
from b import old
//- e.py
from a import old

def f(fresh):
    return old(fresh)
",
        &rename("a.py#old", "fresh"),
        &expect![[r#"
            `old` renamed to `fresh` in 3 files
            //- a.py
            def fresh(): pass
            //- b.py
            from a import fresh as old
            from c import fresh

            print(old, fresh)
            //- e.py
            from a import fresh as old

            def f(fresh):
                return old(fresh)
            api: a.py old -> fresh
            note: b.py has another `fresh`: it imports the symbol `as old` and goes on with that name
            note: e.py has another `fresh`: it imports the symbol `as old` and goes on with that name
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` at the end of a.py
        "#]],
    );
}

#[test]
fn st1_a_name_is_not_captured_by_a_local_one() {
    check(
        "\
//- a.py
def old(): pass

def f():
    fresh = 1
    return [old() for x in range(fresh)]

def g(old):
    return old
",
        &rename("a.py#old", "fresh"),
        &expect![[r#"
            refused: `fresh` is taken
              a.py:5: `old` would be taken for another `fresh`
            suggestion: choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn st1_alternatives_of_an_import_follow() {
    check(
        "\
//- a.py
try:
    from fast import old
except ImportError:
    def old(): pass

old()
//- b.py
try:
    from a import old
except ImportError:
    old = None
",
        &rename("a.py#old", "fresh"),
        &expect![[r#"
            `old` renamed to `fresh` in 2 files
            //- a.py
            try:
                from fast import old as fresh
            except ImportError:
                def fresh(): pass

            fresh()
            //- b.py
            try:
                from a import fresh
            except ImportError:
                fresh = None
            api: a.py old -> fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` at the end of a.py
        "#]],
    );
}

#[test]
fn st1_star_imports_bring_the_new_name() {
    check(
        "\
//- a.py
def old(): pass
//- b.py
from a import *

old()
",
        &rename("a.py#old", "fresh"),
        &expect![[r#"
            `old` renamed to `fresh` in 2 files
            //- a.py
            def fresh(): pass
            //- b.py
            from a import *

            fresh()
            api: a.py old -> fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` at the end of a.py
        "#]],
    );
    check(
        "\
//- a.py
def old(): pass
//- b.py
from a import *

fresh = 1
",
        &rename("a.py#old", "fresh"),
        &expect![[r#"
            refused: `old` is reached by `import *`
              b.py:1: `import *` would bring `fresh` to a file that has one
            suggestion: import it by name in these files first, or choose another name
        "#]],
    );
    check(
        "\
//- a.py
def old(): pass
//- b.py
from a import *

old()
",
        &rename("a.py#old", "_fresh"),
        &expect![[r#"
            refused: `old` is reached by `import *`
              b.py:1: `import *` does not bring `_fresh`
            suggestion: import it by name in these files first, or choose another name
        "#]],
    );
}

#[test]
fn st1_a_package_with_a_module_of_that_name_is_refused() {
    check(
        "\
//- pkg/__init__.py
def old(): pass
//- pkg/fresh.py
",
        &rename("pkg/__init__.py#old", "fresh"),
        &expect![[r#"
            refused: `fresh` is taken
              pkg/fresh.py:1: `fresh` is a module of this package
            suggestion: choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn st1_a_stub_follows() {
    check(
        "\
//- a.py
def old(x): return x
//- a.pyi
def old(x: int) -> int: ...
",
        &rename("a.py#old", "fresh"),
        &expect![[r#"
            `old` renamed to `fresh` in 2 files
            //- a.py
            def fresh(x): return x
            //- a.pyi
            def fresh(x: int) -> int: ...
            api: a.py old -> fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` at the end of a.py
        "#]],
    );
}

#[test]
fn st1_the_stub_of_a_module_that_gives_it_to_others_follows() {
    check(
        "\
//- p/__init__.py
from p._make import old
//- p/__init__.pyi
def old(x: int) -> int: ...
alias = old
//- p/_make.py
def old(x): return x
//- q/__init__.py
from p import old
//- q/__init__.pyi
from p import old as old
//- user.py
import p
p.old(1)
",
        &rename("p/_make.py#old", "fresh"),
        &expect![[r#"
            `old` renamed to `fresh` in 6 files
            //- p/__init__.py
            from p._make import fresh
            //- p/__init__.pyi
            def fresh(x: int) -> int: ...
            alias = fresh
            //- p/_make.py
            def fresh(x): return x
            //- q/__init__.py
            from p import fresh
            //- q/__init__.pyi
            from p import fresh as fresh
            //- user.py
            import p
            p.fresh(1)
            api: p/_make.py old -> fresh
            api: p/__init__.py old -> fresh
            api: q/__init__.py old -> fresh
            api: q/__init__.pyi old -> fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` at the end of p/_make.py
        "#]],
    );
}

#[test]
fn st1_a_name_that_is_taken_in_a_stub_is_refused() {
    check(
        "\
//- p/__init__.py
from p._make import old
//- p/__init__.pyi
from q import fresh
def old(x: int) -> fresh: ...
//- p/_make.py
def old(x): return x
",
        &rename("p/_make.py#old", "fresh"),
        &expect![[r#"
            refused: `fresh` is taken
              p/__init__.pyi:1: `fresh` is bound here already
            suggestion: choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn st1_an_imported_name_is_renamed_where_it_is_declared() {
    check(
        "\
//- a.py
def old(): pass
//- b.py
from a import old
",
        &rename("b.py#old", "fresh"),
        &expect![[r#"
            refused: `old` is declared in a.py, b.py imports it
            suggestion: rename `a.py#old`
        "#]],
    );
}

#[test]
fn st1_line_ends_and_marks_stay() {
    let operation = rename("a.py#old", "fresh");
    let operation = serde_json::from_str(&operation).unwrap();
    let mut files = crate::testing::MemoryFiles::default();
    files.files.insert("a.py".into(), "\u{feff}def old():\r\n\treturn 'ä', old".into());
    files.files.insert("b.py".into(), "".into());
    let outcome = crate::plan(&files, &[operation]).unwrap();
    let expected = crate::FileChange::Edited("\u{feff}def fresh():\r\n\treturn 'ä', fresh".into());
    assert_eq!(outcome.files.get("a.py"), Some(&expected));
}

#[test]
fn st1_settings_that_an_object_looks_up_are_refused() {
    check(
        "\
//- defaults.py
COOKIE = 1
//- conf.py
import defaults

class Settings:
    def __getattr__(self, name):
        return getattr(defaults, name)

settings = Settings()
//- use.py
from conf import settings

print(settings.COOKIE)
",
        &rename("defaults.py#COOKIE", "BISCUIT"),
        &expect![[r#"
            refused: `COOKIE` may be looked up by its name at run time
              use.py:3: `settings.COOKIE` may be it
            suggestion: rename by hand, with all modules of its kind and what looks it up
        "#]],
    );
}
