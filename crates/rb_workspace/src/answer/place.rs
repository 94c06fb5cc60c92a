//! The ladder: where in a file a piece of an answer belongs.

use rb_core::patch::{Line, LineKind};

use super::Rung;
use super::blank_lines;
use super::error::Why;
use super::file::{Ends, LineEdit, Target, without_bom, without_end};
use super::nearest::difference;
use super::search::View;
use crate::patch::line_diff;

/// Lines to find, and what becomes of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The index of the first line by the answer's own count, where it gives one.
    pub(super) at: Option<usize>,
    pub(super) lines: Vec<Line>,
    pub(super) unmarked: Option<Unmarked>,
}

/// Lines that came without a mark and are taken for context that lost its space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unmarked {
    /// The index of the first of them.
    pub(super) first: usize,
    /// No fence holds the patch together.
    pub(super) may_be_prose: bool,
}

/// A piece that has its place.
#[derive(Debug)]
pub(super) struct Placement {
    pub(super) rung: Rung,
    pub(super) start: usize,
    pub(super) edits: Vec<LineEdit>,
}

/// The rungs of the four ways to compare lines, at the given lines or at the only place.
const CLOSE: [Rung; 4] = [Rung::Exact, Rung::Whitespace, Rung::Whitespace, Rung::Indentation];

/// How many candidate lines a refusal names.
const MAX_NAMED: usize = 10;

/// How many lines are compared to tell shifts of the indentation apart, before the text counts as too
/// repetitive to have one place.
pub(super) const MAX_COMPARED: usize = 4_000_000;

/// Finds the only place for the piece, if need be without a blank first line, which is easily added to a
/// block by mistake, with the blank lines that the file has, or without prose behind it.
pub(super) fn place(piece: &Piece, target: &Target<'_>) -> Result<Placement, Why> {
    let marks = if piece.unmarked.is_some() { Rung::ContextMark } else { Rung::Exact };
    if let Some(placement) = place_as_is(piece, target)? {
        return Ok(bridged(placement, marks));
    }
    if let Some(shorter) = piece.without_blank_start()
        && let Some(placement) = place_as_is(&shorter, target)?
    {
        return Ok(bridged(placement, marks.max(Rung::BlankLine)));
    }
    if let Some(other) = blank_lines::as_in_file(piece, target)?
        && let Some(placement) = place_as_is(&other, target)?
    {
        let is_moved = piece.at.is_some_and(|at| at != placement.start);
        let rung = if is_moved { Rung::Context } else { marks.max(Rung::BlankLine) };
        return Ok(Placement { rung, ..placement });
    }
    if let Some(shorter) = piece.without_prose()
        && let Some(placement) = place_as_is(&shorter, target)?
    {
        return Ok(placement);
    }
    Err(no_match(piece, target))
}

/// Not better than with this slip.
fn bridged(placement: Placement, slip: Rung) -> Placement {
    Placement { rung: placement.rung.max(slip), ..placement }
}

/// Of the four ways to compare lines the first that finds anything decides; whether it finds the given
/// line, one line, or several, makes the rung or the refusal.
fn place_as_is(piece: &Piece, target: &Target<'_>) -> Result<Option<Placement>, Why> {
    let old = piece.side(LineKind::Add);
    if old.is_empty() {
        return Err(Why::NothingToFind);
    }
    // Most hunks stand where they say; then nothing needs to be searched.
    if let Some(start) = piece.at
        && target.lines.get(start..start.saturating_add(old.len())) == Some(old.as_slice())
    {
        let fit = Fit { start, shift: Shift::None, ends: Ends::Given };
        let edits = piece.edits(&fit, target);
        return Ok(Some(Placement { rung: Rung::Exact, start, edits }));
    }
    let found = candidates(piece, &old, target)?;
    let Some(first) = found.iter().position(|list| !list.is_empty()) else { return Ok(None) };
    let list = &found[first];
    let is_given = |fit: &&Fit| Some(fit.start) == piece.at;
    let worse: Vec<&Fit> = found[first + 1..].iter().flatten().filter(is_given).collect();
    let close = CLOSE[first];
    let (fit, rung) = if let Some(fit) = list.iter().find(is_given) {
        (fit, close)
    } else if let ([only], true) = (list.as_slice(), worse.is_empty()) {
        (only, if piece.at.is_some() { Rung::Context } else { close })
    } else {
        return Err(ambiguous(list.iter().chain(worse).map(|fit| fit.start)));
    };
    Ok(Some(Placement { rung, start: fit.start, edits: piece.edits(fit, target) }))
}

pub(super) fn ambiguous(starts: impl Iterator<Item = usize>) -> Why {
    let mut lines: Vec<usize> = starts.map(|start| start + 1).collect();
    lines.sort_unstable();
    lines.dedup();
    let more = lines.len().saturating_sub(MAX_NAMED);
    lines.truncate(MAX_NAMED);
    Why::Ambiguous { lines, more }
}

