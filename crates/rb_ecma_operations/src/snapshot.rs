//! Outcomes and refusals as text, for the tests of the operations.

use std::fmt::Write;

use crate::plan_one;
use rb_operations::testing::MemoryFiles;
use rb_operations::{FileChange, Operation, Outcome, Refusal};

/// Plans the operation, given as JSON, over a fixture and shows what comes of it: the title, changed files, api, notes, mentions.
pub(crate) fn snapshot(fixture: &str, operation: &str) -> String {
    let operation: Operation = serde_json::from_str(operation).expect("an operation in JSON");
    match plan_one(&MemoryFiles::new(fixture), &operation) {
        Ok(outcome) => show_outcome(&outcome),
        Err(refusal) => show_refusal(&refusal),
    }
}

fn show_outcome(outcome: &Outcome) -> String {
    let mut out = format!("{}\n", outcome.title);
    for (path, change) in &outcome.files {
        match change {
            FileChange::Edited(text) => write!(out, "//- {path}\n{text}"),
            FileChange::Created(text) => write!(out, "//- {path} (created)\n{text}"),
            FileChange::Removed => writeln!(out, "//- {path} (removed)"),
        }
        .expect("a string takes everything");
    }
    let api =
        outcome.api.iter().map(|api| format!("api: {} {} -> {}", api.path, api.before, api.after));
    let notes = outcome.notes.iter().map(|note| format!("note: {note}"));
    let mentions = outcome
        .mentions
        .iter()
        .map(|mention| format!("mention: {}:{}: {}", mention.path, mention.line, mention.text));
    for line in api.chain(notes).chain(mentions) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn show_refusal(refusal: &Refusal) -> String {
    let mut out = format!("refused: {}\n", refusal.reason);
    for place in &refusal.places {
        writeln!(out, "  {}:{}: {}", place.path, place.line, place.what)
            .expect("a string takes everything");
    }
    writeln!(out, "suggestion: {}", refusal.suggestion).expect("a string takes everything");
    out
}
