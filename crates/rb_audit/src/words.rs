//! Whole words of a text, whatever they stand in: code, a string, a comment.

/// Where a word stands, as byte offsets.
pub(crate) fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_empty() && !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

pub(crate) fn has(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

/// The text with another word for one.
pub(crate) fn replaced(text: &str, word: &str, by: &str) -> String {
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for at in places(text, word) {
        new.push_str(&text[done..at]);
        new.push_str(by);
        done = at + word.len();
    }
    new.push_str(&text[done..]);
    new
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The lines of a text, counted from 1, on which a word stands.
pub(crate) fn lines<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = (u32, &'t str)> {
    (1..).zip(text.lines()).filter(move |(_, line)| has(line, word))
}

/// Does the line look like part of a comment?
pub(crate) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*", "#", "--", "\"\"\""].iter().any(|mark| line.starts_with(mark))
}
