//! Gradle: failures by name, all tests where the build logs them, and a sum only where something failed.

use super::{ClosedReport, Lines, numbers};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let closing = |line: &str| {
        ["BUILD SUCCESSFUL in ", "BUILD FAILED in "].iter().any(|word| line.starts_with(word))
    };
    let (at, ()) = lines.last(|line| closing(line).then_some(()))?;
    let mut out = Collector::new(root.clone());
    let mut summary: Option<Counts> = None;
    for line in lines.before(at) {
        if let Some((path, outcome)) = result(line) {
            out.test(&FoundTest { path, outcome: Some(outcome), ..FoundTest::default() });
        } else if let Some(sum) = sum(line) {
            let summary = summary.get_or_insert_default();
            summary.passed = summary.passed.saturating_add(sum.passed);
            summary.failed = summary.failed.saturating_add(sum.failed);
            summary.skipped = summary.skipped.saturating_add(sum.skipped);
        } else if line.starts_with("> Compilation failed")
            || line.contains("finished with non-zero exit value")
        {
            out.trouble(None, line.trim_start_matches("> "));
        }
    }
    let report = match summary {
        Some(summary) => out.finish_with(summary),
        // Without a failure Gradle does not say how many tests there were.
        None if out.is_empty() => return None,
        None => out.finish(),
    };
    Some(ClosedReport { report, at })
}

/// `8 tests completed, 1 failed, 1 skipped`
fn sum(line: &str) -> Option<Counts> {
    line.contains(" completed").then_some(())?;
    let count = |word: &str| {
        numbers(line, &[',']).find(|(_, w)| w.starts_with(word)).map(|(count, _)| count)
    };
    let (all, failed, skipped) = (count("test")?, count("failed")?, count("skipped").unwrap_or(0));
    Some(Counts { passed: all.saturating_sub(failed.saturating_add(skipped)), failed, skipped })
}

/// `MathTest > Inner > same() FAILED`
fn result(line: &str) -> Option<(Vec<&str>, Outcome)> {
    let (name, word) = line.rsplit_once(' ')?;
    let outcome = match word {
        "PASSED" => Outcome::Passed,
        "FAILED" => Outcome::Failed,
        "SKIPPED" => Outcome::Skipped,
        _ => return None,
    };
    let is_task = name.starts_with("> Task");
    (name.contains(" > ") && !is_task).then(|| (name.split(" > ").collect(), outcome))
}
