//! Runs as journals, and the page that they give.

use std::path::Path;

use rb_core::process::Cmd;
use serde_json::{Value, json};

use super::testing::{RUN, ended, gate, id, site, waits, write};
use super::{page, task};
use crate::pages::code::testing::TestSite;
use crate::reply::Reply;
use crate::request::Request;

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

#[test]
fn ux4_the_review_follows_the_run_to_the_next_change_that_waits() {
    let gated = site(3, &gate(2));
    write(&gated, "proposals/batch-002.diff", PATCH);
    let page = shown(&gated, &[("layout", "split")]);
    has(
        &page,
        &[
            "<div id=\"review\" data-waits=\"batch-002\" data-events=\"/runs/20260131T120000Z/events\">",
            "<input type=\"hidden\" name=\"layout\" value=\"split\">",
        ],
    );
    let mut events = vec![ended(1, 90)];
    events.extend(waits());
    has(&shown(&site(1, &events), &[]), &["data-waits=\"run\""]);
    let going_on = shown(&site(2, &[ended(1, 90)]), &[]);
    has(&going_on, &["<div id=\"review\" data-waits=\"\" data-events="]);
}

#[test]
fn ux4_while_a_decision_is_carried_out_there_is_none_to_be_made() {
    let site = site(3, &gate(2));
    write(&site, "proposals/batch-002.diff", PATCH);
    assert!(shown(&site, &[]).contains("data-key=\"a\""));
    let host = &site.site.host;
    let sleep = Cmd::new(Path::new("/bin/sleep"), &host.env).args(["600"]);
    site.site.jobs.start(Some(&RUN.parse().unwrap()), &["accept"], sleep);
    let page = shown(&site, &[]);
    site.site.jobs.end();
    has(
        &page,
        &[
            "data-waits=\"\"",
            "Your decision is being carried out.",
            "The next change that waits opens here.",
            "id=\"batch-002\"",
        ],
    );
    assert!(!page.contains("data-key=\"a\"") && !page.contains("waiting for you"), "{page}");
}

#[test]
fn ux4_the_other_layout_shows_the_same_change() {
    let mut events = vec![ended(1, 90), ended(2, 40)];
    events.extend(waits());
    let site = site(2, &events);
    let page = shown(&site, &[("task", "batch-001")]);
    has(&page, &["review?layout=split&amp;task=batch-001#batch-001\" data-key=\"s\""]);
    let page = shown(&site, &[("task", "\"><b>")]);
    assert!(!page.contains("task=\"") && !page.contains("><b>\""), "{page}");
}

#[test]
fn ux4_a_task_of_a_plan_shows_the_diff_that_is_proposed_for_it() {
    let confirm = json!({"event": "entered", "node": "confirm", "ms": 0});
    let site = site(2, &[confirm, json!({"event": "waiting"})]);
    write(&site, "proposals/batch-001.patch", PATCH);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let ask = |task_id: &str, query: Vec<(String, String)>| {
        let params = vec![pair("run", RUN), pair("task", task_id)];
        task(&site.site, &Request { params, query, ..Request::default() })
    };
    let Ok(Reply::Fragment(page)) = ask("batch-001", Vec::new()) else { panic!("no fragment") };
    has(&page.done(), &["<table class=\"diff unified\"", "<span class=\"f\">g</span>"]);
    let Ok(Reply::File { content_type, bytes }) = ask("batch-001", vec![pair("form", "patch")])
    else {
        panic!("no patch")
    };
    assert_eq!((content_type, bytes), ("text/plain; charset=utf-8", PATCH.as_bytes().to_vec()));
    assert!(ask("batch-002", vec![pair("form", "patch")]).is_err());
    assert!(ask("batch-003", Vec::new()).is_err());
}

#[test]
fn ux4_a_diff_that_is_too_long_leads_to_its_patch() {
    let mut events = vec![ended(1, 90)];
    events.extend(waits());
    let site = site(1, &events);
    let lines = "+line\n".repeat(2500);
    let patch =
        format!("diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,2500 @@\n{lines}");
    write(&site, "report/tasks/batch-001.patch", &patch);
    let link =
        "<a href=\"/runs/20260131T120000Z/review/batch-001?form=patch\">Open the whole patch</a>";
    has(&shown(&site, &[]), &["1000 more lines not shown", link]);
}

/// A ticket that waits, with a finding and a change of two files.
fn ticket() -> TestSite {
    let site = site(1, &[]);
    let ticket = json!({"key": "T-1", "title": "Dark <mode>", "summary": "", "requirements": [], "criteria": [], "hints": {"paths": [], "symbols": [], "urls": []},
        "attachments": [], "stripped": [], "suspicious": [], "source": "stdin", "text": "", "truncated": false});
    let start = json!({"event": "run_started", "run": RUN, "workflow": {"name": "ticket"}, "ticket": ticket, "repo": "/shop",
        "kind": "git", "scope": null, "allow_dirty": false, "orders": {}});
    let task = json!({"event": "assigned", "task": {"id": id(1), "goal": "g", "kind": {"kind": "change"}}});
    let all = [start, task].into_iter().chain([ended(1, 90)]).chain(waits());
    let mut journal = String::new();
    for (seq, event) in (1..).zip(all) {
        let mut record = json!({"v": 5, "seq": seq, "at": "2026-01-31T12:00:00.000Z"});
        record.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        journal.extend([record.to_string().as_str(), "\n"]);
    }
    write(&site, "journal.jsonl", &journal);
    write(&site, "report/change.diff", PATCH);
    let finding = json!({"path": "a.js", "line": 1, "kind": "syntax_error", "severity": "error", "message": "not <closed>", "cause": null});
    let audit = json!({"findings": [finding], "allowed": [], "refused": [], "residue": {"removed": 0, "lost": []},
        "verdict": "fail", "reasons": []});
    write(&site, "verify/batch-001-audit.json", &audit.to_string());
    site
}

#[test]
fn ux4_the_change_of_a_ticket_is_reviewed_like_any_other() {
    let site = ticket();
    let page = shown(&site, &[]);
    has(
        &page,
        &[
            "Dark &lt;mode&gt;</h1>",
            "<table class=\"diff unified\"",
            "<b>Error</b> <span>not &lt;closed&gt;</span>",
            "href=\"/runs/20260131T120000Z/review?layout=split\" data-key=\"s\"",
            "data-key=\"A\"",
            "data-key=\"R\"",
            "id=\"keys\"",
        ],
    );
    has(&shown(&site, &[("layout", "split")]), &["<table class=\"diff split\""]);
}
