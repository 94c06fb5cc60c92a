//! Foreign words on a line of their own: nothing in them can begin another line, and none is longer than it may be.

use std::fmt::Write as _;

/// `text` on one line of at most `most` characters. Line breaks and runs of blanks become one blank; what nobody sees is
/// written as its code.
pub(crate) fn inline(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            if c.is_control() || is_unseen(c) {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            } else {
                out.push(c);
            }
        }
        // What is far longer is cut below; the rest need not be looked at.
        if out.len() > most.saturating_mul(4).saturating_add(16) {
            break;
        }
    }
    cut(&out, most)
}

/// The first characters, with a mark where something is missing.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most.saturating_sub(1)).collect();
    if most > 0 {
        out.push('…');
    }
    out
}

/// Joined by `, ` as far as they fit into so many characters; the rest is counted.
pub(crate) fn listed<S: AsRef<str>>(items: &[S], most: usize) -> String {
    let items: Vec<String> = items.iter().map(|item| inline(item.as_ref(), 300)).collect();
    let all = items.join(", ");
    if all.chars().nth(most).is_none() {
        return all;
    }
    let mut out = String::new();
    for (nth, item) in items.iter().enumerate() {
        let more = format!(", and {} more", items.len() - nth);
        let comma = if nth == 0 { "" } else { ", " };
        let taken = out.chars().count() + comma.len() + item.chars().count();
        if taken + more.len() > most {
            out.push_str(if nth == 0 { &more[6..] } else { &more });
            return cut(&out, most);
        }
        out.push_str(comma);
        out.push_str(item);
    }
    out
}

/// Zero-width and direction characters, and tags: they would make a line read otherwise than it is.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf4_foreign_words_stay_on_their_line() {
        let check = |text: &str, most, expected: &str| assert_eq!(inline(text, most), expected);
        check("a\nb\t c ", 10, "a b c");
        check("a\u{202e}b\u{1b}", 20, "a\\u{202e}b\\u{1b}");
        check("abcdef", 4, "abc…");
        check("abcd", 4, "abcd");
        check("abcd", 0, "");
    }

    #[test]
    fn rf4_lists_say_how_many_are_missing() {
        let items = ["src/a.ts", "src/b.ts", "src/c.ts"];
        assert_eq!(listed(&items, 100), "src/a.ts, src/b.ts, src/c.ts");
        assert_eq!(listed(&items, 28), "src/a.ts, src/b.ts, src/c.ts");
        assert_eq!(listed(&items, 27), "src/a.ts, and 2 more");
        assert_eq!(listed(&items, 9), "3 more");
        assert_eq!(listed::<&str>(&[], 9), "");
    }
}
