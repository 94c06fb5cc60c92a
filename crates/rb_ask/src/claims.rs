//! Claims: the sentences of a draft, each compared with the lines that it cites.
//!
//! A valid citation alone supports nothing. What a sentence names as code must be in the cited lines, near them, or in the
//! declaration that they are in. Besides one name, a second name, a piece of code or a word of the sentence, in any form, must be
//! there, too. That catches invented names and citations of something else; it does not understand the sentence, and a wrong
//! statement in the words of its lines passes.
//!
//! A negative statement also needs a cited line that negates (`!`, `not`, `no`, `null`, `false`, `skip`) and that has a word of
//! the sentence or is next to one. That something exists nowhere or never happens is not verified by any line, unless the
//! sentence quotes the line that says so. Conditions ("if there is no callback") are no negative statements.

mod basis;
mod equivalents;
mod headings;
mod lead_ins;
mod negation;
mod sentences;
pub(crate) mod spans;
mod terms;
mod words;

use std::collections::BTreeSet;

use rb_index::Texts;
use rb_tools::Evidence;

use self::basis::Basis;
use self::negation::Negation;
pub(crate) use self::sentences::{is_fence, starts_line};
use self::terms::Term;
use self::words::ContentWords;
pub(crate) use self::words::is_generic;
use crate::answer::{Answer, Author, Counts, Draft, DraftStatement, Section, Statement, Support};
use crate::citation::{CheckedCitation, Checker};

pub(crate) fn verify(
    question: &str,
    author: Author,
    draft: &Draft,
    evidence: &Evidence,
    texts: &dyn Texts,
) -> Answer {
    let mut checker = Checker::new(evidence, texts);
    let mut sections = Vec::new();
    for section in &draft.sections {
        let drafts = section.statements.iter();
        let mut statements: Vec<Statement> =
            drafts.flat_map(|draft| claims(draft, &mut checker)).collect();
        lead_ins::settle(&mut statements, &checker);
        let heading = headings::checked(&section.heading, question, &statements, &checker);
        sections.push(Section { heading, statements });
    }
    Answer {
        question: question.to_owned(),
        author,
        counts: Counts::of(&sections),
        sections,
        not_found: draft.not_found.iter().map(|what| without_opening(what).to_owned()).collect(),
        notes: Vec::new(),
    }
}

