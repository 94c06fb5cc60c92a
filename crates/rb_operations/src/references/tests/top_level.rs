//! A top-level name.

use expect_test::expect;

use super::check;

#[test]
fn st1_top_level_in_its_own_module() {
    check(
        "//- a.py
__all__ = ['f', 'g']
def f(): return f
@f
class C:
    f = f
    def m(self, f=f): return f
def user():
    global f
    f = 1
    del f
def shadow():
    f = 2
    return [f for f in f]
x: 'f' = f()
lambda f: f
self.f = 1
",
        "a.py#f",
        expect![[r#"
            All        a.py:1 __all__ = ['[f]', 'g']
            Definition a.py:2 def [f](): return f
            Name       a.py:2 def f(): return [f]
            Name       a.py:3 @[f]
            Name       a.py:5 f = [f]
            Name       a.py:8 global [f]
            Definition a.py:9 [f] = 1
            Name       a.py:10 del [f]
            Name       a.py:14 x: '[f]' = f()
            Name       a.py:14 x: 'f' = [f]()
        "#]],
    );
}

#[test]
fn st1_top_level_by_import_and_through_modules() {
    check(
        "//- pkg/__init__.py
from .a import f, f as renamed
from . import a
__all__ = ('f', 'renamed')
//- pkg/a.py
def f(): pass
//- pkg/b.py
from .a import f as f
from . import a as aa
def g():
    from . import f
    return f() + aa.f() + aa.f.f
//- user.py
import pkg, pkg.a
from pkg import f, renamed
import pkg as p
f(); renamed(); pkg.f(); p.f(); pkg.a.f(); p.a.f; p.renamed
def local(pkg, f): return pkg.f, f
class C:
    f = 1
    def m(self): return self.f, f
//- third.py
from user import f
from pkg.b import f as g
from other import f as h
from pkg import renamed as f
f()
",
        "pkg/a.py#f",
        expect![[r#"
            Import     pkg/__init__.py:1 from .a import [f], f as renamed
            Import     pkg/__init__.py:1 from .a import f, [f] as renamed
            All        pkg/__init__.py:3 __all__ = ('[f]', 'renamed')
            Definition pkg/a.py:1 def [f](): pass
            Import     pkg/b.py:1 from .a import [f] as f
            Name       pkg/b.py:1 from .a import f as [f]
            Import     pkg/b.py:4 from . import [f]
            Name       pkg/b.py:5 return [f]() + aa.f() + aa.f.f
            Attribute  pkg/b.py:5 return f() + aa.[f]() + aa.f.f
            Attribute  pkg/b.py:5 return f() + aa.f() + aa.[f].f
            Import     third.py:1 from user import [f]
            Import     third.py:2 from pkg.b import [f] as g
            Name       third.py:4 from pkg import renamed as [f]
            Name       third.py:5 [f]()
            Import     user.py:2 from pkg import [f], renamed
            Name       user.py:4 [f](); renamed(); pkg.f(); p.f(); pkg.a.f(); p.a.f; p.renamed
            Attribute  user.py:4 f(); renamed(); pkg.[f](); p.f(); pkg.a.f(); p.a.f; p.renamed
            Attribute  user.py:4 f(); renamed(); pkg.f(); p.[f](); pkg.a.f(); p.a.f; p.renamed
            Attribute  user.py:4 f(); renamed(); pkg.f(); p.f(); pkg.a.[f](); p.a.f; p.renamed
            Attribute  user.py:4 f(); renamed(); pkg.f(); p.f(); pkg.a.f(); p.a.[f]; p.renamed
            Name       user.py:8 def m(self): return self.f, [f]
        "#]],
    );
}

#[test]
fn st1_top_level_by_star_imports() {
    check(
        "//- a.py
__all__ = ['f']
def f(): pass
//- b.py
from a import *
f()
def g(f): return f
//- c.py
from b import *
from b import f
//- d.py
from a import *
f = 2
f
//- e.py
import b
b.f, b.g
",
        "a.py#f",
        expect![[r#"
            All        a.py:1 __all__ = ['[f]']
            Definition a.py:2 def [f](): pass
            Name       b.py:2 [f]()
            Import     c.py:2 from b import [f]
            Attribute  e.py:2 b.[f], b.g
        "#]],
    );
}

#[test]
fn st1_top_level_with_alternatives() {
    check(
        "//- a.py
try:
    from fast import f
except ImportError:
    def f(): pass
//- b.py
try:
    from a import f
except ImportError:
    f = None
f()
//- c.py
try:
    from a import f
except ImportError:
    from fast import f
f()
//- d.py
from a import f
f = decorate(f)
//- e.py
from d import f
f()
//- g.py
try:
    from fast import quick as f
except ImportError:
    from a import f
",
        "a.py#f",
        expect![[r#"
            Definition a.py:4 def [f](): pass
            Import     b.py:2 from a import [f]
            Name       b.py:4 [f] = None
            Name       b.py:5 [f]()
            Import     c.py:2 from a import [f]
            Name       c.py:5 [f]()
            Import     d.py:1 from a import [f]
            Name       g.py:2 from fast import quick as [f]
            Import     g.py:4 from a import [f]
            ? a.py:2 from fast import [f]: it is also imported from `fast`
            ? c.py:4 from fast import [f]: it is also imported from `fast`
            ? d.py:2 [f] = decorate(f): the imported name is bound again here
        "#]],
    );
}

#[test]
fn st1_top_level_in_strings() {
    check(
        "//- pkg/__init__.py
//- pkg/a.py
def f(): pass
//- pkg/user.py
from .a import f
from .a import f as g
//- test_a.py
import pkg.a
from pkg import user
from unittest import mock
from unittest.mock import patch
@patch('pkg.a.f')
@mock.patch('pkg.user.f', autospec=True)
@patch('pkg.user.g')
@patch.object(user, 'f')
@patch.object(pkg.a, attribute='f')
@patch.multiple('pkg.a', f=1, g=2)
@patch.multiple(pkg.a, f=1)
def test(monkeypatch):
    monkeypatch.setattr(user, 'f', 1)
    monkeypatch.setattr('pkg.a.f', 1)
    getattr(pkg.a, 'f'), hasattr(pkg.other, 'f')
    setattr(self, 'f', 1)
    x = ['pkg.a.f', 'pkg.a:f', 'see pkg.a.f, and pkg.a.f.', 'other.a.f', 'pkg.f', 'f', b'pkg.a.f']
    y: 'pkg.a.f'
    z: 'list[user.f]'
    sys.modules['pkg.a'].f
    vars(user)['f'], user.__dict__['f'], other['f']
    code = 'from pkg.a import f, g; f()'
//- tasks.py
@task(name='pkg.user.f')
def t(): send('pkg.user.f')
",
        "pkg/a.py#f",
        expect![[r#"
            Definition pkg/a.py:1 def [f](): pass
            Import     pkg/user.py:1 from .a import [f]
            Import     pkg/user.py:2 from .a import [f] as g
            String     test_a.py:5 @patch('pkg.a.[f]')
            String     test_a.py:6 @mock.patch('pkg.user.[f]', autospec=True)
            String     test_a.py:8 @patch.object(user, '[f]')
            String     test_a.py:9 @patch.object(pkg.a, attribute='[f]')
            Keyword    test_a.py:10 @patch.multiple('pkg.a', [f]=1, g=2)
            Keyword    test_a.py:11 @patch.multiple(pkg.a, [f]=1)
            String     test_a.py:13 monkeypatch.setattr(user, '[f]', 1)
            String     test_a.py:14 monkeypatch.setattr('pkg.a.[f]', 1)
            String     test_a.py:15 getattr(pkg.a, '[f]'), hasattr(pkg.other, 'f')
            String     test_a.py:17 x = ['pkg.a.[f]', 'pkg.a:f', 'see pkg.a.f, and pkg.a.f.', 'other.a.f', 'pkg.f', 'f', b'pkg.a.f']
            String     test_a.py:17 x = ['pkg.a.f', 'pkg.a:[f]', 'see pkg.a.f, and pkg.a.f.', 'other.a.f', 'pkg.f', 'f', b'pkg.a.f']
            String     test_a.py:17 x = ['pkg.a.f', 'pkg.a:f', 'see pkg.a.[f], and pkg.a.f.', 'other.a.f', 'pkg.f', 'f', b'pkg.a.f']
            String     test_a.py:17 x = ['pkg.a.f', 'pkg.a:f', 'see pkg.a.f, and pkg.a.[f].', 'other.a.f', 'pkg.f', 'f', b'pkg.a.f']
            Attribute  test_a.py:18 y: 'pkg.a.[f]'
            Attribute  test_a.py:19 z: 'list[user.[f]]'
            String     test_a.py:21 vars(user)['[f]'], user.__dict__['f'], other['f']
            String     test_a.py:21 vars(user)['f'], user.__dict__['[f]'], other['f']
            ~ tasks.py:1 @task(name='pkg.user.[f]'): a name that something is registered by
            ~ tasks.py:2 def t(): send('pkg.user.[f]'): a name that something is registered by
            ~ test_a.py:15 getattr(pkg.a, 'f'), hasattr(pkg.other, '[f]'): a string with this name
            ~ test_a.py:16 setattr(self, '[f]', 1): a string with this name
            ~ test_a.py:17 x = ['pkg.a.f', 'pkg.a:f', 'see pkg.a.f, and pkg.a.f.', 'other.a.f', 'pkg.f', '[f]', b'pkg.a.f']: a string with this name
            ~ test_a.py:21 vars(user)['f'], user.__dict__['f'], other['[f]']: a string with this name
            ~ test_a.py:22 code = 'from pkg.a import [f], g; f()': code in a string
            ~ test_a.py:22 code = 'from pkg.a import f, g; [f]()': code in a string
        "#]],
    );
}

#[test]
fn st1_top_level_in_tables_of_lazy_imports() {
    check(
        "//- pkg/__init__.py
A = {'pkg.a': ['f', 'other'], 'pkg.b': ['f']}
B = {'f': 'a', 'other': 'b'}
C = {'f': ('.a', 'f')}
D = {'f': 'elsewhere'}
def __getattr__(name): return globals()['f']
//- pkg/a.py
def f(): return globals()['f']
//- pkg/b.py
//- user.py
from pkg import f
",
        "pkg/a.py#f",
        expect![[r#"
            String     pkg/__init__.py:1 A = {'pkg.a': ['[f]', 'other'], 'pkg.b': ['f']}
            String     pkg/__init__.py:2 B = {'[f]': 'a', 'other': 'b'}
            String     pkg/__init__.py:3 C = {'[f]': ('.a', 'f')}
            String     pkg/__init__.py:3 C = {'f': ('.a', '[f]')}
            String     pkg/__init__.py:5 def __getattr__(name): return globals()['[f]']
            Definition pkg/a.py:1 def [f](): return globals()['f']
            String     pkg/a.py:1 def f(): return globals()['[f]']
            Import     user.py:1 from pkg import [f]
            ~ pkg/__init__.py:1 A = {'pkg.a': ['f', 'other'], 'pkg.b': ['[f]']}: a string with this name
            ~ pkg/__init__.py:4 D = {'[f]': 'elsewhere'}: a string with this name
        "#]],
    );
}

#[test]
fn st1_top_level_class_with_its_uses() {
    check(
        "//- a.py
class C:
    def copy(self) -> 'C': return C()
    def other(self) -> \"Optional[C]\": pass
class D(C): pass
//- a.pyi
class C:
    def copy(self) -> C: ...
//- b.py
from __future__ import annotations
from typing import TYPE_CHECKING, cast
if TYPE_CHECKING:
    from a import C
def f(c: C, d: 'C') -> list[C]: return cast('C', c)
isinstance(x, C)
try: pass
except (C, D): pass
",
        "a.py#C",
        expect![[r#"
            Definition a.py:1 class [C]:
            Name       a.py:2 def copy(self) -> '[C]': return C()
            Name       a.py:2 def copy(self) -> 'C': return [C]()
            Name       a.py:3 def other(self) -> "Optional[[C]]": pass
            Name       a.py:4 class D([C]): pass
            Definition a.pyi:1 class [C]:
            Name       a.pyi:2 def copy(self) -> [C]: ...
            Import     b.py:4 from a import [C]
            Name       b.py:5 def f(c: [C], d: 'C') -> list[C]: return cast('C', c)
            Name       b.py:5 def f(c: C, d: '[C]') -> list[C]: return cast('C', c)
            Name       b.py:5 def f(c: C, d: 'C') -> list[[C]]: return cast('C', c)
            Name       b.py:5 def f(c: C, d: 'C') -> list[C]: return cast('[C]', c)
            Name       b.py:6 isinstance(x, [C])
            Name       b.py:8 except ([C], D): pass
        "#]],
    );
}

#[test]
fn st1_local_function() {
    check(
        "//- a.py
def outer():
    def helper(): pass
    return helper
def helper(): pass
",
        "a.py#outer.<locals>.helper",
        expect![[r#"
            Definition a.py:2 def [helper](): pass
            Name       a.py:3 return [helper]
        "#]],
    );
}

#[test]
fn st1_top_level_fixture() {
    check(
        "//- tests/conftest.py
import pytest
@pytest.fixture
def app(): pass
@pytest.fixture()
def client(app): return app.client
//- tests/test_a.py
import pytest
def test_one(app): app.run()
class TestTwo:
    def test_two(self, app, request): request.getfixturevalue('app')
    def helper(self, app): pass
@pytest.mark.usefixtures('app')
def test_three(): pass
@pytest.mark.parametrize('app', [])
def test_four(app): pass
//- tests/deep/conftest.py
import pytest
@pytest.fixture
def app(app): pass
//- tests/deep/test_b.py
def test_one(app): app.run()
//- other/test_c.py
def test_one(app): app.run()
",
        "tests/conftest.py#app",
        expect![[r#"
            Definition tests/conftest.py:3 def [app](): pass
            Name       tests/conftest.py:5 def client([app]): return app.client
            Name       tests/conftest.py:5 def client(app): return [app].client
            Name       tests/test_a.py:2 def test_one([app]): app.run()
            Name       tests/test_a.py:2 def test_one(app): [app].run()
            Name       tests/test_a.py:4 def test_two(self, [app], request): request.getfixturevalue('app')
            String     tests/test_a.py:4 def test_two(self, app, request): request.getfixturevalue('[app]')
            String     tests/test_a.py:6 @pytest.mark.usefixtures('[app]')
            ? tests/deep/conftest.py:3 def [app](app): pass: a fixture that overrides one of its name
            ? tests/test_a.py:9 def test_four([app]): pass: the parameter may stand for something else than the fixture
            ~ tests/test_a.py:8 @pytest.mark.parametrize('[app]', []): a string with this name
        "#]],
    );
}
