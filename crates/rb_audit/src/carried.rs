//! Edits of a text as it was before a change, at the same places after it.

use imara_diff::{Algorithm, Diff, InternedInput};
use rb_core::Edit;

/// The edits whose lines stand unchanged in `after`, with the offsets there. An edit of a line that the change touched is left out, and so is
/// one of more than one line.
pub fn carry_over(before: &str, after: &str, edits: &[Edit]) -> Vec<Edit> {
    let moved = line_moves(before, after);
    let (old, new) = (line_starts(before), line_starts(after));
    let carried = |edit: &Edit| {
        let line = old.partition_point(|start| *start <= edit.start) - 1;
        let end = old.get(line + 1).copied().unwrap_or(u32::MAX);
        let start = *new.get(usize::try_from(moved.get(line).copied().flatten()?).ok()?)?;
        let shift = |at: u32| at - old[line] + start;
        (edit.end < end).then(|| Edit::replace(shift(edit.start), shift(edit.end), &*edit.text))
    };
    edits.iter().filter_map(carried).collect()
}

/// For each line before the change, the line that it is after it.
fn line_moves(before: &str, after: &str) -> Vec<Option<u32>> {
    let input = InternedInput::new(before, after);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut moves = Vec::with_capacity(input.before.len());
    let mut next = 0;
    let lines = u32::try_from(input.before.len()).unwrap_or(u32::MAX);
    for hunk in diff.hunks() {
        while u32::try_from(moves.len()).unwrap_or(u32::MAX) < hunk.before.start {
            moves.push(Some(next));
            next += 1;
        }
        moves.extend(hunk.before.clone().map(|_| None));
        next = hunk.after.end;
    }
    while u32::try_from(moves.len()).unwrap_or(u32::MAX) < lines {
        moves.push(Some(next));
        next += 1;
    }
    moves
}

fn line_starts(text: &str) -> Vec<u32> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let starts = breaks.filter_map(|(at, _)| u32::try_from(at + 1).ok());
    std::iter::once(0).chain(starts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_edits_follow_lines_that_stay() {
        let before = "one\ntwo x\nthree\nfour x x\nfive\n";
        let after = "zero\none\ntwo y\nthree\nfour x x\nsix\nfive\n";
        let at = |nth: usize| {
            let start = before.match_indices('x').nth(nth).unwrap().0;
            let start = u32::try_from(start).unwrap();
            Edit::replace(start, start + 1, "new")
        };
        let edits = carry_over(before, after, &[at(0), at(1), at(2)]);
        let text = rb_core::edit::apply(after, &edits).unwrap();
        assert_eq!(text, "zero\none\ntwo y\nthree\nfour new new\nsix\nfive\n");
        assert_eq!(carry_over(before, "", &[at(0)]), []);
        let line_and_more = Edit::delete(4, 12);
        assert_eq!(carry_over(before, before, &[line_and_more]), []);
        let last = Edit::replace(0, 1, "b");
        assert_eq!(carry_over("a", "a", std::slice::from_ref(&last)), [last]);
    }
}
