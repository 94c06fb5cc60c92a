//! What follows from a try that failed, with every call counted.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{
    GREETINGS, NEW, OLD, Scripted, answer, bad, batch, batches, diff, good, replaces,
};

#[test]
fn rf7_a_task_that_keeps_failing_is_skipped_and_the_run_ends_well() {
    if !has_node() {
        return;
    }
    let answers = json!({
        "patcher batch-001": [bad("alpha")],
        "patcher batch-002": [good("beta")],
        "patcher batch-003": [good("gamma")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let before = case.repo.state();
    let ran = case.run(&[]);
    let run = ran.expect_code(7).run_id();
    // One try and two more, and nobody is asked twice for what was proposed beside it.
    assert_eq!(
        case.asked(),
        [
            "patcher batch-001",
            "patcher batch-001",
            "patcher batch-001",
            "patcher batch-002",
            "patcher batch-003",
            "planner"
        ]
    );
    assert_eq!(
        case.failures(&run),
        [
            "batch-001 1 patch retry_narrowed",
            "batch-001 2 patch retry_narrowed",
            "batch-001 3 patch skip"
        ]
    );
    assert_eq!(case.ledger(&run), ["batch-001 skipped", "batch-002 applied", "batch-003 applied"]);
    let prompts: Vec<String> =
        (0..3).map(|number| case.call("patcher batch-001", number).prompt().to_owned()).collect();
    assert!(!prompts[0].contains("the text is not found"), "{}", prompts[0]);
    assert!(prompts[1].contains("the text is not found"), "{}", prompts[1]);
    assert!(prompts[2].contains("the text is not found"), "{}", prompts[2]);
    before.assert_same(&case.repo.state(), "by the run");
    case.cli.run(["accept", &run]).expect_code(0);
    assert!(case.repo.read("lib/alpha.js").contains(OLD));
    assert!(case.repo.read("lib/beta.js").contains(NEW));
    assert!(case.repo.read("lib/gamma.js").contains(NEW));
}

/// A check whose program is not there says nothing of a change.
#[test]
fn rf4_rf7_a_check_that_cannot_be_started_is_in_no_prompt() {
    if !has_node() {
        return;
    }
    let scripts = r#""test": "node --test""#;
    let more = "//- test/more.test.js\nconst test = require('node:test');\n\
                for (let at = 0; at < 20; at += 1) test(`more ${at}`, () => {});\n";
    let with_lint = GREETINGS.replace(scripts, &format!(r#"{scripts}, "lint": "nosuchlinter""#));
    let breaks = replaces("lib/alpha.js", OLD, "  const greeting = 'bye ' + name;");
    let answers = json!({
        "planner": [batches(&[batch("batch-001", "Use a template", &["lib/alpha.js"])])],
        "patcher": [breaks, good("alpha")],
    });
    let case = Scripted::new(&format!("{with_lint}{more}"), &answers);
    let run = case.run(&[]).expect_code(0).run_id();
    assert_eq!(case.failures(&run), ["batch-001 1 verify retry_narrowed"]);
    let reasons = case.events(&run, "try_failed")[0]["reasons"].to_string();
    assert!(reasons.contains("lint: ") && reasons.contains("was not found"), "{reasons}");
    let prompts = [0, 1].map(|at| case.call("patcher batch-001", at).prompt().to_owned());
    for prompt in &prompts {
        assert!(prompt.contains("## Commands that verify the change"), "{prompt}");
        for noise in ["nosuchlinter", "run lint", "was not found"] {
            assert!(!prompt.contains(noise), "{noise}: {prompt}");
        }
    }
    assert!(prompts[1].contains("broken, passed before (1)"), "{}", prompts[1]);
}

/// What a person says about a change goes back to the model; without a word, the change is only dropped.
#[test]
fn rf7_rf10_a_comment_goes_to_the_next_try_of_the_model() {
    if !has_node() {
        return;
    }
    let plan = [
        batch("batch-001", "Use a template", &["lib/alpha.js"]),
        batch("batch-002", "Use a template", &["lib/beta.js"]),
    ];
    let answers = json!({
        "planner": [batches(&plan)],
        "patcher batch-001": [good("alpha"), good("alpha")],
        "patcher batch-002": [good("beta")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let run = case.run(&["--approve-each"]).expect_code(4).run_id();
    let comment = "--comment=Keep the name of the constant";
    case.cli.run(["reject", &run, "--task", "batch-001", comment]).expect_code(4);
    assert_eq!(case.failures(&run), ["batch-001 1 person retry_narrowed"]);
    let prompt = case.call("patcher batch-001", 1).prompt().to_owned();
    assert!(prompt.contains("the user rejected the change"), "{prompt}");
    assert!(prompt.contains("Keep the name of the constant"), "{prompt}");

    case.cli.run(["accept", &run, "--task", "batch-001"]).expect_code(4);
    case.cli.run(["reject", &run, "--task", "batch-002"]).expect_code(0);
    assert_eq!(case.ledger(&run), ["batch-001 applied", "batch-002 skipped"]);
}

#[test]
fn rf7_a_critical_task_that_keeps_failing_ends_the_run_and_what_was_good_can_be_accepted() {
    if !has_node() {
        return;
    }
    // The only task of a directive is critical; the formatter's checkpoint is there before it.
    let answers = json!({
        "planner": [batches(&[batch("batch-001", "Use a template", &["lib/alpha.js"])])],
        "patcher": [bad("alpha")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let format = "printf '\\n' >> lib/gamma.js";
    let ran = case.run(&["--format", format, "--max-retries", "1", "--yes"]);
    let run = ran.expect_code(1).run_id();
    assert_eq!(case.asked(), ["patcher batch-002", "patcher batch-002", "planner"]);
    assert_eq!(
        case.failures(&run),
        ["batch-002 1 patch retry_narrowed", "batch-002 2 patch abort"]
    );
    assert_eq!(case.ledger(&run), ["batch-001 applied", "batch-002 refused"]);
    let aborted = &case.events(&run, "aborted")[0]["reason"];
    assert_eq!(*aborted, json!("batch-002: the patch was rejected"));
    assert!(case.report(&run, "pr-summary.md").contains("the patch was rejected"), "{run}");
    case.cli.run(["accept", &run]).expect_code(0);
    assert!(case.repo.read("lib/gamma.js").ends_with(";\n\n"));
    assert!(case.repo.read("lib/alpha.js").contains(OLD));
}

/// Six batches over three files: more than are asked at once.
fn six() -> Value {
    let names = ["alpha", "beta", "gamma"];
    let batches: Vec<Value> = (0..6)
        .map(|at| {
            let file = format!("lib/{}.js", names[at % 3]);
            batch(&format!("new-{at}"), &format!("Step {at}"), &[&file])
        })
        .collect();
    json!({"value": {"batches": batches}})
}

#[test]
fn rf7_three_failures_in_a_row_end_the_run() {
    if !has_node() {
        return;
    }
    let answers = json!({
        "planner": [six()],
        "patcher batch-001": [good("alpha")],
        "patcher batch-002": [bad("beta")],
        "patcher batch-003": [bad("gamma")],
        "patcher batch-004": [bad("alpha")],
        "patcher": [bad("beta")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&["--max-retries", "0"]);
    let run = ran.expect_code(1).run_id();
    assert_eq!(
        case.failures(&run),
        ["batch-002 1 patch skip", "batch-003 1 patch skip", "batch-004 1 patch abort"]
    );
    assert_eq!(
        case.ledger(&run),
        ["batch-001 applied", "batch-002 skipped", "batch-003 skipped", "batch-004 refused"]
    );
    // Two groups of three are asked at once; the last two were never tried.
    assert_eq!(case.asked().len(), 7, "{:?}", case.asked());
    assert!(ran.stdout.contains("2 tasks after it not attempted"), "{}", ran.stdout);
    case.cli.run(["accept", &run]).expect_code(0);
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
}

/// Another file imports what the second task hides.
const CHAIN: &str = r#"
//- package.json
{ "name": "chain", "private": true, "type": "module", "scripts": { "test": "node --test" } }
//- lib/greet.js
// Greets with a string.
export function greet(name) {
  const greeting = 'hello ' + name;
  return greeting;
}
//- lib/polite.js
// Greets with a string that is polite.
import { greet } from './greet.js';
export const polite = (name) => greet(name) + ', dear';
//- test/polite.test.js
import test from 'node:test';
import assert from 'node:assert';
import { polite } from '../lib/polite.js';
test('greets', () => assert.strictEqual(polite('you'), 'hello you, dear'));
"#;

/// Files that a task loses when it is taken back and planned anew are listed with the reason.
#[test]
fn rf7_rf9_files_that_are_left_out_when_a_subtree_is_taken_back_are_listed() {
    if !has_node() {
        return;
    }
    let (file, other) = ("lib/greet.js", "lib/polite.js");
    let line = "export function greet(name) {";
    let answers = json!({
        "planner": [batches(&[
            batch("new-1", "Use a template", &[file]),
            batch("new-2", "Say what it does", &[file, other]),
        ])],
        "patcher batch-001": [replaces(file, OLD, NEW)],
        "patcher batch-002": [replaces(file, line, "function greet(name) {")],
        "patcher batch-003": [replaces(file, OLD, NEW)],
        "patcher batch-004": [answer("noop", "it is fine", "", &[])],
    });
    let case = Scripted::new(CHAIN, &answers);
    let run = case.run(&["--max-retries", "1"]).expect_code(0).run_id();
    let taken = case.events(&run, "taken_back");
    assert_eq!(taken.len(), 1, "{taken:?}");
    let dropped = taken[0]["dropped"].as_array().expect("what is left out");
    let report = case.cli.home().join("runs").join(&run).join("report/validation-report.json");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    let places = report["left"]["places"].as_array().unwrap();
    assert!(!dropped.is_empty(), "{taken:?}");
    for site in dropped {
        assert!(places.iter().any(|it| it["path"] == site["path"]), "{site} in {places:?}");
    }
}

#[test]
fn rf7_a_change_that_breaks_others_takes_its_subtree_back_once() {
    if !has_node() {
        return;
    }
    let file = "lib/greet.js";
    let hides = |name: &str| {
        let line = format!("function greet({name}, name = {name}) {{");
        replaces(file, "export function greet(name) {", &line)
    };
    let answers = json!({
        "planner": [batches(&[
            batch("new-1", "Use a template", &[file]),
            batch("new-2", "Say what it does", &[file]),
            batch("new-3", "Leave polite alone", &["lib/polite.js"]),
        ])],
        "patcher batch-001": [replaces(file, OLD, NEW)],
        "patcher batch-002": [hides("who")],
        "patcher batch-003": [answer("noop", "it is fine", "", &[])],
        // Planned anew: the first is done as before, the second insists.
        "patcher batch-004": [replaces(file, OLD, NEW)],
        "patcher batch-005": [hides("whom")],
    });
    let case = Scripted::new(CHAIN, &answers);
    let ran = case.run(&["--max-retries", "1"]);
    let run = ran.expect_code(7).run_id();
    assert_eq!(
        case.failures(&run),
        [
            "batch-002 1 cascade roll_back_subtree",
            "batch-005 1 cascade retry_narrowed",
            "batch-005 2 cascade skip"
        ]
    );
    let taken = case.events(&run, "taken_back");
    assert_eq!(taken.len(), 1, "once");
    assert_eq!(taken[0]["tasks"], json!(["batch-001"]));
    let told = case.call("patcher batch-005", 0);
    assert!(told.prompt().contains("What went wrong before"), "{}", told.prompt());
    assert_eq!(
        case.asked(),
        [
            "patcher batch-001",
            "patcher batch-002",
            "patcher batch-003",
            "patcher batch-004",
            "patcher batch-005",
            "patcher batch-005",
            "planner"
        ]
    );
    case.cli.run(["accept", &run]).expect_code(0);
    assert!(case.repo.read(file).contains(NEW));
    assert!(case.repo.read(file).contains("function greet("));
}

#[test]
fn ve5_below_85_percent_of_the_tests_the_run_is_given_up_at_once() {
    if !has_node() {
        return;
    }
    let breaks = diff("lib/alpha.js", OLD, "  const greeting = 'bye ' + name;");
    let answers = json!({
        "patcher batch-001": [answer("ok", "says bye", &breaks, &["lib/alpha.js"])],
        "patcher batch-002": [good("beta")],
        "patcher batch-003": [good("gamma")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let before = case.repo.state();
    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(1).run_id();
    assert_eq!(case.failures(&run), ["batch-001 1 collapse abort"]);
    assert_eq!(case.ledger(&run), ["batch-001 refused"]);
    let reason = &case.events(&run, "aborted")[0]["reason"];
    assert_eq!(*reason, json!("batch-001: too many tests fail"));
    assert!(case.report(&run, "pr-summary.md").contains("alpha greets"));
    assert!(ran.stdout.contains("alpha greets"), "{}", ran.stdout);
    before.assert_same(&case.repo.state(), "although --yes was given");
    assert_eq!(case.asked().len(), 4, "{:?}", case.asked());
}
