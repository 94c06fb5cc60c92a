//! vitest on the terminal. The default reporter lists the tests of files with a failure, the verbose one all.

use super::{ClosedReport, Lines, Words, nothing_found, sums, without_time};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::Outcome;
use crate::tap_line::indent;

const WORDS: Words =
    Words { passed: &["passed"], failed: &["failed"], skipped: &["skipped", "todo"] };

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    read_results(lines, root).or_else(|| nothing_found(lines, &["No test files found"], root))
}

fn read_results(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let found = lines.last(|line| {
        let sum = line.trim_start().strip_prefix("Tests  ").filter(|_| line.starts_with("  "))?;
        let sum = sum.trim();
        (sum.ends_with(')') || sum == "no tests")
            .then(|| sums(sum, &['|'], &WORDS).unwrap_or_default())
    });
    // With no test at all only the files are summed up.
    let (at, summary) = match found {
        Some(found) => found,
        None => lines.last(|line| line.starts_with(" Test Files  ").then(Default::default))?,
    };
    let mut out = Collector::new(root.clone());
    let mut file = None;
    for line in lines.before(at) {
        let told = line.trim_start();
        if let Some(suite) = line.strip_prefix(" FAIL  ").and_then(|rest| rest.strip_suffix(" ]")) {
            out.trouble(suite.split_once(" [ ").map(|(name, _)| name), "the suite failed to run");
        } else if let Some(rest) = told.strip_prefix("❯ ").filter(|_| indent(line) == 1) {
            file = rest.split_once(" (").map(|(name, _)| name);
        } else if let Some((outcome, name)) = mark(told) {
            let mut path: Vec<&str> = without_time(name).split(" > ").collect();
            let within =
                if indent(line) == 1 && path.len() > 1 { Some(path.remove(0)) } else { file };
            if indent(line) > 1 || path.len() > 1 || within != file {
                out.test(&FoundTest {
                    file: within,
                    path,
                    outcome: Some(outcome),
                    ..FoundTest::default()
                });
            }
        }
    }
    let errors = lines
        .after(at)
        .chain(lines.before(at))
        .find(|line| line.trim_start().starts_with("Errors  "));
    if let Some(errors) = errors {
        out.trouble(None, &format!("outside of tests: {}", errors.trim()));
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

fn mark(told: &str) -> Option<(Outcome, &str)> {
    let (mark, name) = told.split_once(' ')?;
    match mark {
        "✓" | "√" => Some((Outcome::Passed, name)),
        "×" => Some((Outcome::Failed, name)),
        "↓" => Some((Outcome::Skipped, name)),
        _ => None,
    }
}
