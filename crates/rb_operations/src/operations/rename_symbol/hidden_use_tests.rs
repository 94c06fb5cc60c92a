use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, symbol: &str, to: &str, expected: &Expect) {
    let operation = format!(r#"{{"operation": "rename", "symbol": "{symbol}", "to": "{to}"}}"#);
    let shown = snapshot(fixture, &operation);
    let first_lines: Vec<&str> =
        shown.lines().take_while(|line| !line.starts_with("//-")).collect();
    expected.assert_eq(&first_lines.join("\n"));
}

#[test]
fn st1_a_decorator_that_registers_the_name_is_refused() {
    let fixture = "\
//- library.py
import functools

class Library:
    def __init__(self):
        self.filters = {}

    def filter(self, name=None, function=None):
        return self._filter_function

    def _filter_function(self, function):
        self.filters[function.__name__] = function
        return function

def plain(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner
//- filters.py
import click
import functools
import pytest
from library import Library, plain

register = Library()

@register.filter()
def lower_case(x): pass

@register.filter(name='kept')
def upper_case(x): pass

@plain
@functools.lru_cache(maxsize=None)
def title_case(x): pass

@click.command()
def run_it(): pass

@pytest.fixture
def database(): pass
";
    check(
        fixture,
        "filters.py#lower_case",
        "fresh",
        &expect![[r#"
        refused: a decorator may register `lower_case` under its name
          filters.py:8: `@register.filter()`
        suggestion: give the decorator the old name explicitly first (`name=…`), or rename by hand"#]],
    );
    check(
        fixture,
        "filters.py#upper_case",
        "fresh",
        &expect!["`upper_case` renamed to `fresh` in 1 file"],
    );
    check(
        fixture,
        "filters.py#title_case",
        "fresh",
        &expect!["`title_case` renamed to `fresh` in 1 file"],
    );
    check(
        fixture,
        "filters.py#run_it",
        "fresh",
        &expect![[r#"
        refused: a decorator may register `run_it` under its name
          filters.py:18: `@click.command()`
        suggestion: give the decorator the old name explicitly first (`name=…`), or rename by hand"#]],
    );
    check(
        fixture,
        "filters.py#database",
        "fresh",
        &expect![[r#"
        refused: a decorator may register `database` under its name
          filters.py:21: `@pytest.fixture`
        suggestion: give the decorator the old name explicitly first (`name=…`), or rename by hand"#]],
    );
}

#[test]
fn st1_names_that_modules_of_one_kind_share_are_refused() {
    let fixture = "\
//- engines/file.py
class Store: pass
LIMIT = 1
//- engines/cache.py
class Store: pass
LIMIT = 2
//- engines/none.py
class Store: pass
LIMIT = 3
def alone(): pass
//- session.py
from importlib import import_module
import engines.none

def start(name):
    engine = import_module(name)
    return engine.Store(), getattr(engine, pick('LIMIT'))
def pick(x): return x
";
    check(
        fixture,
        "engines/file.py#Store",
        "Session",
        &expect![[r#"
            refused: `Store` may be looked up by its name at run time
              session.py:6: `engine.Store` may be it
            suggestion: rename by hand, with all modules of its kind and what looks it up"#]],
    );
    check(
        fixture,
        "engines/file.py#LIMIT",
        "MOST",
        &expect![[r#"
            refused: `LIMIT` may be looked up by its name at run time
              session.py:6: the string `LIMIT`
            suggestion: rename by hand, with all modules of its kind and what looks it up"#]],
    );
    check(
        fixture,
        "engines/none.py#alone",
        "single",
        &expect!["`alone` renamed to `single` in 1 file"],
    );
}

#[test]
fn st1_names_that_are_looked_up_in_a_module_are_refused() {
    let fixture = "\
//- casts.py
def cast_date(x): pass
def other(x): pass
//- use.py
import casts

TABLE = ['cast_date']

def run():
    return [getattr(casts, name) for name in TABLE]
";
    check(
        fixture,
        "casts.py#cast_date",
        "to_date",
        &expect![[r#"
        refused: `cast_date` may be looked up by a computed name
          use.py:6: the name is put together at run time and may be `cast_date`
        suggestion: check these places, and rename by hand"#]],
    );
    check(fixture, "casts.py#other", "another", &expect!["`other` renamed to `another` in 1 file"]);
}

#[test]
fn st1_members_that_are_passed_by_name_are_refused() {
    let fixture = "\
//- features.py
class Features:
    has_json = True
    has_xml = True
    def check(self): return self.has_json, self.has_xml
//- skip.py
from features import Features

def requires(name):
    return getattr(Features(), name)
//- tests/test_json.py
from skip import requires

requires('has_json')
";
    check(
        fixture,
        "features.py#Features.has_json",
        "knows_json",
        &expect![[r#"
        refused: `Features.has_json` may be looked up by a computed name
          tests/test_json.py:3: `requires` may look it up by this name
        suggestion: check these places, and rename by hand"#]],
    );
    check(
        fixture,
        "features.py#Features.has_xml",
        "knows_xml",
        &expect!["`Features.has_xml` renamed to `knows_xml` in 1 file"],
    );
}

#[test]
fn st1_a_class_that_a_metaclass_registers_is_refused() {
    let fixture = "\
//- models.py
class Base(type): pass
class Model(metaclass=Base): pass
class Author(Model): pass
class Book(Model):
    author = link('app.Author')
";
    check(
        fixture,
        "models.py#Author",
        "Writer",
        &expect![[r#"
        refused: `Author` has a metaclass, which may have registered it by name
          models.py:5: the string may name `Author`
        suggestion: rename by hand"#]],
    );
    check(fixture, "models.py#Book", "Novel", &expect!["`Book` renamed to `Novel` in 1 file"]);
}

#[test]
fn st1_a_name_in_code_that_is_run_from_a_text_is_refused() {
    let fixture = "\
//- config.py
limit = None
size = None

//- make.py
import config

def make(name):
    \"\"\"Uses config.limit.\"\"\"
    lines = [\"def f():\", \"    if config.limit is None:\", \"        return 0\"]
    lines.append(f\"    return {name} + limit(1)\")
    raise ValueError('no size or config, see size()')
    exec(compile(lines, 'f', 'exec'))

//- other.py
import re

pattern = re.compile('config.size is')
";
    check(
        fixture,
        "config.py#limit",
        "maximum",
        &expect![[r#"
            refused: `limit` is used in code that is written as text
              make.py:6: `limit` stands in code that is run from a text
            suggestion: rename it by hand, there too"#]],
    );
    check(fixture, "config.py#size", "width", &expect!["`size` renamed to `width` in 2 files"]);
}

#[test]
fn st1_a_class_whose_name_finds_a_method_is_refused() {
    let fixture = "\
//- nodes.py
class Name: pass
class Call: pass

//- visitor.py
class Visitor:
    def visit(self, node):
        return getattr(self, f\"visit_{type(node).__name__}\", None)(node)

class Printer(Visitor):
    def visit_Name(self, node):
        return 'name'
";
    check(
        fixture,
        "nodes.py#Name",
        "Identifier",
        &expect![[r#"
            refused: something is made of the name of `Name`
              visitor.py:3: `visit_Name` is found by the name of the class
            suggestion: rename by hand, with what is made of it"#]],
    );
    check(
        fixture,
        "nodes.py#Call",
        "Invocation",
        &expect!["`Call` renamed to `Invocation` in 1 file"],
    );
}

#[test]
fn st1_a_member_that_is_set_by_the_name_of_an_argument_is_refused() {
    let fixture = "\
//- a.py
from enum import IntEnum

class Options:
    def __init__(self, width, **more):
        self.width = width
        self.height = 0
        self.depth = 0
        for name, value in more.items():
            setattr(self, name, value)

    def overlay(self, width=None, depth=None):
        given = dict(locals())
        copy = object.__new__(self.__class__)
        for name, value in given.items():
            setattr(copy, name, value)
        return copy

class Other:
    def __init__(self, weight):
        self.weight = weight
        self.__dict__.update(locals())

class Plain:
    def __init__(self, weight, size):
        self.weight = weight
        self.size = size
class Codes(IntEnum):
    OK = 200

for code in Codes:
    setattr(Codes, code.name.lower(), code.value)
//- b.py
from a import Options, Plain

Options(1, height=2)
Plain(weight=1, size=2)
";
    let rows = ["Options.width", "Options.height", "Other.weight", "Plain.size", "Codes.OK"];
    let shown = rows.map(|name| {
        let operation =
            format!(r#"{{"operation": "rename", "symbol": "a.py#{name}", "to": "fresh"}}"#);
        let shown = snapshot(fixture, &operation);
        shown.lines().take_while(|line| !line.starts_with("//-")).collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        refused: the name of `Options.width` is used at run time
          a.py:15: it takes the names of arguments, and `width` is one
        suggestion: rename by hand, with what has the same name
        refused: the name of `Options.height` is used at run time
          a.py:9: it takes the names of arguments, and `height` is one
        suggestion: rename by hand, with what has the same name
        refused: the name of `Other.weight` is used at run time
          a.py:21: it takes the names of arguments, and `weight` is one
        suggestion: rename by hand, with what has the same name
        `Plain.size` renamed to `fresh` in 1 file
        refused: the name of `Codes.OK` is used at run time
          a.py:31: the names of members make other names
        suggestion: rename by hand, with what has the same name"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn st1_names_of_parameters_in_parametrize_are_not_looked_up() {
    let fixture = "\
//- a.py
class Stream:
    def expect(self): pass
//- tests/test_a.py
import pytest

@pytest.mark.parametrize(('given', 'expect'), [(1, 2)])
def test_it(given, expect):
    assert hasattr(given, key())
";
    check(
        fixture,
        "a.py#Stream.expect",
        "require",
        &expect!["`Stream.expect` renamed to `require` in 1 file"],
    );
}

#[test]
fn st1_a_class_whose_name_is_taken_apart_is_refused() {
    let fixture = "\
//- types.py
class ParamType:
    def info(self):
        return {'type': type(self).__name__.partition('ParamType')[0]}

    def __repr__(self):
        return type(self).__name__.lower()

class FloatRange(ParamType):
    pass

class Other:
    def __repr__(self):
        return self.__class__.__name__.lower()
";
    check(
        fixture,
        "types.py#FloatRange",
        "Range",
        &expect![[r#"
        refused: something is made of the name of `FloatRange`
          types.py:3: this takes the name of the class apart
        suggestion: rename by hand, with what is made of it"#]],
    );
    check(fixture, "types.py#Other", "Another", &expect!["`Other` renamed to `Another` in 1 file"]);
}
