//! Base64 in both alphabets, over line ends, with anything glued to its front.

use super::{Candidate, next_line, readable};
use crate::finding::Disguise;

const SHORTEST: usize = 16;

pub(super) fn find(text: &str, out: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut digits = Vec::new();
    while at < bytes.len() {
        if value(bytes[at]).is_none() {
            at += 1;
            continue;
        }
        let start = at;
        let end = run(bytes, start, &mut digits);
        if digits.len() >= SHORTEST
            && let Some(text) = decoded(&digits)
        {
            out.push(Candidate { start, end, coding: Disguise::Base64, text });
        }
        at = end;
    }
}

/// The digits from `start` on, and where they end.
fn run(bytes: &[u8], start: usize, digits: &mut Vec<u8>) -> usize {
    digits.clear();
    let mut at = start;
    let mut first = 0;
    loop {
        let line = at;
        while let Some(digit) = bytes.get(at).copied().and_then(value) {
            digits.push(digit);
            at += 1;
        }
        first = if line == start { at - line } else { first };
        // Pieces of one length with single spaces between them.
        let is_row = at - line == first && first >= 8 && bytes.get(at) == Some(&b' ');
        if is_row && bytes.get(at + 1).copied().and_then(value).is_some() {
            at += 1;
            continue;
        }
        // A single short piece on a line is a word, unless it ends a long run.
        match next_line(bytes, at) {
            Some(next) if at - line >= 4 && bytes.get(next).copied().and_then(value).is_some() => {
                at = next;
            }
            _ => return at,
        }
    }
}

/// Something in front moves the digits by one, two or three; the reading that says most is taken.
fn decoded(digits: &[u8]) -> Option<String> {
    let readings = (0..4).filter_map(|offset| readable(&bytes_of(&digits[offset..])));
    readings.max_by_key(String::len)
}

fn bytes_of(digits: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit));
        let bits = bits << (6 * (4 - group.len()));
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(&bytes[..group.len() - 1]);
    }
    out
}

fn value(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
