//! Replacements in one text, by byte offsets.
//!
//! Edits of one list refer to the same text and never overlap; whoever makes them decides what they mean.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The bytes from `start` up to `end` become `text`. An insertion has `start == end`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edit {
    pub start: u32,
    pub end: u32,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    #[error("the edits at bytes {0} and {1} overlap")]
    Overlap(u32, u32),
    #[error("an edit at byte {0} lies outside of the text, or inside of a character")]
    OutOfText(u32),
}

impl Edit {
    pub fn replace(start: u32, end: u32, text: impl Into<String>) -> Self {
        Edit { start, end, text: text.into() }
    }

    pub fn insert(at: u32, text: impl Into<String>) -> Self {
        Edit::replace(at, at, text)
    }

    pub fn delete(start: u32, end: u32) -> Self {
        Edit::replace(start, end, "")
    }

    /// Two insertions at one place touch each other: which comes first is nowhere said.
    pub fn touches(&self, other: &Edit) -> bool {
        let (first, second) = if self.start <= other.start { (self, other) } else { (other, self) };
        second.start < first.end || (first.start == second.start)
    }
}

/// The text with all edits made. Insertions at one place keep the order of the list.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, EditError> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.start, edit.end));
    let mut out = String::with_capacity(text.len());
    let mut done: u32 = 0;
    for edit in sorted {
        if edit.start < done {
            return Err(EditError::Overlap(done, edit.start));
        }
        let kept = text.get(done as usize..edit.start as usize);
        let gone = text.get(edit.start as usize..edit.end as usize);
        let (Some(kept), Some(_)) = (kept, gone) else {
            return Err(EditError::OutOfText(edit.start));
        };
        out.push_str(kept);
        out.push_str(&edit.text);
        done = edit.end;
    }
    out.push_str(text.get(done as usize..).ok_or(EditError::OutOfText(done))?);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_one_pass() {
        let edits = [Edit::replace(4, 7, "two"), Edit::insert(0, ">"), Edit::insert(0, " ")];
        assert_eq!(apply("one 222 three", &edits).unwrap(), "> one two three");
        assert_eq!(apply("one", &[Edit::delete(0, 3)]).unwrap(), "");
    }

    #[test]
    fn what_cannot_be_made_is_refused() {
        let overlap = [Edit::delete(0, 3), Edit::delete(2, 4)];
        assert_eq!(apply("12345", &overlap), Err(EditError::Overlap(3, 2)));
        assert_eq!(apply("ä", &[Edit::delete(1, 2)]), Err(EditError::OutOfText(1)));
        assert_eq!(apply("a", &[Edit::delete(1, 2)]), Err(EditError::OutOfText(1)));
    }
}
