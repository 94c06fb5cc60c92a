//! What a text says when it is decoded: pieces that may be encoded, with what they decode to.
//!
//! Nothing is reported here. A piece that decodes to no readable text is dropped, so that hashes, pictures and source maps
//! cost a pass and no more.

mod base64;
mod codes;
mod escapes;
mod hex;
mod turned;
mod unseen;

pub(crate) use unseen::unseen_text;

use crate::confusable::{is_mark, is_unseen};
use crate::finding::Disguise;

/// A piece of a text and what it decodes to.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) coding: Disguise,
    pub(crate) text: String,
}

pub(crate) fn candidates(text: &str) -> Vec<Candidate> {
    let mut out = Vec::new();
    base64::find(text, &mut out);
    hex::find(text, &mut out);
    escapes::find(text, &mut out);
    codes::find(text, &mut out);
    turned::find(text, &mut out);
    out
}

/// Shortest stretch that could be an instruction.
const SHORTEST: usize = 12;

/// The readable stretches of decoded bytes, one a line; `None` when there are none. Two bytes a character are read too.
fn readable(bytes: &[u8]) -> Option<String> {
    let narrow: Vec<u8>;
    let bytes = if bytes.contains(&0) {
        narrow = bytes.iter().copied().filter(|b| *b != 0).collect();
        // Half of them, when each character has a zero; single ones are what parts stretches.
        if narrow.len() * 5 < bytes.len() * 3 { &narrow } else { bytes }
    } else {
        bytes
    };
    if !bytes
        .split(|b| b.is_ascii_control() && !b.is_ascii_whitespace())
        .any(|part| part.len() >= SHORTEST)
    {
        return None;
    }
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for stretch in
            chunk.valid().split(|c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        {
            let letters = stretch.chars().filter(|c| is_text(*c)).count();
            if stretch.len() >= SHORTEST && letters * 5 >= stretch.chars().count() * 2 {
                out.push_str(stretch);
                out.push('\n');
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

fn is_text(c: char) -> bool {
    c.is_alphanumeric() || c.is_whitespace() || is_unseen(c) || is_mark(c)
}

/// Where a piece goes on when only the end of a line, quotes, a plus or a comment mark stand between.
fn next_line(bytes: &[u8], at: usize) -> Option<usize> {
    let skip = |mut at: usize, set: &[u8]| {
        while bytes.get(at).is_some_and(|b| set.contains(b)) {
            at += 1;
        }
        at
    };
    let end = skip(at, b" \t\"'`+,\\;)\r");
    if bytes.get(end) != Some(&b'\n') || end > at + 20 {
        return None;
    }
    let begin = skip(end + 1, b" \t");
    let mark = skip(begin, b"/*#>|-%+");
    let begin = if mark > begin && bytes.get(mark).is_some_and(|b| matches!(b, b' ' | b'\t')) {
        mark
    } else {
        begin
    };
    let begin = skip(begin, b" \t\"'`(");
    (begin < at + 60).then_some(begin)
}