fn no_match(piece: &Piece, target: &Target<'_>) -> Why {
    let (old, new) = (piece.side(LineKind::Add), piece.side(LineKind::Remove));
    let says_something = new.iter().any(|line| !line.trim_ascii().is_empty());
    let already =
        if says_something { target.table(View::Trimmed).find(&new).first().copied() } else { None };
    let differs = difference(&old, &target.lines);
    Why::NoMatch { differs, already: already.map(|start| start + 1) }
}

/// A place where the old lines stand, and how they differ there.
#[derive(Debug)]
struct Fit {
    start: usize,
    shift: Shift,
    ends: Ends,
}

/// The one difference between the indentation of the answer and of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shift {
    None,
    /// The file has this before each line.
    In(Vec<u8>),
    /// The answer has this before each line.
    Out(Vec<u8>),
}

/// Exact places, places but for trailing whitespace, places but for one shift of the indentation, places
/// but for the indentation of context.
fn candidates(piece: &Piece, old: &[&[u8]], target: &Target<'_>) -> Result<[Vec<Fit>; 4], Why> {
    let plain = |view, ends| {
        let starts = target.table(view).find(old).into_iter();
        starts.map(move |start| Fit { start, shift: Shift::None, ends }).collect::<Vec<Fit>>()
    };
    let starts = target.table(View::Trimmed).find(old);
    if starts.len().saturating_mul(old.len()) > MAX_COMPARED {
        return Err(ambiguous(starts.into_iter()));
    }
    let (mut shifted, mut loose) = (Vec::new(), Vec::new());
    for start in starts {
        let have = &target.lines[start..start + old.len()];
        let whole = shift(old, have);
        let list = if whole.is_some() { &mut shifted } else { &mut loose };
        let Some(shift) = whole.or_else(|| shift_of_changes(piece, old, have)) else { continue };
        let mut added = piece.lines.iter().filter(|line| line.kind == LineKind::Add);
        if added.all(|line| shift.apply(&line.text).is_some()) {
            list.push(Fit { start, shift, ends: Ends::Kept });
        }
    }
    Ok([plain(View::Raw, Ends::Given), plain(View::EndTrimmed, Ends::Kept), shifted, loose])
}

/// The shift that holds for all lines that are not blank, if there is one.
fn shift(wanted: &[&[u8]], have: &[&[u8]]) -> Option<Shift> {
    let mut common: Option<Shift> = None;
    for (wanted, have) in wanted.iter().zip(have) {
        let (wanted, have) = (indent(without_bom(wanted)), indent(without_bom(have)));
        let (Some(wanted), Some(have)) = (wanted, have) else { continue };
        let this = if let Some(more) = have.strip_suffix(wanted) {
            Shift::In(more.to_vec())
        } else {
            Shift::Out(wanted.strip_suffix(have)?.to_vec())
        };
        if common.as_ref().is_some_and(|common| *common != this) {
            return None;
        }
        common = Some(this);
    }
    common
}

/// The shift of the changes alone: of the lines that are removed, and where lines are only added, of those around them. Other context
/// says where the place is, and its indentation is the file's own affair.
fn shift_of_changes(piece: &Piece, old: &[&[u8]], have: &[&[u8]]) -> Option<Shift> {
    let solid: Vec<usize> =
        (0..have.len()).filter(|&index| !have[index].trim_ascii().is_empty()).collect();
    let mut counted: Vec<usize> = Vec::new();
    let mut at = 0;
    for run in piece.runs() {
        let end = at + run.iter().filter(|line| line.kind != LineKind::Add).count();
        let from = solid.partition_point(|&index| index < at);
        let to = solid.partition_point(|&index| index < end);
        at = end;
        if run[0].kind == LineKind::Context {
            continue;
        }
        if from < to {
            counted.extend(&solid[from..to]);
        } else {
            counted.extend(from.checked_sub(1).map(|before| solid[before]));
            counted.extend(solid.get(to));
        }
    }
    let wanted: Vec<&[u8]> = counted.iter().map(|&index| old[index]).collect();
    let found: Vec<&[u8]> = counted.iter().map(|&index| have[index]).collect();
    shift(&wanted, &found)
}

/// The leading whitespace of a line that has anything behind it.
fn indent(line: &[u8]) -> Option<&[u8]> {
    let width = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (!line.trim_ascii().is_empty()).then_some(&line[..width])
}

impl Shift {
    /// A line of the answer as the file would have it; `None` where it has nothing to take away.
    fn apply(&self, line: &[u8]) -> Option<Vec<u8>> {
        if line.trim_ascii().is_empty() {
            return Some(line.to_vec());
        }
        match self {
            Shift::None => Some(line.to_vec()),
            Shift::In(more) => Some([more, line].concat()),
            Shift::Out(less) => line.strip_prefix(less.as_slice()).map(<[u8]>::to_vec),
        }
    }
}

