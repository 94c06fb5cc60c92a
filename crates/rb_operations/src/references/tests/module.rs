//! A module or package.

use expect_test::expect;

use super::check_module;

#[test]
fn st1_module_in_all_forms() {
    check_module(
        "//- pkg/__init__.py
from . import module
from .module import x
__all__ = ['module', 'x']
//- pkg/module.py
x = 1
//- pkg/other.py
from pkg import module as m
from pkg.module import x
def f(): from .module import x as y
m.x, x.module
//- user.py
import pkg.module, os
import pkg.module as pm
from pkg import module
pkg.module.x, pm.x, module.x, os.module
def h():
    import pkg.module as module
    return module.x
def f(module): return module
def g(a: 'module.C', b: 'pkg.module.C'): pass
mock.patch('pkg.module.x'); mock.patch('pkg.other.module')
INSTALLED = ['pkg.module', 'pkg.modules', 'a.pkg.module', 'module']
importlib.import_module('pkg.module')
mock.patch.object(pkg, 'module')
",
        "pkg/module.py",
        expect![[r#"
            FromParent pkg/__init__.py:1 from . import [module]
            From       pkg/__init__.py:2 [from .module import x]
            Name       pkg/__init__.py:3 __all__ = ['[module]', 'x']
            FromParent pkg/other.py:1 from pkg import [module as m]
            From       pkg/other.py:2 [from pkg.module import x]
            From       pkg/other.py:3 def f(): [from .module import x as y]
            Import     user.py:1 import [pkg.module], os
            Import     user.py:2 import [pkg.module as pm]
            FromParent user.py:3 from pkg import [module]
            Attribute  user.py:4 [pkg.module].x, pm.x, module.x, os.module
            Name       user.py:4 pkg.module.x, pm.x, [module].x, os.module
            Import     user.py:6 import [pkg.module as module]
            Name       user.py:9 def g(a: '[module].C', b: 'pkg.module.C'): pass
            Attribute  user.py:9 def g(a: 'module.C', b: '[pkg.module].C'): pass
            String     user.py:10 mock.patch('[pkg.module].x'); mock.patch('pkg.other.module')
            String     user.py:11 INSTALLED = ['[pkg.module]', 'pkg.modules', 'a.pkg.module', 'module']
            String     user.py:12 importlib.import_module('[pkg.module]')
            Name       user.py:13 mock.patch.object(pkg, '[module]')
        "#]],
    );
}

#[test]
fn st1_module_that_is_a_package() {
    check_module(
        "//- a/__init__.py
//- a/b/__init__.py
from . import c
from .c import x
//- a/b/c.py
from . import x
from .. import b
from ...a import b as bb
//- user.py
import a.b.c
from a.b.c import x
from a.b import c
a.b.c.x
'a.b.c.x'
",
        "a/b/__init__.py",
        expect![[r#"
            From       a/b/__init__.py:1 [from . import c]
            From       a/b/__init__.py:2 [from .c import x]
            From       a/b/c.py:1 [from . import x]
            FromParent a/b/c.py:2 from .. import [b]
            FromParent a/b/c.py:3 from ...a import [b as bb]
            Import     user.py:1 import [a.b.c]
            From       user.py:2 [from a.b.c import x]
            From       user.py:3 [from a.b import c]
            Attribute  user.py:4 [a.b].c.x
            String     user.py:5 '[a.b].c.x'
        "#]],
    );
    check_module(
        "//- a/__init__.py
//- a/b.py
//- user.py
import a.b
import a
a.b, a
patch('a.b.x')
'a'
",
        "a/__init__.py",
        expect![[r#"
            Import     user.py:1 import [a.b]
            Import     user.py:2 import [a]
            Name       user.py:3 [a].b, a
            Name       user.py:3 a.b, [a]
            String     user.py:4 patch('[a].b.x')
        "#]],
    );
}
