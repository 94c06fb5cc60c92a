//! Edits of many files in the making, applied all at once.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::Edit;
use rb_ecma::links::ByteRange;
use rb_operations::{FileChange, Files, Refusal};

/// The same edit twice counts once; insertions at one place keep their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileEdits {
    files: BTreeMap<String, FileEdit>,
}

#[derive(Debug, Clone, Default)]
struct FileEdit {
    edits: Vec<Edit>,
    /// Code that goes with its lines.
    deleted: BTreeSet<ByteRange>,
}

impl FileEdits {
    pub(crate) fn replace(&mut self, path: &str, range: ByteRange, text: impl Into<String>) {
        self.add(path, Edit::replace(range.start, range.end, text));
    }

    pub(crate) fn add(&mut self, path: &str, edit: Edit) {
        let edits = &mut self.files.entry(path.to_owned()).or_default().edits;
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }

    /// Takes code away, with its lines and the gap that it would leave.
    pub(crate) fn delete(&mut self, path: &str, range: ByteRange) {
        self.files.entry(path.to_owned()).or_default().deleted.insert(range);
    }

    pub(crate) fn extend(&mut self, path: &str, edits: impl IntoIterator<Item = Edit>) {
        edits.into_iter().for_each(|edit| self.add(path, edit));
    }

    /// The edits of one file.
    pub(crate) fn of(&self, path: &str, text: &str) -> Vec<Edit> {
        self.files.get(path).map(|it| it.all(text)).unwrap_or_default()
    }

    pub(crate) fn apply(&self, files: &dyn Files) -> Result<BTreeMap<String, FileChange>, Refusal> {
        let mut changes = BTreeMap::new();
        for (path, edits) in &self.files {
            let Some(text) = files.text(path) else { continue };
            let new = applied(path, &text, &edits.all(&text))?;
            if new != *text {
                changes.insert(path.clone(), FileChange::Edited(new.into()));
            }
        }
        Ok(changes)
    }
}

impl FileEdit {
    fn all(&self, text: &str) -> Vec<Edit> {
        let mut edits = self.edits.clone();
        for (range, has_gap) in merged(text, &self.deleted, &self.edits) {
            let mut edit = deletion(text, range);
            if has_gap && is_tight(text, &edit) {
                edit.text = String::from(if text.contains("\r\n") { "\r\n" } else { "\n" });
            }
            // White space around is left to others who edit it.
            for other in &self.edits {
                if other.start >= range.end {
                    edit.end = edit.end.min(other.start);
                } else if other.end <= range.start {
                    edit.start = edit.start.max(other.end);
                }
            }
            edits.push(edit);
        }
        edits
    }
}

/// Ranges with nothing between them are one. Was there an empty line between them?
fn merged(text: &str, ranges: &BTreeSet<ByteRange>, edits: &[Edit]) -> Vec<(ByteRange, bool)> {
    let mut found: Vec<(ByteRange, bool)> = Vec::new();
    for range in ranges {
        if let Some((last, has_gap)) = found.last_mut() {
            let between = text.get(last.end as usize..range.start as usize);
            let is_free = !edits.iter().any(|it| it.start >= last.end && it.end <= range.start);
            if between.is_none_or(|it| it.trim().is_empty() && is_free) {
                last.end = last.end.max(range.end);
                *has_gap |= between.is_some_and(|it| it.matches('\n').count() > 1);
                continue;
            }
        }
        found.push((*range, false));
    }
    found
}

/// Would whole lines above and below stand together?
fn is_tight(text: &str, edit: &Edit) -> bool {
    let (above, below) = (&text[..edit.start as usize], &text[edit.end as usize..]);
    let last = above.strip_suffix('\n').and_then(|it| it.split('\n').next_back());
    let next = below.split('\n').next();
    last.is_some_and(|it| !it.trim().is_empty()) && next.is_some_and(|it| !it.trim().is_empty())
}

