//! Properties of citations over random files, evidence, lines and quotes: nothing is valid by luck, and nothing is invented.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rb_ask::answer::verify;
use rb_ask::citation::check;
use rb_ask::render::{Style, markdown, terminal};
use rb_ask::{
    Answer, Author, CheckedCitation, Citation, CitationFault, Draft, DraftSection, DraftStatement,
};
use rb_core::Sha256;
use rb_index::Texts;
use rb_tools::{Evidence, Shown};

struct Files(BTreeMap<String, String>);

impl Texts for Files {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|text| text.clone().into_bytes())
    }
}

/// One file, what was shown of it, and a citation of it.
#[derive(Debug, Clone)]
struct Case {
    lines: Vec<String>,
    /// First line and count.
    shown: Vec<(usize, usize)>,
    citation: Citation,
}

impl Case {
    fn text(&self) -> String {
        joined(&self.lines)
    }

    fn files(&self) -> Files {
        Files(BTreeMap::from([("a.js".to_owned(), self.text())]))
    }

    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        for &(start, count) in &self.shown {
            let start = start.min(self.lines.len());
            let lines = self.lines[start..].iter().take(count).cloned().collect();
            let hash = Sha256::of(self.text().as_bytes());
            evidence.add(&Shown { path: "a.js".to_owned(), hash, first: number(start + 1), lines });
        }
        evidence
    }

    /// The lines of a citation, if the file has them.
    fn cited(&self, citation: &Citation) -> Option<&[String]> {
        let first = usize::try_from(citation.first_line).ok()?;
        let last = usize::try_from(citation.last_line).ok()?;
        self.lines.get(first.checked_sub(1)?..last).filter(|lines| !lines.is_empty())
    }

    fn check(&self) -> CheckedCitation {
        check(&self.citation, &self.evidence(), &self.files())
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn number(value: usize) -> u32 {
    u32::try_from(value).expect("cases are small")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the lines have the quote, or its parts between ellipses one after the other.
fn says(lines: &[String], quote: &str) -> bool {
    let text = squeezed(&joined(lines));
    let mut rest = text.as_str();
    let parts = quote.split("...").flat_map(|part| part.split('…')).map(squeezed);
    let mut in_order = true;
    for part in parts {
        match rest.find(&part) {
            Some(start) => rest = &rest[start + part.len()..],
            None => in_order = false,
        }
    }
    in_order || text.contains(&squeezed(quote))
}

/// Few words, so that lines repeat and quotes stand in several places.
fn line() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["", "  ", "}", "return", "total(a);", "let b", "...c"]);
    prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
}

/// Text of the file's own lines or of others, as it stands, indented, with something left out, or cut.
fn quote(lines: &[String]) -> impl Strategy<Value = String> + use<> {
    let lines = lines.to_vec();
    let pieces = (0..=lines.len(), 1..4_usize, 0..5_u8, line());
    pieces.prop_map(move |(start, count, kind, other)| {
        let own: Vec<String> = lines[start..].iter().take(count).cloned().collect();
        match kind {
            0 => own.join("\n"),
            1 => own.join("\n   "),
            2 => own.join(" … "),
            3 => own.join("\n").chars().skip(2).collect(),
            _ => other,
        }
    })
}

