//! Foreign words in a result: on one line, and no longer than they may be.

use std::fmt::Write as _;

use rb_core::path::quote;

/// `text` on one line of at most `most` characters. Runs of blanks become one; what cannot be seen is written as its code.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            if c.is_control() || is_unseen(c) {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            } else {
                out.push(c);
            }
        }
        // The rest would be cut anyway.
        if out.len() > most.saturating_mul(4) {
            break;
        }
    }
    cut(&out, most)
}

/// A path as it is shown: quoted if it could be misread. `paths::find` reads it back.
pub(crate) fn path(path: &str) -> String {
    quote(path.as_bytes())
}

/// The first sentence of a doc comment.
pub(crate) fn first_sentence(doc: &str, most: usize) -> String {
    let paragraph = doc.trim().split("\n\n").next().unwrap_or_default();
    let text = one_line(paragraph, most.saturating_mul(2));
    match text.find(". ") {
        Some(end) => cut(&text[..=end], most),
        None => cut(&text, most),
    }
}

/// Items in backticks, the first few of them: `a`, `b` and 3 more.
pub(crate) fn listed<'a>(items: impl Iterator<Item = &'a str>, most: usize) -> String {
    let items: Vec<&str> = items.collect();
    let all = items.len();
    listed_of(items.into_iter(), most, all)
}

/// The same of a list that was cut before: it had `all` items.
pub(crate) fn listed_of<'a>(
    items: impl Iterator<Item = &'a str>,
    most: usize,
    all: usize,
) -> String {
    let items = items.take(most).map(|item| format!("`{}`", one_line(item, 120)));
    let shown: Vec<String> = items.collect();
    match all.saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Zero-width and direction characters, and tags: they would make a line read otherwise than it is.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as10_foreign_words_stay_on_their_line() {
        let check = |text: &str, most, expected: &str| assert_eq!(one_line(text, most), expected);
        check("a\nb\t c ", 10, "a b c");
        check("a\u{202e}b\u{1b}", 20, "a\\u{202e}b\\u{1b}");
        check("abcdef", 4, "abcd…");
        check("abcd", 4, "abcd");
    }

    #[test]
    fn as10_a_sentence_ends_at_its_full_stop() {
        let check = |doc: &str, expected: &str| assert_eq!(first_sentence(doc, 40), expected);
        check("Reads a.b files. Then more.", "Reads a.b files.");
        check("Reads\nit\n\nMore.", "Reads it");
        check("", "");
        check(&"long ".repeat(20), "long long long long long long long long …");
    }

    #[test]
    fn as10_lists_count_the_rest() {
        let check = |items: &[&str], most, expected: &str| {
            assert_eq!(listed(items.iter().copied(), most), expected);
        };
        check(&["a", "b"], 2, "`a`, `b`");
        check(&["a", "b", "c"], 2, "`a`, `b` and 1 more");
        check(&[], 2, "");
        assert_eq!(listed_of(["a", "b"].into_iter(), 1, 5), "`a` and 4 more");
    }
}
