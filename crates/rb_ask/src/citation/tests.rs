use super::fixture::{Files, cite};
use super::*;

const STORE: &str = "\
const fs = require('node:fs');

class Store {
  constructor(folder) {
    this.folder = folder;
  }

  load(id, ...rest) {
    return   fs.readFileSync(id);
  }

  save(id) {
    return   fs.writeFileSync(id);
  }
}
";

/// `valid`, `valid at 3-4`, or why it is not. Lines 1 to 10 of the file are shown.
fn verdict_of(citation: &Citation) -> String {
    let files = Files::new(&[("lib/store.js", STORE), ("lib/other.js", STORE)]);
    let checked = check(citation, &files.shown("lib/store.js", 1, 10), &files);
    let lines = (checked.citation.first_line, checked.citation.last_line);
    match (checked.fault, checked.repaired_from) {
        (Some(fault), _) => fault.to_string(),
        (None, Some(from)) => {
            assert_eq!(from, (citation.first_line, citation.last_line));
            format!("valid at {}-{}", lines.0, lines.1)
        }
        (None, None) => {
            assert_eq!(lines, (citation.first_line, citation.last_line));
            "valid".to_owned()
        }
    }
}

fn check_at(path: &str, (first, last): (u32, u32), quote: &str, expected: &str) {
    assert_eq!(verdict_of(&cite(path, first, last, quote)), expected, "{path} {first} {quote}");
}

#[test]
fn as8_a_citation_is_valid_only_if_its_lines_were_read_and_say_so() {
    let check = |lines, quote, expected| check_at("lib/store.js", lines, quote, expected);
    check((9, 9), "return   fs.readFileSync(id);", "valid");
    check((8, 10), "return fs.readFileSync(id)", "valid");
    check((8, 10), "  load(id, ...rest) {\n\treturn fs.readFileSync(id);\n  }\n", "valid");
    check((8, 9), "load(id, ...rest) { return fs.readFileSync(id);", "valid");
    check((4, 6), "constructor(folder) {\n…\n}", "valid");
    check((4, 6), "constructor(folder) ... }", "valid");
    let not_there = "the quote is not in the cited lines";
    check((4, 6), "this.folder = folder; … constructor(folder)", not_there);
    check((9, 9), "return fs.writeFileSync(id);", not_there);
    check((9, 9), "return fs.readfilesync(id);", not_there);
    check((13, 13), "return fs.writeFileSync(id);", "the lines were not read");
    check((9, 9), "", "the quote is missing or too short");
    check((9, 9), " \n ", "the quote is missing or too short");
    check((9, 9), "id", "the quote is missing or too short");
    check((9, 9), "…", "the quote is missing or too short");
    check((10, 10), "}", "valid");
    check((9, 9), "}", "the quote is missing or too short");
    check((0, 0), "}", "there are no such lines");
    check((99, 99), "return fs.writeFileSync(id);", "there are no such lines");
}

#[test]
fn as8_wrong_lines_are_corrected_where_the_quote_stands_once() {
    let check = |lines, quote, expected| check_at("lib/store.js", lines, quote, expected);
    check((2, 3), "return fs.readFileSync(id);", "valid at 9-9");
    check((99, 120), "return fs.readFileSync(id);", "valid at 9-9");
    check((0, 0), "return fs.readFileSync(id);", "valid at 9-9");
    check((9, 8), "return fs.readFileSync(id);", "valid at 9-9");
    check((8, 15), "return fs.readFileSync(id);", "valid at 9-9");
    check((1, 1), "load(id, ...rest) {\nreturn fs.readFileSync(id);", "valid at 8-9");
    check((1, 1), "constructor(folder) { … }", "valid at 4-6");
    // `folder` is in lines 4 and 5.
    check((1, 1), "folder", "the quote is not in the cited lines");
    check((1, 1), "}", "the quote is missing or too short");
}

#[test]
fn as8_blank_lines_that_were_not_shown_break_no_range() {
    let files = Files::new(&[("lib/store.js", STORE)]);
    let mut evidence = Evidence::default();
    for (first, last) in [(1, 1), (3, 6), (8, 10)] {
        evidence.add(&files.lines("lib/store.js", first, last));
    }
    let check = |lines: (u32, u32), quote: &str, expected: (u32, u32)| {
        let checked = check(&cite("lib/store.js", lines.0, lines.1, quote), &evidence, &files);
        assert_eq!(checked.fault, None, "{lines:?}");
        assert_eq!(checked.repaired_from, (lines != expected).then_some(lines));
        assert_eq!((checked.citation.first_line, checked.citation.last_line), expected);
    };
    let quote = "return fs.readFileSync(id);";
    check((1, 10), quote, (1, 10));
    check((8, 11), quote, (8, 11));
    check((3, 9), "this.folder = folder;\n}\n\nload(id, ...rest) {", (3, 9));
    // Line 12 has text.
    check((8, 12), quote, (9, 9));
}