/// What was not found, without the words that every reader is shown before it.
fn without_opening(not_found: &str) -> &str {
    const OPENINGS: [&str; 4] =
        ["I couldn't find", "I couldn’t find", "I could not find", "Could not find"];
    let text = not_found.trim();
    let rest = OPENINGS.iter().find_map(|opening| {
        let (begin, rest) = text.split_at_checked(opening.len())?;
        begin.eq_ignore_ascii_case(opening).then(|| rest.trim_start_matches([':', ' ']))
    });
    rest.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// Whether the check would find fault with nothing in a statement: each citation is valid, and what it claims, if anything, is
/// verified. A statement that claims nothing is not verified.
pub(crate) fn is_verified(draft: &DraftStatement, evidence: &Evidence, texts: &dyn Texts) -> bool {
    let claims = claims(draft, &mut Checker::new(evidence, texts));
    let is_faulty = |claim: &Statement| {
        matches!(claim.support, Support::NotVerified { .. })
            || !claim.citations.iter().all(CheckedCitation::is_valid)
    };
    claims.iter().any(Statement::is_claim) && !claims.iter().any(is_faulty)
}

/// Each sentence of a statement. One of several keeps the citations that are about it, if they are enough; otherwise all.
fn claims(draft: &DraftStatement, checker: &mut Checker<'_>) -> Vec<Statement> {
    let citations: Vec<CheckedCitation> =
        draft.citations.iter().map(|citation| checker.check(citation)).collect();
    let basis = Basis::new(&citations, checker);
    let sentences = sentences::sentences(&draft.text);
    let is_alone = sentences.len() < 2;
    let statement = |(nth, text): (usize, String)| {
        let support = support(&text, &citations, &basis);
        let own = if is_alone || support != Support::Verified {
            None
        } else {
            own_citations(&text, &citations, checker)
        };
        let citations = own.unwrap_or_else(|| citations.clone());
        Statement { text, citations, support, goes_on: nth > 0 }
    };
    sentences.into_iter().enumerate().map(statement).collect()
}

/// The citations whose lines have a name or a word of the sentence, if they verify it by themselves.
fn own_citations(
    sentence: &str,
    citations: &[CheckedCitation],
    checker: &Checker<'_>,
) -> Option<Vec<CheckedCitation>> {
    let (terms, words) = (terms::terms(sentence), words::content_words(sentence));
    let is_about = |cited: &&CheckedCitation| {
        Basis::new(std::slice::from_ref(*cited), checker).is_about(&terms, &words.specific)
    };
    let own: Vec<CheckedCitation> = citations.iter().filter(is_about).cloned().collect();
    let is_enough = !own.is_empty() && objection(sentence, &Basis::new(&own, checker)).is_none();
    is_enough.then_some(own)
}

fn support(sentence: &str, citations: &[CheckedCitation], basis: &Basis<'_>) -> Support {
    if !sentences::is_claim(sentence) {
        return Support::NoClaim;
    }
    match citation_objection(citations).or_else(|| objection(sentence, basis)) {
        Some(why) => Support::NotVerified { why },
        None => Support::Verified,
    }
}

fn citation_objection(citations: &[CheckedCitation]) -> Option<String> {
    if citations.iter().any(CheckedCitation::is_valid) {
        return None;
    }
    let Some(fault) = citations.iter().find_map(|citation| citation.fault) else {
        return Some("no citation".to_owned());
    };
    let which = if citations.len() == 1 { "the citation is not" } else { "no citation is" };
    Some(format!("{which} valid: {fault}"))
}

const EVERYWHERE: &str =
    "absence is not shown by a citation: quote the line that says so, or say what happens instead";
const NO_NEGATION: &str =
    "no cited line about this negates anything (`!`, not, no, null, false, skip)";

/// Why these lines do not support the sentence.
fn objection(sentence: &str, basis: &Basis<'_>) -> Option<String> {
    let terms = terms::terms(sentence);
    // What the file itself says is absent is quoted, not stated.
    let negation = negation::find(&basis.without_quotations(sentence));
    match negation {
        Some(Negation::Everywhere) => return Some(EVERYWHERE.to_owned()),
        Some(Negation::Here) if !basis.negates(&words::subject(sentence)) => {
            return Some(NO_NEGATION.to_owned());
        }
        Some(Negation::Here) | None => {}
    }
    if let Some(missing) = terms.iter().find_map(|term| basis.missing(term)) {
        return Some(format!("`{missing}` is not in the cited lines"));
    }
    if basis.has_quotation(sentence) {
        return None;
    }
    let words = words::content_words(sentence);
    let named: Vec<&Term> = terms.iter().filter(|term| term.is_in_lines()).collect();
    if named.is_empty() {
        let supported = is_shown(&words, !terms.is_empty(), basis);
        return (!supported).then(|| "none of its words is in the cited lines".to_owned());
    }
    let mut equivalents = equivalents::of(words.specific.iter().chain(&words.generic));
    if negation.is_none() && negation::is_in_sentence(sentence) {
        equivalents.push(equivalents::NOTHING);
    }
    // That something of this name is there does not show what the sentence says about it. A piece of code does.
    let distinct: BTreeSet<&str> = named.iter().map(|term| term.text.as_str()).collect();
    let is_supported = distinct.len() > 1
        || words.specific.is_empty()
        || words.specific.iter().any(|word| basis.has_word(word))
        || named.iter().any(|term| basis.has_fragment(term))
        || basis.has_equivalent(&equivalents, &named);
    (!is_supported)
        .then(|| "apart from the name, none of its words is in the cited lines".to_owned())
}

/// Whether the lines have a word of a sentence that names nothing in them, or what code writes for one.
fn is_shown(words: &ContentWords, names_path: bool, basis: &Basis<'_>) -> bool {
    let is_there = |words: &[String]| words.iter().any(|word| basis.has_word(word));
    match (words.specific.is_empty(), names_path) {
        (false, _) => {
            let mut equivalents = equivalents::of(&words.specific);
            // "Empty" alone says too little.
            equivalents.retain(|equivalent| *equivalent != equivalents::NOTHING);
            is_there(&words.specific) || basis.has_equivalent(&equivalents, &[])
        }
        // "`index.js` is the entry point": the path says it all.
        (true, true) => true,
        (true, false) => is_there(&words.generic),
    }
}

#[cfg(test)]
mod tests;
