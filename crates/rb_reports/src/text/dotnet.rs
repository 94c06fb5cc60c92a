//! `dotnet test` on the terminal: the sums of each assembly, and the tests it names.

use super::{ClosedReport, Lines, without_time};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let mut out = Collector::new(root.clone());
    let mut summary = Counts::default();
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(sum) = sum(line) {
            summary.passed = summary.passed.saturating_add(sum.passed);
            summary.failed = summary.failed.saturating_add(sum.failed);
            summary.skipped = summary.skipped.saturating_add(sum.skipped);
            last = Some(at);
        } else if let Some((name, outcome)) = result(line) {
            let (class, method) = name.rsplit_once('.').unwrap_or(("", name));
            let path = if name.contains('(') { vec![name] } else { vec![class, method] };
            out.test(&FoundTest { path, outcome: Some(outcome), ..FoundTest::default() });
        } else if line.starts_with("The active test run was aborted")
            || line.trim() == "Build FAILED."
        {
            last = Some(at);
            out.trouble(None, line);
        } else if line.starts_with("No test is available in ") {
            last = Some(at);
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at: last? })
}

/// `Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 5 ms - Demo.dll (net8.0)`
fn sum(line: &str) -> Option<Counts> {
    let rest = ["Passed!  - ", "Failed!  - ", "Skipped! - "]
        .iter()
        .find_map(|word| line.trim_start().strip_prefix(word))?;
    let count = |name| {
        let mut parts = rest.split(',').filter_map(|part| part.split_once(':'));
        parts.find(|(key, _)| key.trim() == name)?.1.trim().parse().ok()
    };
    Some(Counts { passed: count("Passed")?, failed: count("Failed")?, skipped: count("Skipped")? })
}

/// `  Failed Demo.MathTest.Subtracts [5 ms]`
fn result(line: &str) -> Option<(&str, Outcome)> {
    let (word, rest) = line.strip_prefix("  ")?.split_once(' ')?;
    let outcome = match word {
        "Passed" => Outcome::Passed,
        "Failed" => Outcome::Failed,
        "Skipped" => Outcome::Skipped,
        _ => return None,
    };
    let (name, time) = rest.strip_suffix(']')?.rsplit_once(" [")?;
    let timed =
        time.starts_with("< ") || without_time(&format!("x {time}")) == "x" || time.ends_with('s');
    timed.then_some((name, outcome))
}
