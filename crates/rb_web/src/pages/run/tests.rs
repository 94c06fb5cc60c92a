//! The page of a run, and the parts of it that are sent while it goes on.

use serde_json::{Value, json};

use super::{Part, TASK_PARTS, page};
use crate::live::follow;
use crate::pages::code::testing::TestSite;
use crate::pages::review::testing::{RUN, ended, gate, id, site, waits, write};

const PATCH: &str = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-f();\n+g();\n";

fn shown(site: &TestSite) -> String {
    site.page(page, &[("run", RUN)], &[]).unwrap()
}

#[track_caller]
fn has(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

/// The plan of a site waits for a person.
fn planned() -> [Value; 2] {
    [json!({"event": "entered", "node": "confirm", "ms": 0}), json!({"event": "waiting"})]
}

#[test]
fn ux4_the_plan_that_waits_shows_what_each_task_would_change() {
    let site = site(2, &planned());
    write(&site, "proposals/batch-001.patch", PATCH);
    let page = shown(&site);
    has(
        &page,
        &[
            "action=\"/runs/20260131T120000Z/begin\" class=\"plan-form\"",
            "data-tick=\"all\" hidden",
            "<input type=\"checkbox\" name=\"task\" value=\"batch-001\" checked=\"\" aria-label=\"Include batch-001\">",
            "<details data-diff=\"/runs/20260131T120000Z/review/batch-001\">",
            "<b>Goal &lt;1&gt;</b><span class=\"facts\">0 files · model · risk 0</span>",
            "href=\"/runs/20260131T120000Z/review/batch-001?form=patch\"",
            "Its change is made, checked and shown when its turn comes.",
        ],
    );
    assert_eq!(page.matches("data-diff=").count(), 1, "{page}");
    assert!(
        page.contains("<tbody id=\"tasks-0\"></tbody>"),
        "the plan stands for the tasks\n{page}"
    );
}

fn parts(site: &TestSite) -> Vec<Part> {
    follow(&site.site, &RUN.parse().unwrap()).unwrap().parts(&site.site).unwrap()
}

#[test]
fn ux4_a_task_that_ends_sends_its_rows_and_not_those_of_all_others() {
    let many = 400;
    let events: Vec<Value> = (1..=100).map(|at| ended(at, 50)).collect();
    let site = site(many, &events);
    let before = parts(&site);
    let mut last = ended(101, 50);
    let head = json!({"v": 5, "seq": 102, "at": "2026-01-31T12:00:00.000Z"});
    last.as_object_mut().unwrap().extend(head.as_object().unwrap().clone());
    let path = site.repo.beside("home").join("runs").join(RUN).join("journal.jsonl");
    let journal = std::fs::read_to_string(path).unwrap();
    write(&site, "journal.jsonl", &format!("{journal}{last}\n"));
    let after = parts(&site);
    let changed: Vec<&str> = before
        .iter()
        .zip(&after)
        .filter(|(one, other)| one.html != other.html)
        .map(|(part, _)| part.id)
        .collect();
    assert_eq!(changed, ["run-head", "tasks-4"]);
    let rows: usize = after
        .iter()
        .filter(|part| TASK_PARTS.contains(&part.id))
        .map(|part| part.html.as_str().matches("<tr").count())
        .sum();
    assert_eq!(rows, many);
}

#[test]
fn ux4_the_page_has_a_place_for_every_part() {
    let site = site(40, &[ended(1, 90)]);
    let page = shown(&site);
    for part in parts(&site) {
        assert!(page.contains(&format!("id=\"{}\"", part.id)), "{}", part.id);
    }
}

#[test]
fn ux4_what_waits_is_named_for_the_review() {
    has(&shown(&site(2, &gate(2))), &["data-waits=\"batch-002\"", "Review the change"]);
    let mut events = vec![ended(1, 90)];
    events.extend(waits());
    has(&shown(&site(1, &events)), &["data-waits=\"run\"", "Review the diffs"]);
}

#[test]
fn ux4_the_run_offers_its_report() {
    let mut events = vec![ended(1, 90)];
    events.extend(waits());
    let site = site(1, &events);
    let link = format!("href=\"/runs/{RUN}/files/report/report.html\">Report</a>");
    assert!(!shown(&site).contains(&link));
    write(&site, "report/report.html", "<!doctype html>");
    write(&site, "report/validation-report.json", "{}");
    has(&shown(&site), &[&link, "Validation report (JSON)"]);
}

#[test]
fn ux4_the_task_at_hand_is_told_apart() {
    let task = id(2);
    let page = shown(&site(2, &[json!({"event": "task_started", "task": task, "goal": "Goal"})]));
    has(
        &page,
        &[
            "<tr id=\"batch-002\"><td class=\"id\">batch-002</td><td><span class=\"badge open\">begun",
        ],
    );
}
