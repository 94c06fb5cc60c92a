//! What a run leaves for a person and for programs, from the command to its rollback.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rb_testkit::Repo;
use serde_json::Value;

use crate::sync_files::{DIRECTIVE, SyncFiles};

fn json(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<String> = names.map(|it| it.into_string().unwrap()).collect();
    names.sort();
    names
}

/// One patch a file; each is taken by git alone, and all of them together.
pub(super) fn assert_git_takes_all(repo: &Repo, diffs: &Path) -> usize {
    let patches = names(diffs);
    let paths: Vec<String> =
        patches.iter().map(|name| diffs.join(name).display().to_string()).collect();
    for path in &paths {
        repo.git(&["apply", "--check", path]);
    }
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    repo.git(&[&["apply", "--check"], &all[..]].concat());
    patches.len()
}

/// The whole way: `run --repo --directive --output`, its artifacts, acceptance, the same again, rollback.
#[test]
fn rf1_rf9_a_directive_from_beginning_to_end() {
    let case = SyncFiles::five();
    let out = case.repo.beside("out");
    let root = case.root();
    let mut args = case.verified(&["--output", out.to_str().unwrap()]);
    args.splice(1..2, ["--repo".to_owned(), root.clone()]);
    let ran = case.cli.run(&args);
    let id = ran.expect_code(0).run_id();
    case.assert_untouched();
    let expected = [
        ".refactor-bot-report",
        "TASK_LEDGER.jsonl",
        "agent-log.json",
        "diffs",
        "pr-summary.md",
        "report.html",
        "tasks",
        "validation-report.json",
    ];
    assert_eq!(names(&out), expected);
    assert_eq!(assert_git_takes_all(&case.repo, &out.join("diffs")), 5);
    assert_sections(&fs::read_to_string(out.join("pr-summary.md")).unwrap(), &id);
    assert_transitions(&json(&out.join("agent-log.json")));
    assert_numbers(&json(&out.join("validation-report.json")));
    assert_artifacts(&case, &id);
    assert!(case.cli.home().join("backups").is_dir(), "there is a backup");
    let audit = case.cli.run(["runs", "show", &id, "--audit"]);
    assert!(audit.expect_code(0).stdout.starts_with("batch-001  "), "{}", audit.stdout);
    for args in [&["runs", "show", &id, "--diff", "--json"][..], &["runs", "graph", "--json"]] {
        let ran = case.cli.run(args);
        for line in ran.expect_code(0).stdout.lines() {
            serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{line}"));
        }
    }

    case.cli.run(["accept", &id]).expect_code(0);
    assert!(!case.repo.read("src/a.js").contains("readFileSync"));
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    case.assert_nothing_left();
    let decided = json(&out.join("agent-log.json"));
    let last = decided["events"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"], &last["outcome"]), (&"run_ended".into(), &"accepted".into()));
    let summary = fs::read_to_string(out.join("pr-summary.md")).unwrap();
    assert!(summary.contains("The change is in your checkout."), "{summary}");
    assert!(!summary.contains("Before you accept it"), "{summary}");

    let again = case.cli.run(&args);
    assert!(again.expect_code(0).stdout.contains("Nothing changed."));
    case.assert_nothing_left();

    case.cli.run(["rollback", &id]).expect_code(0);
    case.before.files().assert_same(&case.repo.state().files(), "by run and rollback");
}

fn assert_sections(summary: &str, id: &str) {
    let title = summary.lines().next().unwrap();
    assert_eq!(title, format!("# {DIRECTIVE}"));
    for section in ["Summary", "Changes", "Verification", "Risk assessment", "Rollback"] {
        assert!(summary.contains(&format!("\n## {section}\n")), "{section}: {summary}");
    }
    assert!(summary.contains(&format!("refactor-bot rollback {id}")), "{summary}");
    assert!(summary.contains("src/a.js"), "{summary}");
}

/// Every transition is there, and each leaves the node that the one before it entered.
fn assert_transitions(log: &Value) {
    let events = log["events"].as_array().unwrap();
    let entered: Vec<&Value> = events.iter().filter(|it| it["event"] == "entered").collect();
    for pair in entered.windows(2) {
        assert_eq!(pair[1]["from"], pair[0]["node"], "{pair:?}");
    }
    let nodes: BTreeSet<&str> = entered.iter().map(|it| it["node"].as_str().unwrap()).collect();
    let expected = [
        "apply",
        "audit",
        "backup",
        "baseline",
        "checkpoint",
        "choose",
        "compare",
        "confirm",
        "index",
        "plan",
        "propose",
        "validate",
        "validate_all",
        "weigh",
        "worktree",
        "write_pr",
    ];
    assert!(expected.iter().all(|node| nodes.contains(node)), "{nodes:?}");
}

/// The numbers that every run is measured by.
fn assert_numbers(report: &Value) {
    let metrics = report["metrics"].as_array().unwrap();
    let value = |id: &str| {
        let metric = metrics.iter().find(|it| it["id"] == id);
        let metric = metric.unwrap_or_else(|| panic!("{id} is not measured: {metrics:?}"));
        metric["value"].as_f64().unwrap_or_else(|| panic!("{metric}"))
    };
    for id in [
        "redundant_edits",
        "contradictory_changes",
        "unresolved_imports",
        "orphaned_functions",
        "cross_layer_imports",
        "planner_loops",
    ] {
        assert!(value(id) == 0.0, "{id}: {}", value(id));
    }
    assert!(value("iterations_max") <= 3.0);
    assert!(value("test_pass_rate") >= 95.0);
    assert!(value("behaviour_equivalence") >= 100.0);
    assert!(value("runtime") < 300_000.0);
    let confidence = |it: &Value| it["confidence"]["score"].as_u64().unwrap();
    assert!(report["tasks"].as_array().unwrap().iter().map(confidence).all(|it| it > 0));
    assert_eq!(report["verdict"], "pass");
}

/// What is known of the repository lies beside the code of the worktree, and in no commit.
fn assert_artifacts(case: &SyncFiles, id: &str) {
    let folder = case.cli.home().join("worktrees").join(id).join(".refactor-bot");
    for name in [
        "ARCHITECTURE_SNAPSHOT.md",
        "SYMBOL_REGISTRY.json",
        "DEPENDENCY_GRAPH.json",
        "CALL_GRAPH.json",
        "RISK_REGISTER.json",
        "TASK_LEDGER.jsonl",
        "CONTRACTS/public_api_snapshot.json",
        "CLAUDE_CONTEXT.md",
    ] {
        let text = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(!text.trim().is_empty(), "{name}");
    }
    let ledger = fs::read_to_string(folder.join("TASK_LEDGER.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), case.ledger(id).len());
    let branch = format!("refactor-bot/{id}");
    let committed = case.repo.git(&["log", "--name-only", "--format=", &branch]);
    assert!(!committed.contains(".refactor-bot"), "{committed}");
    let tip = case.repo.git(&["rev-parse", &branch]);
    assert_eq!(json(&folder.join("RISK_REGISTER.json"))["commit"], tip.trim());
}

#[test]
fn ix13_the_artifacts_of_a_run_are_in_its_worktree_and_in_no_commit() {
    let case = SyncFiles::five();
    let id = case.cli.run(case.verified(&[])).expect_code(0).run_id();
    assert_artifacts(&case, &id);
}

/// A report inside of the repository is no change of the checkout, and stops no later run.
#[test]
fn rf9_a_report_inside_of_the_repository_is_overlooked_by_git() {
    let case = SyncFiles::five();
    let out = case.repo.root().join("out/report");
    let args = ["--output", out.to_str().unwrap()];
    let first = case.run(&args).expect_code(0).run_id();
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    assert!(out.join("pr-summary.md").is_file());
    let second = case.run(&args).expect_code(0).run_id();
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    let summary = fs::read_to_string(out.join("pr-summary.md")).unwrap();
    // Of two runs in one second, the name of the first is how that of the second begins.
    let is_of = |run: &str| summary.contains(&format!("Run `{run}`"));
    assert!(is_of(&second) && !is_of(&first), "{summary}");
    // Nor is it carried along with what is not committed.
    case.repo.write("src/new.js", "export const mine = 1;\n");
    let carried = case.run(&[&args[..], &["--allow-dirty"]].concat()).expect_code(0).run_id();
    let files =
        case.repo.git(&["ls-tree", "-r", "--name-only", &format!("refactor-bot/{carried}")]);
    assert!(files.contains("src/new.js") && !files.contains("out/"), "{files}");
    fs::remove_file(case.repo.root().join("src/new.js")).unwrap();

    case.cli.run(["accept", &second]).expect_code(0);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    case.cli.run(["rollback", &second]).expect_code(0);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    assert!(case.repo.read("src/a.js").contains("readFileSync"));
}

#[test]
fn rf9_a_report_inside_of_a_folder_without_git_is_no_part_of_it() {
    let repo = Repo::plain(
        "//- a.js\nconst fs = require('fs');\nasync function f() {\n  return fs.readFileSync('x');\n}\nmodule.exports = { f };\n",
    );
    let cli = crate::cli();
    let (root, out) = (repo.root().display().to_string(), repo.root().join("out"));
    let out = out.to_str().unwrap();
    let args = ["run", &root, "--directive", DIRECTIVE, "--no-verify", "--yes", "--output", out];
    cli.run(args).expect_code(0);
    assert!(repo.read("a.js").contains("promises"), "{}", repo.read("a.js"));
    let again = cli.run(args);
    assert!(again.expect_code(0).stdout.contains("Nothing changed"), "{}", again.stdout);
}

/// A place that cannot take the report is seen before there is a run.
#[test]
fn rf9_a_place_that_cannot_take_the_report_is_refused_before_anything_is_done() {
    let case = SyncFiles::five();
    fs::write(case.repo.beside("file"), "a file").unwrap();
    fs::create_dir(case.repo.beside("thesis")).unwrap();
    fs::write(case.repo.beside("thesis/thesis.txt"), "years of work").unwrap();
    let check = |output: &Path, why: &str| {
        let ran = case.run(&["--output", output.to_str().unwrap()]);
        assert!(ran.expect_code(2).stderr.contains(why), "{}: {}", output.display(), ran.stderr);
        assert_eq!(case.runs(), Vec::<Value>::new(), "{}", output.display());
    };
    check(&case.repo.beside("file"), "is not a folder");
    check(&case.repo.beside("file/deep"), "is not a folder");
    check(&case.repo.beside("thesis"), "contains other files and no earlier report");
    check(&case.repo.root().join(".git/out"), "is inside the .git folder");
    check(case.repo.root(), "contains other files and no earlier report");
    case.assert_untouched();
    assert_eq!(fs::read(case.repo.beside("thesis/thesis.txt")).unwrap(), b"years of work");
}

/// Two runs with one folder: what becomes of the older one leaves the report of the newer one alone.
#[test]
fn rf9_the_report_of_a_newer_run_stays() {
    let case = SyncFiles::five();
    let out = case.repo.beside("out");
    let run = || {
        let ran = case.cli.run(case.verified(&["--output", out.to_str().unwrap()]));
        ran.expect_code(0).run_id()
    };
    let (older, newer) = (run(), run());
    case.cli.run(["reject", &older]).expect_code(0);
    let summary = fs::read_to_string(out.join("pr-summary.md")).unwrap();
    assert!(summary.contains(&newer) && !summary.contains(&older), "{summary}");
    let shown = |id: &str| case.cli.run(["runs", "show", id]).stdout;
    assert!(shown(&newer).contains(&format!("report   {}", out.display())), "{}", shown(&newer));
    assert!(!shown(&older).contains(&format!("report   {}", out.display())), "{}", shown(&older));
}

/// The work is done: that its report cannot be put where it was wanted does not undo it.
#[test]
#[cfg(target_os = "linux")]
fn rf9_a_folder_that_cannot_be_made_costs_the_copy_alone() {
    let case = SyncFiles::five();
    let ran = case.cli.run(case.verified(&["--output", "/proc/refactor-bot"]));
    // Who may not write there hears so at once.
    if ran.code != 2 {
        let id = ran.expect_code(0).run_id();
        assert!(ran.stdout.contains("the report could not be copied"), "{}", ran.stdout);
        assert!(case.cli.home().join("runs").join(&id).join("report/pr-summary.md").exists());
        case.cli.run(["accept", &id]).expect_code(0);
    }
}
