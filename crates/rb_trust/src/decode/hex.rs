//! Bytes as pairs of hexadecimal digits, together or apart: `69676e`, `69 67 6e`, `0x69, 0x67`; and as eight binary digits.

use super::{Candidate, next_line, readable};
use crate::finding::Disguise;

/// Fewest bytes of an instruction.
const SHORTEST: usize = 10;

pub(super) fn find(text: &str, out: &mut Vec<Candidate>) {
    together(text, out);
    apart(text, out, 2, |unit| u8::from_str_radix(unit, 16).ok());
    apart(text, out, 8, |unit| u8::from_str_radix(unit, 2).ok());
}

fn together(text: &str, out: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut digits: Vec<u8> = Vec::new();
    while at < bytes.len() {
        if !bytes[at].is_ascii_hexdigit() {
            at += 1;
            continue;
        }
        let start = at;
        digits.clear();
        loop {
            while let Some(digit) = bytes.get(at).and_then(|b| char::from(*b).to_digit(16)) {
                digits.push(u8::try_from(digit).unwrap_or(0));
                at += 1;
            }
            match next_line(bytes, at) {
                Some(next)
                    if digits.len() >= 8 && bytes.get(next).is_some_and(u8::is_ascii_hexdigit) =>
                {
                    at = next;
                }
                _ => break,
            }
        }
        if digits.len() < SHORTEST * 2 {
            continue;
        }
        let pairs = |from: usize| {
            digits[from..].chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<u8>>()
        };
        let reading = (0..2).filter_map(|from| readable(&pairs(from))).max_by_key(String::len);
        out.extend(reading.map(|text| Candidate { start, end: at, coding: Disguise::Hex, text }));
    }
}

/// Units of `width` digits with a little between them.
fn apart(text: &str, out: &mut Vec<Candidate>, width: usize, read: fn(&str) -> Option<u8>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Units begin where a word does.
        if !bytes[at].is_ascii_hexdigit() || at > 0 && bytes[at - 1].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let start = at;
        let mut units = Vec::new();
        let mut end = at;
        while let Some((byte, next)) = unit(text, at, width, read) {
            units.push(byte);
            end = next;
            at = gap(bytes, next);
        }
        if units.len() >= SHORTEST
            && let Some(text) = readable(&units)
        {
            out.push(Candidate { start, end, coding: Disguise::Hex, text });
        }
        at = at.max(start + 1);
    }
}

/// Exactly `width` digits at `at`, with `0x` before them or not.
fn unit(text: &str, at: usize, width: usize, read: fn(&str) -> Option<u8>) -> Option<(u8, usize)> {
    let rest = text.get(at..)?;
    let begin = if rest.starts_with("0x") || rest.starts_with("0X") { at + 2 } else { at };
    let end = begin + width;
    let byte = read(text.get(begin..end)?)?;
    let more = text.as_bytes().get(end).is_some_and(u8::is_ascii_alphanumeric);
    (!more).then_some((byte, end))
}

fn gap(bytes: &[u8], at: usize) -> usize {
    let run = bytes[at..]
        .iter()
        .take(6)
        .take_while(|b| matches!(b, b' ' | b',' | b':' | b'-' | b'\n' | b'\r' | b'\t'));
    at + run.count()
}
