//! The hunks of one file, with their counts held to.

use rb_core::patch::{Hunk, Line, LineKind};

use super::{ParseError, Problem, Reader, without_end};
use crate::patch::shape::{self, BadHunk};

/// The largest line number or count taken from a hunk header.
const MAX_NUMBER: usize = 1_000_000_000;

/// One hunk at least, and all that follow.
pub(super) fn hunks(reader: &mut Reader<'_>) -> Result<Vec<Hunk>, ParseError> {
    let mut hunks = Vec::new();
    let mut walk = shape::Walk::default();
    while let Some(rest) = reader.peek().and_then(|line| line.strip_prefix(b"@@ ")) {
        let at = reader.line;
        let hunk = hunk(reader, rest)?;
        walk.step(&hunk).map_err(|why| ParseError { line: at, problem: why.into() })?;
        hunks.push(hunk);
    }
    if hunks.is_empty() { Err(reader.fail(Problem::NoHunk)) } else { Ok(hunks) }
}

fn hunk(reader: &mut Reader<'_>, header: &[u8]) -> Result<Hunk, ParseError> {
    reader.next();
    let header = header.strip_suffix(b"\n").ok_or_else(|| reader.fail(Problem::CutOff))?;
    let (old, new, section) = ranges(header).ok_or_else(|| reader.fail(Problem::BadHunkHeader))?;
    let mismatch = Problem::CountMismatch { old: old.1, new: new.1 };
    let (mut old_left, mut new_left) = (old.1, new.1);
    let mut lines: Vec<Line> = Vec::new();
    while old_left > 0 || new_left > 0 || reader.peek().is_some_and(|line| line.starts_with(b"\\"))
    {
        let raw = reader.next().ok_or_else(|| reader.fail(Problem::CutOff))?;
        if !raw.ends_with(b"\n") && raw[0] != b'\\' {
            return Err(reader.fail(Problem::CutOff));
        }
        let kind = match raw[0] {
            b' ' | b'\n' if old_left > 0 && new_left > 0 => LineKind::Context,
            b'-' if old_left > 0 => LineKind::Remove,
            b'+' if new_left > 0 => LineKind::Add,
            b'\\' => {
                let marked = raw.starts_with(b"\\ ") && lines.last_mut().is_some_and(lose_newline);
                if marked {
                    continue;
                }
                return Err(reader.fail(BadHunk::LineAfterEnd));
            }
            _ => return Err(reader.fail(mismatch)),
        };
        old_left -= usize::from(kind != LineKind::Add);
        new_left -= usize::from(kind != LineKind::Remove);
        // An empty context line may have lost its one space.
        let text = if raw[0] == b'\n' { raw } else { &raw[1..] };
        if text.contains(&0) {
            return Err(reader.fail(Problem::Binary));
        }
        lines.push(Line { kind, text: text.to_vec() });
    }
    if goes_on(reader) {
        return Err(ParseError { line: reader.line, problem: mismatch });
    }
    Ok(Hunk { old_start: old.0, new_start: new.0, section: section.to_vec(), lines })
}

/// Whether the line after a full hunk looks like one more of its lines. A mailed patch ends in `-- `.
fn goes_on(reader: &Reader<'_>) -> bool {
    let Some(line) = reader.peek() else { return false };
    let signature = matches!(without_end(line), b"-- " | b"--");
    matches!(line[0], b' ' | b'+' | b'-') && !signature && !reader.at_names()
}

type Range = (usize, usize);

/// `-LINE,COUNT +LINE,COUNT @@SECTION`, where a missing count is one.
fn ranges(header: &[u8]) -> Option<(Range, Range, &[u8])> {
    let (old, rest) = range(header.strip_prefix(b"-")?)?;
    let (new, rest) = range(rest.strip_prefix(b" +")?)?;
    Some((old, new, rest.strip_prefix(b" @@")?))
}

fn range(text: &[u8]) -> Option<(Range, &[u8])> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest).map(|(count, rest)| ((start, count), rest)),
        None => Some(((start, 1), rest)),
    }
}

fn number(text: &[u8]) -> Option<(usize, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(digits);
    let value: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (value <= MAX_NUMBER).then_some((value, rest))
}

/// Takes the line end off, as the marker behind a line says. False where there is none to take.
fn lose_newline(line: &mut Line) -> bool {
    line.text.pop_if(|byte| *byte == b'\n').is_some()
}
