//! The second round: what the model is shown of the statements that failed their check, and what takes their place.
//!
//! What passed the check stays as it is, whatever the model answers.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rb_schema::roles::explorer::ExplorerResponse;
use rb_tools::{Repository, ToolError, Toolbox};

use super::drafts;
use crate::answer::{Answer, Draft, DraftSection, DraftStatement, Statement, Support};
use crate::citation::CheckedCitation;
use crate::extract::sources::Sources;
use crate::guide::runs;
use crate::workflow::prompt::{Repair, excerpts};

/// Lines that are shown before and after the cited ones, and the most lines of one citation with them.
const AROUND: u32 = 6;
const MOST_LINES: u32 = 60;
/// Characters of all these lines.
const CITED: usize = 8_000;
/// Characters of a statement that stays, as the model is reminded of it.
const REMINDER: usize = 160;

/// An answer of which some statements failed.
pub(super) struct Correction {
    sections: Vec<Section>,
    /// At least one.
    failed: Vec<Failed>,
    not_found: Vec<String>,
}

struct Section {
    heading: String,
    parts: Vec<Part>,
}

enum Part {
    Stays(DraftStatement),
    /// The place in the list of those that failed.
    Failed(usize),
}

/// Sentences of one statement that stand together.
struct Failed {
    text: String,
    why: String,
    citations: Vec<CheckedCitation>,
}

impl Correction {
    /// `None` if nothing failed.
    pub(super) fn of(answer: &Answer) -> Option<Correction> {
        let (mut sections, mut failed) = (Vec::new(), Vec::new());
        for section in &answer.sections {
            let mut parts = Vec::new();
            for sentences in section.statements.chunk_by(belong_together) {
                if sentences.iter().any(Statement::is_unverified) {
                    parts.push(Part::Failed(failed.len()));
                    failed.push(Failed::of(sentences));
                } else {
                    parts.push(Part::Stays(unchanged(sentences)));
                }
            }
            sections.push(Section { heading: section.heading.clone(), parts });
        }
        let not_found = answer.not_found.clone();
        (!failed.is_empty()).then_some(Correction { sections, failed, not_found })
    }

    /// What the model is shown. The lines count as shown from then on.
    pub(super) fn repair(
        &self,
        on: Repository<'_>,
        toolbox: &mut Toolbox,
    ) -> Result<Repair, ToolError> {
        let mut failed = String::new();
        for (number, statement) in (1..).zip(&self.failed) {
            statement.write(number, &mut failed);
        }
        let stays = self.stays().fold(String::new(), |mut list, statement| {
            let _ = writeln!(list, "- {}", shortened(&statement.text));
            list
        });
        Ok(Repair { failed, cited: self.cited_lines(on, toolbox)?, stays })
    }

    fn stays(&self) -> impl Iterator<Item = &DraftStatement> {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        parts.filter_map(|part| match part {
            Part::Stays(statement) => Some(statement),
            Part::Failed(_) => None,
        })
    }

    /// The lines that the failed statements cite, as they are now, with some around them.
    fn cited_lines(&self, on: Repository<'_>, toolbox: &mut Toolbox) -> Result<String, ToolError> {
        let mut sources = Sources::new(on, toolbox)?;
        let (mut left, mut seen) = (CITED, BTreeSet::new());
        for cited in self.failed.iter().flat_map(|failed| &failed.citations) {
            let citation = &cited.citation;
            let first = citation.first_line.saturating_sub(AROUND).max(1);
            let most = first.saturating_add(MOST_LINES - 1);
            let last = citation.last_line.saturating_add(AROUND).min(most);
            let Some(file) = sources.find(&citation.path) else { continue };
            let Some(text) = sources.text(file) else { continue };
            let lines = text.lines.iter().take(last as usize).skip(first as usize - 1);
            // With its number.
            let chars: usize = lines.map(|line| line.chars().count() + 7).sum();
            if seen.insert((file, first, last)) && chars <= left {
                left -= chars;
                sources.show(file, first, last);
            }
        }
        Ok(excerpts(&runs(&toolbox.evidence)))
    }

