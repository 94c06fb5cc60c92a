//! Blocks of a file: a definition with its decorators, comments and blank lines, cut out or put in so that the file looks as if written so.
//!
//! A block is whole lines. What a name means and what a block needs is known elsewhere; here is only where things stand.

use rb_core::Edit;
use rb_python::ast::Stmt;
use rb_python::{Ranged, Source, TextRange, TextSize};

/// A statement at the top level, as whole lines: comments directly above it, decorators, body, comment behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) range: TextRange,
    /// Index into `Source::body`.
    pub(crate) statement: usize,
    pub(crate) kind: BlockKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// `def` or `class`.
    Definition,
    /// An assignment, or a call that stands alone.
    Constant,
    Import,
    /// `if`, `try`, `for` and the rest.
    Other,
}

/// Text that is put into a file: whole lines without blank lines around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) kind: BlockKind,
    /// Blank lines between it and the piece before, if they stood together in their old file.
    pub(crate) gap: Option<usize>,
}

/// None if the statement shares its line with another one.
pub(crate) fn block(source: &Source, index: usize) -> Option<Block> {
    let body = source.body();
    let statement = body.get(index)?;
    let text: &str = source.text();
    let floor = index.checked_sub(1).map_or(0, |before| body[before].end().to_usize());
    let first_line = line_start(text, statement.start().to_usize());
    let is_alone = text.get(first_line..statement.start().to_usize())?.trim().is_empty();
    let end = line_end(text, statement.end().to_usize());
    let behind = text.get(statement.end().to_usize()..end)?.trim();
    if !is_alone || !(behind.is_empty() || behind.starts_with('#')) {
        return None;
    }
    let start = with_comments_above(text, first_line, floor);
    let ceiling = body.get(index + 1).map_or(text.len(), |next| next.start().to_usize());
    let end = with_indented_comments(text, end, ceiling);
    Some(Block { range: range(start, end), statement: index, kind: kind(statement) })
}

pub(crate) fn kind(statement: &Stmt) -> BlockKind {
    match statement {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) => BlockKind::Definition,
        Stmt::Assign(_) | Stmt::AnnAssign(_) | Stmt::AugAssign(_) | Stmt::TypeAlias(_) => {
            BlockKind::Constant
        }
        Stmt::Expr(_) => BlockKind::Constant,
        Stmt::Import(_) | Stmt::ImportFrom(_) => BlockKind::Import,
        _ => BlockKind::Other,
    }
}

/// Comments that stand apart above a block, between it and the statement before it, or between it and the head of the file.
pub(crate) fn floating_comments(source: &Source, block: &Block) -> Option<TextRange> {
    let text: &str = source.text();
    let body = source.body();
    let floor = match block.statement.checked_sub(1) {
        Some(before) => {
            let ceiling = body[block.statement].start().to_usize();
            with_indented_comments(text, line_end(text, body[before].end().to_usize()), ceiling)
        }
        None => head_end(text),
    };
    let between = text.get(floor..block.range.start().to_usize())?;
    let skipped = between.len() - between.trim_start().len();
    let first = line_start(text, floor + skipped);
    between.contains('#').then(|| range(first.max(floor), block.range.start().to_usize()))
}

/// Behind the comments that open a file: `#!`, the encoding, the licence. Other comments directly above a statement belong to it.
pub(crate) fn head_end(text: &str) -> usize {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let (mut end, mut at, mut block) = (mark, mark, mark);
    while at < text.len() {
        let next = line_end(text, at);
        let line = text[at..next].trim();
        if line.is_empty() {
            end = end.max(block_end(text, block, at));
            block = next;
        } else if !line.starts_with('#') {
            let is_head = block == mark && opens_file(&text[block..at]);
            return if is_head { at } else { end };
        }
        at = next;
    }
    end.max(block_end(text, block, at))
}

/// The end of the comments between two places; the first place if there are none.
fn block_end(text: &str, start: usize, end: usize) -> usize {
    if text[start..end].trim().is_empty() { 0 } else { end }
}

/// Comments for the whole file rather than for what follows them.
fn opens_file(comments: &str) -> bool {
    comments.starts_with("#!") || says_licence(comments) || is_encoding(comments)
}

fn says_licence(comments: &str) -> bool {
    let lower = comments.to_lowercase();
    let words = ["copyright", "(c)", "license", "licence", "spdx"];
    words.iter().any(|word| lower.contains(word))
}

/// The comments that open a file, if they say under which licence it stands.
pub(crate) fn licence(text: &str) -> Option<&str> {
    let head = text[..head_end(text)].trim_start_matches('\u{feff}').trim_end();
    says_licence(head).then_some(head)
}

/// Takes whole lines out and leaves the larger of the gaps around them. The ranges are sorted and do not overlap.
pub(crate) fn cut(text: &str, ranges: &[TextRange]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut at = 0;
    while at < ranges.len() {
        let start = ranges[at].start().to_usize();
        let mut end = ranges[at].end().to_usize();
        while let Some(next) = ranges.get(at + 1) {
            let is_joined = text[end..next.start().to_usize()].trim().is_empty();
            if !is_joined {
                break;
            }
            end = next.end().to_usize();
            at += 1;
        }
        edits.push(cut_one(text, start, end));
        at += 1;
    }
    edits
}

