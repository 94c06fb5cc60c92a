//! Recipes that carry out operations on Python code, over a real index: arguments in, chains and texts out.

use expect_test::{Expect, expect};
use rb_recipes::testing::{Project, shown};

const SHOP: &str = r#"//- pyproject.toml
[project]
name = "shop"
version = "1"
//- shop/__init__.py
from .cart import total
//- shop/cart.py
def total(prices):
    return sum(prices)


def count(prices):
    return len(prices)
//- shop/report.py
from shop import total
from shop.cart import count


def line(prices, mode):
    return f"{count(prices)}: {total(prices)}"
//- tests/test_report.py
from shop.report import line


def test_line():
    assert line([1, 2], "short") == "2: 3"
"#;

#[track_caller]
fn check(recipe: &str, arguments: &[(&str, &str)], expected: &Expect) {
    let mut project = Project::new(SHOP);
    for (name, value) in arguments {
        project = project.argument(name, value);
    }
    let recipe = rb_recipes::recipes::find(recipe).expect("a recipe");
    let text = match project.run_once(recipe) {
        Ok(outcome) => {
            assert!(outcome.applied.refused.is_empty(), "{:#?}", outcome.applied.refused);
            shown(&outcome)
        }
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&text);
}

#[test]
fn st1_rename() {
    let arguments = [("symbol", "shop/cart.py#total"), ("to", "grand_total")];
    check(
        "rename",
        &arguments,
        &expect![[r#"
        chain: `total` renamed to `grand_total` in 3 files
          shop/cart.py:1 `grand_total` is declared here
          api shop/__init__.py#total: total -> grand_total
          public api shop/cart.py#total: total -> grand_total
          note: `total` is public: users outside of this project have to follow. To keep the old name for them, add `total = grand_total` at the end of shop/cart.py
        //- shop/__init__.py
        from .cart import grand_total

        //- shop/cart.py
        def grand_total(prices):
            return sum(prices)


        def count(prices):
            return len(prices)

        //- shop/report.py
        from shop import grand_total
        from shop.cart import count


        def line(prices, mode):
            return f"{count(prices)}: {grand_total(prices)}"

    "#]],
    );
}

#[test]
fn st1_move() {
    let arguments = [("symbol", "shop/cart.py#total, count"), ("to", "shop/numbers.py")];
    check(
        "move",
        &arguments,
        &expect![[r#"
            chain: `count`, `total` moved from shop/cart.py to shop/numbers.py
              shop/cart.py:1 `total` is moved to shop/numbers.py
              shop/cart.py:5 `count` is moved to shop/numbers.py
              public api shop/cart.py#count: shop.cart.count -> shop.numbers.count
              public api shop/cart.py#total: shop.cart.total -> shop.numbers.total
              note: shop/cart.py defines nothing any more
            //- shop/__init__.py
            from .numbers import total

            //- shop/cart.py

            //- shop/numbers.py
            def total(prices):
                return sum(prices)


            def count(prices):
                return len(prices)

            //- shop/report.py
            from shop import total
            from shop.numbers import count


            def line(prices, mode):
                return f"{count(prices)}: {total(prices)}"

        "#]],
    );
    check(
        "move",
        &[("symbol", "shop/cart.py"), ("to", "a.py")],
        &expect![[r#"
        `shop/cart.py` is not of the form `path/to/file.py#name`
    "#]],
    );
    check(
        "move",
        &[("symbol", "shop/cart.py#A.b, total"), ("to", "a.py")],
        &expect![[r#"
        `symbol` names top-level symbols or methods of classes, not both
    "#]],
    );
}

#[test]
fn st1_merge() {
    let arguments = [("modules", "shop/cart.py"), ("into", "shop/report.py")];
    check(
        "merge",
        &arguments,
        &expect![[r#"
            left: shop/report.py:1:1 ``total` of `shop` is not there yet, or not any more`: shop/report.py could not be loaded any more; change these imports first, or choose another module
        "#]],
    );
    let arguments = [&arguments[..], &[("merge-tests", "yes")]].concat();
    check(
        "merge",
        &arguments,
        &expect![[r#"
        `merge-tests` is `true` or `false`
    "#]],
    );
}

#[test]
fn st1_rename_module() {
    let arguments = [("path", "./shop/cart.py"), ("to", "shop/basket.py")];
    check(
        "rename-module",
        &arguments,
        &expect![[r#"
            chain: shop/cart.py renamed to shop/basket.py
              shop/cart.py:1 shop/cart.py renamed to shop/basket.py
              public api shop/cart.py#*: a module -> no longer there
              public api shop/cart.py#*: shop.cart -> shop.basket
            removed: shop/cart.py
            //- shop/__init__.py
            from .basket import total

            //- shop/basket.py
            def total(prices):
                return sum(prices)


            def count(prices):
                return len(prices)

            //- shop/report.py
            from shop import total
            from shop.basket import count


            def line(prices, mode):
                return f"{count(prices)}: {total(prices)}"

        "#]],
    );
}

#[test]
fn st1_parameters() {
    let function = ("function", "shop/report.py#line");
    let add = [function, ("name", "sep"), ("default", "':'"), ("value-in-tests", "'-'")];
    check(
        "add-parameter",
        &add,
        &expect![[r#"
        chain: parameter `sep` added to `line`, `sep='-'` in 1 call
          shop/report.py:5 parameter `sep`
          public api shop/report.py#line: line(prices, mode) -> line(prices, mode, sep=':')
        //- shop/report.py
        from shop import total
        from shop.cart import count


        def line(prices, mode, sep=':'):
            return f"{count(prices)}: {total(prices)}"

        //- tests/test_report.py
        from shop.report import line


        def test_line():
            assert line([1, 2], "short", sep='-') == "2: 3"

    "#]],
    );
    check(
        "remove-parameter",
        &[function, ("name", "mode")],
        &expect![[r#"
        chain: parameter `mode` removed from `line`, and from 1 call
          shop/report.py:5 without `mode`
          public api shop/report.py#line: line(prices, mode) -> line(prices)
        //- shop/report.py
        from shop import total
        from shop.cart import count


        def line(prices):
            return f"{count(prices)}: {total(prices)}"

        //- tests/test_report.py
        from shop.report import line


        def test_line():
            assert line([1, 2]) == "2: 3"

    "#]],
    );
    check(
        "rename-parameter",
        &[function, ("parameter", "mode"), ("to", "style")],
        &expect![[r#"
        chain: parameter `mode` of `line` renamed to `style` in 1 file
          shop/report.py:5 `line` has the parameter `style`
          public api shop/report.py#line: line(mode) -> line(style)
          note: `line` is public: callers outside of this project that pass `mode=` have to follow
        //- shop/report.py
        from shop import total
        from shop.cart import count


        def line(prices, style):
            return f"{count(prices)}: {total(prices)}"

    "#]],
    );
    check(
        "reorder-parameters",
        &[function, ("order", "mode, prices")],
        &expect![[r#"
        chain: parameters of `line` reordered, and the arguments of 1 call
          shop/report.py:5 another order
          public api shop/report.py#line: line(prices, mode) -> line(mode, prices)
        //- shop/report.py
        from shop import total
        from shop.cart import count


        def line(mode, prices):
            return f"{count(prices)}: {total(prices)}"

        //- tests/test_report.py
        from shop.report import line


        def test_line():
            assert line("short", [1, 2]) == "2: 3"

    "#]],
    );
    check(
        "parameter-object",
        &[function, ("class", "LineOptions")],
        &expect![[r#"
        chain: parameters of `line` wrapped in `LineOptions`, which 1 call now passes
          shop/report.py:5 takes a `LineOptions`
          public api shop/report.py#line: line(prices, mode) -> line(line_options)
        //- shop/report.py
        from dataclasses import dataclass
        from typing import Any

        from shop import total
        from shop.cart import count


        @dataclass
        class LineOptions:
            """Arguments of `line`."""

            prices: Any
            mode: Any


        def line(line_options):
            return f"{count(line_options.prices)}: {total(line_options.prices)}"

        //- tests/test_report.py
        from shop.report import LineOptions, line


        def test_line():
            assert line(LineOptions([1, 2], "short")) == "2: 3"

    "#]],
    );
}

#[test]
fn st1_encapsulate() {
    let arguments = [("functions", "shop/cart.py#total, count"), ("class", "Cart")];
    check(
        "encapsulate",
        &arguments,
        &expect![[r#"
            chain: 2 functions of shop/cart.py made static methods of `Cart`
              shop/cart.py:1 now `Cart.total`
              shop/cart.py:5 now `Cart.count`
              public api shop/cart.py#count: count -> Cart.count
              public api shop/cart.py#total: total -> Cart.total
            //- shop/__init__.py
            from .cart import Cart

            //- shop/cart.py
            class Cart:
                @staticmethod
                def total(prices):
                    return sum(prices)

                @staticmethod
                def count(prices):
                    return len(prices)

            //- shop/report.py
            from shop.cart import Cart


            def line(prices, mode):
                return f"{Cart.count(prices)}: {Cart.total(prices)}"

        "#]],
    );
}

#[test]
fn st1_inline_reexport() {
    check(
        "inline-reexport",
        &[("symbol", "shop/cart.py#total")],
        &expect![[r#"
        chain: `total` imported from shop/cart.py in 1 file
          shop/report.py:1 `total` is imported from shop/cart.py
        //- shop/report.py
        from shop.cart import count, total


        def line(prices, mode):
            return f"{count(prices)}: {total(prices)}"

    "#]],
    );
}

#[test]
fn st1_replace_duplicate() {
    let arguments = [("keep", "shop/cart.py#total"), ("remove", "shop/cart.py#count")];
    check(
        "replace-duplicate",
        &arguments,
        &expect![[r#"
        left: shop/cart.py:1:1 `count`: both definitions are in the same file; remove one of them and rename its uses
    "#]],
    );
}

#[test]
fn st1_a_chain_of_operations_is_one_chain() {
    let chain = r#"[{"operation": "rename", "symbol": "shop/cart.py#total", "to": "grand_total"},
        {"operation": "move", "symbols": ["shop/cart.py#grand_total"], "to": "shop/numbers.py"}]"#;
    check(
        "operations",
        &[("operations", chain)],
        &expect![[r#"
            chain: `total` renamed to `grand_total` in 3 files; `grand_total` moved from shop/cart.py to shop/numbers.py
              shop/cart.py:1 `grand_total` is declared here
              shop/cart.py:1 `grand_total` is moved to shop/numbers.py
              api shop/__init__.py#total: total -> grand_total
              api shop/cart.py#grand_total: shop.cart.grand_total -> shop.numbers.grand_total
              public api shop/cart.py#total: total -> grand_total
              note: `total` is public: users outside of this project have to follow. To keep the old name for them, add `total = grand_total` at the end of shop/cart.py
            //- shop/__init__.py
            from .numbers import grand_total

            //- shop/cart.py
            def count(prices):
                return len(prices)

            //- shop/numbers.py
            def grand_total(prices):
                return sum(prices)

            //- shop/report.py
            from shop import grand_total
            from shop.cart import count


            def line(prices, mode):
                return f"{count(prices)}: {grand_total(prices)}"

        "#]],
    );
    check(
        "operations",
        &[("operations", "{}")],
        &expect![[r#"
        `operations` is no list of operations: invalid type: map, expected a sequence at line 1 column 0
    "#]],
    );
    check(
        "operations",
        &[],
        &expect![[r#"
        the recipe needs `operations`
    "#]],
    );
}

#[test]
fn st1_what_is_refused_is_left_with_its_reason() {
    check(
        "rename",
        &[("symbol", "shop/cart.py#total"), ("to", "count")],
        &expect![[r#"
        left: shop/cart.py:5:1 ``count` is bound here already`: `count` is taken; choose another name, or rename the other one first
    "#]],
    );
    check(
        "rename",
        &[("symbol", "shop/cart.py#none"), ("to", "some")],
        &expect![[r#"
        left: shop/cart.py:1:1 `none`: shop/cart.py has no top-level name `none`; check the name, or name the file that declares it
    "#]],
    );
}
