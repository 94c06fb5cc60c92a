//! A model's refinement of the plan: taken as far as it keeps to what the program found.

use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::has_node;
use super::scripted::{DIRECTIVE, GREETINGS, Scripted, answer, batch, batches, good};

fn noop() -> Value {
    answer("noop", "fine as it is", "", &[])
}

/// The goals of the plan that comes of an answer, and the notes about it.
fn planned(planner: &Value, more: &[&str]) -> (Scripted, String, Vec<String>, Vec<String>) {
    let case = Scripted::new(GREETINGS, &json!({"planner": [planner], "patcher": [noop()]}));
    let ran = case.run(more);
    let run = ran.expect_code(0).run_id();
    // The program plans first; the model's plan takes the place of that one.
    let tasks = case.events(&run, "planned").last().unwrap()["tasks"].clone();
    let goals =
        tasks.as_array().unwrap().iter().map(|task| task["goal"].as_str().unwrap().to_owned());
    let events = case.events(&run, "noted");
    let notes = events.iter().map(|it| it["text"].as_str().unwrap().to_owned()).collect();
    no_invented_path(&case, &run);
    let goals = goals.collect();
    (case, run, goals, notes)
}

/// A path that does not exist never becomes a file of a task, whatever the journal says elsewhere.
pub(super) fn no_invented_path(case: &Scripted, run: &str) {
    for event in case.journal(run) {
        let tasks = event["tasks"].as_array().cloned().unwrap_or_default();
        for task in tasks.iter().chain(event["task"].is_object().then_some(&event["task"])) {
            for file in task["files"].as_array().into_iter().flatten() {
                let path = file.as_str().unwrap();
                assert!(case.repo.exists(path), "{path} in {event}");
            }
        }
    }
}

#[test]
fn rf3_a_plan_is_put_in_another_order_and_said_in_other_words() {
    if !has_node() {
        return;
    }
    let answer = batches(&[
        batch("batch-003", "Gamma first", &["lib/gamma.js", "test/gamma.test.js"]),
        batch("batch-001", "Then alpha", &["lib/alpha.js", "test/alpha.test.js"]),
        batch("batch-002", "Then beta", &["lib/beta.js", "test/beta.test.js"]),
    ]);
    let (case, run, goals, notes) = planned(&answer, &[]);
    assert_eq!(goals, ["Gamma first", "Then alpha", "Then beta"]);
    assert_eq!(notes, Vec::<String>::new());
    // The budget of a batch is the task's from then on.
    let tasks = case.events(&run, "planned").last().unwrap()["tasks"].clone();
    assert_eq!(tasks[0]["diff_budget_loc"], json!(40));
    let first = case.call("patcher batch-001", 0);
    assert!(first.prompt().contains("Gamma first"), "{}", first.prompt());
}

/// Whatever a batch was called in the model's answer, the ledger and the later prompts call it as the plan does.
#[test]
fn rf4_the_ledger_calls_a_batch_as_the_plan_does() {
    if !has_node() {
        return;
    }
    let case = Scripted::new(
        GREETINGS,
        &json!({
            "planner": [batches(&[
                batch("batch-003", "Gamma first", &["lib/gamma.js", "test/gamma.test.js"]),
                batch("batch-001", "Alpha as in batch-003", &["lib/alpha.js", "test/alpha.test.js"]),
            ])],
            "patcher batch-001": [good("gamma")],
            "patcher batch-002": [noop()],
        }),
    );
    let run = case.run(&[]).expect_code(0).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 applied", "batch-002 noop"]);
    let second = case.call("patcher batch-002", 0);
    assert!(second.prompt().contains("Goal: Alpha as in batch-001\n"), "{}", second.prompt());
}

/// What a directive names is shown where it is declared and used, between the marks of the fence.
#[test]
fn rf3_the_declaration_and_the_uses_of_a_name_reach_the_planner() {
    if !has_node() {
        return;
    }
    let plan = batches(&[batch("batch-001", "Say good day", &["lib/alpha.js"])]);
    let fixture = GREETINGS.replace("alpha(", "greetAlpha(").replace("{ alpha }", "{ greetAlpha }");
    let case = Scripted::new(&fixture, &json!({"planner": [plan], "patcher": [noop()]}));
    case.cli.run(case.args_for("Make `greetAlpha` say good day", &[])).expect_code(0);
    let prompt = case.call("planner", 0).prompt().to_owned();
    let (_, lines) = prompt.split_once("## Lines with a name of the request").unwrap();
    for line in [
        "name=\"lines\"",
        "lib/alpha.js:2: function greetAlpha(name) {",
        "test/alpha.test.js:3: const { greetAlpha } = require('../lib/alpha');",
    ] {
        assert!(lines.contains(line), "{line}: {prompt}");
    }
}

