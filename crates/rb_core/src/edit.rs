//! Exact edits of one file's bytes.

use thiserror::Error;

/// A half-open range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

/// Replaces the bytes of `span` by `new`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub new: Vec<u8>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum EditError {
    #[error("edits at bytes {0} and {1} overlap")]
    Overlap(usize, usize),
    #[error("an edit of bytes {start}..{end} lies outside the file of {len} bytes")]
    OutOfRange { start: usize, end: usize, len: usize },
}

/// Applies all edits or none. They may come in any order; two that overlap are an error.
pub fn apply(text: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut result = Vec::with_capacity(text.len());
    let mut done = 0;
    let mut previous_start = 0;
    for edit in sorted {
        let Span { start, end } = edit.span;
        if start > end || end > text.len() {
            return Err(EditError::OutOfRange { start, end, len: text.len() });
        }
        if start < done {
            return Err(EditError::Overlap(previous_start, start));
        }
        result.extend_from_slice(&text[done..start]);
        result.extend_from_slice(&edit.new);
        (done, previous_start) = (end, start);
    }
    result.extend_from_slice(&text[done..]);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, new: &str) -> Edit {
        Edit { span: Span { start, end }, new: new.into() }
    }

    #[test]
    fn applies_in_any_order_and_refuses_overlap() {
        let edits = [edit(4, 7, "y"), edit(0, 3, "xx"), edit(7, 7, "!")];
        assert_eq!(apply(b"abc def", &edits).unwrap(), b"xx y!");
        assert_eq!(
            apply(b"abcdef", &[edit(0, 3, ""), edit(2, 4, "")]),
            Err(EditError::Overlap(0, 2))
        );
        assert!(matches!(apply(b"a", &[edit(0, 2, "")]), Err(EditError::OutOfRange { .. })));
    }
}
