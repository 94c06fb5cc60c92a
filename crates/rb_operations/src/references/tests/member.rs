//! A member of a class.

use expect_test::expect;

use super::check;
use crate::project::Project;
use crate::testing::MemoryFiles;

#[test]
fn st1_member_with_overrides_and_known_receivers() {
    check(
        "//- lib.py
class Base:
    def run_it(self): pass
    def all(self):
        self.run_it()
        def inner(): return self.run_it
class Child(Base):
    def run_it(self): return super().run_it()
    again = run_it
class Mixin:
    def use(self): self.run_it()
class Both(Mixin, Child): pass
class Alien:
    def run_it(self): pass
    def use(self): self.run_it()
//- user.py
from lib import Base as B, Child, Alien
import lib
def f(a: B, b: 'lib.Child', c: Alien, d, e=None):
    a.run_it(); b.run_it(); c.run_it(); d.run_it()
    x = lib.Both()
    x.run_it()
    B.run_it(a)
    [].run_it()
    class Local(B):
        def run_it(self): pass
run_it = 1
run_it
getattr(B(), 'run_it')
mock.patch('lib.Base.run_it'); mock.patch('lib.Alien.run_it')
mock.patch.object(Child, 'run_it')
MODULE = 'lib'
mock.patch(MODULE + '.Base.run_it'); mock.patch(f'{MODULE}.Child.run_it'); mock.patch(MODULE + '.Alien.run_it')
mock.patch(other() + '.Base.run_it'); mock.patch(f'{MODULE!r:>4}.Base.run_it')
class Plain: pass
class Proxy:
    def __getattr__(self, name): pass
Plain().run_it, Proxy().run_it
getattr(d, 'run_it')
",
        "lib.py#Child.run_it",
        expect![[r#"
            Definition lib.py:2 def [run_it](self): pass
            Attribute  lib.py:4 self.[run_it]()
            Attribute  lib.py:5 def inner(): return self.[run_it]
            Definition lib.py:7 def [run_it](self): return super().run_it()
            Attribute  lib.py:7 def run_it(self): return super().[run_it]()
            Name       lib.py:8 again = [run_it]
            Attribute  lib.py:10 def use(self): self.[run_it]()
            Attribute  user.py:4 a.[run_it](); b.run_it(); c.run_it(); d.run_it()
            Attribute  user.py:4 a.run_it(); b.[run_it](); c.run_it(); d.run_it()
            Attribute  user.py:6 x.[run_it]()
            Attribute  user.py:7 B.[run_it](a)
            Definition user.py:10 def [run_it](self): pass
            String     user.py:13 getattr(B(), '[run_it]')
            String     user.py:14 mock.patch('lib.Base.[run_it]'); mock.patch('lib.Alien.run_it')
            String     user.py:15 mock.patch.object(Child, '[run_it]')
            String     user.py:17 mock.patch(MODULE + '.Base.[run_it]'); mock.patch(f'{MODULE}.Child.run_it'); mock.patch(MODULE + '.Alien.run_it')
            String     user.py:17 mock.patch(MODULE + '.Base.run_it'); mock.patch(f'{MODULE}.Child.[run_it]'); mock.patch(MODULE + '.Alien.run_it')
            ? user.py:4 a.run_it(); b.run_it(); c.run_it(); d.[run_it](): the type of `d` is not known
            ? user.py:22 Plain().run_it, Proxy().[run_it]: the type of `Proxy()` is not known
            ~ user.py:23 getattr(d, '[run_it]'): a string with this name
        "#]],
    );
}

#[test]
fn st1_member_with_a_unique_name_takes_unknown_receivers() {
    check(
        "//- lib.py
class A:
    def turn_around(self): pass
    def get(self): pass
def f(x):
    x.turn_around()
    getattr(x, 'turn_around')
    {}.turn_around
    os.turn_around
",
        "lib.py#A.turn_around",
        expect![[r#"
            Definition lib.py:2 def [turn_around](self): pass
            Attribute  lib.py:5 x.[turn_around]()
            String     lib.py:6 getattr(x, '[turn_around]')
        "#]],
    );
    check(
        "//- lib.py
class A:
    def get(self): pass
def f(x, a: A): x.get(), a.get()
",
        "lib.py#A.get",
        expect![[r#"
            Definition lib.py:2 def [get](self): pass
            Attribute  lib.py:3 def f(x, a: A): x.get(), a.[get]()
            ? lib.py:3 def f(x, a: A): x.[get](), a.get(): the type of `x` is not known
        "#]],
    );
}

#[test]
fn st1_member_is_not_unique_if_something_else_may_have_it() {
    for other in [
        "class B:\n    turn_around = 1\n",
        "class B:\n    def m(self): self.turn_around = 1\n",
        "def turn_around(): pass\n",
        "def g(x): x.turn_around = 1\n",
        "B = namedtuple('B', 'x turn_around')\n",
        "parser.add_argument('--turn-around')\n",
        "x = SimpleNamespace(turn_around=1)\n",
    ] {
        let fixture = format!(
            "//- lib.py\nclass A:\n    def turn_around(self): pass\n//- user.py\ndef f(x): x.turn_around()\n//- other.py\n{other}"
        );
        let files = MemoryFiles::new(&fixture);
        let project = Project::new(&files);
        let found = project.references(&"lib.py#A.turn_around".parse().unwrap());
        assert!(found.doubts.iter().any(|doubt| doubt.path == "user.py"), "{other}");
    }
}

#[test]
fn st1_member_attributes_fields_and_slots() {
    check(
        "//- lib.py
from dataclasses import dataclass, replace
@dataclass
class Point:
    width: int = 0
    __slots__ = ('width', 'height')
    def m(self):
        self.width += 1
        return f'{self.width}', Point(width=1), replace(self, width=2)
def f(p: Point, q):
    p.width = 3
    match q:
        case Point(width=w): pass
    Other(width=1)
",
        "lib.py#Point.width",
        expect![[r#"
            Definition lib.py:4 [width]: int = 0
            String     lib.py:5 __slots__ = ('[width]', 'height')
            Definition lib.py:7 self.[width] += 1
            Attribute  lib.py:8 return f'{self.[width]}', Point(width=1), replace(self, width=2)
            Keyword    lib.py:8 return f'{self.width}', Point([width]=1), replace(self, width=2)
            Keyword    lib.py:8 return f'{self.width}', Point(width=1), replace(self, [width]=2)
            Attribute  lib.py:10 p.[width] = 3
            Keyword    lib.py:12 case Point([width]=w): pass
        "#]],
    );
    check(
        "//- lib.py
import enum
class Color(enum.Enum):
    RED = 1
Color.RED, Color['RED'], other['RED']
def f(c: Color): return c.RED
",
        "lib.py#Color.RED",
        expect![[r#"
            Definition lib.py:3 [RED] = 1
            Attribute  lib.py:4 Color.[RED], Color['RED'], other['RED']
            String     lib.py:4 Color.RED, Color['[RED]'], other['RED']
            Attribute  lib.py:5 def f(c: Color): return c.[RED]
            ~ lib.py:4 Color.RED, Color['RED'], other['[RED]']: a string with this name
        "#]],
    );
    check(
        "//- lib.py
class A:
    def __init__(self): self.part = 1
    def m(self): return self.part
class B(A):
    def n(self): self.part = 2
class C:
    part = 1
def f(b: B): b.part, C.part
",
        "lib.py#A.part",
        expect![[r#"
            Definition lib.py:2 def __init__(self): self.[part] = 1
            Attribute  lib.py:3 def m(self): return self.[part]
            Definition lib.py:5 def n(self): self.[part] = 2
            Attribute  lib.py:8 def f(b: B): b.[part], C.part
        "#]],
    );
}

#[test]
fn st1_member_of_a_nested_class_and_of_a_foreign_base() {
    check(
        "//- lib.py
class Outer:
    class Inner:
        x = 1
    inner = Inner()
    def m(self): return self.Inner.x, self.inner.x, Outer.Inner().x
",
        "lib.py#Outer.Inner.x",
        expect![[r#"
            Definition lib.py:3 [x] = 1
            Attribute  lib.py:5 def m(self): return self.Inner.[x], self.inner.x, Outer.Inner().x
            Attribute  lib.py:5 def m(self): return self.Inner.x, self.inner.[x], Outer.Inner().x
            Attribute  lib.py:5 def m(self): return self.Inner.x, self.inner.x, Outer.Inner().[x]
        "#]],
    );
    check(
        "//- lib.py
import threading
class Worker(threading.Thread):
    def start_up(self): super().start_up()
",
        "lib.py#Worker.start_up",
        expect![[r#"
            Definition lib.py:3 def [start_up](self): super().start_up()
            ? lib.py:3 def start_up(self): super().[start_up](): a base class that is not of the project has it
        "#]],
    );
}
