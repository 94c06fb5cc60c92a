//! Several tasks asked at once, applied one after the other.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{GREETINGS, NEW, OLD, Scripted, batch, batches, good, replaces};

#[test]
fn rf5_three_independent_tasks_are_asked_at_once_and_applied_in_order() {
    if !has_node() {
        return;
    }
    // Each answers only once all three are under way; the planner's call is the fourth.
    let together = |answer: Value| json!([{"together": 4, "then": answer}]);
    let answers = json!({
        "patcher batch-001": together(good("alpha")),
        "patcher batch-002": together(good("beta")),
        "patcher batch-003": together(good("gamma")),
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&[]);
    let run = ran.expect_code(0).run_id();
    let calls: Vec<_> = case.calls().into_iter().filter(|it| it.key != "planner").collect();
    let (last_begun, first_ended) = (
        calls.iter().map(|it| it.begun).max().unwrap(),
        calls.iter().map(|it| it.ended.unwrap()).min().unwrap(),
    );
    assert!(last_begun < first_ended, "{calls:?}");
    let applied = ["batch-001 applied", "batch-002 applied", "batch-003 applied"];
    assert_eq!(case.ledger(&run), applied);
    assert_eq!(case.asked().len(), 4);
}

#[test]
fn rf5_what_a_landing_made_stale_is_asked_for_again() {
    if !has_node() {
        return;
    }
    // The third is asked together with the first; the second, which comes between them, changes its file.
    let line = "  return greeting;";
    let answers = json!({
        "planner": [batches(&[
            batch("new-1", "Alpha", &["lib/alpha.js"]),
            batch("new-2", "Alpha and beta", &["lib/alpha.js", "lib/beta.js"]),
            batch("new-3", "Beta", &["lib/beta.js"]),
        ])],
        "patcher batch-001": [good("alpha")],
        "patcher batch-002": [good("beta")],
        "patcher batch-003": [
            replaces("lib/beta.js", OLD, "  const greeting = ['hello', name].join(' ');"),
            replaces("lib/beta.js", line, "  return String(greeting);"),
        ],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(0).run_id();
    let keys: Vec<String> = case.calls().into_iter().map(|call| call.key).collect();
    assert_eq!(keys.iter().filter(|it| *it == "patcher batch-003").count(), 2, "{keys:?}");
    assert_eq!(keys.iter().filter(|it| *it == "patcher batch-002").count(), 1, "{keys:?}");
    let again = case.call("patcher batch-003", 1);
    assert!(again.prompt().contains(NEW), "it sees what is there now: {}", again.prompt());
    let applied = ["batch-001 applied", "batch-002 applied", "batch-003 applied"];
    assert_eq!(case.ledger(&run), applied);
    assert_eq!(case.failures(&run), Vec::<String>::new());
    let beta = case.repo.read("lib/beta.js");
    assert!(beta.contains(NEW) && beta.contains("String(greeting)"), "{beta}");
}
