//! The names of batches in the words of a model, such as "after batch-002": tasks get other numbers, and their names follow.

use std::collections::BTreeMap;

use rb_core::{Task, TaskId};

/// What a note begins with that a model wrote.
pub(crate) const NOTE: &str = "planner: ";

/// In the place of a batch that is not in the plan: its number may be that of another by now.
const DROPPED: &str = "a batch that was left out";

/// The tasks by what the model calls them.
pub(crate) struct BatchNames(BTreeMap<String, TaskId>);

impl BatchNames {
    pub(crate) fn new(names: impl Iterator<Item = (String, TaskId)>) -> BatchNames {
        BatchNames(names.collect())
    }

    /// `text` with the numbers that the batches have now.
    pub(crate) fn put_into(&self, text: &str) -> String {
        renamed(text, &|name| self.now(name))
    }

    pub(crate) fn put_into_task(&self, task: &mut Task) {
        rename_in(task, &|name| self.now(name));
    }

    fn now(&self, name: &str) -> Option<String> {
        match self.0.get(name) {
            Some(id) => Some(id.to_string()),
            None => name.parse::<TaskId>().is_ok().then(|| DROPPED.to_owned()),
        }
    }
}

/// Renames batches in what a model may have written of a task: its goal, and its own notes.
pub(crate) fn rename_in(task: &mut Task, new: &dyn Fn(&str) -> Option<String>) {
    task.goal = renamed(&task.goal, new);
    for note in task.notes.iter_mut().filter(|it| it.starts_with(NOTE)) {
        *note = renamed(note, new);
    }
}

/// `text` with other names for batches, all at once. A name is a word by itself, or several with slashes between them; in a path
/// there is none.
fn renamed(text: &str, new: &dyn Fn(&str) -> Option<String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !is_part(c)).unwrap_or(from.len());
        let (word, behind) = from.split_at(end);
        let names = word.trim_end_matches('.');
        out.push_str(before);
        if names.split('/').all(is_name) {
            let names = names.split('/').map(|it| new(it).unwrap_or_else(|| it.to_owned()));
            out.push_str(&names.collect::<Vec<_>>().join("/"));
        } else {
            out.push_str(names);
        }
        out.push_str(&word[names.len()..]);
        rest = behind;
    }
    out.push_str(rest);
    out
}

fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    word.strip_prefix("batch-").is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf4_names_of_batches_follow_their_tasks() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let names = [("batch-001", 2), ("batch-002", 1), ("batch-007b", 3)];
            let names = names.map(|(name, id)| (name.to_owned(), TaskId(id)));
            assert_eq!(BatchNames::new(names.into_iter()).put_into(text), expected);
        }
        // Both at once, so that a swap stays one.
        check("after batch-001, not batch-002.", "after batch-002, not batch-001.");
        check("batch-002/batch-001: (batch-007b)", "batch-001/batch-002: (batch-003)");
        check("batch-001's helper\u{2026}", "batch-002's helper\u{2026}");
        check("after batch-009", "after a batch that was left out");
        for other in ["data/batch-001.json", "batch-001.json", "batch-001/", "batch-", ""] {
            check(other, other);
        }
        for other in ["rebatch-001", "batch-001-x", "batch_001", "Größe … batch-size"] {
            check(other, other);
        }
    }
}
