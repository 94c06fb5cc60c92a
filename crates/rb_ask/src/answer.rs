//! An answer: what somebody wrote, and what a program found to be true of it.

use std::collections::BTreeMap;

use rb_core::plural;
use rb_index::Texts;
use rb_tools::Evidence;
use serde::{Deserialize, Serialize};

use crate::citation::{CheckedCitation, Citation};
use crate::claims;

/// What a model or the extraction says. Nothing of it is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub sections: Vec<DraftSection>,
    /// What was looked for and not found, in words.
    #[serde(default)]
    pub not_found: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftSection {
    /// Empty for none.
    #[serde(default)]
    pub heading: String,
    pub statements: Vec<DraftStatement>,
}

/// One or a few sentences, with the lines that support them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftStatement {
    pub text: String,
    #[serde(default)]
    pub citations: Vec<Citation>,
}

/// An answer as it is shown: every claim with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub question: String,
    pub author: Author,
    pub sections: Vec<Section>,
    pub not_found: Vec<String>,
    /// What the reader should know about the answer as a whole: that no model was used, that a limit was reached.
    pub notes: Vec<String>,
    pub counts: Counts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Author {
    /// Extracted from the index without a model.
    Extraction,
    Model {
        provider: String,
        model: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub heading: String,
    pub statements: Vec<Statement>,
}

/// One claim: a sentence, the citations it came with, and whether they support it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    pub text: String,
    pub citations: Vec<CheckedCitation>,
    pub support: Support,
    /// Whether it belongs to the same statement of the draft as the sentence before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Support {
    /// At least one citation is valid, and what the sentence names is in the cited lines.
    Verified,
    NotVerified {
        why: String,
    },
    /// Nothing that could be true or false of the code: "In short:".
    NoClaim,
}

/// All of them are counts of this answer: no share of two of them exceeds 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub claims: u32,
    pub verified_claims: u32,
    /// Claims with at least one citation, valid or not.
    pub cited_claims: u32,
    /// Different ones: a citation of a statement with three sentences counts once.
    pub citations: u32,
    pub valid_citations: u32,
    /// Valid after their line numbers were corrected.
    pub repaired_citations: u32,
}

/// Checks a draft against what was read. `texts` are the files as they are now.
pub fn verify(
    question: &str,
    author: Author,
    draft: &Draft,
    evidence: &Evidence,
    texts: &dyn Texts,
) -> Answer {
    claims::verify(question, author, draft, evidence, texts)
}

impl Answer {
    /// The same without the claims that are not verified. A note says how many there were.
    pub fn without_unverified(&self) -> Answer {
        let mut answer = self.clone();
        let mut dropped = 0;
        for section in &mut answer.sections {
            let before = section.statements.len();
            section.statements.retain(|statement| !statement.is_unverified());
            let here = before - section.statements.len();
            // A lead-in to nothing.
            if here > 0 && !section.statements.iter().any(Statement::is_claim) {
                section.statements.clear();
            }
            dropped += here;
        }
        answer.sections.retain(|section| !section.statements.is_empty());
        answer.counts = Counts::of(&answer.sections);
        if dropped > 0 {
            let were = if dropped == 1 { "was" } else { "were" };
            let claims = plural(dropped, "claim");
            answer.notes.push(format!("{claims} {were} left out because not verified."));
        }
        answer
    }
}

impl Statement {
    pub fn is_claim(&self) -> bool {
        self.support != Support::NoClaim
    }

    pub(crate) fn is_unverified(&self) -> bool {
        matches!(self.support, Support::NotVerified { .. })
    }
}

impl Counts {
    pub fn of(sections: &[Section]) -> Self {
        let statements = || sections.iter().flat_map(|section| &section.statements);
        let claims = || statements().filter(|statement| statement.is_claim());
        let mut citations = BTreeMap::new();
        for checked in statements().flat_map(|statement| &statement.citations) {
            let citation = &checked.citation;
            let lines = (citation.first_line, citation.last_line);
            let written = checked.repaired_from.unwrap_or(lines);
            citations.insert((&citation.path, written, &citation.quote), checked);
        }
        let valid = || citations.values().filter(|citation| citation.is_valid());
        Counts {
            claims: number(claims().count()),
            verified_claims: number(claims().filter(|claim| !claim.is_unverified()).count()),
            cited_claims: number(claims().filter(|claim| !claim.citations.is_empty()).count()),
            citations: number(citations.len()),
            valid_citations: number(valid().count()),
            repaired_citations: number(
                valid().filter(|citation| citation.repaired_from.is_some()).count(),
            ),
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::fixture::{Files, cite};

    fn answer() -> Answer {
        let files = Files::new(&[("a.js", "let total = 1;\nlet other = 2;\n"), ("b.js", "\n")]);
        let statement = |text: &str, citations: Vec<Citation>| DraftStatement {
            text: text.to_owned(),
            citations,
        };
        let wrong = cite("a.js", 2, 2, "let total = 1;");
        let unread = cite("b.js", 1, 1, "let total = 1;");
        let statements = vec![
            statement("The totals are:", vec![]),
            statement("`total` is 1. `other` is 2.", vec![wrong]),
            statement("`total` is 3.", vec![unread]),
            statement("It is fast.", vec![]),
        ];
        let lone = vec![statement("In short:", vec![]), statement("It is fast.", vec![])];
        let section = |statements| DraftSection { heading: String::new(), statements };
        let draft =
            Draft { sections: vec![section(statements), section(lone)], not_found: Vec::new() };
        verify("?", Author::Extraction, &draft, &files.shown("a.js", 1, 2), &files)
    }

    #[test]
    fn as8_claims_and_citations_are_counted() {
        let expected = Counts {
            claims: 5,
            verified_claims: 2,
            cited_claims: 3,
            citations: 2,
            valid_citations: 1,
            repaired_citations: 1,
        };
        assert_eq!(answer().counts, expected);
    }

    #[test]
    fn as8_unverified_claims_can_be_dropped() {
        let answer = answer().without_unverified();
        let texts: Vec<&str> = answer
            .sections
            .iter()
            .flat_map(|section| &section.statements)
            .map(|statement| statement.text.as_str())
            .collect();
        assert_eq!(texts, ["The totals are:", "`total` is 1.", "`other` is 2."]);
        assert_eq!(answer.notes, ["3 claims were left out because not verified."]);
        assert_eq!((answer.counts.claims, answer.counts.verified_claims), (2, 2));
        assert_eq!((answer.counts.citations, answer.counts.valid_citations), (1, 1));
        assert_eq!(answer.without_unverified(), answer, "nothing more is dropped");
    }
}
