//! A directive that the program does not understand: a model puts it into operations, and the program carries them out.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{Scripted, batch, batches, replaces};

const SHOP: &str = "
//- shop/__init__.py
//- shop/cart.py
def total(prices):
    return sum(prices)
//- shop/report.py
from shop.cart import total


def line(prices):
    return str(total(prices))
";

fn rename(symbol: &str, rest: &str) -> Value {
    let operation = json!({ "operation": "rename", "symbol": symbol, "to": "sum_of_prices" });
    json!({"value": { "operations": [operation], "rest": rest }})
}

/// A run with these answers; who was asked, and what became of the tasks.
#[track_caller]
fn check(answers: &Value, asked: &[&str], ledger: &[&str]) -> (Scripted, String) {
    let case = Scripted::new(SHOP, answers);
    let directive = "Rename totl in shop/cart.py to something better";
    let ran = case.cli.run(case.args_for(directive, &["--no-verify", "--yes"]));
    let run = ran.expect_code(0).run_id();
    let calls: Vec<String> = case.calls().into_iter().map(|call| call.key).collect();
    assert_eq!(calls, asked);
    assert_eq!(case.ledger(&run), ledger);
    (case, run)
}

#[test]
fn st3_operations_that_were_refused_are_chosen_again_with_the_reasons() {
    if !has_node() {
        return;
    }
    let answers = [rename("shop/cart.py#totals", ""), rename("shop/cart.py#total", "")];
    // Nothing is left to refine, so that no planner is asked.
    let asked = ["translator", "translator"];
    let (case, _) = check(&json!({ "translator": answers }), &asked, &["batch-001 applied"]);
    let first = case.call("translator", 0);
    assert!(first.system().contains("You translate a request"), "{}", first.system());
    assert!(first.prompt().contains("shop/cart.py#total(prices)"), "{}", first.prompt());
    let again = case.call("translator", 1);
    let why = "shop/cart.py has no top-level name `totals`";
    assert!(again.prompt().contains(why), "{}", again.prompt());
    assert_eq!(
        case.repo.read("shop/cart.py"),
        "def sum_of_prices(prices):\n    return sum(prices)\n"
    );
    assert!(case.repo.read("shop/report.py").starts_with("from shop.cart import sum_of_prices\n"));
}

#[test]
fn st3_what_no_operation_does_is_a_task_after_it() {
    if !has_node() {
        return;
    }
    let rest = "Let line in shop/report.py say how many prices there are";
    let patch = replaces(
        "shop/report.py",
        "    return str(sum_of_prices(prices))",
        "    return f'{len(prices)}: {sum_of_prices(prices)}'",
    );
    let answers = json!({
        "translator": [rename("shop/cart.py#total", rest)],
        "planner": [batches(&[batch("batch-002", rest, &["shop/report.py"])])],
        "patcher": [patch],
    });
    let asked = ["translator", "planner", "patcher batch-002"];
    let (case, _) = check(&answers, &asked, &["batch-001 applied", "batch-002 applied"]);
    let prompt = case.call("patcher batch-002", 0);
    assert!(prompt.prompt().contains("sum_of_prices(prices)"), "{}", prompt.prompt());
}

#[test]
fn st3_a_directive_that_stays_untranslated_is_for_a_patch() {
    if !has_node() {
        return;
    }
    let patch = replaces(
        "shop/cart.py",
        "    return sum(prices)",
        "    return sum(price for price in prices)",
    );
    let plan = batches(&[batch("batch-001", "Sum by a generator", &["shop/cart.py"])]);
    let nothing = json!({"value": { "operations": [], "rest": "All of it" }});
    for (translations, asked) in [
        (vec![nothing], vec!["translator", "planner", "patcher batch-001"]),
        (
            vec![rename("shop/cart.py#totals", "")],
            vec!["translator", "translator", "planner", "patcher batch-001"],
        ),
    ] {
        let answers = json!({ "translator": translations, "planner": [plan], "patcher": [patch] });
        check(&answers, &asked, &["batch-001 applied"]);
    }
}
