//! Versions, and the least one that a range takes.
//!
//! What follows the third number (`-rc.1`, `+build`) is left out: a release candidate has what its release has. Ranges
//! are never matched against versions here; a package manager has done that.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    /// `1.2.3`, with missing numbers as zero. `None` for `0.0.0-experimental-…`, which says nothing of what is in it.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim().trim_start_matches(['v', '=']).trim_start();
        let (numbers, rest) = match text.find(['-', '+']) {
            Some(at) => (&text[..at], &text[at..]),
            None => (text, ""),
        };
        let mut parts = [0_u32; 3];
        let mut given = numbers.split('.');
        for (place, part) in parts.iter_mut().zip(given.by_ref()) {
            *place = match part {
                "x" | "X" | "*" if place_of_star(numbers) => 0,
                digits => digits.parse().ok()?,
            };
        }
        let version = Version::new(parts[0], parts[1], parts[2]);
        let is_open = version == Version::new(0, 0, 0) && rest.starts_with('-');
        (given.next().is_none() && !is_open).then_some(version)
    }

    pub fn at_least(self, major: u32, minor: u32) -> bool {
        (self.major, self.minor) >= (major, minor)
    }
}

/// A star may stand for any number but the first.
fn place_of_star(numbers: &str) -> bool {
    numbers.starts_with(|c: char| c.is_ascii_digit())
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The least version that a range takes; `None` where it takes any, or where it is a tag or an address.
pub fn lower_bound(range: &str) -> Option<Version> {
    range.split("||").map(least_of_all).try_fold(None, |least: Option<Version>, bound| {
        let bound = bound?;
        Some(Some(least.map_or(bound, |least| least.min(bound))))
    })?
}

/// Of comparators that must all hold.
fn least_of_all(part: &str) -> Option<Version> {
    if let Some((from, _)) = part.split_once(" - ") {
        return Version::parse(from);
    }
    let mut least = None;
    let mut words = part.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let number = word.trim_start_matches(['^', '~', '>', '<', '=']);
        let operator = &word[..word.len() - number.len()];
        // An operator may stand apart from its number.
        let number = if number.is_empty() { words.next()? } else { number };
        if !operator.starts_with('<') {
            least = least.max(Some(Version::parse(number)?));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::{Version, lower_bound};

    #[test]
    fn ru1_the_least_version_of_a_range() {
        #[track_caller]
        fn check(range: &str, expected: &str) {
            let shown = lower_bound(range).map_or_else(|| "any".to_owned(), |it| it.to_string());
            assert_eq!(shown, expected, "{range}");
        }
        check("18.2.0", "18.2.0");
        check("^18.2.0", "18.2.0");
        check("~18.2", "18.2.0");
        check("18", "18.0.0");
        check("18.x", "18.0.0");
        check("v20.11.1", "20.11.1");
        check(">=16.8.0 <20", "16.8.0");
        check(">= 16.8", "16.8.0");
        check("<20 >=17", "17.0.0");
        check("16.8 - 18", "16.8.0");
        check("^19.0.0 || ^17.0.0 || ^18", "17.0.0");
        check("19.0.0-rc-66855b96-20241106", "19.0.0");
        check("^16.8.0 || *", "any");
        for any in [
            "",
            "*",
            "x",
            "latest",
            "canary",
            "<19",
            "git+ssh://a/b.git#v1",
            "file:../a",
            "1.2.3.4",
            "99999999999",
            "0.0.0-experimental-abc",
            ">",
            "^",
        ] {
            check(any, "any");
        }
    }

    #[test]
    fn ru1_versions_have_an_order() {
        let at = |text: &str| Version::parse(text).unwrap();
        assert!(at("9.10.0") < at("10.0.0") && at("15.0.4") < at("15.1.0"));
        assert!(at("15.1.0").at_least(15, 1) && !at("15.0.4").at_least(15, 1));
        assert!(at("16.0.0").at_least(15, 1));
    }
}
