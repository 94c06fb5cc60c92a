//! Runs as journals, for tests of the pages that show them.

use rb_core::fs::{self, Durability};
use serde_json::{Value, json};

use crate::pages::code::testing::TestSite;

pub(in crate::pages) const RUN: &str = "20260131T120000Z";

/// A site with one run whose journal has these events after its start.
pub(in crate::pages) fn site(tasks: usize, events: &[Value]) -> TestSite {
    let site = TestSite::new("//- a.js\nf();\n");
    let tasks: Vec<Value> = (1..=tasks)
        .map(|at| {
            json!({"id": id(at), "goal": format!("Goal <{at}>"), "kind": {"kind": "change"}, "by": {"by": "model"},
                "stage": "small", "risk_score": 0, "verifier_level": "fast", "is_critical": false})
        })
        .collect();
    let start = json!({"event": "run_started", "run": RUN, "workflow": {"name": "refactor"}, "repo": "/shop", "kind": "git",
        "scope": null, "allow_dirty": false, "diff_budget": 300, "excludes": [], "tasks": tasks,
        "orders": {"plans": false, "directive": "Use <b> & promises", "includes": [], "max_batches": 200, "keep_to_budget": false,
            "max_retries": 2, "strict": false, "critic": false, "approve_each": true, "confirm": false, "ask_first": false,
            "dry_run": false, "max_runtime_s": null, "output": null, "models": null, "answer_form": "diff"}});
    let mut journal = String::new();
    for (seq, event) in (1..).zip([&start].into_iter().chain(events)) {
        let mut record = json!({"v": 5, "seq": seq, "at": "2026-01-31T12:00:00.000Z"});
        record.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        journal.extend([record.to_string().as_str(), "\n"]);
    }
    write(&site, "journal.jsonl", &journal);
    site
}

pub(in crate::pages) fn write(site: &TestSite, name: &str, text: &str) {
    let path = site.repo.beside("home").join("runs").join(RUN).join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text.as_bytes(), Durability::Relaxed).unwrap();
}

pub(in crate::pages) fn id(at: usize) -> String {
    format!("batch-{at:03}")
}

pub(in crate::pages) fn ended(at: usize, confidence: u8) -> Value {
    json!({"event": "task_ended", "entry": {"task": id(at), "goal": format!("Goal <{at}>"), "status": "applied", "commit": "c0de",
        "touched_files": ["a.js"], "added": 1, "removed": 1, "rung": null, "verdict": "pass", "attempts": 1,
        "confidence": confidence, "reasons": [], "notes": ["look <here>"], "at": "2026-01-31T12:00:00.000Z"}})
}

pub(in crate::pages) fn waits() -> [Value; 2] {
    [json!({"event": "entered", "node": "decide", "ms": 0}), json!({"event": "waiting"})]
}

/// The task waits at the gate.
pub(in crate::pages) fn gate(at: usize) -> Vec<Value> {
    let task = id(at);
    vec![
        json!({"event": "task_started", "task": task, "goal": format!("Goal <{at}>")}),
        json!({"event": "patch_applying", "task": task, "paths": ["a.js"], "added": 1, "removed": 1, "rung": "exact"}),
        json!({"event": "patch_applied", "task": task}),
        json!({"event": "weighed", "task": task, "confidence": 35, "parts": ["+40 verification: pass", "-5 large <change>"]}),
        json!({"event": "entered", "node": "approve", "ms": 0}),
        json!({"event": "waiting"}),
    ]
}
