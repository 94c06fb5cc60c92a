use expect_test::expect;

use crate::support::{check, check_change, check_edits};

const PACKAGE: &str = r#"
//- pyproject.toml
[project]
name = "shop"
//- shop/__init__.py
from .cart import Cart, total
from ._inner import helper as help_me
from .prices import *
VERSION = "1"
//- shop/cart.py
from typing import List, Optional
from .prices import tax


class _Base:
    def shared(self, a): ...


class Cart(_Base):
    size: int = 3

    def __init__(self, owner, size=1, *, strict=False): ...

    async def add(self, item: str, *more: str, **options) -> Optional[int]: ...

    @property
    def count(self) -> int: ...

    @staticmethod
    def of(items: List[str]): ...

    def _secret(self): ...


def total(cart, /, rate, currency="EUR"): ...


def _private(): ...
//- shop/prices.py
from dataclasses import dataclass

__all__ = ["Price", "tax"]


@dataclass
class Price:
    amount: int
    currency: str = "EUR"


def tax(price): ...


def not_listed(): ...
//- shop/_inner.py
def helper(): ...
//- shop/tests/test_cart.py
def test_cart(): ...
//- script.py
def main(): ...
"#;

#[test]
fn ve7_exports_of_a_python_package_are_read() {
    check(
        PACKAGE,
        &expect![[r#"
        shop shop class Cart of _Base [shop/cart.py:9]
        shop shop method Cart.__init__(owner, size?, *, strict?) [shop/cart.py:12]
        shop shop method Cart.add async (item: str, ...more: str, **options) -> int|None [shop/cart.py:14]
        shop shop field Cart.count: int [shop/cart.py:17]
        shop shop method Cart.of staticmethod (items: list[str]) [shop/cart.py:20]
        shop shop field Cart.size: int [shop/cart.py:10]
        shop shop class Price [shop/prices.py:7]
        shop shop method Price.__init__(amount: int, currency?: str) [shop/prices.py:7]
        shop shop field Price.amount: int [shop/prices.py:8]
        shop shop field Price.currency: str [shop/prices.py:9]
        shop shop variable VERSION [shop/__init__.py:4]
        shop shop function help_me() [shop/_inner.py:1]
        shop shop function tax(price) [shop/prices.py:12]
        shop shop function total(cart, rate, currency?) [shop/cart.py:25]
        shop shop._inner function helper() [shop/_inner.py:1] (hidden)
        shop shop.cart class Cart of _Base [shop/cart.py:9]
        shop shop.cart method Cart.__init__(owner, size?, *, strict?) [shop/cart.py:12]
        shop shop.cart method Cart.add async (item: str, ...more: str, **options) -> int|None [shop/cart.py:14]
        shop shop.cart field Cart.count: int [shop/cart.py:17]
        shop shop.cart method Cart.of staticmethod (items: list[str]) [shop/cart.py:20]
        shop shop.cart field Cart.size: int [shop/cart.py:10]
        shop shop.cart class _Base [shop/cart.py:5] (hidden)
        shop shop.cart method _Base.shared(a) [shop/cart.py:6] (hidden)
        shop shop.cart function total(cart, rate, currency?) [shop/cart.py:25]
        shop shop.prices class Price [shop/prices.py:7]
        shop shop.prices method Price.__init__(amount: int, currency?: str) [shop/prices.py:7]
        shop shop.prices field Price.amount: int [shop/prices.py:8]
        shop shop.prices field Price.currency: str [shop/prices.py:9]
        shop shop.prices function tax(price) [shop/prices.py:12]
        alias shop.cart.tax = shop.prices.tax
    "#]],
    );
}

#[test]
fn ve7_every_change_of_a_python_export_is_told() {
    check_edits(
        PACKAGE,
        &[
            ("def total(cart, /, rate,", "def total(basket, /, rate,"),
            ("def total(cart, /, rate,", "def total(cart, /, percent,"),
            ("def total(cart, /, rate,", "def total(cart, /, rate, when,"),
            (
                "currency=\"EUR\"): ...\n\n\ndef _private",
                "currency=\"EUR\", when=None): ...\n\n\ndef _private",
            ),
            (
                "currency=\"EUR\"): ...\n\n\ndef _private",
                "*, currency=\"EUR\"): ...\n\n\ndef _private",
            ),
            ("strict=False", "strict"),
            ("*, strict=False", ""),
            ("async def add", "def add"),
            ("**options", ""),
            ("    @property\n    def count", "    def count"),
            ("\"Price\", \"tax\"", "\"tax\""),
            ("    amount: int\n", "    amount: int\n    label: str\n"),
            ("-> Optional[int]", "-> str"),
            ("from .cart import Cart, total\n", "from .cart import Cart\n"),
            ("    def shared(self, a): ...", "    pass"),
            ("size: int = 3", "width: int = 3"),
        ],
        &expect![[r##"
            # def total(basket, /, rate,
            no change
            # def total(cart, /, percent,
            ! changed: `total` of `shop` renamed its argument `rate` to `percent` (shop/cart.py:25)
            # def total(cart, /, rate, when,
            ! narrowed: `total` of `shop` takes a new argument `when` before `currency` (shop/cart.py:25)
            # currency="EUR", when=None): ...
            ~ widened: `total` of `shop` takes one more optional argument: `when` (shop/cart.py:25)
            # *, currency="EUR"): ...
            ! narrowed: `total` of `shop` takes `currency` by name only (shop/cart.py:25)
            # strict
            ! narrowed: `Cart.__init__` of `shop` now requires the argument `strict` (shop/cart.py:12)
            # - *, strict=False
            ! narrowed: `Cart.__init__` of `shop` no longer takes the argument `strict` (shop/cart.py:12)
            # def add
            ! changed: `Cart.add` of `shop` is no longer async (shop/cart.py:14)
            # - **options
            ! narrowed: `Cart.add` of `shop` no longer takes any number of named arguments (shop/cart.py:14)
            #     def count
            ! changed: `Cart.count` of `shop` is a method instead of a field (shop/cart.py:16)
            # "tax"
            ! removed: `Price` of `shop` was removed (shop/prices.py:7)
            #     amount: int
            ! narrowed: `Price.__init__` of `shop` takes a new argument `label` before `currency` (shop/prices.py:7)
            ~ added: `Price.label` of `shop` was added: field `: str` (shop/prices.py:9)
            # -> str
            ! changed: `Cart.add` of `shop` returns `str` instead of `int|None` (shop/cart.py:14)
            # from .cart import Cart
            ! removed: `total` of `shop` was removed (shop/cart.py:25)
            #     pass
            no change
            # width: int = 3
            ! removed: `Cart.size` of `shop` was removed (shop/cart.py:10)
            ~ added: `Cart.width` of `shop` was added: field `: int` (shop/cart.py:10)
        "##]],
    );
}

#[test]
fn ve7_a_good_refactoring_of_python_changes_nothing() {
    check_edits(
        PACKAGE,
        &[
            ("def _private(): ...", "def _renamed(): ..."),
            ("def _secret(self): ...", "def _other(self): ..."),
            ("-> Optional[int]", "-> int | None"),
            ("items: List[str]", "items: list[str]"),
            (
                "def total(cart, /, rate, currency=\"EUR\"): ...",
                "def total(\n    cart,\n    /,\n    rate,  # percent\n    currency=\"USD\",\n):\n    \"\"\"Adds it up.\"\"\"",
            ),
            ("def not_listed(): ...", ""),
        ],
        &expect![[r#"
            # def _renamed(): ...
            no change
            # def _other(self): ...
            no change
            # -> int | None
            no change
            # items: list[str]
            no change
            # def total(
            no change
            # - def not_listed(): ...
            no change
        "#]],
    );
}

#[test]
fn ve7_a_python_declaration_may_move_where_the_old_module_imports_it() {
    check_change(
        "
//- setup.py
//- p/__init__.py
//- p/a.py
def parse(text): ...
class Node:
    def walk(self, deep): ...
    def stop(self): ...
",
        "
//- setup.py
//- p/__init__.py
//- p/a.py
from ._b import parse
from .c import Node
//- p/_b.py
def parse(text): ...
//- p/c.py
class _Walks:
    def walk(self, deep): ...
class Node(_Walks):
    def stop(self): ...
",
        &expect![[r#"
            ~ added: `Node` of `p.c` was added: class `of _Walks` (p/c.py:3)
        "#]],
    );
}

#[test]
fn ve7_a_python_name_that_leaves_the_list_of_its_module_is_told() {
    let package = r#"
//- setup.py
//- p/__init__.py
from p._a import one, two

__all__ = [
    "one",
    "two",
]
//- p/_a.py
def one(): ...
def two(): ...
"#;
    check_edits(
        package,
        &[("    \"two\",\n", "")],
        &expect![[r##"
        # -     "two",
        ! removed: `two` of `p` was removed (p/_a.py:2)
    "##]],
    );
}
