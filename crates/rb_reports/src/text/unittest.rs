//! Python's unittest, which reports on standard error.
//!
//! A failed subtest fails its test. A module that cannot be imported, and a failed `setUpClass`, are troubles.

use std::collections::BTreeMap;

use super::{ClosedReport, Lines};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, ran) = lines.last(|line| {
        let rest = line.strip_prefix("Ran ")?;
        rest.contains(" in ").then(|| rest.split(' ').next()?.parse::<u64>().ok())?
    })?;
    let verdicts = ["OK", "FAILED", "NO TESTS RAN"];
    let verdict =
        lines.after(at).find(|line| verdicts.iter().any(|verdict| line.starts_with(verdict)));
    let verdict = verdict.unwrap_or_default();
    let mut out = Collector::new(root.clone());
    let told: Vec<&str> = lines.before(at).collect();
    let rule = told.iter().position(|line| line.len() > 60 && line.bytes().all(|b| b == b'='));
    let (listed, shown) = told.split_at(rule.unwrap_or(told.len()));
    let (failed, unloaded) = failures(shown, &mut out);
    let unexpected = in_verdict(verdict, "unexpected successes");
    let skipped =
        in_verdict(verdict, "skipped").saturating_add(in_verdict(verdict, "expected failures"));
    let failures = unexpected.saturating_add(failed.len() as u64);
    let passed = ran.saturating_sub(unloaded).saturating_sub(failures).saturating_sub(skipped);
    let mut tests = list(listed);
    tests.extend(failed);
    for (test, outcome) in &tests {
        out.test(&FoundTest {
            path: vec![test.class, test.name],
            outcome: Some(*outcome),
            ..FoundTest::default()
        });
    }
    if verdict.is_empty() || (verdict.starts_with("FAILED") && failures == 0 && unloaded == 0) {
        out.trouble(None, "the run failed, and no test of it is named");
    }
    Some(ClosedReport { report: out.finish_with(Counts { passed, failed: failures, skipped }), at })
}

/// The tests whose failures are shown, and how many modules could not be loaded.
fn failures<'a>(shown: &[&'a str], out: &mut Collector) -> (BTreeMap<Test<'a>, Outcome>, u64) {
    let (mut failed, mut unloaded) = (BTreeMap::new(), 0);
    for line in shown {
        let header = line.strip_prefix("ERROR: ").or_else(|| line.strip_prefix("FAIL: "));
        match header.and_then(test) {
            Some(test) if test.class.contains("_FailedTest") => {
                unloaded += 1;
                out.trouble(None, &format!("{} cannot be loaded", test.name));
            }
            Some(test) if test.name.starts_with("setUp") || test.name.starts_with("tearDown") => {
                out.trouble(None, line);
            }
            Some(test) => {
                failed.insert(test, Outcome::Failed);
            }
            None => {}
        }
    }
    (failed, unloaded)
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Test<'a> {
    class: &'a str,
    name: &'a str,
}

/// `test_adds (test_u.Math.test_adds)`; before Python 3.11 the parentheses held the class alone.
fn test(text: &str) -> Option<Test<'_>> {
    let (name, rest) = text.trim().split_once(" (")?;
    let class = rest.split(')').next()?;
    let class = class.strip_suffix(name).map_or(class, |class| class.trim_end_matches('.'));
    (!name.contains(' ')).then_some(Test { class, name })
}

/// The list of `-v`. The result may stand behind a line of the test's doc, or behind what it printed.
fn list<'a>(lines: &[&'a str]) -> BTreeMap<Test<'a>, Outcome> {
    let mut tests = BTreeMap::new();
    let mut open = None;
    for line in lines {
        let (before, after) = line.split_once(" ... ").unwrap_or((line, line));
        open = test(before).filter(|_| !line.starts_with(' ')).or(open);
        if let (Some(test), Some(outcome)) = (open, outcome(after)) {
            open = None;
            if !test.class.contains("_FailedTest") {
                tests.insert(test, outcome);
            }
        }
    }
    tests
}

fn outcome(text: &str) -> Option<Outcome> {
    match text.trim() {
        "ok" => Some(Outcome::Passed),
        "FAIL" | "ERROR" | "unexpected success" => Some(Outcome::Failed),
        "expected failure" => Some(Outcome::Skipped),
        text if text.starts_with("skipped '") || text.starts_with("skipped \"") => {
            Some(Outcome::Skipped)
        }
        _ => None,
    }
}

/// `FAILED (failures=2, errors=2, skipped=1, expected failures=1)`
fn in_verdict(verdict: &str, word: &str) -> u64 {
    let inner = verdict.split_once('(').map_or("", |(_, inner)| inner.trim_end_matches(')'));
    let mut parts = inner.split(", ").filter_map(|part| part.split_once('='));
    parts.find(|(name, _)| *name == word).and_then(|(_, count)| count.parse().ok()).unwrap_or(0)
}