    /// The answer with the replacements where the failed statements stood. Those without one are left out.
    pub(super) fn draft(&self, response: ExplorerResponse) -> Draft {
        let mut replacements = vec![Vec::new(); self.failed.len()];
        for section in response.sections {
            let number = self.index(&section.heading);
            for statement in section.statements.into_iter().map(drafts::statement) {
                // Whoever repeats the whole answer replaces nothing with that.
                if self.stays().any(|stays| stays.text == statement.text) {
                    continue;
                }
                let free = replacements.iter().position(Vec::is_empty);
                let last = replacements.len().saturating_sub(1);
                replacements[number.or(free).unwrap_or(last)].push(statement);
            }
        }
        let mut sections = Vec::new();
        for Section { heading, parts } in &self.sections {
            let mut statements = Vec::new();
            for part in parts {
                match part {
                    Part::Stays(statement) => statements.push(statement.clone()),
                    Part::Failed(at) => statements.append(&mut replacements[*at]),
                }
            }
            if !statements.is_empty() {
                sections.push(DraftSection { heading: heading.clone(), statements });
            }
        }
        let mut not_found = self.not_found.clone();
        not_found.extend(response.not_found);
        not_found.dedup();
        Draft { sections, not_found }
    }

    /// The failed statement that a heading names by its number.
    fn index(&self, heading: &str) -> Option<usize> {
        let digits = heading.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number: usize = digits[..end].parse().ok()?;
        number.checked_sub(1).filter(|at| *at < self.failed.len())
    }
}

/// Whether two sentences are of one statement, and both failed or both did not.
fn belong_together(one: &Statement, next: &Statement) -> bool {
    !one.citations.is_empty() && next.goes_on && one.is_unverified() == next.is_unverified()
}

/// Each of their citations, once.
fn citations_of(sentences: &[Statement]) -> Vec<CheckedCitation> {
    let mut all: Vec<CheckedCitation> = Vec::new();
    for cited in sentences.iter().flat_map(|sentence| &sentence.citations) {
        if !all.contains(cited) {
            all.push(cited.clone());
        }
    }
    all
}

/// Sentences that passed the check, as a statement that passes it again.
fn unchanged(sentences: &[Statement]) -> DraftStatement {
    // A citation that failed beside a valid one supports nothing.
    let valid = citations_of(sentences).into_iter().filter(CheckedCitation::is_valid);
    DraftStatement {
        text: text_of(sentences),
        citations: valid.map(|cited| cited.citation).collect(),
    }
}

/// In paragraphs of their own, so that they are the same sentences when they are checked again.
fn text_of(sentences: &[Statement]) -> String {
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text.as_str()).collect();
    texts.join("\n\n")
}

impl Failed {
    fn of(sentences: &[Statement]) -> Failed {
        let mut reasons: Vec<&str> = Vec::new();
        for sentence in sentences {
            if let Support::NotVerified { why } = &sentence.support
                && !reasons.contains(&why.as_str())
            {
                reasons.push(why);
            }
        }
        Failed {
            text: text_of(sentences),
            why: reasons.join("; "),
            citations: citations_of(sentences),
        }
    }

