//! Answers as models and people write them, and what becomes of them.

use rb_core::RepoPath;
use rb_workspace::answer::{
    AnswerError, Edit, NewFile, Resolved, Rung, Spot, resolve, resolve_edits,
};
use rb_workspace::patch::{Entry, File, MemoryTree, Tree as _, apply};

const RUST: &str = "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    one();\n    three();\n}\n";

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn tree() -> MemoryTree {
    MemoryTree::new([
        (path("src/a.rs"), File::regular(RUST)),
        (path("src/crlf.ts"), File::regular("\u{feff}let x = 1;\r\nlet y = 2;\r\nlet z = 3;")),
        (path("src/empty"), File::regular("")),
        (path("src/logo.png"), File::regular("\u{89}PNG\0")),
        (path("README.md"), File::regular("# Title\n")),
    ])
}

/// The answer must resolve on this rung at this line, and leave `file` with this content.
fn check(answer: &str, rung: Rung, line: usize, file: &str, expected: Option<&str>) {
    check_result(resolve(answer.as_bytes(), &tree()), answer, (rung, line), file, expected);
}

fn check_result(
    result: Result<Resolved, AnswerError>,
    answer: &str,
    placed: (Rung, usize),
    file: &str,
    expected: Option<&str>,
) {
    let mut tree = tree();
    let resolved: Resolved = match result {
        Ok(resolved) => resolved,
        Err(error) => panic!("{error}\n--- answer:\n{answer}"),
    };
    assert_eq!((resolved.rung(), resolved.placed[0].line), placed, "{answer}");
    tree.land(&apply(&resolved.patch, &tree).unwrap());
    let found = tree.entry(&path(file)).unwrap().map(|entry| match entry {
        Entry::File(file) => String::from_utf8(file.bytes).unwrap(),
        other => panic!("{other:?}"),
    });
    assert_eq!(found.as_deref(), expected, "{answer}");
}

/// The answer must be refused in these words.
fn check_refused(answer: &str, words: &str) {
    match resolve(answer.as_bytes(), &tree()) {
        Ok(resolved) => panic!("resolved to {resolved:?}"),
        Err(error) => assert_eq!(error.to_string(), words, "{answer}"),
    }
}

fn block(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

fn replaced(from: &str, to: &str) -> String {
    assert_eq!(RUST.matches(from).count(), 1);
    RUST.replace(from, to)
}

#[test]
fn sa4_an_exact_answer_is_taken_on_the_first_rung() {
    let expected = replaced("three", "3");
    let exact =
        |answer: &str, line: usize| check(answer, Rung::Exact, line, "src/a.rs", Some(&expected));
    exact(&block("src/a.rs", "    three();\n", "    3();\n"), 8);
    exact(
        &block(
            "src/a.rs",
            "fn b() {\n    one();\n    three();\n",
            "fn b() {\n    one();\n    3();\n",
        ),
        6,
    );
    let diff = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -7,3 +7,3 @@\n     one();\n-    three();\n+    3();\n }\n";
    exact(diff, 7);
    exact(&format!("Sure.\n\n```diff\n{diff}```\n\nThat is all."), 7);
    exact(&format!("diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n{diff}"), 7);
    exact(&diff.replace("-7,3 +7,3", "-7,9 +7,1"), 7);
    exact(&diff.replace("@@ -7,3 +7,3 @@", "@@ ... @@"), 7);
    exact(&diff.replace("@@ -7,3 +7,3 @@", "@@"), 7);
    exact(&format!("```diff\n{}\n\n```\n", diff.replace("@@ -7,3 +7,3 @@", "@@ b @@")), 7);
    exact(&diff.replace("@@ -7,3 +7,3 @@\n", ""), 7);
    exact(&diff.replace("a/src", "src").replace("b/src", "src"), 7);
    exact("src/a.rs\n```diff\n@@ ... @@\n-    three();\n+    3();\n```\n", 8);
    exact(
        "```rust\nsrc/a.rs\n<<<<<<< SEARCH\n    three();\n=======\n    3();\n>>>>>>> REPLACE\n```",
        8,
    );
    exact(
        "**`b/src/a.rs`**\n```rust\n<<<<<<<< SEARCH\n    three();\n=====\n    3();\n>>>>>>> REPLACE\n```",
        8,
    );
    exact(&format!("*** Begin File: src/a.rs\n{expected}*** End File\n"), 1);
    exact(&format!("### src/a.rs\n\n```rust\n{expected}```\n"), 1);
    exact(&format!("```rust src/a.rs\n{expected}```\n"), 1);
}

