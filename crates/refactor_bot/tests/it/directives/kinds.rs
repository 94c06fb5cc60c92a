//! The kinds of directives that are promised, on the bundled projects.

use std::collections::BTreeSet;
use std::fs;

use rb_testkit::{Cli, Repo};
use serde_json::Value;

use super::output::assert_git_takes_all;
use crate::examples::{assert_node_tests_pass, copy_of, has_node};

/// A directive, and what must come of it.
struct Kind {
    project: &'static str,
    directive: &'static str,
    /// A recipe or a rule that a task must be of.
    by: &'static str,
    /// What the patches must add, and what they must take away.
    adds: &'static str,
    takes: &'static str,
    /// What the summary must tell a reviewer.
    says: &'static str,
}

fn check(kind: &Kind) {
    let (repo, cli) = copy_of(kind.project);
    let before = repo.state();
    assert_plan(&repo, &cli, kind);
    let out = repo.beside("out");
    let mut args = vec!["run".to_owned(), repo.root().display().to_string()];
    args.extend(["--directive", kind.directive, "--output"].map(str::to_owned));
    args.push(out.display().to_string());
    if !has_node() {
        args.push("--no-verify".to_owned());
    }
    let ran = cli.run(args);
    let id = ran.expect_code(0).run_id();
    before.assert_same(&repo.state(), kind.directive);
    let patches = assert_git_takes_all(&repo, &out.join("diffs"));
    assert!(patches >= 3, "{}: {patches} files", kind.directive);
    let text: String = fs::read_dir(out.join("diffs"))
        .unwrap()
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    let has = |sign: char, words: &str| {
        text.lines().any(|line| line.starts_with(sign) && line.contains(words))
    };
    assert!(has('+', kind.adds) && has('-', kind.takes), "{}: {text}", kind.directive);

    let summary = fs::read_to_string(out.join("pr-summary.md")).unwrap();
    assert!(summary.contains(kind.says), "{summary}");
    let report = fs::read(out.join("validation-report.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    if has_node() {
        assert_eq!(report["verdict"], "pass", "{}", kind.directive);
    }
    for task in report["tasks"].as_array().unwrap() {
        assert!(task["attempts"].as_u64().unwrap() <= 3, "{task}");
        let refused = task["contracts"]["refused"].as_array();
        assert!(refused.is_none_or(Vec::is_empty), "the public interface stays: {task}");
    }
    cli.run(["accept", &id]).expect_code(0);
    assert_node_tests_pass(&repo, kind.directive);
}

/// Three to six tasks, about files that exist, each after those that it builds on.
fn assert_plan(repo: &Repo, cli: &Cli, kind: &Kind) {
    let root = repo.root().display().to_string();
    let ran = cli.run(["plan", &root, "--directive", kind.directive, "--json"]);
    let planned: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    let tasks = planned["plan"]["tasks"].as_array().unwrap();
    assert!((3..=6).contains(&tasks.len()), "{}: {} tasks", kind.directive, tasks.len());
    let listed = repo.git(&["ls-files"]);
    let known: BTreeSet<&str> = listed.lines().collect();
    let mut done = BTreeSet::new();
    for task in tasks {
        let files = task["files"].as_array().unwrap();
        assert!(!files.is_empty(), "{task}");
        assert!(files.iter().all(|file| known.contains(file.as_str().unwrap())), "{task}");
        let mut needs = task["depends_on"].as_array().into_iter().flatten();
        assert!(needs.all(|id| done.contains(id.as_str().unwrap())), "{task}");
        done.insert(task["id"].as_str().unwrap().to_owned());
    }
    let is_of = |task: &Value| {
        let rules = task["rules"].as_array().into_iter().flatten();
        task["by"]["id"] == kind.by || rules.into_iter().any(|rule| rule == kind.by)
    };
    assert!(tasks.iter().any(is_of), "{}: {planned}", kind.directive);
}

#[test]
fn rf3_rf5_synchronous_file_operations_become_asynchronous() {
    check(&Kind {
        project: "filetool",
        directive: "Convert synchronous file operations to async across project.",
        by: "fs-async",
        adds: "await ",
        takes: "Sync(",
        says: "is no longer atomic",
    });
}

#[test]
fn rf3_rf5_naive_searches_become_lookups() {
    check(&Kind {
        project: "lookups",
        directive: "Replace naive O(n²) search with indexed lookup strategy.",
        by: "indexed-lookup",
        adds: "new Map(",
        takes: ".find(",
        says: "",
    });
}

#[test]
fn rf3_rf5_sql_gets_parameters() {
    check(&Kind {
        project: "sqlservice",
        directive: "Replace raw SQL string interpolation with parameterized queries.",
        by: "sql-parameters",
        adds: "?",
        takes: "${",
        says: "`null` and `undefined` are now passed as NULL",
    });
}

/// The tasks have the ids of rules, and their patches have the rule's right form.
#[test]
fn rf3_rf5_request_waterfalls_are_eliminated() {
    check(&Kind {
        project: "shop",
        directive: "Eliminate request waterfalls across the project.",
        by: "async-parallel",
        adds: "Promise.all(",
        takes: "await ",
        says: "",
    });
}

/// The other directives about React: each finds the rules that it is about.
#[test]
fn rf3_directives_about_react_give_tasks_with_the_ids_of_rules() {
    let (repo, cli) = copy_of("shop");
    let check = |directive: &str, rules: &[&str]| {
        let root = repo.root().display().to_string();
        let ran = cli.run(["plan", &root, "--directive", directive, "--json"]);
        let planned: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
        assert_eq!(planned["plan"]["is_react_project"], true);
        let tasks = planned["plan"]["tasks"].as_array().unwrap();
        assert!(tasks.len() >= 3, "{directive}: {planned}");
        let of_tasks: BTreeSet<&str> = tasks
            .iter()
            .flat_map(|task| task["rules"].as_array().into_iter().flatten())
            .map(|rule| rule.as_str().unwrap())
            .collect();
        let missing: Vec<&&str> = rules.iter().filter(|rule| !of_tasks.contains(**rule)).collect();
        assert!(missing.is_empty(), "{directive}: {missing:?} not in {of_tasks:?}");
    };
    check(
        "Reduce bundle size by fixing barrel imports and lazy-loading heavy components.",
        &["bundle-barrel-imports"],
    );
    check(
        "Fix unnecessary re-renders across components.",
        &["rerender-memo-with-default-value", "rerender-functional-setstate"],
    );
    check("Optimize server component data fetching and serialization.", &["async-api-routes"]);
}

/// A test that fails before and after says nothing of what it reaches.
#[test]
fn rf10_a_test_that_fails_anyway_vouches_for_nothing() {
    if !has_node() {
        return;
    }
    let (repo, cli) = copy_of("lookups");
    let test = repo.read("test/invoices.test.js");
    repo.write(
        "test/invoices.test.js",
        test.replace("'../src/csv.js';", "'../src/csv.js';\nthrow 1;"),
    );
    repo.commit_all("broken");
    let root = repo.root().display().to_string();
    let directive = "Replace naive search with an optimized data structure";
    let ran = cli.run(["run", &root, "--directive", directive, "--allow-failing-baseline"]);
    let id = ran.expect_code(0).run_id();
    let report = cli.home().join("runs").join(&id).join("report/validation-report.json");
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let score = |path: &str| {
        let files = report["files"].as_array().unwrap();
        let file = files.iter().find(|it| it["path"] == path);
        file.unwrap_or_else(|| panic!("{path}"))["confidence"]["score"].as_u64().unwrap()
    };
    assert!(score("src/invoices.js") <= 60, "{report:#}");
    assert!(score("src/payments.js") > 60, "{report:#}");
    assert_eq!(report["risk"]["level"], "medium");
}
