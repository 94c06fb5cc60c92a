//! The entries of a docstring that describe parameters: `:param x: …`, and `x (int): …` below `Args:`.
//!
//! An entry is added only where the others have one, in their form; other forms are left alone.

use rb_core::Edit;
use rb_python::{Ranged, Source, TextRange, TextSize};

use super::functions::Function;
use super::text_style;

/// One entry, with the lines that belong to it.
struct Entry<'s> {
    parameter: &'s str,
    indentation: &'s str,
    /// Is the type written with it: `x (int):`, `:param int x:`?
    is_typed: bool,
    form: Form,
    /// From the beginning of its line to the end of the last, without the line break.
    range: TextRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Field,
    Section,
}

/// Behind the last entry.
pub(super) fn added(
    source: &Source,
    function: &Function<'_>,
    parameter: &str,
    annotation: Option<&str>,
    text: &str,
) -> Option<Edit> {
    let entries = entries(source, function);
    let last = entries.last()?;
    let name = match (last.form, annotation.filter(|_| last.is_typed)) {
        (Form::Field, Some(annotation)) => format!(":param {annotation} {parameter}:"),
        (Form::Field, None) => format!(":param {parameter}:"),
        (Form::Section, Some(annotation)) => format!("{parameter} ({annotation}):"),
        (Form::Section, None) => format!("{parameter}:"),
    };
    let line = format!("{}{}{name} {text}", text_style::line_break(source), last.indentation);
    Some(Edit::insert(last.range.end().into(), line))
}

/// All entries of one parameter go.
pub(super) fn removed(source: &Source, function: &Function<'_>, parameter: &str) -> Vec<Edit> {
    let entries = entries(source, function);
    let own = entries.iter().filter(|entry| entry.parameter == parameter);
    own.filter_map(|entry| {
        let end = source.line_end(entry.range.end());
        let is_whole = source.slice(TextRange::new(entry.range.end(), end)).trim().is_empty();
        is_whole.then(|| Edit::delete(entry.range.start().into(), end.into()))
    })
    .collect()
}

fn entries<'s>(source: &'s Source, function: &Function<'s>) -> Vec<Entry<'s>> {
    let Some(docstring) = function.docstring() else { return Vec::new() };
    let range = docstring.range();
    let quotes = if source.slice(range).ends_with("\"\"\"") || source.slice(range).ends_with("'''")
    {
        3
    } else {
        1
    };
    let content_end = range.end() - TextSize::from(quotes);
    let mut entries: Vec<Entry<'s>> = Vec::new();
    let mut section: Option<usize> = None;
    let mut at = source.line_end(range.start());
    while at < content_end {
        let end = source.line_end(at).min(content_end);
        let line = source.slice(TextRange::new(at, end));
        let width = line.len() - line.trim_start().len();
        let kept = TextRange::new(at, at + TextSize::of(line.trim_end()));
        if !line.trim().is_empty() {
            section = section.filter(|header| width > *header);
            if is_section(line.trim()) {
                section = Some(width);
            } else if let Some(entry) = entry(line, kept, section.is_some(), function) {
                entries.push(entry);
            } else if let Some(last) = entries.last_mut()
                && continues(source, last, at)
                && width > last.indentation.len()
            {
                last.range = last.range.cover(kept);
            }
        }
        at = source.line_end(at);
    }
    entries
}

/// No blank line and no other entry between.
fn continues(source: &Source, last: &Entry<'_>, at: TextSize) -> bool {
    source.line_end(last.range.end()) == at
}

fn is_section(line: &str) -> bool {
    ["Args:", "Arguments:", "Parameters:", "Keyword Args:", "Keyword Arguments:"].contains(&line)
}

fn entry<'s>(
    line: &'s str,
    range: TextRange,
    is_in_section: bool,
    function: &Function<'s>,
) -> Option<Entry<'s>> {
    let trimmed = line.trim_start();
    let indentation = &line[..line.len() - trimmed.len()];
    let (form, words) = match trimmed.strip_prefix(":param ") {
        Some(rest) => (Form::Field, rest.split_once(':')?.0),
        None if is_in_section => (Form::Section, trimmed.split_once(':')?.0),
        None => return None,
    };
    let mut parts = words.split_whitespace();
    let name = match form {
        Form::Field => parts.next_back()?,
        Form::Section => parts.next()?,
    };
    let parameter = function.parameter(name.trim_start_matches('*'))?.name;
    Some(Entry { parameter, indentation, is_typed: parts.next().is_some(), form, range })
}
