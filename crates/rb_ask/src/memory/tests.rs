use std::collections::BTreeMap;

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::answer::{Author, Counts, Section, Statement, Support};
use crate::citation::{Citation, CitationFault};

/// Files by path, as they are now.
struct Files(BTreeMap<&'static str, &'static str>);

impl Texts for Files {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|text| text.as_bytes().to_vec())
    }
}

impl Files {
    fn hash(&self, path: &str) -> Option<Sha256> {
        self.text(path).map(|bytes| Sha256::of(&bytes))
    }
}

const VIEW: &str = "function View(name) {\n  this.root = name;\n}\n";
const ROUTER: &str = "export function route(path) {\n  return table.get(path);\n}\n";

fn files() -> Files {
    Files(BTreeMap::from([("lib/view.js", VIEW), ("lib/router.js", ROUTER)]))
}

/// A valid citation of one line.
fn cited(path: &str, line: u32) -> CheckedCitation {
    let files = files();
    let text = files.text(path).unwrap();
    let at = usize::try_from(line).unwrap() - 1;
    let quote = String::from_utf8(text.clone()).unwrap().lines().nth(at).unwrap().to_owned();
    CheckedCitation {
        citation: Citation { path: path.to_owned(), first_line: line, last_line: line, quote },
        hash: Some(Sha256::of(&text)),
        repaired_from: None,
        fault: None,
    }
}

fn verified(text: &str, citations: Vec<CheckedCitation>) -> Statement {
    Statement { text: text.to_owned(), citations, support: Support::Verified, goes_on: false }
}

fn answer(question: &str, statements: Vec<Statement>) -> Answer {
    let claims = u32::try_from(statements.len()).unwrap();
    let is_verified = |it: &&Statement| it.support == Support::Verified;
    let verified_claims = u32::try_from(statements.iter().filter(is_verified).count()).unwrap();
    Answer {
        question: question.to_owned(),
        author: Author::Extraction,
        sections: vec![Section { heading: String::new(), statements }],
        not_found: Vec::new(),
        notes: Vec::new(),
        counts: Counts { claims, verified_claims, ..Counts::default() },
    }
}

fn search(query: &str, files: &[&str]) -> SearchMade {
    let files = files.iter().map(|path| (*path).to_owned()).collect();
    SearchMade { query: query.to_owned(), files, contents: None }
}

fn texts(memory: &Memory) -> Vec<&str> {
    memory.facts.iter().map(|fact| fact.text.as_str()).collect()
}

/// Knows one fact about each file, and one about both.
fn knowing() -> Memory {
    let mut memory = Memory::default();
    let (view, router) = (cited("lib/view.js", 2), cited("lib/router.js", 1));
    memory.learn(&answer(
        "How is a view found?",
        vec![
            verified("A view keeps its root.", vec![view.clone()]),
            verified("Routes are looked up by path.", vec![router.clone()]),
            verified("Both are plain functions.", vec![view, router]),
        ],
    ));
    memory
}

#[test]
fn as4_only_verified_claims_with_a_valid_citation_are_learned() {
    let fault = Some(CitationFault::QuoteNotFound);
    let broken = CheckedCitation { fault, ..cited("lib/view.js", 1) };
    let unread = CheckedCitation { hash: None, ..cited("lib/view.js", 1) };
    let unsure = Support::NotVerified { why: "no citation".to_owned() };
    let mut memory = Memory::default();
    memory.learn(&answer(
        "q",
        vec![
            verified("Kept.", vec![broken.clone(), cited("lib/view.js", 1)]),
            verified("No valid citation.", vec![broken]),
            verified("Never read.", vec![unread]),
            verified("No citation.", Vec::new()),
            Statement { support: unsure, ..verified("Unsure.", vec![cited("lib/view.js", 1)]) },
            Statement { support: Support::NoClaim, ..verified("In short:", Vec::new()) },
        ],
    ));
    assert_eq!(texts(&memory), ["Kept."]);
    assert_eq!(memory.facts[0].citations, [cited("lib/view.js", 1)]);
    let asked = memory.last_question().unwrap();
    assert_eq!((asked.claims, asked.verified_claims), (6, 4));
    assert_eq!(asked.answer, ["Kept."]);
}

