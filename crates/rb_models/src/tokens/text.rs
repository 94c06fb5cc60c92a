//! Counting the tokens of a text, in time that grows with its length and nothing else.
//!
//! The tokenizer's expressions look ahead and give up with a panic after too many steps, as on a megabyte of
//! blanks. So it is given pieces of a bounded size, cut where it would cut by itself wherever there is such a place.

/// The longest piece.
const LONGEST: usize = 8 * 1024;

/// Tokens by the vocabulary `o200k`. Words that have a meaning to a model, such as `<|endoftext|>`, are text.
/// The first call reads the vocabulary, which takes a moment.
pub fn count(text: &str) -> u64 {
    if text.is_empty() {
        return 0;
    }
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    pieces(text).map(|piece| tokenizer.encode_ordinary(piece).len() as u64).sum()
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(cut(rest));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Where the first piece ends. Not in its first half, so that there are few pieces.
fn cut(text: &str) -> usize {
    if text.len() <= LONGEST {
        return text.len();
    }
    let end = text.floor_char_boundary(LONGEST);
    let half = text.floor_char_boundary(LONGEST / 2);
    let places = || text[half..end].char_indices().rev().map(|(at, c)| (half + at, c));
    let line = places().find(|&(at, c)| c == '\n' && begins_line(&text[at + 1..]));
    let word = || places().find(|&(at, c)| c == ' ' && begins_word(text, at));
    line.map(|(at, _)| at + 1).or_else(|| word().map(|(at, _)| at)).unwrap_or(end)
}

/// Line ends stay together, and slashes with the line end before them.
fn begins_line(after: &str) -> bool {
    !after.starts_with(['\r', '\n', '/'])
}

/// A single blank belongs to the word after it.
fn begins_word(text: &str, blank: usize) -> bool {
    let before = text[..blank].chars().next_back();
    let after = text[blank + 1..].chars().next();
    before.is_some_and(|c| !c.is_whitespace()) && after.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mo7_tokens_are_those_of_the_vocabulary() {
        let check = |text: &str, tokens: u64| assert_eq!(count(text), tokens, "{text}");
        check("", 0);
        check("hello world", 2);
        check("fn main() {}", 4);
        check("<|endoftext|>", 7);
        check("Übergrößenträger", 5);
        check("你好，世界", 3);
    }

    #[test]
    fn mo7_cutting_changes_no_count_where_there_are_lines_or_words() {
        let whole = |text: &str| tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
        let code = "//! What for\n\n/// Doc.\nfn name(a: &str) -> u64 {\n    a.len() as u64 // why\n}\n\n\n";
        let prose = "Every word is followed by a blank, 12 times over; and (so) on. ";
        for text in [code, prose, "a\r\n\r\n// b\r\n"] {
            let text = text.repeat(3 * LONGEST / text.len() + 1);
            assert!(pieces(&text).count() >= 3);
            assert_eq!(count(&text), whole(&text) as u64, "{}", &text[..20]);
        }
    }

    #[test]
    fn mo7_a_megabyte_without_a_word_is_counted() {
        let rows = [
            (" ", 1 << 20),
            ("\t", 1 << 17),
            ("\n", 1 << 17),
            (" \n", 1 << 17),
            ("a", 1 << 18),
            ("A", 1 << 17),
            ("/", 1 << 17),
            ("'s", 1 << 17),
            ("漢", 1 << 17),
            ("\u{301}", 1 << 17),
        ];
        for (unit, bytes) in rows {
            let text = unit.repeat(bytes / unit.len());
            assert!(pieces(&text).all(|piece| piece.len() <= LONGEST));
            // The longest tokens of the vocabulary are 128 bytes.
            let (tokens, bytes) = (count(&text), text.len() as u64);
            assert!((bytes / 128..=bytes).contains(&tokens), "{unit:?}: {tokens}");
        }
    }

    proptest! {
        #[test]
        fn mo7_pieces_are_the_text(unit in "[ a-zA-Z0-9/\\r\\n漢é]{1,40}", times in 1_usize..2_000) {
            let text = unit.repeat(times);
            prop_assert_eq!(pieces(&text).collect::<String>(), text.clone());
            prop_assert!(pieces(&text).all(|piece| !piece.is_empty() && piece.len() <= LONGEST));
            prop_assert!(pieces(&text).count() <= text.len() / (LONGEST / 2 - 4) + 1);
        }
    }
}
