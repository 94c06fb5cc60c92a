//! What a change leaves behind: old names, unused helpers, copies, docs of an old signature.

use expect_test::expect;

use crate::support::{check, silent};

const SHOP: &str = r#"
//- pyproject.toml
[project.scripts]
shop = "shop.cart:open_cart"
files = ["shop/tax_rates.py"]
//- shop/__init__.py
//- shop/cart.py
from shop.tax_rates import rate

LIMIT_OF_ITEMS = 3

class Cart:
    def total_price(self, items):
        """Sums `items` at the rate of `rate`."""
        return sum(items[:LIMIT_OF_ITEMS]) * rate(1)

def open_cart(owner, *, currency="EUR"):
    """Opens a cart.

    :param owner: who pays
    :param currency: what is paid
    """
    return Cart()
//- shop/tax_rates.py
def rate(n):
    return n
//- tests/test_cart.py
from unittest.mock import patch
from shop.cart import Cart, open_cart

# open_cart() is tested elsewhere as well
@patch("shop.cart.open_cart")
def test_cart(opened):
    assert getattr(Cart(), "total_price")([1]) == 1
    assert open_cart("me").total_price([2]) == 2
//- README.md
Call `open_cart`, or on a shell `shop-open_cart`:

```python
from shop.cart import open_cart
open_cart("me", currency="USD")
```
//- CHANGELOG.md
- `open_cart` is new
"#;

