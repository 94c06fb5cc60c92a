//! What names and expressions mean, as tables.

use rb_python::ast::Stmt;

use super::*;
use crate::testing::MemoryFiles;

/// What the expression statement with this text means: the last one in `main.py`.
fn check(fixture: &str, expected: &str) {
    let files = MemoryFiles::new(fixture);
    let project = Project::new(&files);
    let source = project.source("main.py").unwrap();
    let expression = last_expression(source.body()).unwrap();
    let meaning = match project.meaning(&source, expression) {
        Meaning::Module(path) => format!("module {path}"),
        Meaning::Symbol(symbol) => symbol.to_string(),
        Meaning::Instance(class) => format!("instance of {class}"),
        Meaning::Foreign(name) => format!("foreign {name}"),
        Meaning::Unknown => "unknown".to_owned(),
    };
    assert_eq!(meaning, expected, "{fixture}");
}

fn last_expression(body: &[Stmt]) -> Option<&ast::Expr> {
    match body.last()? {
        Stmt::Expr(statement) => Some(&statement.value),
        other => symbols::child_bodies(other).into_iter().rev().find_map(last_expression),
    }
}

const PACKAGE: &str = "
//- pkg/__init__.py
from .a import f as g, C
from . import a
from .stars import *
from .hidden import *
//- pkg/a.py
import os
def f(): pass
class C: pass
x = 1
//- pkg/stars.py
from .a import x
_private = 1
shown = 2
//- pkg/hidden.py
__all__ = ['_listed']
_listed = 1
unlisted = 2
//- pkg/sub/__init__.py
//- pkg/sub/deep.py
y = 1
";

#[test]
fn st2_lookup_follows_imports_to_the_definition() {
    for (code, expected) in [
        ("from pkg.a import f\nf", "pkg/a.py#f"),
        ("from pkg import g\ng", "pkg/a.py#f"),
        ("from pkg import g as h\nh", "pkg/a.py#f"),
        ("import pkg\npkg.C", "pkg/a.py#C"),
        ("import pkg.a\npkg.a.f", "pkg/a.py#f"),
        ("import pkg.a as m\nm.f", "pkg/a.py#f"),
        ("import pkg.a as m\nm.os.path", "foreign os.path"),
        ("from pkg import a\na", "module pkg/a.py"),
        ("import pkg.sub.deep\npkg.sub.deep.y", "pkg/sub/deep.py#y"),
        ("from pkg.sub import deep\ndeep.y", "pkg/sub/deep.py#y"),
        ("from pkg import x\nx", "pkg/a.py#x"),
        ("from pkg import shown\nshown", "pkg/stars.py#shown"),
        ("from pkg import _private\n_private", "unknown"),
        ("from pkg import _listed\n_listed", "pkg/hidden.py#_listed"),
        ("from pkg import unlisted\nunlisted", "unknown"),
        ("from pkg import *\nshown", "pkg/stars.py#shown"),
        ("from pkg import *\nC()", "instance of pkg/a.py#C"),
        ("from nowhere import z\nz.w", "foreign nowhere.z.w"),
        ("len", "foreign builtins.len"),
        ("def f():\n    from pkg.a import x\n    x", "pkg/a.py#x"),
        ("from pkg.a import x\ndef f(x):\n    x", "unknown"),
        ("import importlib\nimportlib.import_module('pkg.a').f", "pkg/a.py#f"),
    ] {
        check(&format!("{PACKAGE}//- main.py\n{code}\n"), expected);
    }
}

#[test]
fn st2_lookup_of_double_imports_takes_the_first_of_the_project() {
    for (code, expected) in [
        (
            "try:\n    import json5 as m\nexcept ImportError:\n    from pkg import a as m\nm",
            "module pkg/a.py",
        ),
        ("try:\n    from pkg.a import f\nexcept ImportError:\n    f = None\nf", "pkg/a.py#f"),
        ("try:\n    from other import f\nexcept ImportError:\n    def f(): pass\nf", "main.py#f"),
        ("from pkg.a import f\nf = wrap(f)\nf", "main.py#f"),
        (
            "try:\n    from one import f\nexcept ImportError:\n    from two import f\nf",
            "foreign one.f",
        ),
    ] {
        check(&format!("{PACKAGE}//- main.py\n{code}\n"), expected);
    }
}

#[test]
fn st2_lookup_ends_with_imports_in_a_circle() {
    check("//- main.py\nfrom other import x\nx\n//- other.py\nfrom main import x\n", "unknown");
    check("//- main.py\nfrom other import *\nx\n//- other.py\nfrom main import *\n", "unknown");
}

