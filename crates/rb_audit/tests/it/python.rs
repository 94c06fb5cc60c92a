//! Python: modules, keywords, coroutines.

use expect_test::expect;

use crate::support::{check, silent};

const SHOP: &str = "
//- shop/__init__.py
from .cart import Cart
from .tax import rate
//- shop/cart.py
from .tax import rate

class Cart:
    def __init__(self, owner):
        self.owner = owner

    def total(self, items, *, tax=True):
        return self._sum(items) * rate(1)

    def _sum(self, items):
        return sum(items)
//- shop/tax.py
LIMIT = 3

def rate(n, country='de'):
    return n
//- main.py
import shop.tax
from shop import Cart, rate
from shop import tax
cart = Cart('me')
cart.total([1], tax=False)
print(rate(1, country='fr'), tax.rate(2), tax.LIMIT)
";

#[test]
fn ve6_python_names_and_keywords() {
    check(
        SHOP,
        "
//- shop/tax.py
def rate(n, *, place):
    return n
",
        &expect![[r#"
            Error signature_mismatch main.py:6 `rate` does not accept `country` <- shop/tax.py:1
            Error signature_mismatch main.py:6 `rate` needs `place`, which is not passed <- shop/tax.py:1
            Error signature_mismatch shop/cart.py:8 `rate` needs `place`, which is not passed <- shop/tax.py:1
        "#]],
    );
    check(
        SHOP,
        "
//- shop/tax.py
LIMIT = 3

def taxation(n, country='de'):
    return n
",
        &expect![[r#"
            Error missing_export main.py:6 `tax.rate` is not exported by shop/tax.py <- shop/tax.py:3
            Error missing_export shop/__init__.py:2 `rate` is not exported by shop/tax.py <- shop/tax.py:3
            Error missing_export shop/cart.py:1 `rate` is not exported by shop/tax.py <- shop/tax.py:3
        "#]],
    );
    check(
        SHOP,
        "
//- shop/cart.py
from .tax import rate

class Cart:
    def __init__(self, owner, currency):
        self.owner = owner

    def total(self, items, *, tax=True):
        return self._sum(items)
",
        &expect![[r#"
            Error signature_mismatch main.py:4 `Cart` needs `currency`, which is not passed <- shop/cart.py:4
            Warning orphaned_import shop/cart.py:1 `rate` is imported but not used <- shop/cart.py:4
            Error dangling_reference shop/cart.py:8 `_sum` is used but no longer declared <- shop/cart.py:8
        "#]],
    );
}

#[test]
fn ve6_python_good_changes() {
    silent(
        SHOP,
        "
//- shop/tax.py
from .limits import *
from .rates import rate as rate

def __getattr__(name):
    return 1
//- shop/limits.py
LIMIT = 3
//- shop/rates.py
def rate(n, country='de', *args, **kwargs):
    return n
",
    );
    silent(
        SHOP,
        "
//- main.py
try:
    import ujson as json
except ImportError:
    import json
try:
    from shop import fast
except ImportError:
    fast = None
if True:
    from shop import Cart, rate
    from shop import tax
cart = Cart('me')
cart.total([1], tax=False)
args = {}
print(rate(1, **args), rate(*args), tax.rate(2), tax.LIMIT, json, fast)
setattr(tax, 'patched', 1)
",
    );
}

#[test]
fn ve6_python_modules_move() {
    check(
        SHOP,
        "
//- gone shop/tax.py
//- shop/taxes.py
LIMIT = 3

def rate(n, country='de'):
    return n
//- shop/__init__.py
from .cart import Cart
from .taxes import rate
",
        &expect![[r#"
            Error unresolved_import main.py:1 `shop.tax` does not resolve to a file <- shop/tax.py:1
            Error missing_export main.py:3 `tax` is not exported by shop/__init__.py <- shop/__init__.py:2
            Error unresolved_import shop/cart.py:1 `.tax` does not resolve to a file <- shop/tax.py:1
        "#]],
    );
}

#[test]
fn ve6_python_a_module_goes_and_its_package_stays() {
    check(
        "
//- shop/__init__.py
//- shop/tax.py
RATE = 1
//- main.py
from shop import tax
print(tax.RATE)
",
        "
//- gone shop/tax.py
",
        &expect![[r#"
            Error missing_export main.py:1 `tax` is not exported by shop/__init__.py <- shop/tax.py:1
        "#]],
    );
}

#[test]
fn ve6_python_coroutines() {
    let before = "
//- a.py
def get(n):
    return n
async def put(n):
    pass
//- b.py
from a import get, put
def run():
    return get(1).value
async def go():
    await put(1)
";
    check(
        before,
        "
//- a.py
async def get(n):
    return n
def put(n):
    pass
",
        &expect![[r#"
            Error signature_mismatch b.py:3 `get` became async, and its result is used without `await` <- a.py:1
            Error signature_mismatch b.py:5 `put` is no longer async, and its result can no longer be awaited <- a.py:3
        "#]],
    );
}

#[test]
fn ve6_python_a_type_that_stands_in_a_string() {
    silent(
        "
//- app/__init__.py
//- app/a.py
from hpack import Item

def f(x: Item): return x
",
        "
//- app/a.py
from typing import cast
from hpack import Item

def f(x): return cast(\"list[Item]\", x)
",
    );
}
