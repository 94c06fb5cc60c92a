//! How a file is written: its line breaks, indentation, quotes and the length of its lines. New code follows.

use rb_core::Edit;
use rb_python::ast::Stmt;
use rb_python::ast::token::TokenKind;
use rb_python::{Ranged, Source, StringUse, TextRange, TextSize};

use super::functions::Function;

pub(super) fn line_break(source: &Source) -> &'static str {
    if source.text().contains("\r\n") { "\r\n" } else { "\n" }
}

/// For messages.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The blanks at the beginning of the line with this place.
pub(super) fn indentation_at(source: &Source, at: TextSize) -> &str {
    let start = source.line_start(at);
    let line = source.slice(TextRange::new(start, source.line_end(at)));
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// One step of indentation: that of the first indented line.
pub(super) fn indent_unit(source: &Source) -> &str {
    source
        .body()
        .iter()
        .find_map(|statement| first_indentation(source, statement))
        .unwrap_or("    ")
}

fn first_indentation<'s>(source: &'s Source, statement: &Stmt) -> Option<&'s str> {
    let first = match statement {
        Stmt::FunctionDef(function) => function.body.first(),
        Stmt::ClassDef(class) => class.body.first(),
        Stmt::If(branch) => branch.body.first(),
        Stmt::Try(attempt) => attempt.body.first(),
        _ => None,
    }?;
    let indentation = indentation_at(source, first.start());
    (!indentation.is_empty()).then_some(indentation)
}

/// `"`, unless most strings of the file are written with `'`.
pub(super) fn quote(source: &Source) -> char {
    let (mut single, mut double) = (0, 0);
    for string in source.strings() {
        let text =
            source.slice(string.range).trim_start_matches(|letter: char| letter.is_alphabetic());
        match text.as_bytes() {
            [b'\'', b'\'', b'\'', ..] | [b'"', b'"', b'"', ..] => {}
            [b'\'', ..] => single += 1,
            _ => double += 1,
        }
    }
    if single > double { '\'' } else { '"' }
}

/// Puts statements first in the body of a function, behind its docstring.
pub(super) fn first_lines(
    source: &Source,
    function: &Function<'_>,
    lines: &[String],
) -> Option<Edit> {
    let line_break = line_break(source);
    let first = function.node.body.first()?;
    let colon = colon(source, function)?;
    let is_on_line_of_def = source.line(first.start()) == source.line(colon);
    let indentation = if is_on_line_of_def {
        format!("{}{}", indentation_at(source, function.node.name.start()), indent_unit(source))
    } else {
        indentation_at(source, first.start()).to_owned()
    };
    let separator = format!("{line_break}{indentation}");
    let text = format!("{separator}{}", lines.join(&separator));
    if is_on_line_of_def {
        let text = format!("{text}{line_break}{indentation}");
        return Some(Edit::replace(colon.into(), first.start().into(), text));
    }
    // Behind the line of the docstring or of `def`: comments above the next statement stay with it.
    let above = function.docstring().map_or(colon, Ranged::end);
    let line_end = source.line_end(above);
    let rest = source.slice(TextRange::new(above, line_end)).trim_end_matches(['\n', '\r']);
    let at = above + TextSize::of(rest);
    Some(Edit::insert(at.into(), text))
}

/// Behind the colon that ends the head of the function.
fn colon(source: &Source, function: &Function<'_>) -> Option<TextSize> {
    let parameters = function.node.parameters.range().end();
    let head = function.node.returns.as_ref().map_or(parameters, |returns| returns.end());
    let body = function.node.body.first()?.start();
    let between = source.parsed().tokens().in_range(TextRange::new(head, body));
    between.iter().find(|token| token.kind() == TokenKind::Colon).map(Ranged::end)
}

/// Is the place within a string that goes over several lines?
pub(super) fn is_in_string(source: &Source, at: TextSize) -> bool {
    let tokens = source.parsed().tokens();
    // The token before or around the place; f-strings are several tokens, and their text is one of them.
    let index = tokens.partition_point(|token| token.start() < at);
    let around = index.checked_sub(1).map(|before| tokens[before]);
    around.is_some_and(|token| {
        let is_text = matches!(
            token.kind(),
            TokenKind::String | TokenKind::FStringMiddle | TokenKind::TStringMiddle
        );
        let is_open = token.kind() != TokenKind::String && token.end() == at;
        is_text && (token.end() > at || is_open)
    })
}

/// Whole lines, indented by one more step. Docstrings follow; other strings keep their text.
pub(super) fn reindented(source: &Source, lines: TextRange, unit: &str) -> String {
    let mut text = String::new();
    each_line(source, lines, |line, is_kept| {
        if !is_kept && !line.trim().is_empty() {
            text.push_str(unit);
        }
        text.push_str(line);
    });
    text
}

/// Whole lines, with this indentation taken off.
pub(super) fn dedented(source: &Source, lines: TextRange, indentation: &str) -> String {
    let mut text = String::new();
    each_line(source, lines, |line, is_kept| {
        let shorter = line.strip_prefix(indentation).filter(|_| !is_kept);
        let blank = line.trim_start_matches([' ', '\t']);
        text.push_str(shorter.unwrap_or(if is_kept { line } else { blank }));
    });
    text
}

/// Each line, and whether it begins within a string that is no docstring.
fn each_line(source: &Source, lines: TextRange, mut visit: impl FnMut(&str, bool)) {
    let is_docstring = |at: TextSize| {
        let mut docstrings =
            source.strings().iter().filter(|string| string.usage == StringUse::Docstring);
        docstrings.any(|string| string.range.start() < at && at < string.range.end())
    };
    let mut at = lines.start();
    while at < lines.end() {
        let end = source.line_end(at).min(lines.end());
        let is_kept = is_in_string(source, at) && !is_docstring(at);
        visit(source.slice(TextRange::new(at, end)), is_kept);
        at = end;
    }
}
