//! The only source of time. Times are UTC and in milliseconds.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment, written as `2026-01-31T23:59:59.123Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    unix_ms: i64,
}

/// The present moment.
#[expect(clippy::disallowed_methods, reason = "this is the one door to the clock")]
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

impl Timestamp {
    /// Clamped to the years 0000-9999, so that it can always be written with four digits.
    pub fn from_unix_ms(unix_ms: i64) -> Self {
        Timestamp { unix_ms: unix_ms.clamp(-62_167_219_200_000, 253_402_300_799_999) }
    }

    pub fn unix_ms(self) -> i64 {
        self.unix_ms
    }

    /// Time passed since `earlier`; zero when the clock went backwards.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.unix_ms - earlier.unix_ms).unwrap_or(0))
    }

    /// `20260131T235959Z`: sorts as text, and is a valid file and branch name.
    pub fn compact(self) -> String {
        let c = Civil::from(self);
        format!(
            "{:04}{:02}{:02}T{:02}{:02}{:02}Z",
            c.year, c.month, c.day, c.hour, c.minute, c.second
        )
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = Civil::from(*self);
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            c.year, c.month, c.day, c.hour, c.minute, c.second, c.milli
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a UTC timestamp")))
    }
}

struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    milli: i64,
}

impl From<Timestamp> for Civil {
    /// Days to a proleptic Gregorian date, counted in eras of 400 years that begin on 1 March.
    fn from(t: Timestamp) -> Civil {
        let days = t.unix_ms.div_euclid(86_400_000);
        let ms = t.unix_ms.rem_euclid(86_400_000);
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Civil {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_from_march + 2) / 5 + 1,
            hour: ms / 3_600_000,
            minute: ms / 60_000 % 60,
            second: ms / 1000 % 60,
            milli: ms % 1000,
        }
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    if bytes.len() != 24 || !text.is_ascii() {
        return None;
    }
    let separators =
        [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    if separators.iter().any(|&(at, byte)| bytes[at] != byte) {
        return None;
    }
    let number = |range: std::ops::Range<usize>| text[range].parse::<u32>().ok().map(i64::from);
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let shifted_year = year - i64::from(month <= 2);
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    let ms = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + number(20..23)?;
    let parsed = Timestamp::from_unix_ms(ms);
    // A day or hour out of range would come back as another text.
    (parsed.to_string() == text).then_some(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_known_moments() {
        let check = |ms: i64, text: &str, compact: &str| {
            let t = Timestamp::from_unix_ms(ms);
            assert_eq!(t.to_string(), text);
            assert_eq!(t.compact(), compact);
            assert_eq!(parse(text), Some(t));
        };
        check(0, "1970-01-01T00:00:00.000Z", "19700101T000000Z");
        check(951_827_696_007, "2000-02-29T12:34:56.007Z", "20000229T123456Z");
        check(1_893_455_999_999, "2029-12-31T23:59:59.999Z", "20291231T235959Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z", "21000301T000000Z");
    }

    #[test]
    fn refuses_what_is_no_moment() {
        for text in
            ["", "2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01 00:00:00.000Z"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
