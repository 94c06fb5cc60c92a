//! The same task with less to do.

use rb_core::{Proposer, RepoPath, Task};
use rb_plan::{Limits, Narrowed, narrowed, propose};

use crate::directed::FILES;
use crate::support::Repo;

fn files(task: &Task) -> Vec<String> {
    task.files.iter().map(ToString::to_string).collect()
}

/// One task with all chains.
fn all_in_one() -> (Repo, Task) {
    let repo = Repo::asked(FILES, "Convert sync file ops to async");
    let plan = repo.plan();
    let mut task = plan.tasks[0].clone();
    task.files = plan.tasks.iter().flat_map(|it| it.files.clone()).collect();
    task.files.sort();
    task.by = Proposer::Recipe {
        id: "fs-async".to_owned(),
        arguments: [].into(),
        sites: Vec::new(),
        chains: Vec::new(),
    };
    (repo, task)
}

fn less(repo: &Repo, task: &Task, blamed: &[&str]) -> Option<Narrowed> {
    let blamed: Vec<String> = blamed.iter().map(|it| (*it).to_owned()).collect();
    repo.with(|input| narrowed(input, task, &blamed, "it failed").expect("no trouble"))
}

#[track_caller]
fn check(repo: &Repo, task: &Task, blamed: &[&str], expected: Option<&[&str]>) -> Option<Task> {
    let smaller = less(repo, task, blamed).map(|it| it.task);
    let found = smaller.as_ref().map(files);
    assert_eq!(
        found.as_deref(),
        expected.map(|it| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).as_deref()
    );
    smaller
}

#[test]
fn rf3_what_touches_a_blamed_file_is_left_out() {
    let (repo, task) = all_in_one();
    let rest = [
        "src/images/list.js",
        "src/logs/tail.js",
        "src/store/add.js",
        "src/store/orders.js",
        "test/orders.test.js",
    ];
    let smaller = check(&repo, &task, &["src/config/show.js"], Some(&rest)).expect("less to do");
    assert_eq!((smaller.id, smaller.is_critical), (task.id, task.is_critical));
    // It is what is proposed next.
    let proposal =
        repo.with(|input| propose(input, &smaller).expect("no trouble")).expect("a proposal");
    let touched: Vec<String> =
        repo.texts_after(&proposal).keys().map(ToString::to_string).collect();
    assert_eq!(touched, rest);
}

/// Whatever is left out has its place and its reason.
#[test]
fn rf7_every_site_that_is_left_out_is_listed() {
    let (repo, task) = all_in_one();
    let all = less(&repo, &task, &["elsewhere.js"]).expect("less to do");
    let places: Vec<String> =
        all.left.iter().map(|it| format!("{}:{} {}", it.path, it.line, it.found_by)).collect();
    assert_eq!(
        places,
        [
            "src/logs/tail.js:4 fs-async",
            "src/store/orders.js:4 fs-async",
            "src/store/orders.js:8 fs-async",
        ]
    );
    assert!(all.left.iter().all(|it| it.reason == "it failed" && !it.suggestion.is_empty()));
    // What a model was to do is known by files alone.
    let task = Task { by: Proposer::Model, ..task };
    let left = less(&repo, &task, &["src/logs/tail.js"]).expect("less to do").left;
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!((left[0].path.as_str(), left[0].line), ("src/logs/tail.js", 1));
}

#[test]
fn rf3_a_blamed_test_speaks_for_its_sources() {
    let (repo, task) = all_in_one();
    let rest =
        ["src/config/load.js", "src/config/show.js", "src/images/list.js", "src/logs/tail.js"];
    check(&repo, &task, &["test/orders.test.js"], Some(&rest));
}

#[test]
fn rf3_where_nothing_or_everything_is_blamed_a_half_remains() {
    let (repo, task) = all_in_one();
    let half = ["src/config/load.js", "src/config/show.js", "src/images/list.js"];
    check(&repo, &task, &[], Some(&half));
    check(&repo, &task, &["elsewhere.js", "../x"], Some(&half));
    let all: Vec<String> = files(&task);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check(&repo, &task, &all, Some(&half));
}

