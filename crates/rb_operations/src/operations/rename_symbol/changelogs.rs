//! A note behind the old name in changelogs and release notes, which tell what was and are left alone otherwise.

use std::ops::Range;

use rb_core::Edit;

use super::Request;
use crate::document::is_changelog;
use crate::operations::edits::FileEdits;
use crate::project::{Project, word_ranges};

/// Lines of prose are broken behind this column if they were not longer before.
const LINE_WIDTH: usize = 79;

/// Edits that write `note` behind each place that names the symbol.
pub(super) fn notes(project: &Project<'_>, request: &Request<'_>, note: &str) -> FileEdits {
    let mut edits = FileEdits::default();
    let paths = project.files.paths();
    for path in paths.iter().filter(|path| is_changelog(path)) {
        let Some(text) = project.files.text(path) else { continue };
        for range in word_ranges(&text, request.old) {
            if names_symbol(&text, &range, request) {
                for edit in note_behind(&text, range, note) {
                    edits.add(path, edit);
                }
            }
        }
    }
    edits
}

/// Is it a name at this place, or a word of the prose?
fn names_symbol(text: &str, range: &Range<usize>, request: &Request<'_>) -> bool {
    let before = &text[..range.start];
    if let Some((class, _)) = request.symbol.name.rsplit_once('.') {
        return before.ends_with(&format!("{class}."));
    }
    let is_code = before.ends_with(['`', '.', '~']) || text[range.end..].starts_with("()");
    is_code || is_distinctive(request.old)
}

/// No word of prose looks so: `parse_kv`, `parseKv`, `ParseKv`.
pub(super) fn is_distinctive(name: &str) -> bool {
    let inner = name.trim_matches('_');
    inner.contains('_') || inner.chars().skip(1).any(char::is_uppercase)
}

fn note_behind(text: &str, range: Range<usize>, note: &str) -> Vec<Edit> {
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let at = end_of_markup(text, line_start, range.end, line_end);
    if text[at..].trim_start().starts_with(note) {
        return Vec::new();
    }
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let insertion = Edit::insert(offset(at), format!(" {note}"));
    let line = text[line_start..line_end].trim_end();
    let added = note.chars().count() + 1;
    let width = |end: usize| text[line_start..end].chars().count();
    let old_width = line.chars().count();
    if old_width > LINE_WIDTH || old_width + added <= LINE_WIDTH {
        return vec![insertion];
    }
    let mut spaces =
        text[at..line_start + line.len()].match_indices(' ').map(|(space, _)| at + space);
    let Some(space) = spaces.rfind(|space| width(*space) + added <= LINE_WIDTH) else {
        return vec![insertion];
    };
    let line_break = if text[..line_end].ends_with('\r') { "\r\n" } else { "\n" };
    let indented = format!("{line_break}{}", " ".repeat(text_column(line)));
    if space == at {
        return vec![Edit::replace(offset(at), offset(at + 1), format!(" {note}{indented}"))];
    }
    vec![insertion, Edit::replace(offset(space), offset(space + 1), indented)]
}

/// Behind the call and the backticks that the name stands in.
fn end_of_markup(text: &str, line_start: usize, end: usize, line_end: usize) -> usize {
    let is_quoted = text[line_start..end].matches('`').count() % 2 == 1
        || text[line_start..end].matches("``").count() % 2 == 1;
    if is_quoted && let Some(tick) = text[end..line_end].find('`') {
        let rest = &text[end + tick..line_end];
        return end + tick + (rest.len() - rest.trim_start_matches(['`', '_']).len());
    }
    if text[end..line_end].starts_with("()") { end + 2 } else { end }
}

/// Where the text of a line begins, behind its indentation and bullet.
fn text_column(line: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    let text = line.trim_start();
    let bullet = text.trim_start_matches(['*', '-', '+']);
    let is_bullet = text.len() - bullet.len() == 1 && bullet.starts_with(' ');
    if is_bullet { indent + text.len() - bullet.trim_start().len() } else { indent }
}
