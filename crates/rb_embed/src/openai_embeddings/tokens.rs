//! How many tokens a text has, estimated from above without the model's vocabulary.
//!
//! The tokenizers of these models work on bytes, so a text never has more tokens than bytes; `shortest`
//! cuts to that. It is far too much for planning, so `estimate` follows how they split a text, and gives
//! about twice the true count for source code. Only text without sense, such as random letters, can have
//! more tokens than that (by a third), and a request that is refused for it is made again, shorter.

/// An estimate of the tokens of a text.
pub(super) fn estimate(text: &str) -> usize {
    Runs::of(text).map(|(run, class)| class.tokens(run)).sum()
}

/// The longest beginning of the text with no more tokens than that by the estimate.
pub(super) fn cut(text: &str, tokens: usize) -> &str {
    let (mut end, mut left) = (0, tokens);
    for (run, class) in Runs::of(text) {
        let cost = class.tokens(run);
        if cost > left {
            return &text[..end + class.fitting(run, left)];
        }
        left -= cost;
        end += run.len();
    }
    text
}

/// The longest beginning of the text that no tokenizer can find more tokens in.
pub(super) fn shortest(text: &str, tokens: usize) -> &str {
    &text[..text.floor_char_boundary(tokens)]
}

/// Characters that a tokenizer keeps together, and how finely it may split them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Of lower-case letters.
    Word,
    /// Letters that touch a digit, as in a digest: hardly two of them share a token.
    Digest,
    Upper,
    Digits,
    /// The same blank character again and again, as in an indentation.
    Blank,
    Sign,
    /// Outside ASCII.
    Other,
}

impl Class {
    /// How many bytes share a token.
    fn width(self) -> usize {
        match self {
            Class::Word | Class::Digits => 3,
            Class::Upper => 2,
            Class::Blank => 16,
            Class::Digest | Class::Sign | Class::Other => 1,
        }
    }

    fn tokens(self, run: &str) -> usize {
        run.len().div_ceil(self.width())
    }

    fn fitting(self, run: &str, tokens: usize) -> usize {
        run.floor_char_boundary(tokens.saturating_mul(self.width()))
    }

    fn of(c: char) -> Class {
        match c {
            'a'..='z' => Class::Word,
            'A'..='Z' => Class::Upper,
            '0'..='9' => Class::Digits,
            ' ' | '\t' | '\n' | '\r' => Class::Blank,
            '\0'..='\x7f' => Class::Sign,
            _ => Class::Other,
        }
    }
}

/// A text in stretches of one class.
struct Runs<'a> {
    rest: &'a str,
    after_digit: bool,
}

impl<'a> Runs<'a> {
    fn of(text: &'a str) -> Self {
        Runs { rest: text, after_digit: false }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = (&'a str, Class);

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.rest.chars().next()?;
        let class = Class::of(first);
        let goes_on = |c: char| match class {
            Class::Blank => c == first,
            _ => Class::of(c) == class,
        };
        let end = self.rest.find(|c| !goes_on(c)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        let touches = self.after_digit || rest.starts_with(|c: char| c.is_ascii_digit());
        self.after_digit = class == Class::Digits;
        self.rest = rest;
        match class {
            Class::Word | Class::Upper if touches => Some((run, Class::Digest)),
            _ => Some((run, class)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_tokens_are_overestimated() {
        // The true counts are those of `cl100k_base`, the vocabulary of these models.
        let texts = [
            ("", 0),
            ("fn main() {\n    println!(\"Hello\");\n}\n", 10),
            ("calculateCompoundInterest", 3),
            ("MAX_BATCH_SIZE = 0x1F4000", 11),
            ("Größenänderung 漢字 🦀", 12),
            ("d373100ded483aaf4b22d99812ed98bf", 16),
        ];
        let estimates = texts.map(|(text, _)| estimate(text));
        assert_eq!(estimates, [0, 25, 11, 18, 24, 21]);
        assert!(estimates.iter().zip(texts).all(|(estimate, (_, real))| *estimate >= real));
    }

    #[test]
    fn ix6_a_text_is_cut_between_characters_and_within_the_limit() {
        let check = |text: &str, tokens: usize, by_estimate: &str, by_bytes: &str| {
            assert_eq!(
                (cut(text, tokens), shortest(text, tokens)),
                (by_estimate, by_bytes),
                "{text}"
            );
            assert!(estimate(by_estimate) <= tokens && by_bytes.len() <= tokens);
        };
        check("abcdef ghi", 2, "abcdef", "ab");
        check("abcdef ghi", 1, "abc", "a");
        check("abcdef ghi", 4, "abcdef ghi", "abcd");
        check("é漢", 3, "é", "é");
        check("é漢", 5, "é漢", "é漢");
        check("x", 0, "", "");
    }
}
