//! What is left, in words.

use oxc_span::Span;

use super::At;
use crate::plan::{Left, Site, one_line};

/// Why a lookup stays as it is, and what could be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Why {
    pub(super) reason: String,
    pub(super) suggestion: String,
}

impl Why {
    pub(super) fn new(reason: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Why { reason: reason.into(), suggestion: suggestion.into() }
    }
}

impl At<'_, '_, '_> {
    pub(super) fn left(&self, span: Span, why: Why) -> Left {
        let place = self.module.place(span.start);
        Left {
            path: self.path.to_owned(),
            line: place.line,
            column: place.column,
            code: one_line(self.module.slice(span)),
            reason: why.reason,
            suggestion: why.suggestion,
            through: Vec::new(),
        }
    }

    pub(super) fn site(&self, span: Span, what: String) -> Site {
        Site { path: self.path.to_owned(), line: self.module.line(span.start), what }
    }
}