#[test]
fn sa4_line_numbers_decide_between_equal_places() {
    let diff = |line: usize| {
        format!("--- a/src/a.rs\n+++ b/src/a.rs\n@@ -{line} +{line} @@\n-    one();\n+    1();\n")
    };
    let expected = RUST.replacen("one", "1", 1);
    check(&diff(2), Rung::Exact, 2, "src/a.rs", Some(&expected));
    check_refused(
        &diff(3),
        "line 3 of the proposal, `src/a.rs`: the text is found at lines 2, 7; give more lines around it",
    );
}

#[test]
fn sa4_whitespace_is_bridged_on_the_second_rung() {
    let expected = replaced("    three();\n", "    if x {\n        3();\n    }\n");
    let bridged = |answer: &str, line: usize| {
        check(answer, Rung::Whitespace, line, "src/a.rs", Some(&expected));
    };
    bridged(&block("src/a.rs", "three();\n", "if x {\n    3();\n}\n"), 8);
    bridged(&block("src/a.rs", "    three();   \n", "    if x {\n        3();\n    }\n"), 8);
    bridged(
        &block(
            "src/a.rs",
            "        three();\n    }\n",
            "        if x {\n            3();\n        }\n    }\n",
        ),
        8,
    );
    let blank = block("src/a.rs", "\n    three();\n", "\n    if x {\n        3();\n    }\n");
    check(&blank, Rung::BlankLine, 8, "src/a.rs", Some(&expected));
    let windows = block("src/a.rs", "    three();\n", "    if x {\n        3();\n    }\n")
        .replace('\n', "\r\n");
    bridged(&windows, 8);
}

#[test]
fn sa4_only_one_shift_of_the_indentation_is_bridged() {
    check_refused(
        &block("src/a.rs", "fn b() {\n  one();\n", "fn c() {\n  1();\n"),
        "line 2 of the proposal, `src/a.rs`: the text is not found; the nearest place differs first at line 7\n  \
         the file has:  `    one();`\n  the patch has: `  one();`",
    );
}

#[test]
fn sa4_line_ends_byte_order_mark_and_last_newline_stay_the_files_own() {
    let crlf = |answer: &str, expected: &str| {
        check(answer, Rung::Whitespace, 1, "src/crlf.ts", Some(expected));
    };
    crlf(
        &block("src/crlf.ts", "let x = 1;\nlet y = 2;\n", "let w = 0;\nlet x = 1;\nlet y = 4;\n"),
        "\u{feff}let w = 0;\r\nlet x = 1;\r\nlet y = 4;\r\nlet z = 3;",
    );
    crlf(
        &block(
            "src/crlf.ts",
            "let x = 1;\nlet y = 2;\nlet z = 3;\n",
            "let x = 1;\nlet z = 4;\nlet end;\n",
        ),
        "\u{feff}let x = 1;\r\nlet z = 4;\r\nlet end;",
    );
    crlf("```ts src/crlf.ts\nlet a;\nlet b;\n```\n", "\u{feff}let a;\r\nlet b;");
}

#[test]
fn sa4_a_hunk_with_wrong_numbers_is_found_by_its_lines() {
    let expected = replaced("three", "3");
    let diff = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -70,3 +70,3 @@\n     one();\n-    three();\n+    3();\n }\n";
    check(diff, Rung::Context, 7, "src/a.rs", Some(&expected));
    let sloppy = diff.replace("three();\n+", "three();  \n+");
    check(&sloppy, Rung::Context, 7, "src/a.rs", Some(&expected));
}

