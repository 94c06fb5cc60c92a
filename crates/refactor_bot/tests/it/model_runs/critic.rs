//! A critic that accepts, objects, asks for less, or drops a patch; and one that is asked because no test can speak.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{GREETINGS, NEW, OLD, Scripted, batch, batches, good, replaces};

fn judged(decision: &str, reason: &str) -> Value {
    json!({"value": {"decision": decision, "reasons": [reason]}})
}

fn one_task() -> Value {
    batches(&[batch("batch-001", "Use a template", &["lib/alpha.js"])])
}

/// A run over one task with these patches and judgements, and who was asked.
#[track_caller]
fn check(
    patches: &[Value],
    judgements: &[Value],
    asked: &[&str],
    ledger: &str,
) -> (Scripted, String) {
    let answers = json!({
        "planner": [one_task()], "patcher": patches, "critic": judgements,
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&["--critic", "--no-verify"]);
    let run = ran.expect_code(0).run_id();
    let calls: Vec<String> = case.calls().into_iter().map(|call| call.key).collect();
    assert_eq!(calls, asked);
    assert_eq!(case.ledger(&run), [ledger]);
    (case, run)
}

#[test]
fn rf6_what_the_critic_accepts_is_applied() {
    if !has_node() {
        return;
    }
    let asked = ["planner", "patcher batch-001", "critic batch-001"];
    let accept = judged("accept", "the same string");
    let (case, _) = check(&[good("alpha")], &[accept], &asked, "batch-001 applied");
    let critic = case.call("critic batch-001", 0);
    assert!(critic.system().contains("You review one patch"), "{}", critic.system());
    assert!(
        critic.prompt().contains(NEW) && critic.prompt().contains("one line"),
        "{}",
        critic.prompt()
    );
}

#[test]
fn rf6_what_the_critic_rejects_is_tried_again_with_its_reasons() {
    if !has_node() {
        return;
    }
    let asked = [
        "planner",
        "patcher batch-001",
        "critic batch-001",
        "patcher batch-001",
        "critic batch-001",
    ];
    let worse = replaces("lib/alpha.js", OLD, "  const greeting = `hello  ${name}`;");
    let judgements = [judged("reject", "lib/alpha.js:3: two blanks"), judged("accept", "the same")];
    let (case, run) = check(&[worse, good("alpha")], &judgements, &asked, "batch-001 applied");
    assert_eq!(case.failures(&run), ["batch-001 1 critic retry_narrowed"]);
    let again = case.call("patcher batch-001", 1);
    assert!(again.prompt().contains("lib/alpha.js:3: two blanks"), "{}", again.prompt());
}

#[test]
fn rf6_a_critic_that_asks_for_less_is_told_on_to_the_next_try() {
    if !has_node() {
        return;
    }
    let long = replaces("lib/alpha.js", OLD, &format!("  // A greeting.\n{NEW}"));
    let asked = [
        "planner",
        "patcher batch-001",
        "critic batch-001",
        "patcher batch-001",
        "critic batch-001",
    ];
    let shrink = json!({"value": {
        "decision": "shrink_diff", "reasons": ["no comment is needed"],
        "suggested_constraints": {"diff_budget_loc": 2},
    }});
    let judgements = [shrink, judged("accept", "short")];
    let (case, run) = check(&[long, good("alpha")], &judgements, &asked, "batch-001 applied");
    assert_eq!(case.events(&run, "critic_ended")[0]["decision"], "shrink_diff");
    let again = case.call("patcher batch-001", 1);
    assert!(again.prompt().contains("no comment is needed"), "{}", again.prompt());
    assert!(again.prompt().contains("wanted: at most 2 changed lines"), "{}", again.prompt());
}

#[test]
fn rf6_what_the_critic_drops_is_a_success() {
    if !has_node() {
        return;
    }
    let asked = ["planner", "patcher batch-001", "critic batch-001"];
    let noop = judged("noop", "not worth its risk");
    let (case, run) = check(&[good("alpha")], &[noop], &asked, "batch-001 noop");
    let entry = &case.events(&run, "task_ended")[0]["entry"];
    assert_eq!(entry["notes"], json!(["not worth its risk"]));
}

#[test]
fn rf6_a_critic_that_cannot_be_understood_has_not_accepted() {
    if !has_node() {
        return;
    }
    let nonsense = json!({"value": {"decision": "fine", "reasons": []}});
    let answers = json!({
        "planner": [one_task()], "patcher": [good("alpha")], "critic": [nonsense],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&["--critic", "--no-verify", "--max-retries", "0"]);
    let run = ran.expect_code(1).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 refused"]);
    // Asked once more in stronger words, then given up.
    let asked = ["critic batch-001", "critic batch-001", "patcher batch-001", "planner"];
    assert_eq!(case.asked(), asked);
    assert_eq!(case.failures(&run), ["batch-001 1 critic abort"]);
}

/// No manifest, no test: nothing verifies it.
const UNTESTED: &str = "
//- lib/alpha.js
// Greets in the voice of alpha.
function alpha(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
module.exports = { alpha };
";

#[test]
fn rf6_where_no_test_can_speak_a_critic_does() {
    if !has_node() {
        return;
    }
    let answers = json!({
        "planner": [one_task()], "patcher": [good("alpha")], "critic": [judged("accept", "the same")],
    });
    let case = Scripted::new(UNTESTED, &answers);
    let ran = case.run(&[]);
    let run = ran.expect_code(0).run_id();
    assert_eq!(case.asked(), ["critic batch-001", "patcher batch-001", "planner"]);
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    assert!(ran.stdout.contains("tests    not run; only static checks"), "{}", ran.stdout);
}
