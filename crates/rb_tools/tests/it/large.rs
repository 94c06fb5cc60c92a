//! A large repository: results stay small and say what they leave out.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::Fixture;

const FILES: usize = 300;

/// One file that all others import, call and test.
fn large() -> Fixture {
    let mut all = String::from("//- src/core.js\n");
    for number in 0..2000 {
        let _ = writeln!(all, "export function core{number}() {{ return {number}; }}");
    }
    for number in 0..FILES {
        let long = "x".repeat(1000);
        let _ = writeln!(
            all,
            "//- src/part{number}.js\nimport {{ core1 }} from './core.js';\n\
             export function part{number}() {{\n  return core1('{long}');\n}}\n\
             //- test/part{number}.test.js\nimport {{ core1 }} from '../src/core.js';\n\
             test('part', () => core1());"
        );
    }
    all.push_str("//- src/all.js\n");
    for number in 0..FILES {
        let _ = writeln!(all, "import {{ part{number} }} from './part{number}.js';");
    }
    all.push_str("export function all() {\n");
    for number in 0..FILES {
        let _ = writeln!(all, "  part{number}();");
    }
    all.push_str("}\n");
    Fixture::new(&all)
}

#[test]
fn as9_every_result_is_bounded_and_says_what_is_left_out() {
    let fixture = large();
    let mut session = fixture.session();
    let mut check = |name: &str, input: Value, most: usize| {
        let output = session.call(name, &input).unwrap();
        let chars = output.text.chars().count();
        assert!(chars <= most, "{name} {input}: {chars}");
        assert!(output.text.contains("left out"), "{name} {input}: {}", output.text);
    };
    check("list_files", json!({}), 12_000);
    check("list_files", json!({ "limit": 200 }), 12_000);
    check("search", json!({ "query": "core1", "limit": 30 }), 12_000);
    check("read_file", json!({ "path": "src/core.js" }), 16_000);
    check("read_file", json!({ "path": "src/all.js", "first_line": 20 }), 16_000);
    check("outline", json!({ "path": "src/core.js" }), 12_000);
    check("references", json!({ "name": "core1" }), 12_000);
    check("callers", json!({ "symbol": "core1" }), 12_000);
    check("callees", json!({ "symbol": "all" }), 12_000);
    check("imports", json!({ "path": "src/all.js" }), 12_000);
    check("importers", json!({ "path": "src/core.js" }), 12_000);
    check("tests_of", json!({ "path": "src/core.js" }), 12_000);
    check("tests_of", json!({ "symbol": "core1" }), 12_000);
    check("overview", json!({}), 12_000);
}

#[test]
fn as9_an_outline_loses_docs_before_it_loses_symbols() {
    let mut all = String::from("//- src/core.js\n");
    for number in 0..150 {
        let _ = writeln!(
            all,
            "/** {} */\nexport function core{number}(first, second) {{}}",
            "Says at length and in many words what it does ".repeat(4)
        );
    }
    let fixture = Fixture::new(&all);
    let outline = |input: Value| fixture.session().call("outline", &input).unwrap().text;
    let text = outline(json!({ "path": "src/core.js" }));
    assert!(text.contains("function core0(") && text.contains("function core149("), "{text}");
    assert!(text.contains("(Shortened.") && !text.contains("at length"), "{text}");
    let part = outline(json!({ "path": "src/core.js", "first_line": 290 }));
    assert!(part.contains("at length") && part.contains("function core149("), "{part}");
    assert!(!part.contains("core0("), "{part}");
}

#[test]
fn as9_an_overview_counts_what_its_lists_leave_out() {
    let mut all = String::new();
    for ending in ["dart", "hs", "ml", "nix", "pl", "r", "sql", "tf", "zig"] {
        let _ = writeln!(all, "//- a.{ending}\nx");
    }
    for number in 0..60 {
        let _ = writeln!(
            all,
            "//- src/part{number}.js\nimport p from 'package{number:02}';\np();\n\
             //- src/broken{number:02}.js\nexport function broken( {{\n\
             //- scripts/run{number}.js\n#!/usr/bin/env node\nrun();"
        );
    }
    let overview = Fixture::new(&all).session().call("overview", &json!({})).unwrap();
    for expected in [
        "(1 file, 1 line), and 2 more\n",
        "  (at least 20 entry points left out)\n",
        "  (169 other files left out. `list_files` lists all.)\n",
        "`package11` and 48 more\n",
        "`src/broken02.js` and 57 more\n",
    ] {
        assert!(overview.text.contains(expected), "{expected}{}", overview.text);
    }
}

