use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

const REORDER: &str =
    r#"{"operation": "reorder-parameters", "function": "a.py#f", "order": ["c", "a", "b"]}"#;

#[test]
fn st1_arguments_follow_the_order() {
    check(
        "\
//- a.py
def f(
    a,  # first
    b,
    c,
):
    return a, b, c


f(1, 2, 3)
f(1, b=2, c=3)
f(1, 2, c=3)
f(a=1, b=2, c=3)
f(g(), h(), 3)
f(g(), 2, 3)
f((1), 2, (x := 3))
",
        REORDER,
        &expect![[r#"
            parameters of `f` reordered, and the arguments of 6 calls
            //- a.py
            def f(
                c,  # first
                a,
                b,
            ):
                return a, b, c


            f(3, 1, 2)
            f(a=1, b=2, c=3)
            f(a=1, b=2, c=3)
            f(a=1, b=2, c=3)
            f(a=g(), b=h(), c=3)
            f(3, g(), 2)
            f((x := 3), (1), 2)
            api: a.py f(a, b, c) -> f(c, a, b)
        "#]],
    );
}

#[test]
fn st1_orders_that_python_does_not_accept_are_refused() {
    let rows = [
        ("def f(a, b, c=1): pass", "default"),
        ("def f(a, b): pass", "no parameter"),
        ("def f(a, b, c, d): pass", "named once"),
        ("def f(a, /, b, c): pass", "sides"),
    ];
    for (definition, reason) in rows {
        let refused = snapshot(&format!("//- a.py\n{definition}\n"), REORDER);
        assert!(refused.starts_with("refused") && refused.contains(reason), "{refused}");
    }
}

#[test]
fn st1_calls_that_cannot_be_reordered_are_refused() {
    let definition = "def f(a, b, c, *args):\n    return a\n";
    for call in ["f(*x)", "f(1, *x)", "f(g(), h(), 3, 4)", "f(g(), h(), 3, *x)", "[f]"] {
        let refused = snapshot(&format!("//- a.py\n{definition}\n\n{call}\n"), REORDER);
        assert!(refused.starts_with("refused"), "{call}: {refused}");
    }
    let known = snapshot(&format!("//- a.py\n{definition}\n\nf(1, 2, 3, *x)\n"), REORDER);
    assert!(known.contains("f(3, 1, 2, *x)"), "{known}");
}

#[test]
fn st1_methods_keep_their_object_first() {
    check(
        "\
//- a.py
class A:
    def f(self, a, b, c=1, *, d=2):
        return self.g(a, b)

    def g(self, a, b):
        return a


def use(x: A):
    x.f(1, 2)
    A.f(x, 1, 2, d=3)
",
        r#"{"operation": "reorder-parameters", "function": "a.py#A.f", "order": ["b", "a", "c", "d"]}"#,
        &expect![[r#"
            parameters of `A.f` reordered, and the arguments of 2 calls
            //- a.py
            class A:
                def f(self, b, a, c=1, *, d=2):
                    return self.g(a, b)

                def g(self, a, b):
                    return a


            def use(x: A):
                x.f(2, 1)
                A.f(x, 2, 1, d=3)
            api: a.py A.f(self, a, b, c=1, *, d=2) -> A.f(b, a, c, d)
        "#]],
    );
}
