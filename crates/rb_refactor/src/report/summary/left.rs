//! What the run did not do, and why.

use std::fmt::Write as _;

use rb_core::plural;
use rb_plan::{Leftover, Reason, by_reason};

use super::{record, whole_goal};
use crate::report::leftovers::Leftovers;
use crate::report::markdown::{code, plain};

/// The most places named for one reason.
const PLACES: usize = 3;

/// The most reasons given for a task.
const REASONS: usize = 3;

pub(super) fn section(left: &Leftovers, notes: &[String]) -> String {
    let mut text = String::from("## Not changed\n\n");
    let Leftovers { tasks, places, unserved } = left;
    if tasks.is_empty() && places.is_empty() && unserved.is_none() && notes.is_empty() {
        text.push_str("Nothing.\n");
        return text;
    }
    let (open, places): (Vec<Leftover>, Vec<Leftover>) =
        places.iter().cloned().partition(Leftover::is_open_injection);
    open_injections(&mut text, &open);
    for task in tasks {
        let _ = writeln!(text, "- {} {}: **{}**", task.task, plain(&task.title), task.how.words());
        text.push_str(&whole_goal(&task.title, &task.goal));
        for reason in task.reasons.iter().take(REASONS) {
            let _ = writeln!(text, "  - {}", plain(reason));
        }
        if task.reasons.len() > REASONS {
            let _ =
                writeln!(text, "  - and {} more", plural(task.reasons.len() - REASONS, "reason"));
        }
        for failed in &task.failed_tries {
            let _ = writeln!(text, "  - {}", plain(failed));
        }
    }
    for note in notes {
        let _ = writeln!(text, "- Note: {}", plain(note));
    }
    if let Some(unserved) = unserved {
        let _ = writeln!(text, "- Not done: {}", plain(&unserved.why));
        for instead in &unserved.instead {
            let _ = writeln!(text, "  - possible without a model: {}", plain(instead));
        }
        for setting in &unserved.settings {
            let _ = writeln!(text, "  - possible with a model: {}", plain(setting));
        }
    }
    for reason in by_reason(&places) {
        by_one_reason(&mut text, &reason);
    }
    let _ = writeln!(text, "\nFull list: {}.", record("left", "/left"));
    text
}

/// Every query that data from outside still reaches.
fn open_injections(text: &mut String, open: &[Leftover]) {
    for place in open {
        let at = code(&format!("{}:{}", place.path, place.line));
        let (reason, suggestion) = (plain(&place.reason), plain(&place.suggestion));
        let _ = writeln!(text, "- **{at}: {reason}**\n  - To do: {suggestion}");
    }
}

/// How many places one reason left, with a few of them.
fn by_one_reason(text: &mut String, reason: &Reason<'_>) {
    let Reason { words, found_by, places } = reason;
    let size = plural(places.len(), "place");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf9_open_injections_are_told_first_and_one_by_one() {
        let place = |line: u32, reason: &str| Leftover {
            path: "src/x.js".to_owned(),
            line,
            found_by: "sql-parameters".to_owned(),
            what: "id".to_owned(),
            reason: reason.to_owned(),
            suggestion: "look it up in a list of allowed names".to_owned(),
        };
        let mut places: Vec<Leftover> =
            (1..6).map(|it| place(it, "the driver is not known")).collect();
        for line in [10, 20, 30, 40] {
            let reason = format!(
                "open SQL injection: `req.query.sort` reaches the query in src/x.js:{line}; it is a name"
            );
            places.push(place(line, &reason));
        }
        let left = Leftovers { tasks: Vec::new(), places, unserved: None };
        let text = section(&left, &[]);
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        for line in [10, 20, 30, 40] {
            let named = format!("reaches the query in src/x.js:{line}");
            assert!(at(&named) < at("the driver is not known"), "{text}");
        }
    }
}
