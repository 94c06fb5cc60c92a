use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, function: &str, parameter: &str, to: &str, expected: &Expect) {
    let operation = format!(
        r#"{{"operation": "rename-parameter", "function": "{function}", "parameter": "{parameter}", "to": "{to}"}}"#
    );
    expected.assert_eq(&snapshot(fixture, &operation));
}

#[test]
fn st1_a_parameter_is_renamed_with_its_keywords() {
    check(
        "\
//- a.py
def f(old, b=1):
    '''Does it.

    :param old: what `old` is
    :param b: old or not
    '''
    def inner():
        return old
    return [old for x in old]
//- b.py
import a
from a import f

f(1)
f(old=2, b=3)
a.f(old=4)
dict(old=5)
",
        "a.py#f",
        "old",
        "fresh",
        &expect![[r#"
            parameter `old` of `f` renamed to `fresh` in 2 files
            //- a.py
            def f(fresh, b=1):
                '''Does it.

                :param fresh: what `fresh` is
                :param b: old or not
                '''
                def inner():
                    return fresh
                return [fresh for x in fresh]
            //- b.py
            import a
            from a import f

            f(1)
            f(fresh=2, b=3)
            a.f(fresh=4)
            dict(old=5)
            api: a.py f(old) -> f(fresh)
            note: `f` is public: callers outside of this project that pass `old=` have to follow
            mention: a.py:5: :param b: old or not
        "#]],
    );
}

#[test]
fn st1_a_method_and_its_overrides() {
    check(
        "\
//- a.py
class A:
    def m(self, old):
        '''
        Args:
            old (int): a number
        '''
        return old

class B(A):
    def m(self, old):
        return super().m(old=old)

A().m(old=1)
B().m(old=2)
",
        "a.py#A.m",
        "old",
        "fresh",
        &expect![[r#"
            parameter `old` of `A.m` renamed to `fresh` in 1 file
            //- a.py
            class A:
                def m(self, fresh):
                    '''
                    Args:
                        fresh (int): a number
                    '''
                    return fresh

            class B(A):
                def m(self, fresh):
                    return super().m(fresh=fresh)

            A().m(fresh=1)
            B().m(fresh=2)
            api: a.py A.m(old) -> A.m(fresh)
            api: a.py B.m(old) -> B.m(fresh)
            note: `A.m` is public: callers outside of this project that pass `old=` have to follow
        "#]],
    );
}

#[test]
fn st1_names_that_are_taken_are_refused() {
    let fixture = "\
//- a.py
def f(old, other):
    local = 1
    return [old for x in other], len(other)

def g(old, **more):
    return old

g(1, fresh=2)
";
    check(
        fixture,
        "a.py#f",
        "old",
        "other",
        &expect![[r#"
        refused: `other` is taken in `f`
          a.py:1: `other` is bound here already
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        "a.py#f",
        "old",
        "local",
        &expect![[r#"
        refused: `local` is taken in `f`
          a.py:2: `local` is bound here already
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        "a.py#f",
        "old",
        "x",
        &expect![[r#"
        refused: `x` is taken in `f`
          a.py:3: `old` would be taken for another `x`
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        "a.py#f",
        "old",
        "len",
        &expect![[r#"
        refused: `len` is taken in `f`
          a.py:3: `len` means something else here already
        suggestion: choose another name
    "#]],
    );
    check(
        fixture,
        "a.py#f",
        "missing",
        "x",
        &expect![[r#"
        refused: `f` has no parameter `missing`
        suggestion: its parameters are `old`, `other`
    "#]],
    );
    check(
        fixture,
        "a.py#g",
        "old",
        "fresh",
        &expect![[r#"
        refused: calls pass `fresh` already
          a.py:8: `fresh` is passed
        suggestion: choose another name
    "#]],
    );
}

#[test]
fn st1_callers_that_cannot_be_seen_are_refused() {
    let fixture = "\
//- app.py
import click

def deco(function):
    return lambda *args: function(*args)

def naming(function):
    return lambda value: function(old=value)

@deco
def plain(old): return old

@naming
def named(old): return old

@click.command()
def command(old): return old

def callback(old): return old

HANDLERS = [callback]
//- tests/test_app.py
def test_x(old): pass
";
    check(
        fixture,
        "app.py#plain",
        "old",
        "fresh",
        &expect![[r#"
        parameter `old` of `plain` renamed to `fresh` in 1 file
        //- app.py
        import click

        def deco(function):
            return lambda *args: function(*args)

        def naming(function):
            return lambda value: function(old=value)

        @deco
        def plain(fresh): return fresh

        @naming
        def named(old): return old

        @click.command()
        def command(old): return old

        def callback(old): return old

        HANDLERS = [callback]
        api: app.py plain(old) -> plain(fresh)
        note: `plain` is public: callers outside of this project that pass `old=` have to follow
    "#]],
    );
    check(
        fixture,
        "app.py#named",
        "old",
        "fresh",
        &expect![[r#"
        refused: a decorator of `named` may name its parameters
          app.py:12: `@naming` may pass `old` by name
        suggestion: check the decorator, and rename by hand
    "#]],
    );
    check(
        fixture,
        "app.py#command",
        "old",
        "fresh",
        &expect![[r#"
        refused: a decorator of `command` may name its parameters
          app.py:15: `@click.command()` may pass `old` by name
        suggestion: check the decorator, and rename by hand
    "#]],
    );
    check(
        fixture,
        "app.py#callback",
        "old",
        "fresh",
        &expect![[r#"
        refused: `old` may be passed to `callback` unseen
          app.py:7: `old` is named here
          app.py:20: the function is passed on
        suggestion: check these places, and rename by hand
    "#]],
    );
    check(
        fixture,
        "tests/test_app.py#test_x",
        "old",
        "fresh",
        &expect![[r#"
        refused: the name of the parameter `old` may choose a fixture
          tests/test_app.py:1: a test or fixture
        suggestion: rename the fixture and these parameters by hand
    "#]],
    );
}

#[test]
fn st1_methods_of_unknown_base_classes_and_classes_named_by_strings_are_refused() {
    let fixture = "\
//- a.py
import ast

class Visitor(ast.NodeVisitor):
    def visit(self, node): return node

class Worker:
    def __init__(self, pool): self.pool = pool

CLASSES = {'worker': 'a:Worker'}
OPTIONS = {'pool': 1}
";
    check(
        fixture,
        "a.py#Visitor.visit",
        "node",
        "tree",
        &expect![[r#"
        refused: `Visitor.visit` may override a method of a base class
          a.py:1: `Visitor` extends `ast.NodeVisitor`, which is not of this project
        suggestion: check that nobody passes the parameter by name, and rename by hand
    "#]],
    );
    check(
        fixture,
        "a.py#Worker.__init__",
        "pool",
        "basin",
        &expect![[r#"
        refused: `pool` may be passed to `Worker.__init__` unseen
          a.py:9: it is named by a string
          a.py:10: `pool` is named here
        suggestion: check these places, and rename by hand
    "#]],
    );
}

#[test]
fn st1_parameters_that_tests_are_run_with_follow() {
    check(
        "\
//- tests/test_a.py
import pytest

@pytest.mark.parametrize('old, expected', [(1, 2)])
def test_it(old, expected):
    assert old + 1 == expected
",
        "tests/test_a.py#test_it",
        "old",
        "number",
        &expect![[r#"
            parameter `old` of `test_it` renamed to `number` in 1 file
            //- tests/test_a.py
            import pytest

            @pytest.mark.parametrize('number, expected', [(1, 2)])
            def test_it(number, expected):
                assert number + 1 == expected
        "#]],
    );
}

#[test]
fn st1_locals_give_parameters_by_name() {
    check(
        "\
//- a.py
def f(old):
    return '{old}'.format(**locals())
",
        "a.py#f",
        "old",
        "fresh",
        &expect![[r#"
            refused: `f` may use the name of its parameter `old`
              a.py:2: `locals()` gives its parameters by name
            suggestion: check what it is used for, and rename by hand
        "#]],
    );
}

#[test]
fn st1_lines_that_a_longer_parameter_makes_too_long_are_broken() {
    check(
        "\
//- setup.cfg
[flake8]
max-line-length = 60
//- a.py
def f(old, b):
    return old

f(old=1, b='a text that is longer than the others')
",
        "a.py#f",
        "old",
        "fresh_parameter",
        &expect![[r#"
            parameter `old` of `f` renamed to `fresh_parameter` in 1 file
            //- a.py
            def f(fresh_parameter, b):
                return fresh_parameter

            f(
                fresh_parameter=1,
                b='a text that is longer than the others',
            )
            api: a.py f(old) -> f(fresh_parameter)
            note: `f` is public: callers outside of this project that pass `old=` have to follow
        "#]],
    );
}

#[test]
fn st1_parameters_of_overrides_are_public_too() {
    check(
        "\
//- a.py
class Base:
    def run(self, old): pass

class Derived(Base):
    def run(self, old): pass
",
        "a.py#Base.run",
        "old",
        "fresh",
        &expect![[r#"
            parameter `old` of `Base.run` renamed to `fresh` in 1 file
            //- a.py
            class Base:
                def run(self, fresh): pass

            class Derived(Base):
                def run(self, fresh): pass
            api: a.py Base.run(old) -> Base.run(fresh)
            api: a.py Derived.run(old) -> Derived.run(fresh)
            note: `Base.run` is public: callers outside of this project that pass `old=` have to follow
        "#]],
    );
}

#[test]
fn st1_the_stub_of_a_module_that_gives_the_function_to_others_follows() {
    check(
        "\
//- p/__init__.py
from p._make import make
//- p/__init__.pyi
def make(old: int) -> int: ...
//- p/_make.py
def make(old): return old
//- user.py
import p
p.make(old=1)
",
        "p/_make.py#make",
        "old",
        "fresh",
        &expect![[r#"
            parameter `old` of `make` renamed to `fresh` in 3 files
            //- p/__init__.pyi
            def make(fresh: int) -> int: ...
            //- p/_make.py
            def make(fresh): return fresh
            //- user.py
            import p
            p.make(fresh=1)
            api: p/_make.py make(old) -> make(fresh)
            note: `make` is public: callers outside of this project that pass `old=` have to follow
        "#]],
    );
}
