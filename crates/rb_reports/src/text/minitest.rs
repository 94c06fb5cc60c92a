//! minitest and test-unit: with `-v` a line a test, otherwise the failures.

use super::{ClosedReport, Lines, numbers};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, summary) = lines.last(closing)?;
    let mut out = Collector::new(root.clone());
    let told: Vec<&str> = lines.before(at).collect();
    let mut open = None;
    for line in &told {
        // What a test prints stands between its name and its result.
        let (name, rest) = match line.split_once(" = ") {
            Some((name, rest)) if name.contains('#') && !name.contains(' ') => (Some(name), rest),
            Some(_) | None => (None, *line),
        };
        open = name.or(open);
        if let (Some(name), Some(outcome)) = (open, result(rest)) {
            out.test(&found(name, outcome));
            open = None;
        }
    }
    if out.is_empty() {
        for (heading, name) in told.iter().zip(told.iter().skip(1)) {
            let failed = heading.ends_with(") Failure:") || heading.ends_with(") Error:");
            if failed && name.contains('#') {
                let name = name.split([' ', ':']).next().unwrap_or(name);
                out.test(&found(name, Outcome::Failed));
            }
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

fn found(name: &str, outcome: Outcome) -> FoundTest<'_> {
    FoundTest {
        path: name.splitn(2, '#').collect(),
        outcome: Some(outcome),
        ..FoundTest::default()
    }
}

/// `0.00 s = F`
fn result(text: &str) -> Option<Outcome> {
    let (time, mark) = text.split_once(" s = ")?;
    time.trim().parse::<f64>().ok()?;
    match mark.trim() {
        "." => Some(Outcome::Passed),
        "F" | "E" => Some(Outcome::Failed),
        "S" => Some(Outcome::Skipped),
        _ => None,
    }
}

/// `5 runs, 2 assertions, 1 failures, 1 errors, 1 skips`
fn closing(line: &str) -> Option<Counts> {
    let count = |words: &[&str]| {
        numbers(line, &[',']).find(|(_, w)| words.contains(w)).map(|(count, _)| count)
    };
    count(&["assertions"])?;
    let all = count(&["runs", "tests"])?;
    let failed = count(&["failures"])?.saturating_add(count(&["errors"])?);
    let skipped = count(&["skips", "omissions"])
        .unwrap_or(0)
        .saturating_add(count(&["pendings"]).unwrap_or(0));
    Some(Counts { passed: all.saturating_sub(failed.saturating_add(skipped)), failed, skipped })
}
