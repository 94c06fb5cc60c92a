//! The benchmark gate: is it slower now, beyond what the benchmark's own noise explains?
//!
//! Times are compared as two samples, by rank: no assumption about their shape, and one slow run decides nothing. A
//! difference must be both larger than the threshold and unlikely to be noise.

use serde::{Deserialize, Serialize};

/// Wall times of one command, in milliseconds, in the order of the runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Times(pub Vec<f64>);

impl Times {
    pub fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// The middle distance from the median, as a share of it: how much the benchmark wobbles by itself.
    pub fn noise(&self) -> f64 {
        let middle = self.median();
        if middle <= 0.0 {
            return 0.0;
        }
        median(self.0.iter().map(|time| (time - middle).abs()).collect()) / middle
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => values[odd / 2],
        even => f64::midpoint(values[even / 2 - 1], values[even / 2]),
    }
}

impl Gate {
    /// To be read after "the benchmark".
    pub fn words(&self) -> String {
        let (change, noise) = ((self.ratio - 1.0) * 100.0, self.noise * 100.0);
        match self.result {
            GateResult::CheckVerdict => format!("changed by {change:+.1}% (noise {noise:.1}%)"),
            GateResult::Slower => format!("is slower by {change:.1}% (noise {noise:.1}%)"),
            GateResult::CannotTell => {
                format!("was slower by {change:.1}%, which its noise of {noise:.1}% may explain")
            }
        }
    }
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// Median after over median before.
    pub ratio: f64,
    /// The larger of the two noises.
    pub noise: f64,
    pub result: GateResult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateResult {
    /// No slower than allowed.
    CheckVerdict,
    /// Slower than allowed, and not by chance.
    Slower,
    /// Slower than allowed in these runs, which wobble too much or are too few to tell.
    CannotTell,
}

/// One chance in a hundred that noise alone looks so, one-sided.
const CERTAIN: f64 = 2.326;

/// `threshold` is the share that it may become slower by: 0.1 for a tenth.
pub fn gate(before: &Times, after: &Times, threshold: f64) -> Gate {
    let (was, is) = (before.median(), after.median());
    let ratio = if was > 0.0 { is / was } else { 1.0 };
    let result = if ratio <= 1.0 + threshold {
        GateResult::CheckVerdict
    } else if slower_by_rank(&before.0, &after.0) >= CERTAIN {
        GateResult::Slower
    } else {
        GateResult::CannotTell
    };
    Gate { ratio, noise: before.noise().max(after.noise()), result }
}

/// The Mann-Whitney statistic as a z-value: above zero where `after` tends to be larger.
#[expect(clippy::cast_precision_loss, reason = "a benchmark is not run so often")]
fn slower_by_rank(before: &[f64], after: &[f64]) -> f64 {
    let (m, n) = (before.len() as f64, after.len() as f64);
    if before.is_empty() || after.is_empty() {
        return 0.0;
    }
    let mut wins = 0.0;
    for now in after {
        for then in before {
            wins += match now.total_cmp(then) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    (wins - m * n / 2.0) / (m * n * (m + n + 1.0) / 12.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[f64], after: &[f64], expected: GateResult) {
        let gate = gate(&Times(before.to_vec()), &Times(after.to_vec()), 0.1);
        assert_eq!(gate.result, expected, "{gate:?}");
    }

    const QUIET: [f64; 8] = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8, 100.1];

    #[test]
    fn ve8_a_clear_slowdown_is_found() {
        check(&QUIET, &QUIET.map(|time| time * 1.2), GateResult::Slower);
    }

    #[test]
    fn ve8_less_than_the_threshold_is_let_through() {
        check(&QUIET, &QUIET.map(|time| time * 1.05), GateResult::CheckVerdict);
        check(&QUIET, &QUIET.map(|time| time * 0.5), GateResult::CheckVerdict);
    }

    #[test]
    fn ve8_one_slow_run_decides_nothing() {
        let mut one_slow = QUIET;
        one_slow[3] = 900.0;
        check(&QUIET, &one_slow, GateResult::CheckVerdict);
    }

    #[test]
    fn ve8_noise_is_said_to_be_noise() {
        let noisy = [60.0, 140.0, 80.0, 120.0, 100.0, 95.0, 130.0, 70.0];
        let later = [75.0, 160.0, 85.0, 125.0, 120.0, 118.0, 139.0, 72.0];
        check(&noisy, &later, GateResult::CannotTell);
        check(&[100.0], &[150.0], GateResult::CannotTell);
        assert!(Times(noisy.to_vec()).noise() > 0.2);
        assert!(Times(QUIET.to_vec()).noise() < 0.01);
    }

    #[test]
    fn ve8_nothing_measured_is_nothing_found() {
        check(&[], &[], GateResult::CheckVerdict);
        check(&[0.0], &[0.0], GateResult::CheckVerdict);
    }
}
