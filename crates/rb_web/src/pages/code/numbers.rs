//! Numbers as people read them.

use rb_core::plural_of;

pub(in crate::pages) use crate::clock_words::count;

/// `1 file`, `2 000 files`
pub(in crate::pages) fn plural(number: u64, word: &str) -> String {
    let word = if number == 1 { word.to_owned() } else { plural_of(word) };
    format!("{} {word}", count(number))
}

/// A number from 0 to 1 as one from 0 to 100.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "kept within 0 and 100"
)]
pub(in crate::pages) fn percent(share: f64) -> u8 {
    (share * 100.0).round().clamp(0.0, 100.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_numbers_have_their_words() {
        assert_eq!([plural(1, "file"), plural(2000, "entry")], ["1 file", "2\u{202f}000 entries"]);
        assert_eq!([percent(0.126), percent(7.0), percent(f64::NAN)], [13, 100, 0]);
    }
}
