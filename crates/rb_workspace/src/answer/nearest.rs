//! The place in a file that comes closest to a text that was not found. It serves the message alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::error::Difference;
use super::search::View;

const MAX_CHARS: usize = 120;

/// A line that occurs more often than this says nothing about the place.
const MAX_OCCURRENCES: usize = 50;

/// How many lines of a file are compared word by word.
const MAX_COMPARED: usize = 20_000;

/// How far from the lines that agree the first line may stand, where lines between them are missing or too many.
const REACH: usize = 5;

/// The first line that differs where most lines of `wanted` stand in their order, or else where a line shares most words. Another
/// indentation counts only if nothing else differs.
pub(super) fn difference(wanted: &[&[u8]], lines: &[&[u8]]) -> Option<Difference> {
    let near = by_equal_lines(wanted, lines).or_else(|| by_words(wanted, lines))?;
    let start = start_near(near, wanted, lines);
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

/// The start from which most lines agree, where none does from `near`: a line that stands in the file is not what differs.
fn start_near(near: usize, wanted: &[&[u8]], lines: &[&[u8]]) -> usize {
    let agreeing = |at: usize| {
        let pairs = wanted.iter().zip(lines.get(at..).unwrap_or_default());
        let is_same =
            |(wanted, have): &(&&[u8], &&[u8])| View::Trimmed.of(wanted) == View::Trimmed.of(have);
        pairs.take_while(is_same).count()
    };
    if agreeing(near) > 0 {
        return near;
    }
    let around = near.saturating_sub(REACH)..=near.saturating_add(REACH);
    let counted = around.map(|at| (agreeing(at), at)).filter(|&(count, _)| count > 0);
    let best = counted.max_by_key(|&(count, at)| (count, Reverse(at.abs_diff(near)), Reverse(at)));
    best.map_or(near, |(_, at)| at)
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
    let best = votes.iter().max_by_key(|&(&start, &count)| (count, Reverse(start)));
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
    let (score, index) = scored.max_by_key(|&(score, index)| (score, Reverse(index)))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&[u8]> {
        text.lines().map(str::as_bytes).collect()
    }

    #[test]
    fn rf5_a_line_that_stands_in_the_file_is_not_what_differs() {
        let check = |file: &str, patch: &str, expected: (usize, Option<&str>, &str)| {
            let found = difference(&lines(patch), &lines(file)).unwrap();
            assert_eq!((found.line, found.file.as_deref(), &*found.patch), expected, "{patch}");
        };
        // The brace is there; what is missing behind it is a blank line.
        check("a\n}\n\nfn b\nc\n", "}\nfn b\nc\n", (3, Some(""), "fn b"));
        // One line too many behind the first one.
        check("one\ntwo\nthree\nfour\n", "one\nthree\nfour\n", (2, Some("two"), "three"));
        // One line too few.
        check("one\nthree\nfour\n", "one\ntwo\nthree\nfour\n", (2, Some("three"), "two"));
        // The first line does differ.
        check("one\ntwo\nthree\n", "1\ntwo\nthree\n", (1, Some("one"), "1"));
        // A brace far away says nothing.
        check("}\n1\n2\n3\n4\n5\n6\n7\nx\ny\n", "}\ny\n", (9, Some("x"), "}"));
    }
}
