//! What the run did not do, and why.

use std::fmt::Write as _;

use rb_plan::{Reason, by_reason};

use super::record;
use crate::report::left::Left;
use crate::report::markdown::{code, plain};
use crate::report::words::count;

/// So many places of one reason are named.
const PLACES: usize = 3;

/// So many reasons of a task are told.
const REASONS: usize = 3;

pub(super) fn section(left: &Left, notes: &[String]) -> String {
    let mut text = String::from("## What was left\n\n");
    let Left { tasks, places, unserved } = left;
    if tasks.is_empty() && places.is_empty() && unserved.is_none() && notes.is_empty() {
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
    for note in notes {
        let _ = writeln!(text, "- {}", plain(note));
    }
    if let Some(unserved) = unserved {
        let _ = writeln!(text, "- Not served: {}", plain(&unserved.why));
        for instead in &unserved.instead {
            let _ = writeln!(text, "  - possible without a model: {}", plain(instead));
        }
        for setting in &unserved.settings {
            let _ = writeln!(text, "  - possible with a model: {}", plain(setting));
        }
    }
    for reason in by_reason(places) {
        by_one_reason(&mut text, &reason);
    }
    let _ = writeln!(text, "\nAll of it: {}.", record("left", "/left"));
    text
}

/// How many places one reason left, with a few of them.
fn by_one_reason(text: &mut String, reason: &Reason<'_>) {
    let Reason { words, found_by, places } = reason;
    let size = count(places.len(), "place");
    let who: Vec<String> = found_by.iter().map(|it| code(it)).collect();
    let _ = writeln!(text, "- {size} ({}): {}", who.join(", "), plain(words));
    for place in places.iter().take(PLACES) {
        let at = code(&format!("{}:{}", place.path, place.line));
        // A reason that names something else in each place is said there.
        let own = if place.reason == *words {
            String::new()
        } else {
            format!("; {}", plain(&place.reason))
        };
        let _ = writeln!(text, "  - {at}: {}{own}", plain(&place.what));
    }
    if places.len() > PLACES {
        let _ = writeln!(text, "  - and {} more", places.len() - PLACES);
    }
}
