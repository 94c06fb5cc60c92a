//! Words that depend on a number.

/// `1 file`, `2 files`, `3 tries`.
pub fn plural(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {}", plural_of(word)) }
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
}
