//! Maven with Surefire or Failsafe: the sums of each module, and the failures by name.

use super::{ClosedReport, Lines};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let mut out = Collector::new(root.clone());
    let mut summary = Counts::default();
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(told) = maven(line) else { continue };
        if let Some(sum) = sum(told) {
            summary.passed = summary.passed.saturating_add(sum.passed);
            summary.failed = summary.failed.saturating_add(sum.failed);
            summary.skipped = summary.skipped.saturating_add(sum.skipped);
            last = Some(at);
        } else if let Some((class, name)) = failure(told) {
            let (path, outcome) = (vec![class, name], Some(Outcome::Failed));
            out.test(&FoundTest { path, outcome, ..FoundTest::default() });
        } else if told == "No tests to run." {
            last = Some(at);
        } else if told.starts_with("COMPILATION ERROR")
            || told.contains("The forked VM terminated without")
        {
            last = Some(at);
            out.trouble(None, told);
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at: last? })
}

/// A line of Maven's own. What a test prints has no such mark.
fn maven(line: &str) -> Option<&str> {
    let marks = ["[INFO] ", "[ERROR] ", "[WARNING] "];
    marks.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

/// `Tests run: 9, Failures: 1, Errors: 1, Skipped: 1`, of a module and not of one class of it.
fn sum(told: &str) -> Option<Counts> {
    if !told.starts_with("Tests run: ") || told.contains("Time elapsed") {
        return None;
    }
    let count = |name| {
        let mut parts = told.split(", ").filter_map(|part| part.split_once(": "));
        parts.find(|(key, _)| *key == name)?.1.trim().parse::<u64>().ok()
    };
    let (ran, skipped) = (count("Tests run")?, count("Skipped")?);
    let failed = count("Failures")?.saturating_add(count("Errors")?);
    Some(Counts { passed: ran.saturating_sub(failed.saturating_add(skipped)), failed, skipped })
}

/// `demo.MathTest.subtracts -- Time elapsed: 0.006 s <<< FAILURE!`, and `subtracts(demo.MathTest)  Time …` of old.
fn failure(told: &str) -> Option<(&str, &str)> {
    let told = told.strip_suffix("<<< FAILURE!").or_else(|| told.strip_suffix("<<< ERROR!"))?;
    if told.starts_with("Tests run:") {
        return None;
    }
    let name = told.split("Time elapsed").next()?.trim().trim_end_matches("--").trim();
    match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
        Some((method, class)) if class.contains('.') => Some((class, method)),
        Some(_) | None => Some(name.rsplit_once('.').unwrap_or(("", name))),
    }
}