#[test]
fn as4_a_claim_or_question_that_comes_again_is_kept_once_as_the_newest() {
    let mut memory = knowing();
    memory.learn(&answer("Another", vec![verified("Third.", vec![cited("lib/view.js", 1)])]));
    memory.learn(&answer(
        "How is a view found?",
        vec![verified("A view keeps its root.", vec![cited("lib/view.js", 2)])],
    ));
    assert_eq!(
        texts(&memory),
        [
            "Routes are looked up by path.",
            "Both are plain functions.",
            "Third.",
            "A view keeps its root.",
        ]
    );
    let questions: Vec<&str> = memory.questions.iter().map(|it| it.question.as_str()).collect();
    assert_eq!(questions, ["Another", "How is a view found?"]);
}

#[test]
fn as4_a_fact_goes_when_one_of_its_files_changes() {
    let check = |change: &dyn Fn(&mut Files), expected: &[&str], read: &[&str]| {
        let mut files = files();
        let mut memory = knowing();
        for path in ["lib/view.js", "lib/router.js"] {
            memory.note_read(path, files.hash(path).unwrap());
        }
        memory.key_files = vec![KeyFile {
            path: "lib/view.js".to_owned(),
            importance: 90,
            summary: "views".to_owned(),
        }];
        memory.note_search(search("views", &["lib/view.js", "lib/router.js"]));
        change(&mut files);
        let dropped = memory.refresh(|path| files.hash(path));
        assert_eq!(texts(&memory), expected);
        assert_eq!(dropped, 3 - expected.len());
        assert_eq!(memory.questions[0].answer, expected);
        let left: Vec<&str> = memory.files_read.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(left, read);
        let is_there = files.0.contains_key("lib/view.js");
        assert_eq!(memory.key_files.len(), usize::from(is_there));
        assert_eq!(memory.searches[0].files.len(), files.0.len());
    };
    let all =
        ["A view keeps its root.", "Routes are looked up by path.", "Both are plain functions."];
    check(&|_| {}, &all, &["lib/router.js", "lib/view.js"]);
    let edit = |files: &mut Files| {
        files.0.insert("lib/view.js", "// another\n");
    };
    check(&edit, &all[1..2], &["lib/router.js"]);
    let delete = |files: &mut Files| {
        files.0.remove("lib/router.js");
    };
    check(&delete, &all[..1], &["lib/view.js"]);
}

#[test]
fn as4_a_search_whose_files_are_gone_is_forgotten() {
    let mut memory = Memory::default();
    memory.note_search(search("routes", &["lib/router.js"]));
    memory.note_search(search("sessions", &[]));
    memory.note_search(search("both", &["lib/router.js", "lib/view.js"]));
    // Deleted, renamed or not readable any more.
    let mut files = files();
    files.0.remove("lib/router.js");
    memory.refresh(|path| files.hash(path));
    let left: Vec<(&str, usize)> =
        memory.searches.iter().map(|it| (it.query.as_str(), it.files.len())).collect();
    assert_eq!(left, [("sessions", 0), ("both", 1)]);
}

#[test]
fn as4_a_search_that_found_nothing_is_forgotten_when_any_file_changes() {
    let (before, after) = (Sha256::of(b"before"), Sha256::of(b"after"));
    let check = |now: Option<Sha256>, expected: &[&str]| {
        let mut memory = Memory::default();
        memory.note_search(SearchMade { contents: Some(before), ..search("sessions", &[]) });
        // As memories of earlier versions have it.
        memory.note_search(search("cookies", &[]));
        memory.note_search(search("views", &["lib/view.js"]));
        memory.refresh_searches(now);
        let left: Vec<&str> = memory.searches.iter().map(|made| made.query.as_str()).collect();
        assert_eq!(left, expected, "{now:?}");
    };
    check(Some(before), &["sessions", "views"]);
    check(Some(after), &["views"]);
    check(None, &["views"]);
}

#[test]
fn as4_a_file_is_looked_at_once_when_facts_are_refreshed() {
    let (files, looks) = (files(), std::cell::Cell::new(0));
    let mut memory = knowing();
    let dropped = memory.refresh(|path| {
        looks.set(looks.get() + 1);
        files.hash(path)
    });
    assert_eq!((dropped, looks.get()), (0, 2));
}

