//! Characters that nobody sees. Those that writing needs stay: joiners in emoji and in scripts other than Latin, variants of
//! signs, flags.

use super::Cleaner;
use crate::ticket::StrippedKind;

const BLACK_FLAG: char = '\u{1f3f4}';
const END_OF_TAGS: char = '\u{e007f}';

pub(super) fn visible(text: &str, cleaner: &mut Cleaner) -> String {
    let chars: Vec<char> = text.strip_prefix('\u{feff}').unwrap_or(text).chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut removed: Vec<(StrippedKind, String)> = Vec::new();
    let mut line = 1;
    for (at, &c) in chars.iter().enumerate() {
        match c {
            '\r' if chars.get(at + 1) == Some(&'\n') => {}
            '\r' | '\n' => {
                report(&mut removed, line, cleaner);
                line += 1;
                out.push('\n');
            }
            '\t' => out.push(c),
            _ => match kind(c) {
                Some(kind) if !is_needed(&chars, at) => add(&mut removed, kind, c),
                _ => out.push(c),
            },
        }
    }
    report(&mut removed, line, cleaner);
    out
}

fn kind(c: char) -> Option<StrippedKind> {
    match c {
        '\u{e0000}'..='\u{e007f}' => Some(StrippedKind::Tags),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(StrippedKind::Bidi)
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0080}'..='\u{e0fff}' => Some(StrippedKind::ZeroWidth),
        c if c.is_control() => Some(StrippedKind::Control),
        _ => None,
    }
}

fn is_needed(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| chars[before]);
    let after = chars.get(at + 1).copied();
    // Beyond Latin letters, and itself to be seen.
    let is_foreign = |c: char| c > '\u{2ff}' && kind(c).is_none();
    match chars[at] {
        // `1️⃣` and `❤️`.
        '\u{fe0e}' | '\u{fe0f}' => {
            before.is_some_and(|c| is_foreign(c) || "0123456789#*©®".contains(c))
        }
        '\u{200c}' | '\u{200d}' => {
            before.is_some_and(|c| is_foreign(c) || c == '\u{fe0f}')
                && after.is_some_and(is_foreign)
        }
        '\u{e0000}'..='\u{e007f}' => is_in_flag(chars, at),
        _ => false,
    }
}

/// The flags of Scotland and others are a black flag, a few tag characters and their end.
fn is_in_flag(chars: &[char], at: usize) -> bool {
    const LONGEST: usize = 7;
    let is_tag = |c: char| ('\u{e0020}'..END_OF_TAGS).contains(&c);
    let before = chars[..at].iter().rev().take(LONGEST).find(|c| !is_tag(**c));
    let after = chars[at..].iter().take(LONGEST).find(|c| !is_tag(**c));
    before == Some(&BLACK_FLAG) && after == Some(&END_OF_TAGS)
}

fn add(removed: &mut Vec<(StrippedKind, String)>, kind: StrippedKind, c: char) {
    // Tag characters spell ASCII, which is what the report shows.
    let tag = u32::from(c).checked_sub(0xe_0000).filter(|code| (0x20..0x7f).contains(code));
    let shown = match (kind, tag.and_then(char::from_u32)) {
        (StrippedKind::Tags, Some(letter)) => letter,
        _ => c,
    };
    match removed.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, text)) => text.push(shown),
        None => removed.push((kind, shown.to_string())),
    }
}

/// One entry for a kind and a line.
fn report(removed: &mut Vec<(StrippedKind, String)>, line: usize, cleaner: &mut Cleaner) {
    for (kind, text) in removed.drain(..) {
        cleaner.report(kind, &text, line);
    }
}
