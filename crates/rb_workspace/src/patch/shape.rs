//! What every hunk must hold, whoever made it: the rules that reading and applying share.

use rb_core::patch::{Change, FilePatch, Hunk, Line, LineKind};
use thiserror::Error;

/// Why a hunk is not well-formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum BadHunk {
    #[error("the hunk changes nothing")]
    ChangesNothing,
    #[error("the hunk starts at line 0 although it covers lines")]
    ZeroStart,
    #[error("the hunk shows no line of the file, so nothing but its number says where it belongs")]
    NoOldLine,
    #[error("the hunk overlaps the one before it or comes before it")]
    OutOfOrder,
    #[error("the new line number of the hunk does not follow from the hunks before it")]
    NewStart,
    #[error("a line follows one that is marked as the end of the file")]
    LineAfterEnd,
    #[error("a line of the hunk is empty without a line end, or holds more than one line")]
    BrokenLine,
    #[error("a file that is created has exactly one hunk of added lines")]
    NotOnlyAdded,
    #[error("a file that is deleted has exactly one hunk of removed lines")]
    NotOnlyRemoved,
}

/// Walks over the hunks of one file, first to last.
#[derive(Default)]
pub(crate) struct Walk {
    /// The first line of either side that no hunk has covered yet, counted from 0.
    old_next: usize,
    new_next: usize,
    old_ended: bool,
    new_ended: bool,
}

impl Walk {
    /// Takes the next hunk and gives the index of its first old line.
    pub(crate) fn step(&mut self, hunk: &Hunk) -> Result<usize, BadHunk> {
        let (old_len, new_len) = hunk.lens();
        if hunk.lines.iter().all(|line| line.kind == LineKind::Context) {
            return Err(BadHunk::ChangesNothing);
        }
        if old_len == 0 && hunk.old_start > 0 {
            return Err(BadHunk::NoOldLine);
        }
        let old_at = first_index(hunk.old_start, old_len)?;
        let new_at = first_index(hunk.new_start, new_len)?;
        let gap = old_at.checked_sub(self.old_next).ok_or(BadHunk::OutOfOrder)?;
        if self.new_next.checked_add(gap) != Some(new_at) {
            return Err(BadHunk::NewStart);
        }
        if gap > 0 && (self.old_ended || self.new_ended) {
            return Err(BadHunk::LineAfterEnd);
        }
        hunk.lines.iter().try_for_each(|line| self.line(line))?;
        self.old_next = old_at.checked_add(old_len).ok_or(BadHunk::OutOfOrder)?;
        self.new_next = new_at.checked_add(new_len).ok_or(BadHunk::NewStart)?;
        Ok(old_at)
    }

    fn line(&mut self, line: &Line) -> Result<(), BadHunk> {
        let ends = match line.text.iter().position(|&byte| byte == b'\n') {
            Some(at) if at + 1 == line.text.len() => false,
            None if !line.text.is_empty() => true,
            Some(_) | None => return Err(BadHunk::BrokenLine),
        };
        let (old, new) = match line.kind {
            LineKind::Context => (true, true),
            LineKind::Remove => (true, false),
            LineKind::Add => (false, true),
        };
        if old && self.old_ended || new && self.new_ended {
            return Err(BadHunk::LineAfterEnd);
        }
        self.old_ended |= old && ends;
        self.new_ended |= new && ends;
        Ok(())
    }
}

/// A file that appears or goes away does so in one piece.
pub(crate) fn whole(file: &FilePatch) -> Result<(), BadHunk> {
    let only = |kind| {
        file.hunks.len() <= 1
            && file.hunks.iter().flat_map(|hunk| &hunk.lines).all(|line| line.kind == kind)
    };
    match file.change {
        Change::Create { .. } if !only(LineKind::Add) => Err(BadHunk::NotOnlyAdded),
        Change::Delete { .. } if !only(LineKind::Remove) => Err(BadHunk::NotOnlyRemoved),
        Change::Create { .. }
        | Change::Delete { .. }
        | Change::Modify { .. }
        | Change::Rename { .. } => Ok(()),
    }
}

/// A side without lines names the line before it.
fn first_index(start: usize, len: usize) -> Result<usize, BadHunk> {
    if len == 0 { Ok(start) } else { start.checked_sub(1).ok_or(BadHunk::ZeroStart) }
}
