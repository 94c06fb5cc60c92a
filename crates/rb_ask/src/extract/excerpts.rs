//! Numbered lines of several files within a number of characters: what is added first is shown first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rb_index::FileId;

use crate::extract::sources::Sources;

pub(crate) struct Excerpts {
    /// Characters that are left.
    room: usize,
    /// The files in the order in which they came.
    order: Vec<FileId>,
    shown: BTreeMap<FileId, BTreeSet<u32>>,
}

impl Excerpts {
    pub(crate) fn new(max_chars: usize) -> Excerpts {
        Excerpts { room: max_chars, order: Vec::new(), shown: BTreeMap::new() }
    }

    /// Adds lines that are not shown yet, down to the first that no longer fits.
    pub(crate) fn add(
        &mut self,
        sources: &mut Sources<'_, '_>,
        file: FileId,
        first: u32,
        last: u32,
    ) {
        let Some(text) = sources.text(file) else { return };
        // With the empty line above it.
        let mut header = sources.path(file).chars().count() + 2;
        if self.shown.contains_key(&file) {
            header = 0;
        }
        let lines = self.shown.entry(file).or_default();
        for number in first..=last {
            let Some(line) = text.lines.get((number as usize).saturating_sub(1)) else { break };
            let cost = header + numbered(number, line).chars().count();
            if lines.contains(&number) {
                continue;
            }
            if cost > self.room {
                break;
            }
            self.room -= cost;
            header = 0;
            lines.insert(number);
        }
        if lines.is_empty() {
            self.shown.remove(&file);
        } else if !self.order.contains(&file) {
            self.order.push(file);
        }
    }

    /// The text. Its lines count as shown from then on.
    pub(crate) fn finish(self, sources: &mut Sources<'_, '_>) -> String {
        let mut out = String::new();
        for (nth, file) in self.order.iter().enumerate() {
            let Some(text) = sources.text(*file) else { continue };
            let between = if nth == 0 { "" } else { "\n" };
            let _ = writeln!(out, "{between}{}", sources.path(*file));
            for &number in &self.shown[file] {
                sources.show(*file, number, number);
                out.push_str(&numbered(number, &text.lines[number as usize - 1]));
            }
        }
        out
    }
}

fn numbered(number: u32, line: &str) -> String {
    format!("{number:>5} | {line}\n")
}
