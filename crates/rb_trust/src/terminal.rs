//! Control sequences that make a terminal hide, overwrite or copy text. Colours are harmless, and test outputs are full of
//! them and of cursor movements; what writes to the clipboard, conceals or pretends to be a paste is not.

use crate::finding::Kind;
use crate::place::TextKind;
use crate::scan::Draft;

const MOST: usize = 100;

pub(crate) fn look(text: &str, place: TextKind, out: &mut Vec<Draft>) {
    let mut at = 0;
    let mut count = 0;
    while let Some(offset) = text[at..].find('\u{1b}') {
        let start = at + offset;
        let (length, score, why) = sequence(&text.as_bytes()[start + 1..], place);
        let end = start + 1 + length;
        // What is skipped is ASCII, so the end stays on a boundary.
        if score > 0 {
            out.push(Draft {
                kind: Kind::Terminal,
                disguises: Vec::new(),
                start,
                end,
                score,
                why: why.to_owned(),
            });
            count += 1;
        }
        if count == MOST {
            return;
        }
        at = end;
    }
}

/// Length behind the escape, points and meaning of one sequence.
fn sequence(rest: &[u8], place: TextKind) -> (usize, i32, &'static str) {
    let is_read =
        matches!(place, TextKind::Message | TextKind::Prose | TextKind::Guide | TextKind::Code);
    match rest.first() {
        Some(b'[') => {
            let length = rest[1..].iter().take(64).take_while(|b| matches!(b, 0x20..=0x3f)).count();
            let arguments = &rest[1..=length];
            let Some(last) = rest.get(length + 1).filter(|b| (0x40..=0x7e).contains(*b)) else {
                return (1 + length, 0, "");
            };
            let (mut score, why) = control(arguments, *last, is_read);
            // A code in a table of codes conceals nothing.
            let text = rest[length + 2..]
                .iter()
                .take(4)
                .filter(|b| b.is_ascii_alphanumeric() || **b == b' ')
                .count();
            if place != TextKind::Message && text < 4 {
                score -= 20;
            }
            (length + 2, score, why)
        }
        Some(b']') => {
            let length =
                rest[1..].iter().take(4096).take_while(|b| matches!(b, 0x20..=0x7e)).count();
            let body = &rest[1..=length];
            let score = match body {
                [b'5', b'2', b';', ..] => (85, "writes to the clipboard of a terminal"),
                [b'0' | b'2', b';', ..] if is_read => (55, "changes the title of a terminal"),
                [b'8', b';', ..] if is_read => {
                    (45, "a link of a terminal, which may lead elsewhere than it says")
                }
                _ => (0, ""),
            };
            (length + 1, score.0, score.1)
        }
        Some(b'P' | b'_' | b'^') if is_read => (1, 55, "a string of commands to a terminal"),
        _ => (0, 0, ""),
    }
}

fn control(arguments: &[u8], last: u8, is_read: bool) -> (i32, &'static str) {
    let conceals = arguments.split(|b| *b == b';').any(|part| part == b"8");
    match last {
        b'm' if conceals => (62, "text that a terminal does not show"),
        b'~' if arguments == b"201" || arguments == b"200" => {
            (75, "pretends to begin or end a paste")
        }
        b'A'..=b'H' | b'J' | b'K' | b'f' | b's' | b'u' if is_read => {
            (40, "moves the cursor or erases what was shown")
        }
        _ => (0, ""),
    }
}
