//! Names in code that a program writes as text and then runs: `lines.append("if config.limit is None:")` in a file that calls `exec`.

use rb_python::ast::token::TokenKind;
use rb_python::{Ranged, Source, StringUse, TextRange, TextSize};

use super::Request;
use crate::operations::calls::{place, refusal};
use crate::outcome::{Place, Refusal};
use crate::project::{Project, word_ranges};
use crate::references::Found;

/// What a line of code that is more than an expression begins with.
const KEYWORDS: &[&str] = &[
    "assert", "class", "def", "del", "elif", "except", "for", "from", "if", "import", "raise",
    "return", "while", "with", "yield",
];

pub(super) fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    let mut places = Vec::new();
    for path in project.files_with(&[request.old]) {
        let Some(source) = project.source(&path).filter(|source| runs_text(source)) else {
            continue;
        };
        let is_known = |range: &TextRange| {
            found.references.iter().any(|one| one.path == path && one.range == *range)
        };
        let names = names_in_code(&source, request.old).into_iter();
        let what = format!("`{}` stands in code that is run from a text", request.old);
        let at = |range: TextRange| place(&source, range, what.clone());
        places.extend(names.filter(|range| !is_known(range)).map(at).collect::<Vec<Place>>());
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` is used in code that is written as text", request.symbol.name);
    Err(refusal(reason, places, "rename it by hand, there too"))
}

/// Does the file call the builtins that run or compile a text?
pub(in crate::operations) fn runs_text(source: &Source) -> bool {
    let names = source.scopes().names.iter().filter(|name| name.variable.is_none());
    names.map(|name| name.name.as_str()).any(|name| matches!(name, "exec" | "eval" | "compile"))
}

pub(in crate::operations) fn names_in_code(source: &Source, name: &str) -> Vec<TextRange> {
    let is_docstring = |range: TextRange| {
        let mut literals = source.strings().iter().filter(|literal| literal.range == range);
        literals.any(|literal| literal.usage == StringUse::Docstring)
    };
    let mut ranges = Vec::new();
    for token in source.parsed().tokens() {
        let is_text = matches!(token.kind(), TokenKind::String | TokenKind::FStringMiddle);
        if !is_text || is_docstring(token.range()) {
            continue;
        }
        let text = source.slice(token.range());
        for word in word_ranges(text, name).filter(|word| is_code(text, word)) {
            let size = |at: usize| TextSize::try_from(at).expect("it lies in the text");
            let start = token.range().start() + size(word.start);
            ranges.push(TextRange::at(start, size(word.len())));
        }
    }
    ranges
}

/// `a.name`, `name(…)`, `name.b`, `name[0]`, or a line that begins as a statement does.
fn is_code(text: &str, word: &std::ops::Range<usize>) -> bool {
    let rest = &text[word.end..];
    // `name()` is how prose names a function.
    let is_called = rest.starts_with(['(', '[']) && !rest.starts_with("()");
    let is_joined = text[..word.start].ends_with('.') || is_called;
    let line = text[..word.start].rsplit('\n').next().unwrap_or_default();
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let first = line.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    is_joined || KEYWORDS.contains(&first)
}
