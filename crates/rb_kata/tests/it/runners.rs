//! New projects of all languages with their own test runners, unconfined: what confines is `rb_sandbox`'s to show.
//!
//! A language whose programs are not on `PATH` is skipped with a note, except those that every machine for this workspace has.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rb_core::fs::{self, Durability};
use rb_core::process::{Cmd, Env};
use rb_core::progress::Silent;
use rb_core::{Cancel, Verdict};
use rb_kata::Runner;
use rb_kata::runner::Sample;
use rb_kata::suite::SuiteRun;
use rb_kata::text_file::TextFile;
use rb_reports::Outcome;
use rb_sandbox::{Choice, Sandbox};
use rb_toolchains::detect;
use rb_verify::{CommandRun, Options, Part, Shell, Site, Verifier, caches};
use tempfile::TempDir;

const SLUG: &str = "fizz-buzz";

/// The four samples, and the project before it has any test.
#[track_caller]
fn check(runner: Runner, test: &str) {
    let empty = run(runner, &[]);
    assert!(ids(&empty, Outcome::Passed).is_empty(), "{empty:#?}");
    assert!(ids(&empty, Outcome::Failed).is_empty(), "{empty:#?}");
    let troubles = empty.tests.as_ref().map_or(0, |tests| tests.troubles.len());
    assert_eq!(troubles, 0, "{empty:#?}");
    // Python says with a code of its own that there was no test.
    let is_complaint = empty.verdict == Verdict::Fail && !empty.reasons[0].ends_with("code 5");
    assert!(!is_complaint, "{empty:#?}");

    for sample in
        [Sample::Green, Sample::AssertionFails, Sample::MissingSymbol, Sample::SyntaxError]
    {
        let run = run(runner, &runner.sample(SLUG, sample));
        let (passed, failed) = (ids(&run, Outcome::Passed), ids(&run, Outcome::Failed));
        let names = |ids: &[String]| ids.len() == 1 && SuiteRun::names(&ids[0], test);
        match sample {
            Sample::Green => {
                assert_eq!(run.verdict, Verdict::Pass, "{sample:?} {run:#?}");
                assert!(names(&passed) && failed.is_empty(), "{sample:?} {run:#?}");
            }
            Sample::AssertionFails => {
                assert_eq!(run.verdict, Verdict::Fail, "{sample:?} {run:#?}");
                assert!(names(&failed) && passed.is_empty(), "{sample:?} {run:#?}");
            }
            Sample::MissingSymbol | Sample::SyntaxError => {
                assert_eq!(run.verdict, Verdict::Fail, "{sample:?} {run:#?}");
                assert!(passed.is_empty(), "{sample:?} {run:#?}");
            }
        }
    }
}

fn ids(run: &CommandRun, outcome: Outcome) -> Vec<String> {
    let results = run.tests.iter().flat_map(|tests| &tests.results);
    results.filter(|test| test.outcome == outcome).map(|test| test.id.to_string()).collect()
}

/// Runs the tests of a new project to which these files were added.
fn run(runner: Runner, added: &[TextFile]) -> CommandRun {
    let temp = TempDir::with_prefix("rb-kata-").expect("a folder");
    let root = temp.path().canonicalize().expect("it was made just now").join("project");
    let env = env();
    let have = |program: &str| env.find(program).is_some();
    let skeleton = runner.skeleton(SLUG, "FizzBuzz", &have, node_version(&env));
    let mut paths = Vec::new();
    for file in skeleton.iter().chain(added) {
        write(&root.join(&file.path), &file.text);
        paths.push(file.path.clone());
    }
    let detected = detect(&root, &paths, &have);
    let command = runner.test_command(&detected).expect("a new project can be tested");
    let verifier = verifier(temp.path(), &root, &env, caches(&detected));
    verifier.run(&command, Part::All, "tests", None).expect("commands can be run here")
}

pub(crate) fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("files lie in a folder")).expect("a folder");
    fs::write(file, text.as_bytes(), Durability::Relaxed).expect("a file");
}

fn verifier(temp: &Path, root: &Path, env: &Env, caches: rb_toolchains::Caches) -> Verifier {
    let cancel = Cancel::new();
    let options = Options { sandbox: Choice::Off, timeout_s: 300, ..Options::default() };
    let sandbox = Sandbox::probe(&options.sandbox, env, None, &cancel).expect("none is needed");
    let site = Site {
        worktree: root.to_owned(),
        root: root.to_owned(),
        checkouts: Vec::new(),
        borrowed: Vec::new(),
        made: Vec::new(),
        local: None,
        python_path: Vec::new(),
        scratch: temp.join("scratch"),
        work: temp.join("work"),
        home: env.get("HOME").map(PathBuf::from),
        env: env.clone(),
        passed: Shell::default().pass(&options.env),
    };
    Verifier { site, sandbox, options, caches, cancel, progress: Arc::new(Silent) }
}

#[expect(clippy::disallowed_methods, reason = "the tests are where the programs are")]
pub(crate) fn env() -> Env {
    Env::passed_on(std::env::vars_os())
}

/// `v20.1.0` is (20, 1).
fn node_version(env: &Env) -> Option<(u32, u32)> {
    let node = Cmd::new(env.find("node")?, env).arg("--version").timeout(Duration::from_mins(1));
    let output = node.run(&Cancel::new()).ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

pub(crate) fn is_installed(runner: Runner) -> bool {
    let env = env();
    runner.missing(&|program| env.find(program).is_some()).is_empty()
}

#[test]
fn ka7_rust_tests_run() {
    check(Runner::Rust, "doubles_a_number");
}

#[test]
fn ka7_python_tests_run() {
    check(Runner::Python, "test_doubles_a_number");
}

#[test]
fn ka7_javascript_tests_run() {
    check(Runner::Javascript, "doubles a number");
}

#[test]
fn ka7_java_tests_run() {
    check(Runner::Java, "doublesANumber");
}

#[test]
fn ka7_typescript_tests_run() {
    let env = env();
    let have = |program: &str| env.find(program).is_some();
    let files = Runner::Typescript.skeleton(SLUG, "", &have, node_version(&env));
    if files.iter().any(|file| file.text.contains("devDependencies")) {
        println!("skipped: neither a node that strips types nor `tsc` is installed");
        return;
    }
    check(Runner::Typescript, "doubles a number");
}

#[test]
fn ka7_go_tests_run() {
    if !is_installed(Runner::Go) {
        println!("skipped: Go is not installed");
        return;
    }
    check(Runner::Go, "TestDoublesANumber");
}

#[test]
fn ka7_ruby_tests_run() {
    if !is_installed(Runner::Ruby) {
        println!("skipped: Ruby is not installed");
        return;
    }
    check(Runner::Ruby, "test_doubles_a_number");
}
