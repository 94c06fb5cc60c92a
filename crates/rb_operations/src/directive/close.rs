//! Names that are nearly what was written: slips of the keyboard, a plural for a singular.

use std::collections::BTreeSet;

/// A name must have this many letters before a near one is accepted for it.
const SHORTEST: usize = 6;
const FARTHEST: usize = 2;

/// The only name at a distance of one or two edits, if there is only one.
pub(super) fn only_close<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let close: BTreeSet<&str> = if name.chars().count() < SHORTEST {
        BTreeSet::new()
    } else {
        known
            .filter(|other| other.len().abs_diff(name.len()) <= FARTHEST)
            .filter(|other| distance(name, other) <= FARTHEST)
            .collect()
    };
    match close.len() {
        1 => close.first().copied(),
        _ => None,
    }
}

/// Names that may have been meant, for a message: the nearest ones, at most a third of the name away.
pub(super) fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let farthest = (name.chars().count() / 3).min(4);
    let mut near: BTreeSet<(usize, &str)> = known
        .filter(|other| other.len().abs_diff(name.len()) <= farthest)
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= farthest)
        .collect();
    let best = near.first().map_or(0, |(distance, _)| *distance);
    near.retain(|(distance, _)| *distance <= best + 1);
    near.into_iter().map(|(_, name)| name).take(5).collect()
}

/// Insertions, deletions, replacements, and neighbours swapped.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st3_distances() {
        for (a, b, expected) in [
            ("splitters", "splitter", 1),
            ("exceptions_handlers", "exception_handlers", 1),
            ("paramter", "parameter", 1),
            ("fucntion", "function", 1),
            ("abc", "abc", 0),
            ("", "ab", 2),
            ("generate_option_id", "generate_operation_id", 3),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn st3_only_one_close_name_counts() {
        let known = ["splitter", "splitting", "format", "former"];
        assert_eq!(only_close("splitters", known.into_iter()), Some("splitter"));
        assert_eq!(only_close("formet", known.into_iter()), None);
        assert_eq!(only_close("split", known.into_iter()), None);
    }
}
