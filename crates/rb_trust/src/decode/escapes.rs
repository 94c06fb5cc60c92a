//! Characters written as escapes, among others or alone: `%69`, `\u0069`, `\x69`, `\151`, `&#105;`, `&#x69;`.

use super::Candidate;
use crate::finding::Disguise;

/// Fewest escapes in a piece. Three are the gaps of a four-word sentence in an address.
const FEWEST: usize = 3;
/// A line is read in pieces of so many bytes.
const PIECE: usize = 4096;

pub(super) fn find(text: &str, out: &mut Vec<Candidate>) {
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if line.contains(['%', '\\', '&']) {
            for (start, end) in pieces(line) {
                out.extend(piece(&line[start..end], from + start));
            }
        }
        from += line.len();
    }
}

fn pieces(line: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = 0;
    while start < line.len() {
        let mut end = (start + PIECE).min(line.len());
        while !line.is_char_boundary(end) {
            end += 1;
        }
        out.push((start, end));
        start = end;
    }
    out
}

fn piece(text: &str, from: usize) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let mut decoded: Vec<u8> = Vec::with_capacity(text.len());
    let (mut count, mut first, mut last) = (0, 0, 0);
    let mut percents = 0;
    let mut at = 0;
    while at < bytes.len() {
        match escape(&text[at..]) {
            Some((value, length)) => {
                first = if count == 0 { at } else { first };
                last = at + length;
                count += 1;
                percents += usize::from(bytes[at] == b'%');
                // Bytes of UTF-8 come one by one behind `%`; elsewhere a number is a character.
                match (bytes[at], u8::try_from(value)) {
                    (b'%', Ok(byte)) => decoded.push(byte),
                    _ => decoded.extend(char::from_u32(value).unwrap_or(' ').to_string().bytes()),
                }
                at += length;
            }
            None => {
                // A plus stands for a space in addresses.
                decoded.push(if percents > 0 && bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
                while !text.is_char_boundary(at) {
                    decoded.push(bytes[at]);
                    at += 1;
                }
            }
        }
    }
    let coding = if percents > 0 { Disguise::Percent } else { Disguise::Escapes };
    (count >= FEWEST).then(|| Candidate {
        start: from + first,
        end: from + last,
        coding,
        text: String::from_utf8_lossy(&decoded).into_owned(),
    })
}

/// The character of an escape at the start of `text`, and the length of the escape.
fn escape(text: &str) -> Option<(u32, usize)> {
    let digits = |from: usize, count: usize, radix: u32| {
        let value = u32::from_str_radix(text.get(from..from + count)?, radix).ok()?;
        Some((value, from + count))
    };
    let until = |from: usize, end: char, radix: u32| {
        let length = text.get(from..)?.bytes().take(8).position(|b| char::from(b) == end)?;
        let value = u32::from_str_radix(text.get(from..from + length)?, radix).ok()?;
        Some((value, from + length + 1))
    };
    match text.as_bytes() {
        [b'%', ..] => digits(1, 2, 16),
        [b'\\', b'u', b'{', ..] => until(3, '}', 16),
        [b'\\', b'u', ..] => digits(2, 4, 16),
        [b'\\', b'U', ..] => digits(2, 8, 16),
        [b'\\', b'x', ..] => digits(2, 2, 16),
        [b'\\', b'0'..=b'3', ..] => digits(1, 3, 8),
        [b'&', b'#', b'x' | b'X', ..] => until(3, ';', 16),
        [b'&', b'#', ..] => until(2, ';', 10),
        _ => None,
    }
}
