//! Text of pages and servers, fit to be shown: bounded, and without characters that a terminal obeys.

/// Longer names and messages are cut.
pub(crate) const LINE: usize = 300;

/// Keeps line breaks and tabs, drops other control characters, and cuts after `most` characters.
pub(crate) fn text(text: &str, most: usize) -> String {
    let mut clean: String = String::new();
    let kept = |c: &char| !is_control(*c) || matches!(c, '\n' | '\t');
    for (count, c) in text.chars().filter(kept).enumerate() {
        if count == most {
            clean.push('…');
            break;
        }
        clean.push(c);
    }
    clean
}

/// On one line, with single spaces.
pub(crate) fn line(text: &str, most: usize) -> String {
    let clean: String = text.chars().map(|c| if is_control(c) { ' ' } else { c }).collect();
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Also those that change the direction of writing, which make a text look like another one.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk4_text_of_a_page_is_bounded_and_has_no_control_characters() {
        assert_eq!(text("a\u{1b}[31m\nb\u{202e}\tc", 100), "a[31m\nb\tc");
        assert_eq!(text("äöü", 2), "äö…");
        assert_eq!(line(" a\u{7}\n  b ", 100), "a b");
        assert_eq!(line("äöü", 2), "äö…");
    }
}
