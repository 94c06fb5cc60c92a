//! Numbers as people read them.

use rb_core::plural_of;

/// `1,234,567`
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2,000 files`
pub(crate) fn plural(number: u64, one: &str) -> String {
    let word = if number == 1 { one.to_owned() } else { plural_of(one) };
    format!("{} {word}", count(number))
}

/// `512 B`, `1.5 MB`
pub(crate) fn bytes(number: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let mut value = number as f64;
    let mut unit = "B";
    for larger in ["kB", "MB", "GB", "TB"] {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if unit == "B" { format!("{number} B") } else { format!("{value:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(
            [count(0), count(999), count(1000), count(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!([plural(1, "file"), plural(2000, "file")], ["1 file", "2,000 files"]);
        assert_eq!([bytes(512), bytes(1500), bytes(2_000_000)], ["512 B", "1.5 kB", "2.0 MB"]);
    }
}
