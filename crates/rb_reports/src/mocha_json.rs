//! Mocha's `--reporter json`, printed to standard output behind whatever the tests printed.
//!
//! A failed hook is listed among the failures but not among the tests: it is a trouble. Mocha prints no document
//! at all when a file cannot be loaded.

use serde::Deserialize;
use std::collections::BTreeMap;

use crate::clean::Root;
use crate::collect::{Collector, FoundTest, millis};
use crate::json::{last_document, many};
use crate::report::{Counts, Outcome, Report, ReportError};

#[derive(Deserialize)]
struct Document {
    stats: Stats,
    tests: Vec<Test>,
    #[serde(default)]
    pending: Vec<Test>,
    failures: Vec<Test>,
    passes: Vec<Test>,
}

#[derive(Deserialize)]
struct Stats {
    passes: u64,
    failures: u64,
    #[serde(default)]
    pending: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    title: String,
    full_title: String,
    file: Option<String>,
    duration: Option<f64>,
    err: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    message: Option<String>,
    stack: Option<String>,
}

type Key<'a> = (Option<&'a str>, &'a str);

fn key(test: &Test) -> Key<'_> {
    (test.file.as_deref(), &test.full_title)
}

/// How often each title stands in a list: titles need not be unique.
fn tally(tests: &[Test]) -> BTreeMap<Key<'_>, usize> {
    let mut tally = BTreeMap::new();
    for test in tests {
        *tally.entry(key(test)).or_insert(0) += 1;
    }
    tally
}

fn take<'a>(tally: &mut BTreeMap<Key<'a>, usize>, test: &'a Test) -> bool {
    match tally.get_mut(&key(test)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        Some(_) | None => false,
    }
}

pub(crate) fn read(text: &str, root: &Root) -> Result<Report, ReportError> {
    let (document, documents): (Document, _) = last_document(text)?;
    let mut out = Collector::new(root.clone());
    let (mut failures, mut pending) = (tally(&document.failures), tally(&document.pending));
    let mut passes = tally(&document.passes);
    for test in &document.tests {
        let says_failed =
            test.err.as_ref().is_some_and(|err| err.message.is_some() || err.stack.is_some());
        // Of two tests of one title the error tells which failed; `passes` and `pending` tell the rest.
        let outcome = if says_failed && take(&mut failures, test) {
            Outcome::Failed
        } else if take(&mut pending, test) {
            Outcome::Skipped
        } else if take(&mut passes, test) {
            Outcome::Passed
        } else {
            take(&mut failures, test);
            Outcome::Failed
        };
        out.test(&found(test, outcome));
    }
    let mut troubles = 0;
    for test in document
        .failures
        .iter()
        .filter(|test| failures.get(&key(test)).is_some_and(|left| *left > 0))
    {
        troubles += 1;
        let message = test.err.as_ref().and_then(|err| err.message.as_deref()).unwrap_or_default();
        out.trouble(test.file.as_deref(), &format!("{}: {message}", test.full_title));
    }
    let stats = &document.stats;
    let failed = stats.failures.saturating_sub(troubles);
    out.check(Counts { passed: stats.passes, failed, skipped: stats.pending });
    if let Some(message) = many(documents) {
        out.trouble(None, &message);
    }
    Ok(out.finish())
}

fn found(test: &Test, outcome: Outcome) -> FoundTest<'_> {
    let suites = test.full_title.strip_suffix(test.title.as_str()).unwrap_or_default().trim();
    let message = test.err.as_ref().and_then(|err| err.stack.as_deref().or(err.message.as_deref()));
    FoundTest {
        file: test.file.as_deref(),
        located: None,
        line: None,
        path: vec![suites, &test.title],
        outcome: Some(outcome),
        ms: test.duration.and_then(millis),
        message,
    }
}