fn case() -> impl Strategy<Value = Case> {
    prop::collection::vec(line(), 0..90).prop_flat_map(|lines| {
        let shown = prop::collection::vec((0..90_usize, 0..80_usize), 0..3);
        (Just(lines.clone()), shown, 0..95_u32, 0..95_u32, quote(&lines)).prop_map(
            |(lines, shown, first_line, last_line, quote)| Case {
                lines,
                shown,
                citation: Citation { path: "a.js".to_owned(), first_line, last_line, quote },
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn as8_a_valid_citation_was_read_and_says_what_is_quoted(case in case()) {
        let checked = case.check();
        if checked.is_valid() {
            let citation = &checked.citation;
            let lines = case.cited(citation);
            prop_assert!(lines.is_some_and(|lines| says(lines, &citation.quote)), "{checked:?}");
            let evidence = case.evidence();
            let read = evidence.file("a.js").expect("a valid citation is of a file that was read");
            // Nothing could be shown of a blank line.
            let mut cited = (citation.first_line..).zip(lines.unwrap_or_default());
            let are_read = cited.all(|(number, line)| {
                line.trim().is_empty() || read.lines.contains_key(&number)
            });
            prop_assert!(are_read, "{checked:?}");
            prop_assert!(!citation.quote.trim().is_empty());
            prop_assert_eq!(checked.hash, Some(Sha256::of(case.text().as_bytes())));
        }
    }

    #[test]
    fn as8_a_repair_invents_nothing(case in case()) {
        let checked = case.check();
        let written = (case.citation.first_line, case.citation.last_line);
        let lines = (checked.citation.first_line, checked.citation.last_line);
        prop_assert_eq!(&checked.citation.path, &case.citation.path);
        prop_assert_eq!(&checked.citation.quote, &case.citation.quote);
        match checked.repaired_from {
            Some(from) => {
                prop_assert!(checked.is_valid());
                prop_assert_eq!(from, written);
                prop_assert_ne!(lines, written);
            }
            None if checked.is_valid() => {
                prop_assert!(written.0 <= lines.0 && lines.1 <= written.1);
                prop_assert!(lines == written || written.1 - written.0 >= 60);
            }
            None => prop_assert_eq!(lines, written),
        }
    }

    #[test]
    fn as8_a_quote_from_lines_that_were_read_is_valid(case in case(), cut in 0..4_usize) {
        let Some(lines) = case.cited(&case.citation) else { return Ok(()) };
        let quote: String = joined(lines).chars().skip(cut).collect();
        let evidence = case.evidence();
        let numbers = case.citation.first_line..=case.citation.last_line;
        let was_read = evidence
            .file("a.js")
            .is_some_and(|read| numbers.clone().all(|number| read.lines.contains_key(&number)));
        let is_long = quote.chars().filter(|c| !c.is_whitespace()).count() >= 6;
        if was_read && is_long {
            let citation = Citation { quote, ..case.citation.clone() };
            let checked = check(&citation, &evidence, &case.files());
            prop_assert!(checked.is_valid() && checked.repaired_from.is_none(), "{checked:?}");
        }
    }

    #[test]
    fn as8_a_citation_to_an_unread_file_is_never_valid(case in case()) {
        let nothing = check(&case.citation, &Evidence::default(), &case.files());
        prop_assert_eq!(nothing.fault, Some(CitationFault::FileNotRead));

        let gone = check(&case.citation, &case.evidence(), &Files(BTreeMap::new()));
        prop_assert_eq!(gone.fault, Some(CitationFault::NoSuchFile));

        let mut changed = case.files();
        changed.0.entry("a.js".to_owned()).or_default().push('\n');
        let stale = check(&case.citation, &case.evidence(), &changed);
        prop_assert!(!stale.is_valid(), "{stale:?}");

        let other = Citation { path: "b.js".to_owned(), ..case.citation.clone() };
        let mut files = case.files();
        files.0.insert("b.js".to_owned(), case.text());
        let unread = check(&other, &case.evidence(), &files);
        prop_assert_eq!(unread.fault, Some(CitationFault::FileNotRead));
    }
}

fn answer_of(case: &Case, texts: &[String]) -> Answer {
    let statements = texts
        .iter()
        .map(|text| DraftStatement { text: text.clone(), citations: vec![case.citation.clone()] });
    let alone = DraftStatement { text: texts.concat(), citations: Vec::new() };
    let statements = statements.chain([alone]).collect();
    let sections = vec![DraftSection { heading: texts.concat(), statements }];
    let draft = Draft { sections, not_found: texts.to_vec() };
    verify(&texts.concat(), Author::Extraction, &draft, &case.evidence(), &case.files())
}

/// Prose with the signs that sentences, lists, code and links are made of.
fn prose() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9`.!?:#|<>()\\[\\]_/ \n-]{0,80}",
        ".{0,40}",
        "(It calls |`total\\(\\)`|return|no |e\\.g\\. |1\\. |\n- |\\. |: |\\?){0,8}",
    ]
}

struct Plain;

impl Style for Plain {
    fn heading(&self, text: &str) -> String {
        text.to_owned()
    }

    fn dim(&self, text: &str) -> String {
        text.to_owned()
    }

    fn warn(&self, text: &str) -> String {
        text.to_owned()
    }
}

fn solid(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn as8_no_share_exceeds_one(case in case(), texts in prop::collection::vec(prose(), 0..4)) {
        let answer = answer_of(&case, &texts);
        for answer in [answer.without_unverified(), answer] {
            let counts = answer.counts;
            prop_assert!(counts.verified_claims <= counts.cited_claims);
            prop_assert!(counts.cited_claims <= counts.claims);
            prop_assert!(counts.repaired_citations <= counts.valid_citations);
            prop_assert!(counts.valid_citations <= counts.citations);
        }
    }

    #[test]
    fn as8_no_word_of_a_draft_is_lost(case in case(), text in prose()) {
        prop_assume!(!text.contains("```") && !text.contains("~~~"));
        let answer = answer_of(&case, std::slice::from_ref(&text));
        let statements = &answer.sections[0].statements;
        let kept: String = statements.iter().map(|statement| solid(&statement.text)).collect();
        prop_assert_eq!(kept, solid(&text).repeat(2));
    }

    #[test]
    fn ux5_no_answer_steers_a_terminal(
        case in case(),
        texts in prop::collection::vec(any::<String>(), 0..3),
    ) {
        let answer = answer_of(&case, &texts);
        let link = |_: &CheckedCitation, text: &str| text.to_owned();
        for shown in [terminal(&answer, &link, &Plain), markdown(&answer)] {
            prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        }
    }
}
