//! `RSpec` on the terminal: sums, and the failed examples by file, line and description.

use super::{ClosedReport, Lines, numbers};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, sum) = lines.last(closing)?;
    let mut out = Collector::new(root.clone());
    for line in lines.after(at).filter_map(|line| line.strip_prefix("rspec ")) {
        let (place, name) = line.split_once(" # ").unwrap_or((line, ""));
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let outcome = Some(Outcome::Failed);
        out.test(&FoundTest {
            file: Some(file),
            line: line.parse().ok(),
            path: vec![name],
            outcome,
            ..FoundTest::default()
        });
    }
    if sum.outside > 0 {
        let loading = |line: &&str| line.starts_with("An error occurred while loading ");
        let named = lines.before(at).filter(loading).collect::<Vec<_>>().join("\n");
        out.trouble(None, &format!("{} errors outside of examples\n{named}", sum.outside));
    }
    let passed = sum.examples.saturating_sub(sum.failed.saturating_add(sum.pending));
    let summary = Counts { passed, failed: sum.failed, skipped: sum.pending };
    Some(ClosedReport { report: out.finish_with(summary), at })
}

struct Sum {
    examples: u64,
    failed: u64,
    pending: u64,
    outside: u64,
}

/// `8 examples, 2 failures, 2 pending, 1 error occurred outside of examples`
fn closing(line: &str) -> Option<Sum> {
    let count = |word: &str| {
        numbers(line, &[',']).find(|(_, w)| w.starts_with(word)).map(|(count, _)| count)
    };
    let is_first = line
        .split_once(' ')
        .is_some_and(|(count, rest)| count.parse::<u64>().is_ok() && rest.starts_with("example"));
    is_first.then_some(())?;
    Some(Sum {
        examples: count("example")?,
        failed: count("failure")?,
        pending: count("pending").unwrap_or(0),
        outside: count("error").unwrap_or(0),
    })
}
