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
    verified_in(&files, &files.shown("lib/store.js", 1, 18), text, citations)
}

fn verified_in(
    files: &Files,
    evidence: &Evidence,
    text: &str,
    citations: Vec<Citation>,
) -> Vec<Statement> {
    let statements = vec![DraftStatement { text: text.to_owned(), citations }];
    let sections = vec![DraftSection { heading: String::new(), statements }];
    let draft = Draft { sections, not_found: Vec::new() };
    let mut answer = verify("?", Author::Extraction, &draft, evidence, files);
    answer.sections.remove(0).statements
}

/// Checks a sentence against these lines of a file, of which nothing else was shown.
#[track_caller]
fn check_in(path: &str, text: &str, lines: (u32, u32), sentence: &str, expected: &str) {
    let files = Files::new(&[(path, text)]);
    let (first, last) = lines;
    let first_line = text.lines().nth(usize::try_from(first - 1).unwrap()).unwrap();
    let citations = vec![cite(path, first, last, first_line)];
    let evidence = files.shown(path, first, last);
    let statements = verified_in(&files, &evidence, sentence, citations);
    assert_eq!(shown(&statements[0].support), expected, "{sentence}");
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
    check("`node:path` reads a record.", "`node:path` is not in the cited lines");
    check("`record-list` reads a record.", "`record-list` is not in the cited lines");
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

const RESPONSE: &str = "\
const fresh = require('fresh');

res.send = function send(body) {
  if (!res.locals) {
    res.locals = Object.create(null);
  }
  const view = cache[name];
  // A stale view is looked up again.
  if (!view.path) {
    return done(new Error('Failed to look up'));
  }
  cache[name] = view;
};
";

#[test]
fn as8_other_words_for_what_code_writes_with_a_keyword_support_a_claim() {
    let check =
        |lines, sentence, expected| check_in("lib/a.js", RESPONSE, lines, sentence, expected);
    let nothing = "apart from the name, none of its words is in the cited lines";
    check((4, 6), "It creates an empty `res.locals` if there is none yet.", "verified");
    check((5, 5), "It makes an empty `res.locals`.", "verified");
    check((4, 4), "It starts anew if there is no such `res.locals`.", "verified");
    check(
        (1, 1),
        "That function comes from the package `fresh`; it makes the comparison.",
        "verified",
    );
    check((10, 10), "`done` is returned to whoever waits.", "verified");
    check((9, 10), "An exception is raised.", "verified");
    check((7, 7), "`cache[name]` wins.", "verified");
    check((1, 1), "`fresh` shouts.", nothing);
    check((1, 1), "`fresh` is an empty hall.", nothing);
    check((1, 1), "`fresh` returns passwords.", nothing);
    check((4, 5), "`create` belongs to a package of spies.", nothing);
    check((7, 7), "`view[name]` wins.", nothing);
    check((7, 7), "`cache` wins.", nothing);
    check((4, 6), "An empty password wins.", "none of its words is in the cited lines");
}

#[test]
fn as8_the_declaration_that_lines_are_in_supplies_its_name() {
    let body = "  step();\n".repeat(70);
    let text = format!(
        "const res = {{}};\nres.send = function send(body) {{\n{body}  if (req.fresh) stop(304);\n}};\nrun();\n"
    );
    let check =
        |line, sentence, expected| check_in("lib/a.js", &text, (line, line), sentence, expected);
    check(73, "`res.send` checks `req.fresh`.", "verified");
    check(73, "`send` stops with 304.", "verified");
    check(73, "`res.close` checks `req.fresh`.", "`res.close` is not in the cited lines");
    check(75, "`res.send` is run.", "`res.send` is not in the cited lines");
    let rust = format!(
        "impl Worker {{\n    fn drain(&mut self) {{\n{body}        stop(304);\n    }}\n}}\n"
    );
    check_in("src/a.rs", &rust, (73, 73), "`Worker::drain` stops with 304.", "verified");
    let missing = "`Worker::fill` is not in the cited lines";
    check_in("src/a.rs", &rust, (73, 73), "`Worker::fill` stops with 304.", missing);
}

#[test]
fn as8_a_claim_is_held_against_the_lines_that_a_citation_was_moved_to() {
    let steps = "step();\n".repeat(60);
    let text = format!(
        "function early(a) {{\n  return a;\n}}\n{steps}function late(b) {{\n  return b + tax;\n}}\n"
    );
    let files = Files::new(&[("a.js", text)]);
    let check = |sentence: &str, expected: &str| {
        let citations = vec![cite("a.js", 1, 3, "return b + tax;")];
        let statements = verified_in(&files, &files.shown("a.js", 1, 66), sentence, citations);
        assert_eq!(statements[0].citations[0].repaired_from, Some((1, 3)));
        assert_eq!(shown(&statements[0].support), expected, "{sentence}");
    };
    check("`late` adds `tax`.", "verified");
    check("`early` adds `tax`.", "`early` is not in the cited lines");
}

#[test]
fn as8_each_of_several_sentences_keeps_the_citations_that_are_about_it() {
    let places = |text: &str| {
        let citations = vec![
            cite("lib/store.js", 7, 7, "this.maxRecords = options.maxRecords || 1000;"),
            cite("lib/store.js", 13, 13, "if (this.cache.has(id)) return this.cache.get(id);"),
        ];
        let statements = verified(text, citations);
        let lines = |it: &Statement| -> Vec<u32> {
            it.citations.iter().map(|cited| cited.citation.first_line).collect()
        };
        statements.iter().map(|it| (lines(it), it.goes_on)).collect::<Vec<_>>()
    };
    let first = "`maxRecords` limits the records to 1000.";
    let two = format!("{first} The `cache` is asked for the `id`.");
    assert_eq!(places(&two), [(vec![7], false), (vec![13], true)]);
    // What is not verified keeps all, and so does a sentence alone.
    let unsure = format!("{first} `lock` is called.");
    assert_eq!(places(&unsure), [(vec![7], false), (vec![7, 13], true)]);
    assert_eq!(places(first), [(vec![7, 13], false)]);
}

#[test]
fn as8_limits_and_pieces_of_code_are_found_as_prose_says_them() {
    let code = "\
if (status >= 200 && status < 300) return fresh(status);
if (cache == null) cache = this.enabled;
if (strict === null) strict = this.enabled;
return MmapChoice::never();
";
    let check =
        |line, sentence, expected| check_in("lib/a.js", code, (line, line), sentence, expected);
    check(1, "A status from 200 to 299 is fresh.", "verified");
    check(1, "A status from 200 to 298 is fresh.", "`298` is not in the cited lines");
    check(2, "`cache` is taken from `enabled` if it is `undefined`.", "verified");
    let strict = "`strict` is taken from `enabled` if it is `undefined`.";
    check(3, strict, "`undefined` is not in the cited lines");
    check(4, "Otherwise `MmapChoice::never()` is the result.", "verified");
    let other = "Otherwise `never` is the result.";
    check(4, other, "apart from the name, none of its words is in the cited lines");
}

#[test]
fn as8_absence_is_not_shown_by_a_citation() {
    check("There is no locking.", EVERYWHERE);
    check("There is no `parseBody`.", EVERYWHERE);
    check("There is no `lock` in `lib/store.js`.", EVERYWHERE);
    check("Nothing is written to the disk.", EVERYWHERE);
    check("`load` never fails.", EVERYWHERE);
    check("`load` is not implemented in this repository: `parse` is.", EVERYWHERE);
    check("`save` does not call `lock`.", NO_NEGATION);
    check("It doesn't lock the record.", NO_NEGATION);
    check("`load` does not call `lock`.", NO_NEGATION);
    check("`load` does not call `parse`.", NO_NEGATION);
    check("`load` does not lock.", NO_NEGATION);
    check("If the record is not cached, it is parsed.", "verified");
    check("`load` not only reads the record, it caches it.", "verified");
}

#[test]
fn as8_a_negative_is_shown_by_a_line_that_negates() {
    let check =
        |lines, sentence, expected| check_in("lib/a.js", RESPONSE, lines, sentence, expected);
    let again = "An error is returned, so a view that was not found is looked up again next time.";
    check((9, 12), again, "verified");
    check((12, 12), "A view without any path is not cached.", NO_NEGATION);
    check((9, 12), "`view` does not call `parseBody`.", "`parseBody` is not in the cited lines");
    check((4, 6), "Passwords are not hashed.", NO_NEGATION);
    check((9, 12), "The view does not exist.", EVERYWHERE);
    let queue = "\
/// If the entry is a path that should be ignored, then this is a no-op.
/// Otherwise, the entry is pushed on to the queue.
";
    let skipped = "A skipped file is not pushed on to the queue.";
    check_in("a.rs", queue, (1, 2), skipped, "verified");
    check_in("a.rs", queue, (2, 2), skipped, NO_NEGATION);
}

#[test]
fn as8_what_a_file_says_is_absent_can_be_quoted() {
    let check = |sentence: &str, expected: &str| {
        let text = "// It never locks the file.\nopen();\n";
        check_in("a.js", text, (1, 1), sentence, expected);
    };
    check("The comment says: \"It never locks the file.\"", "verified");
    check("The comment says: \"It never locks …\"", "verified");
    check("The comment says: \"It never reads the file.\"", EVERYWHERE);
    check("It never locks the file.", EVERYWHERE);
    check("It never locks: \"locks the file\".", EVERYWHERE);
    check("It does not lock the file.", "verified");
    check("It does not read the file.", NO_NEGATION);
}

#[test]
fn as8_a_heading_names_only_code_that_its_section_cites() {
    let files = Files::new(&[("lib/store.js", STORE)]);
    let check = |heading: &str, expected: &str| {
        let text = "`load` reads a record.".to_owned();
        let statements = vec![DraftStatement { text, citations: vec![valid()] }];
        let sections = vec![DraftSection { heading: heading.to_owned(), statements }];
        let draft = Draft { sections, not_found: Vec::new() };
        let evidence = files.shown("lib/store.js", 1, 18);
        let answer = verify("What does `save` do?", Author::Extraction, &draft, &evidence, &files);
        assert_eq!(answer.sections[0].heading, expected, "{heading}");
    };
    for heading in ["Reading", "How `load` reads", "`lib/store.js`", "What `save` does"] {
        check(heading, heading);
    }
    check("How `load` calls `parseBody`", "");
    check("`lib/other.js`", "");
}

#[test]
fn as8_what_was_not_found_does_not_repeat_the_words_before_it() {
    let files = Files::new(&[("lib/store.js", STORE)]);
    let check = |not_found: &str, expected: &str| {
        let draft = Draft { sections: Vec::new(), not_found: vec![not_found.to_owned()] };
        let answer = verify("?", Author::Extraction, &draft, &Evidence::default(), &files);
        assert_eq!(answer.not_found, [expected]);
    };
    check("I couldn't find a cache.", "a cache.");
    check("I could not find: a cache", "a cache");
    check("could not find a cache", "a cache");
    check("A cache", "A cache");
    check("I couldn't find", "I couldn't find");
    check("öäüöäüöä", "öäüöäüöä");
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
    check(&both("There is no `lock` here:"), [EVERYWHERE, "verified", "verified"]);
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
