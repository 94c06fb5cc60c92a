use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

const WRAP: &str =
    r#"{"operation": "parameter-object", "function": "p/a.py#f", "class": "FieldContext"}"#;

#[test]
fn st1_parameters_become_fields() {
    check(
        "\
//- p/__init__.py
from .a import f

//- p/a.py
import os


def g():
    return f(1, *rest)


def f(
    model,
    field: int,
    name=None,
):
    \"\"\"F.\"\"\"
    if name is None:
        return f'{model} {field!r}'
    return [model for _ in range(field)], (lambda: name)

//- p/b.py
from p.a import f


def h():
    return f(
        1,
        field=2,
    )

//- c.py
import p.a
from p import f

p.a.f(1, 2)
f(1, 2, name=3)


def late():
    from p.a import f as renamed

    return renamed(1, 2)
",
        WRAP,
        &expect![[r#"
            parameters of `f` wrapped in `FieldContext`, which 5 calls now pass
            //- c.py
            import p.a
            from p import f
            from p.a import FieldContext

            p.a.f(p.a.FieldContext(1, 2))
            f(FieldContext(1, 2, name=3))


            def late():
                from p.a import f as renamed, FieldContext

                return renamed(FieldContext(1, 2))
            //- p/a.py
            import os
            from dataclasses import dataclass
            from typing import Any


            def g():
                return f(FieldContext(1, *rest))


            @dataclass
            class FieldContext:
                """Arguments of `f`."""

                model: Any
                field: int
                name: Any = None


            def f(field_context: FieldContext):
                """F."""
                if field_context.name is None:
                    return f'{field_context.model} {field_context.field!r}'
                return [
                    field_context.model for _ in range(field_context.field)
                ], (lambda: field_context.name)

            //- p/b.py
            from p.a import FieldContext, f


            def h():
                return f(
                    FieldContext(
                        1,
                        field=2,
                    )
                )

            api: p/a.py f(model, field: int, name=None) -> f(field_context)
        "#]],
    );
}

#[test]
fn st1_parameters_that_are_bound_anew_are_unpacked() {
    check(
        "\
//- p/a.py
def f(a, b, c):
    a = a or 1
    for b in a:
        print(f'{c=}')


f(1, 2, 3)
",
        WRAP,
        &expect![[r#"
            parameters of `f` wrapped in `FieldContext`, which 1 call now passes
            //- p/a.py
            from dataclasses import dataclass
            from typing import Any


            @dataclass
            class FieldContext:
                """Arguments of `f`."""

                a: Any
                b: Any
                c: Any


            def f(field_context):
                a = field_context.a
                b = field_context.b
                c = field_context.c
                a = a or 1
                for b in a:
                    print(f'{c=}')


            f(FieldContext(1, 2, 3))
            api: p/a.py f(a, b, c) -> f(field_context)
        "#]],
    );
}

#[test]
fn st1_what_a_dataclass_cannot_hold_is_a_plain_class() {
    check(
        "//- p/a.py\ndef f(a, b=[], *, c):\n    return a, b, c\n\n\nf(1, c=2)\n",
        WRAP,
        &expect![[r#"
            parameters of `f` wrapped in `FieldContext`, which 1 call now passes
            //- p/a.py
            class FieldContext:
                """Arguments of `f`."""

                def __init__(self, a, b=[], *, c):
                    self.a = a
                    self.b = b
                    self.c = c


            def f(field_context):
                return field_context.a, field_context.b, field_context.c


            f(FieldContext(1, c=2))
            api: p/a.py f(a, b=[], *, c) -> f(field_context)
        "#]],
    );
}

#[test]
fn st1_methods_take_the_object_behind_self() {
    check(
        "\
//- p/a.py
class Graph:
    def add(self, child, parent, skip=False):
        self.nodes[child] = parent

    def load(self):
        self.add(1, 2, skip=True)

//- p/b.py
from p.a import Graph

graph = Graph()
graph.add(1, 2)
Graph.add(graph, 1, 2)

//- p/c.py
class Other:
    def add(self, child):
        pass


def use(x, y):
    Other().add(1)
    x.add(1)
    y.add(1, 2, 3, 4, 5)
",
        &WRAP.replace("#f", "#Graph.add"),
        &expect![[r#"
            parameters of `Graph.add` wrapped in `FieldContext`, which 3 calls now pass
            //- p/a.py
            from dataclasses import dataclass
            from typing import Any


            @dataclass
            class FieldContext:
                """Arguments of `add`."""

                child: Any
                parent: Any
                skip: Any = False


            class Graph:
                def add(self, field_context):
                    self.nodes[field_context.child] = field_context.parent

                def load(self):
                    self.add(FieldContext(1, 2, skip=True))

            //- p/b.py
            from p.a import FieldContext, Graph

            graph = Graph()
            graph.add(FieldContext(1, 2))
            Graph.add(graph, FieldContext(1, 2))

            api: p/a.py Graph.add(self, child, parent, skip=False) -> Graph.add(field_context)
        "#]],
    );
}

#[test]
fn st1_some_parameters_are_passed_by_name() {
    check(
        "\
//- p/a.py
def f(a, b, c=1, d=2):
    return a + b + c + d


f(1, 2, 3, 4)
f(1, b=2, d=4)
",
        &WRAP.replace(r#""class""#, r#""parameters": ["b", "c"], "class""#),
        &expect![[r#"
            parameters of `f` wrapped in `FieldContext`, which 2 calls now pass
            //- p/a.py
            from dataclasses import dataclass
            from typing import Any


            @dataclass
            class FieldContext:
                """Arguments of `f`."""

                b: Any
                c: Any = 1


            def f(a, field_context, d=2):
                return a + field_context.b + field_context.c + d


            f(1, FieldContext(b=2, c=3), 4)
            f(1, field_context=FieldContext(b=2), d=4)
            api: p/a.py f(a, b, c=1, d=2) -> f(field_context)
        "#]],
    );
}

#[test]
fn st1_the_class_may_belong_to_another_module() {
    check(
        "//- p/__init__.py\n//- p/a.py\ndef f(a, b=1):\n    return a, b\n\n\nf(1)\n\n//- p/contexts.py\nX = 1\n",
        &WRAP.replace(r#""class""#, r#""module": "p/contexts.py", "class""#),
        &expect![[r#"
            parameters of `f` wrapped in `FieldContext`, which 1 call now passes
            //- p/a.py
            from p.contexts import FieldContext


            def f(field_context):
                return field_context.a, field_context.b


            f(FieldContext(1))

            //- p/contexts.py
            from dataclasses import dataclass
            from typing import Any

            X = 1


            @dataclass
            class FieldContext:
                """Arguments of `f`."""

                a: Any
                b: Any = 1
            api: p/a.py f(a, b=1) -> f(field_context)
        "#]],
    );
}

#[test]
fn st1_doubts_and_clashes_are_refused() {
    let rows = [
        "def f(*args): pass\n",
        "def f(): pass\n",
        "def f(a): pass\n\n\ng = f\n",
        "FieldContext = 1\n\n\ndef f(a): pass\n",
        "def f(a):\n    field_context = a\n",
        "def f(a):\n    return locals()\n",
    ];
    for text in rows {
        let refused = snapshot(&format!("//- p/a.py\n{text}"), WRAP);
        assert!(refused.starts_with("refused"), "{text}: {refused}");
    }
}
