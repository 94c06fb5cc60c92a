//! What could be wrong, and where to look first.

use std::fmt::Write as _;

use rb_core::plural;

use super::{link, record};
use crate::report::facts::Facts;
use crate::report::markdown::{code, plain};
use crate::report::risk::{RISKY, assess};
use crate::report::validation::file_patch;
use crate::report::words::size;

/// The most files that are named; the whole ranking is in the report.
const FIRST: usize = 5;

pub(super) fn section(facts: &Facts) -> String {
    let risk = assess(facts);
    let mut text = String::from("## Risk assessment\n\n");
    let _ = writeln!(text, "Overall: **{}** ({}).", risk.level.words(), risk.reasons.join("; "));
    if facts.files.is_empty() {
        return text;
    }
    let ranking = record("ranking", "/confidence/files");
    let _ = writeln!(text, "\nReview these first, lowest confidence first ({ranking}):\n");
    for (file, at) in facts.files_by_confidence().into_iter().take(FIRST).zip(1..) {
        let path = code(&file.diff.path.to_string());
        let _ = writeln!(
            text,
            "{at}. {path}: confidence {}, {}, {}{}",
            file.confidence.score,
            size(file.diff.added, file.diff.removed),
            link("patch", &file_patch(file)),
            why(&file.confidence.parts)
        );
    }
    if facts.files.len() > FIRST {
        let _ = writeln!(text, "\nand {}", plural(facts.files.len() - FIRST, "more file"));
    }
    let risky: Vec<_> = facts
        .tasks_by_confidence()
        .into_iter()
        .filter(|task| task.history.task.risk_score >= RISKY)
        .collect();
    if !risky.is_empty() {
        text.push_str("\nHigh-risk tasks:\n\n");
        for task in risky {
            let _ = writeln!(
                text,
                "- {} {}: risk {} of 100",
                task.id(),
                plain(&task.history.task.title()),
                task.history.task.risk_score
            );
        }
    }
    text
}

/// What takes most from the confidence: points that were lost, and points that were not given. A bound of the sum says nothing
/// that the part it comes from does not say.
fn why(parts: &[crate::confidence::Part]) -> String {
    let mut doubts: Vec<&crate::confidence::Part> =
        parts.iter().filter(|it| it.points <= 0 && !it.what.starts_with("at most ")).collect();
    doubts.sort_by_key(|part| part.points);
    let words: Vec<String> = doubts.iter().take(3).map(|part| plain(&part.what)).collect();
    if words.is_empty() { String::new() } else { format!("; {}", words.join("; ")) }
}