impl Piece {
    pub(super) fn new(at: Option<usize>, lines: Vec<Line>) -> Piece {
        Piece { at, lines, unmarked: None }
    }

    /// Lines in place of others. Those that stay are context, so that the file's own bytes are kept for them.
    pub(super) fn replacing(at: Option<usize>, old: &[&[u8]], new: &[&[u8]]) -> Piece {
        let script = line_diff(old, new).into_iter();
        Piece::new(at, script.map(|(kind, text)| Line { kind, text: text.to_vec() }).collect())
    }

    /// The lines of one side: all but those of `other` kind.
    pub(super) fn side(&self, other: LineKind) -> Vec<&[u8]> {
        self.lines
            .iter()
            .filter(|line| line.kind != other)
            .map(|line| line.text.as_slice())
            .collect()
    }

    fn without_blank_start(&self) -> Option<Piece> {
        let first = self.lines.iter().position(|line| line.kind != LineKind::Add)?;
        if self.at.is_some() || !self.lines[first].text.trim_ascii().is_empty() {
            return None;
        }
        let mut lines = self.lines.clone();
        lines.remove(first);
        Some(Piece::new(None, lines))
    }

    /// The lines before the first one without a mark, where the rest may be prose: it comes after a blank line and adds nothing.
    pub(super) fn without_prose(&self) -> Option<Piece> {
        let Unmarked { first, may_be_prose } = self.unmarked?;
        let (body, rest) = self.lines.split_at_checked(first)?;
        let is_blank = |line: &Line| line.text.trim_ascii().is_empty();
        let is_apart = body.last().is_some_and(is_blank);
        let adds = rest.iter().any(|line| line.kind == LineKind::Add);
        if !may_be_prose || !is_apart || adds {
            return None;
        }
        let is_end = |line: &Line| line.kind == LineKind::Context && is_blank(line);
        let last = body.iter().rposition(|line| !is_end(line))?;
        Some(Piece::new(self.at, body[..=last].to_vec()))
    }

    /// Runs of context and runs of changes, in turn.
    fn runs(&self) -> impl Iterator<Item = &[Line]> {
        let is_context = |line: &Line| line.kind == LineKind::Context;
        self.lines.chunk_by(move |a, b| is_context(a) == is_context(b))
    }

    /// One edit for each run of changed lines; unchanged lines stay as the file has them.
    fn edits(&self, fit: &Fit, target: &Target<'_>) -> Vec<LineEdit> {
        let mut edits = Vec::new();
        let mut at = fit.start;
        for run in self.runs() {
            let removed = run.iter().filter(|line| line.kind != LineKind::Add).count();
            let (start, end) = (at, at + removed);
            at = end;
            if run[0].kind == LineKind::Context {
                continue;
            }
            let line_end =
                target.line_end(if removed > 0 { start } else { start.saturating_sub(1) });
            let added = run.iter().filter(|line| line.kind == LineKind::Add);
            let fitted = |line: &Line| {
                let text = fit.shift.apply(&line.text).unwrap_or_else(|| line.text.clone());
                match fit.ends {
                    Ends::Given => text,
                    Ends::Kept => [without_end(&text), line_end].concat(),
                }
            };
            edits.push(LineEdit { start, end, new: added.map(fitted).collect(), ends: fit.ends });
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa4_a_better_place_than_the_given_one_is_a_doubt() {
        let lines = vec![Line { kind: LineKind::Remove, text: b"x\n".to_vec() }];
        let check = |file: &str, expected: Result<(Rung, usize), Vec<usize>>| {
            let piece = Piece::new(Some(0), lines.clone());
            let found = match place(&piece, &Target::new(file.as_bytes())) {
                Ok(placement) => Ok((placement.rung, placement.start)),
                Err(Why::Ambiguous { lines, .. }) => Err(lines),
                Err(other) => panic!("{other}"),
            };
            assert_eq!(found, expected, "{file:?}");
        };
        check("x\ny\nx\n", Ok((Rung::Exact, 0)));
        check("  x\ny\n", Ok((Rung::Whitespace, 0)));
        check("y\n  x\n", Ok((Rung::Context, 1)));
        check("  x\ny\nx\n", Err(vec![1, 3]));
        check("y\nx\nx\n", Err(vec![2, 3]));
    }

    #[test]
    fn sa4_a_repetitive_text_is_refused_and_not_slow() {
        let file = "  x\n".repeat(100_000);
        let line = |kind, text: &str| Line { kind, text: text.into() };
        let mut lines = vec![line(LineKind::Remove, "x\n"); 50_000];
        lines.push(line(LineKind::Add, "y\n"));
        let refused = place(&Piece::new(None, lines), &Target::new(file.as_bytes())).unwrap_err();
        assert!(matches!(refused, Why::Ambiguous { more: 49_991, .. }), "{refused}");
    }
}
