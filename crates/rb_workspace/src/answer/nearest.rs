//! The place in a file that comes closest to a text that was not found. It serves the message alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::error::Difference;
use super::search::View;

const MAX_CHARS: usize = 120;

/// A line that occurs more often than this says nothing about the place.
const MAX_OCCURRENCES: usize = 50;

/// How many lines of a file are compared word by word.
const MAX_COMPARED: usize = 20_000;

/// The first line that differs where most lines of `wanted` stand in their order, or else where a line shares most words. Another
/// indentation counts only if nothing else differs.
pub(super) fn difference(wanted: &[&[u8]], lines: &[&[u8]]) -> Option<Difference> {
    let start = by_equal_lines(wanted, lines).or_else(|| by_words(wanted, lines))?;
    let have = lines.get(start..).unwrap_or_default();
    let first = |view: View| {
        let is_other = |(offset, line): (usize, &&[u8])| {
            have.get(offset).is_none_or(|have| view.of(have) != view.of(line))
        };
        wanted.iter().enumerate().position(is_other)
    };
    let offset = first(View::Trimmed).or_else(|| first(View::EndTrimmed))?;
    Some(Difference {
        line: start + offset + 1,
        file: have.get(offset).map(|line| shorten(line)),
        patch: shorten(wanted[offset]),
    })
}

fn by_equal_lines(wanted: &[&[u8]], lines: &[&[u8]]) -> Option<usize> {
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| says_something(line)) {
        let places = places.entry(line.trim_ascii()).or_default();
        if places.len() <= MAX_OCCURRENCES {
            places.push(index);
        }
    }
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for (offset, line) in wanted.iter().enumerate() {
        let found = places.get(line.trim_ascii()).filter(|found| found.len() <= MAX_OCCURRENCES);
        for index in found.into_iter().flatten() {
            *votes.entry(index.saturating_sub(offset)).or_default() += 1;
        }
    }
    let best = votes.iter().max_by_key(|&(&start, &count)| (count, std::cmp::Reverse(start)));
    best.map(|(&start, _)| start)
}

fn by_words(wanted: &[&[u8]], lines: &[&[u8]]) -> Option<usize> {
    let longest = wanted.iter().max_by_key(|line| line.trim_ascii().len())?;
    let offset = wanted.iter().position(|line| line == longest)?;
    let wanted = words(longest);
    let score =
        |line: &[u8]| words(line).intersection(&wanted).map(|word| word.len()).sum::<usize>();
    let scored =
        lines.iter().take(MAX_COMPARED).enumerate().map(|(index, line)| (score(line), index));
    let (score, index) = scored.max_by_key(|&(score, index)| (score, std::cmp::Reverse(index)))?;
    (score > 0).then(|| index.saturating_sub(offset))
}

fn words(line: &[u8]) -> BTreeSet<&[u8]> {
    let is_gap = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_' && byte.is_ascii();
    line.split(is_gap).filter(|word| !word.is_empty()).collect()
}

/// Braces and blanks are everywhere.
fn says_something(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

pub(super) fn shorten(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    let mut short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() {
        short.push('\u{2026}');
    }
    short
        .chars()
        .flat_map(
            |c| if c.is_control() && c != '\t' { c.escape_debug().collect() } else { vec![c] },
        )
        .collect()
}
