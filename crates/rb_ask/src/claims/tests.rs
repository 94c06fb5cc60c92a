use super::*;
use crate::answer::DraftSection;
use crate::citation::Citation;
use crate::citation::fixture::{Files, cite};

const STORE: &str = "\
const fs = require('node:fs');
const { parse } = require('./record');

class RecordStore {
  constructor(folder, options = {}) {
    this.folder = folder;
    this.maxRecords = options.maxRecords || 1000;
    this.cache = new Map();
  }

  /** Reads a record from the disk unless it is cached. */
  load(id) {
    if (this.cache.has(id)) return this.cache.get(id);
    const record = parse(fs.readFileSync(`${this.folder}/${id}.json`, 'utf8'));
    this.cache.set(id, record);
    return record;
  }
}
";

fn verified(text: &str, citations: Vec<Citation>) -> Vec<Statement> {
    let files = Files::new(&[("lib/store.js", STORE), ("lib/server.js", "serve();\n")]);
    let statements = vec![DraftStatement { text: text.to_owned(), citations }];
    let sections = vec![DraftSection { heading: String::new(), statements }];
    let draft = Draft { sections, not_found: Vec::new() };
    let evidence = files.shown("lib/store.js", 1, 18);
    let mut answer = verify("?", Author::Extraction, &draft, &evidence, &files);
    answer.sections.remove(0).statements
}

fn valid() -> Citation {
    cite("lib/store.js", 12, 17, "const record = parse(fs.readFileSync(")
}

fn unread() -> Citation {
    cite("lib/server.js", 1, 1, "serve();")
}

/// `verified`, `no claim`, or why it is not verified.
fn shown(support: &Support) -> &str {
    match support {
        Support::Verified => "verified",
        Support::NotVerified { why } => why,
        Support::NoClaim => "no claim",
    }
}

#[test]
fn as8_words_in_quotation_marks_support_a_claim_if_the_lines_have_them() {
    check("The comment says: \"Reads a record from the disk\".", "verified");
    check("The comment says: \"Opens the gates\".", "none of its words is in the cited lines");
}

#[test]
fn as8_that_a_name_is_there_does_not_support_what_is_said_about_it() {
    check("`load` shouts.", "apart from the name, none of its words is in the cited lines");
    check("`load` reads a record.", "verified");
    check("`load` calls `parse`.", "verified");
    check("`load` is a method.", "verified");
}

#[track_caller]
fn check(sentence: &str, expected: &str) {
    let statements = verified(sentence, vec![valid()]);
    assert_eq!(statements.len(), 1, "{sentence}");
    assert_eq!(statements[0].text, sentence);
    assert_eq!(shown(&statements[0].support), expected, "{sentence}");
}

#[test]
fn as8_what_a_claim_names_is_in_the_lines_it_cites() {
    check("`load` reads a record.", "verified");
    check("`RecordStore.load` returns the cached record.", "verified");
    check("`fs.readFileSync` reads it.", "verified");
    check("`this.cache.get(id)` is returned.", "verified");
    check("RecordStores are created by callers.", "verified");
    check("The `folder` (e.g. a temporary one) holds records.", "verified");
    check("```js\nthis.cache.set(id, record);\n```", "verified");
    check("`parseBody` reads a record.", "`parseBody` is not in the cited lines");
    check("It calls parseBody.", "`parseBody` is not in the cited lines");
    check("`Load` reads a record.", "`Load` is not in the cited lines");
    check("`loa` reads a record.", "`loa` is not in the cited lines");
    check("read_record parses it.", "`read_record` is not in the cited lines");
    check("It runs save().", "`save()` is not in the cited lines");
    check("An HTTPServer caches the record.", "`HTTPServer` is not in the cited lines");
    check("`cache.delete(id)` is called.", "`delete` is not in the cited lines");
    check("```js\nthis.cache.clear();\n```", "`clear` is not in the cited lines");
    check("It returns `undefined`.", "`undefined` is not in the cited lines");
    check("Records are stored in MongoDB.", "`MongoDB` is not in the cited lines");
    check(
        "It opens https://example.com/records.",
        "`https://example.com/records` is not in the cited lines",
    );
}

#[test]
fn as8_numbers_of_a_claim_are_in_the_lines_it_cites() {
    check("It keeps up to 1000 records.", "verified");
    check("It keeps up to 1,000 records.", "verified");
    check("It takes 2 arguments and caches the record.", "verified");
    check("It keeps up to 500 records.", "`500` is not in the cited lines");
    check("`7` records are kept.", "`7` is not in the cited lines");
    check("Line 14 parses the record.", "verified");
    check("Line 99 parses the record.", "`99` is not in the cited lines");
    check("See lib/store.js:14 for the record.", "verified");
    check("See lib/store.js:40 for the record.", "`40` is not in the cited lines");
}

#[test]
fn as8_a_path_alone_supports_no_claim() {
    let nothing = "none of its words is in the cited lines";
    check("The record is read from the folder.", "verified");
    check("Probably records are cached.", "verified");
    check("It returns a record.", "verified");
    check("It returns.", "verified");
    check("`lib/store.js` is the entry point.", "verified");
    check("It uses `lib/record.js`.", "verified");
    check("`lib/store.js` encrypts passwords.", nothing);
    check("Passwords are hashed with salt.", nothing);
    check("It is written in TypeScript.", nothing);
    check("It is so.", nothing);
    check("`lib/server.js` loads records.", "`lib/server.js` is not in the cited lines");
    check("`other/store.js` loads records.", "`other/store.js` is not in the cited lines");
}