#[test]
fn rf3_what_a_planner_leaves_out_is_dropped_and_said() {
    if !has_node() {
        return;
    }
    let (.., goals, notes) =
        planned(&batches(&[batch("batch-002", "Beta", &["lib/beta.js"])]), &[]);
    assert_eq!(goals, ["Beta"]);
    let dropped: Vec<&String> = notes.iter().filter(|it| it.starts_with("dropped")).collect();
    assert_eq!(dropped.len(), 2, "{notes:?}");
}

/// Two files with something that a recipe removes.
const UNUSED: &str = r#"
//- package.json
{ "name": "unused", "private": true, "type": "module", "scripts": { "test": "node --test" } }
//- lib/a.js
import path from 'node:path';
export const a = 1;
//- web/b.js
import path from 'node:path';
export const b = 2;
//- test/a.test.js
import test from 'node:test';
import assert from 'node:assert';
import { a } from '../lib/a.js';
import { b } from '../web/b.js';
test('counts', () => assert.strictEqual(a + b, 3));
"#;

#[test]
fn rf3_rf4_a_planner_cannot_lose_computed_tasks() {
    if !has_node() {
        return;
    }
    let case = Scripted::new(UNUSED, &json!({"planner": [batches(&[])]}));
    let root = case.repo.root().display().to_string();
    let order = ["run", &root, "--directive", "Remove unused imports", "--provider", "command"];
    let run = case.cli.run(order).expect_code(0).run_id();
    let planned = case.events(&run, "planned")[0]["tasks"].as_array().unwrap().len();
    assert!(planned > 1);
    let applied = |run: &str| case.ledger(run).iter().filter(|it| it.ends_with("applied")).count();
    assert_eq!(applied(&run), planned);
    assert_eq!(case.asked(), ["planner"]);
    let dropped = json!([{"id": "batch-001", "reason": "the build needs it"}]);
    case.answers(&json!({"planner": [{"value": {"batches": [], "dropped": dropped}}]}));
    let run = case.cli.run(order).expect_code(7).run_id();
    assert_eq!(applied(&run), planned - 1);
    let summary = case.report(&run, "pr-summary.md");
    assert!(summary.lines().next().unwrap().ends_with("(partial)"), "{summary}");
    assert!(summary.contains("; reason: the build needs it"), "{summary}");
}

/// Only a model can do it, and the planner leaves nothing of it to do.
#[test]
fn rf3_rf5_a_directive_of_which_every_task_is_dropped_is_not_done() {
    if !has_node() {
        return;
    }
    let case = Scripted::new(GREETINGS, &json!({"planner": [batches(&[])]}));
    let run = case.run(&[]).expect_code(7).run_id();
    assert_eq!(case.asked(), ["planner"]);
    assert_eq!(case.ledger(&run), Vec::<String>::new());
    let summary = case.report(&run, "pr-summary.md");
    let title = summary.lines().next().unwrap();
    assert_eq!(title, "# No changes: the plan was left without a task");
    let dropped = summary.matches("dropped by the planner: the part in lib/").count();
    assert_eq!(dropped, 3, "{summary}");
}

#[test]
fn rf3_invented_paths_are_refused_and_said() {
    if !has_node() {
        return;
    }
    let answer = batches(&[
        batch("new-1", "Invented", &["lib/delta.js"]),
        batch("new-2", "Outside", &["../secrets.js"]),
        batch("new-3", "Partly", &["lib/beta.js", "src/none.js"]),
        batch("new-4", "Real", &["lib/alpha.js"]),
    ]);
    let (case, run, goals, notes) = planned(&answer, &[]);
    assert_eq!(goals, ["Real"]);
    for name in ["lib/delta.js", "../secrets.js", "src/none.js"] {
        assert!(notes.iter().any(|it| it.contains(name)), "{name}: {notes:?}");
    }
    // It heard what is not taken, and said the same again.
    assert_eq!(case.asked(), ["patcher batch-001", "planner", "planner"]);
    assert!(case.report(&run, "validation-report.json").contains("lib/delta.js"));
}

