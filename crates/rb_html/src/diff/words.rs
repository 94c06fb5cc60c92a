//! What differs between two lines, word by word.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// The pieces of a line: names and numbers, runs of white space, single signs.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let kind = Kind::of(first);
        let end = match kind {
            Kind::Sign => first.len_utf8(),
            Kind::Name | Kind::Space => rest.find(|c| Kind::of(c) != kind).unwrap_or(rest.len()),
        };
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some(word)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Space,
    Sign,
}

impl Kind {
    fn of(c: char) -> Kind {
        if c.is_alphanumeric() || c == '_' {
            Kind::Name
        } else if c.is_whitespace() {
            Kind::Space
        } else {
            Kind::Sign
        }
    }
}

type Ranges = Vec<Range<usize>>;

/// The changed places of both lines; none where most of the shorter line differs.
pub(super) fn changes(old: &str, new: &str) -> (Ranges, Ranges) {
    let mut input = InternedInput::default();
    input.update_before(words(old));
    input.update_after(words(new));
    let diff = Diff::compute(Algorithm::Myers, &input);
    let old_places = places(old, |at| diff.is_removed(at));
    let new_places = places(new, |at| diff.is_added(at));
    let kept =
        solid(old) - old_places.iter().map(|place| solid(&old[place.clone()])).sum::<usize>();
    if kept * 2 < solid(old).min(solid(new)) {
        return (Vec::new(), Vec::new());
    }
    (old_places, new_places)
}

/// Bytes that are not white space.
pub(super) fn solid(text: &str) -> usize {
    text.split_whitespace().map(str::len).sum()
}

/// Changed words with only white space between them are one place. White space at its ends is not marked, unless there is nothing else.
fn places(line: &str, is_changed: impl Fn(u32) -> bool) -> Ranges {
    let mut places: Ranges = Vec::new();
    let mut start = 0;
    for (at, word) in (0..).zip(words(line)) {
        let end = start + word.len();
        if is_changed(at) {
            match places.last_mut() {
                Some(last) if line[last.end..start].trim().is_empty() => last.end = end,
                Some(_) | None => places.push(start..end),
            }
        }
        start = end;
    }
    places.into_iter().map(|place| trimmed(line, place)).collect()
}

fn trimmed(line: &str, place: Range<usize>) -> Range<usize> {
    let text = &line[place.clone()];
    let solid = text.trim();
    if solid.is_empty() {
        return place;
    }
    let start = place.start + text.len() - text.trim_start().len();
    start..start + solid.len()
}
