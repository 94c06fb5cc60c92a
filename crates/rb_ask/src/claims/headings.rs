//! Headings claim nothing, but what they name in backticks must be there.

use super::basis::Basis;
use super::terms;
use crate::answer::Statement;
use crate::citation::{CheckedCitation, Checker};

/// The heading of a section, or none if it names code that is neither in the question nor in the lines that the section cites.
pub(super) fn checked(
    heading: &str,
    question: &str,
    statements: &[Statement],
    checker: &Checker<'_>,
) -> String {
    if !heading.contains('`') {
        return heading.to_owned();
    }
    let citations = statements.iter().flat_map(|statement| &statement.citations);
    let citations: Vec<CheckedCitation> = citations.cloned().collect();
    let basis = Basis::new(&citations, checker);
    let terms = terms::terms(heading);
    let is_there = terms
        .iter()
        .filter(|term| heading[..term.start].ends_with('`'))
        .all(|term| question.contains(&term.text) || basis.missing(term).is_none());
    if is_there { heading.to_owned() } else { String::new() }
}
