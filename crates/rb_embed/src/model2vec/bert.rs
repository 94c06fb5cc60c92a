//! How BERT models clean a text and cut it into words.

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// `BertNormalizer`, with the defaults of its file format.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Normalizer {
    clean_text: bool,
    handle_chinese_chars: bool,
    /// `None`: as `lowercase`.
    strip_accents: Option<bool>,
    lowercase: bool,
}

impl Default for Normalizer {
    fn default() -> Self {
        Normalizer {
            clean_text: true,
            handle_chinese_chars: true,
            strip_accents: None,
            lowercase: true,
        }
    }
}

impl Normalizer {
    pub(super) fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if self.clean_text {
            text = text.chars().filter(|&c| !is_noise(c)).map(plain_space).collect();
        }
        if self.handle_chinese_chars && !text.is_ascii() {
            text = text.chars().flat_map(spaced).collect();
        }
        if self.strip_accents.unwrap_or(self.lowercase) && !text.is_ascii() {
            text = text.nfd().filter(|&c| !is_accent(c)).collect();
        }
        if self.lowercase {
            // Letter by letter: `str::to_lowercase` would look at the end of a Greek word.
            text = text.chars().flat_map(char::to_lowercase).collect();
        }
        text
    }
}

/// The words of a text, as `BertPreTokenizer` finds them; a punctuation mark is a word of its own.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().flat_map(|word| {
        word.split_inclusive(is_punctuation).flat_map(|piece| {
            let mark = piece.chars().next_back().filter(|&c| is_punctuation(c));
            let (before, mark) = piece.split_at(piece.len() - mark.map_or(0, char::len_utf8));
            [before, mark].into_iter().filter(|word| !word.is_empty())
        })
    })
}

fn is_noise(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        _ if c.is_ascii() => c.is_ascii_control(),
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ),
    }
}

fn plain_space(c: char) -> char {
    if c.is_whitespace() { ' ' } else { c }
}

fn spaced(c: char) -> impl Iterator<Item = char> {
    let space = is_chinese(c).then_some(' ');
    space.into_iter().chain([c]).chain(space)
}

/// The blocks of ideographs that BERT knew; Kana and Hangul are written in words.
fn is_chinese(c: char) -> bool {
    matches!(
        c,
        '\u{4e00}'..='\u{9fff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{20000}'..='\u{2a6df}'
            | '\u{2a700}'..='\u{2b81f}'
            | '\u{2b920}'..='\u{2ceaf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{2f800}'..='\u{2fa1f}'
    )
}

fn is_accent(c: char) -> bool {
    c.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(normalizer: &str, text: &str, expected: &Expect) {
        let normalizer: Normalizer = serde_json::from_str(normalizer).unwrap();
        let text = normalizer.apply(text);
        expected.assert_eq(&words(&text).collect::<Vec<_>>().join("|"));
    }

    #[test]
    fn ix6_bert_words() {
        check("{}", "Hello, World! don't", &expect!["hello|,|world|!|don|'|t"]);
        check(
            "{}",
            "fn read_file(&self) -> Vec<u8>;",
            &expect!["fn|read|_|file|(|&|self|)|-|>|vec|<|u8|>|;"],
        );
        check("{}", "Ünïcödé ΣΑΣ İstanbul straße", &expect!["unicode|σασ|istanbul|straße"]);
        check("{}", "a\0b\u{200b}c\u{ad}d\u{fffd}e\tf\u{a0}g\u{3000}h", &expect!["abcde|f|g|h"]);
        check("{}", "中文x 日本 カナ", &expect!["中|文|x|日|本|カナ"]);
        check("{}", "“quoted” … ¿qué? a—b", &expect!["“|quoted|”|…|¿|que|?|a|—|b"]);
        check("{}", "", &expect![""]);
    }

    #[test]
    fn ix6_bert_settings() {
        check(r#"{"lowercase": false}"#, "Ünï CASE", &expect!["Ünï|CASE"]);
        check(r#"{"lowercase": false, "strip_accents": true}"#, "Ünï CASE", &expect!["Uni|CASE"]);
        check(r#"{"strip_accents": false}"#, "Ünï CASE", &expect!["ünï|case"]);
        check(r#"{"handle_chinese_chars": false}"#, "中文x", &expect!["中文x"]);
        check(r#"{"clean_text": false}"#, "a\u{fffd}b\u{a0}c", &expect!["a�b|c"]);
    }
}