#[test]
fn st2_lookup_in_folders_without_init() {
    check(
        "//- main.py\nimport docs.app.main\ndocs.app.main.run\n//- docs/app/main.py\ndef run(): pass\n",
        "docs/app/main.py#run",
    );
    check(
        "//- main.py\nfrom docs.app import main\nmain.run\n//- docs/app/main.py\ndef run(): pass\n",
        "docs/app/main.py#run",
    );
}

const CLASSES: &str = "
//- lib.py
class Base:
    shared = 1
    def __init__(self):
        self.part = Part()
        self.typed: Part = None
        self.late = None
        self.mixed = Part()
        self.mixed = Base()
    def start(self): self.late = Part()
    def method(self) -> 'Part': pass
    @property
    def prop(self) -> 'Part | None': pass
    def __enter__(self): return self
class Part:
    owner: Base
    def turn(self): pass
class Child(Base):
    def method(self): pass
class Other(Child, Part): pass
def make() -> Part: pass
async def fetch() -> Part: pass
def build():
    if x: return Part()
    return Part()
def vague(x):
    if x: return Part()
    return x
base = Base()
maybe = None
maybe = Part()
def set_global():
    global maybe
    maybe = Part()
";

#[test]
fn st2_meaning_of_attributes() {
    for (code, expected) in [
        ("Base.method", "lib.py#Base.method"),
        ("Child.method", "lib.py#Child.method"),
        ("Child.shared", "lib.py#Base.shared"),
        ("Child().shared", "lib.py#Base.shared"),
        ("Other().turn", "lib.py#Part.turn"),
        ("Other().nothing", "unknown"),
        ("Base().part", "lib.py#Base.part"),
        ("Base().part.turn", "lib.py#Part.turn"),
        ("Base().typed.turn", "lib.py#Part.turn"),
        ("Base().late.turn", "lib.py#Part.turn"),
        ("Base().mixed.turn", "unknown"),
        ("Base().prop.turn", "lib.py#Part.turn"),
        ("Base().method().turn", "lib.py#Part.turn"),
        ("Part().owner.part.turn", "lib.py#Part.turn"),
        ("make().turn", "lib.py#Part.turn"),
        ("build().turn", "lib.py#Part.turn"),
        ("vague(1).turn", "unknown"),
        ("fetch().turn", "unknown"),
        ("base.part.turn", "lib.py#Part.turn"),
        ("maybe.turn", "lib.py#Part.turn"),
        ("'text'.join", "unknown"),
        ("async def f():\n    (await fetch()).turn", "lib.py#Part.turn"),
        ("with Base() as b:\n    b.part", "lib.py#Base.part"),
        ("def f():\n    with Base() as b:\n        b.part", "lib.py#Base.part"),
        ("(Base() if c else Base()).part", "lib.py#Base.part"),
        ("(Base() if c else Part()).part", "unknown"),
    ] {
        check(&format!("{CLASSES}//- main.py\nfrom lib import *\n{code}\n"), expected);
    }
}

#[test]
fn st2_meaning_by_annotation_and_construction() {
    for (code, expected) in [
        ("def f(p: Part):\n    p.turn", "lib.py#Part.turn"),
        ("def f(p: 'Part'):\n    p.turn", "lib.py#Part.turn"),
        ("def f(p: 'lib.Part'):\n    p.turn", "lib.py#Part.turn"),
        ("def f(p: Optional[Part] = None):\n    p.turn", "lib.py#Part.turn"),
        ("def f(p: 'Optional[Part]'):\n    p.turn", "lib.py#Part.turn"),
        ("def f(p: Part | None):\n    p.turn", "lib.py#Part.turn"),
        ("def f(p: Part | Base):\n    p.turn", "unknown"),
        ("def f(p: Type[Part]):\n    p.turn", "lib.py#Part.turn"),
        ("def f(*p: Part):\n    p.turn", "unknown"),
        ("def f(p):\n    p.turn", "unknown"),
        ("def f():\n    p = Part()\n    p.turn", "lib.py#Part.turn"),
        ("def f(c):\n    p = Part()\n    if c: p = Base()\n    p.turn", "unknown"),
        ("def f(c):\n    p = None\n    if c: p = Part()\n    p.turn", "lib.py#Part.turn"),
        ("def f():\n    for p in Part():\n        p.turn", "unknown"),
        ("def f():\n    p: Part\n    p.turn", "lib.py#Part.turn"),
        ("def f():\n    p = q\n    q = p\n    p.turn", "unknown"),
        (
            "class E(Exception):\n    code = 1\ntry: pass\nexcept E as e:\n    e.code",
            "main.py#E.code",
        ),
        (
            "class E(Exception):\n    code = 1\ndef f():\n    try: pass\n    except E as e:\n        e.code",
            "main.py#E.code",
        ),
        ("Alias = Part\nAlias().turn", "lib.py#Part.turn"),
        ("def f():\n    class Local(Part): pass\n    Local().turn", "lib.py#Part.turn"),
        (
            "def f():\n    class Local:\n        def m(self): pass\n    Local().m",
            "main.py#f.<locals>.Local.m",
        ),
    ] {
        check(
            &format!("{CLASSES}//- main.py\nimport lib\nfrom lib import Part, Base\n{code}\n"),
            expected,
        );
    }
}

