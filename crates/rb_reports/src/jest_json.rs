//! Jest's `--json`, which vitest's `json` reporter writes too.
//!
//! A suite that failed though no test in it did could not be loaded or broke in a hook: a trouble.

use serde::Deserialize;

use crate::clean::Root;
use crate::collect::{Collector, FoundTest, millis};
use crate::json::{last_document, many};
use crate::report::{Counts, Outcome, Report, ReportError};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    test_results: Vec<Suite>,
    success: Option<bool>,
    num_passed_tests: Option<u64>,
    num_failed_tests: Option<u64>,
    #[serde(default)]
    num_pending_tests: u64,
    #[serde(default)]
    num_todo_tests: u64,
    #[serde(default)]
    num_runtime_error_test_suites: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Suite {
    #[serde(default)]
    name: String,
    #[serde(default)]
    status: String,
    message: Option<String>,
    test_exec_error: Option<ExecError>,
    #[serde(default)]
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
struct ExecError {
    message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    title: String,
    status: String,
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Vec<Option<String>>,
    location: Option<Location>,
}

#[derive(Deserialize)]
struct Location {
    line: Option<u32>,
}

pub(crate) fn read(text: &str, root: &Root) -> Result<Report, ReportError> {
    let (document, documents): (Document, _) = last_document(text)?;
    let mut out = Collector::new(root.clone());
    for suite in &document.test_results {
        read_suite(suite, &mut out);
    }
    if let (Some(passed), Some(failed)) = (document.num_passed_tests, document.num_failed_tests) {
        let skipped = document.num_pending_tests.saturating_add(document.num_todo_tests);
        out.check(Counts { passed, failed, skipped });
    }
    if let Some(message) = many(documents) {
        out.trouble(None, &message);
    }
    let mut report = out.finish();
    let unexplained = report.troubles.is_empty() && report.counts.failed == 0;
    if unexplained
        && (document.success == Some(false) || document.num_runtime_error_test_suites > 0)
    {
        let message = if report.counts.total() == 0 && document.test_results.is_empty() {
            // `--passWithNoTests` not given: no suite is the whole of it, and that is a verdict of its own.
            None
        } else {
            Some("the runner says that the run failed, and names no reason")
        };
        report.troubles.extend(
            message.map(|message| crate::Trouble { file: None, message: message.to_owned() }),
        );
    }
    Ok(report)
}

fn read_suite(suite: &Suite, out: &mut Collector) {
    let mut failed = false;
    for test in &suite.assertion_results {
        let outcome = match test.status.as_str() {
            "passed" => Outcome::Passed,
            "pending" | "skipped" | "todo" | "disabled" | "focused" => Outcome::Skipped,
            _ => Outcome::Failed,
        };
        failed |= outcome == Outcome::Failed;
        let mut path: Vec<&str> = test.ancestor_titles.iter().map(String::as_str).collect();
        path.push(&test.title);
        let message: Vec<&str> =
            test.failure_messages.iter().flatten().map(String::as_str).collect();
        out.test(&FoundTest {
            file: Some(&suite.name),
            located: None,
            line: test.location.as_ref().and_then(|location| location.line),
            path,
            outcome: Some(outcome),
            ms: test.duration.and_then(millis),
            message: Some(&message.join("\n")),
        });
    }
    let exec_error =
        suite.test_exec_error.as_ref().map(|error| error.message.as_deref().unwrap_or_default());
    if exec_error.is_some() || (suite.status == "failed" && !failed) {
        let said = suite.message.as_deref().filter(|message| !message.trim().is_empty());
        let message = said.or(exec_error).unwrap_or("the suite failed to run");
        out.trouble(Some(&suite.name), message);
    }
}
