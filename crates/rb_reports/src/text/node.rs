//! node's `spec` reporter, what `node --test` prints to a terminal.

use super::{ClosedReport, Lines, Outline, without_time};
use crate::clean::Root;
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome};
use crate::tap_line::indent;

pub(super) fn read(lines: &Lines, root: &Root) -> Option<ClosedReport> {
    let (at, _) = lines.last(|line| sum(line, "tests"))?;
    let count = |word| lines.after(at).take(8).find_map(|line| sum(line, word)).unwrap_or(0);
    let mut summary = Counts {
        passed: count("pass"),
        failed: count("fail").saturating_add(count("cancelled")),
        skipped: count("skipped").saturating_add(count("todo")),
    };
    let mut out = Collector::new(root.clone());
    let mut outline = Outline::default();
    for line in lines.before(at) {
        let told = line.trim_start();
        let width = indent(line);
        if let Some(name) = told.strip_prefix("▶ ") {
            outline.enter(width, name);
        } else if let Some((outcome, name)) = mark(told) {
            let ends = outline.open.contains(&(width, name));
            let path = outline.path(width, name);
            if outcome == Outcome::Failed && root.names_path(name) {
                summary.failed = summary.failed.saturating_sub(1);
                out.trouble(Some(name), "the file failed to run");
            } else if !ends {
                out.test(&FoundTest { path, outcome: Some(outcome), ..FoundTest::default() });
            }
        }
    }
    Some(ClosedReport { report: out.finish_with(summary), at })
}

/// `ℹ tests 11`
fn sum(line: &str, word: &str) -> Option<u64> {
    line.strip_prefix("ℹ ")?.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
}

fn mark(told: &str) -> Option<(Outcome, &str)> {
    let (mark, rest) = told.split_once(' ')?;
    let (rest, marked) = match rest.rsplit_once(" # ") {
        Some((before, why)) if why.starts_with("SKIP") || why.starts_with("TODO") => (before, true),
        Some(_) | None => (rest, false),
    };
    let name = without_time(rest);
    match mark {
        "✔" | "✖" | "﹣" if marked => Some((Outcome::Skipped, name)),
        "✔" => Some((Outcome::Passed, name)),
        "✖" => Some((Outcome::Failed, name)),
        "﹣" => Some((Outcome::Skipped, name)),
        _ => None,
    }
}