#[test]
fn as8_absence_is_not_shown_by_a_citation() {
    let absence = "absence is not shown by a citation";
    check("There is no locking.", absence);
    check("There is no `parseBody`.", absence);
    check("There is no `lock` in `lib/store.js`.", absence);
    check("`save` does not call `lock`.", absence);
    check("Nothing is written to the disk.", absence);
    check("It doesn't lock the record.", absence);
    check("`load` does not call `lock`.", "verified");
    check("`load` does not lock.", "verified");
    check("If the record is not cached, it is parsed.", "verified");
    check("`load` not only reads the record, it caches it.", "verified");
}

#[test]
fn as8_what_a_file_says_is_absent_can_be_quoted() {
    let files = Files::new(&[("a.js", "// It does not lock the file.\nopen();\n")]);
    let check = |text: &str, expected: &str| {
        let citations = vec![cite("a.js", 1, 1, "// It does not lock the file.")];
        let statements = vec![DraftStatement { text: text.to_owned(), citations }];
        let sections = vec![DraftSection { heading: String::new(), statements }];
        let draft = Draft { sections, not_found: Vec::new() };
        let evidence = files.shown("a.js", 1, 2);
        let answer = verify("?", Author::Extraction, &draft, &evidence, &files);
        assert_eq!(shown(&answer.sections[0].statements[0].support), expected, "{text}");
    };
    let absence = "absence is not shown by a citation";
    check("The comment says: \"It does not lock the file.\"", "verified");
    check("The comment says: \"It does not lock …\"", "verified");
    check("The comment says: \"It does not read the file.\"", absence);
    check("It does not lock the file.", absence);
    check("It does not lock: \"lock the file\".", absence);
}

#[test]
fn as8_a_lead_in_that_names_code_is_a_claim_unless_it_only_introduces() {
    let nothing = "apart from the name, none of its words is in the cited lines";
    check("`load` deletes all rows:", nothing);
    check("`load` reads a record:", "verified");
    check("`parseBody` takes two steps:", "`parseBody` is not in the cited lines");
    let check = |text: &str, expected: [&str; 3]| {
        let statements = verified(text, vec![valid()]);
        let supports: Vec<&str> = statements.iter().map(|one| shown(&one.support)).collect();
        assert_eq!(supports, expected, "{text}");
    };
    let list = "- It reads a record.\n- It caches the record.";
    let both = |lead_in: &str| format!("{lead_in}\n{list}");
    check(&both("`load` takes two steps:"), ["no claim", "verified", "verified"]);
    check(&both("The steps are:"), ["no claim", "verified", "verified"]);
    let missing = "`parseBody` is not in the cited lines";
    check(&both("`parseBody` takes two steps:"), [missing, "verified", "verified"]);
    let absence = "absence is not shown by a citation";
    check(&both("There is no `lock` here:"), [absence, "verified", "verified"]);
    let unverified = "none of its words is in the cited lines";
    check(
        "`load` takes two steps:\n- It reads a record.\n- It encrypts passwords.",
        [nothing, "verified", unverified],
    );
}

#[test]
fn as8_a_lead_in_is_held_against_the_lines_of_what_it_introduces() {
    let files = Files::new(&[("lib/store.js", STORE)]);
    let check = |lead_in: &str, expected: &str| {
        let statement = |text: &str, citations: Vec<Citation>| DraftStatement {
            text: text.to_owned(),
            citations,
        };
        let statements =
            vec![statement(lead_in, Vec::new()), statement("It reads a record.", vec![valid()])];
        let sections = vec![DraftSection { heading: String::new(), statements }];
        let draft = Draft { sections, not_found: Vec::new() };
        let evidence = files.shown("lib/store.js", 1, 18);
        let answer = verify("?", Author::Extraction, &draft, &evidence, &files);
        assert_eq!(shown(&answer.sections[0].statements[0].support), expected, "{lead_in}");
    };
    check("`load` works as follows:", "no claim");
    check("`parseBody` works as follows:", "no citation");
}

#[test]
fn as8_what_is_neither_true_nor_false_is_no_claim() {
    check("How are records loaded?", "no claim");
    check("The steps are:", "no claim");
    check("## Loading", "no claim");
    check("**Loading**", "no claim");
}

#[test]
fn as8_a_claim_needs_a_valid_citation() {
    let check = |citations: Vec<Citation>, expected: &str| {
        let statements = verified("`load` reads a record.", citations);
        assert_eq!(shown(&statements[0].support), expected);
    };
    check(vec![valid()], "verified");
    check(vec![unread(), valid()], "verified");
    check(vec![], "no citation");
    check(vec![unread()], "the citation is not valid: the file was not read");
    let missing = cite("none.js", 1, 1, "serve();");
    check(vec![missing, unread()], "no citation is valid: there is no such file");
}

#[test]
fn as8_every_sentence_is_a_claim_with_the_citations_of_its_statement() {
    let text = "`load` reads a record, e.g. from `folder`. It calls parseBody. Why?";
    let statements = verified(text, vec![valid()]);
    let supports: Vec<&str> = statements.iter().map(|claim| shown(&claim.support)).collect();
    assert_eq!(supports, ["verified", "`parseBody` is not in the cited lines", "no claim"]);
    assert!(statements.iter().all(|statement| statement.citations.len() == 1));
}
