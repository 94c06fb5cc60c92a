//! Sentences, and those that demand something.

/// A full stop behind one of these ends no sentence.
const SHORT: [&str; 8] = ["e.g", "i.e", "etc", "vs", "cf", "approx", "no", "incl"];

pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = end(rest);
        let (sentence, behind) = rest.split_at(end);
        rest = behind;
        Some(sentence.trim_end())
    })
}

fn end(text: &str) -> usize {
    let mut in_code = false;
    for (at, c) in text.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '.' | '!' | '?' if !in_code => {
                let is_end = text[at + 1..].chars().next().is_none_or(char::is_whitespace);
                if is_end && !(c == '.' && is_short(&text[..at])) {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn is_short(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    SHORT.iter().any(|short| word.eq_ignore_ascii_case(short))
}

/// "The total should be shown".
pub(super) fn is_demand(sentence: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.to_lowercase();
        ["should", "must", "shall", "shouldn", "mustn"].contains(&word.as_str())
    };
    !sentence.ends_with('?') && sentence.split(|c: char| !c.is_alphanumeric()).any(is_word)
}

/// "As a customer, I want to see my points".
pub(super) fn is_user_story(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    (lower.starts_with("as a ") || lower.starts_with("as an ")) && lower.contains(" i want")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk1_a_sentence_ends_where_a_reader_says_so() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(sentences(text).collect::<Vec<_>>(), expected);
        };
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check("Use e.g. v1.2 of `a. b`. Go", &["Use e.g. v1.2 of `a. b`.", "Go"]);
        check("  ", &[]);
        assert!(is_demand("It Should work") && is_demand("It mustn’t fail"));
        assert!(!is_demand("Should it work?") && !is_demand("mustard"));
    }
}
