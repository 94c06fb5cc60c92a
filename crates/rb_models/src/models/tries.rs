//! When a call is made again, and how long after.
//!
//! Waits are spread, so that many calls that were turned away together do not come back together. The spread
//! is drawn from the call itself: the same run takes the same course.

use std::time::Duration;

use crate::error::{Advice, Fault};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Tries in all where the provider is busy.
    pub tries: u32,
    /// Tries in all where nobody answers: it may be that nobody is there.
    pub tries_of_connections: u32,
    /// Tries in all where an answer came and was not whole.
    pub tries_of_bad_answers: u32,
    pub first_wait: Duration,
    /// A provider that asks for a longer wait is given up on at once: the run can be resumed.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            tries: 6,
            tries_of_connections: 4,
            tries_of_bad_answers: 2,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_mins(5),
        }
    }
}

impl Patience {
    /// How long to wait before the next try; `None`: there is none. `seed` differs from call to call.
    pub(super) fn wait(&self, fault: &Fault, tries: u32, seed: u64) -> Option<Duration> {
        let Advice::Retry { after } = fault.advice() else { return None };
        let most = match fault {
            Fault::Half { .. } | Fault::Malformed { .. } | Fault::Stalled(_) => {
                self.tries_of_bad_answers
            }
            Fault::Unreachable { .. } => self.tries_of_connections,
            _ => self.tries,
        };
        match after {
            _ if tries >= most => None,
            Some(asked) if asked > self.longest_wait => None,
            // Never earlier than asked for.
            Some(asked) => Some(asked + self.first_wait.mul_f64(share(seed, tries) / 2.0)),
            None => Some(self.backoff(tries).mul_f64(0.5 + share(seed, tries) / 2.0)),
        }
    }

    fn backoff(&self, tries: u32) -> Duration {
        let factor = 2_u32.saturating_pow(tries.saturating_sub(1));
        self.first_wait.saturating_mul(factor).min(self.longest_wait)
    }
}

/// Between 0 and 1, even over all seeds.
fn share(seed: u64, tries: u32) -> f64 {
    let mut mixed = seed ^ u64::from(tries).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from(u32::try_from(mixed >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(seconds: Option<u64>) -> Fault {
        Fault::RateLimited { words: String::new(), wait: seconds.map(Duration::from_secs) }
    }

    #[test]
    fn mo8_waits_double_and_are_spread_within_bounds() {
        let patience = Patience::default();
        for seed in 0..500 {
            for (tries, longest) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16)] {
                let wait = patience.wait(&limited(None), tries, seed).unwrap();
                let longest = Duration::from_secs(longest);
                assert!(wait >= longest / 2 && wait <= longest, "{tries}: {wait:?}");
            }
            assert_eq!(patience.wait(&limited(None), 6, seed), None);
        }
        let waits: std::collections::BTreeSet<_> =
            (0..500).map(|seed| patience.wait(&limited(None), 1, seed)).collect();
        assert!(waits.len() > 400, "{} different waits", waits.len());
    }

    #[test]
    fn mo8_what_the_provider_asks_for_is_kept_or_given_up_on() {
        let patience = Patience::default();
        for seed in 0..100 {
            let wait = patience.wait(&limited(Some(7)), 1, seed).unwrap();
            assert!((7.0..=7.5).contains(&wait.as_secs_f64()), "{wait:?}");
        }
        assert_eq!(patience.wait(&limited(Some(3600)), 1, 0), None);
    }

    #[test]
    fn mo8_bad_answers_are_asked_for_once_more_and_settled_faults_never() {
        let patience = Patience::default();
        let check = |fault: Fault, most: u32| {
            let tries = (1..20).find(|&tries| patience.wait(&fault, tries, 1).is_none());
            assert_eq!(tries, Some(most), "{fault:?}");
        };
        check(Fault::Half { why: String::new() }, 2);
        check(Fault::Malformed { why: String::new() }, 2);
        check(Fault::Stalled(Duration::ZERO), 2);
        check(Fault::Unreachable { why: String::new(), lost: true }, 4);
        check(limited(None), 6);
        check(Fault::Unreachable { why: String::new(), lost: false }, 1);
        check(Fault::BadKey { words: String::new() }, 1);
        check(Fault::NotAsAsked { why: String::new() }, 1);
        check(Fault::TooSlow(Duration::ZERO), 1);
    }
}
