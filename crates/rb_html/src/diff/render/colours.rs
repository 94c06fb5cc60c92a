//! The colours of a hunk: each side is read as one text, because a string or a comment may span lines.

use std::ops::Range;

use rb_lang::Language;

use super::super::{Line, Row};
use crate::highlight::{Token, spans};

pub(super) type Spans = Vec<(Range<usize>, Token)>;

/// Of each line, in the order of the lines on its side.
pub(super) struct Colours {
    pub(super) old: std::vec::IntoIter<Spans>,
    pub(super) new: std::vec::IntoIter<Spans>,
}

impl Colours {
    pub(super) fn of(path: &str, rows: &[Row]) -> Colours {
        let old = rows.iter().filter_map(|row| match row {
            Row::Same { line, .. } => Some(line),
            Row::Changed { old, .. } => old.as_ref(),
        });
        let new = rows.iter().filter_map(|row| match row {
            Row::Same { line, .. } => Some(line),
            Row::Changed { new, .. } => new.as_ref(),
        });
        Colours { old: side(path, old).into_iter(), new: side(path, new).into_iter() }
    }
}

fn side<'l>(path: &str, lines: impl Iterator<Item = &'l Line>) -> Vec<Spans> {
    let (mut text, mut ends) = (String::new(), Vec::new());
    for line in lines {
        text.push_str(&line.text);
        text.push('\n');
        ends.push(text.len());
    }
    let mut colours = vec![Spans::new(); ends.len()];
    let Some(language) = Language::of(path.as_bytes(), &text) else { return colours };
    for (span, token) in spans(language, &text) {
        let first = ends.partition_point(|&end| end <= span.start);
        for at in first..ends.len() {
            let start = if at == 0 { 0 } else { ends[at - 1] };
            if start >= span.end {
                break;
            }
            // Without the line end.
            let end = span.end.min(ends[at] - 1);
            let begin = span.start.max(start);
            if begin < end {
                colours[at].push((begin - start..end - start, token));
            }
        }
    }
    colours
}
