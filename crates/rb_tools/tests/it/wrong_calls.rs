//! Calls that are wrong, and what a model is told about them.

use expect_test::{Expect, expect};
use rb_tools::ToolError;
use serde_json::{Value, json};

use crate::support::Fixture;

#[track_caller]
fn check(calls: &[(&str, Value)], expected: &Expect) {
    let fixture = Fixture::shop();
    let mut session = fixture.session();
    let mut all = String::new();
    for (name, input) in calls {
        all.push_str(&session.error(name, input));
        all.push('\n');
    }
    expected.assert_eq(&all);
}

#[test]
fn as2_unknown_tools_and_arguments_are_answered_with_the_known_ones() {
    check(
        &[
            ("readfile", json!({})),
            ("write_file", json!({})),
            ("shell", json!({})),
            ("read_file", json!({})),
            ("read_file", json!({ "file": "lib/app.js" })),
            ("read_file", json!("lib/app.js")),
            ("read_file", json!({ "path": "lib/app.js", "first_line": "one" })),
            ("overview", json!({ "path": "lib" })),
            ("search", json!({ "query": " " })),
            ("search", json!({ "query": "x", "path": "a[b" })),
            ("list_files", json!({ "glob": "a[b" })),
            ("list_files", json!({ "sort": "size" })),
            ("tests_of", json!({})),
        ],
        &expect![[r#"
            There is no tool `readfile`. Did you mean `read_file`?
            There is no tool `write_file`. The tools are overview, list_files, search, read_file, outline, references, callers, callees, imports, importers, tests_of, file_history.
            There is no tool `shell`. The tools are overview, list_files, search, read_file, outline, references, callers, callees, imports, importers, tests_of, file_history.
            `read_file` needs the argument `path`: The path of the file, relative to the root of the repository.
            `read_file` has no argument `file`. It takes `anyway`, `first_line`, `last_line`, `path`.
            The input of `read_file` must be an object, but is "lib/app.js".
            `first_line` must be a whole number of at least 1, but is "one".
            `overview` takes no arguments, so leave out `path`.
            `search` needs the argument `query`: What to look for: a description in plain words, or a name from the code.
            `a[b` is no valid glob: unclosed character class; missing ']'.
            `a[b` is no valid glob: unclosed character class; missing ']'.
            `sort` must be "importance" or "path", but is "size".
            `tests_of` needs `symbol` (a name from the code), `path` (a source file) or both.
        "#]],
    );
}

#[test]
fn as2_wrong_paths_are_answered_with_the_likely_ones() {
    check(
        &[
            ("read_file", json!({ "path": "lib/veiw.js" })),
            ("read_file", json!({ "path": "src/view.js" })),
            ("read_file", json!({ "path": "main.rs" })),
            ("read_file", json!({ "path": "lib/ask.js" })),
            ("read_file", json!({ "path": "lib" })),
            ("read_file", json!({ "path": "lib/" })),
            ("read_file", json!({ "path": "something/else/entirely.xyz" })),
            ("list_files", json!({ "folder": "libs" })),
            ("list_files", json!({ "folder": "lib/app.js" })),
            ("list_files", json!({ "folder": "lib", "glob": "*.rs" })),
            ("read_file", json!({ "path": "lib/app.js", "first_line": 400 })),
            ("read_file", json!({ "path": "lib/app.js", "first_line": 5, "last_line": 2 })),
            ("outline", json!({ "path": "package.json" })),
        ],
        &expect![[r#"
            There is no file `lib/veiw.js`. Did you mean `lib/view.js`?
            There is no file `src/view.js`. Did you mean `lib/view.js`?
            There is no file `main.rs`. Did you mean `server/main.go`?
            There is no file `lib/ask.js`. Find it with `list_files` or `search`.
            `lib` is a folder with 4 files. List them with `list_files` and {"folder": "lib"}.
            `lib` is a folder with 4 files. List them with `list_files` and {"folder": "lib"}.
            There is no file `something/else/entirely.xyz`. Find it with `list_files` or `search`.
            There is no folder `libs`. Did you mean `lib`?
            `lib/app.js` is a file. Read it with `read_file`.
            No file in lib matches `*.rs`. List the folder without `glob`, or use `search`.
            `lib/app.js` has 14 lines; there is no line 400.
            `last_line` (2) is before `first_line` (5).
            `package.json` is JSON and has no outline. Read it with `read_file`.
        "#]],
    );
}

#[test]
fn as2_wrong_names_are_answered_with_the_likely_ones() {
    check(
        &[
            ("callers", json!({ "symbol": "lokup" })),
            ("callers", json!({ "symbol": "zzzzzz" })),
            ("callers", json!({ "symbol": "find the template" })),
            ("callees", json!({ "symbol": "render", "path": "lib/view.js" })),
            ("callees", json!({ "symbol": "render", "path": "lib/none.js" })),
            ("tests_of", json!({ "symbol": "pric" })),
            ("references", json!({ "name": "..." })),
        ],
        &expect![[r#"
            Nothing named `lokup` is declared in the repository. Did you mean `lookup`?
            Nothing named `zzzzzz` is declared in the repository. Try `references` for uses of the name, or `search` with a description.
            `find the template` is not a name. Write one name from the code, such as `parse` or `Store.get`.
            Nothing named `render` is declared in `lib/view.js`. Try `references` for uses of the name, or `search` with a description.
            There is no file `lib/none.js`. Find it with `list_files` or `search`.
            Nothing named `pric` is declared in the repository. Did you mean `Price` or `TestPrice`?
            `...` is not a name. Write one name from the code, such as `parse` or `Store.get`.
        "#]],
    );
}

#[test]
fn as2_several_files_of_one_name_are_listed() {
    let fixture =
        Fixture::new("//- a/index.js\nlet a;\n//- b/index.js\nlet b;\n//- c.js\nlet c;\n");
    let mut session = fixture.session();
    let error = session.error("read_file", &json!({ "path": "index.js" }));
    assert_eq!(error, "`index.js` could be several files: `a/index.js`, `b/index.js`. Name one.");
    let root = fixture.files.root().display().to_string();
    for path in ["c.js", "./c.js", "`c.js`", &format!("{root}/c.js")] {
        let output = session.call("read_file", &json!({ "path": path })).unwrap();
        assert_eq!(output.files, ["c.js"], "{path}");
    }
}

#[test]
fn as10_a_repository_without_files_has_none_to_list() {
    let fixture = Fixture::new("");
    let error = fixture.session().error("list_files", &json!({}));
    assert_eq!(error, "There are no files in the repository.");
}

#[test]
fn as3_a_cancelled_call_is_interrupted() {
    let fixture = Fixture::shop();
    fixture.cancel().cancel();
    for (name, input) in
        [("references", json!({ "name": "View" })), ("callers", json!({ "symbol": "View" }))]
    {
        let error = fixture.session().call(name, &input).unwrap_err();
        assert!(matches!(error, ToolError::Interrupted), "{name}: {error}");
    }
}
