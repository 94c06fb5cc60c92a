//! What each flag of `run` does to a run.

use serde_json::Value;

use super::output::assert_git_takes_all;
use crate::sync_files::{SyncFiles, TEN};

/// The files that a run changed, by its ledger.
fn changed(case: &SyncFiles, id: &str) -> Vec<String> {
    let shown = case.cli.run(["runs", "show", id, "--json"]);
    let shown: Value = serde_json::from_str(&shown.expect_code(0).stdout).unwrap();
    let entries = shown["ledger"].as_array().unwrap().iter();
    let files = entries.flat_map(|entry| entry["touched_files"].as_array().unwrap());
    let mut files: Vec<String> = files.map(|it| it.as_str().unwrap().to_owned()).collect();
    files.sort();
    files
}

#[test]
fn rf1_only_what_is_included_and_not_excluded_changes() {
    let check = |flags: &[&str], expected: &[&str]| {
        let case = SyncFiles::five();
        let id = case.run(flags).expect_code(0).run_id();
        assert_eq!(changed(&case, &id), expected, "{flags:?}");
        case.assert_untouched();
    };
    check(&["--include", "src/**"], &["src/a.js", "src/b.js", "src/c.js"]);
    check(&["--include", "src/a.js,lib/**"], &["lib/d.js", "lib/e.js", "src/a.js"]);
    check(&["--include", "**/*.{ts,js}", "--exclude", "src/a.js,lib"], &["src/b.js", "src/c.js"]);
    check(&["--exclude", "lib/**", "--exclude", "src/c.js"], &["src/a.js", "src/b.js"]);
}

#[test]
fn rf1_a_dry_run_gives_diffs_and_leaves_nothing_to_accept() {
    let case = SyncFiles::five();
    let out = case.repo.beside("out");
    let ran = case.run(&["--dry-run", "--output", out.to_str().unwrap()]);
    let id = ran.expect_code(0).run_id();
    assert!(ran.stdout.contains("Dry run: nothing to accept"), "{}", ran.stdout);
    case.assert_untouched();
    case.assert_nothing_left();
    assert_eq!(assert_git_takes_all(&case.repo, &out.join("diffs")), 5);
    for name in ["pr-summary.md", "validation-report.json", "agent-log.json", "report.html"] {
        assert!(out.join(name).is_file(), "{name}");
    }
    assert_eq!(case.runs()[0]["stands"], "dry run");
    case.cli.run(["accept", &id]).expect_code(2);
}

#[test]
fn rf1_rf3_a_plan_has_no_more_tasks_than_are_allowed() {
    let case = SyncFiles::five();
    let ran = case.run(&["--max-batches", "2"]);
    assert_eq!(case.ledger(&ran.expect_code(0).run_id()).len(), 2);
    assert!(ran.stdout.contains("left out: a plan has at most 2 tasks"), "{}", ran.stdout);
}

/// A budget that two files would pass gives each a task of its own.
#[test]
fn rf1_sa4_no_task_changes_more_lines_than_it_may() {
    let case = SyncFiles::new(TEN, &[], 10);
    let id = case.run(&["--diff-budget", "3"]).expect_code(0).run_id();
    assert_eq!(case.ledger(&id).len(), 10, "two lines each");
    let id = case.run(&[]).expect_code(0).run_id();
    assert_eq!(case.ledger(&id).len(), 6);
}

#[test]
fn rf7_a_task_is_tried_as_often_as_is_allowed() {
    let check = |more: &[&str], expected: &str| {
        let case = SyncFiles::new(TEN, &["bin/i"], 10);
        let args = case.verified(&[&["--max-batches", "3"], more].concat());
        let code = if expected.contains("skipped") { 7 } else { 0 };
        let id = case.cli.run(args).expect_code(code).run_id();
        assert_eq!(case.ledger(&id)[2], expected, "{more:?}");
    };
    check(&[], "batch-003 applied 2");
    check(&["--max-retries", "0"], "batch-003 skipped 1");
    // No setting lifts the bound.
    let case = SyncFiles::five();
    let ran = case.run(&["--set", "retry_per_batch=50"]);
    let words = "but the maximum is 3";
    assert!(ran.expect_code(2).stderr.contains(words), "{}", ran.stderr);
}

#[test]
fn ux2_verbose_tells_every_transition() {
    let case = SyncFiles::five();
    let usual = case.run(&["--dry-run", "--max-batches", "1"]);
    assert!(!usual.stderr.contains("→"), "{}", usual.stderr);
    let ran = case.run(&["--dry-run", "--max-batches", "1", "--verbose"]);
    let told: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("→")).collect();
    let expected = [
        "→ worktree",
        "worktree → index",
        "index → plan",
        "plan → backup",
        "backup → confirm",
        "confirm → choose",
        "choose → propose",
        "propose → apply",
        "apply → audit",
        "audit → weigh",
        "weigh → checkpoint",
        "checkpoint → choose",
        "choose → compare",
        "compare → write_pr",
        "write_pr → clean",
        "clean → finish",
    ];
    assert_eq!(told, expected);
    // A program that started the run learns its name while it goes on.
    assert_eq!(ran.stderr.lines().next(), Some(format!("run {}", ran.run_id()).as_str()));
}

/// Without a directive the whole repository is looked through, and what is proved is done.
#[test]
fn rf1_the_whole_repository() {
    let case = SyncFiles::five();
    let unused = "import { readFile } from 'node:fs';\nimport { join } from 'node:path';\n\nexport const at = (name) => join('/', name);\n";
    case.repo.write("src/at.mjs", unused);
    case.repo.commit_all("second");
    let ran = case.cli.run(["run", &case.root(), "--no-verify", "--yes"]);
    ran.expect_code(0);
    assert!(!case.repo.read("src/at.mjs").contains("readFile"), "{}", ran.stdout);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    assert!(case.cli.home().join("backups").is_dir());
}