#[test]
fn st2_meaning_of_self_cls_and_super() {
    for (code, expected) in [
        ("    def m(self):\n        self.part", "lib.py#Base.part"),
        ("    def m(this):\n        this.part", "lib.py#Base.part"),
        ("    def m(self):\n        def inner():\n            self.part", "lib.py#Base.part"),
        ("    @classmethod\n    def m(cls):\n        cls.shared", "lib.py#Base.shared"),
        ("    @classmethod\n    def m(cls):\n        cls().part", "lib.py#Base.part"),
        ("    @staticmethod\n    def m(self):\n        self.part", "unknown"),
        ("    def method(self):\n        super().method", "lib.py#Base.method"),
        ("    def method(self):\n        super(Mine, self).method", "lib.py#Base.method"),
        ("    def method(self):\n        self.method", "main.py#Mine.method"),
        ("    def __new__(cls):\n        cls.shared", "lib.py#Base.shared"),
        ("    x = 1\n    x", "main.py#Mine.x"),
        ("    def m(self):\n        self = None\n        self.part", "unknown"),
        (
            "    def m(self) -> Self: pass\n    def n(self):\n        self.m().part",
            "lib.py#Base.part",
        ),
    ] {
        let header = "import lib\nfrom typing import Self\nclass Mine(lib.Base):\n";
        check(&format!("{CLASSES}//- main.py\n{header}{code}\n"), expected);
    }
}

#[test]
fn st2_hierarchies_in_a_circle_end() {
    check("//- main.py\nclass A(B): pass\nclass B(A): pass\nA().x\n", "unknown");
}

#[test]
fn st2_stubs_are_their_module() {
    check(
        "//- main.py\nfrom m import f\nf\n//- m.py\ndef f(): pass\n//- m.pyi\ndef f(): ...\n",
        "m.py#f",
    );
    check("//- main.py\nfrom m import f\nf\n//- m.pyi\ndef f(): ...\n", "m.pyi#f");
}

#[test]
fn st2_module_names() {
    let fixture =
        "//- lib/a/__init__.py\n//- lib/a/b.py\n//- tests/t.py\n//- docs/x/y.py\n//- __init__.py\n";
    let files = MemoryFiles::new(fixture);
    let project = Project::new(&files);
    let names: Vec<String> =
        project.python_files().iter().map(|path| project.module_name(path)).collect();
    assert_eq!(names, ["", "y", "a", "a.b", "t"]);
    assert_eq!(project.module_names("docs/x/y.py"), ["y", "docs.x.y"]);
    assert_eq!(project.module_names("lib/a/b.py"), ["a.b", "lib.a.b"]);
}

#[test]
fn st2_files_with_whole_words() {
    let files = MemoryFiles::new(
        "//- a.py\nname\n//- b.py\nname2\n//- c.txt\nname\n//- d.py\n_name äname\n//- e.pyi\n(name)\n",
    );
    let project = Project::new(&files);
    assert_eq!(project.files_with(&["name"]), ["a.py", "e.pyi"]);
    assert_eq!(project.files_with(&["name", "name2"]), ["a.py", "b.py", "e.pyi"]);
    assert!(project.files_with(&[""]).is_empty());
}

#[test]
fn st2_tests_by_their_path() {
    for (path, expected) in [
        ("tests/a.py", true),
        ("t/unit/a.py", true),
        ("a/test_b.py", true),
        ("a/b_test.py", true),
        ("conftest.py", true),
        ("a/testing.py", false),
        ("contest/a.py", false),
        ("app/tests.py", true),
    ] {
        assert_eq!(Project::is_test(path), expected, "{path}");
    }
}

#[test]
fn st2_symbols_by_their_name() {
    let files = MemoryFiles::new(
        "//- a.py\ndef x(): pass\nclass C:\n    x = 1\n    def m(self): self.x = 2\n//- b.py\nfrom a import x\ndef f(x): pass\n//- c.py\nclass D:\n    def m(self): self.x = 2\n",
    );
    let project = Project::new(&files);
    let names: Vec<String> = project.symbols_named("x").iter().map(ToString::to_string).collect();
    assert_eq!(names, ["a.py#C.x", "a.py#x", "c.py#D.x"]);
}
