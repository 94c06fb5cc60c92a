//! Words that depend on a number.

/// `1 file`, `2 files`, `3 tries`.
pub fn plural(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {}", plural_of(word)) }
}

/// The first `most` of a list; the others are counted: `a`, `b`, `and 3 more`.
pub fn at_most(most: usize, items: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let more = items.len().saturating_sub(most);
    let mut shown: Vec<String> = items.take(most).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown
}

/// `files`, `tries`, `keys`.
pub fn plural_of(word: &str) -> String {
    let is_vowel = |stem: &str| stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match word.strip_suffix('y') {
        Some(stem) if !is_vowel(stem) => format!("{stem}ies"),
        Some(_) | None => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_follows_its_number() {
        let check = |number, word, expected: &str| assert_eq!(plural(number, word), expected);
        check(1, "try", "1 try");
        check(0, "file", "0 files");
        check(2, "try", "2 tries");
        check(3, "key", "3 keys");
    }

    #[test]
    fn a_long_list_is_cut_and_the_rest_is_counted() {
        let shown = |most| at_most(most, ["a", "b", "c"].map(str::to_owned).into_iter()).join(", ");
        assert_eq!(shown(3), "a, b, c");
        assert_eq!(shown(1), "a, and 2 more");
    }
}
