//! Edits of missed names, gathered over all renames of a change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_audit::Renamed;
use rb_core::{Edit, plural};

use super::line_of;

/// By path, relative to the texts that the change makes.
#[derive(Default)]
pub(super) struct Places {
    files: BTreeMap<String, Vec<(String, Vec<Edit>)>>,
}

pub(super) struct MendedText {
    pub(super) text: Arc<str>,
    pub(super) notes: Vec<String>,
}

impl Places {
    pub(super) fn add(&mut self, path: &str, renamed: &Renamed, edits: Vec<Edit>) {
        let words = format!(
            "renamed `{}` to `{}`, which the change had missed",
            renamed.old_name(),
            renamed.new_name()
        );
        self.files.entry(path.to_owned()).or_default().push((words, edits));
    }

    /// The files with all edits made. One whose edits do not fit together is left as it is.
    pub(super) fn mended(
        self,
        text: impl Fn(&str) -> Option<Arc<str>>,
    ) -> BTreeMap<String, MendedText> {
        let mended = |path: String, edits: Vec<(String, Vec<Edit>)>| {
            let text = text(&path)?;
            let all: BTreeSet<Edit> = edits.iter().flat_map(|(_, it)| it).cloned().collect();
            let all: Vec<Edit> = all.into_iter().collect();
            let new = rb_core::edit::apply(&text, &all).ok()?;
            let notes = edits.iter().filter_map(|(words, edits)| note(&path, &text, words, edits));
            let notes = notes.collect();
            Some((path, MendedText { text: new.into(), notes }))
        };
        self.files.into_iter().filter_map(|(path, edits)| mended(path, edits)).collect()
    }
}

/// `a.py:3: renamed …, and 2 more places in this file`.
fn note(path: &str, text: &str, words: &str, edits: &[Edit]) -> Option<String> {
    let first = edits.first()?;
    let more = match edits.len() - 1 {
        0 => String::new(),
        more => format!(" (and {} in this file)", plural(more, "more place")),
    };
    Some(format!("{path}:{}: {words}{more}", line_of(text, first.start)))
}
