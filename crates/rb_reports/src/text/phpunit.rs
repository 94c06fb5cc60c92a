//! `PHPUnit` on the terminal: sums, and the failures by name.

use super::{ClosedReport, Lines};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, summary) = lines.last(closing)?;
    let mut out = Collector::new(root.clone());
    let mut failures = false;
    for line in lines.before(at) {
        if line.starts_with("There was ") || line.starts_with("There were ") {
            failures = line.contains("failure") || line.contains("error");
        } else if let Some((class, name)) = heading(line).filter(|_| failures) {
            let (path, outcome) = (vec![class, name], Some(Outcome::Failed));
            out.test(&FoundTest { path, outcome, ..FoundTest::default() });
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

/// `2) MathTest::testData with data set "b" (false)`
fn heading(line: &str) -> Option<(&str, &str)> {
    let (number, name) = line.split_once(") ")?;
    number.parse::<u64>().ok()?;
    let name = match name.rsplit_once(" (") {
        Some((name, _)) if name.contains(" with data set ") => name,
        Some(_) | None => name,
    };
    name.split_once("::")
}

fn closing(line: &str) -> Option<Counts> {
    if line == "No tests executed!" {
        return Some(Counts::default());
    }
    if let Some(rest) = line.strip_prefix("OK (") {
        let passed = rest.split(' ').next()?.parse().ok()?;
        return rest.contains(" assertion").then_some(Counts { passed, ..Counts::default() });
    }
    let told = line
        .strip_suffix('.')
        .filter(|line| line.starts_with("Tests: ") && line.contains("Assertions: "))?;
    let count = |name| {
        let mut parts = told.split(", ").filter_map(|part| part.split_once(": "));
        parts.find(|(key, _)| *key == name).and_then(|(_, count)| count.parse::<u64>().ok())
    };
    let failed = count("Failures").unwrap_or(0).saturating_add(count("Errors").unwrap_or(0));
    let skipped = count("Skipped").unwrap_or(0).saturating_add(count("Incomplete").unwrap_or(0));
    let passed = count("Tests")?.saturating_sub(failed.saturating_add(skipped));
    Some(Counts { passed, failed, skipped })
}