#[test]
fn as4_as8_a_fact_is_evidence_only_if_its_quote_is_found_again() {
    let found = |memory: &Memory, files: &Files| -> Vec<(String, u32, Vec<String>)> {
        let mut evidence = Evidence::default();
        for shown in memory.facts.iter().flat_map(|fact| fact.evidence(files)) {
            evidence.add(&shown);
        }
        let shown = crate::guide::runs(&evidence);
        shown.into_iter().map(|it| (it.path, it.first, it.lines)).collect()
    };
    let memory = knowing();
    let router = ("lib/router.js".to_owned(), 1, vec!["export function route(path) {".to_owned()]);
    let view = ("lib/view.js".to_owned(), 2, vec!["  this.root = name;".to_owned()]);
    assert_eq!(found(&memory, &files()), [router.clone(), view]);
    // Another content, and no such file.
    let mut changed = files();
    changed.0.insert("lib/view.js", "function View(name) {\n  this.root = name;\n}\n\n");
    assert_eq!(found(&memory, &changed), std::slice::from_ref(&router));
    changed.0.remove("lib/view.js");
    assert_eq!(found(&memory, &changed), [router]);
    // A memory that somebody changed: the hash fits, but the quote or the lines do not.
    let spoil = |change: &dyn Fn(&mut Citation)| {
        let mut memory = knowing();
        memory.facts.truncate(1);
        change(&mut memory.facts[0].citations[0].citation);
        assert!(found(&memory, &files()).is_empty(), "{memory:?}");
    };
    spoil(&|citation| citation.quote = "this.root = secret;".to_owned());
    spoil(&|citation| citation.quote.clear());
    spoil(&|citation| (citation.first_line, citation.last_line) = (0, 0));
    spoil(&|citation| (citation.first_line, citation.last_line) = (3, 2));
    spoil(&|citation| (citation.first_line, citation.last_line) = (1, u32::MAX));
    spoil(&|citation| citation.path = "../secret".to_owned());
}

#[test]
fn as4_reads_and_searches_are_counted_and_bounded() {
    let mut memory = Memory::default();
    let (one, two) = (Sha256::of(b"1"), Sha256::of(b"2"));
    for (path, hash) in [("b", one), ("a", one), ("b", one), ("b", two), ("c", one)] {
        memory.note_read(path, hash);
    }
    let read: Vec<(&str, u32)> =
        memory.files_read.iter().map(|it| (it.path.as_str(), it.times)).collect();
    assert_eq!(read, [("a", 1), ("b", 1), ("c", 1)]);
    memory.note_read("c", one);
    assert_eq!(memory.files_read[2].times, 2);
    let many = ["f0", "f1", "f2", "f3", "f4", "f5", "f6"];
    for number in 0..SEARCHES + 3 {
        memory.note_search(search(&format!("q{number}"), &many));
    }
    memory.note_search(search("q10", &[]));
    assert_eq!(memory.searches.len(), SEARCHES);
    assert_eq!(memory.searches[0].query, "q3");
    assert_eq!(memory.searches[0].files.len(), FILES_OF_A_SEARCH);
    assert_eq!(memory.searches.last().unwrap().query, "q10");
}

#[test]
fn as4_a_large_memory_is_merged_by_file_then_the_oldest_facts_go() {
    let fact = |text: &str, path: &str, line: u32| Fact {
        text: text.to_owned(),
        citations: vec![cited(path, line)],
    };
    let facts = || {
        vec![
            fact("One.", "lib/view.js", 1),
            fact("Two.", "lib/router.js", 1),
            fact("Three.", "lib/view.js", 2),
            fact("Four.", "lib/view.js", 1),
        ]
    };
    let check = |limit: usize, expected: &[&str], dropped: usize| {
        let mut memory = Memory { facts: facts(), ..Memory::default() };
        assert_eq!(memory.summarise(limit), dropped, "{limit}");
        assert_eq!(texts(&memory), expected, "{limit}");
        assert_eq!(usize::try_from(memory.dropped_facts).unwrap(), dropped);
    };
    check(4, &["One.", "Two.", "Three.", "Four."], 0);
    check(3, &["Two.", "One. Three. Four."], 0);
    check(2, &["Two.", "One. Three. Four."], 0);
    check(1, &["One. Three. Four."], 1);
    check(0, &[], 4);
    let mut memory = Memory { facts: facts(), ..Memory::default() };
    memory.summarise(2);
    let lines = |fact: &Fact| -> Vec<u32> {
        fact.citations.iter().map(|it| it.citation.first_line).collect()
    };
    assert_eq!(lines(&memory.facts[1]), [1, 2]);
}

