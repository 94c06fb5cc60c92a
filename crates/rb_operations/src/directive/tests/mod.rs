//! Directives over an invented project, and what they are understood as.
//!
//! One line for each operation as JSON; `?` is unclear, `-` was not understood, `*` is a note.

mod caution;
mod class;
mod condition;
mod import;
mod parameter;
mod relocate;
mod rename;
mod scripts;

use std::fmt::Write as _;

use expect_test::Expect;

use super::{Understood, understand};
use crate::testing::MemoryFiles;

const SHOP: &str = r#"
//- shop/__init__.py
from .cart import add_item, total_price
from .api.client import fetch
//- shop/cart.py
CURRENCY = "EUR"

def add_item(cart, item, quantity=1):
    return cart

def total_price(cart):
    return 0

class Cart:
    limit = 10

    def remove_item(self, item):
        return None

    def clear(self):
        return None
//- shop/pricing/__init__.py
//- shop/pricing/discount.py
from shop.pricing.tax import vat_rate

class DiscountError(Exception):
    pass

def apply_discount(price, percent):
    return _round_price(price) + vat_rate("de")

def _round_price(price):
    return price
//- shop/pricing/tax.py
RATES = {}

def vat_rate(country):
    return RATES[country]
//- shop/utils/__init__.py
//- shop/utils/text.py
def slugify(value):
    return value

def truncate(value, length):
    return value[:length]
//- shop/utils/strings.py
def slugify(value):
    return value

def camel_case(value):
    return value
//- shop/utils/dates.py
class DateRange:
    pass

class Month:
    pass
//- shop/utils/base.py
//- shop/utils/constants.py
LIMIT = 3
//- shop/utils/money.py
def money_format(value):
    return value

def money_parse(value):
    return value

def helper(value):
    return value
//- shop/api/__init__.py
//- shop/api/base.py
class BaseView:
    def render_page(self, page):
        return page
//- shop/api/views.py
from shop.api.base import BaseView
from shop.utils.text import slugify
from shop.utils.money import money_format
from shop.cart import total_price

def list_orders(request, page, size):
    return slugify(page)

def show_order(request, order):
    return total_price(order)

class OrderView(BaseView):
    def get(self, request):
        return self.format_order(request)

    def format_order(self, order):
        return money_format(order)
//- shop/api/client.py
import logging

def fetch(url, timeout=3, retries=2):
    return url

def post(url):
    return fetch(url)
//- shop/api/exception_handlers.py
def handle_error(error):
    return error
//- tests/test_cart.py
from shop import add_item, fetch
from shop.api.views import slugify

def test_add_item():
    assert add_item([], 1)
    fetch("x")
//- tests/utils/test_text.py
from shop.utils.text import truncate

def test_truncate():
    truncate("a", 1)
//- tests/utils/helpers.py
def total_price(cart):
    return 1
//- docs/index.md
`shop.cart.add_item` and truncate.
"#;

/// All that came of a directive, line by line.
fn shown(understood: &Understood) -> String {
    let mut lines = Vec::new();
    for operation in &understood.operations {
        lines.push(serde_json::to_string(operation).unwrap());
    }
    for unclear in &understood.unclear {
        lines.push(format!("? {}: {}", unclear.name, unclear.why));
        lines.extend(
            unclear
                .candidates
                .iter()
                .map(|place| format!("    {}:{} {}", place.path, place.line, place.what)),
        );
    }
    lines.extend(understood.not_understood.iter().map(|clause| format!("- {clause}")));
    lines.extend(understood.notes.iter().map(|note| format!("* {note}")));
    lines.join("\n")
}

fn check(directive: &str, expected: &Expect) {
    let files = MemoryFiles::new(SHOP);
    let text = understand(&files, directive)
        .map_or("nothing structural".to_owned(), |understood| shown(&understood));
    expected.assert_eq(&text);
}

/// All of these wordings mean the same.
fn check_all(directives: &[&str], expected: &str) {
    let files = MemoryFiles::new(SHOP);
    let mut others = String::new();
    for directive in directives {
        let text = understand(&files, directive)
            .map_or("nothing structural".to_owned(), |understood| shown(&understood));
        if text != expected {
            let _ = write!(others, "{directive}\n{text}\n\n");
        }
    }
    assert!(others.is_empty(), "expected {expected} of all of these:\n\n{others}");
}

#[test]
fn st3_requests_for_something_else_are_none() {
    let others = [
        "",
        "   \n",
        "Fix the flaky test in test_cart.py.",
        "Add type hints to all functions in shop/cart.py.",
        "Make the cart faster.",
        "Write docs for add_item.",
        "Upgrade to Python 3.13",
        "Migrate from requests to httpx.",
        "Add a new EmptyCart exception that extends ValueError.",
        "Why does total_price return 0?",
        "Convert list_orders to async.",
        "Add tests for truncate.",
    ];
    check_all(&others, "nothing structural");
}

#[test]
fn st3_odd_directives_do_not_panic() {
    let files = MemoryFiles::new(SHOP);
    let odd = [
        "rename",
        "rename to",
        "rename to to to",
        "move",
        "move it",
        "and and and",
        "merge , , ,",
        "rename `` to ''",
        "to",
        "\u{0}",
        "🦀 rename 🦀 to 🦀",
        "rename add_item to",
        "in in in in",
        "add a parameter",
        "add a parameter to",
        "create a class",
        "swap a and b",
        "remove",
        "rename `add_item` to `a b`",
        "ensure",
        "make sure",
        "don't",
        "Rename …",
        "that which where",
        "by adding",
        "to be renamed",
        "move all to all from all",
        "get rid of",
    ];
    for directive in odd {
        understand(&files, directive);
        understand(&files, &directive.repeat(40));
    }
    understand(&MemoryFiles::default(), "rename a to b");
}
