//! Claims: the sentences of a draft, each compared with the lines that it cites.
//!
//! A valid citation alone supports nothing. What a sentence names as code must be in the cited lines or near them, and so must
//! at least one of its words. That catches invented names and citations of something else; it does not understand the sentence,
//! and a wrong statement in the words of its lines passes.

mod basis;
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
pub(crate) use self::sentences::{is_fence, starts_line};
use self::terms::Term;
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
        sections.push(Section { heading: section.heading.clone(), statements });
    }
    Answer {
        question: question.to_owned(),
        author,
        counts: Counts::of(&sections),
        sections,
        not_found: draft.not_found.clone(),
        notes: Vec::new(),
    }
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

/// Each sentence of a statement, with all of its citations.
fn claims(draft: &DraftStatement, checker: &mut Checker<'_>) -> Vec<Statement> {
    let citations: Vec<CheckedCitation> =
        draft.citations.iter().map(|citation| checker.check(citation)).collect();
    let basis = Basis::new(&citations, checker);
    let statement = |text: String| Statement {
        support: support(&text, &citations, &basis),
        citations: citations.clone(),
        text,
    };
    sentences::sentences(&draft.text).into_iter().map(statement).collect()
}

fn support(sentence: &str, citations: &[CheckedCitation], basis: &Basis) -> Support {
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

/// Why these lines do not support the sentence.
fn objection(sentence: &str, basis: &Basis) -> Option<String> {
    let terms = terms::terms(sentence);
    // What the file itself says is absent is quoted, not stated.
    if let Some(negation) = negation::find(&basis.without_quotations(sentence)) {
        return negative_objection(&negation, sentence, &terms, basis);
    }
    if let Some(missing) = terms.iter().find_map(|term| basis.missing(term)) {
        return Some(format!("`{missing}` is not in the cited lines"));
    }
    if basis.has_quotation(sentence) {
        return None;
    }
    let words = words::content_words(sentence);
    let named = terms.iter().filter(|term| term.is_in_lines()).map(|term| term.text.as_str());
    let named: BTreeSet<&str> = named.collect();
    if !named.is_empty() {
        // That something of this name is there does not show what the sentence says about it. A piece of code does.
        let is_supported = named.len() > 1
            || named.iter().any(|text| text.contains(char::is_whitespace))
            || words.specific.is_empty()
            || words.specific.iter().any(|word| basis.has_word(word));
        return (!is_supported)
            .then(|| "apart from the name, none of its words is in the cited lines".to_owned());
    }
    let names_path = !terms.is_empty();
    let is_there = |words: &[String]| words.iter().any(|word| basis.has_word(word));
    let supported = match (words.specific.is_empty(), names_path) {
        (false, _) => is_there(&words.specific),
        // "`index.js` is the entry point": the path says it all.
        (true, true) => true,
        (true, false) => is_there(&words.generic),
    };
    (!supported).then(|| "none of its words is in the cited lines".to_owned())
}

/// That something is absent is not shown by lines that are there. What else the sentence names as code must be in them.
fn negative_objection(
    negation: &negation::Negation,
    sentence: &str,
    terms: &[Term],
    basis: &Basis,
) -> Option<String> {
    let negated = terms.iter().position(|term| negation.reaches(sentence, term.start));
    let mut others =
        terms.iter().enumerate().filter(|(at, _)| Some(*at) != negated).map(|(_, term)| term);
    let is_about_code = others.clone().any(Term::is_in_lines);
    let is_supported = is_about_code && others.all(|term| basis.missing(term).is_none());
    (!is_supported).then(|| "absence is not shown by a citation".to_owned())
}

#[cfg(test)]
mod tests;