#[test]
fn st4_an_old_name_in_strings_comments_documents_and_entry_points() {
    check(
        SHOP,
        r#"
//- shop/cart.py
from shop.tax_rates import rate

LIMIT_OF_ITEMS = 3

class Cart:
    def total_price(self, items):
        """Sums `items` at the rate of `rate`."""
        return sum(items[:LIMIT_OF_ITEMS]) * rate(1)

def new_cart(owner, *, currency="EUR"):
    """Opens a cart.

    :param owner: who pays
    :param currency: what is paid
    """
    return Cart()
//- tests/test_cart.py
from unittest.mock import patch
from shop.cart import Cart, new_cart

# open_cart() is tested elsewhere as well
@patch("shop.cart.open_cart")
def test_cart(opened):
    assert getattr(Cart(), "total_price")([1]) == 1
    assert new_cart("me").total_price([2]) == 2
"#,
        &expect![[r#"
            Warning stale_name README.md:1 the text still names `open_cart`, but the change renamed it to `new_cart` <- shop/cart.py:10
            Warning stale_name README.md:4 the text still names `open_cart`, but the change renamed it to `new_cart` <- shop/cart.py:10
            Warning stale_name README.md:5 the text still names `open_cart`, but the change renamed it to `new_cart` <- shop/cart.py:10
            Warning stale_name pyproject.toml:2 the configuration still names `shop.cart.open_cart`, but the change renamed it to `new_cart` <- shop/cart.py:10
            Warning stale_name tests/test_cart.py:4 a comment still names `open_cart`, but the change renamed it to `new_cart` <- shop/cart.py:10
            Warning stale_name tests/test_cart.py:5 a string still names `shop.cart.open_cart`, but the change renamed it to `new_cart` <- shop/cart.py:10
        "#]],
    );
}

#[test]
fn st4_a_method_that_is_named_in_a_string_or_called_on_something_unknown() {
    check(
        SHOP,
        r#"
//- shop/cart.py
from shop.tax_rates import rate

LIMIT_OF_ITEMS = 3

class Cart:
    def price(self, items):
        """Sums `items` at the rate of `rate`."""
        return sum(items[:LIMIT_OF_ITEMS]) * rate(1)

def open_cart(owner, *, currency="EUR"):
    """Opens a cart.

    :param owner: who pays
    :param currency: what is paid
    """
    return Cart()
"#,
        &expect![[r#"
            Warning stale_name tests/test_cart.py:7 a string still names `total_price`, but the change renamed it to `price` <- shop/cart.py:6
            Warning stale_name tests/test_cart.py:8 `total_price` is still used here, but the change renamed it to `price` <- shop/cart.py:6
        "#]],
    );
}

#[test]
fn st4_the_path_of_a_moved_file() {
    check(
        SHOP,
        r#"
//- gone shop/tax_rates.py
//- shop/taxes.py
def rate(n):
    return n
//- shop/cart.py
from shop.taxes import rate

LIMIT_OF_ITEMS = 3

class Cart:
    def total_price(self, items):
        """Sums `items` at the rate of `rate`."""
        return sum(items[:LIMIT_OF_ITEMS]) * rate(1)

def open_cart(owner, *, currency="EUR"):
    """Opens a cart.

    :param owner: who pays
    :param currency: what is paid
    """
    return Cart()
"#,
        &expect![[r#"
            Warning stale_name pyproject.toml:3 still names `shop/tax_rates.py`, but the change moved it to shop/taxes.py <- shop/taxes.py:1
        "#]],
    );
}

#[test]
fn st4_docs_of_a_parameter_that_is_gone_and_a_helper_that_nothing_uses() {
    check(
        SHOP,
        r#"
//- shop/cart.py
from shop.tax_rates import rate

LIMIT_OF_ITEMS = 3

class Cart:
    def total_price(self, items):
        """Sums `items` at the rate of `rate`."""
        return sum(items) * rate(1)

def open_cart(owner):
    """Opens a cart.

    :param owner: who pays
    :param currency: what is paid
    """
    return Cart()
"#,
        &expect![[r#"
            Warning stale_docs README.md:5 the text calls `open_cart` as it was: `open_cart` does not accept `currency` <- shop/cart.py:10
            Warning unused_helper shop/cart.py:3 nothing uses `LIMIT_OF_ITEMS` any more: the change removed its last use <- shop/cart.py:8
            Warning stale_docs shop/cart.py:14 `currency` is documented, but no longer a parameter of `open_cart` <- shop/cart.py:10
        "#]],
    );
}

const URLS: &str = r#"
//- package.json
{ "name": "urls", "main": "src/index.js", "files": ["src/split.js"] }
//- src/index.js
import { splitPath } from './split.js'
import { label } from './label.js'
export { splitPath, label }
//- src/split.js
const SEPARATOR_SIGN = '/'

/**
 * Splits a path.
 * @param {string} path
 * @param {number} [limit] how many parts
 */
export function splitPath(path, limit) {
  const parts = path.split(SEPARATOR_SIGN)
  const named = parts.filter((part) => part.length > 0)
  return limit === undefined ? named : named.slice(0, limit)
}
//- src/label.js
export function label(path) {
  return path.toUpperCase()
}
//- test/split.test.js
import * as split from '../src/split.js'
jest.mock('../src/split')
jest.spyOn(split, 'splitPath')
//- docs/guide.md
    splitPath('/a/b', 1)

See `splitPath` in src/split.js.
"#;

#[test]
fn st4_a_copy_of_moved_code_stands_where_it_was() {
    let copy = r#"
//- src/parts.js
export function splitPath(path, limit) {
    const parts = path.split('/')
    const named = parts.filter((piece) => piece.length > 0)
    return limit === undefined ? named : named.slice(0, limit)
}
"#;
    check(URLS, copy, &expect![[""]]);
    check(
        URLS,
        &copy.replace("path.split('/')", "path.split(SEPARATOR_SIGN)"),
        &expect![[r#"
        Warning remaining_copy src/split.js:8 `splitPath` was added to src/parts.js, and a copy still stands here <- src/parts.js:1
    "#]],
    );
}

#[test]
fn st4_javascript_names_paths_and_docs() {
    check(
        URLS,
        r#"
//- gone src/split.js
//- src/parts.js
const SEPARATOR_SIGN = '/'

/**
 * Splits a path.
 * @param {string} path
 * @param {number} [limit] how many parts
 */
export function splitPath(path) {
  const parts = path.split(SEPARATOR_SIGN)
  const named = parts.filter((part) => part.length > 0)
  return named
}
//- src/index.js
import { splitPath } from './parts.js'
import { label } from './label.js'
export { splitPath, label }
//- test/split.test.js
import * as split from '../src/parts.js'
jest.mock('../src/split')
jest.spyOn(split, 'splitPath')
"#,
        &expect![[r#"
            Warning stale_docs docs/guide.md:1 the text calls `splitPath` as it was: `splitPath` takes at most 1 argument, but is called with 2 <- src/parts.js:8
            Warning stale_name docs/guide.md:3 still names `src/split.js`, but the change moved it to src/parts.js <- src/parts.js:8
            Warning stale_name package.json:1 still names `src/split.js`, but the change moved it to src/parts.js <- src/parts.js:8
            Warning stale_docs src/parts.js:6 `limit` is documented, but no longer a parameter of `splitPath` <- src/parts.js:8
            Warning stale_name test/split.test.js:2 still names `../src/split`, but the change moved it to src/parts.js <- src/parts.js:8
        "#]],
    );
}

#[test]
fn st4_go_and_rust() {
    check(
        r#"
//- go.mod
module shop
//- cart.go
package shop

const mostItems = 3

// OpenCart opens it.
func OpenCart(n int) int { return min(n, mostItems) }
//- doc.go
// Package shop: see OpenCart.
package shop
//- src/lib.rs
const MOST_ITEMS: u32 = 3;

/// Like [`open_cart`], but empty.
pub fn empty() -> u32 { 0 }

pub fn open_cart(n: u32) -> u32 { n.min(MOST_ITEMS) }
"#,
        r#"
//- cart.go
package shop

const mostItems = 3

// NewCart opens it.
func NewCart(n int) int { return min(n, 3) }
//- src/lib.rs
const MOST_ITEMS: u32 = 3;

/// Like [`open_cart`], but empty.
pub fn empty() -> u32 { 0 }

pub fn new_cart(n: u32) -> u32 { n.min(3) }
"#,
        &expect![[r#"
            Warning unused_helper cart.go:3 nothing uses `mostItems` any more: the change removed its last use <- cart.go:5
            Warning stale_name doc.go:1 a comment still names `OpenCart`, but the change renamed it to `NewCart` <- cart.go:5
            Warning unused_helper src/lib.rs:1 nothing uses `MOST_ITEMS` any more: the change removed its last use <- src/lib.rs:6
            Warning stale_name src/lib.rs:3 a comment still names `open_cart`, but the change renamed it to `new_cart` <- src/lib.rs:6
        "#]],
    );
}

#[test]
fn st4_what_may_mean_something_else_is_not_reported() {
    // Another declaration of the name, a keyword of it, a record of the past, an alias that the change keeps, a plain word.
    let before = r#"
//- shop/__init__.py
//- shop/cart.py
def open_cart(): return 1
def close_cart(): return 1
def find_cart(): return 1
def order(): return 1
//- shop/other.py
class Desk:
    def open_cart(self): return 2
def call(find_cart=None): return find_cart
//- docs/guide.md
`open_cart` and `find_cart`, in this order, then order(1). See https://x.org/close_cart/ and a-close_cart-b.

`close_cart` was renamed. Nobody reads this.
//- docs/releases/1.md
`close_cart` is new
"#;
    silent(
        before,
        "
//- shop/cart.py
def shut_cart(): return 1
",
    );
    silent(
        "
//- a.py
def old_name(): return 1
//- README.md
`old_name` is good.
",
        "
//- a.py
def new_name(): return 1
old_name = new_name
",
    );
}

#[test]
fn st4_odd_files_are_read() {
    silent(
        "
//- a.py
def old_name(): return 1
//- empty.md
//- crlf.md
x\r
//- ü.md
über_old_name ü\u{feff}
",
        "
//- a.py
",
    );
}

#[test]
fn st4_the_old_path_of_a_name_that_lives_elsewhere() {
    let before = r#"
//- shop/__init__.py
//- shop/base.py
class Base:
    def wait(self): return 1
//- shop/tax.py
from shop.base import Base

def rate(): return 1

class Tax(Base):
    def hold(self): return 2
//- shop/use.py
from shop.tax import rate
print(rate())
//- tests/test_tax.py
from unittest.mock import patch
patch("shop.tax.rate")
patch("shop.tax.Tax.hold")
//- docs/api.rst
.. autofunction:: shop.tax.rate
"#;
    check(
        before,
        "
//- shop/base.py
class Base:
    def wait(self): return 1
    def hold(self): return 2

def rate(): return 1
//- shop/tax.py
from shop.base import Base

class Tax(Base):
    pass
//- shop/use.py
from shop.base import rate
print(rate())
",
        &expect![[r#"
            Warning stale_name docs/api.rst:1 the text still names `shop.tax.rate`, but the change moved it to shop/base.py <- shop/tax.py:2
            Warning stale_name tests/test_tax.py:2 a string still names `shop.tax.rate`, but the change moved it to shop/base.py <- shop/tax.py:2
        "#]],
    );
    // The old module still gives it on.
    silent(
        before,
        "
//- shop/base.py
class Base:
    def wait(self): return 1

def rate(): return 1
//- shop/tax.py
from shop.base import Base, rate

class Tax(Base):
    def hold(self): return 2
",
    );
}

#[test]
fn st4_a_name_that_belongs_to_somebody_else() {
    silent(
        "
//- lib/response.js
var ServerResponse = require('http').ServerResponse;
var proto = ServerResponse.prototype;
module.exports = { proto };
//- lib/other.js
// Returns a ServerResponse.
module.exports = 1;
",
        "
//- lib/response.js
var proto = require('http').OutgoingMessage.prototype;
module.exports = { proto };
",
    );
    silent(
        "
//- Cargo.toml
[workspace]
members = ['colour']
//- colour/Cargo.toml
[package]
name = 'colour'
//- colour/src/lib.rs
pub struct Spec;
impl Spec { pub fn set_colour(&mut self) {} }
//- src/main.rs
use colour::Spec;
fn main() { Spec.set_colour(); }
",
        "
//- Cargo.toml
[dependencies]
colour = '1'
//- gone colour/Cargo.toml
//- gone colour/src/lib.rs
",
    );
}

#[test]
fn st4_many_places_are_counted() {
    let mut before = "\n//- a.py\ndef old_name(): return 1\n//- guide.md\n".to_owned();
    before.push_str(&"Call `old_name`.\n".repeat(13));
    let run = |expected: &expect_test::Expect| {
        check(&before, "\n//- a.py\ndef new_name(): return 1\n", expected);
    };
    run(&expect![[r#"
        Warning stale_name guide.md:1 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:2 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:3 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:4 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:5 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:6 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:7 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:8 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:9 the text still names `old_name`, but the change renamed it to `new_name` <- a.py:1
        Warning stale_name guide.md:10 the text still names `old_name`, but the change renamed it to `new_name` (and 3 places more) <- a.py:1
    "#]]);
}

#[test]
fn st4_the_path_of_an_import_that_moved_away() {
    check(
        r#"
//- shop/__init__.py
//- shop/cart.py
from time import sleep

def wait(): sleep(1)
def pay(): return 1
//- tests/test_cart.py
from unittest.mock import patch
patch("shop.cart.sleep")
patch("shop.cart.sleepless")
patch("my.shop.cart.sleep")
"#,
        "
//- shop/cart.py
def pay(): return 1
//- shop/wait.py
from time import sleep

def wait(): sleep(1)
",
        &expect![[r#"
            Warning stale_name tests/test_cart.py:2 a string still names `shop.cart.sleep`, but that module no longer imports it <- shop/cart.py:1
        "#]],
    );
}

#[test]
fn st4_a_package_that_moves_keeps_its_name() {
    silent(
        "
//- shop/__init__.py
//- shop/cart.py
LIMIT_OF_ITEMS = 3

def pay(): return 1
//- docs/api.rst
.. automodule:: shop.cart
",
        "
//- gone shop/__init__.py
//- gone shop/cart.py
//- src/shop/__init__.py
//- src/shop/cart.py
LIMIT_OF_ITEMS = 3

def pay(): return 1
",
    );
}

#[test]
fn st4_a_script_that_moves() {
    check(
        "
//- assets/create.sh
#!/usr/bin/env bash
set -e
echo built
//- .github/workflows/ci.yml
run: bash assets/create.sh
//- doc/notes.md
Run `assets/create.sh`.
",
        "
//- gone assets/create.sh
//- assets/build.sh
#!/usr/bin/env bash
set -e
echo built
",
        &expect![[r#"
            Warning stale_name .github/workflows/ci.yml:1 still names `assets/create.sh`, but the change moved it to assets/build.sh <- assets/build.sh:1
            Warning stale_name doc/notes.md:1 still names `assets/create.sh`, but the change moved it to assets/build.sh <- assets/build.sh:1
        "#]],
    );
}

#[test]
fn st4_a_comment_above_with_a_line_between() {
    check(
        "
//- lib/a.js
/**
 * @param {string} text
 * @param {boolean} escape
 */

function shown (text, escape) {
  return escape ? text : ''
}
module.exports = { shown }
",
        "
//- lib/a.js
/**
 * @param {string} text
 * @param {boolean} escape
 */

function shown (text) {
  return text
}
module.exports = { shown }
",
        &expect![[r#"
            Warning stale_docs lib/a.js:3 `escape` is documented, but no longer a parameter of `shown` <- lib/a.js:6
        "#]],
    );
}

#[test]
fn st4_an_alias_of_what_was_renamed_is_no_helper() {
    let before = "
//- shop/taxes.py
def rate(n):
    return n
//- shop/cart.py
from shop.taxes import rate

print(rate(1))
";
    let after = "
//- shop/taxes.py
def tax_rate(n):
    return n


rate = tax_rate
//- shop/cart.py
from shop.taxes import tax_rate

print(tax_rate(1))
";
    check(before, after, &expect![[""]]);
}
