//! Which words of a question stand in a text.

/// The words of a question, in lower case.
pub(super) fn words(question: &str) -> Vec<String> {
    let words = question.split_whitespace().map(str::to_lowercase);
    words.filter(|word| word.chars().any(char::is_alphanumeric)).collect()
}

/// Where each word was found, as `title has a, b`; `None` unless all of them were. `texts` are the names and the values of what is
/// searched, the best first.
pub(super) fn reasons(words: &[String], texts: &[(&str, &str)]) -> Option<String> {
    let lower: Vec<String> = texts.iter().map(|(_, text)| text.to_lowercase()).collect();
    let mut found = vec![Vec::new(); texts.len()];
    for word in words {
        let at = lower.iter().position(|text| text.contains(word.as_str()))?;
        found[at].push(word.as_str());
    }
    let parts = texts.iter().zip(found).filter(|(_, words)| !words.is_empty());
    let parts: Vec<String> =
        parts.map(|((name, _), words)| format!("{name} has {}", words.join(", "))).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_every_word_must_be_found_and_the_reason_says_where() {
        let texts = [("title", "Convert all Files"), ("state", "accepted")];
        let why = |question: &str| reasons(&words(question), &texts);
        assert_eq!(why("files ACCEPTED"), Some("title has files · state has accepted".to_owned()));
        assert_eq!(why("convert files"), Some("title has convert, files".to_owned()));
        assert_eq!(why("files rejected"), None);
        assert_eq!(why("…"), None);
    }
}
