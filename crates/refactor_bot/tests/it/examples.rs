//! The bundled projects: each order of a person finds its work there, and their own tests pass before and after.
//!
//! The numbers are lower bounds, so that a rule that learns to see more breaks nothing here.

use std::fs;
use std::path::Path;
use std::process::Command;

use rb_testkit::{Cli, Repo};
use serde_json::Value;

use crate::cli;

const PROJECTS: [&str; 4] = ["filetool", "lookups", "shop", "sqlservice"];

/// What an order must find at least.
struct Order {
    project: &'static str,
    /// Behind `rules fix`.
    args: &'static [&'static str],
    edits: usize,
    files: usize,
    /// Sites that are left with a reason. Only recipes tell of them.
    left: usize,
    /// Only these may be edited: by the beginning or the end of their paths.
    within: &'static [&'static str],
}

const RECIPES: &[Order] = &[
    Order {
        project: "filetool",
        args: &["--recipe", "fs-async"],
        edits: 25,
        files: 12,
        left: 4,
        within: &["lib/", "test/"],
    },
    Order {
        project: "sqlservice",
        args: &["--recipe", "sql-parameters"],
        edits: 12,
        files: 4,
        left: 2,
        within: &["src/store/"],
    },
    Order {
        project: "lookups",
        args: &["--recipe", "indexed-lookup"],
        edits: 8,
        files: 5,
        left: 2,
        within: &["src/"],
    },
    Order {
        project: "shop",
        args: &["--recipe", "own-barrels"],
        edits: 7,
        files: 7,
        left: 1,
        within: &["app/", "components/"],
    },
];

const RULES: &[Order] = &[
    Order {
        project: "shop",
        args: &["--rule", "waterfalls"],
        edits: 12,
        files: 9,
        left: 0,
        within: &["app/", "lib/"],
    },
    Order {
        project: "shop",
        args: &["--rule", "bundle"],
        edits: 5,
        files: 5,
        left: 0,
        within: &["components/"],
    },
    Order {
        project: "shop",
        args: &["--rule", "rerenders"],
        edits: 15,
        files: 8,
        left: 0,
        within: &[".tsx"],
    },
    Order {
        project: "shop",
        args: &["--rule", "server"],
        edits: 5,
        files: 5,
        left: 0,
        within: &["app/"],
    },
    Order {
        project: "shop",
        args: &[],
        edits: 30,
        files: 18,
        left: 0,
        within: &["app/", "components/", "lib/"],
    },
];

#[test]
fn ru3_each_recipe_does_its_work_in_the_examples() {
    RECIPES.iter().for_each(check);
}

#[test]
fn ru2_each_directive_finds_its_rules_in_the_shop() {
    RULES.iter().for_each(check);
}

/// Every directive has several rules to follow in several files, not all of which can be put right by themselves.
#[test]
fn ru2_several_rules_speak_for_each_directive() {
    let (repo, cli) = copy_of("shop");
    for bundle in ["waterfalls", "bundle", "rerenders", "server"] {
        let root = repo.root().display().to_string();
        let ran = cli.run(["rules", "check", &root, "--rule", bundle, "--json"]);
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        let findings = found["findings"].as_array().unwrap();
        let distinct = |key: &str| {
            let mut all: Vec<&str> = findings.iter().map(|it| it[key].as_str().unwrap()).collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        assert!(distinct("rule") >= 4, "{bundle}: {found}");
        assert!(distinct("path") >= 8, "{bundle}: {found}");
    }
}

#[test]
fn ru3_each_example_has_something_to_clear_away() {
    const ARGS: [&[&str]; 2] = [&["--recipe", "unused-imports"], &["--recipe", "dead-code"]];
    for project in PROJECTS {
        for args in ARGS {
            check(&Order { project, args, edits: 1, files: 1, left: 0, within: &[""] });
        }
    }
}

#[test]
fn ru3_the_tests_of_each_example_pass() {
    for project in PROJECTS {
        let (repo, _) = copy_of(project);
        assert_node_tests_pass(&repo, project);
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "the tests of {project} leave files");
    }
}

fn check(order: &Order) {
    let what = format!("{} {}", order.project, order.args.join(" "));
    let (repo, cli) = copy_of(order.project);
    let fix = |more: &[&str]| {
        let root = repo.root().display().to_string();
        let args = ["rules", "fix", &root].into_iter().chain(order.args.iter().copied());
        let ran = cli.run(args.chain(more.iter().copied()));
        ran.expect_code(0);
        ran.stdout
    };
    let plan: Value = serde_json::from_str(&fix(&["--dry-run", "--json"])).unwrap();
    let (edits, left) = counted(&plan);
    assert!(edits >= order.edits, "{what}: {edits} edits");
    assert!(left >= order.left, "{what}: {left} sites are left");

    let patch = repo.beside("made.patch");
    fs::write(&patch, fix(&["--dry-run"])).unwrap();
    let patch = patch.to_str().unwrap();
    assert!(repo.git(&["status", "--porcelain"]).is_empty(), "{what}: a dry run has edited");
    repo.git(&["apply", "--check", patch]);
    repo.git(&["apply", patch]);
    let names = repo.git(&["diff", "--name-only"]);
    let files: Vec<&str> = names.lines().collect();
    assert!(files.len() >= order.files, "{what}: {files:?}");
    let fits = |it: &&str| order.within.iter().any(|w| it.starts_with(w) || it.ends_with(w));
    assert!(files.iter().all(fits), "{what}: {files:?}");
    assert_node_tests_pass(&repo, &what);
}

/// How many edits a plan has, and how many sites it leaves: of a recipe, or of rules.
fn counted(plan: &Value) -> (usize, usize) {
    let count = |it: &Value| it.as_array().map_or(0, Vec::len);
    match plan["edited"].as_u64() {
        Some(edited) => (usize::try_from(edited).unwrap(), count(&plan["left"])),
        None => {
            let changes = plan["changes"].as_array().unwrap();
            (changes.iter().map(|it| count(&it["applied"])).sum(), 0)
        }
    }
}

/// A repository of its own for one of the projects.
pub(crate) fn copy_of(project: &str) -> (Repo, Cli) {
    let repo = Repo::unborn("");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(project).join(".");
    let copied = Command::new("cp").arg("-R").arg(from).arg(repo.root()).status();
    assert!(copied.unwrap().success());
    repo.commit_all("first");
    (repo, cli())
}

pub(crate) fn has_node() -> bool {
    Command::new("node").arg("--version").output().is_ok()
}

/// Nothing is checked where there is no Node.
pub(crate) fn assert_node_tests_pass(repo: &Repo, of: &str) {
    let node = || {
        let mut command = Command::new("node");
        command.current_dir(repo.root());
        command
    };
    if !has_node() {
        return;
    }
    let out = node().args(["--test", "--test-reporter", "tap"]).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{of}\n{said}");
    assert!(!said.contains("# pass 0\n"), "{of}: no test ran\n{said}");
}
