//! The text of one file as it is shown: decoded, in lines, the longest of them cut.

use rb_index::content::{self, Encoding};

use crate::never;

/// Lines beyond this many characters are cut: nobody edits them by hand, and one of them could fill a prompt.
pub(crate) const LONGEST_LINE: usize = 400;

/// A file's lines. A line is cut or whole; its end is not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    lines: Vec<Box<str>>,
    /// What somebody who changes it has to know.
    pub(crate) notes: Vec<String>,
    /// A patch is UTF-8: one for a file in another encoding would garble it.
    pub(crate) can_be_patched: bool,
}

impl Source {
    /// Or why it cannot be shown.
    pub(crate) fn read(bytes: Vec<u8>) -> Result<Source, String> {
        let (text, encoding) = content::decode(bytes).ok_or("it is binary")?;
        if let Some(reason) = never::by_text(&text) {
            return Err(reason.to_owned());
        }
        let lines: Vec<Box<str>> = text.lines().map(shortened).collect();
        let mut notes = Vec::new();
        let can_be_patched = matches!(encoding, Encoding::Utf8 | Encoding::Utf8Bom);
        if let (false, Some(name)) = (can_be_patched, encoding.name()) {
            notes.push(format!("It is written in {name} and shown decoded."));
        }
        if can_be_patched && text.contains("\r\n") {
            notes
                .push("Its lines end in CR LF; write yours without, the ends are kept.".to_owned());
        }
        if !text.is_empty() && !text.ends_with('\n') {
            notes.push("It ends without a line break.".to_owned());
        }
        if lines.iter().any(|line| line.ends_with(CUT_END)) {
            notes.push("Long lines of it are cut.".to_owned());
        }
        Ok(Source { lines, notes, can_be_patched })
    }

    pub(crate) fn lines(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn chars(&self) -> usize {
        self.lines.iter().map(|line| line.chars().count() + 1).sum()
    }

    /// Lines `first` to `last`, counted from 1 and both included; what is beyond the file is not there.
    pub(crate) fn text(&self, first: u32, last: u32) -> String {
        let mut out = String::new();
        let to = (last as usize).min(self.lines.len());
        let from = (first.max(1) as usize - 1).min(to);
        for line in &self.lines[from..to] {
            out.push_str(line);
            out.push('\n');
        }
        out
    }
}

const CUT_END: &str = " more characters]";

fn shortened(line: &str) -> Box<str> {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((at, _)) => {
            let more = line[at..].chars().count();
            format!("{} …[{more}{CUT_END}", &line[..at]).into()
        }
        None => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str, notes: &[&str]) {
        let source = Source::read(bytes.to_vec()).unwrap();
        assert_eq!(source.text(1, u32::MAX), expected);
        assert_eq!(source.notes, notes);
    }

    #[test]
    fn rf4_texts_are_shown_in_lines_whatever_they_are_written_in() {
        check(b"a\nb\n", "a\nb\n", &[]);
        check(
            b"a\r\nb",
            "a\nb\n",
            &[
                "Its lines end in CR LF; write yours without, the ends are kept.",
                "It ends without a line break.",
            ],
        );
        check(b"\xef\xbb\xbfa\n", "a\n", &[]);
        check(b"na\xefve\n", "naïve\n", &["It is written in Windows-1252 and shown decoded."]);
        assert!(!Source::read(b"na\xefve\n".to_vec()).unwrap().can_be_patched);
        assert_eq!(Source::read(b"\x7fELF\0".to_vec()), Err("it is binary".to_owned()));
        assert!(Source::read(b"-----BEGIN PRIVATE KEY-----\n".to_vec()).is_err());
    }

    #[test]
    fn rf4_long_lines_are_cut_with_a_mark() {
        let long = "ä".repeat(LONGEST_LINE + 7);
        let shown = format!("{} …[7 more characters]\nb\n", "ä".repeat(LONGEST_LINE));
        check(format!("{long}\nb\n").as_bytes(), &shown, &["Long lines of it are cut."]);
        let whole = "x".repeat(LONGEST_LINE) + "\n";
        check(whole.as_bytes(), &whole, &[]);
    }

    #[test]
    fn rf4_lines_beyond_the_file_are_not_there() {
        let source = Source::read(b"a\nb\nc\n".to_vec()).unwrap();
        let text = |first, last| source.text(first, last);
        assert_eq!(
            (text(2, 9), text(0, 1), text(7, 9), text(3, 2)),
            ("b\nc\n".into(), "a\n".into(), String::new(), String::new())
        );
    }
}