#[test]
fn rf3_a_planner_hears_what_is_not_taken_of_its_plan_and_can_mend_it() {
    if !has_node() {
        return;
    }
    let plan = |path: &str| batches(&[batch("batch-007", "Greet in alpha", &[path])]);
    let answers = json!({
        "planner": [plan("lib/delta.js"), plan("lib/alpha.js")],
        "patcher": [good("alpha")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let run = case.run(&[]).expect_code(0).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    let (first, again) = (case.call("planner", 0), case.call("planner", 1));
    assert!(!first.prompt().contains("Not taken of it:"), "{}", first.prompt());
    let told = "Not taken of it:\n- batch-007: `lib/delta.js` matches no existing file\n";
    assert!(again.prompt().contains(told), "{}", again.prompt());
    assert!(!case.report(&run, "pr-summary.md").contains("delta"), "it is mended");
}

#[test]
fn rf3_five_hundred_batches_are_cut_to_the_limit() {
    if !has_node() {
        return;
    }
    let many: Vec<Value> = (0..500)
        .map(|at| batch(&format!("new-{at}"), &format!("Step {at}"), &["lib/alpha.js"]))
        .collect();
    let (case, _, goals, notes) = planned(&batches(&many), &["--max-batches", "5"]);
    assert_eq!(goals, ["Step 0", "Step 1", "Step 2", "Step 3", "Step 4"]);
    assert!(notes.iter().any(|it| it.contains("495 batches over the limit of 5")), "{notes:?}");
    // All are about one file: one is asked after the other, and each once; the planner hears that it gave too many.
    assert_eq!(case.asked().len(), 7, "{:?}", case.asked());
}

#[test]
fn rf3_a_plan_that_is_none_leaves_the_programs_own() {
    if !has_node() {
        return;
    }
    let check = |answer: Value, calls: usize| {
        let (case, _, goals, notes) = planned(&answer, &[]);
        assert_eq!(goals.len(), 3, "{answer}: {goals:?}");
        let own = |it: &&String| it.starts_with("the plan was not refined");
        assert_eq!(notes.iter().filter(own).count(), 1, "{answer}: {notes:?}");
        let planners = case.asked().into_iter().filter(|key| key == "planner").count();
        assert_eq!(planners, calls, "{answer}");
    };
    check(json!({"text": "Sure! Here is my plan: do everything."}), 2);
    check(json!({"value": {"batches": [{"id": 7}]}}), 2);
    check(json!({"value": []}), 2);
}

/// A server of embeddings to which the directive and what speaks of delta are alike.
fn embeddings() -> Stub {
    Stub::new(|seen, _| {
        let vector = |text: &Value| {
            let text = text.as_str().unwrap();
            let is_near = text.contains("delta") || text == DIRECTIVE;
            let mut vector = vec![0.0; 1536];
            vector[usize::from(is_near)] = 1.0;
            vector
        };
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        let texts = body["input"].as_array().unwrap().iter().enumerate();
        let data: Vec<Value> =
            texts.map(|(at, text)| json!({"index": at, "embedding": vector(text)})).collect();
        Reply::ok(json!({"data": data, "usage": {"total_tokens": 1}}).to_string())
    })
}

#[test]
fn ix6_rf3_a_plan_searches_with_the_model_of_the_configuration() {
    if !has_node() {
        return;
    }
    let delta = "//- lib/delta.js\nmodule.exports = { delta: (x) => x + 1 };\n";
    let case = Scripted::new(
        &format!("{GREETINGS}{delta}"),
        &json!({"planner": [{"text": "nothing"}], "patcher": [noop()]}),
    );
    let planned = |settings: &[&str]| {
        let run = case.run(settings).expect_code(0).run_id();
        case.events(&run, "planned")[0]["tasks"].to_string()
    };
    assert!(!planned(&[]).contains("lib/delta.js"));
    let server = embeddings();
    let url = format!("search.openai_url={}/v1", server.url());
    let tasks = planned(&["--set", "search.model=openai:toy", "--set", &url]);
    assert!(tasks.contains("lib/delta.js"), "{tasks}");

    let calls = case.asked();
    let ran = case.run(&["--set", "search.model=potion"]);
    assert!(ran.expect_code(2).stderr.contains("search.model is `potion`"), "{}", ran.stderr);
    assert_eq!(case.asked(), calls);
}
