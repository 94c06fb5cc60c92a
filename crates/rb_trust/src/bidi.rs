//! Controls of text direction. Right-to-left writing needs them; in a line without any such letter they only make code or
//! words show in another order than they are read.

use crate::finding::Kind;
use crate::place::TextKind;
use crate::scan::Draft;

pub(crate) fn look(text: &str, place: TextKind, out: &mut Vec<Draft>) {
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if !line.is_ascii() {
            one_line(line, from, place, out);
        }
        from += line.len();
    }
}

fn one_line(line: &str, from: usize, place: TextKind, out: &mut Vec<Draft>) {
    let Some(start) = line.find(is_control) else { return };
    let last = line.rfind(is_control).unwrap_or(start);
    let end = last + '\u{202e}'.len_utf8();
    let has = |wanted: &[char]| line.contains(wanted);
    let is_rtl = line.chars().any(is_right_to_left);
    let unbalanced = depth(line) != 0;
    let score = match (has(&['\u{202e}', '\u{202d}']), has(&['\u{2067}', '\u{202b}'])) {
        (true, _) if !is_rtl => 70,
        (true, _) if place == TextKind::Code && unbalanced => 55,
        (_, true) if !is_rtl && place == TextKind::Code => 65,
        (_, true) if !is_rtl && unbalanced => 55,
        _ => return,
    };
    let why = "shown in another order than it is read".to_owned();
    let (start, end) = (from + start, from + end);
    out.push(Draft { kind: Kind::Bidi, disguises: Vec::new(), start, end, score, why });
}

fn is_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// What is still open at the end of the line.
fn depth(line: &str) -> i32 {
    line.chars().fold(0, |depth, c| match c {
        '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' | '\u{2066}'..='\u{2068}' => depth + 1,
        '\u{202c}' | '\u{2069}' => depth - 1,
        _ => depth,
    })
}
