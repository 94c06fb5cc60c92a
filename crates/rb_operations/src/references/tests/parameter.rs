//! A parameter.

use expect_test::expect;

use super::check_parameter;

#[test]
fn st1_parameter_of_a_function() {
    check_parameter(
        "//- a.py
def f(x, width=1):
    def inner(): return width
    return width, lambda width: width
//- b.py
import a, functools
from a import f as g, f
f(1, width=2); g(1, width=2); a.f(1, width=2); other(width=1)
functools.partial(f, width=2)
f(**{'width': 1}); f(**dict(width=1)); f(**options)
f.delay(width=1)
def h(width): f(width=width)
",
        "a.py#f",
        "width",
        expect![[r#"
            Definition a.py:1 def f(x, [width]=1):
            Name       a.py:2 def inner(): return [width]
            Name       a.py:3 return [width], lambda width: width
            Keyword    b.py:3 f(1, [width]=2); g(1, width=2); a.f(1, width=2); other(width=1)
            Keyword    b.py:3 f(1, width=2); g(1, [width]=2); a.f(1, width=2); other(width=1)
            Keyword    b.py:3 f(1, width=2); g(1, width=2); a.f(1, [width]=2); other(width=1)
            Keyword    b.py:4 functools.partial(f, [width]=2)
            String     b.py:5 f(**{'[width]': 1}); f(**dict(width=1)); f(**options)
            Keyword    b.py:5 f(**{'width': 1}); f(**dict([width]=1)); f(**options)
            Keyword    b.py:7 def h(width): f([width]=width)
            ? b.py:5 f(**{'width': 1}); f(**dict(width=1)); f(**[options]): `**options` may hold it
            ? b.py:6 f.delay([width]=1): `delay` may pass it on
        "#]],
    );
}

#[test]
fn st1_parameter_of_methods_and_constructors() {
    check_parameter(
        "//- a.py
class A:
    def go(self, far): return far
    def all(self, x): self.go(far=1); x.go(far=1)
class B(A):
    def go(self, far, more=0): return super().go(far=far)
class C:
    def go(self, far): pass
def f(b: B, c: C): b.go(far=1); c.go(far=1)
",
        "a.py#A.go",
        "far",
        expect![[r#"
            Definition a.py:2 def go(self, [far]): return far
            Name       a.py:2 def go(self, far): return [far]
            Keyword    a.py:3 def all(self, x): self.go([far]=1); x.go(far=1)
            Definition a.py:5 def go(self, [far], more=0): return super().go(far=far)
            Keyword    a.py:5 def go(self, far, more=0): return super().go([far]=far)
            Name       a.py:5 def go(self, far, more=0): return super().go(far=[far])
            Keyword    a.py:8 def f(b: B, c: C): b.go([far]=1); c.go(far=1)
            ? a.py:3 def all(self, x): self.go(far=1); x.go([far]=1): it is not known what is called
        "#]],
    );
    check_parameter(
        "//- a.py
class A:
    def __init__(self, size): self.size = size
    @classmethod
    def make(cls): return cls(size=1)
class B(A): pass
class C(A):
    def __init__(self, size): super().__init__(size=size)
A(size=1); B(size=1); C(size=1)
",
        "a.py#A.__init__",
        "size",
        expect![[r#"
            Definition a.py:2 def __init__(self, [size]): self.size = size
            Name       a.py:2 def __init__(self, size): self.size = [size]
            Keyword    a.py:4 def make(cls): return cls([size]=1)
            Keyword    a.py:7 def __init__(self, size): super().__init__([size]=size)
            Keyword    a.py:8 A([size]=1); B(size=1); C(size=1)
            Keyword    a.py:8 A(size=1); B([size]=1); C(size=1)
        "#]],
    );
}

#[test]
fn st1_parameter_of_tests_and_decorated_functions() {
    check_parameter(
        "//- tests/test_a.py
@pytest.mark.parametrize('one, two', [])
def test_x(one, two, client): return one
",
        "tests/test_a.py#test_x",
        "one",
        expect![[r#"
            String     tests/test_a.py:1 @pytest.mark.parametrize('[one], two', [])
            Definition tests/test_a.py:2 def test_x([one], two, client): return one
            Name       tests/test_a.py:2 def test_x(one, two, client): return [one]
        "#]],
    );
    check_parameter(
        "//- a.py
@app.get('/items/{item_id}')
def read(item_id): return item_id
",
        "a.py#read",
        "item_id",
        expect![[r#"
            Definition a.py:2 def read([item_id]): return item_id
            Name       a.py:2 def read(item_id): return [item_id]
            ? a.py:1 @app.get('/items/{[item_id]}'): a decorator may name the parameter
        "#]],
    );
}