fn cut_one(text: &str, start: usize, end: usize) -> Edit {
    let above = text[..start].trim_end_matches([' ', '\t', '\r', '\n', '\u{c}']);
    let gap_start = if above.is_empty() { 0 } else { line_end(text, above.len()) };
    let gap_start = gap_start.min(start);
    let below = &text[end..];
    let content = below.len() - below.trim_start().len();
    let gap_end = if content == below.len() { text.len() } else { line_start(text, end + content) };
    let gap_end = gap_end.max(end);
    let blank = |from: usize, to: usize| text[from..to].matches('\n').count();
    let has_above = !above.trim_start_matches('\u{feff}').is_empty();
    let has_below = gap_end < text.len();
    let (start, end) = match (has_above, has_below) {
        (false, _) => (start, gap_end),
        (true, false) => (gap_start, gap_end),
        (true, true) if blank(gap_start, start) >= blank(end, gap_end) => (start, gap_end),
        (true, true) => (gap_start, end),
    };
    Edit::delete(offset(start), offset(end))
}

/// Puts pieces in front of a statement (behind the last one if there is none such), with the blank lines that they need.
pub(crate) fn insertion(source: &Source, before: usize, pieces: &[Piece]) -> Edit {
    let text: &str = source.text();
    let body = source.body();
    let previous = before.checked_sub(1).and_then(|index| body.get(index));
    let start = match previous {
        Some(statement) => {
            let ceiling = body.get(before).map_or(text.len(), |next| next.start().to_usize());
            let end = line_end(text, statement.end().to_usize());
            with_indented_comments(text, end, ceiling)
        }
        None => head_end(text),
    };
    // At the end of a file, comments that stand alone there stay above.
    let start = if before >= body.len() { line_end(text, text.trim_end().len()) } else { start };
    let rest = &text[start.min(text.len())..];
    let content = rest.len() - rest.trim_start().len();
    let has_below = !rest.trim().is_empty();
    let end = if has_below { line_start(text, start + content).max(start) } else { text.len() };
    let newline = newline(text);
    let mut inserted = String::new();
    if start > 0 && !text[..start].ends_with('\n') {
        inserted.push_str(newline);
    }
    let is_bare = text[..start].trim_start_matches('\u{feff}').trim().is_empty();
    let first = pieces.first().map_or(BlockKind::Other, |piece| piece.kind);
    let above = previous.map_or(1, |statement| gap(kind(statement), first));
    inserted.push_str(&newline.repeat(if is_bare { 0 } else { above }));
    inserted.push_str(&join(pieces, newline));
    if has_below {
        let last = pieces.last().map_or(BlockKind::Other, |piece| piece.kind);
        let below = body.get(before).map_or(1, |statement| gap(last, kind(statement)));
        inserted.push_str(&newline.repeat(below));
    }
    Edit::replace(offset(start), offset(end), inserted)
}

/// The pieces as whole lines, with the blank lines between them.
pub(crate) fn join(pieces: &[Piece], newline: &str) -> String {
    let mut text = String::new();
    let mut before: Option<BlockKind> = None;
    for piece in pieces {
        if let Some(before) = before {
            let lines = piece.gap.unwrap_or_else(|| gap(before, piece.kind));
            text.push_str(&newline.repeat(lines));
        }
        text.push_str(piece.text.trim_end_matches(['\r', '\n']));
        text.push_str(newline);
        before = Some(piece.kind);
    }
    text
}

/// Blank lines between two statements at the top level.
pub(crate) fn gap(above: BlockKind, below: BlockKind) -> usize {
    let is_definition = |kind| kind == BlockKind::Definition;
    if is_definition(above) || is_definition(below) { 2 } else { 1 }
}

/// Blank lines directly above a block.
pub(crate) fn gap_above(text: &str, start: usize) -> usize {
    let above = text[..start].trim_end_matches([' ', '\t', '\r', '\n']);
    text[above.len()..start].matches('\n').count().saturating_sub(1)
}

/// The `if __name__ == "__main__":` that ends a module: the index of its statement.
pub(crate) fn main_guard(source: &Source) -> Option<usize> {
    let last = source.body().len().checked_sub(1)?;
    let Stmt::If(guard) = source.body().get(last)? else { return None };
    let test = source.slice(guard.test.range());
    (test.contains("__name__") && test.contains("__main__")).then_some(last)
}

/// `\r\n` if the file is written so.
pub(crate) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line with this offset begins, behind the byte order mark.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    text[..at].rfind('\n').map_or(mark.min(at), |found| found + 1)
}

/// White space alone, or the mark that opens some files.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

/// Behind the line break of the line with this offset.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |found| at + found + 1)
}

pub(crate) fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(TextSize::from(offset(start)), TextSize::from(offset(end.max(start))))
}

pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("the parser takes no text of 4 GiB")
}

/// Lines of comments directly above, without a blank line between. Those that open the file belong to it.
fn with_comments_above(text: &str, first_line: usize, floor: usize) -> usize {
    let mut start = first_line;
    while start > floor {
        let above = line_start(text, start - 1);
        if above < floor || !text[above..start].starts_with('#') {
            break;
        }
        start = above;
    }
    let is_head = start == 0 || text[..start].trim_start_matches('\u{feff}').is_empty();
    let comments = &text[start..first_line];
    if is_head && opens_file(comments) {
        return first_line;
    }
    start
}

fn is_encoding(comments: &str) -> bool {
    comments.lines().take(2).any(|line| line.contains("coding:") || line.contains("coding="))
}

/// Comments below the last line of a body that are indented as it is.
fn with_indented_comments(text: &str, end: usize, ceiling: usize) -> usize {
    let mut result = end;
    let mut at = end;
    while at < ceiling {
        let next = line_end(text, at);
        let line = &text[at..next];
        let is_indented = line.starts_with([' ', '\t']) && line.trim_start().starts_with('#');
        if is_indented {
            result = next;
        } else if !line.trim().is_empty() {
            break;
        }
        at = next;
    }
    result
}

#[cfg(test)]
mod tests;
