//! Numbers in path data, rounded in place: what stands between them stays, and nothing runs together.
//!
//! What is not understood is not touched at all.

/// A text with its fine numbers rounded.
pub(super) struct Rounded {
    pub(super) text: String,
    /// How many were rounded.
    pub(super) count: usize,
}

/// Numbers with at least so many decimals are too fine, whatever is kept. Where there is one, its neighbours with more than
/// is kept are rounded, too.
const FINE: usize = 4;

/// `None` where no number is too fine, or where the text holds what is not understood: relative commands and arcs in a path,
/// exponents anywhere.
pub(super) fn rounded(text: &str, is_path: bool, decimals: usize) -> Option<Rounded> {
    if is_path && !text.chars().all(is_plain) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let (mut count, mut fine) = (0, 0);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = number_length(rest);
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (number, after) = rest.split_at(length);
        if after.starts_with(['e', 'E']) {
            return None;
        }
        let has = decimals_of(number);
        let short = if has > decimals {
            count += 1;
            fine += usize::from(has >= FINE.max(decimals + 2));
            short(number, decimals)?
        } else {
            number.to_owned()
        };
        push(&mut out, &short);
        rest = after;
    }
    (fine > 0).then_some(Rounded { text: out, count })
}

/// Absolute commands, numbers and what stands between them.
fn is_plain(character: char) -> bool {
    character.is_ascii_digit()
        || matches!(
            character,
            'M' | 'L' | 'H' | 'V' | 'C' | 'S' | 'Q' | 'T' | 'Z' | 'z' | '.' | '-' | '+' | ','
        )
        || character.is_ascii_whitespace()
}

/// The length of the number that a text begins with; 0 where it begins with none.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let digits = |from: usize| bytes[from..].iter().take_while(|it| it.is_ascii_digit()).count();
    let whole = digits(sign);
    let dot = sign + whole;
    let part = if bytes.get(dot) == Some(&b'.') { digits(dot + 1) } else { 0 };
    match (whole, part) {
        (0, 0) => 0,
        (_, 0) => dot,
        _ => dot + 1 + part,
    }
}

fn decimals_of(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, part)| part.len())
}

/// Rounded, without zeros at the end; without the zero before the point where the author leaves it out.
fn short(number: &str, decimals: usize) -> Option<String> {
    let value: f64 = number.parse().ok()?;
    let fixed = format!("{value:.decimals$}");
    let trimmed = fixed.trim_end_matches('0').trim_end_matches('.');
    if trimmed.is_empty() || trimmed == "-0" || trimmed == "-" {
        return Some("0".to_owned());
    }
    let bare = number.trim_start_matches(['-', '+']).starts_with('.');
    Some(if bare { trimmed.replacen("0.", ".", 1) } else { trimmed.to_owned() })
}

/// Puts a space where a number would run into the one before it.
fn push(out: &mut String, number: &str) {
    let tail = out.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
    let before = &out[tail..];
    let runs_on = match number.as_bytes().first() {
        Some(b'-' | b'+') => false,
        Some(b'.') => !before.is_empty() && !before.contains('.'),
        _ => !before.is_empty(),
    };
    if runs_on {
        out.push(' ');
    }
    out.push_str(number);
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[track_caller]
    fn check(text: &str, is_path: bool, expected: Option<&str>) {
        let found = rounded(text, is_path, 2).map(|it| it.text);
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn ru1_rendering_svg_precision_rounds_numbers() {
        check("M1.23456 2L3 4Z", true, Some("M1.23 2L3 4Z"));
        check("M-0.00001-1.99999", true, Some("M0-2"));
        check("M5-0.00001", true, Some("M5 0"));
        check("M10.00001.5", true, Some("M10 .5"));
        check("M.55555.44444", true, Some("M.56.44"));
        check("1.23456,2.34567", false, Some("1.23,2.35"));
        // Where one is too fine, the others are not left finer than it becomes.
        check("M647.664 66.8849L5.5 2.75", true, Some("M647.66 66.88L5.5 2.75"));
        check("translate(1.23456 2)", false, Some("translate(1.23 2)"));
    }

    #[test]
    fn ru1_rendering_svg_precision_leaves_what_it_does_not_read() {
        check("M1.234 2", true, None);
        check("m1.23456 2", true, None);
        check("M1.23456 2A1 1 0 011 1", true, None);
        check("1.23456e5", false, None);
        check("", true, None);
    }
}