#[test]
fn sa4_what_would_help_is_said() {
    check_refused(
        &block("src/a.rs", "    one();\n", "    1();\n"),
        "line 2 of the proposal, `src/a.rs`: the text is found at lines 2, 7; give more lines around it",
    );
    check_refused(
        &block(
            "src/a.rs",
            "fn b() {\n    one();\n    four();\n",
            "fn b() {\n    one();\n    three();\n",
        ),
        "line 2 of the proposal, `src/a.rs`: the text is not found; its result is already there, at line 6; \
         the nearest place differs first at line 8\n  the file has:  `    three();`\n  the patch has: `    four();`",
    );
    check_refused(
        &block("a.rs", "    three();\n", "    3();\n"),
        "line 2 of the proposal, `a.rs`: the file does not exist; is `src/a.rs` meant?",
    );
    check_refused(
        &block("src/a.rs", "", "x\n"),
        "line 2 of the proposal, `src/a.rs`: the edit names no line to find; give some lines around it",
    );
    check_refused(
        &(block("src/a.rs", "    two();\n}\n", "}\n")
            + &block("src/a.rs", "    two();\n", "    2();\n")),
        "line 9 of the proposal, `src/a.rs`: the edit overlaps another one at line 3",
    );
    check_refused(
        &block("src/a.rs", "    three();\n", "    // ... existing code ...\n"),
        "line 2 of the proposal, `src/a.rs`: the edit leaves out code: `// ... existing code ...`",
    );
    check_refused(
        &block("src/logo.png", "x\n", "y\n"),
        "line 2 of the proposal, `src/logo.png`: the file holds binary content",
    );
    check_refused(
        &block("src", "x\n", "y\n"),
        "line 2 of the proposal: no file is named for this edit",
    );
}

