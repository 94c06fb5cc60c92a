use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, symbol: &str, to: &str, expected: &Expect) {
    let operation = format!(r#"{{"operation": "rename", "symbol": "{symbol}", "to": "{to}"}}"#);
    expected.assert_eq(&snapshot(fixture, &operation));
}

#[test]
fn st1_a_method_is_renamed_with_its_overrides_and_calls() {
    check(
        "\
//- a.py
class Base:
    def old(self): pass
    def run(self): return self.old()
//- b.py
from a import Base

class Child(Base):
    def old(self): return super().old()

def use(child: Child):
    child.old()
    Base().old()
    Base.old(child)
",
        "a.py#Base.old",
        "fresh",
        &expect![[r#"
            `Base.old` renamed to `fresh` in 2 files
            //- a.py
            class Base:
                def fresh(self): pass
                def run(self): return self.fresh()
            //- b.py
            from a import Base

            class Child(Base):
                def fresh(self): return super().fresh()

            def use(child: Child):
                child.fresh()
                Base().fresh()
                Base.fresh(child)
            api: a.py Base.old -> Base.fresh
            api: b.py Child.old -> Child.fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` in the body of `Base`
        "#]],
    );
}

#[test]
fn st1_a_receiver_of_unknown_type_is_refused() {
    check(
        "\
//- a.py
class A:
    def old(self): pass
class B:
    def old(self): pass

def use(x):
    x.old()
",
        "a.py#A.old",
        "fresh",
        &expect![[r#"
            refused: 1 place may mean `A.old` or something else
              a.py:7: the type of `x` is not known
            suggestion: annotate the receivers with their types, or rename by hand
        "#]],
    );
}

#[test]
fn st1_members_that_others_call_by_name_are_refused() {
    let fixture = "\
//- a.py
import threading

class Worker(threading.Thread):
    def run(self): pass
    def __enter__(self): pass

class Error(Exception):
    def explain(self): pass
    args = ()

class Visitor:
    def visit_name(self): pass
    def visit(self, kind): return getattr(self, 'visit_' + kind)()
";
    check(
        fixture,
        "a.py#Worker.run",
        "work",
        &expect![[r#"
        refused: `Worker.run` may override a member of a base class
          a.py:3: `Worker` extends `threading.Thread`, which is not of this project
        suggestion: check that the base class has no such member, and rename by hand
    "#]],
    );
    check(
        fixture,
        "a.py#Worker.__enter__",
        "enter",
        &expect![[r#"
        refused: Python and its tools use `Worker.__enter__` by this name
        suggestion: keep the name
    "#]],
    );
    check(
        fixture,
        "a.py#Error.explain",
        "describe",
        &expect![[r#"
        `Error.explain` renamed to `describe` in 1 file
        //- a.py
        import threading

        class Worker(threading.Thread):
            def run(self): pass
            def __enter__(self): pass

        class Error(Exception):
            def describe(self): pass
            args = ()

        class Visitor:
            def visit_name(self): pass
            def visit(self, kind): return getattr(self, 'visit_' + kind)()
        api: a.py Error.explain -> Error.describe
        note: `explain` is public: users outside of this project have to follow. To keep the old name for them, add `explain = describe` in the body of `Error`
    "#]],
    );
    check(
        fixture,
        "a.py#Error.args",
        "arguments",
        &expect![[r#"
        refused: `Error.args` may override a member of a base class
          a.py:7: `Error` extends `builtins.Exception`, which is not of this project
        suggestion: check that the base class has no such member, and rename by hand
    "#]],
    );
    check(
        fixture,
        "a.py#Visitor.visit_name",
        "see_name",
        &expect![[r#"
        refused: `Visitor.visit_name` may be looked up by a computed name
          a.py:13: the name is put together at run time and may be `visit_name`
        suggestion: check these places, and rename by hand
    "#]],
    );
    check(
        fixture,
        "a.py#Visitor.missing",
        "found",
        &expect![[r#"
        refused: a.py has no `Visitor.missing`
        suggestion: check the name, or name the class that defines it
    "#]],
    );
    check(
        fixture,
        "a.py#Visitor.visit",
        "__visit",
        &expect![[r#"
        refused: Python stores `__visit` under another name in each class
        suggestion: choose a name with one underscore
    "#]],
    );
}

#[test]
fn st1_a_member_of_that_name_in_the_family_is_refused() {
    check(
        "\
//- a.py
class Base:
    def old(self): pass

class Mixin:
    def fresh(self): pass

class Child(Base, Mixin): pass
",
        "a.py#Base.old",
        "fresh",
        &expect![[r#"
            refused: `fresh` is taken
              a.py:4: `Mixin.fresh` is there already
            suggestion: choose another name, or rename the other one first
        "#]],
    );
}

#[test]
fn st1_properties_attributes_and_slots() {
    check(
        "\
//- a.py
class A:
    __slots__ = ('_old', 'b')
    __match_args__ = ('old',)

    def __init__(self):
        self._old = 1

    @property
    def old(self): return self._old

    @old.setter
    def old(self, value): self._old = value

def use(a: A):
    a.old = 2
    match a:
        case A(old=3): pass
",
        "a.py#A.old",
        "fresh",
        &expect![[r#"
            `A.old` renamed to `fresh` in 1 file
            //- a.py
            class A:
                __slots__ = ('_old', 'b')
                __match_args__ = ('fresh',)

                def __init__(self):
                    self._old = 1

                @property
                def fresh(self): return self._old

                @fresh.setter
                def fresh(self, value): self._old = value

            def use(a: A):
                a.fresh = 2
                match a:
                    case A(fresh=3): pass
            api: a.py A.old -> A.fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` in the body of `A`
        "#]],
    );
    check(
        "\
//- a.py
class A:
    __slots__ = ('_old', 'b')

    def __init__(self):
        self._old = 1

    def get(self): return self._old
",
        "a.py#A._old",
        "_fresh",
        &expect![[r#"
            `A._old` renamed to `_fresh` in 1 file
            //- a.py
            class A:
                __slots__ = ('_fresh', 'b')

                def __init__(self):
                    self._fresh = 1

                def get(self): return self._fresh
        "#]],
    );
}

#[test]
fn st1_fields_of_records_and_members_of_enums() {
    check(
        "\
//- a.py
from dataclasses import dataclass, replace
from enum import Enum

@dataclass
class Point:
    old: int
    y: int = 0

class Color(Enum):
    RED = 1
    BLUE = 2
//- b.py
from a import Color, Point, replace

p = Point(old=1, y=2)
q = replace(p, old=p.old)
",
        "a.py#Point.old",
        "x",
        &expect![[r#"
            `Point.old` renamed to `x` in 2 files
            //- a.py
            from dataclasses import dataclass, replace
            from enum import Enum

            @dataclass
            class Point:
                x: int
                y: int = 0

            class Color(Enum):
                RED = 1
                BLUE = 2
            //- b.py
            from a import Color, Point, replace

            p = Point(x=1, y=2)
            q = replace(p, x=p.x)
            api: a.py Point.old -> Point.x
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = x` in the body of `Point`
        "#]],
    );
    check(
        "\
//- a.py
from enum import Enum

class Color(Enum):
    RED = 1
    ALIAS = RED
//- b.py
from a import Color

x = [Color.RED, Color['RED']]
",
        "a.py#Color.RED",
        "SCARLET",
        &expect![[r#"
            `Color.RED` renamed to `SCARLET` in 2 files
            //- a.py
            from enum import Enum

            class Color(Enum):
                SCARLET = 1
                ALIAS = SCARLET
            //- b.py
            from a import Color

            x = [Color.SCARLET, Color['SCARLET']]
            api: a.py Color.RED -> Color.SCARLET
            note: `RED` is public: users outside of this project have to follow. To keep the old name for them, add `RED = SCARLET` in the body of `Color`
        "#]],
    );
}

#[test]
fn st1_fields_that_a_metaclass_has_seen_are_refused() {
    check(
        "\
//- models.py
class Meta(type): pass

class Model(metaclass=Meta): pass

class Book(Model):
    title = 1
    def show(self): return self.title
//- use.py
from models import Book

Book.objects.filter(title__contains='x')
",
        "models.py#Book.title",
        "name",
        &expect![[r#"
            refused: `Book.title` is an attribute of a class with a metaclass, which others may name by a keyword or a string
              use.py:3: `title` may be this field
            suggestion: rename by hand
        "#]],
    );
}

#[test]
fn st1_names_with_two_underscores_belong_to_their_class() {
    check(
        "\
//- a.py
class A:
    def __old(self): return 1
    def get(self): return self.__old()
",
        "a.py#A.__old",
        "_fresh",
        &expect![[r#"
            `A.__old` renamed to `_fresh` in 1 file
            //- a.py
            class A:
                def _fresh(self): return 1
                def get(self): return self._fresh()
        "#]],
    );
}

#[test]
fn st1_names_in_the_body_of_a_class_are_not_captured() {
    check(
        "\
//- a.py
def convert(x): return x

class A:
    old = 1
    b = convert(old)
",
        "a.py#A.old",
        "convert",
        &expect![[r#"
            refused: `convert` is taken
              a.py:5: `convert` means something else here already
            suggestion: choose another name
        "#]],
    );
}

#[test]
fn st2_a_class_body_sees_what_a_star_brings_in_until_it_binds_the_name() {
    let fixture = "\
//- core.py
size = 1

//- shop.py
from core import *

class Item:
    total = size + 1

    def size(self): return self.size
";
    check(
        fixture,
        "shop.py#Item.size",
        "width",
        &expect![[r#"
        `Item.size` renamed to `width` in 1 file
        //- shop.py
        from core import *

        class Item:
            total = size + 1

            def width(self): return self.width
        api: shop.py Item.size -> Item.width
        note: `size` is public: users outside of this project have to follow. To keep the old name for them, add `size = width` in the body of `Item`
    "#]],
    );
    check(
        fixture,
        "core.py#size",
        "limit",
        &expect![[r#"
        `size` renamed to `limit` in 2 files
        //- core.py
        limit = 1

        //- shop.py
        from core import *

        class Item:
            total = limit + 1

            def size(self): return self.size
        api: core.py size -> limit
        note: `size` is public: users outside of this project have to follow. To keep the old name for them, add `size = limit` at the end of core.py
    "#]],
    );
}

#[test]
fn st1_overrides_are_public_too() {
    check(
        "\
//- a.py
class Base:
    def run(self): pass

class Derived(Base):
    def run(self): pass

class _Hidden(Base):
    def run(self): pass
",
        "a.py#Base.run",
        "go",
        &expect![[r#"
            `Base.run` renamed to `go` in 1 file
            //- a.py
            class Base:
                def go(self): pass

            class Derived(Base):
                def go(self): pass

            class _Hidden(Base):
                def go(self): pass
            api: a.py Base.run -> Base.go
            api: a.py Derived.run -> Derived.go
            note: `run` is public: users outside of this project have to follow. To keep the old name for them, add `run = go` in the body of `Base`
        "#]],
    );
}

#[test]
fn st1_members_of_enums_of_numbers_and_texts_are_renamed() {
    check(
        "\
//- a.py
from enum import IntEnum

class Codes(IntEnum):
    OK = 200
    MULTI_STATUS = 207

class Text(str):
    def shout(self): return self.upper()

Codes.OK
Text('a').shout()
",
        "a.py#Codes.OK",
        "FINE",
        &expect![[r#"
            `Codes.OK` renamed to `FINE` in 1 file
            //- a.py
            from enum import IntEnum

            class Codes(IntEnum):
                FINE = 200
                MULTI_STATUS = 207

            class Text(str):
                def shout(self): return self.upper()

            Codes.FINE
            Text('a').shout()
            api: a.py Codes.OK -> Codes.FINE
            note: `OK` is public: users outside of this project have to follow. To keep the old name for them, add `OK = FINE` in the body of `Codes`
        "#]],
    );
}

#[test]
fn st1_the_stub_of_a_module_that_gives_the_class_to_others_follows() {
    check(
        "\
//- p/__init__.py
from p._make import C
//- p/__init__.pyi
class C:
    def old(self) -> int: ...
//- p/_make.py
class C:
    def old(self): return 1
//- user.py
import p
p.C().old()
",
        "p/_make.py#C.old",
        "fresh",
        &expect![[r#"
            `C.old` renamed to `fresh` in 3 files
            //- p/__init__.pyi
            class C:
                def fresh(self) -> int: ...
            //- p/_make.py
            class C:
                def fresh(self): return 1
            //- user.py
            import p
            p.C().fresh()
            api: p/_make.py C.old -> C.fresh
            note: `old` is public: users outside of this project have to follow. To keep the old name for them, add `old = fresh` in the body of `C`
        "#]],
    );
}