#[test]
fn rf3_it_ends_with_a_single_chain() {
    let (repo, mut task) = all_in_one();
    let mut steps = 0;
    while let Some(Narrowed { task: smaller, .. }) = less(&repo, &task, &[]) {
        let proposal = repo.with(|input| propose(input, &smaller).expect("no trouble"));
        assert!(proposal.is_some(), "{smaller:#?}");
        task = smaller;
        steps += 1;
        assert!(steps < 9, "it must become smaller");
    }
    assert_eq!(files(&task), ["src/config/load.js", "src/config/show.js"]);
}

/// Two functions of one file that become async, each with a chain of its own.
const TWO: &str = "//- package.json
{\"private\": true, \"type\": \"module\"}
//- a.js
import fs from 'node:fs';

function one(path) {
  return fs.readFileSync(path, 'utf8');
}

function two(path) {
  return fs.readdirSync(path);
}

export async function three() {
  console.log(one('a'));
}

export async function four() {
  console.log(two('b'));
}
";

#[test]
fn rf3_chains_of_one_file_are_told_apart() {
    let repo = Repo::asked(TWO, "Convert sync file ops to async");
    let plan = repo.plan();
    assert_eq!(plan.tasks.len(), 1);
    let smaller = check(&repo, &plan.tasks[0], &[], Some(&["a.js"])).expect("less to do");
    let Proposer::Recipe { chains, .. } = &smaller.by else { panic!("{smaller:#?}") };
    assert_eq!(chains, &["a.js: `one` becomes async: 1 call awaited"]);
    assert_eq!(less(&repo, &smaller, &[]), None);
    let proposal = repo.with(|input| propose(input, &smaller).expect("no trouble"));
    repo.apply(&proposal.expect("a proposal"));
    assert_eq!(repo.text("a.js").matches("Sync").count(), 1);
}

#[test]
fn rf3_chains_of_one_file_that_are_too_much_for_a_task_become_two() {
    let mut repo = Repo::asked(TWO, "Convert sync file ops to async");
    repo.limits = Limits { diff_budget: 6, ..Limits::default() };
    let plan = repo.plan();
    assert_eq!(plan.tasks.len(), 2, "{plan:#?}");
    assert_eq!(plan.tasks[1].depends_on, [plan.tasks[0].id]);
    assert!(plan.tasks[0].is_critical && !plan.tasks[1].is_critical);
    for task in &plan.tasks {
        let proposal = repo.with(|input| propose(input, task).expect("no trouble"));
        repo.apply(&proposal.expect("a proposal"));
    }
    assert!(!repo.text("a.js").contains("Sync"));
}

#[test]
fn rf3_rules_and_models_have_less_to_do_by_files() {
    let fixture = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n//- a.js\nimport { x } from './c.js';\n//- b.js\nimport { x } from './c.js';\nexport const b = 1;\n//- c.js\nexport const x = 1;\n";
    let repo = Repo::asked(fixture, "Remove unused imports").with_model();
    let mut task = repo.plan().tasks[0].clone();
    task.by = Proposer::Model;
    task.files = ["a.js", "b.js", "c.js"].map(|it| RepoPath::new(it).unwrap()).to_vec();
    let smaller = check(&repo, &task, &["b.js"], Some(&["a.js", "c.js"])).expect("less to do");
    assert_eq!(smaller.scope_globs, ["/a.js", "/c.js"]);
    check(&repo, &task, &[], Some(&["a.js"]));
    task.files.truncate(1);
    check(&repo, &task, &[], None);
    task.by = Proposer::Given;
    check(&repo, &task, &["a.js"], None);
}

/// A chain that would reach further than its task may is not proposed.
#[test]
fn rf3_a_proposal_stays_within_the_files_of_its_task() {
    let (repo, mut task) = all_in_one();
    task.files.retain(|it| it.as_bytes() != b"src/config/show.js");
    let proposal =
        repo.with(|input| propose(input, &task).expect("no trouble")).expect("a proposal");
    let touched: Vec<String> =
        repo.texts_after(&proposal).keys().map(ToString::to_string).collect();
    assert!(touched.contains(&"src/store/orders.js".to_owned()));
    assert!(!touched.iter().any(|it| it.starts_with("src/config/")), "{touched:?}");
    task.files = vec![RepoPath::new("src/config/load.js").unwrap()];
    assert_eq!(repo.with(|input| propose(input, &task).expect("no trouble")), None);
}
