//! When a call is tried again, and how long after.

use std::time::Duration;

use rb_core::clock::Timestamp;

use crate::error::HttpError;

/// Each wait is twice the one before. Waits are not spread at random: one program calls one server, and
/// the same run should take the same course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// In all, the first one too.
    pub tries: u32,
    pub first_wait: Duration,
    /// A server that asks for a longer wait is given up on at once.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let (first_wait, longest_wait) = (Duration::from_millis(500), Duration::from_mins(1));
        Patience { tries: 6, first_wait, longest_wait }
    }
}

/// What follows a failed try.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextTry {
    After(Duration),
    Never,
    /// The server limits us for longer than we wait; how long, where it says so.
    Limited(Option<Duration>),
}

/// Refusals for want of money, which come with the status of a rate limit.
const SPENT: [&str; 2] = ["insufficient_quota", "billing_hard_limit_reached"];

impl Patience {
    pub(crate) fn next(&self, failed: &HttpError, tries: u32) -> NextTry {
        if !may_pass(failed) {
            return NextTry::Never;
        }
        match failed.wait() {
            Some(wait) if wait > self.longest_wait => NextTry::Limited(Some(wait)),
            _ if tries >= self.tries => given_up(failed),
            Some(wait) => NextTry::After(wait),
            None => NextTry::After(self.wait(tries)),
        }
    }

    fn wait(&self, tries: u32) -> Duration {
        let factor = 2_u32.saturating_pow(tries.saturating_sub(1));
        self.first_wait.saturating_mul(factor).min(self.longest_wait)
    }
}

fn given_up(failed: &HttpError) -> NextTry {
    match failed {
        HttpError::Refused { status: 429, .. } => NextTry::Limited(None),
        _ => NextTry::Never,
    }
}

/// Whether the same request may succeed later. A server that was too slow once is not asked again: the
/// time for a call is generous, and would be spent for each try.
fn may_pass(failed: &HttpError) -> bool {
    match failed {
        HttpError::Unreachable { lost, .. } => *lost,
        HttpError::Refused { status, code, .. } => {
            let spent = code.as_deref().is_some_and(|code| SPENT.contains(&code));
            matches!(status, 429 | 500..600) && !spent
        }
        HttpError::RateLimited { .. }
        | HttpError::Tls { .. }
        | HttpError::NotJson { .. }
        | HttpError::Stalled { .. }
        | HttpError::TooSlow { .. }
        | HttpError::TooLarge { .. }
        | HttpError::Interrupted => false,
    }
}

/// Reads `Retry-After`: seconds, or a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(crate) fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    Some(http_date(text)?.since(now))
}

fn http_date(text: &str) -> Option<Timestamp> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let (_, date) = text.split_once(", ")?;
    let [day, month, year, time, "GMT"] = date.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let month =
        MONTHS.match_indices(month).find(|(at, _)| at % 3 == 0 && month.len() == 3)?.0 / 3 + 1;
    let iso = format!("{year}-{month:02}-{day}T{time}.000Z");
    serde_json::from_value(iso.into()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_retry_after_is_read_in_both_forms() {
        // Sun, 06 Nov 1994 08:49:37 GMT
        let now = Timestamp::from_unix_ms(784_111_777_000);
        let check = |text: &str, millis: Option<u64>| {
            assert_eq!(retry_after(text, now), millis.map(Duration::from_millis), "{text}");
        };
        check("7", Some(7000));
        check(" 0.5 ", Some(500));
        check("0", Some(0));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60_000));
        check("Mon, 07 Nov 1994 08:49:37 GMT", Some(86_400_000));
        check("Sun, 06 Nov 1994 08:49:00 GMT", Some(0));
        for text in [
            "",
            "-1",
            "soon",
            "NaN",
            "inf",
            "1e300",
            "06 Nov 1994",
            "Sun, 06 Nix 1994 08:49:37 GMT",
        ] {
            check(text, None);
        }
        check("Sun, 31 Feb 1994 08:49:37 GMT", None);
    }

    #[test]
    fn ix6_waits_double_up_to_the_longest() {
        let second = Duration::from_secs(1);
        let patience = Patience { tries: 9, first_wait: second, longest_wait: 5 * second };
        let waits: Vec<u64> = (1..=5).map(|tries| patience.wait(tries).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 5, 5]);
        assert_eq!(patience.wait(u32::MAX), 5 * second);
    }
}
