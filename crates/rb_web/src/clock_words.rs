//! Times and amounts as people read them.

use rb_core::clock::Timestamp;
use rb_html::Page;

/// `2026-01-31 23:59:59`, in UTC.
pub(crate) fn moment(at: Timestamp) -> String {
    at.to_string().replacen('T', " ", 1).chars().take(19).collect()
}

/// The time in UTC, which a script shows as the person's clock has it.
pub(crate) fn time(page: &mut Page, at: Timestamp) {
    page.open("time", &[("datetime", &at.to_string())]);
    page.text(&format!("{} UTC", moment(at)));
    page.close("time");
}

/// `23:59:59`.
pub(crate) fn time_of_day(at: Timestamp) -> String {
    at.to_string().chars().skip(11).take(8).collect()
}

pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 => format!("{ms} ms"),
        1..60 => format!("{seconds}.{} s", ms % 1000 / 100),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// With a space between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut words = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            words.push('\u{202f}');
        }
        words.push(digit);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_a_time_can_be_read_by_scripts_and_says_that_it_is_utc() {
        let mut page = Page::new();
        time(&mut page, Timestamp::from_unix_ms(86_399_000));
        let expected = "<time datetime=\"1970-01-01T23:59:59.000Z\">1970-01-01 23:59:59 UTC</time>";
        assert_eq!(page.done(), expected);
    }

    #[test]
    fn ux4_numbers_read_well() {
        for (ms, words) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1500, "1.5 s"),
            (61_000, "1 min 1 s"),
            (7_260_000, "2 h 1 min"),
        ] {
            assert_eq!(duration(ms), words);
        }
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
