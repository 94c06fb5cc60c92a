//! What binds a name, and from where on.

use expect_test::expect;

use super::check;

#[test]
fn st2_class_bodies_are_invisible_to_their_functions() {
    check(
        "\
x = 0
class C:
    x = 1
    y = x
    def f(self, z=x):
        return x, C
    g = lambda self: x
    h = [x for _ in x]
    class D:
        z = x
",
        &expect![[r#"
            1:1 x = module
            2:7 C = module
            3:5 x = C
            4:5 y = C
            4:9 x -> C
            5:9 f = C
            5:11 self = C.f
            5:17 z = C.f
            5:19 x -> C
            6:16 x -> module
            6:19 C -> module
            7:5 g = C
            7:16 self = C.<lambda>
            7:22 x -> module
            8:5 h = C
            8:10 x -> module
            8:16 _ = C.<comprehension>
            8:21 x -> C
            9:11 D = C
            10:9 z = C.D
            10:13 x -> module
        "#]],
    );
}

#[test]
fn st2_class_bodies_run_from_top_to_bottom() {
    check(
        "\
x = 0
def f(x):
    class C:
        x = x
        y = x
class D:
    id = id
    id
    date: date
    date
    def list(self) -> list: pass
    def other(self) -> list: pass
    for x in x:
        x
class E:
    for i in x:
        x
        x = i
class date: pass
",
        &expect![[r#"
            1:1 x = module
            2:5 f = module
            2:7 x = f
            3:11 C = f
            4:9 x = f.C
            4:13 x -> module
            5:9 y = f.C
            5:13 x -> f.C
            6:7 D = module
            7:5 id = D
            7:10 id -> ?
            8:5 id -> D
            9:5 date = D
            9:11 date -> module
            10:5 date -> module
            11:9 list = D
            11:14 self = D.list
            11:23 list -> ?
            12:9 other = D
            12:15 self = D.other
            12:24 list -> D
            13:9 x = D
            13:14 x -> module
            14:9 x -> D
            15:7 E = module
            16:9 i = E
            16:14 x -> module
            17:9 x -> E
            18:9 x = E
            18:13 i -> E
            19:7 date = module
        "#]],
    );
}

#[test]
fn st2_modules_run_from_top_to_bottom() {
    check(
        "\
try:
    input = input
except NameError:
    pass
input()
x
x = 1
",
        &expect![[r#"
            2:5 input = module
            2:13 input -> ?
            3:8 NameError -> ?
            5:1 input -> module
            6:1 x -> module
            7:1 x = module
        "#]],
    );
}

#[test]
fn st2_statements_that_bind() {
    check(
        "\
for a, (b, *c) in d: a
else: b
with e as f, (g) as (h, i.j, k[l]): f
try: pass
except E as m: m
try: pass
except* F as n: n
import o.p, q as r
from s import t as u, v
from w import *
async def x():
    async with y as z: z
",
        &expect![[r#"
            1:5 a = module
            1:9 b = module
            1:13 c = module
            1:19 d -> ?
            1:22 a -> module
            2:7 b -> module
            3:6 e -> ?
            3:11 f = module
            3:15 g -> ?
            3:22 h = module
            3:25 i -> ?
            3:30 k -> ?
            3:32 l -> ?
            3:37 f -> module
            5:8 E -> ?
            5:13 m = module
            5:16 m -> module
            7:9 F -> ?
            7:14 n = module
            7:17 n -> module
            11:11 x = module
            12:16 y -> ?
            12:21 z = x
            12:24 z -> x
        "#]],
    );
}

#[test]
fn st2_imports_are_variables() {
    check(
        "\
import a.b, c as d
from e import f, g as h
a, c, d, e, f, g, h
def local():
    import a.c
    return a
",
        &expect![[r#"
            3:1 a -> module
            3:4 c -> ?
            3:7 d -> module
            3:10 e -> ?
            3:13 f -> module
            3:16 g -> ?
            3:19 h -> module
            4:5 local = module
            6:12 a -> local
        "#]],
    );
}

#[test]
fn st2_match_captures_bind() {
    check(
        "\
match x:
    case [a, *b] | {'k': a, **b}: a
    case Point(x=0, y=c) if c: c
    case Color.RED | None as d: d
    case _: pass
",
        &expect![[r#"
            1:7 x -> ?
            2:11 a = module
            2:15 b = module
            2:26 a = module
            2:31 b = module
            2:35 a -> module
            3:10 Point -> ?
            3:23 c = module
            3:29 c -> module
            3:32 c -> module
            4:10 Color -> ?
            4:30 d = module
            4:33 d -> module
        "#]],
    );
}

#[test]
fn st2_annotated_assignments_declare() {
    check(
        "\
x: int
y: int = x
(z): int
z.a: int = 1
def f():
    x: str
    x
",
        &expect![[r#"
            1:1 x = module
            1:4 int -> ?
            2:1 y = module
            2:4 int -> ?
            2:10 x -> module
            3:2 z -> ?
            3:6 int -> ?
            4:1 z -> ?
            4:6 int -> ?
            5:5 f = module
            6:5 x = f
            6:8 str -> ?
            7:5 x -> f
        "#]],
    );
}

#[test]
fn st2_private_names_of_a_class_mean_nothing_outside() {
    check(
        "\
__x = 1
class C:
    __x = __x
    def f(self):
        global __x
        __x
        __local = 1
        return __local, __class__, __doc__
__class__ = 1
",
        &expect![[r#"
            1:1 __x = module
            2:7 C = module
            3:5 __x = C
            3:11 __x -> C
            4:9 f = C
            4:11 self = C.f
            5:16 __x -> ?
            6:9 __x -> ?
            7:9 __local = C.f
            8:16 __local -> C.f
            8:25 __class__ -> ?
            8:36 __doc__ -> ?
            9:1 __class__ = module
        "#]],
    );
}

#[test]
fn st2_f_strings_hold_expressions() {
    check(
        "x = 1\nf'{x!r:{y}} {x=} {[x for x in x]}' 'x'\nt'{x}'\n",
        &expect![[r#"
        1:1 x = module
        2:4 x -> module
        2:9 y -> ?
        2:14 x -> module
        2:20 x -> <comprehension>
        2:26 x = <comprehension>
        2:31 x -> module
        3:4 x -> module
    "#]],
    );
}

#[test]
fn st2_names_are_in_the_order_of_the_text() {
    check(
        "f(*a, b=c, *d, **e)\nx = y if z else w\nv = (u := t)\n",
        &expect![[r#"
        1:1 f -> ?
        1:4 a -> ?
        1:9 c -> ?
        1:13 d -> ?
        1:18 e -> ?
        2:1 x = module
        2:5 y -> ?
        2:10 z -> ?
        2:17 w -> ?
        3:1 v = module
        3:6 u = module
        3:11 t -> ?
    "#]],
    );
}
