//! Lists of character numbers: `[105, 103, 110]`, `chr(105)+chr(103)`, `String.fromCharCode(105,103)`.

use super::Candidate;
use crate::finding::Disguise;

const FEWEST: usize = 12;
/// Longest text between two numbers.
const BETWEEN: usize = 24;

pub(super) fn find(text: &str, out: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let mut decoded = String::new();
        let mut end = at;
        let mut count = 0;
        while let Some((c, next)) = number(bytes, at) {
            decoded.push(c);
            count += 1;
            end = next;
            match between(bytes, next) {
                Some(next) => at = next,
                None => break,
            }
        }
        if count >= FEWEST {
            out.push(Candidate { start, end, coding: Disguise::Codes, text: decoded });
        }
        at = end.max(at).max(start + 1);
        while at < bytes.len() && bytes[at].is_ascii_digit() && bytes[at - 1].is_ascii_digit() {
            at += 1;
        }
    }
}

/// The character whose number stands at `at`: two or three digits, of a letter or a sign that is printed.
fn number(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let length = bytes[at..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
    if !(2..=3).contains(&length) {
        return None;
    }
    let value = bytes[at..at + length].iter().fold(0_u32, |sum, b| sum * 10 + u32::from(*b - b'0'));
    let is_text = matches!(value, 10 | 13 | 32..=126);
    is_text.then(|| (char::from_u32(value).unwrap_or(' '), at + length))
}

/// Where the next number begins.
fn between(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes[at..].iter().take(BETWEEN);
    let length = rest
        .take_while(|b| {
            b.is_ascii_alphabetic()
                || matches!(
                    b,
                    b' ' | b','
                        | b'.'
                        | b'('
                        | b')'
                        | b'+'
                        | b'\n'
                        | b'&'
                        | b';'
                        | b'"'
                        | b'\''
                        | b'_'
                        | b'\t'
                        | b'|'
                )
        })
        .count();
    (length > 0 && bytes.get(at + length).is_some_and(u8::is_ascii_digit)).then_some(at + length)
}
