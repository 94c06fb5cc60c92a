//! A message in the making: sentences of the program, and foreign text between the marks of its fence.
//!
//! Everything that a model, a kata, a file or a test run wrote goes through `file`, `output` or `list`.

use std::borrow::Cow;

use rb_trust::{Fence, FenceError, Label, Source};

/// Characters of a name or a sentence.
const LONGEST_LINE: usize = 300;
/// Characters of a row in a list, which may hold several.
const LONGEST_ROW: usize = 1_000;
/// Characters of an output or of another agent's words.
const LONGEST_OUTPUT: usize = 6_000;

pub(super) struct Message<'f> {
    text: String,
    fence: &'f Fence,
}

impl<'f> Message<'f> {
    pub(super) fn new(fence: &'f Fence) -> Self {
        Message { text: String::new(), fence }
    }

    /// The program's own words, on a line.
    pub(super) fn say(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    /// The program's own words, and an empty line.
    pub(super) fn paragraph(&mut self, words: &str) {
        self.say(words);
        self.text.push('\n');
    }

    /// A file, byte for byte.
    pub(super) fn file(&mut self, path: &str, text: &str) -> Result<(), FenceError> {
        self.quote(Source::File, path, text)
    }

    /// What a program printed or an agent wrote; the middle of a long text is left out.
    pub(super) fn output(&mut self, name: &str, text: &str) -> Result<(), FenceError> {
        self.quote(Source::ToolOutput, name, &clipped(text, LONGEST_OUTPUT))
    }

    pub(super) fn list<S: AsRef<str>>(
        &mut self,
        name: &str,
        rows: impl IntoIterator<Item = S>,
    ) -> Result<(), FenceError> {
        let mut text = String::new();
        for row in rows {
            text.push_str("- ");
            text.push_str(&shortened(row.as_ref(), LONGEST_ROW));
            text.push('\n');
        }
        self.quote(Source::ToolOutput, name, &text)
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn quote(&mut self, source: Source, name: &str, text: &str) -> Result<(), FenceError> {
        let label = Label { source, name: name.to_owned() };
        self.text.push_str(&self.fence.around(&label, text)?);
        self.text.push('\n');
        Ok(())
    }
}

/// The text on one line, not too long.
pub(super) fn line(text: &str) -> String {
    shortened(text, LONGEST_LINE)
}

fn shortened(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if let Some((end, _)) = out.char_indices().nth(most) {
        out.truncate(end);
        out.push('…');
    }
    out
}

/// The beginning and the end of a long text.
fn clipped(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return Cow::Borrowed(text);
    }
    let half = most / 2;
    let (head, tail) = (&text[..offset(text, half)], &text[offset(text, count - half)..]);
    let missing = count - 2 * half;
    Cow::Owned(format!("{head}\n[{missing} characters are left out]\n{tail}"))
}

/// The byte at which the `nth` character begins, counted from 0.
pub(super) fn offset(text: &str, nth: usize) -> usize {
    text.char_indices().nth(nth).map_or(text.len(), |(offset, _)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka3_a_long_output_keeps_its_beginning_and_its_end() {
        let check = |text: &str, most: usize, expected: &str| {
            assert_eq!(clipped(text, most), expected, "{text}");
        };
        check("", 4, "");
        check("abcd", 4, "abcd");
        check("abcdefgh", 4, "ab\n[4 characters are left out]\ngh");
        check("äöüÄÖÜ", 4, "äö\n[2 characters are left out]\nÖÜ");
        check("abc", 0, "\n[3 characters are left out]\n");
    }

    #[test]
    fn ka2_a_line_is_one_line() {
        assert_eq!(line(" a\n\t b\r\n"), "a b");
        assert_eq!(line(&"ä".repeat(1_000_000)).chars().count(), LONGEST_LINE + 1);
    }
}
