//! Colours by value: five steps of one hue, cut where the values lie.

/// The least value of each step but the first, rising.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Steps {
    bounds: Vec<f64>,
}

/// The shares of the files that lie below each bound. Few files are dark, so that they stand out.
const SHARES: [f64; 4] = [0.4, 0.7, 0.9, 0.97];

impl Steps {
    /// Zero is a step of its own where there are zeros: nothing found, never changed.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Steps {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let above = values.partition_point(|&value| value <= 0.0);
        let has_zeros = above > 0;
        let values = &values[above..];
        let Some(&least) = values.first() else { return Steps::default() };
        let mut bounds: Vec<f64> = if has_zeros { vec![least] } else { Vec::new() };
        bounds.extend(SHARES.iter().skip(usize::from(has_zeros)).map(|&share| at(values, share)));
        bounds.dedup();
        bounds.retain(|&bound| has_zeros || bound > least);
        Steps { bounds }
    }

    /// From 0 to 4.
    pub(super) fn step(&self, value: f64) -> usize {
        self.bounds.iter().take_while(|&&bound| value >= bound).count()
    }

    /// The class of a rectangle.
    pub(super) fn class(&self, value: f64) -> &'static str {
        ["step-0", "step-1", "step-2", "step-3", "step-4"][self.step(value)]
    }

    pub(super) fn count(&self) -> usize {
        self.bounds.len() + 1
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place in a list"
)]
fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() as f64 * share) as usize).min(sorted.len() - 1)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps(values: &[f64]) -> Vec<usize> {
        let steps = Steps::of(values.iter().copied());
        values.iter().map(|&value| steps.step(value)).collect()
    }

    #[test]
    fn ux4_zero_is_a_step_of_its_own_and_few_files_are_dark() {
        assert_eq!(steps(&[0.0, 0.0, 1.0, 1.0, 2.0]), [0, 0, 1, 1, 2]);
        assert_eq!(steps(&[0.0, 0.0]), [0, 0]);
        assert_eq!(steps(&[3.0, 3.0]), [0, 0]);
        assert_eq!(steps(&[]), [0; 0]);
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        let mut counts = [0; 5];
        for step in steps(&hundred) {
            counts[step] += 1;
        }
        assert_eq!(counts, [40, 30, 20, 7, 3]);
    }

    proptest! {
        #[test]
        fn ux4_a_higher_value_is_never_lighter(values in proptest::collection::vec(0.0..100.0_f64, 1..50)) {
            let steps = Steps::of(values.iter().copied());
            for &one in &values {
                for &other in &values {
                    prop_assert!(one > other || steps.step(one) <= steps.step(other));
                }
                prop_assert!(steps.step(one) < steps.count() && steps.count() <= 5);
            }
        }
    }
}
