//! What a batch of a model's plan asks for, in the terms of a task.

use rb_core::{Stage, VerifierLevel};
use rb_schema::roles::planner::{self, Batch};

use crate::batch_names::NOTE;

/// The planner's prompt names this number.
const LONGEST_NOTE: usize = 2_000;
pub(crate) const LONGEST_REASON: usize = 500;

/// More where the risk asks for it.
pub(crate) fn level(batch: &Batch, risk: u8) -> VerifierLevel {
    match batch.verifier_level {
        planner::VerifierLevel::Full => VerifierLevel::Full,
        planner::VerifierLevel::Fast if risk > 50 => VerifierLevel::Full,
        planner::VerifierLevel::Fast => VerifierLevel::Fast,
    }
}

/// Short words alone; ours where there are none.
pub(crate) fn operations(batch: &Batch, otherwise: &[String]) -> Vec<String> {
    let is_short = |it: &&String| {
        (1..=40).contains(&it.len()) && it.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    };
    let words: Vec<String> =
        batch.allowed_operations.iter().filter(is_short).take(10).cloned().collect();
    if words.is_empty() { otherwise.to_vec() } else { words }
}

/// The stage of a new task, by what it may do: the latest counts.
pub(crate) fn stage(operations: &[String]) -> Stage {
    let of = |word: &String| match word.as_str() {
        "format" => Stage::Format,
        "remove-dead-code" | "remove-import" | "remove-imports" | "clean-imports" => Stage::Clean,
        "add-test" | "add-tests" | "strengthen-tests" | "update-tests" => Stage::Tests,
        "move" | "move-file" | "restructure" | "split-module" | "merge-modules" => {
            Stage::Restructure
        }
        "make-async" | "change-architecture" | "migrate" => Stage::Transform,
        _ => Stage::Small,
    };
    operations.iter().map(of).max().unwrap_or(Stage::Small)
}

pub(crate) fn note(batch: &Batch) -> Option<String> {
    let note = line(batch.notes.as_deref()?, LONGEST_NOTE);
    (!note.is_empty()).then(|| format!("{NOTE}{note}"))
}

/// On one line, without control characters, and not too long.
pub(crate) fn line(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if plain.chars().count() <= most {
        plain
    } else {
        plain.chars().take(most - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use rb_schema::roles::planner::ROLE;
    use serde_json::json;

    use super::*;

    #[test]
    fn rf4_a_planner_knows_how_long_a_note_may_be() {
        let noted = |notes: String| {
            let batch = json!({
                "id": "batch-001", "goal": "Do it", "scope_globs": ["a.js"], "allowed_operations": [],
                "diff_budget_loc": 1, "risk_score": 1, "verifier_level": "fast", "notes": notes,
            });
            note(&serde_json::from_value(batch).expect("a batch")).expect("a note")
        };
        let long = "x".repeat(2_000);
        assert_eq!(noted(long.clone()), format!("{NOTE}{long}"));
        assert!(noted(long + "x").ends_with("x…"));
        assert!(ROLE.prompt.contains("2,000 characters"));
    }
}
