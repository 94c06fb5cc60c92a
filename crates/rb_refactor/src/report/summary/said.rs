//! What models say beside their patches: the risks that they see in changes that stand, and what could be done and was left alone.

use std::fmt::Write as _;

use rb_core::at_most;

use crate::report::facts::{Facts, Said};
use crate::report::markdown::plain;
use crate::report::words::{FOLLOWUPS, RISKS};

/// The most that is shown of each; all is in the report.
const SHOWN: usize = 5;

pub(super) fn risks(facts: &Facts) -> String {
    section(facts, RISKS, |said| &said.risks)
}

pub(super) fn followups(facts: &Facts) -> String {
    section(facts, FOLLOWUPS, |said| &said.followups)
}

/// Nothing where there are none.
fn section(facts: &Facts, title: &str, list: impl Fn(&Said) -> &Vec<String>) -> String {
    let lines = facts.tasks.iter().flat_map(|task| {
        list(&task.said).iter().map(|words| format!("{} ({})", plain(words), task.id()))
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("## {title}\n\n");
    for line in at_most(SHOWN, lines.into_iter()) {
        let _ = writeln!(text, "- {line}");
    }
    text
}
