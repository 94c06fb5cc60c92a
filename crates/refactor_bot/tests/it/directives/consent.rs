//! Money: where asking a model costs some, and nobody has said that it may, no model is asked before a person agrees to the plan.

use std::fs;

use rb_testkit::Ran;
use rb_testkit::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};

use crate::sync_files::SyncFiles;

const DIRECTIVE: &str = "Explain in src/a.js what the file is for";

const PATCH: &str =
    "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,2 @@\n+// Reads.\n const fs = require('fs');\n";

/// A service that is paid for. Its planner words the only task anew, and its patcher has a patch.
fn service() -> Stub {
    Stub::new(|seen, _| said(&answer(seen)))
}

fn is_planner(seen: &Seen) -> bool {
    seen.body.contains("scope_globs") && !seen.body.contains("patch_unified_diff")
}

fn answer(seen: &Seen) -> Value {
    if is_planner(seen) {
        return json!({ "batches": [{
            "id": "batch-001", "goal": "Explain the file", "scope_globs": ["src/a.js"],
            "allowed_operations": ["edit"], "diff_budget_loc": 20, "risk_score": 10,
            "verifier_level": "fast",
        }]});
    }
    json!({
        "status": "ok", "rationale": "because", "risk_notes": [], "patch_unified_diff": PATCH,
        "touched_files": ["src/a.js"], "expected_verifier": [],
    })
}

/// An answer as chat completions stream it.
fn said(value: &Value) -> Reply {
    let piece = json!({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": {"content": value.to_string()}}]});
    let end = json!({
        "id": "c1", "model": "m",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
    });
    Reply::events([format!("data: {piece}\n\n"), format!("data: {end}\n\ndata: [DONE]\n\n")])
}

/// A project, and a provider of ours with prices that are known.
fn case(stub: &Stub) -> SyncFiles {
    let mut case = SyncFiles::five();
    case.cli.set_env("ACME_KEY", "sk-planted-0123456789");
    let folder = case.cli.home().join("providers");
    fs::create_dir_all(&folder).unwrap();
    let own = format!(
        "name = \"acme\"\nwire = \"chat\"\nbase_url = \"{}/v1\"\nkeys = [\"ACME_KEY\"]\ndefault_model = \"m\"\n\
         [[model]]\nname = \"m\"\npublished = \"2026-05-01\"\ninput = 1\noutput = 1\n",
        stub.url()
    );
    fs::write(folder.join("acme.toml"), own).unwrap();
    case
}

fn run(case: &SyncFiles, verb: &str, more: &[&str]) -> Ran {
    let root = case.root();
    let mut args = vec![verb, &root, "--directive", DIRECTIVE, "--include", "src/a.js"];
    args.extend(["--provider", "acme"]);
    args.extend(more);
    case.cli.run(args)
}

#[test]
fn rf8_mo6_no_model_is_asked_before_anybody_agreed_to_pay() {
    let stub = service();
    let case = case(&stub);
    let ran = run(&case, "run", &["--no-verify"]);
    let id = ran.expect_code(4).run_id();
    assert_eq!(stub.seen().len(), 0, "nobody was asked");
    for words in ["plan      1 task", "calls acme to refine this plan, then for 1 task"] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains(&format!("refactor-bot resume {id}")), "{}", ran.stdout);
    assert_eq!(case.runs()[0]["stands"], "waiting for you");
    case.assert_untouched();

    case.cli.run(["resume", &id]).expect_code(0);
    let seen = stub.seen();
    assert!(is_planner(&seen[0]), "the planner comes first: {}", seen[0].body);
    assert!(seen.iter().skip(1).all(|seen| !is_planner(seen)), "it is asked once");
    assert_eq!(case.ledger(&id), ["batch-001 applied 1"]);
    let plan = case.cli.run(["runs", "show", &id, "--plan"]);
    assert!(plan.stdout.contains("batch-001  Explain the file"), "refined: {}", plan.stdout);
    case.assert_untouched();
    case.cli.run(["accept", &id]).expect_code(0);
    assert!(case.repo.read("src/a.js").starts_with("// Reads.\n"));
}

#[test]
fn rf8_a_plan_that_nobody_wants_to_pay_for_costs_nothing() {
    let stub = service();
    let case = case(&stub);
    let id = run(&case, "run", &["--no-verify"]).expect_code(4).run_id();
    let ran = case.cli.run(["reject", &id]);
    assert!(ran.expect_code(0).stdout.contains("You declined the plan"), "{}", ran.stdout);
    assert_eq!(stub.seen().len(), 0);
    case.assert_untouched();
    case.assert_nothing_left();
}

/// Who says how much may be spent, or says yes to everything, is not asked again; the plan is refined before it is carried out.
#[test]
fn rf8_a_word_on_money_is_enough() {
    for more in [&["--no-verify", "--budget-usd", "1"][..], &["--no-verify", "--yes"]] {
        let stub = service();
        let case = case(&stub);
        run(&case, "run", more).expect_code(0);
        assert!(is_planner(&stub.seen()[0]));
        assert_eq!(stub.seen().len(), 2, "the planner and the patcher: {more:?}");
    }
}

#[test]
fn rf3_a_plan_alone_asks_a_paid_model_only_where_it_may_spend_something() {
    let stub = service();
    let case = case(&stub);
    let ran = run(&case, "plan", &[]);
    assert!(
        ran.expect_code(0).stderr.contains("was not called to refine the plan"),
        "{}",
        ran.stderr
    );
    assert_eq!(stub.seen().len(), 0);
    run(&case, "plan", &["--budget-usd", "1"]).expect_code(0);
    assert_eq!(stub.seen().len(), 1);
    case.assert_nothing_left();
}
