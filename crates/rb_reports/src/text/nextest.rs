//! nextest on the terminal (standard error). Tests left out by `#[ignore]` or a filter are summed up, not listed.

use std::collections::BTreeMap;

use super::{ClosedReport, Lines, Words, nothing_found, sums};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

const WORDS: Words =
    Words { passed: &["passed"], failed: &["failed", "timed", "exec"], skipped: &["skipped"] };

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    read_results(lines, root).or_else(|| nothing_found(lines, &["error: no tests to run"], root))
}

fn read_results(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, summary) = lines.last(|line| {
        let (run, sum) = line.trim_start().strip_prefix("Summary [")?.split_once(" run: ")?;
        run.contains(" test").then(|| sums(sum, &[','], &WORDS).unwrap_or_default())
    })?;
    // Retried, a test stands there more than once: the last try counts.
    let mut tests: BTreeMap<(&str, &str), Outcome> = BTreeMap::new();
    for line in lines.before(at) {
        if let Some((binary, name, outcome)) = result(line) {
            tests.insert((binary, name), outcome);
        }
    }
    let mut out = Collector::new(root.clone());
    for ((binary, name), outcome) in tests {
        out.test(&FoundTest {
            path: vec![binary, name],
            outcome: Some(outcome),
            ..FoundTest::default()
        });
    }
    let unlisted = if out.counts().skipped == 0 { 0 } else { summary.skipped };
    Some(ClosedReport { report: out.finish_with(Counts { skipped: unlisted, ..summary }), at })
}

/// `        PASS [   0.008s] ( 1/12) demo tests::adds`
fn result(line: &str) -> Option<(&str, &str, Outcome)> {
    let (word, rest) = line.strip_prefix("   ")?.split_once(" [")?;
    let (time, rest) = rest.split_once("s] ")?;
    time.trim().parse::<f64>().ok()?;
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((count, rest)) if count.contains('/') => rest,
        Some(_) | None => rest,
    };
    let (binary, name) = rest.trim_start().split_once(' ')?;
    let outcome = match word.split_whitespace().last()? {
        "PASS" | "LEAK" => Outcome::Passed,
        "SKIP" => Outcome::Skipped,
        "FAIL" | "TIMEOUT" | "ABORT" | "XFAIL" | "LEAK-FAIL" => Outcome::Failed,
        signal if signal.starts_with("SIG") => Outcome::Failed,
        _ => return None,
    };
    Some((binary, name, outcome))
}
