//! Tasks that get in each other's way.

use expect_test::{Expect, expect};
use rb_audit::Overlaps;
use rb_core::RepoPath;
use rb_core::patch::{Change, FilePatch, Hunk, Line, LineKind, Patch};

use crate::support::shown;

/// One hunk of one file: `@START`, then lines with ` `, `-` or `+` before them.
fn task(name: &str, path: &str, hunks: &str) -> (String, Patch) {
    let mut list: Vec<Hunk> = Vec::new();
    let mut shift = 0_isize;
    for line in hunks.trim().lines() {
        if let Some(start) = line.strip_prefix('@') {
            let old_start: usize = start.parse().expect("a number");
            let new_start = old_start.checked_add_signed(shift).expect("a line");
            list.push(Hunk { old_start, new_start, section: Vec::new(), lines: Vec::new() });
            continue;
        }
        let (mark, text) = line.split_at(1);
        let kind = match mark {
            "+" => LineKind::Add,
            "-" => LineKind::Remove,
            _ => LineKind::Context,
        };
        match kind {
            LineKind::Add => shift += 1,
            LineKind::Remove => shift -= 1,
            LineKind::Context => {}
        }
        let text = format!("{text}\n").into_bytes();
        list.last_mut().expect("a hunk begins with `@`").lines.push(Line { kind, text });
    }
    let path = RepoPath::new(path.as_bytes()).expect("a path");
    let file = FilePatch { change: Change::Modify { path, mode: None }, hunks: list };
    (name.to_owned(), Patch { files: vec![file] })
}

#[track_caller]
fn check(tasks: &[(String, Patch)], expected: &Expect) {
    let mut overlaps = Overlaps::default();
    let mut findings = Vec::new();
    for (name, patch) in tasks {
        let trial = overlaps.of(name, patch);
        assert_eq!(trial, overlaps.take(name, patch), "a trial says what taking it in says");
        findings.extend(trial);
    }
    findings.sort();
    expected.assert_eq(&shown(&findings));
}

#[test]
fn ve6_the_same_line_is_edited_by_two_tasks() {
    let first = task("one", "a.js", "@3\n-const limit = 1;\n+const limit = 2;\n");
    // Two lines go in above, so that the line stands at 5.
    let between = task("two", "a.js", "@1\n+import a from 'a';\n+import b from 'b';\n");
    let last = task("three", "a.js", "@5\n-const limit = 2;\n+const limit = 3;\n");
    check(
        &[first.clone(), between.clone(), last],
        &expect![[r#"
        Warning edited_twice a.js:5 `three` changes a line that `one` wrote: const limit = 2; <- a.js:5
    "#]],
    );
    let beside = task("three", "a.js", "@6\n-const other = 2;\n+const other = 3;\n");
    check(&[first, between, beside], &expect![[r#""#]]);
}

#[test]
fn ve6_a_later_task_undoes_an_earlier_one() {
    let adds = task("adds", "a.js", "@1\n+import { merge } from './merge';\n");
    let removes = task("removes", "a.js", "@1\n-import { merge } from './merge';\n");
    check(
        &[adds.clone(), removes.clone()],
        &expect![[r#"
        Warning contradictory_edit a.js:1 `removes` removes a line that `adds` wrote: import { merge } from './merge'; <- a.js:1
    "#]],
    );
    check(
        &[removes, adds],
        &expect![[r#"
        Warning contradictory_edit a.js:1 `adds` restores a line that `removes` removed: import { merge } from './merge'; <- a.js:1
    "#]],
    );
    // A line that a task moves is neither added nor removed by it.
    let moves = task(
        "moves",
        "a.js",
        "@1\n-import { merge } from './merge';\n@5\n+import { merge } from './merge';\n",
    );
    let again = task(
        "again",
        "a.js",
        "@4\n-import { merge } from './merge';\n@9\n+import { merge } from './merge';\n",
    );
    check(&[moves, again], &expect![[r#""#]]);
}

#[test]
fn ve6_what_is_to_be_said_once_is_said_twice() {
    let one = task("one", "a.js", "@1\n+// What tags are.\n");
    let two = task("two", "a.js", "@1\n+// What tags are.\n");
    check(
        &[one.clone(), two],
        &expect![[r#"
            Warning edited_twice a.js:1 `two` adds a line that `one` already added: // What tags are. <- a.js:1
        "#]],
    );
    // Further down it is another thing.
    let far = task("two", "a.js", "@9\n+// What tags are.\n");
    check(&[one, far], &expect![[r#""#]]);
}
