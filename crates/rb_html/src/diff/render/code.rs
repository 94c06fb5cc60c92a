//! The text of a line, with colours and marks.

use std::ops::Range;

use super::super::{Ending, Line};
use super::colours::Spans;
use crate::page::Page;

/// What a line is, besides its text.
pub(super) struct Dress<'a> {
    pub(super) colours: &'a Spans,
    /// `ins` or `del`, around words that differ.
    pub(super) word_tag: &'static str,
    /// The line beside it ends in another way.
    pub(super) ending_differs: bool,
}

pub(super) fn write(page: &mut Page, line: &Line, dress: &Dress<'_>) {
    let mut at = 0;
    for word in &line.words {
        coloured(page, &line.text, at..word.start, dress.colours);
        page.open(dress.word_tag, &[]);
        coloured(page, &line.text, word.clone(), dress.colours);
        page.close(dress.word_tag);
        at = word.end;
    }
    coloured(page, &line.text, at..line.text.len(), dress.colours);
    if line.bytes_left_out > 0 {
        page.element("span", "end", &format!("… {} more bytes", line.bytes_left_out));
    }
    match line.ending {
        Ending::None => page.element("span", "end", "no newline at end of file"),
        Ending::CrLf if dress.ending_differs => page.element("span", "end", "CRLF"),
        Ending::Lf if dress.ending_differs => page.element("span", "end", "LF"),
        Ending::Lf | Ending::CrLf => {}
    }
}

fn coloured(page: &mut Page, text: &str, range: Range<usize>, colours: &Spans) {
    let mut at = range.start;
    let first = colours.partition_point(|(span, _)| span.end <= range.start);
    for (span, token) in &colours[first..] {
        if span.start >= range.end {
            break;
        }
        let (start, end) = (span.start.max(range.start), span.end.min(range.end));
        page.text(&text[at..start]);
        page.element("span", token.class(), &text[start..end]);
        at = end;
    }
    page.text(&text[at..range.end]);
}
