//! Modules that would import each other while they are loaded.

use expect_test::expect;

use super::check;

#[test]
fn st1_move_breaks_a_cycle_inside_of_functions() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
def helper():
    return 1


def moved():
    """Doc."""
    return helper()


def stays():
    return moved()
"#;
    check(
        fixture,
        "pkg/old.py#moved",
        "pkg/new.py",
        &expect![[r#"
        `moved` moved from pkg/old.py to pkg/new.py
        //- pkg/new.py (created)
        def moved():
            """Doc."""
            from pkg.old import helper

            return helper()
        //- pkg/old.py
        from pkg.new import moved


        def helper():
            return 1


        def stays():
            return moved()
        api: pkg/old.py pkg.old.moved -> pkg.new.moved
        note: pkg/new.py imports `helper` inside of functions: at its top that would be an import cycle
    "#]],
    );
}

#[test]
fn st1_move_refuses_a_cycle_at_load_time() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
class Base:
    pass


class Moved(Base):
    pass


class Stays(Moved):
    pass
"#;
    check(
        fixture,
        "pkg/old.py#Moved",
        "pkg/new.py",
        &expect![[r#"
        refused: pkg/new.py and pkg/old.py would import each other while they are loaded (pkg/old.py → pkg/new.py)
          pkg/old.py:5: this is needed when the module is loaded
        suggestion: move what is used at load time too
    "#]],
    );
}

#[test]
fn st1_move_imports_back_inside_of_functions_if_the_moved_code_needs_it_early() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
class Base:
    def make(self):
        return Moved()


class Moved(Base):
    pass
"#;
    check(
        fixture,
        "pkg/old.py#Moved",
        "pkg/new.py",
        &expect![[r#"
        `Moved` moved from pkg/old.py to pkg/new.py
        //- pkg/new.py (created)
        from pkg.old import Base


        class Moved(Base):
            pass
        //- pkg/old.py
        class Base:
            def make(self):
                from pkg.new import Moved

                return Moved()
        api: pkg/old.py pkg.old.Moved -> pkg.new.Moved
        note: pkg/old.py imports from pkg/new.py inside of functions: at its top that would be an import cycle
    "#]],
    );
}

#[test]
fn st1_move_users_that_the_target_loads_import_inside_of_functions() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/constants.py
SEP = "__"
//- pkg/base.py
from pkg.query import Query


class Model:
    query = Query()
//- pkg/query.py
from pkg.constants import SEP


class Query:
    def split(self, name):
        return name.split(SEP)
"#;
    check(
        fixture,
        "pkg/constants.py#SEP",
        "pkg/base.py",
        &expect![[r#"
        `SEP` moved from pkg/constants.py to pkg/base.py
        //- pkg/base.py
        from pkg.query import Query

        SEP = "__"


        class Model:
            query = Query()
        //- pkg/constants.py
        //- pkg/query.py
        class Query:
            def split(self, name):
                from pkg.base import SEP

                return name.split(SEP)
        api: pkg/constants.py pkg.constants.SEP -> pkg.base.SEP
        note: pkg/constants.py defines nothing any more
        note: pkg/query.py imports from pkg/base.py inside of functions: at its top that would be an import cycle
    "#]],
    );
    let early = fixture.replace("def split(self, name):", "def split(self, name=SEP):");
    check(
        &early,
        "pkg/constants.py#SEP",
        "pkg/base.py",
        &expect![[r#"
        refused: pkg/query.py and pkg/base.py would import each other while they are loaded (pkg/base.py → pkg/query.py)
          pkg/query.py:2: `SEP` is needed when this file is loaded
        suggestion: choose another module
    "#]],
    );
}

#[test]
fn st1_move_puts_no_import_into_a_function_that_uses_locals() {
    let fixture = r#"
//- pkg/__init__.py
//- pkg/old.py
def helper():
    return 1


def moved(value):
    given = dict(locals())
    return helper(), given


def stays():
    return moved(1)
"#;
    check(
        fixture,
        "pkg/old.py#moved",
        "pkg/new.py",
        &expect![[r#"
        refused: an import in `moved`, which uses `locals()`, would change what it does
          pkg/old.py:6: `locals()` would have the imported name
        suggestion: choose a module that can be imported at the top
    "#]],
    );
}

#[test]
fn st1_move_past_an_import_that_only_a_script_runs() {
    check(
        "\
//- p/__init__.py
//- p/palette.py
class Palette:
    pass


if __name__ == \"__main__\":
    from p.console import Console

    print(Console)

//- p/theme.py
from p.palette import Palette

THEME = Palette()

//- p/null.py
NULL = None

//- p/console.py
from p.null import NULL


class Console:
    file = NULL

",
        "p/theme.py#THEME",
        "p/null.py",
        &expect![[r#"
            `THEME` moved from p/theme.py to p/null.py
            //- p/null.py
            from p.palette import Palette

            NULL = None

            THEME = Palette()
            //- p/theme.py
            api: p/theme.py p.theme.THEME -> p.null.THEME
            note: p/theme.py defines nothing any more
        "#]],
    );
}
