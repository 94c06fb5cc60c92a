//! `go test` on the terminal. With `-v` each test; without it the failures, and one line a package, which then
//! are what is counted. A package line that a test prints cannot be told from Go's own: ask for `-json`.

use std::collections::BTreeMap;

use super::{ClosedReport, Lines};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest, seconds};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, ()) = lines.last(|line| package(line).map(|_| ()))?;
    let verbose = lines.iter().any(|line| line.starts_with("=== RUN   "));
    let mut out = Collector::new(root.clone());
    let mut packages = Counts::default();
    let mut tests: BTreeMap<&str, Option<(Outcome, Option<u64>)>> = BTreeMap::new();
    for line in lines.iter() {
        if let Some(name) = line.strip_prefix("=== RUN   ") {
            tests.entry(name).or_default();
        } else if let Some((name, outcome, ms)) =
            result(line).filter(|(name, ..)| !verbose || tests.contains_key(name))
        {
            tests.insert(name, Some((outcome, ms)));
        } else if let Some((name, outcome, why)) = package(line) {
            // One without tests is no skipped test.
            if outcome != Outcome::Skipped {
                packages.add(outcome);
            }
            let failed = settle(name, outcome, std::mem::take(&mut tests), &mut out);
            if outcome == Outcome::Failed && !failed {
                out.trouble(None, &format!("{name} failed {why}"));
            }
        }
    }
    if !tests.is_empty() {
        settle("", Outcome::Failed, tests, &mut out);
        out.trouble(None, "a package has no result: it stopped before its end");
    }
    let failed = out.counts().failed;
    let report =
        if verbose { out.finish() } else { out.finish_part(Counts { failed, ..packages }) };
    Some(ClosedReport { report, at })
}

/// Gives the tests of a package; whether one of them failed.
fn settle(
    package: &str,
    outcome: Outcome,
    tests: BTreeMap<&str, Option<(Outcome, Option<u64>)>>,
    out: &mut Collector,
) -> bool {
    let mut failed = false;
    for (name, result) in tests {
        // Printed text can hide a result; a package that passed had no failure.
        let (outcome, ms) = result.unwrap_or((outcome, None));
        failed |= outcome == Outcome::Failed;
        out.test(&FoundTest {
            path: vec![package, name],
            outcome: Some(outcome),
            ms,
            ..FoundTest::default()
        });
    }
    failed
}

/// `    --- FAIL: TestSub/same#01 (0.00s)`, also behind text that a test printed without a newline.
fn result(line: &str) -> Option<(&str, Outcome, Option<u64>)> {
    let told = &line[line.find("--- ")? + 4..];
    let (word, rest) = told.split_once(": ")?;
    let outcome = match word {
        "PASS" => Outcome::Passed,
        "FAIL" => Outcome::Failed,
        "SKIP" => Outcome::Skipped,
        _ => return None,
    };
    let (name, time) = rest.strip_suffix("s)")?.rsplit_once(" (")?;
    Some((name, outcome, seconds(time)))
}

/// `ok example.com/demo 0.006s`, with tabs between.
fn package(line: &str) -> Option<(&str, Outcome, &str)> {
    let (word, rest) = line.split_once('\t')?;
    let (name, why) = rest.split_once(['\t', ' ']).unwrap_or((rest, ""));
    match word.trim_end() {
        "ok" => Some((name, Outcome::Passed, why)),
        "FAIL" => Some((name, Outcome::Failed, why)),
        "?" => Some((name, Outcome::Skipped, why)),
        _ => None,
    }
}
