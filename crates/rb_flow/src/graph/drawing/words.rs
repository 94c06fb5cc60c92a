//! How much room words take. Fonts differ from reader to reader, so widths are estimated, rather too wide than too narrow.

/// The width in pixels of a line at a size of font.
pub(super) fn width(line: &str, size: i32) -> i32 {
    let tenths: i32 = line.chars().map(tenths).sum();
    (tenths * size).div_euclid(10) + 1
}

/// Tenths of the size that a letter takes in the wider ones of the usual fonts.
fn tenths(letter: char) -> i32 {
    match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '('
        | ')' | '-' => 4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 10,
        'A'..='Z' => 8,
        _ if letter.is_ascii() => 7,
        _ => 11,
    }
}

/// Breaks words into lines of so many letters at most, all about as long; a longer word has a line of its own.
pub(super) fn wrap(words: &str, most: usize) -> Vec<String> {
    let lines = filled(words, most);
    // As narrow as they can be without one line more.
    let mut narrower = (1..most).map(|most| filled(words, most));
    narrower.find(|it| it.len() == lines.len()).unwrap_or(lines)
}

fn filled(words: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
