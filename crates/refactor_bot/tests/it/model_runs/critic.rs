//! A critic that accepts, objects, asks for less, or drops a patch; and one that is asked because no test can speak, or none reaches
//! what the patch removes.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{
    GREETINGS, NEW, OLD, Scripted, batch, batches, good, line_of_part, part, replaces, with_parts,
};

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

/// What a critic refuses counts like every failed try, and is never taken for done.
#[test]
fn rf6_rf7_a_critic_that_keeps_asking_for_less_uses_up_the_tries() {
    if !has_node() {
        return;
    }
    let shrink = |lines: u32| {
        json!({"value": {
            "decision": "shrink_diff", "reasons": ["still too long"],
            "suggested_constraints": {"diff_budget_loc": lines},
        }})
    };
    let answers = json!({
        "planner": [one_task()],
        "patcher": [good("alpha")],
        "critic": [shrink(30), shrink(20), shrink(10), shrink(8), shrink(6), shrink(4)],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let run = case.run(&["--critic", "--no-verify", "--max-retries", "1"]).expect_code(1).run_id();
    assert_eq!(
        case.failures(&run),
        ["batch-001 1 critic retry_narrowed", "batch-001 2 critic abort"]
    );
    assert_eq!(case.ledger(&run), ["batch-001 refused"]);
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

/// Replaces a line in the middle of a function by itself and many numbers: more than half of what a prompt may hold.
fn long_patch(nth: usize) -> Value {
    let numbers = |from: usize| -> String {
        let all = (0..30).map(|at| format!(" {}", 1_000 + (from * 31 + at * 7) % 9_000));
        all.collect()
    };
    let line = line_of_part(nth, 6);
    let added: Vec<String> = (0..150).map(|from| format!("  //{}", numbers(from))).collect();
    replaces("lib/alpha.js", &line, &format!("{line}\n{}", added.join("\n")))
}

#[test]
fn rf6_pk1_the_critic_sees_the_function_that_a_long_patch_touches() {
    if !has_node() {
        return;
    }
    let mut task = batch("batch-001", "Use a template", &["lib/alpha.js"]);
    task["diff_budget_loc"] = json!(300);
    let answers = json!({
        "planner": [batches(&[task])],
        "patcher": [long_patch(500)],
        "critic": [judged("accept", "more numbers")],
    });
    let case = Scripted::new(&with_parts(), &answers);
    case.run(&["--critic", "--no-verify"]).expect_code(0);
    let author = case.call("patcher batch-001", 0);
    assert!(!author.prompt().contains(&part(500)), "nothing led there before");
    let critic = case.call("critic batch-001", 0);
    let prompt = critic.prompt();
    assert!(prompt.contains(&part(500)), "{prompt}");
    let numbers = "\n+  // 1000 1007 1014";
    assert!(prompt.contains(numbers) && prompt.contains("one line"), "{prompt}");
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

/// Alpha rings a bell, and no test imports it.
const RINGING: &str = r#"
//- package.json
{ "name": "greetings", "version": "1.0.0", "private": true, "scripts": { "test": "node --test" } }
//- lib/alpha.js
// Greets in the voice of alpha.
const { ring } = require('./bell');
function alpha(name) {
  const greeting = 'hello ' + name;
  ring(greeting);
  return greeting;
}
module.exports = { alpha };
//- lib/bell.js
function ring(text) {
  process.emit('bell', text);
}
module.exports = { ring };
//- lib/beta.js
// Greets in the voice of beta.
function beta(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
module.exports = { beta };
//- test/beta.test.js
const test = require('node:test');
const assert = require('node:assert');
const { beta } = require('../lib/beta');
test('beta greets', () => assert.strictEqual(beta('you'), 'hello you'));
"#;

/// A template, and no bell.
fn silenced() -> Value {
    let head = "function alpha(name) {";
    let old = format!("const {{ ring }} = require('./bell');\n{head}\n{OLD}\n  ring(greeting);");
    replaces("lib/alpha.js", &old, &format!("{head}\n{NEW}"))
}

#[test]
fn ve6_rf7_where_no_test_reaches_removed_behaviour_a_critic_is_asked() {
    if !has_node() {
        return;
    }
    let accept = judged("accept", "the goal asks for it");
    let answers = json!({
        "planner": [one_task()], "patcher": [silenced()], "critic": [accept],
    });
    let case = Scripted::new(RINGING, &answers);
    let run = case.run(&[]).expect_code(0).run_id();
    assert_eq!(case.asked(), ["critic batch-001", "patcher batch-001", "planner"]);
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    let audit = &case.events(&run, "audit_ended")[0];
    let removed = "lib/alpha.js:5: removed call: `ring(greeting);`";
    assert_eq!(audit["unreached"], json!([removed]), "{audit}");
    let critic = case.call("critic batch-001", 0);
    let told = "The patch deletes 1 statement with effects";
    assert!(critic.prompt().contains(told), "{}", critic.prompt());
    let report = case.cli.home().join("runs").join(&run).join("report/pr-summary.md");
    let summary = std::fs::read_to_string(report).unwrap();
    let at = |words: &str| summary.find(words).unwrap_or_else(|| panic!("{words}: {summary}"));
    assert!(
        at("`lib/alpha.js:5`: removed call: `ring(greeting);`") < at("## Summary"),
        "{summary}"
    );
}

#[test]
fn ve6_rf7_removed_behaviour_that_the_critic_rejects_is_tried_again() {
    if !has_node() {
        return;
    }
    let reject = judged("reject", "the bell is gone");
    let answers = json!({
        "planner": [one_task()], "patcher": [silenced(), good("alpha")], "critic": [reject],
    });
    let case = Scripted::new(RINGING, &answers);
    let run = case.run(&[]).expect_code(0).run_id();
    let asked = ["critic batch-001", "patcher batch-001", "patcher batch-001", "planner"];
    assert_eq!(case.asked(), asked);
    assert_eq!(case.failures(&run), ["batch-001 1 critic retry_narrowed"]);
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
}

/// A patch that a person brings has no critic: it waits for the person, whatever was answered beforehand.
#[test]
fn ve6_rf8_removed_behaviour_that_nothing_vouches_for_is_not_accepted_by_yes() {
    if !has_node() {
        return;
    }
    let case = Scripted::new(RINGING, &json!({}));
    let patch = case.repo.beside("silent.patch");
    std::fs::write(
        &patch,
        "--- a/lib/alpha.js\n+++ b/lib/alpha.js\n@@ -3,5 +3,4 @@\n function alpha(name) {\n   const greeting = 'hello ' + name;\n-  ring(greeting);\n   return greeting;\n }\n",
    )
    .unwrap();
    let (root, patch) = (case.repo.root().display().to_string(), patch.display().to_string());
    let ran = case.cli.run(["run", &root, "--patch", &patch, "--yes"]);
    let run = ran.expect_code(4).run_id();
    let words = "batch-001 removes behaviour that no test reaches. Review the diffs";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    assert!(case.events(&run, "decided").is_empty());
    case.cli.run(["accept", &run]).expect_code(0);
}
