//! The numbers of a report: decimals with four places, so that sums are exact and the same answers give the same bytes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number in ten-thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub struct Value(u64);

const ONE: u64 = 10_000;
const PER_ONE: f64 = 10_000.0;

impl Value {
    pub const ZERO: Value = Value(0);

    /// `None` if there is nothing to have a share of. Never more than 1.
    pub fn share(part: usize, whole: usize) -> Option<Value> {
        if whole == 0 {
            return None;
        }
        let (part, whole) = (part.min(whole) as u128, whole as u128);
        let rounded = (2 * part * u128::from(ONE) + whole) / (2 * whole);
        Some(Value(u64::try_from(rounded).unwrap_or(ONE)))
    }

    pub fn count(number: u64) -> Value {
        Value(number.saturating_mul(ONE))
    }

    pub fn from_bool(holds: bool) -> Value {
        Value(if holds { ONE } else { 0 })
    }

    /// The harmonic mean of two shares; 0 if both are.
    pub fn harmonic(one: Value, other: Value) -> Value {
        let (one, other) = (u128::from(one.0), u128::from(other.0));
        let sum = one + other;
        if sum == 0 {
            return Value::ZERO;
        }
        let rounded = (4 * one * other + sum) / (2 * sum);
        Value(u64::try_from(rounded).unwrap_or(ONE).min(ONE))
    }

    /// The arithmetic mean, rounded; `None` of nothing.
    pub fn mean(values: impl IntoIterator<Item = Value>) -> Option<Value> {
        let (mut sum, mut number) = (0_u128, 0_u128);
        for value in values {
            sum += u128::from(value.0);
            number += 1;
        }
        let rounded = (2 * sum + number).checked_div(2 * number)?;
        Some(Value(u64::try_from(rounded).unwrap_or(u64::MAX)))
    }

    /// How far two values are apart.
    pub fn distance(self, other: Value) -> Value {
        Value(self.0.abs_diff(other.0))
    }

    /// This many percent of the value.
    pub fn percent_of(self, percent: u32) -> Value {
        let part = u128::from(self.0) * u128::from(percent) / 100;
        Value(u64::try_from(part).unwrap_or(u64::MAX))
    }

    /// `83.3%`
    pub fn percent(self) -> String {
        let tenths = (self.0 + 5) / 10;
        format!("{}.{}%", tenths / 10, tenths % 10)
    }
}

impl fmt::Display for Value {
    /// With one decimal, if it has any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0.saturating_add(500) / 1000;
        match (tenths / 10, tenths % 10) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, tenth) => write!(f, "{whole}.{tenth}"),
        }
    }
}

impl From<Value> for f64 {
    fn from(value: Value) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "four decimals are kept")]
        let number = value.0 as f64;
        number / PER_ONE
    }
}

impl TryFrom<f64> for Value {
    type Error = String;

    fn try_from(number: f64) -> Result<Value, String> {
        let scaled = (number * PER_ONE).round();
        if !(0.0..1e18).contains(&scaled) {
            return Err(format!("{number} is not a value of a metric"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked, and fractions are rounded off"
        )]
        Ok(Value(scaled as u64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn as10_a_share_of_nothing_is_not_a_number() {
        let check = |part: usize, whole: usize, expected: Option<&str>| {
            assert_eq!(Value::share(part, whole).map(Value::percent).as_deref(), expected);
        };
        check(0, 0, None);
        check(3, 0, None);
        check(0, 7, Some("0.0%"));
        check(1, 3, Some("33.3%"));
        check(2, 3, Some("66.7%"));
        check(7, 7, Some("100.0%"));
        check(8, 7, Some("100.0%"));
        check(usize::MAX, usize::MAX, Some("100.0%"));
    }

    #[test]
    fn as10_numbers_are_shown_with_one_decimal_if_any() {
        let mean = |numbers: &[u64]| Value::mean(numbers.iter().copied().map(Value::count));
        assert_eq!(mean(&[]), None);
        let check = |numbers: &[u64], expected: &str| {
            assert_eq!(mean(numbers).unwrap().to_string(), expected);
        };
        check(&[3], "3");
        check(&[1, 2], "1.5");
        check(&[1, 1, 2], "1.3");
        check(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "0");
    }

    proptest! {
        #[test]
        fn as10_no_share_exceeds_one(part: u32, whole: u32, other: u32) {
            let one = Value::share(1, 1).unwrap();
            let share = Value::share(part as usize, whole as usize);
            prop_assert!(share.is_none_or(|share| share <= one));
            let second = Value::share(other as usize, whole as usize);
            if let (Some(first), Some(second)) = (share, second) {
                let f1 = Value::harmonic(first, second);
                prop_assert!(f1 <= first.max(second) && f1 <= one);
                let mean = Value::mean([first, second]).unwrap();
                prop_assert!(mean >= first.min(second) && mean <= first.max(second));
            }
        }

        #[test]
        fn as10_numbers_survive_json(number in 0_u64..1 << 40) {
            let value = Value(number);
            let json = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
        }
    }

    #[test]
    fn as10_what_is_no_number_of_a_report_is_refused() {
        for json in ["-0.1", "1e300", "null", "\"1\""] {
            assert!(serde_json::from_str::<Value>(json).is_err(), "{json}");
        }
    }
}
