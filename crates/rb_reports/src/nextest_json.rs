//! Events of libtest's JSON, one a line, as nextest (`libtest-json`, `libtest-json-plus`) and libtest write them.
//!
//! A result of a test that was not started is what a test printed, and left out. A test that started and has no
//! result failed: its process ended first. The suites' own sums are not compared: nextest repeats suites.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::clean::Root;
use crate::collect::{Collector, FoundTest, millis};
use crate::report::{Outcome, Report};

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "event")]
    what: String,
    name: Option<String>,
    exec_time: Option<f64>,
    stdout: Option<String>,
    message: Option<String>,
}

#[derive(Default)]
struct Test {
    outcome: Option<Outcome>,
    ms: Option<u64>,
    message: String,
}

pub(crate) fn read(text: &str, root: &Root) -> Option<Report> {
    let mut tests: BTreeMap<String, Test> = BTreeMap::new();
    let (mut any, mut failed_suite) = (false, false);
    for line in text.lines() {
        let Ok(event) = serde_json::from_str::<Event>(line) else { continue };
        match event.kind.as_str() {
            "suite" => {
                any = true;
                failed_suite |= event.what == "failed";
            }
            "test" => take(event, &mut tests),
            _ => {}
        }
    }
    if !any {
        return None;
    }
    let mut out = Collector::new(root.clone());
    for (name, test) in &tests {
        let (binary, path) = name.split_once('$').unwrap_or(("", name));
        let stopped = "it started and has no result: its process ended first";
        out.test(&FoundTest {
            path: vec![binary, path],
            outcome: Some(test.outcome.unwrap_or(Outcome::Failed)),
            ms: test.ms,
            message: Some(if test.outcome.is_none() { stopped } else { &test.message }),
            ..FoundTest::default()
        });
    }
    if failed_suite && !out.has_failed() {
        out.trouble(None, "a suite failed, and no test of it is named");
    }
    Some(out.finish())
}

fn take(event: Event, tests: &mut BTreeMap<String, Test>) {
    let Some(name) = event.name else { return };
    let outcome = match event.what.as_str() {
        "started" => {
            tests.entry(name).or_default();
            return;
        }
        "ok" => Outcome::Passed,
        "ignored" => Outcome::Skipped,
        "failed" | "timeout" => Outcome::Failed,
        _ => return,
    };
    let Some(test) = tests.get_mut(&name) else { return };
    if test.outcome == Some(Outcome::Failed) {
        return;
    }
    test.outcome = Some(outcome);
    test.ms = event.exec_time.and_then(|seconds| millis(seconds * 1000.0));
    if outcome != Outcome::Passed {
        test.message = event.stdout.or(event.message).unwrap_or_default();
    }
}
