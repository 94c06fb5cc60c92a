//! Sentences of a paragraph, and which of them ask for something.

/// Splits at the end of a sentence, but not inside code or after "e.g.".
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut begin = 0;
    let mut is_code = false;
    for (at, sign) in text.char_indices() {
        is_code ^= sign == '`';
        if is_code || !matches!(sign, '.' | '!' | '?') {
            continue;
        }
        let end = at + 1;
        if is_followed_by_sentence(&text[end..]) && !is_abbreviation(&text[begin..end]) {
            sentences.push(text[begin..end].trim());
            begin = end;
        }
    }
    sentences.push(text[begin..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// Whether a sentence states what the code has to do.
pub(super) fn is_obligation(sentence: &str) -> bool {
    const WORDS: &[&str] = &["should", "must", "shall", "when", "whenever"];
    let lower = sentence.to_lowercase();
    let mut words = lower.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| WORDS.contains(&word))
        || lower.starts_with("as a ")
        || lower.starts_with("as an ")
}

fn is_followed_by_sentence(rest: &str) -> bool {
    let mut signs = rest.chars();
    signs.next() == Some(' ') && signs.next().is_some_and(|first| !first.is_lowercase())
}

fn is_abbreviation(sentence: &str) -> bool {
    ["e.g.", "i.e.", "vs.", "cf.", "approx."].iter().any(|word| sentence.ends_with(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka1_paragraphs_are_split_into_sentences() {
        let check =
            |text: &str, expected: &[&str]| assert_eq!(sentences(text), expected, "{text:?}");
        check("", &[]);
        check("One", &["One"]);
        check("One. Two! Three? 4.", &["One.", "Two!", "Three?", "4."]);
        check("It costs 2.50 euros, e.g. Tea. Then", &["It costs 2.50 euros, e.g. Tea.", "Then"]);
        check("Call `a. B`. Then stop.", &["Call `a. B`.", "Then stop."]);
        check("see a.b and node.js. ok", &["see a.b and node.js. ok"]);
    }

    #[test]
    fn ka1_obligations_are_recognised() {
        let check =
            |text: &str, expected: bool| assert_eq!(is_obligation(text), expected, "{text:?}");
        check("The rover must stop.", true);
        check("It SHOULD stop.", true);
        check("When it rains, stop.", true);
        check("As a customer, I want to pay.", true);
        check("This kata was found in a mustard jar.", false);
        check("It is a nice exercise.", false);
    }
}
