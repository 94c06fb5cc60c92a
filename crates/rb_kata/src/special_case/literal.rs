//! Strings and numbers by what they mean, however they are written: `'a'` is `"a"`, and `1_000u32` is `1000`.

use std::collections::BTreeSet;
use std::fmt;

use crate::test_code::WrittenTest;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Literal {
    /// Without quotes, at least two characters.
    Text(String),
    /// Without suffix and separators; neither 0, 1 nor 2, which all code has.
    Number(String),
}

impl Literal {
    /// `None` for one that is too common to say anything.
    pub(super) fn of_source(source: &str) -> Option<Literal> {
        let source = source.trim();
        if source.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Literal::of_number(source);
        }
        let start = source.find(['"', '\'', '`'])?;
        let (prefix, body) = source.split_at(start);
        if prefix.len() > 3 {
            return None;
        }
        let quote = body.chars().next()?;
        let text = body.trim_end_matches('#').trim_matches(quote);
        text.chars().nth(1).is_some().then(|| Literal::Text(text.to_owned()))
    }

    pub(super) fn of_number(source: &str) -> Option<Literal> {
        let number = number(source);
        (!matches!(number.as_str(), "" | "0" | "1" | "2")).then_some(Literal::Number(number))
    }
}

/// The digits that count.
fn number(source: &str) -> String {
    let plain: String = source.chars().filter(|letter| *letter != '_').collect();
    let has_base = plain.len() > 2 && plain.starts_with('0') && !plain.contains('.');
    if has_base && plain[1..].starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return plain.to_lowercase();
    }
    let is_digit = |letter: &char| letter.is_ascii_digit() || *letter == '.';
    let digits: String = plain.chars().take_while(is_digit).collect();
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        digits
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Text(text) => {
                let clipped: String = text.chars().take(60).collect();
                write!(out, "`\"{clipped}\"`")
            }
            Literal::Number(number) => write!(out, "`{number}`"),
        }
    }
}

/// The literals in the text of a test; its own name is none.
pub(super) fn inputs(test: &WrittenTest) -> BTreeSet<Literal> {
    let mut literals = BTreeSet::new();
    let mut rest = test.text.as_str();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' | '`' => string_length(rest, first),
            letter if letter.is_alphanumeric() || letter == '_' => word_length(rest),
            // What is escaped begins nothing.
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        let is_string = matches!(first, '"' | '\'' | '`') && token.len() > 1;
        if is_string || first.is_ascii_digit() {
            literals.extend(Literal::of_source(token));
        }
        rest = behind;
    }
    literals.remove(&Literal::Text(test.name.clone()));
    literals
}

/// With both quotes; one that is never closed stands for itself.
fn string_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if letter == '\\' {
            is_escaped = true;
        } else if letter == quote {
            return at + quote.len_utf8();
        }
    }
    quote.len_utf8()
}

/// A name or a number, with a fraction.
fn word_length(text: &str) -> usize {
    let is_number = text.starts_with(|letter: char| letter.is_ascii_digit());
    let ends =
        |letter: char| !(letter.is_alphanumeric() || letter == '_' || (is_number && letter == '.'));
    text.find(ends).unwrap_or(text.len())
}