#[test]
fn as4_sentences_of_a_statement_and_those_that_go_on_from_it_are_one_fact() {
    let (view, router) = (|| vec![cited("lib/view.js", 2)], || vec![cited("lib/router.js", 1)]);
    let unsure = |text: &str, citations| Statement {
        support: Support::NotVerified { why: "no citation".to_owned() },
        ..verified(text, citations)
    };
    let check = |statements: Vec<Statement>, expected: &[(&str, usize)]| {
        let mut memory = Memory::default();
        memory.learn(&answer("q", statements));
        let facts: Vec<(&str, usize)> =
            memory.facts.iter().map(|fact| (fact.text.as_str(), fact.citations.len())).collect();
        assert_eq!(facts, expected);
    };
    check(
        vec![
            verified("A view has a root.", view()),
            verified("Roots are folders.", view()),
            verified("Otherwise a route is looked up.", router()),
            verified("If it is there, it is returned.", router()),
            verified("`it.path` is the path.", view()),
        ],
        &[
            (
                "A view has a root. Roots are folders. Otherwise a route is looked up. If it is there, it is returned.",
                2,
            ),
            ("`it.path` is the path.", 1),
        ],
    );
    // What may go on from a sentence that is not verified is not remembered without it.
    check(
        vec![
            verified("A view has a root.", view()),
            unsure("A root is remote.", router()),
            verified("It is fast.", router()),
            verified("Routes are looked up.", view()),
        ],
        &[("A view has a root.", 1), ("Routes are looked up.", 1)],
    );
}

/// As `knowing`, with a project, a file and two searches.
fn well_informed() -> Memory {
    let mut memory = knowing();
    memory.project = ProjectFacts {
        name: "express".to_owned(),
        primary_language: Some("JavaScript".to_owned()),
        architecture: vec!["middleware".to_owned(), "layered".to_owned()],
    };
    memory.key_files = vec![KeyFile {
        path: "lib/view.js".to_owned(),
        importance: 90,
        summary: "finds\ntemplates".to_owned(),
    }];
    memory.note_search(search("template lookup", &["lib/view.js"]));
    memory.note_search(search("session expiry", &[]));
    memory
}

