//! Sentences that end with a colon. "The steps are:" claims nothing. "`load` deletes all rows:" says something about code: it is a
//! claim like any other, unless it only introduces claims that are verified.

use super::basis::Basis;
use super::sentences::{is_lead_in, starts_line};
use super::{negation, terms};
use crate::answer::{Statement, Support};
use crate::citation::{CheckedCitation, Checker};

/// A lead-in that its own lines do not verify claims nothing if all that it introduces is verified, by lines that have what it
/// names. That something is absent is always a claim.
pub(super) fn settle(statements: &mut [Statement], checker: &Checker<'_>) {
    for at in 0..statements.len() {
        let (before, rest) = statements.split_at_mut(at + 1);
        let statement = &mut before[at];
        let is_unverified = matches!(statement.support, Support::NotVerified { .. });
        if is_unverified
            && is_lead_in(&statement.text)
            && introduces(&statement.text, introduced(rest), checker)
        {
            statement.support = Support::NoClaim;
        }
    }
}

/// The list that follows, or the one sentence that does.
fn introduced(rest: &[Statement]) -> &[Statement] {
    let items = rest.iter().take_while(|statement| starts_line(&statement.text)).count();
    &rest[..items.max(1).min(rest.len())]
}

fn introduces(lead_in: &str, introduced: &[Statement], checker: &Checker<'_>) -> bool {
    let are_verified = introduced.iter().all(|claim| claim.support == Support::Verified);
    if introduced.is_empty() || !are_verified || negation::find(lead_in).is_some() {
        return false;
    }
    let citations = introduced.iter().flat_map(|claim| &claim.citations);
    let citations: Vec<CheckedCitation> = citations.cloned().collect();
    let basis = Basis::new(&citations, checker);
    terms::terms(lead_in).iter().all(|term| basis.missing(term).is_none())
}
