//! Blank lines that the context of a patch leaves out, or has too many of. Where the other lines stand at one place only and nothing is
//! added at the blank line itself, what is meant is certain all the same.

use rb_core::patch::{Line, LineKind};

use super::error::Why;
use super::file::Target;
use super::place::{MAX_COMPARED, Piece, ambiguous};
use super::search::{Table, View};

/// The piece with the blank lines that the file has at its only place; `None` where that makes no difference or would be a guess.
pub(super) fn as_in_file(piece: &Piece, target: &Target<'_>) -> Result<Option<Piece>, Why> {
    let is_solid = |&index: &usize| !is_blank(target.lines[index]);
    let solid: Vec<usize> = (0..target.lines.len()).filter(is_solid).collect();
    let lines: Vec<&[u8]> = solid.iter().map(|&index| target.lines[index]).collect();
    let mut wanted = piece.side(LineKind::Add);
    wanted.retain(|line| !is_blank(line));
    let found = Table::new(&lines, View::Trimmed).find(&wanted);
    let starts = || found.iter().map(|&at| solid[at]);
    if found.len().saturating_mul(wanted.len()) > MAX_COMPARED {
        return Err(ambiguous(starts()));
    }
    let fitted = |&at: &usize| fit(&piece.lines, &solid[at..at + wanted.len()], target);
    let other = found.iter().filter_map(fitted).find(|other| other.lines != piece.lines);
    if other.is_some() && found.len() > 1 { Err(ambiguous(starts())) } else { Ok(other) }
}

/// The lines with the blank ones that the file has between those at `places`; at most one more or one less in each gap.
fn fit(lines: &[Line], places: &[usize], target: &Target<'_>) -> Option<Piece> {
    let is_solid = |line: &Line| line.kind != LineKind::Add && !is_blank(&line.text);
    let solid: Vec<usize> = (0..lines.len()).filter(|&index| is_solid(&lines[index])).collect();
    let (&first, &last) = (solid.first()?, solid.last()?);
    let (&top, &bottom) = (places.first()?, places.last()?);
    let is_blank_at = |&index: &usize| target.lines.get(index).is_some_and(|line| is_blank(line));
    let above = (0..top).rev().take_while(is_blank_at).count();
    let below = (bottom + 1..target.lines.len()).take_while(is_blank_at).count();

    let mut fitted = edge(&lines[..first], above)?;
    let start = top - blanks(&fitted);
    for (pair, place) in solid.windows(2).zip(places.windows(2)) {
        let (left, right) = (&lines[pair[0]], &lines[pair[1]]);
        fitted.push(left.clone());
        let between = &lines[pair[0] + 1..pair[1]];
        fitted.extend(gap(between, place[1] - place[0] - 1, left.kind, right.kind)?);
    }
    fitted.push(lines[last].clone());
    fitted.extend(edge(&lines[last + 1..], below)?);
    Some(Piece::new(Some(start), fitted))
}

/// What comes before the first line that says something, or after the last, where the file has so many blank lines there.
fn edge(lines: &[Line], have: usize) -> Option<Vec<Line>> {
    if blanks(lines) <= have { Some(lines.to_vec()) } else { with_one_less(lines, have) }
}

/// What comes between two lines of the kinds `left` and `right`, where the file has so many blank lines there.
fn gap(lines: &[Line], have: usize, left: LineKind, right: LineKind) -> Option<Vec<Line>> {
    let wanted = blanks(lines);
    if wanted == have {
        return Some(lines.to_vec());
    }
    if wanted > have {
        return with_one_less(lines, have);
    }
    let is_kept = |kind| kind == LineKind::Context;
    let is_clear = match (is_kept(left), is_kept(right)) {
        // Nothing says whether the blank line goes with its neighbours.
        (false, false) => false,
        // What is added might come before it or after it.
        (true, true) => !adds(lines),
        // What is added takes the place of the removed neighbour.
        (true, false) | (false, true) => !adds(lines) || wanted == 0,
    };
    if !is_clear || wanted + 1 != have {
        return None;
    }
    let mut lines = lines.to_vec();
    let at = if is_kept(right) { lines.len() } else { 0 };
    lines.insert(at, Line { kind: LineKind::Context, text: b"\n".to_vec() });
    Some(lines)
}

/// Without a blank line of context, where that leaves as many as the file has and no doubt on which side of them something is added.
fn with_one_less(lines: &[Line], have: usize) -> Option<Vec<Line>> {
    if blanks(lines) != have + 1 || adds(lines) && have > 0 {
        return None;
    }
    let mut lines = lines.to_vec();
    lines.remove(lines.iter().position(|line| line.kind == LineKind::Context)?);
    Some(lines)
}

/// Between lines that say something, all that is not added is blank.
fn blanks(lines: &[Line]) -> usize {
    lines.iter().filter(|line| line.kind != LineKind::Add).count()
}

fn adds(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.kind == LineKind::Add)
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}