#[test]
fn as8_a_citation_to_an_unread_file_is_never_valid() {
    let quote = "return fs.readFileSync(id);";
    let check = |path, expected| check_at(path, (9, 9), quote, expected);
    check("lib/other.js", "the file was not read");
    check("lib/none.js", "there is no such file");
    check("store.js", "there is no such file");
    check("./lib/store.js", "there is no such file");
    check("lib/../lib/store.js", "there is no such file");
    check("/lib/store.js", "there is no such file");
    check("", "there is no such file");
}

#[test]
fn as8_a_file_that_changed_after_it_was_read_is_not_cited() {
    let before = Files::new(&[("a.js", "let total = 1;\n")]);
    let evidence = before.shown("a.js", 1, 1);
    let citation = cite("a.js", 1, 1, "let total = 1;");
    let checked = check(&citation, &evidence, &before);
    assert!(checked.is_valid());
    assert_eq!(checked.hash, Some(Sha256::of(b"let total = 1;\n")));

    let after = Files::new(&[("a.js", "let total = 1;\n\n")]);
    let stale = check(&citation, &evidence, &after);
    assert_eq!(stale.fault, Some(CitationFault::FileChanged));
    assert_eq!(stale.hash, checked.hash, "a later reader can tell stale from false");
}

#[test]
fn as8_a_very_wide_citation_is_narrowed_to_its_quote() {
    let lines: Vec<String> = (1..=100).map(|number| format!("let value{number} = 1;\n")).collect();
    let files = Files::new(&[("a.js", lines.concat())]);
    let check = |lines: (u32, u32), expected| {
        let citation = cite("a.js", lines.0, lines.1, "let value42 = 1;");
        let checked = check(&citation, &files.shown("a.js", 1, 100), &files);
        assert_eq!((checked.fault, checked.repaired_from), (None, None));
        assert_eq!((checked.citation.first_line, checked.citation.last_line), expected);
    };
    check((1, 60), (1, 60));
    check((1, 61), (42, 42));
    check((1, 100), (42, 42));
}

#[test]
fn as8_only_what_was_shown_of_a_cut_line_counts() {
    let files = Files::new(&[("a.js", "let first = 1; let second = 2;\n")]);
    let mut shown = files.lines("a.js", 1, 1);
    let mut check = |line: &str, quote: &str, expected: Option<CitationFault>| {
        shown.lines = vec![line.to_owned()];
        let mut evidence = Evidence::default();
        evidence.add(&shown);
        let fault = check(&cite("a.js", 1, 1, quote), &evidence, &files).fault;
        assert_eq!(fault, expected, "{line} {quote}");
    };
    check("let first = 1;…", "let first = 1;", None);
    check("let first = 1;…", "let second = 2;", Some(CitationFault::QuoteNotFound));
    check("let third = 3;", "let third = 3;", Some(CitationFault::LinesNotRead));
}

#[test]
fn as8_quotes_from_other_encodings_are_compared_as_text() {
    let files = Files::new(&[("a.txt", b"na\xefve text\r\nmore text\r\n".as_slice())]);
    let evidence = files.shown("a.txt", 1, 2);
    assert!(check(&cite("a.txt", 1, 1, "naïve text"), &evidence, &files).is_valid());
    assert!(check(&cite("a.txt", 2, 2, "more text"), &evidence, &files).is_valid());
}

#[test]
fn as8_a_checked_citation_is_flat_in_json() {
    let files = Files::new(&[("a.js", "let total = 1;\nlet other = 2;\n")]);
    let evidence = files.shown("a.js", 1, 2);
    let checked = check(&cite("a.js", 2, 2, "let total = 1;"), &evidence, &files);
    let json = serde_json::to_value(&checked).unwrap();
    assert_eq!(json["path"], "a.js");
    assert_eq!(json["first_line"], 1);
    assert_eq!(json["repaired_from"], serde_json::json!([2, 2]));
    assert!(json.get("fault").is_none());
    assert_eq!(serde_json::from_value::<CheckedCitation>(json).unwrap(), checked);
}

#[test]
fn ux4_a_citation_holds_as_long_as_its_lines_contain_the_quote() {
    let cited = cite("lib/store.js", 9, 9, "return fs.readFileSync(id);");
    let files = Files::new(&[("lib/store.js", STORE)]);
    let checked = check(&cited, &files.shown("lib/store.js", 1, 10), &files);
    let holds = |text: &str| checked.holds_in(text.as_bytes().to_vec());
    assert!(holds(STORE));
    assert!(holds(&STORE.replace("return   fs", "return fs")));
    assert!(holds(&STORE.replace("save(id)", "keep(id)")));
    assert!(!holds(&format!("// a line before\n{STORE}")));
    assert!(!holds(&STORE.replace("readFileSync", "readFile")));
    assert!(!holds(""));
}
