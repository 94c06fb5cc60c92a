//! Tasks that get in each other's way: the same line edited twice, and an edit that undoes another's.
//!
//! It looks at patches alone. Each applies to the text that the one before it left, so lines are followed through the shifts
//! of later patches; what is reported is where the line stands after the last of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_core::patch::{Change, FilePatch, LineKind, Patch};

use crate::{Cause, Finding, FindingKind, Severity};

/// Shorter lines (a bracket, `else {`) come and go for no reason.
const SHORTEST: usize = 8;

/// So near to each other two lines are the same thing said twice.
const BESIDE: usize = 2;

/// What the tasks so far did to each file. A task is held against it, then taken in: the work grows with the files of that
/// task, not with the number of tasks.
#[derive(Debug, Default)]
pub struct Overlaps {
    files: BTreeMap<String, FileState>,
}

impl Overlaps {
    /// Where `patch` edits or undoes what earlier tasks did, sorted.
    pub fn of(&self, task: &str, patch: &Patch) -> Vec<Finding> {
        let names = patch.files.iter().flat_map(|file| match &file.change {
            Change::Rename { from, to, .. } => vec![name(from), name(to)],
            other => vec![name(other.path())],
        });
        let touched = names.filter_map(|name| Some((name.clone(), self.files.get(&name)?.clone())));
        Overlaps { files: touched.collect() }.take(task, patch)
    }

    /// Takes in the next task in the order in which they were applied, and says where it edits or undoes what earlier ones did.
    pub fn take(&mut self, task: &str, patch: &Patch) -> Vec<Finding> {
        let by: Arc<str> = task.into();
        let mut findings = Vec::new();
        for file in &patch.files {
            if let Change::Rename { from, to, .. } = &file.change
                && let Some(state) = self.files.remove(&name(from))
            {
                self.files.insert(name(to), state);
            }
            let place = name(file.change.path());
            let state = self.files.entry(place.clone()).or_default();
            state.apply(&place, &by, file, &mut findings);
        }
        findings.sort();
        findings.dedup();
        findings
    }
}

fn name(path: &rb_core::RepoPath) -> String {
    String::from_utf8_lossy(path.as_bytes()).into_owned()
}

/// What was done to a file so far.
#[derive(Debug, Clone, Default)]
struct FileState {
    /// Lines that a task wrote: where they stand now, which task, and what they say.
    written: Vec<(usize, Arc<str>, String)>,
    /// Lines that a task took away, and which.
    removed: Vec<(Arc<str>, String)>,
}

/// One removed or added line of a patch.
struct Edit {
    line: usize,
    text: String,
}

impl FileState {
    fn apply(
        &mut self,
        path: &str,
        task: &Arc<str>,
        file: &FilePatch,
        findings: &mut Vec<Finding>,
    ) {
        let (removed, added) = edits(file);
        for edit in &removed {
            let earlier =
                self.written.iter().find(|(line, by, _)| *line == edit.line && by != task);
            let Some((_, by, said)) = earlier else { continue };
            // Where something else is put in its place it was edited, else it was undone.
            let is_replaced = !added.is_empty();
            let kind =
                if is_replaced { FindingKind::EditedTwice } else { FindingKind::ContradictoryEdit };
            let word = if is_replaced { "changes" } else { "removes" };
            if said.len() >= SHORTEST && !is_moved(edit, &added) {
                let message = format!("`{task}` {word} a line that `{by}` wrote: {said}");
                findings.push(report(kind, path, edit.line, message));
            }
        }
        self.brought_back(path, task, (&removed, &added), findings);
        self.shift(file);
        self.written_again(path, task, &added, findings);
        let taken = removed.iter().filter(|edit| !is_moved(edit, &added));
        self.removed.extend(taken.map(|edit| (task.clone(), edit.text.clone())));
        let new = added.into_iter().filter(|edit| !edit.text.is_empty());
        self.written.extend(new.map(|edit| (edit.line, task.clone(), edit.text)));
    }

    /// Lines that one task removed and this one adds again.
    fn brought_back(
        &self,
        path: &str,
        task: &Arc<str>,
        (removed, added): (&[Edit], &[Edit]),
        findings: &mut Vec<Finding>,
    ) {
        for edit in added.iter().filter(|edit| edit.text.len() >= SHORTEST) {
            let earlier = self.removed.iter().find(|(by, said)| by != task && *said == edit.text);
            if let Some((by, said)) = earlier.filter(|_| !is_moved(edit, removed)) {
                let message = format!("`{task}` restores a line that `{by}` removed: {said}");
                findings.push(report(FindingKind::ContradictoryEdit, path, edit.line, message));
            }
        }
    }

    /// Lines that this task puts beside the same line of another: what was to be done once is done twice.
    fn written_again(
        &self,
        path: &str,
        task: &Arc<str>,
        added: &[Edit],
        findings: &mut Vec<Finding>,
    ) {
        for edit in added.iter().filter(|edit| edit.text.len() >= SHORTEST) {
            let is_twin = |(line, by, said): &&(usize, Arc<str>, String)| {
                by != task && *said == edit.text && line.abs_diff(edit.line) <= BESIDE
            };
            if let Some((_, by, said)) = self.written.iter().find(is_twin) {
                let message = format!("`{task}` adds a line that `{by}` already added: {said}");
                findings.push(report(FindingKind::EditedTwice, path, edit.line, message));
            }
        }
    }

    /// Lines that stay move with what is added and removed before them; those that are removed are forgotten.
    fn shift(&mut self, file: &FilePatch) {
        let (removed, _) = edits(file);
        self.written.retain(|(line, ..)| !removed.iter().any(|edit| edit.line == *line));
        for (line, ..) in &mut self.written {
            *line = shifted(*line, file);
        }
    }
}

/// Is the same line on the other side of the patch, too?
fn is_moved(edit: &Edit, others: &[Edit]) -> bool {
    others.iter().any(|it| it.text == edit.text)
}

fn shifted(line: usize, file: &FilePatch) -> usize {
    let mut now = line;
    for hunk in &file.hunks {
        let mut old = hunk.old_start;
        for part in &hunk.lines {
            match part.kind {
                LineKind::Context => old += 1,
                LineKind::Remove => {
                    now -= usize::from(old < line);
                    old += 1;
                }
                LineKind::Add => now += usize::from(old <= line),
            }
        }
    }
    now
}

/// Removed lines with their place before, added ones with their place after.
fn edits(file: &FilePatch) -> (Vec<Edit>, Vec<Edit>) {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for hunk in &file.hunks {
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        for part in &hunk.lines {
            let text = || {
                String::from_utf8_lossy(&part.text).split_whitespace().collect::<Vec<_>>().join(" ")
            };
            match part.kind {
                LineKind::Context => (old, new) = (old + 1, new + 1),
                LineKind::Remove => {
                    removed.push(Edit { line: old, text: text() });
                    old += 1;
                }
                LineKind::Add => {
                    added.push(Edit { line: new, text: text() });
                    new += 1;
                }
            }
        }
    }
    (removed, added)
}

fn report(kind: FindingKind, path: &str, line: usize, message: String) -> Finding {
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    Finding {
        path: path.to_owned(),
        line,
        kind,
        severity: Severity::Warning,
        message,
        cause: Some(Cause { path: path.to_owned(), line }),
    }
}
