//! Numbered lines of several files within a number of characters: what is added first is shown first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rb_index::FileId;
use rb_lang::{Facts, Symbol};
use rb_tools::ToolError;

use crate::extract::sources::Sources;

/// Fewer lines are not worth the place, unless there are no more.
const FEWEST: usize = 4;
/// Characters that are kept for notes on what is cut.
const NOTES: usize = 400;

pub(crate) struct Excerpts {
    /// Characters that are left for lines, and for notes.
    room: usize,
    notes: usize,
    /// The files in the order in which they came.
    order: Vec<FileId>,
    shown: BTreeMap<FileId, BTreeSet<u32>>,
}

impl Excerpts {
    pub(crate) fn new(max_chars: usize) -> Excerpts {
        let notes = NOTES.min(max_chars / 10);
        let (order, shown) = Default::default();
        Excerpts { room: max_chars - notes, notes, order, shown }
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
        let shown = self.shown.get(&file);
        // With the empty line above it.
        let header = if shown.is_some() { 0 } else { sources.path(file).chars().count() + 2 };
        let lines =
            (first..=last).filter(|number| shown.is_none_or(|shown| !shown.contains(number)));
        let lines: Vec<(u32, &String)> = lines
            .filter_map(|number| Some((number, text.lines.get((number as usize).checked_sub(1)?)?)))
            .collect();
        let mut left = self.room.saturating_sub(header);
        let fits = |(number, line): &&(u32, &String)| {
            let cost = numbered(*number, line).chars().count();
            let rest = left.checked_sub(cost);
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let fitting: BTreeSet<u32> =
            lines.iter().take_while(fits).map(|(number, _)| *number).collect();
        if fitting.is_empty() || (fitting.len() < FEWEST && fitting.len() < lines.len()) {
            return;
        }
        self.room = left;
        self.shown.entry(file).or_default().extend(fitting);
        if !self.order.contains(&file) {
            self.order.push(file);
        }
    }

    /// The text. Its lines count as shown from then on.
    pub(crate) fn finish(mut self, sources: &mut Sources<'_, '_>) -> Result<String, ToolError> {
        let mut out = String::new();
        for (nth, file) in self.order.iter().enumerate() {
            let Some(text) = sources.text(*file) else { continue };
            let facts = sources.facts(*file)?;
            let between = if nth == 0 { "" } else { "\n" };
            let _ = writeln!(out, "{between}{}", sources.path(*file));
            let shown = &self.shown[file];
            for &number in shown {
                sources.show(*file, number, number);
                out.push_str(&numbered(number, &text.lines[number as usize - 1]));
                let cut = facts.as_ref().filter(|_| !shown.contains(&(number + 1)));
                let Some(symbol) = cut.and_then(|facts| cut_at(facts, number, shown)) else {
                    continue;
                };
                let note =
                    format!("… `{}` goes on to line {}\n", symbol.name, symbol.span.last_line);
                if let Some(left) = self.notes.checked_sub(note.chars().count()) {
                    self.notes = left;
                    out.push_str(&note);
                }
            }
        }
        Ok(out)
    }
}

/// The innermost symbol whose beginning is shown and that goes on below a line.
fn cut_at<'f>(facts: &'f Facts, line: u32, shown: &BTreeSet<u32>) -> Option<&'f Symbol> {
    let is_cut = |symbol: &&Symbol| {
        let span = symbol.span;
        (span.first_line..span.last_line).contains(&line) && shown.contains(&span.first_line)
    };
    facts.symbols.iter().filter(is_cut).max_by_key(|symbol| symbol.span.first_line)
}

fn numbered(number: u32, line: &str) -> String {
    format!("{number:>5} | {line}\n")
}
