//! Text carried by characters that are not seen: tag characters, selectors of variants as bytes, two of them as bits.

use super::readable;

/// What a run of unseen characters says, if it is text.
pub(crate) fn unseen_text(run: &str) -> Option<String> {
    let tags: String = run.chars().filter_map(tag).collect();
    if tags.len() > 2 {
        return Some(tags);
    }
    let bytes: Vec<u8> = run.chars().filter_map(variant).collect();
    if bytes.len() > 3 {
        let text = String::from_utf8(bytes).ok()?;
        return (!text.chars().any(|c| c.is_control() && !c.is_whitespace())).then_some(text);
    }
    bits(run)
}

fn tag(c: char) -> Option<char> {
    matches!(c, '\u{e0020}'..='\u{e007e}').then(|| char::from_u32(u32::from(c) - 0xe0000)).flatten()
}

fn variant(c: char) -> Option<u8> {
    let value = match c {
        '\u{fe00}'..='\u{fe0f}' => u32::from(c) - 0xfe00,
        '\u{e0100}'..='\u{e01ef}' => u32::from(c) - 0xe0100 + 16,
        _ => return None,
    };
    u8::try_from(value).ok()
}

/// The two most used characters as 0 and 1, either way round.
fn bits(run: &str) -> Option<String> {
    let first = run.chars().next()?;
    let second = run.chars().find(|c| *c != first)?;
    let digits: Vec<u8> = run
        .chars()
        .filter(|c| *c == first || *c == second)
        .map(|c| u8::from(c == second))
        .collect();
    [0, 1].iter().find_map(|flip| {
        let bytes: Vec<u8> = digits
            .chunks_exact(8)
            .map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | (bit ^ flip)))
            .collect();
        readable(&bytes)
    })
}
