//! Edits of many files in the making, applied all at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_core::Edit;
use rb_python::TextRange;

use crate::files::Files;
use crate::outcome::{FileChange, Refusal};

/// The same edit twice counts once.
#[derive(Debug, Clone, Default)]
pub(super) struct FileEdits {
    files: BTreeMap<String, BTreeSet<Edit>>,
}

impl FileEdits {
    pub(super) fn replace(&mut self, path: &str, range: TextRange, text: impl Into<String>) {
        let edit = Edit::replace(range.start().into(), range.end().into(), text);
        self.add(path, edit);
    }

    pub(super) fn add(&mut self, path: &str, edit: Edit) {
        self.files.entry(path.to_owned()).or_default().insert(edit);
    }

    /// The edits of another set, except where they touch one of these.
    pub(super) fn merge(&mut self, other: FileEdits) {
        for (path, edits) in other.files {
            let own = self.files.entry(path).or_default();
            for edit in edits {
                if !own.iter().any(|known| known.touches(&edit)) {
                    own.insert(edit);
                }
            }
        }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(super) fn covers(&self, path: &str, range: TextRange) -> bool {
        let (start, end): (u32, u32) = (range.start().into(), range.end().into());
        let mut edits = self.files.get(path).into_iter().flatten();
        edits.any(|edit| edit.start < end && start < edit.end)
    }

    /// The new text of one file; None if nothing changes in it.
    pub(super) fn text(&self, files: &dyn Files, path: &str) -> Result<Option<Arc<str>>, Refusal> {
        let Some(edits) = self.files.get(path) else { return Ok(None) };
        let Some(text) = files.text(path) else { return Ok(None) };
        let edits: Vec<Edit> = edits.iter().cloned().collect();
        let new = rb_core::edit::apply(&text, &edits).map_err(|error| {
            let reason = format!("the edits of {path} do not fit together: {error}");
            Refusal::new(reason, "change this file by hand first")
        })?;
        Ok((new != *text).then(|| new.into()))
    }

    pub(super) fn apply(&self, files: &dyn Files) -> Result<BTreeMap<String, FileChange>, Refusal> {
        let mut changes = BTreeMap::new();
        for path in self.paths() {
            if let Some(text) = self.text(files, path)? {
                changes.insert(path.to_owned(), FileChange::Edited(text));
            }
        }
        Ok(changes)
    }
}
