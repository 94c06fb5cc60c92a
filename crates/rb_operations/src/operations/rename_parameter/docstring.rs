//! A parameter in the docstring of its function, and in the comments of its body.

use rb_core::Edit;
use rb_python::ast::{Expr, StmtFunctionDef};
use rb_python::{Ranged, Source, TextRange, TextSize};

use crate::operations::edits::FileEdits;
use crate::outcome::Mention;
use crate::project::word_ranges;

#[derive(Default)]
pub(super) struct Documented {
    pub(super) edits: FileEdits,
    /// Words that may mean the parameter and were left.
    pub(super) mentions: Vec<Mention>,
}

pub(super) fn follow(
    source: &Source,
    function: &StmtFunctionDef,
    old: &str,
    to: &str,
) -> Documented {
    let mut documented = Documented::default();
    let docstring = docstring_of(function);
    let comments =
        source.comments().into_iter().filter(|comment| function.range.contains_range(*comment));
    let texts =
        docstring.into_iter().map(|range| (range, true)).chain(comments.map(|r| (r, false)));
    for (range, is_docstring) in texts {
        for word in word_ranges(source.slice(range), old) {
            let at = range.start() + offset(word.start);
            let word = TextRange::at(at, TextSize::of(old));
            if is_docstring && names_parameter(source, word) {
                let edit = Edit::replace(word.start().into(), word.end().into(), to);
                documented.edits.add(source.path(), edit);
            } else {
                documented.mentions.push(Mention::at(source.path(), source.text(), at.to_usize()));
            }
        }
    }
    documented
}

fn offset(at: usize) -> TextSize {
    TextSize::try_from(at).expect("a file is smaller than 4 GB: the parser refuses others")
}

fn docstring_of(function: &StmtFunctionDef) -> Option<TextRange> {
    let statement = function.body.first()?.as_expr_stmt()?;
    match &*statement.value {
        Expr::StringLiteral(literal) => Some(literal.range()),
        _ => None,
    }
}

/// `:param old:`, `old (int): …`, `old : int`, `` `old` ``, `*old*`.
fn names_parameter(source: &Source, word: TextRange) -> bool {
    let line = TextRange::new(source.line_start(word.start()), source.line_end(word.start()));
    let before = source.slice(TextRange::new(line.start(), word.start())).trim_start();
    let after = source.slice(TextRange::new(word.end(), line.end())).trim_end();
    let quote = before.chars().next_back().filter(|quote| matches!(quote, '`' | '*'));
    if quote.is_some_and(|quote| after.starts_with(quote)) {
        return true;
    }
    if is_field(before) {
        return after.starts_with(':') || after.starts_with(", ");
    }
    let is_first = before.trim_start_matches('*').is_empty();
    let is_typed = after.starts_with(" (") && after.contains("):");
    is_first && (after.starts_with(':') || after.starts_with(" :") || is_typed)
}

/// `:param`, `:param int`, `@type`: what stands before the name of the parameter.
fn is_field(before: &str) -> bool {
    let Some(field) = before.strip_prefix([':', '@']) else { return false };
    let kinds = ["param", "parameter", "arg", "argument", "key", "keyword", "type"];
    let kind = field.split_whitespace().next().unwrap_or_default();
    kinds.contains(&kind) && !field.contains(':') && field.ends_with(' ')
}
