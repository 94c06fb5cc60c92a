//! Leftovers of a change that are mended in the same task.

use rb_change::reopen;
use rb_core::Proposer;

use crate::patching::Fixture;

/// Runs a change by a model; what it comes to is in the checkout. The notes of the task.
#[track_caller]
fn run(fixture: &Fixture, patch: &str) -> Vec<String> {
    let waiting = fixture.begin_by(Proposer::Model, patch).drive().unwrap();
    let entry = waiting.change.ledger[0].clone();
    assert!(entry.commit.is_some(), "{:?}", entry.reasons);
    fixture.accept(Fixture::id(&waiting));
    entry.notes
}

/// A file with some lines replaced.
fn edit(path: &str, edits: &[(&str, &str)]) -> String {
    let lines = |sign: &str, text: &str| -> String {
        text.lines().flat_map(|line| [sign, line, "\n"]).collect()
    };
    let hunk =
        |(from, to): &(&str, &str)| format!("@@ ... @@\n{}{}", lines("-", from), lines("+", to));
    let hunks: Vec<String> = edits.iter().map(hunk).collect();
    format!("--- a/{path}\n+++ b/{path}\n{}", hunks.concat())
}

const SHOP: &str = "
//- shop/__init__.py
//- shop/cart.py
import math
import os


def _total(prices):
    checked = [price for price in prices if price]
    return math.fsum(checked)
//- shop/report.py
from shop.cart import _total


def line(prices):
    return str(_total(prices))
//- shop/bill.py
from shop import cart


def bill(prices):
    # _total rounds
    return cart._total(prices), \"_total\"
";

fn renaming() -> String {
    let cart = edit(
        "shop/cart.py",
        &[
            ("def _total(prices):", "def _grand_total(prices):"),
            ("    return math.fsum(checked)", "    return sum(checked)"),
        ],
    );
    let import = "from shop.cart import _total";
    cart + &edit("shop/report.py", &[(import, "from shop.cart import _grand_total")])
}

#[test]
fn st5_missed_names_and_unused_imports_are_mended() {
    let fixture = Fixture::of(SHOP);
    let notes = run(&fixture, &renaming());
    let report = "from shop.cart import _grand_total\n\n\ndef line(prices):\n    return str(_grand_total(prices))\n";
    assert_eq!(fixture.repo.read("shop/report.py"), report);
    let bill = fixture.repo.read("shop/bill.py");
    // Prose and strings are reported and not edited.
    assert!(
        bill.contains("    # _total rounds\n    return cart._grand_total(prices), \"_total\""),
        "{bill}"
    );
    // `os` was unused before.
    let cart = fixture.repo.read("shop/cart.py");
    assert!(cart.starts_with("import os\n\n\ndef _grand_total"), "{cart}");
    let mends = [
        "shop/bill.py:6: renamed `_total` to `_grand_total`, which the change had missed",
        "shop/report.py:5: renamed `_total` to `_grand_total`, which the change had missed",
        "shop/cart.py:1: removed the import `math`, which nothing uses any more",
    ];
    assert_eq!(notes[..3], mends, "{notes:?}");
    assert!(notes[3..].iter().all(|note| note.starts_with("shop/bill.py:")), "{notes:?}");
}

#[test]
fn st5_sa6_a_run_that_was_dropped_mends_the_same() {
    let fixture = Fixture::of(SHOP);
    let driver = fixture.begin_by(Proposer::Model, &renaming());
    let id = Fixture::id(&driver.state);
    drop(driver);
    let waiting = reopen(&fixture.context, id.clone()).unwrap().drive().unwrap();
    assert_eq!(waiting.change.ledger[0].touched_files.len(), 3);
    fixture.accept(id);
    let diff = fixture.repo.git(&["diff", "HEAD~1"]);
    drop(fixture);
    let other = Fixture::of(SHOP);
    run(&other, &renaming());
    assert_eq!(other.repo.git(&["diff", "HEAD~1"]), diff);
}

#[test]
fn st5_what_a_person_brings_is_applied_as_it_is() {
    let fixture = Fixture::of(SHOP);
    let patch = "\
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -7,2 +7,2 @@
     checked = [price for price in prices if price]
-    return math.fsum(checked)
+    return sum(checked)
";
    let waiting = fixture.begin_by(Proposer::Given, patch).drive().unwrap();
    let notes = &waiting.change.ledger[0].notes;
    assert_eq!(*notes, ["shop/cart.py:1: `math` is imported but not used"]);
    fixture.accept(Fixture::id(&waiting));
    assert!(fixture.repo.read("shop/cart.py").starts_with("import math\nimport os\n"));
}

#[test]
fn st5_a_name_that_means_something_else_is_left() {
    let fixture = Fixture::of(SHOP);
    // The other file has its own `_grand_total`, which the new name would become.
    let text = fixture.repo.read("shop/bill.py");
    let taken =
        text.replace("from shop import cart", "from shop.cart import _total\n\n_grand_total = 1");
    let taken = taken.replace("cart._total(", "_total(");
    fixture.repo.write("shop/bill.py", &taken);
    fixture.repo.commit_all("another one");
    let waiting = fixture.begin_by(Proposer::Model, &renaming()).drive().unwrap();
    let entry = &waiting.change.ledger[0];
    assert!(entry.commit.is_none(), "{entry:?}");
    assert!(!entry.notes.iter().any(|note| note.contains("renamed")), "{:?}", entry.notes);
}

const SCRIPTS: &str = "
//- src/cart.js
import { join } from 'node:path';

function pad(text) {
  return text.padStart(8);
}

export function total(prices) {
  const checked = prices.filter(Boolean);
  return pad(join('a', String(checked.length)));
}
//- src/report.js
import { total } from './cart.js';

export const line = (prices) => `sum ${total(prices)}`;
//- src/bill.js
import * as cart from './cart.js';

export const bill = (prices) => [cart.total(prices), 'total'];
";

#[test]
fn st5_scripts_missed_names_helpers_and_imports_are_mended() {
    let fixture = Fixture::of(SCRIPTS);
    let cart = edit(
        "src/cart.js",
        &[
            ("export function total(prices) {", "export function grandTotal(prices) {"),
            (
                "  return pad(join('a', String(checked.length)));",
                "  return String(checked.length);",
            ),
        ],
    );
    let import = "import { total } from './cart.js';";
    let patch =
        cart + &edit("src/report.js", &[(import, "import { grandTotal } from './cart.js';")]);
    let notes = run(&fixture, &patch);
    let report = "import { grandTotal } from './cart.js';\n\nexport const line = (prices) => `sum ${grandTotal(prices)}`;\n";
    assert_eq!(fixture.repo.read("src/report.js"), report);
    assert!(fixture.repo.read("src/bill.js").contains("[cart.grandTotal(prices), 'total']"));
    let cart = fixture.repo.read("src/cart.js");
    assert_eq!(
        cart,
        "export function grandTotal(prices) {\n  const checked = prices.filter(Boolean);\n  return String(checked.length);\n}\n"
    );
    assert_eq!(
        notes.iter().filter(|note| note.contains("renamed `total`")).count(),
        2,
        "{notes:?}"
    );
    assert!(
        notes.iter().any(|it| it.contains("function `pad`, which nothing uses any more")),
        "{notes:?}"
    );
}
