//! mocha's `spec` reporter.

use super::{ClosedReport, Lines, Outline, nothing_found, without_time};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};
use crate::tap_line::indent;

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let mut out = Collector::new(root.clone());
    // Nothing but this is printed when a file cannot be loaded.
    let broken = lines
        .last(|line| line.trim_start().strip_prefix("Exception during run: ").map(str::to_owned));
    let Some((at, passed)) = lines.last(|line| sum(line, "passing")) else {
        let Some((at, message)) = broken else {
            return nothing_found(lines, &["Error: No test files found"], root);
        };
        out.trouble(None, &message);
        return Some(ClosedReport { report: out.finish(), at });
    };
    let mut summary = Counts { passed, ..Counts::default() };
    for line in lines.after(at).take_while(|line| !line.is_empty()) {
        summary.failed = sum(line, "failing").unwrap_or(summary.failed);
        summary.skipped = sum(line, "pending").unwrap_or(summary.skipped);
    }
    let mut outline = Outline::default();
    for line in lines.before(at).filter(|line| line.starts_with("  ")) {
        match mark(line.trim()) {
            Some((outcome, name)) => {
                let path = outline.path(indent(line), without_time(name));
                out.test(&FoundTest { path, outcome: Some(outcome), ..FoundTest::default() });
            }
            None => outline.enter(indent(line), line.trim()),
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

/// `  4 passing (17ms)`
fn sum(line: &str, word: &str) -> Option<u64> {
    let mut words = line.strip_prefix("  ")?.split(' ');
    let count = words.next()?.parse().ok()?;
    (words.next() == Some(word)).then_some(count)
}

fn mark(told: &str) -> Option<(Outcome, &str)> {
    let (mark, name) = told.split_once(' ')?;
    match mark {
        "✔" | "✓" | "√" => Some((Outcome::Passed, name)),
        "-" => Some((Outcome::Skipped, name)),
        _ => {
            mark.strip_suffix(')')?.parse::<u64>().ok()?;
            Some((Outcome::Failed, name))
        }
    }
}
