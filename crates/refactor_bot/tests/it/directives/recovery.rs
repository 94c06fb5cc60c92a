//! What becomes of a run in which something fails: nothing of it reaches the checkout, and the rest goes on.

use std::fs;

use rb_testkit::Ran;
use serde_json::{Value, json};

use crate::sync_files::{SyncFiles, TEN};

fn report(case: &SyncFiles, id: &str) -> Value {
    let file = case.cli.home().join("runs").join(id).join("report/validation-report.json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn rf7_a_task_that_fails_is_tried_with_less_then_skipped_and_the_rest_goes_on() {
    // Both files of one task fail, one of another.
    let case = SyncFiles::new(TEN, &["bin/i", "bin/j", "lib/g"], 30);
    let ran = case.cli.run(case.verified(&[]));
    let id = ran.expect_code(7).run_id();
    case.assert_untouched();
    assert_eq!(
        case.ledger(&id),
        [
            "batch-001 applied 1",
            "batch-002 applied 1",
            "batch-003 skipped 2",
            "batch-004 applied 2",
            "batch-005 applied 1",
            "batch-006 applied 1",
        ]
    );
    assert!(ran.stderr.contains("retrying"), "{}", ran.stderr);
    assert!(ran.stderr.contains("continuing without it"), "{}", ran.stderr);
    // What is kept passes all tests; each task was verified, and what failed is rolled back.
    assert_eq!(report(&case, &id)["verdict"], "pass");
    case.cli.run(["accept", &id]).expect_code(0);
    for pinned in ["bin/i.js", "bin/j.js", "lib/g.js"] {
        assert!(case.repo.read(pinned).contains("readFileSync"), "{pinned}");
    }
    assert!(!case.repo.read("lib/h.js").contains("readFileSync"));
}

/// A task that is tried again with less to do loses sites; none of them is lost from sight.
#[test]
fn rf7_rf9_sites_that_a_narrower_try_leaves_out_are_listed_with_the_tests_that_failed() {
    let case = SyncFiles::new(TEN, &["lib/g"], 30);
    let ran = case.cli.run(case.verified(&[]));
    let id = ran.expect_code(0).run_id();
    let narrowed = case.ledger(&id).iter().position(|it| it.ends_with("applied 2"));
    let report = report(&case, &id);
    let dropped: Vec<String> = report["left"]["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{}:{} {}",
                it["path"].as_str().unwrap(),
                it["line"],
                it["reason"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        dropped,
        ["lib/g.js:4 the task failed its tests with this site: `lib/g.js reads at once`"]
    );
    let folder = case.cli.home().join("runs").join(&id);
    let summary = fs::read_to_string(folder.join("report/pr-summary.md")).unwrap();
    let title = summary.lines().next().unwrap();
    // No task failed: the site is listed, and neither the title nor the exit code speaks of it.
    assert!(!title.contains("(partial)"), "{title}");
    assert!(summary.contains("`lib/g.js:4`"), "{summary}");
    assert!(ran.stdout.contains("the task failed its tests with this site"), "{}", ran.stdout);
    // Both tries have their record and their outputs.
    let task = format!("batch-{:03}", narrowed.unwrap() + 1);
    for name in [format!("{task}.json"), format!("{task}-try2.json")] {
        assert!(folder.join("verify").join(&name).is_file(), "{name}");
    }
    for name in [format!("{task}-01-test.stdout"), format!("{task}-try2-01-test.stdout")] {
        let log = fs::read_to_string(folder.join("verify/logs").join(&name)).unwrap();
        assert_eq!(log.contains("not ok"), !name.contains("try2"), "{name}: {log}");
    }
}

#[test]
fn rf5_rf9_a_part_of_the_directive_that_nothing_serves_is_in_title_report_and_exit_code() {
    let case = SyncFiles::five();
    let root = case.root();
    let directive = "Convert sync file ops to async and add OpenTelemetry tracing";
    let ran = case.cli.run(["run", &root, "--directive", directive, "--no-verify"]);
    let id = ran.expect_code(7).run_id();
    let why = "no recipe or rule does this: add OpenTelemetry tracing";
    assert!(ran.stdout.contains(&format!("not supported: {why}")), "{}", ran.stdout);
    let ledger = case.ledger(&id);
    assert!(ledger.iter().all(|it| it.ends_with("applied 1")), "{ledger:?}");
    let folder = case.cli.home().join("runs").join(&id);
    let summary = fs::read_to_string(folder.join("report/pr-summary.md")).unwrap();
    assert!(summary.lines().next().unwrap().ends_with("(partial)"), "{summary}");
    assert!(summary.contains(&format!("Not done: {why}")), "{summary}");
    // Whoever accepts it knows what they accept.
    case.cli.run(["accept", &id]).expect_code(0);
}

/// Ends itself in the first run after the worktree was reset, and passes in the next.
const KILLED_ONCE: &str = "if [ ! -e runs.txt ]; then echo > runs.txt; kill -9 $$; fi\n";

#[test]
fn ve4_rf7_a_suite_that_crashes_once_costs_no_change() {
    let case = SyncFiles::new(TEN, &[], 30);
    let suite = case.repo.read("test.sh");
    case.repo.write("test.sh", suite.replacen("#!/bin/sh\n", KILLED_ONCE, 1));
    case.repo.commit_all("flaky");
    let ran = case.cli.run(case.verified(&[]));
    let id = ran.expect_code(0).run_id();
    let ledger = case.ledger(&id);
    assert!(ledger.iter().all(|it| it.ends_with("applied 1")), "{ledger:?}");
    let words = "`sh test.sh` was killed by signal 9; it passed when it was rerun";
    assert!(ran.stdout.contains(&format!("note: {words}")), "{}", ran.stdout);
    let report = report(&case, &id);
    assert_eq!(report["verdict"], "pass");
    assert_eq!(report["left"]["places"], json!([]));
    for side in ["baseline", "after"] {
        assert_eq!(report["tests"][side]["commands"][0]["flakes"], json!([words]), "{side}");
    }
    let folder = case.cli.home().join("runs").join(&id);
    let summary = fs::read_to_string(folder.join("report/pr-summary.md")).unwrap();
    assert!(summary.contains("**Flaky:**"), "{summary}");
    // Said of the baseline, and of each check of a change.
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let is_note = |line: &&str| line.contains("\"event\":\"noted\"") && line.contains(words);
    assert!(journal.lines().filter(is_note).count() > 1, "{journal}");
    // Every run of the suite has outputs of its own.
    for name in ["batch-001-01-test.stdout", "batch-001-01-test-again1.stdout"] {
        assert!(folder.join("verify/logs").join(name).is_file(), "{name}");
    }
}

#[test]
fn rf7_below_85_percent_the_run_ends_with_a_diagnostic_and_the_checkout_as_it_was() {
    let case = SyncFiles::new(TEN, &["src/e"], 2);
    let ran = case.cli.run(case.verified(&[]));
    let id = ran.expect_code(1).run_id();
    case.assert_untouched();
    assert_eq!(case.ledger(&id), ["batch-001 refused 1"]);
    assert!(ran.stdout.contains("too many tests fail"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("only 50.0% of the tests pass, below the limit of 85%"),
        "{}",
        ran.stdout
    );
    let summary = case.cli.home().join("runs").join(&id).join("report/pr-summary.md");
    let summary = fs::read_to_string(summary).unwrap();
    assert!(summary.contains("too many tests fail"), "{summary}");
    case.assert_nothing_left();
}

#[test]
fn ve1_rf8_a_failing_baseline_stops_a_directive_before_anything_is_tried() {
    let case = SyncFiles::five();
    case.repo.write("test.sh", "echo TAP version 13\necho 1..1\necho 'not ok 1 - it'\nexit 1\n");
    case.repo.commit_all("broken");
    let before = case.repo.state();
    let ran = case.cli.run(case.verified(&[]));
    let id = ran.expect_code(1).run_id();
    assert!(ran.stdout.contains("already fails its own checks"), "{}", ran.stdout);
    assert_eq!(case.ledger(&id), Vec::<String>::new());
    before.assert_same(&case.repo.state(), "by the run");
    case.assert_nothing_left();
}

/// A model that always answers with the same patch.
fn asked(case: &SyncFiles, patch: &str, touched: &[&str], more: &[&str]) -> Ran {
    let answer = json!({ "value": {
        "status": "ok", "rationale": "because", "risk_notes": [], "expected_verifier": [],
        "patch_unified_diff": patch, "touched_files": touched,
    }});
    let program = format!(
        "case $(cat) in *'\"role\":\"planner\"'*) echo '{{\"error\": {{\"kind\": \"tell\", \"message\": \"no\"}}}}';; \
         *) cat '{}';; esac\n",
        case.repo.beside("answer.json").display()
    );
    fs::write(case.repo.beside("answer.json"), answer.to_string()).unwrap();
    let script = case.repo.beside("model.sh");
    fs::write(&script, program).unwrap();
    let command = format!("models.command={}", json!(["sh", script]));
    let root = case.root();
    let directive = "Explain in src/a.js what the file is for";
    let mut args = vec!["run", &root, "--directive", directive, "--provider", "command", "--set"];
    args.push(&command);
    args.extend(["--no-verify", "--include", "src/a.js"]);
    args.extend(more);
    case.cli.run(args)
}

const GOOD: &str =
    "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,2 @@\n+// Reads.\n const fs = require('fs');\n";

#[test]
fn rf5_a_model_serves_what_no_recipe_does() {
    let case = SyncFiles::five();
    let ran = asked(&case, GOOD, &["src/a.js"], &["--yes"]);
    ran.expect_code(0);
    assert!(case.repo.read("src/a.js").starts_with("// Reads.\n"), "{}", ran.stdout);
}

/// A broken executor: tried again as often as is allowed, then the run ends well, with nothing of it.
#[test]
fn rf7_a_model_that_answers_nonsense_is_tried_again_and_given_up() {
    let case = SyncFiles::five();
    let nonsense = "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,1 @@\n-no such line\n+another\n";
    let ran = asked(&case, nonsense, &["src/a.js"], &["--max-retries", "2"]);
    let id = ran.run_id();
    assert_eq!(ran.stderr.matches("failed, retrying").count(), 2, "{}", ran.stderr);
    assert!(case.ledger(&id)[0].ends_with(" 3"), "{:?}", case.ledger(&id));
    case.assert_untouched();
    case.assert_nothing_left();
}

#[test]
fn sa4_rf5_a_model_cannot_leave_the_scope_or_the_budget() {
    let check = |patch: &str, touched: &[&str], more: &[&str], why: &str| {
        let case = SyncFiles::five();
        let ran = asked(&case, patch, touched, &[&["--max-retries", "0"], more].concat());
        assert!(ran.stdout.contains(why), "{why}: {}\n{}", ran.stdout, ran.stderr);
        case.assert_untouched();
        case.assert_nothing_left();
    };
    let outside = GOOD.replace("src/a.js", "src/b.js");
    check(&outside, &["src/b.js"], &[], "`src/b.js` is out of scope");
    let long = "+// more\n".repeat(20);
    let long = format!(
        "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,21 @@\n{long} const fs = require('fs');\n"
    );
    check(&long, &["src/a.js"], &["--diff-budget", "10"], "20 lines");
    let hallucinated = GOOD.replace("src/a.js", "src/nowhere.js");
    check(&hallucinated, &["src/nowhere.js"], &["--include", "src/**"], "src/nowhere.js");
}

#[test]
fn rf7_strictly_the_first_task_that_keeps_failing_ends_the_run() {
    let case = SyncFiles::new(TEN, &["bin/i", "bin/j", "lib/g"], 30);
    let ran = case.cli.run(case.verified(&["--strict"]));
    let id = ran.expect_code(1).run_id();
    let expected = ["batch-001 applied 1", "batch-002 applied 1", "batch-003 refused 2"];
    assert_eq!(case.ledger(&id), expected);
    assert!(
        ran.stdout.contains("stopped  early: batch-003: checks fail that passed before"),
        "{}",
        ran.stdout
    );
    case.assert_untouched();
    // What was good before it can be had all the same.
    case.cli.run(["accept", &id]).expect_code(0);
    assert!(case.repo.read("lib/g.js").contains("readFileSync"));
}

#[test]
fn rf7_three_tasks_in_a_row_that_fail_end_the_run() {
    let case = SyncFiles::new(TEN, &["src/e", "src/f", "bin/i", "bin/j"], 40);
    let ran = case.cli.run(case.verified(&[]));
    let id = ran.expect_code(1).run_id();
    let ledger = case.ledger(&id);
    assert_eq!(ledger.len(), 3, "{ledger:?}");
    assert!(ledger[2].contains("refused"), "{ledger:?}");
    assert!(ran.stdout.contains("stopped  early"), "{}", ran.stdout);
    case.assert_untouched();
}
