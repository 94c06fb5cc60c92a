//! What a model's change leaves behind is mended in the same task.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{Scripted, answer, batch, batches, diff};

const SHOP: &str = r#"
//- pyproject.toml
[project]
name = "shop"
version = "1"
//- shop/__init__.py
//- shop/cart.py
import math


def total(prices):
    checked = [price for price in prices if price]
    return math.fsum(checked)
//- shop/report.py
from shop.cart import total


def line(prices):
    return f"sum: {total(prices)}"
//- tests/__init__.py
//- tests/test_shop.py
import unittest

from shop.cart import total
from shop.report import line


class ShopTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_line(self):
        self.assertIn("sum: 3", line([1, 2]))
"#;

const TESTS: &str = r#"["python3 -m unittest discover -v"]"#;

/// The function gets another name; its test and one call are forgotten, and so is an import that the new body does not need.
fn renaming() -> Value {
    let changes = [
        diff("shop/cart.py", "def total(prices):", "def grand_total(prices):"),
        "@@ ... @@\n-    return math.fsum(checked)\n+    return sum(checked)\n".to_owned(),
        diff("shop/report.py", "from shop.cart import total", "from shop.cart import grand_total"),
    ];
    let files = ["shop/cart.py", "shop/report.py"];
    let plan = batches(&[batch("batch-001", "Say that it is the grand total", &files)]);
    let patch = answer("ok", "a better name", &changes.concat(), &files);
    json!({"planner": [plan], "patcher": [patch]})
}

fn run(fixture: &str) -> (Scripted, rb_testkit::Ran) {
    let mut case = Scripted::new(fixture, &renaming());
    case.cli.set_env("REFACTOR_BOT_ALLOW_PUBLIC_API_CHANGES", "true");
    let (fast, full) = (format!("fast_verifier={TESTS}"), format!("full_verifier={TESTS}"));
    let more = ["--yes", "--set", &fast, "--set", &full];
    let ran = case.cli.run(case.args_for("Make it clear which sum is meant", &more));
    (case, ran)
}

fn notes(case: &Scripted, run: &str) -> Vec<String> {
    let notes = case.events(run, "task_ended")[0]["entry"]["notes"].clone();
    serde_json::from_value(notes).unwrap()
}

#[test]
fn st5_rf5_what_a_model_forgot_is_mended_and_reported() {
    if !has_node() {
        return;
    }
    let (case, ran) = run(SHOP);
    let run = ran.expect_code(0).run_id();
    let cart = case.repo.read("shop/cart.py");
    assert!(cart.starts_with("def grand_total(prices):\n"), "{cart}");
    assert!(case.repo.read("shop/report.py").contains("{grand_total(prices)}"));
    let test = case.repo.read("tests/test_shop.py");
    assert!(test.contains("from shop.cart import grand_total\n"), "{test}");
    assert!(test.contains("self.assertEqual(grand_total([1, 2]), 3)"), "{test}");
    let expected = [
        "shop/report.py:5: renamed `total` to `grand_total`, which the change had missed",
        "tests/test_shop.py:3: renamed `total` to `grand_total`, which the change had missed (and 1 more place in this file)",
        "shop/cart.py:1: removed the import `math`, which nothing uses any more",
    ];
    let notes = notes(&case, &run);
    assert_eq!(notes[..3], expected, "{notes:?}");
    assert!(ran.stdout.contains(&format!("note: {}", expected[2])), "{}", ran.stdout);
    assert!(ran.stderr.contains("batch-001: mended 3 leftovers\n"), "{}", ran.stderr);
    let report = case.report(&run, "validation-report.json");
    assert!(report.contains("removed the import `math`"), "{report}");
    assert!(case.report(&run, "report.html").contains("removed the import"));
    // What the model said is kept as it was.
    let proposal = case.cli.home().join("runs").join(&run).join("proposals/batch-001.patch");
    let proposal = std::fs::read_to_string(proposal).unwrap();
    assert!(!proposal.contains("import math") && !proposal.contains("test_shop"), "{proposal}");
}

#[test]
fn st5_rf5_mends_that_break_a_test_are_dropped() {
    if !has_node() {
        return;
    }
    // Somebody reads the file, and wants the import in it; the name is kept for others.
    let reads = "    def test_line(self):\n        self.assertIn(\"import math\", open(\"shop/cart.py\").read())\n";
    let old_test = "    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n\n";
    let fixture = SHOP.replace("    def test_line(self):\n", reads);
    let fixture = fixture
        .replace(old_test, "")
        .replace("from shop.cart import total\nfrom shop.report", "from shop.report");
    let fixture = fixture.replace("{total(prices)}", "{max(prices) + 1}");
    let (case, ran) = run(&fixture);
    let run = ran.expect_code(0).run_id();
    assert!(case.repo.read("shop/cart.py").starts_with("import math\n\n\ndef grand_total"));
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    assert_eq!(case.events(&run, "mends_dropped").len(), 1);
    assert_eq!(case.failures(&run), [""; 0]);
    let notes = notes(&case, &run);
    assert!(
        notes[0].starts_with("leftovers were not mended, because checks fail with them mended"),
        "{notes:?}"
    );
    assert!(notes.iter().any(|note| note.contains("`math` is imported but not used")), "{notes:?}");
}
