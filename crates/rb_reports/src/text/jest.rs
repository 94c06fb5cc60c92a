//! jest on the terminal: with `--verbose` a line a test, without it the failures alone.

use super::{ClosedReport, Lines, Outline, Words, nothing_found, sums, without_time};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::Outcome;
use crate::tap_line::indent;

const WORDS: Words =
    Words { passed: &["passed"], failed: &["failed"], skipped: &["skipped", "todo", "pending"] };

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    read_results(lines, root).or_else(|| nothing_found(lines, &["No tests found"], root))
}

fn read_results(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, summary) = lines.last(|line| {
        let sum = line.strip_prefix("Tests:  ")?.trim();
        sum.ends_with(" total").then(|| sums(sum, &[','], &WORDS).unwrap_or_default())
    })?;
    // The failures are told again at the end of a long run.
    let told: Vec<&str> =
        lines.before(at).take_while(|line| *line != "Summary of all failing tests").collect();
    let mut out = Collector::new(root.clone());
    let listed = told.iter().any(|line| mark(line).is_some());
    let mut file = None;
    let mut outline = Outline::default();
    for (at, line) in told.iter().enumerate() {
        if let Some(path) = line.strip_prefix("PASS ").or_else(|| line.strip_prefix("FAIL ")) {
            file = Some(without_time(path));
            outline = Outline::default();
        } else if let Some((outcome, name)) = mark(line) {
            let path = outline.path(indent(line), without_time(name));
            out.test(&FoundTest { file, path, outcome: Some(outcome), ..FoundTest::default() });
        } else if let Some(name) = line.strip_prefix("  ● ") {
            let message = said(&told[at + 1..]);
            if name == "Test suite failed to run" {
                out.trouble(file, &message);
            } else if !listed && name.contains(" › ") {
                let (path, outcome) = (name.split(" › ").collect(), Some(Outcome::Failed));
                out.test(&FoundTest {
                    file,
                    path,
                    outcome,
                    message: Some(&message),
                    ..FoundTest::default()
                });
            }
        } else if line.starts_with("  ") {
            outline.enter(indent(line), line.trim());
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

fn mark(line: &str) -> Option<(Outcome, &str)> {
    let (mark, name) = line.strip_prefix("  ")?.trim_start().split_once(' ')?;
    match mark {
        "✓" | "√" => Some((Outcome::Passed, name)),
        "✕" | "×" => Some((Outcome::Failed, name)),
        "○" => Some((Outcome::Skipped, name.strip_prefix("skipped ")?)),
        "✎" => Some((Outcome::Skipped, name.strip_prefix("todo ")?)),
        _ => None,
    }
}

/// What stands under a heading.
fn said(lines: &[&str]) -> String {
    let under = lines.iter().take_while(|line| line.is_empty() || line.starts_with("    "));
    under.take(40).map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}
