//! Runs as journals, and the page that they give.

use rb_core::fs::{self, Durability};
use serde_json::{Value, json};

use super::{page, task};
use crate::pages::code::testing::TestSite;
use crate::reply::Reply;
use crate::request::Request;

const RUN: &str = "20260131T120000Z";

/// A site with one run whose journal has these events after its start.
fn site(tasks: usize, events: &[Value]) -> TestSite {
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

fn write(site: &TestSite, name: &str, text: &str) {
    let path = site.repo.beside("home").join("runs").join(RUN).join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text.as_bytes(), Durability::Relaxed).unwrap();
}

fn id(at: usize) -> String {
    format!("batch-{at:03}")
}

fn ended(at: usize, confidence: u8) -> Value {
    json!({"event": "task_ended", "entry": {"task": id(at), "goal": format!("Goal <{at}>"), "status": "applied", "commit": "c0de",
        "touched_files": ["a.js"], "added": 1, "removed": 1, "rung": null, "verdict": "pass", "attempts": 1,
        "confidence": confidence, "reasons": [], "notes": ["look <here>"], "at": "2026-01-31T12:00:00.000Z"}})
}

fn waits() -> [Value; 2] {
    [json!({"event": "entered", "node": "decide", "ms": 0}), json!({"event": "waiting"})]
}

/// The task waits at the gate.
fn gate(at: usize) -> Vec<Value> {
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

const PATCH: &str = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-f();\n+g(\"<img src=x onerror=alert(1)>\");\n";

fn shown(site: &TestSite, query: &[(&str, &str)]) -> String {
    site.page(page, &[("run", RUN)], query).unwrap()
}

#[track_caller]
fn has(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn ux4_the_changes_of_a_run_are_reviewed_least_sure_first() {
    let mut events = vec![ended(1, 90), ended(2, 40)];
    events.extend(waits());
    let site = site(2, &events);
    write(&site, "report/tasks/batch-001.patch", PATCH);
    let parts = json!([{"what": "tests pass", "points": 45}, {"what": "no <proof>", "points": -5}]);
    let report = json!({"tasks": [{"task": id(2), "confidence": {"score": 40, "parts": parts}}]});
    write(&site, "report/validation-report.json", &report.to_string());
    let page = shown(&site, &[]);
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}\n{page}"));
    assert!(at("href=\"#batch-002\"") < at("href=\"#batch-001\""));
    assert!(at("id=\"batch-002\"") < at("id=\"batch-001\""));
    has(
        &page,
        &[
            "<h1>Use &lt;b&gt; &amp; promises</h1>",
            "2 changes, the least sure first",
            "<b>−5</b> no &lt;proof&gt;",
            "<b>+45</b> tests pass",
            "look &lt;here&gt;",
            "proposed by model",
            "The diff is written at the end of the run.",
            "value=\"accept\" class=\"primary\" data-key=\"A\"",
            "value=\"reject\" class=\"danger\" data-key=\"R\"",
            "<span class=\"f\">g</span>(<span class=\"s\">&quot;&lt;img src=x onerror=alert(1)&gt;&quot;</span>);",
        ],
    );
    assert!(!page.contains("<img"));
}

#[test]
fn ux4_a_task_at_the_gate_is_decided_beside_its_diff() {
    let mut events = vec![ended(1, 20)];
    events.extend(gate(2));
    let site = site(3, &events);
    write(&site, "proposals/batch-002.diff", PATCH);
    let finding = json!({"path": "a.js", "line": 1, "kind": "syntax_error", "severity": "error", "message": "not <closed>", "cause": null});
    let audit = json!({"findings": [finding], "allowed": [], "refused": [], "residue": {"removed": 0, "lost": []},
        "verdict": "fail", "reasons": []});
    write(&site, "verify/batch-002-audit.json", &audit.to_string());
    let page = shown(&site, &[]);
    assert!(page.find("id=\"batch-002\"") < page.find("id=\"batch-001\""), "{page}");
    has(
        &page,
        &[
            "waiting for you",
            "action=\"/runs/20260131T120000Z/decision\"",
            "<input type=\"hidden\" name=\"key\"",
            "name=\"task\" value=\"batch-002\"",
            "<textarea name=\"comment\" rows=\"2\" data-key=\"r\">",
            "value=\"accept\" class=\"primary\" data-key=\"a\"",
            "<b>Error</b> <span>not &lt;closed&gt;</span>",
            "<b>−5</b> large &lt;change&gt;",
        ],
    );
    assert!(!page.contains("data-key=\"A\""), "the run does not wait");
}

#[test]
fn ux4_many_diffs_are_loaded_when_they_are_opened() {
    let many = 500;
    let mut events: Vec<Value> = (1..=many).map(|at| ended(at, 50)).collect();
    events.extend(waits());
    let site = site(many, &events);
    let lines = "+line\n".repeat(200);
    let patch =
        format!("diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,200 @@\n{lines}");
    for at in 1..=many {
        write(&site, &format!("report/tasks/{}.patch", id(at)), &patch);
    }
    let page = shown(&site, &[("layout", "split")]);
    assert_eq!(page.matches("<details class=\"change\"").count(), many);
    assert_eq!(page.matches("data-diff=").count(), many - 8);
    has(
        &page,
        &[
            "data-diff=\"/runs/20260131T120000Z/review/batch-500?layout=split\"",
            "&amp;task=batch-500#batch-500",
        ],
    );
    assert!(page.len() < 1_500_000, "{}", page.len());
    let asked = shown(&site, &[("task", "batch-500")]);
    assert_eq!(asked.matches("data-diff=").count(), many - 9);
}

#[test]
fn ux4_the_diff_of_one_task_is_a_fragment() {
    let mut events = vec![ended(1, 90)];
    events.extend(waits());
    let site = site(1, &events);
    write(&site, "report/tasks/batch-001.patch", PATCH);
    let fragment = |task_id: &str| {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let params = vec![pair("run", RUN), pair("task", task_id)];
        let query = vec![pair("layout", "split")];
        task(&site.site, &Request { params, query, ..Request::default() })
    };
    let Ok(Reply::Fragment(page)) = fragment("batch-001") else { panic!("no fragment") };
    let page = page.done();
    has(
        &page,
        &["<details class=\"file\" id=\"batch-001-0\" open=\"\">", "<table class=\"diff split\""],
    );
    assert!(fragment("batch-002").is_err());
    assert!(fragment("../batch-001").is_err());
}

#[test]
fn ux4_a_run_without_changes_says_so() {
    has(&shown(&site(1, &[]), &[]), &["No task has changed anything."]);
}
