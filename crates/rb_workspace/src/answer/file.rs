//! A file as its lines, and the result of edits that keep its own line ends and byte order mark.

use std::cell::OnceCell;

use super::search::{Table, View};
use crate::patch::lines;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The lines of one file, each with its own end.
pub(super) struct Target<'a> {
    pub(super) lines: Vec<&'a [u8]>,
    /// The lines as numbers, made when first searched: one table for each way to compare.
    tables: [OnceCell<Table<'a>>; 3],
}

/// Lines `start..end` of a target, counted from 0, and what stands there afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineEdit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) new: Vec<Vec<u8>>,
    pub(super) ends: Ends,
}

/// Whose line ends the new lines carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// As the answer has them: it matched byte for byte.
    Given,
    /// As the file has them.
    Kept,
}

impl<'a> Target<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Target { lines: lines(bytes).collect(), tables: Default::default() }
    }

    pub(super) fn table(&self, view: View) -> &Table<'a> {
        self.tables[view as usize].get_or_init(|| Table::new(&self.lines, view))
    }

    /// The end of the line at `index`, or of most lines where it has none.
    pub(super) fn line_end(&self, index: usize) -> &'static [u8] {
        match self.lines.get(index) {
            Some(line) if line.ends_with(b"\r\n") => b"\r\n",
            Some(line) if line.ends_with(b"\n") => b"\n",
            Some(_) | None => self.usual_end(),
        }
    }

    fn usual_end(&self) -> &'static [u8] {
        let count = |end: &[u8]| self.lines.iter().filter(|line| line.ends_with(end)).count();
        if count(b"\r\n") * 2 > count(b"\n") { b"\r\n" } else { b"\n" }
    }

    fn has_bom(&self) -> bool {
        self.lines.first().is_some_and(|line| line.starts_with(BOM))
    }

    fn lacks_newline(&self) -> bool {
        self.lines.last().is_some_and(|line| !line.ends_with(b"\n"))
    }

    /// The file after all edits, which must be sorted and must not overlap. Where any of them keeps the
    /// file's own line ends, its byte order mark stays in front as well.
    pub(super) fn edited<'e>(&'e self, edits: &'e [LineEdit]) -> Vec<u8> {
        let bom = self.has_bom() && edits.iter().any(|edit| edit.ends == Ends::Kept);
        let plain = |line: &'e [u8]| if bom { without_bom(line) } else { line };
        let own = |index: usize| {
            (if index == 0 { plain(self.lines[0]) } else { self.lines[index] }, Ends::Given)
        };
        let mut result: Vec<(&[u8], Ends)> = Vec::with_capacity(self.lines.len());
        let mut done = 0;
        for edit in edits {
            result.extend((done..edit.start).map(own));
            result.extend(edit.new.iter().map(|line| (plain(line), edit.ends)));
            done = edit.end;
        }
        result.extend((done..self.lines.len()).map(own));
        let mut bytes = if bom { BOM.to_vec() } else { Vec::new() };
        let last = result.len().saturating_sub(1);
        for (index, (line, ends)) in result.into_iter().enumerate() {
            if index < last && !line.ends_with(b"\n") {
                bytes.extend_from_slice(line);
                bytes.extend_from_slice(self.usual_end());
            } else if index == last && ends == Ends::Kept && self.lacks_newline() {
                bytes.extend_from_slice(without_end(line));
            } else {
                bytes.extend_from_slice(line);
            }
        }
        bytes
    }

    /// A new content for the whole file, with the file's own line ends where it has one kind of them.
    pub(super) fn replaced(&self, content: &[u8]) -> Vec<u8> {
        if self.lines.is_empty() {
            return content.to_vec();
        }
        let ended = |line: &&&[u8]| line.ends_with(b"\n");
        let windows = |line: &&[u8]| line.ends_with(b"\r\n");
        let uniform = self.lines.iter().filter(ended).all(windows)
            || !self.lines.iter().any(windows) && lines(content).all(|line| windows(&line));
        let end = self.usual_end();
        let with_end = |line: &[u8]| {
            if uniform && line.ends_with(b"\n") {
                [without_end(line), end].concat()
            } else {
                line.to_vec()
            }
        };
        let new: Vec<Vec<u8>> = lines(content).map(with_end).collect();
        self.edited(&[LineEdit { start: 0, end: self.lines.len(), new, ends: Ends::Kept }])
    }
}

pub(super) fn without_bom(line: &[u8]) -> &[u8] {
    line.strip_prefix(BOM).unwrap_or(line)
}

pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa4_a_replaced_file_keeps_its_line_ends_mark_and_last_newline() {
        let check = |file: &str, content: &str, expected: &str| {
            let found = Target::new(file.as_bytes()).replaced(content.as_bytes());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        };
        check("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n");
        check("a\nb\n", "a\r\nc\r\n", "a\nc\n");
        check("a\nb", "a\nc\n", "a\nc");
        check("a\r\nb", "a\nc\n", "a\r\nc");
        check("\u{feff}a\n", "b\n", "\u{feff}b\n");
        check("\u{feff}a\n", "\u{feff}b\n", "\u{feff}b\n");
        check("a\nb\r\n", "a\nc\r\n", "a\nc\r\n");
        check("", "a\n", "a\n");
    }
}
