//! Statements with effects that a task deleted and put nowhere again: what a reviewer looks at first.

use std::fmt::Write as _;

use rb_core::{at_most, plural};

use super::record;
use crate::report::facts::{Facts, TaskFacts};
use crate::report::markdown::{code, plain};

/// The most statements of a task that are named; all are in the report.
const NAMED: usize = 10;

/// Nothing where none were removed.
pub(super) fn section(facts: &Facts) -> String {
    let tasks: String = facts.standing().map(|task| removed(facts, task)).collect();
    if tasks.is_empty() {
        return tasks;
    }
    format!(
        "## Removed behaviour\n\nThese statements had an effect. They were deleted, and nothing takes their place: review them first.\n\n{tasks}"
    )
}

fn removed(facts: &Facts, task: &TaskFacts) -> String {
    let Some(examination) = &task.examination else { return String::new() };
    let lines: Vec<String> = examination
        .removed()
        .map(|it| {
            let place = code(&format!("{}:{}", it.path, it.line));
            let tests =
                if examination.is_reached(it) { "" } else { " (no test imports this file)" };
            format!("{place}: {}{tests}", plain(&it.message))
        })
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let at = facts.tasks.iter().position(|other| other.id() == task.id()).unwrap_or(0);
    let mut text = format!(
        "- {} {}: {} ({})",
        task.id(),
        plain(&task.history.task.title()),
        plural(lines.len(), "statement"),
        record("audit", &format!("/tasks/{at}/audit"))
    );
    if facts.history.state.unvouched().contains(&task.id()) {
        text.push_str(". **No test reaches this, and no critic or person has agreed to it.**");
    }
    text.push('\n');
    for line in at_most(NAMED, lines.into_iter()) {
        let _ = writeln!(text, "  - {line}");
    }
    text
}
