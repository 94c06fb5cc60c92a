//! Money. Prices and caps are made of it, so sums are exact and never wrap.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// US dollars, in billionths, so that sums are exact.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Usd {
    nano: u64,
}

impl Usd {
    /// `None` for what is no amount of money: negative, infinite, or more than anybody has.
    pub fn new(dollars: f64) -> Option<Self> {
        let nano = (dollars * 1e9).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked, and fractions are rounded off"
        )]
        (0.0..1e18).contains(&nano).then_some(Usd { nano: nano as u64 })
    }

    /// In dollars.
    pub const fn whole(dollars: u32) -> Self {
        Usd { nano: dollars as u64 * 1_000_000_000 }
    }

    /// What `count` things cost of which a million cost this much, rounded up.
    pub fn per_million(self, count: u64) -> Self {
        let nano = (u128::from(self.nano) * u128::from(count)).div_ceil(1_000_000);
        Usd { nano: u64::try_from(nano).unwrap_or(u64::MAX) }
    }

    pub fn saturating_sub(self, other: Usd) -> Self {
        Usd { nano: self.nano.saturating_sub(other.nano) }
    }

    /// Shares that sum up to the whole exactly and differ by a billionth at most, the larger ones first.
    pub fn shares(self, among: usize) -> impl Iterator<Item = Usd> {
        let parts = u64::try_from(among).unwrap_or(u64::MAX).max(1);
        let (each, left) = (self.nano / parts, self.nano % parts);
        (0..among as u64).map(move |nth| Usd { nano: each + u64::from(nth < left) })
    }

    /// As a number of dollars, for reports; sums are made in `Usd`.
    pub fn dollars(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "shown, not summed")]
        let nano = self.nano as f64;
        nano / 1e9
    }
}

impl Add for Usd {
    type Output = Usd;

    /// More than anybody has stays more than anybody has.
    fn add(self, other: Usd) -> Usd {
        Usd { nano: self.nano.saturating_add(other.nano) }
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Usd>>(amounts: I) -> Usd {
        amounts.fold(Usd::default(), Add::add)
    }
}

impl fmt::Display for Usd {
    /// To the millionth, rounded up: a cost is never shown as nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micro = self.nano.div_ceil(1000);
        write!(f, "${}.{:06}", micro / 1_000_000, micro % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo7_odd_amounts_are_no_money() {
        assert_eq!(Usd::new(1.5).map(|usd| usd.to_string()).as_deref(), Some("$1.500000"));
        for odd in [-0.1, f64::NAN, f64::INFINITY, 1e10] {
            assert_eq!(Usd::new(odd), None, "{odd}");
        }
    }

    #[test]
    fn mo7_sums_and_shares_are_exact() {
        let tenth = Usd::new(0.1).unwrap();
        assert_eq!((0..10).map(|_| tenth).sum::<Usd>(), Usd::new(1.0).unwrap());
        assert_eq!(Usd::new(3.0).unwrap().per_million(1).to_string(), "$0.000003");
        assert_eq!(Usd::new(1e8).unwrap().per_million(u64::MAX) + tenth, Usd { nano: u64::MAX });
        assert_eq!(tenth.saturating_sub(Usd::new(1.0).unwrap()), Usd::default());
        let shares: Vec<u64> = Usd { nano: 8 }.shares(3).map(|share| share.nano).collect();
        assert_eq!(shares, [3, 3, 2]);
        assert_eq!(tenth.shares(0).count(), 0);
    }
}
