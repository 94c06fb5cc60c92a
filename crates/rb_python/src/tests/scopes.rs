//! Which scope each name belongs to.

use expect_test::expect;

use super::check;

#[test]
fn st2_functions_see_the_module_and_builtins() {
    check(
        "\
X = 1
def f(a, /, b, *c, d, **e):
    Y = len(a)
    return X + Y + b + c + d + e + g()
def g(): pass
",
        &expect![[r#"
            1:1 X = module
            2:5 f = module
            2:7 a = f
            2:13 b = f
            2:17 c = f
            2:20 d = f
            2:25 e = f
            3:5 Y = f
            3:9 len -> ?
            3:13 a -> f
            4:12 X -> module
            4:16 Y -> f
            4:20 b -> f
            4:24 c -> f
            4:28 d -> f
            4:32 e -> f
            4:36 g -> module
            5:5 g = module
        "#]],
    );
}

#[test]
fn st2_all_bindings_in_a_function_are_one_local_variable() {
    check(
        "\
x = 1
def f():
    print(x)
    if x:
        x = 2
    x += 1
    del x
",
        &expect![[r#"
            1:1 x = module
            2:5 f = module
            3:5 print -> ?
            3:11 x -> f
            4:8 x -> f
            5:9 x = f
            6:5 x = f
            7:9 x x f
        "#]],
    );
}

#[test]
fn st2_defaults_decorators_annotations_and_bases_are_outside() {
    check(
        "\
a = b = c = 1
@a
def f(a=a, b: b = b, *, c: c) -> a:
    return a
@a
class b(b, metaclass=c):
    a = a
",
        &expect![[r#"
            1:1 a = module
            1:5 b = module
            1:9 c = module
            2:2 a -> module
            3:5 f = module
            3:7 a = f
            3:9 a -> module
            3:12 b = f
            3:15 b -> module
            3:19 b -> module
            3:25 c = f
            3:28 c -> module
            3:34 a -> module
            4:12 a -> f
            5:2 a -> module
            6:7 b = module
            6:9 b -> module
            6:22 c -> module
            7:5 a = b
            7:9 a -> module
        "#]],
    );
}

#[test]
fn st2_global_means_the_variable_of_the_module() {
    check(
        "\
def f():
    global x, unbound
    x = 1
    def g():
        return x
    def h():
        x = 2
    return unbound
x
",
        &expect![[r#"
            1:5 f = module
            2:12 x -> module
            2:15 unbound -> ?
            3:5 x = module
            4:9 g = f
            5:16 x -> module
            6:9 h = f
            7:9 x = f.h
            8:12 unbound -> ?
            9:1 x -> module
        "#]],
    );
}

#[test]
fn st2_global_in_a_function_hides_the_variable_around_it() {
    check(
        "\
x = 0
def f():
    x = 1
    def g():
        global x
        x = 2
        def h():
            return x
",
        &expect![[r#"
            1:1 x = module
            2:5 f = module
            3:5 x = f
            4:9 g = f
            5:16 x -> module
            6:9 x = module
            7:13 h = f.g
            8:20 x -> module
        "#]],
    );
}

#[test]
fn st2_nonlocal_means_the_variable_of_a_function_around() {
    check(
        "\
x = 0
def f():
    def g():
        nonlocal x
        x += 1
        class C:
            nonlocal x
            x = 3
    x = 1
def h():
    nonlocal y
",
        &expect![[r#"
            1:1 x = module
            2:5 f = module
            3:9 g = f
            4:18 x -> f
            5:9 x = f
            6:15 C = f.g
            7:22 x -> f
            8:13 x = f
            9:5 x = f
            10:5 h = module
            11:14 y -> ?
        "#]],
    );
}

#[test]
fn st2_comprehensions_have_a_scope_but_for_the_first_iterable() {
    check(
        "\
x = y = 1
def f():
    [x for x in x if x for y in x]
    {x: y for x, y in y}
    {x for x in y}
    (z for z in (y for y in x))
",
        &expect![[r#"
            1:1 x = module
            1:5 y = module
            2:5 f = module
            3:6 x -> f.<comprehension>
            3:12 x = f.<comprehension>
            3:17 x -> module
            3:22 x -> f.<comprehension>
            3:28 y = f.<comprehension>
            3:33 x -> f.<comprehension>
            4:6 x -> f.<comprehension>
            4:9 y -> f.<comprehension>
            4:15 x = f.<comprehension>
            4:18 y = f.<comprehension>
            4:23 y -> module
            5:6 x -> f.<comprehension>
            5:12 x = f.<comprehension>
            5:17 y -> module
            6:6 z -> f.<comprehension>
            6:12 z = f.<comprehension>
            6:18 y -> f.<comprehension>
            6:24 y = f.<comprehension>
            6:29 x -> module
        "#]],
    );
}

#[test]
fn st2_walrus_in_a_comprehension_binds_around_it() {
    check(
        "\
def f(data):
    any((last := item) for item in data if (lambda: (inner := item))())
    return last
if (n := 10) > 5: n
[[m := j for i in range(5)] for j in range(5)]
m
",
        &expect![[r#"
            1:5 f = module
            1:7 data = f
            2:5 any -> ?
            2:10 last = f
            2:18 item -> f.<comprehension>
            2:28 item = f.<comprehension>
            2:36 data -> f
            2:54 inner = f.<comprehension>.<lambda>
            2:63 item -> f.<comprehension>
            3:12 last -> f
            4:5 n = module
            4:19 n -> module
            5:3 m = module
            5:8 j -> <comprehension>
            5:14 i = <comprehension>.<comprehension>
            5:19 range -> ?
            5:33 j = <comprehension>
            5:38 range -> ?
            6:1 m -> module
        "#]],
    );
}

#[test]
fn st2_lambdas_have_a_scope_but_for_their_defaults() {
    check(
        "\
x = 1
f = lambda x, *args, y=x, **kwargs: (x, y, args, kwargs, f)
",
        &expect![[r#"
            1:1 x = module
            2:1 f = module
            2:12 x = <lambda>
            2:16 args = <lambda>
            2:22 y = <lambda>
            2:24 x -> module
            2:29 kwargs = <lambda>
            2:38 x -> <lambda>
            2:41 y -> <lambda>
            2:44 args -> <lambda>
            2:50 kwargs -> <lambda>
            2:58 f -> module
        "#]],
    );
}

#[test]
fn st2_type_parameters_have_a_scope() {
    check(
        "\
T = 1
def f[T: Bound, *Ts, **P = T](a: T = T) -> T:
    return T
class C[T](Base[T]):
    x: T
    Inner = int
    def m[U](self, a: Inner, b: U) -> T:
        return Inner
type Alias[T] = dict[T, Alias]
type Plain = T
",
        &expect![[r#"
            1:1 T = module
            2:5 f = module
            2:7 T = f[]
            2:10 Bound -> ?
            2:18 Ts = f[]
            2:24 P = f[]
            2:28 T -> f[]
            2:31 a = f[].f
            2:34 T -> f[]
            2:38 T -> module
            2:44 T -> f[]
            3:12 T -> f[]
            4:7 C = module
            4:9 T = C[]
            4:12 Base -> ?
            4:17 T -> C[]
            5:5 x = C[].C
            5:8 T -> C[]
            6:5 Inner = C[].C
            6:13 int -> ?
            7:9 m = C[].C
            7:11 U = C[].C.m[]
            7:14 self = C[].C.m[].m
            7:20 a = C[].C.m[].m
            7:23 Inner -> C[].C
            7:30 b = C[].C.m[].m
            7:33 U -> C[].C.m[]
            7:39 T -> C[]
            8:16 Inner -> ?
            9:6 Alias = module
            9:12 T = Alias[]
            9:17 dict -> ?
            9:22 T -> Alias[]
            9:25 Alias -> module
            10:6 Plain = module
            10:14 T -> module
        "#]],
    );
}
