//! Which lines of a file hold code: not those that are blank, and not those with comments or documentation only.

use super::source::{Id, Source};
use super::syntax::Family;

pub(super) struct CodeLines {
    /// How many lines with code come before each row.
    before: Vec<u32>,
}

impl CodeLines {
    pub(super) fn new(source: &Source<'_>) -> CodeLines {
        let mut has_code = vec![false; source.row_count() + 1];
        let mut id = 0;
        while id < source.len() {
            if source.is_comment(id) || is_documentation(source, id) {
                id = source.within(id).end;
                continue;
            }
            if source.is_leaf(id) && !source.text(id).trim().is_empty() {
                let (first, last) = source.rows(id);
                has_code.iter_mut().take(last + 1).skip(first).for_each(|row| *row = true);
            }
            id += 1;
        }
        let mut before = vec![0];
        let mut count = 0;
        for row in has_code {
            count += u32::from(row);
            before.push(count);
        }
        CodeLines { before }
    }

    /// The lines with code from the first to the last row.
    pub(super) fn count(&self, first: usize, last: usize) -> u32 {
        let before =
            |row: usize| self.before.get(row).or(self.before.last()).copied().unwrap_or_default();
        before(last + 1).saturating_sub(before(first))
    }

    /// Those of a whole node.
    pub(super) fn of(&self, source: &Source<'_>, id: Id) -> u32 {
        let (first, last) = source.rows(id);
        self.count(first, last)
    }

    pub(super) fn all(&self) -> u32 {
        self.before.last().copied().unwrap_or_default()
    }
}

/// A string of Python that stands as a statement of its own.
fn is_documentation(source: &Source<'_>, id: Id) -> bool {
    source.syntax.family == Family::Python
        && source.is(id, &["expression_statement"])
        && source.named(id).all(|child| source.is(child, &["string"]))
}
