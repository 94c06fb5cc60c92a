//! The text of a configuration without its comments, for those who look for words in it.
//!
//! Strings are kept as they are. Regular expressions are not told from divisions: a config that holds `/"/` is read
//! wrong from there to the end of its line.

/// JavaScript, TypeScript or JSON, with each comment replaced by a space.
pub(super) fn without(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut bare = String::with_capacity(text.len());
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        let end = match (bytes[at], bytes.get(at + 1)) {
            (quote @ (b'"' | b'\'' | b'`'), _) => {
                at = end_of_string(bytes, at, quote);
                continue;
            }
            (b'/', Some(b'/')) => text[at..].find('\n').map_or(bytes.len(), |end| at + end),
            (b'/', Some(b'*')) => {
                text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        bare.push_str(&text[kept..at]);
        bare.push(' ');
        (kept, at) = (end, end);
    }
    bare.push_str(&text[kept..]);
    bare
}

/// The place after the closing quote. A string that is not closed ends with its line; a template may have several.
fn end_of_string(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' if quote != b'`' => return at,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn ru1_comments_go_and_strings_stay() {
        for (text, expected) in [
            ("a // b\nc", "a  \nc"),
            ("a /* b\n */ c", "a   c"),
            ("'http://x' // y", "'http://x'  "),
            ("`a\n// b`", "`a\n// b`"),
            (r#""a\"// b" /**/"#, r#""a\"// b"  "#),
            ("/* open", " "),
            ("\"open // x\n// y", "\"open // x\n "),
            ("'é' /* ü */ ö", "'é'   ö"),
            ("\"\\", "\"\\"),
        ] {
            assert_eq!(without(text), expected);
        }
    }
}
