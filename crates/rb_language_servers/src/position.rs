//! Places in a text as servers count them: lines from 0, and in a line bytes or units of UTF-16.

use serde_json::{Value, json};

/// How a server counts within a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// What is meant where a server says nothing.
    Utf16,
}

/// A text with its lines.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// None for a text with a carriage return that ends no line: servers do not agree on what it means.
    pub(crate) fn new(text: &'t str) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        if (0..bytes.len()).any(is_lone) {
            return None;
        }
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Some(Lines { text, starts: std::iter::once(0).chain(after).collect() })
    }

    /// The offset of `{"line": …, "character": …}`. None outside of the text and inside of a character.
    pub(crate) fn offset(&self, position: &Value, encoding: Encoding) -> Option<usize> {
        let line = usize::try_from(position["line"].as_u64()?).ok()?;
        let wanted = usize::try_from(position["character"].as_u64()?).ok()?;
        let start = *self.starts.get(line)?;
        let text = self.line_text(line);
        if encoding == Encoding::Utf8 {
            return text.is_char_boundary(wanted).then_some(start + wanted);
        }
        let mut units = 0;
        for (at, c) in text.char_indices() {
            if units >= wanted {
                return (units == wanted).then_some(start + at);
            }
            units += c.len_utf16();
        }
        (units == wanted).then_some(start + text.len())
    }

    /// Start and end of `{"start": …, "end": …}`.
    pub(crate) fn range(&self, range: &Value, encoding: Encoding) -> Option<(usize, usize)> {
        let start = self.offset(&range["start"], encoding)?;
        let end = self.offset(&range["end"], encoding)?;
        (start <= end).then_some((start, end))
    }

    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> Value {
        let line = self.line(offset);
        let before = &self.text[self.starts[line]..offset];
        let character = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        json!({ "line": line, "character": character })
    }

    /// From 0.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Start and end of a line from 0, its end left out.
    pub(crate) fn span(&self, line: usize) -> Option<(usize, usize)> {
        let start = *self.starts.get(line)?;
        Some((start, start + self.line_text(line).len()))
    }

    fn line_text(&self, line: usize) -> &'t str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = &self.text[self.starts[line]..end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_places_are_counted_in_both_ways() {
        let text = "a\r\nüx😀y\n";
        let lines = Lines::new(text).unwrap();
        let at = |line: u64, character: u64, encoding| {
            lines.offset(&json!({ "line": line, "character": character }), encoding)
        };
        let y = text.find('y').unwrap();
        for (encoding, character) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4)] {
            assert_eq!(at(1, character, encoding), Some(y));
            assert_eq!(lines.position(y, encoding), json!({ "line": 1, "character": character }));
            assert_eq!(at(1, character + 1, encoding), Some(y + 1));
            assert_eq!(at(0, 1, encoding), Some(1), "before the line's end");
            assert_eq!(at(0, 2, encoding), None, "inside of the line's end");
            assert_eq!(at(2, 0, encoding), Some(text.len()));
            assert_eq!(at(3, 0, encoding), None);
        }
        assert_eq!(at(1, 1, Encoding::Utf8), None, "inside of a character");
        assert_eq!(at(1, 3, Encoding::Utf16), None, "inside of a character");
    }

    #[test]
    fn st5_odd_texts_have_places_or_none() {
        let start = json!({ "line": 0, "character": 0 });
        assert_eq!(Lines::new("").unwrap().offset(&start, Encoding::Utf16), Some(0));
        assert!(Lines::new("a\rb").is_none());
        assert!(Lines::new("a\r").is_none());
        let lines = Lines::new("ab").unwrap();
        for wrong in [json!({}), json!({ "line": -1, "character": 0 }), json!([]), json!(null)] {
            assert_eq!(lines.offset(&wrong, Encoding::Utf8), None);
        }
        let backwards = json!({ "start": { "line": 0, "character": 1 }, "end": start });
        assert_eq!(lines.range(&backwards, Encoding::Utf8), None);
    }
}