#[test]
fn sa4_all_refusals_of_an_answer_come_together() {
    let answer = block("src/a.rs", "gone\n", "x\n")
        + &block("src/a.rs", "three();\n", "3();\n")
        + &block("src/no.rs", "x\n", "y\n");
    match resolve(answer.as_bytes(), &tree()).unwrap_err() {
        AnswerError::Refused(refused) => {
            let spots: Vec<Spot> = refused.iter().map(|refused| refused.at).collect();
            assert_eq!(spots, [Spot::Line(2), Spot::Line(14)]);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn sa4_files_appear_go_and_move_only_when_that_is_meant() {
    let create = "--- /dev/null\n+++ b/lib/deep/new.rs\n@@ -0,0 +1 @@\n+x\n";
    check(create, Rung::Exact, 1, "lib/deep/new.rs", Some("x\n"));
    check("src/new.rs\n```rust\nx\n```\n", Rung::Exact, 1, "src/new.rs", Some("x\n"));
    check(&block("src/new.rs", "", "x\n"), Rung::Exact, 1, "src/new.rs", Some("x\n"));
    check(&block("src/empty", "", "x\n"), Rung::Exact, 1, "src/empty", Some("x\n"));
    let delete = "--- a/README.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# Title\n";
    check(delete, Rung::Exact, 1, "README.md", None);
    let rename = "diff --git a/README.md b/docs/x.md\nrename from README.md\nrename to docs/x.md\n";
    check(rename, Rung::Exact, 1, "docs/x.md", Some("# Title\n"));
    let logo = rename.replace("README.md", "src/logo.png").replace("docs/x.md", "src/icon.png");
    check(&logo, Rung::Exact, 1, "src/logo.png", None);
    let edited =
        format!("{rename}--- a/README.md\n+++ b/docs/x.md\n@@ -1 +1 @@\n-# Title\n+# New\n");
    check(&edited, Rung::Exact, 1, "docs/x.md", Some("# New\n"));

    let implausible = "a new file is not expected there";
    for stray in ["path/to/x.rs", "lib/x.rs"] {
        let refused = format!("line 2 of the proposal, `{stray}`: {implausible}");
        check_refused(&format!("{stray}\n```\nx\n```\n"), &refused);
    }
    check_refused(
        "a.rs\n```\nx\n```\n",
        &format!("line 2 of the proposal, `a.rs`: {implausible}; is `src/a.rs` meant?"),
    );
    check_refused("python\n```\nx\n```\n", &AnswerError::NoEdit.to_string());
    check_refused("module.exports = {}\n```\n\n```js\nx\n```\n", &AnswerError::NoEdit.to_string());
    check_refused(
        &(create.replace("lib/deep/new.rs", "lib") + create),
        "`lib/deep/new.rs` cannot exist because `lib` is a file",
    );
    check_refused(
        &create.replace("lib/deep/new.rs", "src/a.rs"),
        "line 1 of the proposal, `src/a.rs`: the file exists already",
    );
    check_refused(
        &delete.replace("README.md", "src/a.rs").replace("# Title", "fn a() {"),
        "line 1 of the proposal, `src/a.rs`: the deletion does not show the whole file",
    );
}

#[test]
fn sa4_an_answer_without_effect_is_told_apart() {
    let noop = |answer: &str| {
        assert!(matches!(resolve(answer.as_bytes(), &tree()), Err(AnswerError::Noop)), "{answer}");
    };
    noop(&block("src/a.rs", "    three();\n", "    three();\n"));
    noop("README.md\n```\n# Title\n```\n");
    let none = |answer: &str| {
        assert!(
            matches!(resolve(answer.as_bytes(), &tree()), Err(AnswerError::NoEdit)),
            "{answer}"
        );
    };
    none("");
    none("I would rather not.\n");
    none("Run this:\n```bash\nnpm test\n```\n");
}

#[test]
fn sa4_broken_answers_are_refused_with_their_line() {
    check_refused(
        "src/a.rs\n<<<<<<< SEARCH\nx\n",
        "line 2 of the proposal: the block does not end: expected `=======`",
    );
    check_refused(
        "src/a.rs\n<<<<<<< SEARCH\nx\n=======\ny\n",
        "line 2 of the proposal: the block does not end: expected `>>>>>>> REPLACE`",
    );
    check_refused(
        "<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n",
        "line 1 of the proposal: no file is named for this edit",
    );
    check_refused(
        "README.md\n```\n# Title\n",
        "line 2 of the proposal: the block does not end: expected the closing fence",
    );
    check_refused(
        "README.md\n```\n# T\n```js\nx\n```\n```\n",
        "line 4 of the proposal: a fence stands inside a fenced file; use `*** Begin File: PATH` and `*** End File` instead",
    );
    check_refused(
        "*** Begin File: ../x\ny\n*** End File\n",
        "line 1 of the proposal: `../x` leads outside the repository or is not in its plain form",
    );
    check_refused(
        &(block("src/a.rs", "    three();\n", "    3();\n") + "README.md\n```\n# New\n```\n"),
        "line 8 of the proposal: a file in full and edits do not go together in one answer; use one form",
    );
    let empty = "line 1 of the proposal: the entry has no hunk and changes nothing";
    check_refused("--- /dev/null\n+++ b/src/x\nfn x() {}\n", empty);
    check_refused("--- a/src/a.rs\n+++ b/src/a.rs\n", empty);
    check_refused("diff --git a/src/a.rs b/src/a.rs\nindex 1..2\n", empty);
    check_refused(
        "diff --git a/x b/x\nGIT binary patch\n",
        "line 2 of the proposal: binary changes, links, submodules and copies are not supported",
    );
    check_refused(
        "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
        "line 1 of the proposal: the two names of the file differ: `x` and `y`",
    );
}

/// Journals and ledgers hold these names; those of older ones are still read.
#[test]
fn sa4_rf5_the_rung_has_a_stable_name_and_says_which_slip_it_was() {
    let check = |rung: Rung, name: &str, words: &str| {
        assert_eq!(serde_json::to_string(&rung).unwrap(), format!("\"{name}\""));
        assert_eq!(serde_json::from_str::<Rung>(&format!("\"{name}\"")).unwrap(), rung);
        assert_eq!(rung.words(), words);
    };
    check(Rung::Exact, "exact", "exactly");
    check(Rung::Whitespace, "whitespace", "except for whitespace");
    check(Rung::Indentation, "indentation", "although the indentation of context lines differs");
    check(Rung::BlankLine, "blank_line", "although a blank context line is missing or extra");
    check(Rung::ContextMark, "context_mark", "although a context line lacks its leading space");
    check(Rung::Context, "context", "at other lines than stated");
}

/// A hunk of `src/a.rs` that names no lines.
fn hunk(lines: &str) -> String {
    format!("--- a/src/a.rs\n+++ b/src/a.rs\n@@ ... @@\n{lines}")
}

#[test]
fn rf5_a_blank_line_of_context_may_be_missing_or_too_many() {
    let bridged = |lines: &str, line: usize, expected: &str| {
        check(&hunk(lines), Rung::BlankLine, line, "src/a.rs", Some(expected));
    };
    let second = replaced("one();\n    three", "1();\n    three");
    bridged(" }\n fn b() {\n-    one();\n+    1();\n     three();\n", 4, &second);
    bridged(" fn b() {\n \n-    one();\n+    1();\n     three();\n", 6, &second);
    bridged(" fn b() {\n-    one();\n+    1();\n     three();\n \n }\n", 6, &second);
    bridged("-}\n+} // a\n fn b() {\n", 4, &replaced("}\n\n", "} // a\n\n"));
    let moved = hunk(" }\n fn b() {\n-    one();\n+    1();\n").replace("...", "-40,3 +40,3");
    check(&moved, Rung::Context, 4, "src/a.rs", Some(&second));
    // What is added could come before the blank line or after it; one that is left out could be meant to go.
    check_refused(
        &hunk(" }\n+// between\n fn b() {\n"),
        "line 3 of the proposal, `src/a.rs`: the text is not found; the nearest place differs first at line 5\n  \
         the file has:  (a blank line)\n  the patch has: `fn b() {`",
    );
    check_refused(
        &hunk("     two();\n-}\n-fn b() {\n+} // x\n"),
        "line 3 of the proposal, `src/a.rs`: the text is not found; the nearest place differs first at line 5\n  \
         the file has:  (a blank line)\n  the patch has: `fn b() {`",
    );
}

#[test]
fn rf5_the_indentation_of_context_may_be_off() {
    let expected = replaced("three", "3");
    let lines = " fn b() {\n   one();\n-    three();\n+    3();\n";
    check(&hunk(lines), Rung::Indentation, 6, "src/a.rs", Some(&expected));
    let inserted = replaced("    three", "    0();\n    three");
    let lines = "   fn b() {\n     one();\n+    0();\n     three();\n";
    check(&hunk(lines), Rung::Indentation, 6, "src/a.rs", Some(&inserted));
    // The lines around what is added do not agree how deep it belongs.
    check_refused(
        &hunk(" fn b() {\n+    0();\n   one();\n"),
        "line 3 of the proposal, `src/a.rs`: the text is not found; the nearest place differs first at line 7\n  \
         the file has:  `    one();`\n  the patch has: `  one();`",
    );
}

#[test]
fn rf5_context_may_have_lost_its_space() {
    let expected = replaced("three", "3");
    let bridged = |answer: &str| {
        check(answer, Rung::ContextMark, 6, "src/a.rs", Some(&expected));
    };
    let lines = "fn b() {\n     one();\n-    three();\n+    3();\n}\n";
    bridged(&hunk(lines));
    bridged(&format!("```diff\n{}```\n", hunk(lines)));
    let two = hunk("-    two();\n+    2();\n}\n@@ ... @@\n-    three();\n+    3();\n");
    check(&two, Rung::ContextMark, 3, "src/a.rs", Some(&expected.replace("two", "2")));
    // Prose behind a patch is none of it, but no line that adds something is taken for prose.
    let prose = hunk("     one();\n-    three();\n+    3();\n }\n\nNotes:\n- three is 3 now\n");
    check(&prose, Rung::Exact, 7, "src/a.rs", Some(&expected));
    check_refused(
        &hunk("-    three();\n+    3();\nfour();\n+    5();\n"),
        "line 3 of the proposal, `src/a.rs`: the text is not found; the nearest place differs first at line 9\n  \
         the file has:  `}`\n  the patch has: `four();`",
    );
}

fn edit<'a>(path: &'a str, search: &'a str, replace: &'a str) -> Edit<'a> {
    Edit { path, search, replace }
}

/// The edits must resolve on this rung, the first at this line, and leave `file` with this content.
fn check_edits(edits: &[Edit<'_>], rung: Rung, line: usize, file: &str, expected: &str) {
    let result = resolve_edits(edits, &[], &tree());
    check_result(result, &format!("{edits:?}"), (rung, line), file, Some(expected));
}

fn check_edits_refused(edits: &[Edit<'_>], new_files: &[NewFile<'_>], words: &str) {
    match resolve_edits(edits, new_files, &tree()) {
        Ok(resolved) => panic!("resolved to {resolved:?}"),
        Err(error) => assert_eq!(error.to_string(), words, "{edits:?} {new_files:?}"),
    }
}

#[test]
fn rf5_edits_are_placed_like_hunks() {
    let three = replaced("three", "3");
    let a = |search, replace, rung, line, expected: &str| {
        check_edits(&[edit("src/a.rs", search, replace)], rung, line, "src/a.rs", expected);
    };
    a("    three();\n", "    3();\n", Rung::Exact, 8, &three);
    a("    three();", "    3();", Rung::Exact, 8, &three);
    a(
        "fn b() {\n    one();\n    three();",
        "fn b() {\n    one();\n    3();",
        Rung::Exact,
        6,
        &three,
    );
    let branch = replaced("    three();\n", "    if x {\n        3();\n    }\n");
    a("three();", "if x {\n    3();\n}", Rung::Whitespace, 8, &branch);
    a("three();\n}", "3();\n}", Rung::Indentation, 8, &three);
    a("}\nfn b() {", "}\nfn c() {", Rung::BlankLine, 4, &replaced("fn b", "fn c"));
    a("    three();\n", "", Rung::Exact, 8, &replaced("    three();\n", ""));
    // A part of a line.
    a("three()", "3()", Rung::Exact, 8, &three);
    a(
        "b() {\n    one",
        "b() {\n    1",
        Rung::Exact,
        6,
        &replaced("b() {\n    one", "b() {\n    1"),
    );
    check_edits(
        &[
            edit("src/a.rs", "    three();", "    3();"),
            edit("./src/a.rs", "    two();", "    2();"),
        ],
        Rung::Exact,
        8,
        "src/a.rs",
        &three.replace("two", "2"),
    );
    check_edits(
        &[edit("src/crlf.ts", "let y = 2;", "let y = 4;\nlet w = 0;")],
        Rung::Whitespace,
        2,
        "src/crlf.ts",
        "\u{feff}let x = 1;\r\nlet y = 4;\r\nlet w = 0;\r\nlet z = 3;",
    );
    check_edits(
        &[edit("src/crlf.ts", "y = 2;", "y = 4;\nlet w = 0;")],
        Rung::Exact,
        2,
        "src/crlf.ts",
        "\u{feff}let x = 1;\r\nlet y = 4;\r\nlet w = 0;\r\nlet z = 3;",
    );
}

#[test]
fn rf5_small_files_may_be_given_whole() {
    let whole = |path, content, file: &str, expected: &str| {
        let result = resolve_edits(&[], &[NewFile { path, content }], &tree());
        check_result(result, path, (Rung::Exact, 1), file, Some(expected));
    };
    whole("lib/deep/new.rs", "x\ny", "lib/deep/new.rs", "x\ny\n");
    whole("README.md", "# New\n", "README.md", "# New\n");
    let long = MemoryTree::new([(path("long.rs"), File::regular("x\n".repeat(151)))]);
    let new_file = NewFile { path: "long.rs", content: "y\n" };
    let refused = resolve_edits(&[], &[new_file], &long).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "new file 1, `long.rs`: the file exists and has 151 lines; only files of up to 150 lines can be given \
         whole, so give edits"
    );
}

#[test]
fn rf5_edits_without_a_certain_place_are_refused_with_what_would_help() {
    let a = |search, replace, words: &str| {
        check_edits_refused(&[edit("src/a.rs", search, replace)], &[], words);
    };
    let twice = "edit 1, `src/a.rs`: the text is found at lines 2, 7; give more lines around it";
    a("    one();", "    1();", twice);
    a("one()", "1()", twice);
    a("hree()", "3()", "edit 1, `src/a.rs`: the text is not found");
    a(
        "fn b() {\n    one();\n    four();",
        "",
        "edit 1, `src/a.rs`: the text is not found; the nearest place differs first at line 8\n  \
         the file has:  `    three();`\n  the patch has: `    four();`",
    );
    a(
        "    three();\n}\nfn c() {",
        "",
        "edit 1, `src/a.rs`: the text is not found; the nearest place differs first at line 10\n  \
         the file has:  (the end of the file)\n  the patch has: `fn c() {`",
    );
    a("", "x", "edit 1, `src/a.rs`: the edit names no line to find; give some lines around it");
    a(
        "    three();",
        "    // ... existing code ...",
        "edit 1, `src/a.rs`: the edit leaves out code: `// ... existing code ...`",
    );
    check_edits_refused(
        &[edit("src/a.rs", "    two();\n}", "}"), edit("src/a.rs", "    two();", "    2();")],
        &[],
        "edit 2, `src/a.rs`: the edit overlaps another one at line 3",
    );
    check_edits_refused(
        &[edit("src/a.rs", "    two();", "    2();")],
        &[NewFile { path: "src/a.rs", content: "x\n" }],
        "new file 1, `src/a.rs`: another edit of the answer already decides about this file",
    );
    check_edits_refused(
        &[edit("a.rs", "x", "y")],
        &[],
        "edit 1, `a.rs`: the file does not exist; is `src/a.rs` meant?",
    );
    check_edits_refused(
        &[edit("src/logo.png", "x", "y")],
        &[],
        "edit 1, `src/logo.png`: the file holds binary content",
    );
    check_edits_refused(
        &[edit("../x", "x", "y")],
        &[],
        "edit 1: `../x` leads outside the repository or is not in its plain form",
    );
    check_edits_refused(&[], &[], &AnswerError::NoEdit.to_string());
}
