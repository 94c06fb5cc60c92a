//! Foreign words made fit for a person: bounded, and without characters that steer a terminal.

/// The most characters of an agent's last words that are kept.
const MOST: usize = 4000;

/// The end of a text. Line breaks stay.
pub(crate) fn last_words(text: &str) -> String {
    let kept = |&c: &char| c == '\n' || !is_steering(c);
    let backwards: Vec<char> = text.trim_end().chars().rev().filter(kept).take(MOST).collect();
    let words: String = backwards.into_iter().rev().collect();
    words.trim().to_owned()
}

/// A name on one line.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(200).map(|c| if is_steering(c) { '?' } else { c }).collect()
}

/// Control characters, and those that turn the direction of text or are not seen at all.
fn is_steering(c: char) -> bool {
    let is_unseen = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    (c.is_control() && c != '\t') || is_unseen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ag1_words_of_an_agent_cannot_steer_a_terminal() {
        assert_eq!(last_words(" a\u{1b}[2J\r\nb\u{202e}c\t \n"), "a[2J\nbc");
        assert_eq!(shown(b"a\nb\xff"), "a?b\u{fffd}");
        let long = format!("x{}", "é".repeat(MOST));
        assert_eq!(last_words(&long), "é".repeat(MOST));
    }
}