#[test]
fn as9_callees_say_how_many_files_were_not_looked_at() {
    let (mut imports, mut calls, mut all) = (String::new(), String::new(), String::new());
    for number in 0..410 {
        let _ = writeln!(imports, "import {{ part{number} }} from './part{number}.js';");
        let _ = writeln!(calls, "  part{number}();");
        let _ = writeln!(all, "//- src/part{number}.js\nexport function part{number}() {{}}");
    }
    let _ = writeln!(all, "//- src/all.js\n{imports}export function all() {{\n{calls}}}");
    let fixture = Fixture::new(&all);
    let callees = fixture.session().call("callees", &json!({ "symbol": "all" })).unwrap();
    let expected = "(Not looked at: 10 more files that it uses, directly or by way of others.)\n";
    assert!(callees.text.contains(expected), "{}", callees.text);
}

#[test]
fn as9_tests_of_a_name_say_which_declarations_are_not_followed() {
    let mut all = String::new();
    for number in 0..8 {
        let _ = writeln!(all, "//- src/part{number}.js\nexport function parse() {{}}");
    }
    let fixture = Fixture::new(&all);
    let tests = fixture.session().call("tests_of", &json!({ "symbol": "parse" })).unwrap();
    let expected = "(2 more declarations of that name not followed. Choose one with `path`.)\n";
    assert!(tests.text.contains(expected), "{}", tests.text);
}

#[test]
fn as9_files_that_do_not_hold_a_name_are_not_left_out() {
    let mut all = String::from("//- src/core.js\nexport const LIMIT = 1;\n");
    for number in 0..2_030 {
        let _ = writeln!(all, "//- src/part{number}.js\nimport './core.js';");
    }
    let fixture = Fixture::new(&all);
    let references = fixture.session().call("references", &json!({ "name": "LIMIT" })).unwrap();
    assert_eq!(
        references.text,
        "Declared: constant `LIMIT` in src/core.js:1\n\
         src/core.js (declares it)\n    1 | export const LIMIT = 1;\n\
         (Not searched: 30 less important files.)\n\
         (Lines that hold `LIMIT` as a word, comments and strings among them.)\n"
    );
}

#[test]
fn as2_of_many_folders_those_that_are_not_named_are_counted() {
    let mut all = String::new();
    for number in 0..25 {
        let _ = writeln!(all, "//- part{number:02}/a.js\nlet a;\n//- part{number:02}/b.md\nText");
    }
    let fixture = Fixture::new(&all);
    let input = json!({ "glob": "*.js", "limit": 1 });
    let list = fixture.session().call("list_files", &input).unwrap();
    assert!(list.text.contains("number of these files: part00 (1), part01 (1),"), "{}", list.text);
    assert!(list.text.ends_with("part19 (1), and 5 more\n"), "{}", list.text);
}

#[test]
fn as10_smart001_5_an_overview_scores_the_twenty_most_important_files() {
    let fixture = large();
    let overview = fixture.session().call("overview", &json!({})).unwrap();
    assert_eq!(overview.text.matches("(centrality ").count(), 20, "{}", overview.text);
}

#[test]
fn as5_a_large_file_is_read_on_from_where_the_last_call_ended() {
    let fixture = large();
    let mut session = fixture.session();
    let mut next = 1;
    for _ in 0..100 {
        let input = json!({ "path": "src/core.js", "first_line": next });
        let output = session.call("read_file", &input).unwrap();
        let shown = &output.shown[0];
        assert_eq!(shown.first, next);
        next += u32::try_from(shown.lines.len()).unwrap();
        let goes_on = format!("\"first_line\": {next}}}");
        if !output.text.contains(&goes_on) {
            break;
        }
    }
    assert_eq!(next, 2001);
    assert_eq!(session.toolbox.evidence.file("src/core.js").unwrap().lines.len(), 2000);
}
