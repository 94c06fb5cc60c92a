//! What the run did not do, and why.

use std::fmt::Write as _;

use rb_plan::Leftover;

use super::record;
use crate::report::left::Left;
use crate::report::markdown::{code, plain};
use crate::report::words::count;

/// So many places of one kind are named.
const PLACES: usize = 3;

/// So many reasons of a task are told.
const REASONS: usize = 3;

pub(super) fn section(left: &Left) -> String {
    let mut text = String::from("## What was left\n\n");
    let Left { tasks, places, unserved } = left;
    if tasks.is_empty() && places.is_empty() && unserved.is_none() {
        text.push_str("Nothing that the run knows of.\n");
        return text;
    }
    for task in tasks {
        let goal = plain(&task.goal);
        let _ = writeln!(text, "- {} {goal}: **{}**", task.task, task.how.words());
        for reason in task.reasons.iter().take(REASONS) {
            let _ = writeln!(text, "  - {}", plain(reason));
        }
        if task.reasons.len() > REASONS {
            let _ =
                writeln!(text, "  - and {} more", count(task.reasons.len() - REASONS, "reason"));
        }
        for failed in &task.failed_tries {
            let _ = writeln!(text, "  - {}", plain(failed));
        }
    }
    if let Some(unserved) = unserved {
        let _ = writeln!(text, "- Not served: {}", plain(&unserved.why));
        for instead in &unserved.instead {
            let _ = writeln!(text, "  - possible without a model: {}", plain(instead));
        }
    }
    let mut kinds: Vec<&str> = places.iter().map(|place| place.found_by.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of: Vec<&Leftover> = places.iter().filter(|place| place.found_by == kind).collect();
        let _ = writeln!(text, "- {}: {}", code(kind), count(of.len(), "place"));
        for place in of.iter().take(PLACES) {
            let at = code(&format!("{}:{}", place.path, place.line));
            let _ = writeln!(text, "  - {at}: {}; {}", plain(&place.what), plain(&place.reason));
        }
    }
    let _ = writeln!(text, "\nAll of it: {}.", record("left", "/left"));
    text
}
