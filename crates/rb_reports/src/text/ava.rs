//! ava on the terminal. It sums up only part of its results, so that the list is the record.

use super::{ClosedReport, Lines, nothing_found, without_time};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::Outcome;

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    read_results(lines, root)
        .or_else(|| nothing_found(lines, &["✘ No tests found", "✘ Couldn't find any files"], root))
}

fn read_results(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, ()) = lines.last(|line| closing(line).map(|_| ()))?;
    let mut out = Collector::new(root.clone());
    for line in lines.before(at).filter_map(|line| line.strip_prefix("  ")) {
        if let Some((outcome, name)) = mark(line) {
            let path = without_time(name).split(" › ").collect();
            out.test(&FoundTest { path, outcome: Some(outcome), ..FoundTest::default() });
        } else if let Some(what) = line.strip_prefix("✘ ") {
            out.trouble(None, what);
        }
    }
    let counts = out.counts();
    for (count, what) in lines.iter().filter_map(closing) {
        let wrong = match what {
            "test failed" | "tests failed" => counts.failed != count,
            "test passed" | "tests passed" => counts.passed != count,
            _ => true,
        };
        if wrong {
            out.trouble(None, &format!("{count} {what}"));
        }
    }
    Some(ClosedReport { report: out.finish(), at })
}

/// Lines at the end, of results and of what went wrong outside of tests.
fn closing(line: &str) -> Option<(u64, &str)> {
    let (count, what) = line.strip_prefix("  ")?.split_once(' ')?;
    let known =
        ["test failed", "tests failed", "test passed", "tests passed", "uncaught exception"];
    let more = ["uncaught exceptions", "unhandled rejection", "unhandled rejections"];
    let count = count.parse().ok()?;
    known.iter().chain(&more).any(|word| *word == what).then_some((count, what))
}

fn mark(line: &str) -> Option<(Outcome, &str)> {
    let (mark, rest) = line.split_once(' ')?;
    match mark {
        "✔" => Some((Outcome::Passed, rest.strip_prefix("[expected fail] ").unwrap_or(rest))),
        "✘" => Some((Outcome::Failed, rest.strip_prefix("[fail]: ")?)),
        "-" => Some((
            Outcome::Skipped,
            rest.strip_prefix("[skip] ").or_else(|| rest.strip_prefix("[todo] "))?,
        )),
        _ => None,
    }
}
