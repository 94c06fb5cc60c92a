//! Numbers as they are written: decimal, exact, compared without rounding.
//!
//! Comparing `u64` with `f64` by a cast makes 9007199254740993 equal to 9007199254740992, and 0.3 no multiple of 0.1. A
//! [`Decimal`] has the digits that were written (for a fraction, the shortest that mean it) and a power of ten.

use std::cmp::Ordering;

use serde_json::Number;

/// `±digits · 10^exponent`; no zeros at the end of `digits`, so that equal numbers have equal fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: u64,
    exponent: i32,
}

impl Decimal {
    pub(crate) fn of(number: &Number) -> Self {
        if let Some(whole) = number.as_u64() {
            return Self::normal(false, whole, 0);
        }
        if let Some(whole) = number.as_i64() {
            return Self::normal(whole < 0, whole.unsigned_abs(), 0);
        }
        Self::of_float(number.as_f64().expect("a number that is not whole is an f64"))
    }

    /// From Rust's shortest form, `-1.25e-7`: at most 17 digits.
    fn of_float(float: f64) -> Self {
        let text = format!("{:e}", float.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let fraction = mantissa.split_once('.').map_or("", |(_, fraction)| fraction);
        let digits = mantissa
            .bytes()
            .filter(u8::is_ascii_digit)
            .fold(0_u64, |sum, digit| sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
        let places = i32::try_from(fraction.len()).expect("17 digits at most");
        let exponent = exponent.parse().unwrap_or(0) - places;
        Self::normal(float.is_sign_negative(), digits, exponent)
    }

    fn normal(negative: bool, mut digits: u64, mut exponent: i32) -> Self {
        if digits == 0 {
            return Decimal { negative: false, digits: 0, exponent: 0 };
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Decimal { negative, digits, exponent }
    }

    pub(crate) fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    pub(crate) fn is_positive(self) -> bool {
        !self.negative && self.digits > 0
    }

    /// Whether `self` is `unit` times a whole number. `unit` is not zero.
    pub(crate) fn is_multiple_of(self, unit: Self) -> bool {
        let Ok(shift) = u32::try_from(self.exponent - unit.exponent) else {
            // More places than the unit has, and the last of them is not zero.
            return self.digits == 0;
        };
        let modulus = u128::from(unit.digits);
        let power = (0..shift).fold(1 % modulus, |power, _| power * 10 % modulus);
        u128::from(self.digits) % modulus * power % modulus == 0
    }

    /// By size alone: the place of the first digit, then the digits at equal length.
    fn cmp_magnitude(self, other: Self) -> Ordering {
        if self.digits == 0 || other.digits == 0 {
            return self.digits.cmp(&other.digits);
        }
        let length = |it: Self| it.digits.ilog10() + 1;
        let place = |it: Self| i64::from(it.exponent) + i64::from(length(it));
        let widest = length(self).max(length(other));
        let padded = |it: Self| u128::from(it.digits) * 10_u128.pow(widest - length(it));
        place(self).cmp(&place(other)).then_with(|| padded(self).cmp(&padded(other)))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.cmp_magnitude(*other),
            (true, true) => other.cmp_magnitude(*self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::of(&serde_json::from_str(text).expect(text))
    }

    #[test]
    fn mo4_numbers_are_ordered_exactly() {
        let ascending = [
            "-1e300",
            "-18446744073709551616",
            "-9007199254740993",
            "-9007199254740992",
            "-1.5",
            "-1",
            "-5e-324",
            "0",
            "5e-324",
            "0.1",
            "0.30000000000000004",
            "1",
            "1.5",
            "10",
            "9007199254740992",
            "9007199254740993",
            "18446744073709551614",
            "18446744073709551615",
            "1e300",
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(decimal(a).cmp(&decimal(b)), i.cmp(&j), "{a} against {b}");
            }
        }
    }

    #[test]
    fn mo4_one_number_however_it_is_written() {
        for (a, b) in
            [("3", "3.0"), ("0", "-0.0"), ("100", "1e2"), ("1.50", "15e-1"), ("-2", "-2.0")]
        {
            assert_eq!(decimal(a), decimal(b), "{a} and {b}");
        }
        for (text, whole) in
            [("3.0", true), ("1e300", true), ("-0.0", true), ("0.5", false), ("1e-9", false)]
        {
            assert_eq!(decimal(text).is_whole(), whole, "{text}");
        }
    }

    #[test]
    fn mo4_multiples_are_exact() {
        let rows = [
            ("0.3", "0.1", true),
            ("0.35", "0.1", false),
            ("9007199254740993", "2", false),
            ("9007199254740994", "2", true),
            ("18446744073709551615", "18446744073709551615", true),
            ("1e300", "7", false),
            ("7e300", "7", true),
            ("0", "7", true),
            ("-21", "7", true),
            ("1", "1e300", false),
            ("1e-9", "1e-10", true),
            ("4.5", "1.5", true),
        ];
        for (number, unit, expected) in rows {
            assert_eq!(
                decimal(number).is_multiple_of(decimal(unit)),
                expected,
                "{number} of {unit}"
            );
        }
    }
}
