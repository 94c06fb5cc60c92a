use rb_python::{Source, ast};

use super::*;

/// The call that is the first statement.
fn call(source: &Source) -> &ast::ExprCall {
    let statement = source.body()[0].as_expr_stmt().expect("an expression");
    statement.value.as_call_expr().expect("a call")
}

fn check(text: &str, change: impl Fn(&ItemList<'_>) -> Vec<Edit>, expected: &str) {
    let source = Source::parse("a.py", text.into()).expect("it parses");
    let list = ItemList::arguments(&source, &call(&source).arguments);
    let new = rb_core::edit::apply(text, &change(&list)).expect("edits fit together");
    assert_eq!(new, expected, "from {text:?}");
    Source::parse("a.py", new.into()).expect("it parses again");
}

#[test]
fn st1_an_item_is_appended_in_the_style_of_the_list() {
    let rows = [
        ("f()\n", "f(z)\n"),
        ("f(a)\n", "f(a, z)\n"),
        ("f(a,)\n", "f(a, z,)\n"),
        ("f((a))\n", "f((a), z)\n"),
        ("f(a, (b, c))\n", "f(a, (b, c), z)\n"),
        ("f(lambda a, b: a)\n", "f(lambda a, b: a, z)\n"),
        ("f(\n    a,\n    b,\n)\n", "f(\n    a,\n    b,\n    z,\n)\n"),
        ("f(\n    a,\n    b\n)\n", "f(\n    a,\n    b,\n    z\n)\n"),
        ("f(\n    a, b\n)\n", "f(\n    a, b, z\n)\n"),
        ("f(\n    a\n)\n", "f(\n    a, z\n)\n"),
        ("f(\n    a,\n)\n", "f(\n    a,\n    z,\n)\n"),
        ("f(a,\n  b)\n", "f(a,\n  b,\n  z)\n"),
        ("f({\n    1\n}, b)\n", "f({\n    1\n}, b, z)\n"),
        (
            "f(\n    a,  # why\n    b,  # because\n)\n",
            "f(\n    a,  # why\n    b,  # because\n    z,\n)\n",
        ),
        ("f(\n    a,\n    b  # because\n)\n", "f(\n    a,\n    b,  # because\n    z\n)\n"),
        ("f(\r\n\ta,\r\n\tb,\r\n)\r\n", "f(\r\n\ta,\r\n\tb,\r\n\tz,\r\n)\r\n"),
        ("f(*a, b=c)", "f(*a, b=c, **z)"),
    ];
    for (before, after) in rows {
        check(
            before,
            |list| list.insert(list.len(), if before.contains("b=c") { "**z" } else { "z" }),
            after,
        );
    }
}

#[test]
fn st1_an_item_is_put_before_another() {
    let rows = [
        ("f(a, **b)\n", "f(a, z, **b)\n"),
        ("f(\n    a,\n    **b,\n)\n", "f(\n    a,\n    z,\n    **b,\n)\n"),
        ("f(a,\n  **b)\n", "f(a,\n  z,\n  **b)\n"),
    ];
    for (before, after) in rows {
        check(before, |list| list.insert(1, "z"), after);
    }
}

#[test]
fn st1_items_are_taken_out_with_their_commas() {
    let rows: [(&str, &[usize], &str); 11] = [
        ("f(a)\n", &[0], "f()\n"),
        ("f(a, b, c)\n", &[0], "f(b, c)\n"),
        ("f(a, b, c)\n", &[1], "f(a, c)\n"),
        ("f(a, b, c)\n", &[2], "f(a, b)\n"),
        ("f(a, b, c)\n", &[1, 2], "f(a)\n"),
        ("f(a, b, c,)\n", &[2], "f(a, b,)\n"),
        ("f(\n    a,\n    b,  # why\n    c,\n)\n", &[1], "f(\n    a,\n    c,\n)\n"),
        ("f(\n    a,\n    b\n)\n", &[1], "f(\n    a,\n)\n"),
        ("f(a,\n  b)\n", &[1], "f(a)\n"),
        ("f(a,  # why\n  b)\n", &[1], "f(a,  # why\n  )\n"),
        ("f(\n    a,\n)\n", &[0], "f(\n)\n"),
    ];
    for (before, indexes, after) in rows {
        check(before, |list| list.remove(indexes), after);
    }
}

#[test]
fn st1_items_are_wrapped_in_a_call() {
    let rows = [
        ("f()\n", "f(G())\n"),
        ("f(a, b=1, *c)\n", "f(G(a, b=1, *c))\n"),
        ("f(x for x in y)\n", "f(G(x for x in y))\n"),
        ("f(\n    a,\n    b,\n)\n", "f(\n    G(\n        a,\n        b,\n    )\n)\n"),
        ("f(a,\n  b)\n", "f(G(a,\n    b))\n"),
        ("f(a, '''\nb''')\n", "f(G(a, '''\nb'''))\n"),
    ];
    for (before, after) in rows {
        check(before, |list| list.wrapped(0, "G"), after);
    }
    check("f(a, b)\n", |list| list.wrapped(1, "G"), "f(a, G(b))\n");
}
