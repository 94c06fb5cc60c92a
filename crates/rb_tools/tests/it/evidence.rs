//! What counts as evidence is what the files hold.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rb_core::Sha256;
use rb_tools::Output;
use serde_json::{Value, json};

use crate::support::{Fixture, Session};

/// Every line that is said to be shown is in the text of the result, and is that line of the file.
fn assert_true(fixture: &Fixture, output: &Output) {
    for shown in &output.shown {
        let text = fixture.files.read(&shown.path);
        assert_eq!(shown.hash, Sha256::of(text.as_bytes()), "{}", shown.path);
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in (shown.first..).zip(&shown.lines) {
            assert_eq!(lines[number as usize - 1], line, "{}:{number}", shown.path);
            assert!(output.text.contains(&format!("{number:>5} | {line}\n")), "{}", output.text);
        }
    }
}

/// Every tool on every file and on many names.
fn all_calls(fixture: &Fixture) -> Vec<(&'static str, Value)> {
    let mut calls = vec![("overview", json!({})), ("list_files", json!({}))];
    for path in fixture.paths() {
        for name in ["outline", "imports", "importers", "tests_of", "file_history"] {
            calls.push((name, json!({ "path": path })));
        }
        calls.push(("read_file", json!({ "path": path, "anyway": true })));
        calls.push(("list_files", json!({ "glob": path })));
    }
    for name in ["View", "lookup", "resolve", "render", "main", "Store.add", "check", "Price"] {
        for tool in ["callers", "callees", "tests_of"] {
            calls.push((tool, json!({ "symbol": name })));
        }
        calls.push(("references", json!({ "name": name })));
        calls.push(("search", json!({ "query": name, "limit": 20 })));
    }
    calls
}

#[test]
fn as8_every_line_in_evidence_is_that_line_of_the_file() {
    let fixture = Fixture::shop();
    let mut lines = 0;
    for (name, input) in all_calls(&fixture) {
        // An outline of a README is refused, which shows nothing.
        if let Ok(output) = fixture.session().call(name, &input) {
            assert_true(&fixture, &output);
            lines += output.shown.iter().map(|shown| shown.lines.len()).sum::<usize>();
        }
    }
    assert!(lines > 100, "{lines}");
}

#[test]
fn as8_any_range_of_lines_is_shown_as_it_is() {
    let fixture = Fixture::shop();
    let paths = fixture.paths();
    let ranges = (0..paths.len(), 1..40_u32, 0..40_u32);
    let mut runner = TestRunner::default();
    let result = runner.run(&ranges, |(at, first, more)| {
        let mut session = fixture.session();
        let path = &paths[at];
        let lines = fixture.files.read(path).lines().count();
        let last = first + more;
        let input = json!({ "path": path, "first_line": first, "last_line": last, "anyway": true });
        match session.call("read_file", &input) {
            Ok(output) => {
                assert_true(&fixture, &output);
                let shown: usize = output.shown.iter().map(|shown| shown.lines.len()).sum();
                let expected = (more as usize + 1).min(lines + 1 - first as usize);
                prop_assert_eq!(shown, expected);
                prop_assert_eq!(output.new_lines, expected);
            }
            Err(_) => prop_assert!(first as usize > lines),
        }
        Ok(())
    });
    result.unwrap();
}

#[test]
fn as3_lines_are_new_once() {
    let fixture = Fixture::shop();
    let mut session = fixture.session();
    let new_lines = |session: &mut Session<'_>, input: Value| {
        session.call("read_file", &input).unwrap().new_lines
    };
    let part = json!({ "path": "lib/view.js", "first_line": 1, "last_line": 5 });
    assert_eq!(new_lines(&mut session, part.clone()), 5);
    assert_eq!(new_lines(&mut session, part), 0);
    assert_eq!(new_lines(&mut session, json!({ "path": "lib/view.js", "last_line": 7 })), 2);
    let file = session.toolbox.evidence.file("lib/view.js").unwrap();
    assert_eq!(file.lines.len(), 7);
    assert_eq!(file.lines[&2], "export class View {");
}
