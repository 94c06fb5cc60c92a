//! SIGKILL in every node of a planned run: right after it was entered, and in the middle of it. Whatever the instant, the resumed run
//! ends with the same change and the same ledger as one that was let through.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use serde_json::Value;

use crate::kill::{Effect, KILLED, for_each, read_trace, tries_all};
use crate::sync_files::{SyncFiles, TEN};

/// What must not depend on whether a run was cut off.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    tree: String,
    ledger: Vec<Value>,
    /// The ledger beside the code.
    in_the_worktree: Vec<Value>,
    notes: Value,
    metrics: Vec<String>,
}

/// The task that changes `bin/i.js` fails, and is tried again without that file.
fn case() -> SyncFiles {
    SyncFiles::new(TEN, &["bin/i"], 10)
}

fn run_args(case: &SyncFiles) -> Vec<String> {
    case.verified(&["--max-batches", "3"])
}

/// A run that waits for a decision, from outside.
fn ended(case: &SyncFiles, id: &str) -> Ended {
    case.assert_untouched();
    let report = case.cli.home().join("runs").join(id).join("report");
    let read = |name: &str| fs::read_to_string(report.join(name)).unwrap();
    let validation: Value = serde_json::from_str(&read("validation-report.json")).unwrap();
    let metric = |metric: &Value| format!("{}: {}", metric["id"], metric["value"]);
    let is_time = |metric: &&Value| metric["id"] == "runtime";
    let metrics = validation["metrics"].as_array().unwrap().iter();
    let beside = case.cli.home().join("worktrees").join(id).join(".refactor-bot/TASK_LEDGER.jsonl");
    Ended {
        tree: case.repo.git(&["rev-parse", &format!("refactor-bot/{id}^{{tree}}")]),
        ledger: ledger(&read("TASK_LEDGER.jsonl")),
        in_the_worktree: ledger(&fs::read_to_string(beside).unwrap_or_default()),
        notes: validation["notes"].clone(),
        metrics: metrics.filter(|it| !is_time(it)).map(metric).collect(),
    }
}

/// Every entry but for what differs by nature: times, and commits, which hold them.
fn ledger(text: &str) -> Vec<Value> {
    let entry = |line: &str| {
        let mut entry: Value = serde_json::from_str(line).unwrap();
        let fields = entry.as_object_mut().unwrap();
        fields.remove("at");
        let commit = fields.remove("commit").unwrap_or_default();
        fields.insert("is_kept".to_owned(), Value::from(!commit.is_null()));
        entry
    };
    text.lines().map(entry).collect()
}

/// A place to kill at.
#[derive(Debug)]
struct Place {
    effect: usize,
    when: String,
}

/// Each node the first and the last time that it is visited: right after it was entered, and after its last event, when all is done and it
/// was not left; the first time after its first event, too. With `REFACTOR_BOT_KILL_ALL` also when it was entered in between.
fn places(effects: &[Effect], journal: &str) -> Vec<Place> {
    let events: Vec<Value> =
        journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let appends: Vec<usize> = effects
        .iter()
        .filter(|effect| effect.what == "append" && effect.path.ends_with("journal.jsonl"))
        .map(|effect| effect.number)
        .collect();
    assert_eq!(appends.len(), events.len(), "one append for each event");
    let is_entered = |event: &Value| event["event"] == "entered";
    let mut places = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, event) in events.iter().enumerate().filter(|(_, event)| is_entered(event)) {
        let own = events[at + 1..].iter().take_while(|event| !is_entered(event)).count();
        let is_first = seen.insert(event["node"].as_str());
        let is_last = !events[at + 1..].iter().any(|it| it["node"] == event["node"]);
        if !(is_first || is_last || tries_all()) {
            continue;
        }
        let mut kills = BTreeSet::from([at]);
        if is_first && own > 0 {
            kills.extend([at + 1, at + own]);
        } else if is_last {
            kills.insert(at + own);
        }
        places.extend(kills.into_iter().map(|at| Place {
            effect: appends[at] + 1,
            when: format!("in {} right after {}", event["node"], events[at]["event"]),
        }));
    }
    // What ends the process ends it without us.
    places.retain(|place| place.effect <= effects.len());
    places
}

#[test]
fn sa6_rf2_killed_in_any_node_a_planned_run_ends_the_same() {
    let mut traced = case();
    let trace = traced.repo.beside("trace");
    traced.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
    let id = traced.cli.run(run_args(&traced)).expect_code(0).run_id();
    traced.cli.unset_env("REFACTOR_BOT_FAULT");
    let expected = ended(&traced, &id);
    let tries: Vec<&Value> = expected.ledger.iter().map(|entry| &entry["attempts"]).collect();
    assert_eq!(tries, [1, 1, 2], "the last task fails once: {expected:?}");

    let journal = traced.cli.home().join("runs").join(&id).join("journal.jsonl");
    let places = places(&read_trace(&trace), &fs::read_to_string(journal).unwrap());
    let wrong = Mutex::new(Vec::new());
    for_each(&places, |place| {
        let mut case = case();
        let args = run_args(&case);
        killed(&mut case, place.effect, &args);
        case.assert_untouched();
        let id = case.runs()[0]["run"].as_str().unwrap().to_owned();
        let resumed = case.cli.run(["resume", &id]);
        assert_eq!(resumed.code, 0, "{}: {}", place.when, resumed.stderr);
        let ended = ended(&case, &id);
        if ended != expected {
            wrong.lock().unwrap().push(format!("killed {}: {ended:#?}", place.when));
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "expected {expected:#?}\n{}", wrong.join("\n"));
    println!("{} places to kill a planned run at", places.len());
}

fn killed(case: &mut SyncFiles, effect: usize, args: &[String]) {
    case.cli.set_env("REFACTOR_BOT_FAULT", format!("kill:{effect}"));
    case.cli.run(args).expect_code(KILLED);
    case.cli.unset_env("REFACTOR_BOT_FAULT");
}

#[test]
fn sa6_rf8_killed_in_the_middle_of_its_landing_a_planned_run_is_accepted_all_the_same() {
    let mut traced = case();
    let id = traced.cli.run(run_args(&traced)).expect_code(0).run_id();
    let trace = traced.repo.beside("trace");
    traced.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
    traced.cli.run(["accept", &id]).expect_code(0);
    let expected = traced.repo.git(&["rev-parse", "HEAD^{tree}"]);
    let writes = |effect: &&Effect| effect.path.starts_with(&traced.root());
    let first = read_trace(&trace).iter().find(writes).expect("it writes into the checkout").number;

    let mut case = case();
    let id = case.cli.run(run_args(&case)).expect_code(0).run_id();
    killed(&mut case, first + 2, &["accept".to_owned(), id.clone()]);
    assert_eq!(case.runs()[0]["stands"], "landing cut off");
    case.cli.run(["accept", &id]).expect_code(0);
    assert_eq!(case.repo.git(&["rev-parse", "HEAD^{tree}"]), expected);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    case.assert_nothing_left();
}
