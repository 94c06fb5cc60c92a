//! `--approve-each` where nobody is asked: each change waits for its word.

use crate::sync_files::SyncFiles;

#[test]
fn rf10_each_change_waits_for_its_own_word() {
    let case = SyncFiles::five();
    let args = case.verified(&["--approve-each", "--max-batches", "3"]);
    let ran = case.cli.run(args);
    let id = ran.expect_code(4).run_id();
    let shown = format!("{}{}", ran.stdout, ran.stderr);
    for words in ["batch-001", "confidence ", "tests: pass", "+  return fs.promises.readFile"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.contains(&format!("refactor-bot accept {id} --task batch-001")), "{shown}");
    assert_eq!(case.runs()[0]["stands"], "waiting for you");
    let diff = case.cli.run(["runs", "show", &id, "--diff"]);
    assert!(diff.expect_code(0).stdout.contains("+  return fs.promises.readFile"));

    let say = |verb: &str, task: &str| case.cli.run([verb, &id, "--task", task]);
    let wrong = say("accept", "batch-002");
    assert!(
        wrong
            .expect_code(2)
            .stderr
            .contains("is waiting for a decision on batch-001, not on batch-002")
    );
    let early = case.cli.run(["accept", &id]);
    assert!(
        early.expect_code(2).stderr.contains("is waiting for a decision on batch-001"),
        "{}",
        early.stderr
    );

    say("accept", "batch-001").expect_code(4);
    let refused = say("reject", "batch-002");
    assert!(refused.expect_code(4).stdout.contains("batch-003"), "{}", refused.stdout);
    let last = say("accept", "batch-003");
    assert!(last.expect_code(0).stdout.contains(&format!("refactor-bot accept {id}\n")));
    say("accept", "batch-003").expect_code(2);
    let ledger = case.ledger(&id);
    assert_eq!(ledger, ["batch-001 applied 1", "batch-002 skipped 1", "batch-003 applied 1"]);
    case.assert_untouched();

    case.cli.run(["accept", &id]).expect_code(0);
    let changed = case.repo.git(&["diff", "--name-only", "HEAD~2", "HEAD"]);
    assert_eq!(changed.lines().count(), 2, "{changed}");
}

/// What a person refuses has not failed: any number of it ends nothing.
#[test]
fn rf7_rf10_what_is_refused_by_hand_is_no_failure() {
    let case = SyncFiles::five();
    let id = case.run(&["--approve-each"]).expect_code(4).run_id();
    for task in ["batch-001", "batch-002", "batch-003", "batch-004"] {
        case.cli.run(["reject", &id, "--task", task]).expect_code(4);
    }
    case.cli.run(["accept", &id, "--task", "batch-005"]).expect_code(0);
    assert_eq!(case.ledger(&id).last().unwrap(), "batch-005 applied 1");
}

/// A run that is waiting for a decision on a change can be dropped as a whole.
#[test]
fn rf8_a_run_that_waits_for_a_word_can_be_dropped() {
    let case = SyncFiles::five();
    let id = case.run(&["--approve-each"]).expect_code(4).run_id();
    case.cli.run(["resume", &id]).expect_code(4);
    case.cli.run(["reject", &id]).expect_code(0);
    case.assert_untouched();
    case.assert_nothing_left();
}

/// Programs read events and nothing else, also where a word is waited for.
#[test]
fn ux2_rf10_nothing_but_events_is_printed_for_programs() {
    let case = SyncFiles::five();
    let args = case.verified(&["--approve-each", "--max-batches", "3", "--json"]);
    let ran = case.cli.run(args);
    ran.expect_code(4);
    let id = case.runs()[0]["run"].as_str().unwrap().to_owned();
    let said = case.cli.run(["accept", &id, "--task", "batch-001", "--json"]);
    let waits = case.cli.run(["resume", &id, "--json"]);
    for ran in [&ran, said.expect_code(4), waits.expect_code(4)] {
        for line in ran.stdout.lines() {
            assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
        }
    }
    assert!(!said.stdout.is_empty());
}

#[test]
fn rf10_yes_to_every_question_is_yes_to_every_change() {
    let case = SyncFiles::five();
    let args = case.verified(&["--approve-each", "--max-batches", "3"]);
    let id = case.cli.run(args).expect_code(4).run_id();
    case.cli.run(["resume", &id, "--yes"]).expect_code(0);
    assert!(case.ledger(&id).iter().all(|it| it.contains(" applied ")), "{:?}", case.ledger(&id));
    assert_eq!(case.runs()[0]["stands"], "accepted");
    let report = case.cli.home().join("runs").join(&id).join("report/validation-report.json");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report["outcome"], "accepted", "the report knows what was decided");
}

/// A plan that waits is begun without the tasks that nobody wants.
#[test]
fn rf8_ux4_tasks_can_be_left_out_of_a_plan_that_waits() {
    let case = SyncFiles::five();
    let id = case.run(&["--confirm", "--max-batches", "3"]).expect_code(4).run_id();
    assert_eq!(case.runs()[0]["stands"], "waiting for you");
    assert_eq!(case.ledger(&id), Vec::<String>::new());
    let unknown = case.cli.run(["resume", &id, "--without", "batch-009"]);
    assert!(unknown.expect_code(2).stderr.contains("has no task batch-009"), "{}", unknown.stderr);

    let ran = case.cli.run(["resume", &id, "--without", "batch-002"]);
    let words = "batch-002 is not part of the plan: you left it out";
    assert!(ran.expect_code(0).stdout.contains(words), "{}", ran.stdout);
    assert_eq!(case.ledger(&id), ["batch-001 applied 1", "batch-003 applied 1"]);
    let late = case.cli.run(["resume", &id, "--without", "batch-003"]);
    assert!(late.expect_code(2).stderr.contains("has no plan that waits"), "{}", late.stderr);
}

/// Each word is another process: what the checkout has installed must be there for it, too.
#[test]
fn ve1_sa6_a_process_that_goes_on_finds_what_is_installed() {
    let case = SyncFiles::five();
    let suite = "echo TAP version 13\necho 1..1\n\
                 if grep -q here node_modules/dep/index.js\nthen echo 'ok 1 - it'\nelse echo 'not ok 1 - it'; exit 1\nfi\n";
    for (path, text) in [
        ("package.json", "{\"name\": \"shop\", \"dependencies\": {\"dep\": \"1\"}}\n"),
        ("package-lock.json", "{\"lockfileVersion\": 3}\n"),
        (".gitignore", "node_modules\n"),
        ("test.sh", suite),
    ] {
        case.repo.write(path, text);
    }
    case.repo.commit_all("a dependency");
    case.repo.write("node_modules/dep/index.js", "// here\n");
    let args = case.verified(&["--approve-each", "--max-batches", "3"]);
    let ran = case.cli.run(args);
    let id = ran.expect_code(4).run_id();
    case.cli.run(["accept", &id, "--task", "batch-001"]).expect_code(4);
    case.cli.run(["accept", &id, "--task", "batch-002"]).expect_code(4);
    let last = case.cli.run(["accept", &id, "--task", "batch-003"]);
    assert!(
        last.expect_code(0).stdout.contains("tests    1 passed (1 before)\n"),
        "{}",
        last.stdout
    );
}
