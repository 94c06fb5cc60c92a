//! The check: every citation and every claim of a draft, held against the lines that were really shown.

use rb_flow::graph::{Node, View};
use rb_index::OnDisk;

use super::Ask;
use super::event::{AskEvent, Event, Explored};
use super::run_files::load_evidence;
use super::state::State;
use super::world::World;
use crate::answer::{Answer, Author, Support, verify};
use crate::error::AskError;

pub(crate) struct Check;

pub(crate) struct Reads<'s> {
    question: &'s str,
    explored: Option<&'s Explored>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        Reads { question: &state.start.question, explored: state.explored.last() }
    }
}

impl Node<Ask> for Check {
    const NAME: &'static str = "check";
    const DOES: &'static str = "checks citations and claims against the lines that were read";
    type Reads<'s> = Reads<'s>;
    type Writes = Vec<Event>;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Vec<Event>, AskError> {
        let Some(explored) = reads.explored else { return Ok(Vec::new()) };
        let answer = checked(world, reads.question, explored)?;
        let faults = faults(&answer);
        let (round, counts) = (explored.round, answer.counts);
        Ok(vec![AskEvent::Checked { round, counts, faults }.into()])
    }
}

/// The draft of an exploration with its verdicts.
pub(super) fn checked(
    world: &World,
    question: &str,
    explored: &Explored,
) -> Result<Answer, AskError> {
    let evidence = load_evidence(&world.run.dir, explored.round)?;
    let texts = OnDisk { root: world.repo.root() };
    Ok(verify(question, explored.author.clone(), &explored.draft, &evidence, &texts))
}

/// The most faults that the journal lists.
const MOST: usize = 20;

/// What failed in a model's answer, and why. An extraction has nobody to ask again. A citation that failed beside a valid one is
/// marked, and not worth another question.
fn faults(answer: &Answer) -> Vec<String> {
    if answer.author == Author::Extraction {
        return Vec::new();
    }
    let mut faults: Vec<String> = Vec::new();
    let statements = answer.sections.iter().flat_map(|section| &section.statements);
    for statement in statements {
        if let Support::NotVerified { why } = &statement.support {
            faults.push(format!("Not verified: \"{}\" ({why})", statement.text));
        }
    }
    rb_core::at_most(MOST, faults.into_iter())
}

#[cfg(test)]
mod tests {
    use crate::answer::{Counts, Section, Statement};
    use crate::citation::{CheckedCitation, Citation, CitationFault};

    use super::*;

    #[test]
    fn as8_only_claims_that_are_not_verified_are_faults() {
        let cited = |fault: Option<CitationFault>| CheckedCitation {
            citation: Citation {
                path: "a.js".to_owned(),
                first_line: 3,
                last_line: 4,
                quote: "let a;".to_owned(),
            },
            hash: None,
            repaired_from: None,
            fault,
        };
        let statement = |text: &str, fault: Option<CitationFault>, support: Support| Statement {
            text: text.to_owned(),
            citations: vec![cited(fault)],
            support,
            goes_on: false,
        };
        let not_verified = Support::NotVerified { why: "no valid citation".to_owned() };
        let missing = Some(CitationFault::QuoteNotFound);
        let statements = vec![
            statement("Right.", None, Support::Verified),
            statement("Right by another citation.", missing, Support::Verified),
            statement("Wrong.", missing, not_verified.clone()),
            statement("Wrong, too.", missing, not_verified),
        ];
        let answer = |author: Author| Answer {
            question: String::new(),
            author,
            sections: vec![Section { heading: String::new(), statements: statements.clone() }],
            not_found: Vec::new(),
            notes: Vec::new(),
            counts: Counts::default(),
        };
        let model = Author::Model { provider: String::new(), model: String::new() };
        let expected = [
            "Not verified: \"Wrong.\" (no valid citation)",
            "Not verified: \"Wrong, too.\" (no valid citation)",
        ];
        assert_eq!(faults(&answer(model)), expected);
        assert!(faults(&answer(Author::Extraction)).is_empty());
    }
}