#[test]
fn as4_a_model_is_told_what_has_to_do_with_the_question() {
    let memory = well_informed();
    let check = |question: &str, expected: expect_test::Expect| {
        expected.assert_eq(&memory.context(question, &files(), 10_000).0);
    };
    check(
        "Where are routes looked up?",
        expect![[r#"
            Project:
            - express, mainly JavaScript; middleware, layered
            Verified facts:
            - Routes are looked up by path. [lib/router.js:1]
            - Both are plain functions. [lib/view.js:2; lib/router.js:1]
        "#]],
    );
    // What a fact does not say, its lines may.
    check(
        "What do the files export?",
        expect![[r#"
            Project:
            - express, mainly JavaScript; middleware, layered
            Verified facts:
            - Both are plain functions. [lib/view.js:2; lib/router.js:1]
            - Routes are looked up by path. [lib/router.js:1]
        "#]],
    );
    check(
        "When does a session expire?",
        expect![[r#"
            Project:
            - express, mainly JavaScript; middleware, layered
            Most important files:
            - lib/view.js
        "#]],
    );
    check(
        "Session expiry",
        expect![[r#"
            Project:
            - express, mainly JavaScript; middleware, layered
            Most important files:
            - lib/view.js
            Searches made before:
            - "session expiry": nothing found
        "#]],
    );
    assert_eq!(Memory::default().context("routes", &files(), 10_000), Default::default());
}

#[test]
fn as4_a_question_that_goes_on_from_the_last_one_gets_its_facts() {
    let memory = knowing();
    let (text, facts) = memory.context("Who calls it?", &files(), 10_000);
    assert!(text.starts_with("Previous question:\n- How is a view found?\n"), "{text}");
    assert_eq!(facts.len(), 3, "{text}");
    let (text, facts) = memory.context("Who calls it when a template expires?", &files(), 10_000);
    assert!(text.is_empty() && facts.is_empty(), "{text}");
}

#[test]
fn as4_no_claim_is_told_twice_or_without_what_it_goes_on_from() {
    let mut memory = knowing();
    let fact = |text: &str| Fact {
        text: text.to_owned(),
        citations: vec![cited("lib/view.js", 2), cited("lib/view.js", 1)],
    };
    // As memories of earlier versions have it.
    memory.facts.push(fact("Otherwise the root is used."));
    memory.facts.push(fact("The root is a name."));
    let (text, facts) = memory.context("What is the root of a view?", &files(), 10_000);
    assert_eq!(text.matches("A view keeps its root.").count(), 1, "{text}");
    assert!(text.contains("- The root is a name. [lib/view.js:2, 1]"), "{text}");
    assert!(!text.contains("Otherwise"), "{text}");
    // It says both words.
    let texts: Vec<&str> = facts.iter().map(|fact| fact.text.as_str()).collect();
    assert_eq!(texts[0], "A view keeps its root.");
    // A fact whose quote is gone is none.
    let mut changed = files();
    changed.0.insert("lib/view.js", "// another\n");
    let (text, _) = memory.context("What is the root of a view?", &changed, 10_000);
    assert!(!text.contains("root is a name"), "{text}");
}

#[test]
fn as4_a_memory_survives_the_process_and_a_bad_file_does_not_stop_a_question() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("ask/shop/memory.json");
    let aside = temp.path().join("ask/shop/memory.json.unusable");
    assert_eq!(Memory::load(&file), (Memory::default(), None));
    let memory = knowing();
    memory.save(&file).unwrap();
    let (loaded, warning) = Memory::load(&file);
    assert_eq!((loaded, warning), (Memory { version: VERSION, ..memory.clone() }, None));
    let newer = serde_json::to_string(&Memory { version: VERSION + 1, ..memory }).unwrap();
    let check = |bytes: &[u8], words: &str| {
        rb_core::fs::write(&file, bytes, rb_core::fs::Durability::Relaxed).unwrap();
        let (loaded, warning) = Memory::load(&file);
        let warning = warning.unwrap();
        assert_eq!(loaded, Memory::default());
        assert!(warning.contains(words), "{warning}");
        assert!(!file.exists() && aside.exists(), "{words}");
        assert_eq!(Memory::load(&file), (Memory::default(), None));
    };
    check(b"", "is damaged");
    check(b"{\"version\": 1}", "is damaged");
    check(b"\xff\xfe", "is damaged");
    check(newer.as_bytes(), "newer version");
}

#[test]
fn as4_forgetting_says_what_went() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("memory.json");
    assert_eq!(Memory::forget(&file).unwrap(), None);
    knowing().save(&file).unwrap();
    assert_eq!(Memory::forget(&file).unwrap().unwrap().facts.len(), 3);
    assert!(!file.exists());
    rb_core::fs::write(&file, b"{", rb_core::fs::Durability::Relaxed).unwrap();
    assert_eq!(Memory::forget(&file).unwrap(), Some(Memory::default()));
    assert!(!file.exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn as4_what_a_model_is_told_never_exceeds_its_room(room in 0_usize..600, names in prop::collection::vec(".{0,40}", 0..6)) {
        let mut memory = knowing();
        for name in &names {
            memory.note_read(name, Sha256::of(name.as_bytes()));
            memory.note_search(SearchMade { files: names.clone(), ..search(name, &[]) });
            memory.project.name.clone_from(name);
        }
        let (text, _) = memory.context("Where are routes looked up?", &files(), room);
        prop_assert!(text.chars().count() <= room);
    }

    #[test]
    fn as4_no_fact_is_lost_uncounted(lines in prop::collection::vec((0_u32..2, 1_u32..4), 0..20), limit in 0_usize..8) {
        let facts: Vec<Fact> = lines.iter().enumerate().map(|(number, (file, line))| Fact {
            text: format!("Fact {number}."),
            citations: vec![cited(if *file == 0 { "lib/view.js" } else { "lib/router.js" }, *line)],
        }).collect();
        let mut memory = Memory { facts, ..Memory::default() };
        let dropped = memory.summarise(limit);
        prop_assert!(memory.facts.len() <= limit);
        let kept: usize = memory.facts.iter().map(|fact| fact.text.matches("Fact ").count()).sum();
        prop_assert_eq!(kept + dropped, lines.len());
    }
}