    fn write(&self, number: usize, out: &mut String) {
        let _ = writeln!(out, "{number}. {}", one_line(&self.text));
        let _ = writeln!(out, "   not verified: {}", self.why);
        for cited in &self.citations {
            let (place, quote) = (cited.citation.place(), one_line(&cited.citation.quote));
            let _ = match cited.fault {
                None => writeln!(out, "   cites {place}"),
                Some(fault) => writeln!(out, "   cites {place}, quote \"{quote}\": {fault}"),
            };
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(REMINDER) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use rb_schema::Answer as _;
    use serde_json::{Value, json};

    use super::*;
    use crate::answer::{Author, Counts};
    use crate::citation::CitationFault;
    use crate::citation::fixture::cite;
    use crate::fixture::with_repository;

    fn cited(line: u32, fault: Option<CitationFault>) -> CheckedCitation {
        let citation = cite("lib/a.js", line, line, "let a;");
        CheckedCitation { citation, hash: None, repaired_from: None, fault }
    }

    /// The third and the fifth sentence fail; the second and the third are of one statement.
    fn answer() -> Answer {
        let sentence = |text: &str, line: u32, fault: Option<CitationFault>, why: &str| {
            let support = match why {
                "" => Support::Verified,
                why => Support::NotVerified { why: why.to_owned() },
            };
            let goes_on = text == "Three.";
            Statement {
                text: text.to_owned(),
                citations: vec![cited(line, fault)],
                support,
                goes_on,
            }
        };
        let section = |heading: &str, statements| crate::answer::Section {
            heading: heading.to_owned(),
            statements,
        };
        let first = vec![
            sentence("One.", 1, None, ""),
            sentence("Two.", 20, None, ""),
            sentence("Three.", 20, None, "`b` is not in the cited lines"),
        ];
        let missing = Some(CitationFault::QuoteNotFound);
        let second = vec![
            sentence("Four.", 40, None, ""),
            sentence("Five.", 90, missing, "the citation is not valid"),
        ];
        Answer {
            question: String::new(),
            author: Author::Extraction,
            sections: vec![section("First", first), section("Second", second)],
            not_found: vec!["Nothing on c.".to_owned()],
            notes: Vec::new(),
            counts: Counts::default(),
        }
    }

    #[test]
    fn as8_a_correction_shows_the_failed_statements_with_their_lines_and_no_others() {
        let files = (1..=99).fold("//- lib/a.js\n".to_owned(), |mut text, line| {
            let _ = writeln!(text, "line({line});");
            text
        });
        with_repository(&files, |on| {
            let mut toolbox = Toolbox::default();
            let correction = Correction::of(&answer()).unwrap();
            let repair = correction.repair(on, &mut toolbox).unwrap();
            expect![[r#"
                1. Three.
                   not verified: `b` is not in the cited lines
                   cites lib/a.js:20
                2. Five.
                   not verified: the citation is not valid
                   cites lib/a.js:90, quote "let a;": the quote is not in the cited lines
            "#]]
            .assert_eq(&repair.failed);
            assert_eq!(repair.stays, "- One.\n- Two.\n- Four.\n");
            let shown: Vec<u32> = runs(&toolbox.evidence).iter().map(|run| run.first).collect();
            assert_eq!(shown, [14, 84]);
            let has = |line: &str| repair.cited.contains(line);
            assert!(has("   14 | line(14);\n") && has("   26 | line(26);\n"), "{}", repair.cited);
            assert!(!has("line(27)") && !has("line(40)"), "{}", repair.cited);
        });
    }

    #[test]
    fn as8_replacements_stand_where_the_failed_statements_stood_and_nothing_else_changes() {
        let check = |sections: Value, expected: [&[&str]; 2]| {
            let given = json!({"sections": sections, "not_found": ["Nothing on c."]});
            let response = ExplorerResponse::read(&given).unwrap();
            let draft = Correction::of(&answer()).unwrap().draft(response);
            let texts: Vec<Vec<&str>> = draft
                .sections
                .iter()
                .map(|section| section.statements.iter().map(|one| one.text.as_str()).collect())
                .collect();
            assert_eq!(texts, expected, "{given}");
            assert_eq!(draft.not_found, ["Nothing on c."]);
        };
        let section = |heading: &str, texts: &[&str]| {
            let statement = |text: &&str| json!({"text": text, "citations": []});
            let statements: Vec<Value> = texts.iter().map(statement).collect();
            json!({"heading": heading, "statements": statements})
        };
        let dropped: [&[&str]; 2] = [&["One.", "Two."], &["Four."]];
        check(json!([]), dropped);
        check(json!([section("2", &["A."])]), [&["One.", "Two."], &["Four.", "A."]]);
        check(
            json!([section("Statement 2", &["A."]), section("1", &["B.", "C."])]),
            [&["One.", "Two.", "B.", "C."], &["Four.", "A."]],
        );
        // Without numbers they come in order.
        check(
            json!([section("", &["A.", "B.", "C."])]),
            [&["One.", "Two.", "A."], &["Four.", "B.", "C."]],
        );
        // A whole answer that was asked for in vain.
        check(
            json!([section("First", &["One.", "Two.", "A."]), section("The 404", &["Four."])]),
            [&["One.", "Two.", "A."], &["Four."]],
        );
        check(json!([section("", &["One.", "Four."])]), dropped);
    }

    #[test]
    fn as8_an_answer_without_failures_needs_no_correction() {
        let mut answer = answer();
        for section in &mut answer.sections {
            section.statements.retain(|statement| !statement.is_unverified());
        }
        assert!(Correction::of(&answer).is_none());
    }
}
