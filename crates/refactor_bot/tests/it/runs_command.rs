//! `runs list`, `show`, `log` and `gc`.

use std::fs;

use expect_test::expect;
use rb_testkit::{Cli, Repo};
use serde_json::Value;

use crate::cli;

const FIXTURE: &str = "//- a.txt\none\n";
const CHANGE: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n";

struct Runs {
    repo: Repo,
    cli: Cli,
}

impl Runs {
    fn new() -> Self {
        let repo = Repo::git_repo(FIXTURE);
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        Runs { cli: cli().hide(beside.display().to_string(), "[TMP]"), repo }
    }

    fn run(&self, args: &[&str]) -> String {
        let patch = self.repo.beside("fix.patch");
        fs::write(&patch, CHANGE).unwrap();
        let (root, patch) = (self.repo.root().to_str().unwrap(), patch.to_str().unwrap());
        self.cli.run([&["run", root, "--patch", patch][..], args].concat()).run_id()
    }

    fn shown(&self, args: &[&str]) -> String {
        self.cli.shown(&self.cli.run(args))
    }

    fn json(&self, args: &[&str]) -> Vec<Value> {
        let ran = self.cli.run([args, &["--json"]].concat());
        ran.expect_code(0);
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn journal(&self, id: &str) -> std::path::PathBuf {
        self.cli.home().join("runs").join(id).join("journal.jsonl")
    }
}

#[test]
fn ux1_every_run_is_listed_with_where_it_stands() {
    let runs = Runs::new();
    expect![[r#"
        exit 0
        --- stderr
        no runs yet
    "#]]
    .assert_eq(&runs.shown(&["runs", "list"]));
    let rejected = runs.run(&[]);
    runs.cli.run(["reject", &rejected]).expect_code(0);
    runs.run(&["--exclude", "*"]);
    let cut_off = runs.run(&[]);
    let text = fs::read_to_string(runs.journal(&cut_off)).unwrap();
    let begun: String = text.split_inclusive('\n').take(5).collect();
    fs::write(runs.journal(&cut_off), begun).unwrap();
    runs.run(&[]);
    let accepted = runs.run(&["--yes"]);
    runs.cli.run(["rollback", &accepted]).expect_code(0);
    expect![[r#"
        exit 0
        --- stdout
        [RUN]  rejected            1/1 tasks                      [TMP]/project
        [RUN]  refused             1/1 tasks                      [TMP]/project
        [RUN]  resumable           0/1 tasks                      [TMP]/project
        [RUN]  waiting for you     1/1 tasks                      [TMP]/project
        [RUN]  rolled back         1/1 tasks                      [TMP]/project
        [RUN]  rolled back         rollback of [RUN]  [TMP]/project
    "#]]
    .assert_eq(&runs.shown(&["runs", "list"]));
    let stands: Vec<String> =
        runs.json(&["runs", "list"]).iter().map(|run| run["stands"].to_string()).collect();
    expect![[r#"
        "rejected"
        "refused"
        "resumable"
        "waiting for you"
        "rolled back"
        "rolled back""#]]
    .assert_eq(&stands.join("\n"));
}

#[test]
fn ux1_a_run_is_named_by_the_beginning_of_its_id_or_as_the_latest() {
    let runs = Runs::new();
    let none = runs.cli.run(["runs", "show", "latest"]);
    none.expect_code(2);
    assert!(none.stderr.contains("there are no runs yet"), "{}", none.stderr);
    let (first, second) = (runs.run(&[]), runs.run(&[]));
    let shared = &first[..4];
    let ambiguous = runs.cli.run(["runs", "show", shared]);
    ambiguous.expect_code(2);
    assert!(
        ambiguous.stderr.contains(&format!("2 runs begin with {shared}")),
        "{}",
        ambiguous.stderr
    );
    assert!(ambiguous.stderr.contains(&format!("the latest of them is {second}")));
    let unknown = runs.cli.run(["reject", "1999"]);
    unknown.expect_code(2);
    assert!(unknown.stderr.contains("no run begins with 1999"), "{}", unknown.stderr);
    runs.cli.run(["reject", "latest"]).expect_code(0);
    let listed = runs.json(&["runs", "list"]);
    let stands = |id: &str| listed.iter().find(|run| run["run"] == id).unwrap()["stands"].clone();
    assert_eq!((stands(&first), stands(&second)), ("waiting for you".into(), "rejected".into()));
    runs.cli.run(["runs", "gc", "--older-than", "0"]).expect_code(0);
    for args in [&["runs", "show"][..], &["runs", "log"], &["resume"], &["accept"], &["rollback"]] {
        let ran = runs.cli.run([args, &[shared]].concat());
        ran.expect_code(0);
    }
    assert_eq!(runs.repo.read("a.txt"), "one\n");
}

#[test]
fn ux1_a_listed_run_shows_its_directive_and_that_it_was_rolled_back() {
    let runs = Runs::new();
    let id = runs.run(&["--yes"]);
    let undo = runs.cli.run(["rollback", &id]).expect_code(0).run_id();
    let stands = |id: &str| {
        let listed = runs.json(&["runs", "list"]);
        let run = listed.iter().find(|run| run["run"] == id).unwrap();
        run["stands"].as_str().unwrap().to_owned()
    };
    assert_eq!(stands(&id), "rolled back");
    runs.cli.run(["rollback", &undo]).expect_code(0);
    assert_eq!(stands(&id), "accepted");
    let root = runs.repo.root().to_str().unwrap();
    runs.cli.run([
        "run",
        root,
        "--directive",
        "convert  the callbacks\nto async/await",
        "--dry-run",
    ]);
    let listed = runs.cli.run(["runs", "list"]).stdout;
    let last = listed.lines().last().unwrap();
    assert!(last.ends_with("/project  convert the callbacks to async/await"), "{listed}");
}

#[test]
fn ux2_a_run_can_be_looked_into() {
    let runs = Runs::new();
    let id = runs.run(&[]);
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  fix  (1 file, +1 -1)  confidence 30 of 100
        tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
    "#]]
    .assert_eq(&runs.shown(&["runs", "show", &id]));
    expect![[r#"
        exit 0
        --- stdout
        diff --git a/a.txt b/a.txt
        index [OID]..[OID] 100644
        --- a/a.txt
        +++ b/a.txt
        @@ -1 +1 @@
        -one
        +ONE
    "#]]
    .assert_eq(&runs.shown(&["runs", "show", &id, "--diff"]));
    let [shown] = &runs.json(&["runs", "show", &id])[..] else { panic!("one object") };
    assert_eq!(shown["run"], id);
    assert_eq!(shown["ledger"][0]["touched_files"][0], "a.txt");
    assert_eq!(shown["ledger"][0]["verdict"], "no_verifier_ran");
}

#[test]
fn ux2_the_log_is_the_journal() {
    let runs = Runs::new();
    let id = runs.run(&["--yes"]);
    let log = runs.cli.run(["runs", "log", &id]);
    let names: Vec<&str> =
        log.stdout.lines().map(|line| line.split("  ").nth(1).unwrap()).collect();
    expect!["run_started entered worktree_started worktree_made entered backup_started backup_made entered baseline_started baseline_taken entered task_started entered patch_proposed entered patch_applying patch_applied checkpoint_started candidate_made entered audit_ended entered verify_started verify_ended entered weighed entered checkpoint_made checkout_compared task_ended entered entered verify_started verify_ended entered checkout_compared entered report_written entered waiting decided landing_started entered entered landed entered cleaned entered run_ended"].assert_eq(&names.join(" "));
    let records = runs.json(&["runs", "log", &id]);
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record["seq"].as_u64(), Some(at as u64 + 1));
    }
    assert_eq!(records.len(), names.len());
}

#[test]
fn ux5_a_damaged_run_does_not_hide_the_others() {
    let runs = Runs::new();
    let (damaged, good) = (runs.run(&[]), runs.run(&[]));
    fs::write(runs.journal(&damaged), "{}\n").unwrap();
    expect![[r#"
        exit 0
        --- stdout
        [RUN]  waiting for you     1/1 tasks                      [TMP]/project
        --- stderr
        warning: line 1 of [USER]/home/runs/[RUN]/journal.jsonl is damaged: missing field `v`
    "#]]
    .assert_eq(&runs.shown(&["runs", "list"]));
    runs.cli.run(["reject", &good]).expect_code(0);
    runs.cli.run(["runs", "gc", "--older-than", "0"]).expect_code(0);
    assert!(runs.journal(&damaged).exists() && !runs.journal(&good).exists());
}

#[test]
fn sa6_gc_keeps_open_runs_and_all_that_they_need() {
    let runs = Runs::new();
    let (waiting, rejected) = (runs.run(&[]), runs.run(&[]));
    runs.cli.run(["reject", &rejected]).expect_code(0);
    expect![[r#"
        exit 0
        --- stderr
        nothing to remove
    "#]]
    .assert_eq(&runs.shown(&["runs", "gc"]));
    let preview = runs.cli.run(["runs", "gc", "--older-than", "0", "--dry-run"]);
    assert!(preview.stdout.starts_with(&format!("would remove {rejected}")), "{}", preview.stdout);
    assert!(runs.journal(&rejected).exists());
    let removed = runs.cli.run(["runs", "gc", "--older-than", "0"]);
    assert!(removed.stdout.starts_with(&format!("removed {rejected}")), "{}", removed.stdout);
    assert!(!runs.journal(&rejected).exists());
    let backups = fs::read_dir(runs.cli.home().join("backups")).unwrap();
    let kept: Vec<_> = backups.flat_map(|of| fs::read_dir(of.unwrap().path()).unwrap()).collect();
    assert_eq!(kept.len(), 1);
    runs.cli.run(["accept", &waiting]).expect_code(0);
    runs.cli.run(["rollback", &waiting]).expect_code(0);
    assert_eq!(runs.repo.read("a.txt"), "one\n");
}

#[test]
fn sa6_a_run_whose_repository_is_gone_can_be_dropped() {
    let runs = Runs::new();
    let id = runs.run(&[]);
    fs::remove_dir_all(runs.repo.root()).unwrap();
    runs.cli.run(["reject", &id]).expect_code(0);
    let [run] = &runs.json(&["runs", "list"])[..] else { panic!("one run is listed") };
    assert_eq!(run["stands"], "rejected");
    assert!(!runs.cli.home().join("worktrees").join(&id).exists());
    runs.cli.run(["runs", "gc", "--older-than", "0"]).expect_code(0);
    assert!(runs.json(&["runs", "list"]).is_empty());
}
