//! What cannot be meant is refused with what to do next, and leaves no run behind.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::sync_files::{DIRECTIVE, SyncFiles};

fn check(args: &[&str], expected: &Expect) {
    let case = SyncFiles::five();
    let root = case.root();
    let args = args.iter().map(|&word| if word == "REPO" { root.as_str() } else { word });
    let ran = case.cli.run(args);
    expected.assert_eq(&case.cli.shown(&ran));
    assert_eq!(case.runs(), Vec::<Value>::new());
    case.assert_untouched();
}

#[test]
fn rf1_an_unknown_folder() {
    check(
        &["run", "--repo", "/no/such/folder", "--directive", DIRECTIVE],
        &expect![[r#"
        exit 2
        --- stderr
        error: /no/such/folder does not exist
        hint: name the folder of a repository
    "#]],
    );
}

#[test]
fn rf1_an_empty_directive_is_not_the_whole_repository() {
    check(
        &["run", "REPO", "--directive", " "],
        &expect![[r#"
            exit 2
            --- stderr
            error: the directive is empty
            hint: say what to change, or omit --directive to scan the whole repository
        "#]],
    );
    check(
        &["plan", "REPO", "--directive", ""],
        &expect![[r#"
            exit 2
            --- stderr
            error: the directive is empty
            hint: say what to change, or omit --directive to scan the whole repository
        "#]],
    );
}

#[test]
fn rf1_a_patch_and_a_directive() {
    check(
        &["run", "REPO", "--patch", "a.patch", "--directive", DIRECTIVE],
        &expect![[r#"
        exit 2
        --- stderr
        error: the argument '--patch <FILE>' cannot be used with '--directive <TEXT>'

        Usage: refactor-bot run --patch <FILE> <REPO>

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn rf8_each_change_is_approved_or_all_are() {
    check(
        &["run", "REPO", "--approve-each", "--yes"],
        &expect![[r#"
        exit 2
        --- stderr
        error: the argument '--approve-each' cannot be used with '--yes'

        Usage: refactor-bot run --approve-each <REPO>

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn rf1_a_repository_that_is_named_twice() {
    check(
        &["run", "REPO", "--repo", "REPO"],
        &expect![[r#"
        exit 2
        --- stderr
        error: the argument '[REPO]' cannot be used with '--repo <REPO>'

        Usage: refactor-bot run <REPO>

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn rf7_more_tries_than_there_may_be() {
    check(
        &["run", "REPO", "--max-retries", "4"],
        &expect![[r#"
        exit 2
        --- stderr
        error: invalid value '4' for '--max-retries <N>': 4 is not in 0..=3

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn mo1_an_unknown_provider() {
    check(
        &["run", "REPO", "--directive", DIRECTIVE, "--provider", "oracle"],
        &expect![[r#"
        exit 2
        --- stderr
        error: there is no provider `oracle`
        hint: `refactor-bot models` lists the providers
    "#]],
    );
}

#[test]
fn rf1_a_pattern_that_cannot_be_read() {
    check(
        &["run", "REPO", "--include", "src/[a", "--directive", DIRECTIVE],
        &expect![[r#"
        exit 2
        --- stderr
        error: `src/[a` is no valid pattern
        caused by: error parsing glob 'src/[a/**': unclosed character class; missing ']'
        hint: patterns look like `src/**/*.ts`
    "#]],
    );
}

/// Nothing serves it: what could be done instead is said, and it is no success.
#[test]
fn rf3_a_directive_beyond_recipes_and_rules() {
    let case = SyncFiles::five();
    let root = case.root();
    let ran = case.cli.run(["run", &root, "--no-verify", "--directive", "Port it to Fortran"]);
    assert!(ran.expect_code(3).stdout.contains("not supported:"), "{}", ran.stdout);
    case.assert_untouched();
    assert_eq!(case.runs()[0]["stands"], "not served");
    let report = case.cli.home().join("runs").join(ran.run_id()).join("report");
    let read = |name: &str| std::fs::read_to_string(report.join(name)).unwrap();
    let summary = read("pr-summary.md");
    assert!(
        summary.contains("The directive is not supported, so no change was attempted"),
        "{summary}"
    );
    assert!(!summary.contains("success") && summary.contains("--provider"), "{summary}");
    assert!(read("validation-report.json").contains("\"ending\": \"unserved\""));
}

/// Words that a recipe knows, and nothing that it does: no edit is planned, and it is no success.
#[test]
fn rf3_what_asks_for_no_change_of_ours_plans_none() {
    let case = SyncFiles::five();
    let root = case.root();
    let long = "Convert sync file ops to async. ".repeat(700);
    for (directive, code, words) in [
        (
            "Convert all async file operations to synchronous",
            3,
            "the opposite of what fs-async does",
        ),
        ("Which files use synchronous file operations?", 2, "this is a question, not a change"),
        (
            "Convert sync file operations to async, but keep everything synchronous",
            2,
            "and to keep them: keep everything synchronous",
        ),
        (&long, 2, "the directive has 22400 characters, but the maximum is 20000"),
    ] {
        let ran = case.cli.run(["plan", &root, "--directive", directive]);
        ran.expect_code(code);
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
        assert!(!ran.stdout.contains("batch-001"), "{}", ran.stdout);
    }
    case.assert_untouched();
}

#[test]
fn rf1_rf3_patterns_that_leave_nothing_are_no_success() {
    let case = SyncFiles::five();
    let root = case.root();
    let plan = |flag: &str, pattern: &str| {
        case.cli.run(["plan", &root, "--directive", DIRECTIVE, flag, pattern])
    };
    let shut = plan("--include", "nowhere/**");
    assert!(
        shut.expect_code(2)
            .stdout
            .contains("no files to change: --include and --exclude leave none"),
        "{}",
        shut.stdout
    );
    let other = plan("--include", "test.sh");
    let words =
        "5 places found, all in files that this run may not touch: lib/d.js and 4 more files";
    assert!(other.expect_code(0).stdout.contains(words), "{}", other.stdout);
    assert!(!other.stdout.contains("edited safely"), "{}", other.stdout);
    case.assert_untouched();
}

/// Nothing was looked at, which is not the same as nothing to change.
#[test]
fn rf3_a_repository_in_another_language_gets_no_all_clear() {
    let case = SyncFiles::new(&[], &[], 1);
    case.repo.write(
        "app/find.py",
        "def find(db, name):\n    return db.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n",
    );
    case.repo.commit_all("python");
    let directive = "Replace raw SQL string interpolation with parameterized queries";
    let ran = case.cli.run(["plan", &case.root(), "--directive", directive]);
    let words = "only supports JavaScript and TypeScript, and there are no such files; 1 Python file was not searched";
    assert!(ran.expect_code(3).stdout.contains(words), "{}", ran.stdout);
    assert!(ran.stdout.contains("--provider"), "{}", ran.stdout);
}
