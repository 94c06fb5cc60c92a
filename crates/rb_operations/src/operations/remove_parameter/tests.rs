use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

const REMOVE: &str = r#"{"operation": "remove-parameter", "function": "a.py#f", "name": "b"}"#;

#[test]
fn st1_arguments_go_with_the_parameter() {
    check(
        "\
//- a.py
def f(a, b=1, *, c=2):
    \"\"\"F.

    :param a: first
    :param b: second,
        and more
    :param c: third
    \"\"\"
    return a, c

//- b.py
import a
from a import f as g

a.f(1, 2, c=3)
a.f(1, b=2)
g(1)
g(1, x[0] + 1, c=1)
a.f(
    1,
    b=2,
    c=3,
)
",
        REMOVE,
        &expect![[r#"
            parameter `b` removed from `f`, and from 4 calls
            //- a.py
            def f(a, *, c=2):
                """F.

                :param a: first
                :param c: third
                """
                return a, c

            //- b.py
            import a
            from a import f as g

            a.f(1, c=3)
            a.f(1)
            g(1)
            g(1, c=1)
            a.f(
                1,
                c=3,
            )
            api: a.py f(a, b=1, *, c=2) -> f(a, *, c=2)
        "#]],
    );
}

#[test]
fn st1_markers_go_with_the_last_of_their_kind() {
    for (before, after) in [
        ("def f(a, *, b): pass\n", "def f(a): pass\n"),
        ("def f(b, /, a): pass\n", "def f(a): pass\n"),
        ("def f(a, *, b, c): pass\n", "def f(a, *, c): pass\n"),
        ("def f(b, *args): pass\n", "def f(*args): pass\n"),
        ("def f(\n    a,\n    b: int = 1,\n): pass\n", "def f(\n    a,\n): pass\n"),
    ] {
        let new = snapshot(&format!("//- a.py\n{before}"), REMOVE);
        assert!(new.contains(&format!("//- a.py\n{after}")), "{new}");
    }
}

#[test]
fn st1_what_is_not_known_is_refused() {
    let definition = "def f(a, b=1):\n    return a\n";
    for use_ in [
        "f(1, g())",
        "f(*x)",
        "f(1, **x)",
        "g = f",
        "@f\ndef g(): pass",
        "import functools\nfunctools.partial(f, 1)",
        "f = g",
    ] {
        let refused = snapshot(&format!("//- a.py\n{definition}\n\n{use_}\n"), REMOVE);
        assert!(refused.starts_with("refused"), "{use_}: {refused}");
    }
    let known =
        snapshot(&format!("//- a.py\n{definition}\n\nf(1, 2, *x)\nf(1, b=2, **x)\n"), REMOVE);
    assert!(known.contains("f(1, *x)\nf(1, **x)\n"), "{known}");
}

#[test]
fn st1_a_parameter_in_use_is_refused() {
    check(
        "//- a.py\ndef f(a, b):\n    return [b for x in a]\n",
        REMOVE,
        &expect![[r#"
        refused: `f` uses `b`
          a.py:2: `b` is used here
        suggestion: remove its uses first
    "#]],
    );
    check(
        "//- a.py\ndef f(a, b):\n    return locals()\n",
        REMOVE,
        &expect![[r#"
        refused: `f` uses `b`
          a.py:2: `locals()` sees every parameter
        suggestion: remove its uses first
    "#]],
    );
    check(
        "//- a.py\ndef f(a):\n    return a\n",
        REMOVE,
        &expect![[r#"
        refused: `f` has no parameter `b`
          a.py:1: declared here
        suggestion: name one of its parameters
    "#]],
    );
}

#[test]
fn st1_methods_are_changed_with_their_overrides() {
    let fixture = "\
//- a.py
class A:
    def f(self, a, b):
        return a


class B(A):
    def f(self, a, b=None):
        return super().f(a, b)


A().f(1, 2)
A.f(A(), 1, 2)
";
    let remove = REMOVE.replace("a.py#f", "a.py#A.f");
    check(
        fixture,
        &remove,
        &expect![[r#"
        refused: `B.f` uses `b`
          a.py:8: `b` is used here
        suggestion: remove its uses first
    "#]],
    );
    check(
        &fixture.replace("super().f(a, b)", "super().f(a, None)"),
        &remove,
        &expect![[r#"
        parameter `b` removed from `A.f`, and from 3 calls
        //- a.py
        class A:
            def f(self, a):
                return a


        class B(A):
            def f(self, a):
                return super().f(a)


        A().f(1)
        A.f(A(), 1)
        api: a.py A.f(self, a, b) -> A.f(self, a)
    "#]],
    );
}

#[test]
fn st1_methods_of_foreign_classes_are_refused() {
    check(
        "//- a.py\nfrom http.server import BaseHTTPRequestHandler\n\n\nclass A(BaseHTTPRequestHandler):\n    def log_request(self, a, b):\n        pass\n",
        &REMOVE.replace("a.py#f", "a.py#A.log_request"),
        &expect![[r#"
            refused: `A.log_request` may override a method of `http.server.BaseHTTPRequestHandler`, which is not part of the project
            suggestion: change its signature by hand
        "#]],
    );
}