/// The text with the edits made.
pub(crate) fn applied(path: &str, text: &str, edits: &[Edit]) -> Result<String, Refusal> {
    rb_core::edit::apply(text, edits).map_err(|error| {
        let reason = format!("the edits of {path} do not fit together: {error}");
        Refusal::new(reason, "change this file by hand first")
    })
}

/// Takes pieces of code away with their lines, and with the empty lines that would be left double.
pub(crate) fn deletion(text: &str, range: ByteRange) -> Edit {
    let (start, end) = (range.start as usize, range.end as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let owns_lines = text[line_start..start].trim_start_matches('\u{feff}').trim().is_empty()
        && text[end..line_end].trim().is_empty();
    if !owns_lines {
        let space = text[end..line_end].len() - text[end..line_end].trim_start().len();
        return Edit::delete(number(start), number(end + space));
    }
    // A byte order mark stays.
    let from =
        if text[line_start..start].starts_with('\u{feff}') { line_start + 3 } else { line_start };
    let mut until = (line_end + 1).min(text.len());
    let above = &text[..from];
    let is_first = above.trim_start_matches('\u{feff}').is_empty();
    let is_below_gap = is_first || above.ends_with("\n\n") || above.ends_with("\n\r\n");
    while is_below_gap && until < text.len() {
        let next = text[until..].find('\n').map_or(text.len(), |at| until + at + 1);
        if !text[until..next].trim().is_empty() {
            break;
        }
        until = next;
    }
    // At the end of the file the gap above goes instead.
    let mut from = from;
    if until >= text.len() && !is_first {
        let kept = text[..from].trim_end().len();
        let line = text[kept..from].find('\n').map_or(from, |at| kept + at + 1);
        from = line.min(from);
    }
    Edit::delete(number(from), number(until))
}

/// Behind a statement and a comment that follows it on its line.
pub(crate) fn behind(text: &str, end: u32) -> u32 {
    let rest = text.get(end as usize..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or(rest).trim_end();
    let is_comment = line.trim_start().starts_with("//");
    if is_comment { end + number(line.len()) } else { end }
}

/// Texts that are edited are smaller than four gigabytes.
pub(crate) fn number(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_a_deletion_leaves_no_double_gap() {
        #[track_caller]
        fn check(text: &str, part: &str, expected: &str) {
            let start = text.find(part).unwrap();
            let range = ByteRange { start: number(start), end: number(start + part.len()) };
            assert_eq!(applied("a", text, &[deletion(text, range)]).unwrap(), expected);
        }
        check("a;\n\nb;\n\nc;\n", "b;", "a;\n\nc;\n");
        check("b;\n\nc;\n", "b;", "c;\n");
        check("a;\n\nb;\n", "b;", "a;\n");
        check("a;\r\n\r\nb;\r\n\r\nc;\r\n", "b;", "a;\r\n\r\nc;\r\n");
        check("a; b; c;", "b;", "a; c;");
        check("b;", "b;", "");
        check("\u{feff}b;\nc;", "b;", "\u{feff}c;");
        check("a;\nb;\nc;\n", "b;", "a;\nc;\n");
    }

    #[test]
    fn st1_a_gap_within_what_is_deleted_stays() {
        let text = "import a;\nimport b;\n\nb;\nc;\n";
        let mut edits = FileEdits::default();
        edits.delete("a", ByteRange { start: 10, end: 19 });
        edits.delete("a", ByteRange { start: 21, end: 23 });
        assert_eq!(applied("a", text, &edits.of("a", text)).unwrap(), "import a;\n\nc;\n");
        let text = "import a;\n\nb;\n\nb;\n\nc;\n";
        let mut edits = FileEdits::default();
        edits.delete("a", ByteRange { start: 11, end: 13 });
        edits.delete("a", ByteRange { start: 15, end: 17 });
        assert_eq!(applied("a", text, &edits.of("a", text)).unwrap(), "import a;\n\nc;\n");
    }
}
