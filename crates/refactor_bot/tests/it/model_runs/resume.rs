//! SIGKILL while a model is asked, between its answer and the patch, and after the change was made: nobody is paid twice.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::has_node;
use super::scripted::{GREETINGS, NEW, Scripted, batch, batches, good};

/// Waits until something is there, and not for ever.
fn until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::yield_now();
    }
}

fn only_run(case: &Scripted) -> String {
    let mut runs = fs::read_dir(case.cli.home().join("runs")).unwrap();
    runs.next().unwrap().unwrap().file_name().into_string().unwrap()
}

#[test]
fn sa6_killed_while_one_is_asked_what_the_others_answered_is_not_asked_again() {
    if !has_node() {
        return;
    }
    let answers = json!({
        "patcher batch-001": [{"hang": true, "then": good("alpha")}, good("alpha")],
        "patcher batch-002": [good("beta")],
        "patcher batch-003": [good("gamma")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let mut child = case.cli.command().args(case.args(&[])).spawn().unwrap();
    let kept = || {
        let Ok(mut runs) = fs::read_dir(case.cli.home().join("runs")) else { return 0 };
        let Some(Ok(run)) = runs.next() else { return 0 };
        let Ok(answers) = fs::read_dir(run.path().join("answers")) else { return 0 };
        let is_whole = |name: &str| {
            Path::new(name).extension().is_some_and(|it| it == "json")
                && name.starts_with("patcher")
        };
        answers.filter(|it| is_whole(&it.as_ref().unwrap().file_name().to_string_lossy())).count()
    };
    until("two answers are kept", || kept() == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    case.go();
    let run = only_run(&case);
    case.cli.run(["resume", &run, "--yes"]).expect_code(0);
    let asked = [
        "patcher batch-001",
        "patcher batch-001",
        "patcher batch-002",
        "patcher batch-003",
        "planner",
    ];
    assert_eq!(case.asked(), asked);
    for name in ["alpha", "beta", "gamma"] {
        assert!(case.repo.read(&format!("lib/{name}.js")).contains(NEW), "{name}");
    }
}

fn one_task() -> Scripted {
    let plan = batches(&[batch("batch-001", "Use a template", &["lib/alpha.js"])]);
    Scripted::new(GREETINGS, &json!({"planner": [plan], "patcher": [good("alpha")]}))
}

/// The number of each effect of a run, with its path.
fn effects(trace: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(trace).unwrap();
    let effect = |line: &str| {
        let mut fields = line.split('\t');
        let number = fields.next().unwrap().parse().unwrap();
        (number, fields.nth(1).unwrap().to_owned())
    };
    text.lines().map(effect).collect()
}

#[test]
fn sa6_killed_after_an_answer_nobody_is_asked_again_and_the_diff_is_the_same() {
    const KILLED: i32 = 128 + 9;
    if !has_node() {
        return;
    }
    let mut traced = one_task();
    let trace = traced.repo.beside("trace");
    traced.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
    traced.run(&["--yes"]).expect_code(0);
    let expected = traced.repo.git(&["show", "HEAD"]);
    let effects = effects(&trace);
    let at = |part: &str| {
        let found = effects.iter().rfind(|(_, path)| path.contains(part));
        found.unwrap_or_else(|| panic!("{part} is not written: {effects:?}")).0
    };
    let points = [
        // The plan is paid for, and not yet written.
        at("plan.json"),
        // The answer has come, and is no proposal yet.
        at("batch-001.answer.json"),
        at("batch-001.patch"),
        // It was entered, and is not applied.
        at("batch-001.patch") + 2,
        // The change is a commit, and not judged.
        at("batch-001-audit.json"),
        at("batch-001-audit.json") + 4,
    ];
    let check = |point: usize| {
        let mut case = one_task();
        case.cli.set_env("REFACTOR_BOT_FAULT", format!("kill:{point}"));
        case.run(&["--yes"]).expect_code(KILLED);
        case.cli.unset_env("REFACTOR_BOT_FAULT");
        case.cli.run(["resume", &only_run(&case), "--yes"]).expect_code(0);
        assert_eq!(case.asked(), ["patcher batch-001", "planner"], "at {point}");
        let made = case.repo.git(&["show", "HEAD"]);
        assert_eq!(diff(&made), diff(&expected), "at {point}");
    };
    for point in points {
        check(point);
    }
}

/// A commit without its head, which has its time.
fn diff(commit: &str) -> &str {
    &commit[commit.find("diff --git").unwrap()..]
}
