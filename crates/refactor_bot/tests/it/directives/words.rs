//! What a person reads at the end of a run: first what happened, then what was left, then what can be done.

use expect_test::{Expect, expect};

use crate::sync_files::{DIRECTIVE, FIVE, SyncFiles};

/// What is on standard output, with names for what differs from run to run.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(case: &SyncFiles, ran: &rb_testkit::Ran, expected: Expect) {
    let shown = case.cli.shown(ran);
    let end = shown.find("--- stderr").unwrap_or(shown.len());
    expected.assert_eq(&shown[..end]);
}

#[test]
fn rf3_what_is_done_already_is_nothing_to_change() {
    let case = SyncFiles::five();
    case.cli.run(case.verified(&["--yes"])).expect_code(0);
    case.repo.git(&["add", "-A"]);
    let again = case.cli.run(case.verified(&["--yes", "--allow-dirty"]));
    check(
        &case,
        &again,
        expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
            nothing to change
              note: looked for synchronous file calls: nothing found
            report   [USER]/home/runs/[RUN]/report

            Nothing changed.
        "#]],
    );
    let unverified = case.run(&["--allow-dirty"]);
    check(
        &case,
        &unverified,
        expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
            nothing to change
              note: looked for synchronous file calls: nothing found
            report   [USER]/home/runs/[RUN]/report

            Nothing changed.
        "#]],
    );
}

#[test]
fn rf3_what_was_left_is_said_after_a_run_by_its_reasons() {
    let case = SyncFiles::new(FIVE, &[], 3);
    // It may be called from anywhere, and so does not become a promise.
    case.repo.write("src/kept.js", "const fs = require('fs');\n\nfunction kept(file) {\n  return fs.readFileSync(file, 'utf8');\n}\n\nmodule.exports = { kept };\nmodule.exports.again = kept;\neval('kept');\n");
    case.repo.git(&["add", "-A"]);
    case.repo.git(&["commit", "-qm", "more"]);
    let ran = case.run(&[]);
    check(
        &case,
        &ran,
        expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  Make synchronous file calls async in lib/d.js (1 place)  (1 file, +1 -1)  confidence 35 of 100
              batch-002  applied  Make synchronous file calls async in lib/e.js (1 place)  (1 file, +1 -1)  confidence 35 of 100
              batch-003  applied  Make synchronous file calls async in src/a.js (1 place)  (1 file, +1 -1)  confidence 35 of 100
              batch-004  applied  Make synchronous file calls async in src/b.js (1 place)  (1 file, +1 -1)  confidence 35 of 100
              batch-005  applied  Make synchronous file calls async in src/c.js (1 place)  (1 file, +1 -1)  confidence 35 of 100
            tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report
            note     1 place not changed: `eval` in src/kept.js:9 may use it in a way that cannot be traced; see pr-summary.md

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
        "#]],
    );
    let planned = case.cli.run(["plan", &case.root(), "--directive", DIRECTIVE]);
    check(
        &case,
        &planned,
        expect![[r#"
            exit 0
            --- stdout
            plan of [TMP]/project
            directive Convert sync file ops to async
                      sync, file, async: fs-async
            plan      5 tasks
              batch-001  Make synchronous file calls async in lib/d.js (1 place)
                         recipe fs-async, 1 file, risk 42
              batch-002  Make synchronous file calls async in lib/e.js (1 place)
                         recipe fs-async, 1 file, risk 42
              batch-003  Make synchronous file calls async in src/a.js (1 place)
                         recipe fs-async, 1 file, risk 42
              batch-004  Make synchronous file calls async in src/b.js (1 place)
                         recipe fs-async, 1 file, risk 42
              batch-005  Make synchronous file calls async in src/c.js (1 place)
                         recipe fs-async, 1 file, risk 42
            note      1 place not changed: `eval` in src/kept.js:9 may use it in a way that cannot be traced

            Not changed:
              `eval` in src/kept.js:9 may use it in a way that cannot be traced (src/kept.js:3)
                src/kept.js:4  fs.readFileSync(file, 'utf8')
                help: remove that, then run again
        "#]],
    );
}

#[test]
fn rf3_a_budget_from_the_command_line_is_kept() {
    let case = SyncFiles::new(&["src/a"], &[], 3);
    let root = case.root();
    let ran = case.cli.run(["plan", &root, "--directive", DIRECTIVE, "--diff-budget", "1"]);
    check(
        &case,
        &ran,
        expect![[r#"
            exit 0
            --- stdout
            plan of [TMP]/project
            directive Convert sync file ops to async
                      sync, file, async: fs-async
            plan      0 tasks
            note      1 place not changed: 2 lines, over the budget of 1: one chain that cannot be split

            Not changed:
              2 lines, over the budget of 1: one chain that cannot be split
                src/a.js:4  `fs.readFileSync` → `promises.readFile`
                help: allow it with --diff-budget 12
        "#]],
    );
}

#[test]
fn rf7_a_task_that_fails_the_full_checks_alone_is_found_and_taken_back() {
    let case = SyncFiles::new(FIVE, &["src/a"], 20);
    let root = case.root();
    let ran = case.cli.run(fast_says_nothing(&root));
    check(
        &case,
        &ran,
        expect![[r#"
            exit 7
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  Make synchronous file calls async in lib/d.js (1 place)  (1 file, +1 -1)  confidence 60 of 100
              batch-002  applied  Make synchronous file calls async in lib/e.js (1 place)  (1 file, +1 -1)  confidence 60 of 100
              batch-003  reverted  Make synchronous file calls async in src/a.js (1 place)
                  test: broken, passed before (1): `src/a.js reads at once`
              batch-004  reverted  Make synchronous file calls async in src/b.js (1 place)
              batch-005  reverted  Make synchronous file calls async in src/c.js (1 place)
              batch-006  applied  Make synchronous file calls async in src/b.js (1 place)  (1 file, +1 -1)  confidence 60 of 100
              batch-007  applied  Make synchronous file calls async in src/c.js (1 place)  (1 file, +1 -1)  confidence 60 of 100
            tests    20 passed (21 before)
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
        "#]],
    );
    case.assert_untouched();
    case.cli.run(["accept", &ran.run_id()]).expect_code(0);
    assert!(case.repo.read("src/a.js").contains("readFileSync"), "it was the cause");
    for name in ["src/b", "src/c", "lib/d", "lib/e"] {
        assert!(!case.repo.read(&format!("{name}.js")).contains("readFileSync"), "{name}");
    }
}

/// It holds the first time and never again, whatever is changed.
#[test]
fn rf7_where_the_full_checks_fail_without_any_change_no_task_is_blamed() {
    let case = SyncFiles::five();
    case.repo.write(".gitignore", "ran\n");
    let once = "echo TAP version 13; echo 1..1\n[ -e ran ] && echo not ok 1 - y && exit 1\n\
                touch ran; echo ok 1 - y\n";
    case.repo.write("once.sh", once);
    case.repo.git(&["add", "-A"]);
    case.repo.git(&["commit", "-qm", "a check that holds once"]);
    let mut args = fast_says_nothing(&case.root());
    args.pop();
    args.push("full_verifier=[\"sh once.sh\"]".to_owned());
    let ran = case.cli.run(args);
    let words = "the full checks now also fail without the changes of this run";
    assert!(ran.expect_code(1).stdout.contains(words), "{}", ran.stdout);
    assert!(!ran.stdout.contains("reverted"), "{}", ran.stdout);
}

/// The suite is run in full alone.
fn fast_says_nothing(root: &str) -> Vec<String> {
    let sets = [
        "fast_verifier=[\"echo TAP version 13; echo 1..1; echo ok 1 - x\"]",
        "full_verifier=[\"sh test.sh\"]",
    ];
    let mut args = ["run", root, "--directive", DIRECTIVE].map(str::to_owned).to_vec();
    args.extend(sets.iter().flat_map(|set| ["--set".to_owned(), (*set).to_owned()]));
    args
}

#[test]
fn rf12_what_fails_its_checks_lands_only_if_that_is_said() {
    let case = SyncFiles::new(FIVE, &["src/a"], 20);
    let answer = "src/a.js\n<<<<<<< SEARCH\n  return fs.readFileSync(file, 'utf8');\n=======\n  \
                  return fs.promises.readFile(file, 'utf8');\n>>>>>>> REPLACE\n";
    let patch = case.repo.beside("change.txt");
    std::fs::write(&patch, answer).unwrap();
    let root = case.root();
    let mut args = fast_says_nothing(&root);
    args.splice(2..4, ["--patch".to_owned(), patch.display().to_string()]);
    let ran = case.cli.run(args);
    check(
        &case,
        &ran,
        expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  change  (1 file, +1 -1)  confidence 0 of 100
            tests    fail: 19 passed, 1 failed (21 passed before)
                     test: broken, passed before (1): `src/a.js reads at once`
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. All changes together fail the repository's checks. To see what fails, and to drop the run:
              refactor-bot runs show [RUN]
              refactor-bot reject [RUN]
            To accept it anyway:
              refactor-bot accept [RUN] --failing
        "#]],
    );
    let id = ran.run_id();
    let refused = case.cli.run(["accept", &id]);
    refused.expect_code(1);
    assert!(refused.stderr.contains("fails its checks and was not accepted"), "{}", refused.stderr);
    case.assert_untouched();
    case.cli.run(["accept", &id, "--failing"]).expect_code(0);
    assert!(case.repo.read("src/a.js").contains("fs.promises.readFile"));
}

/// Its history has a hole, so that there is no backup and nothing to go on with.
#[test]
fn sa6_a_run_that_could_not_begin_is_not_called_resumable() {
    let case = SyncFiles::five();
    case.repo.git(&["checkout", "-q", "-b", "other"]);
    case.repo.write("lost.txt", "lost\n");
    case.repo.git(&["add", "-A"]);
    case.repo.git(&["commit", "-qm", "lost"]);
    let blob = case.repo.git(&["rev-parse", "other:lost.txt"]);
    let blob = blob.trim();
    case.repo.git(&["checkout", "-q", "-"]);
    let object = case.repo.root().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    std::fs::remove_file(object).unwrap();
    let ran = case.run(&[]);
    assert_ne!(ran.code, 0, "{}", ran.stdout);
    let runs = case.runs();
    assert_eq!(runs[0]["stands"], "could not begin", "{}", ran.stderr);
    let id = runs[0]["run"].as_str().unwrap();
    let shown = case.cli.run(["runs", "show", id]).expect_code(0).stdout.clone();
    assert!(shown.contains("The run failed to start: "), "{shown}");
    assert!(!shown.contains("refactor-bot resume"), "{shown}");
    case.assert_nothing_left();
    case.cli.run(["reject", id]).expect_code(0);
}

/// Seven rules have something to do there; those that find little share a task.
#[test]
fn rf3_a_directive_of_many_rules_keeps_to_six_tasks() {
    let (repo, cli) = crate::examples::copy_of("shop");
    let root = repo.root().display().to_string();
    for directive in [
        "Fix unnecessary re-renders across components.",
        "Reduce bundle size by fixing barrel imports and lazy-loading heavy components.",
    ] {
        let ran = cli.run(["plan", &root, "--directive", directive, "--json"]);
        let plan: serde_json::Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
        let tasks = plan["plan"]["tasks"].as_array().unwrap();
        assert!((3..=6).contains(&tasks.len()), "{directive}: {tasks:#?}");
        let places = plan["plan"]["left"]["places"].as_array().unwrap();
        assert!(!places.is_empty(), "{plan}");
        let notes = plan["plan"]["notes"].to_string();
        assert!(!notes.contains("matched nothing"), "{notes}");
    }
}

/// A pass that rests on no test says why the tests that are there did not run.
#[test]
fn ve3_tests_that_could_not_run_are_named() {
    if !crate::examples::has_node() {
        return;
    }
    let case = SyncFiles::five();
    let scripts = r#"{"name": "x", "scripts": {"test": "nosuchrunner", "lint": "true"}}"#;
    case.repo.write("package.json", scripts);
    case.repo.commit_all("a suite that nobody can run");
    let ran = case.cli.run(["run", &case.root(), "--directive", DIRECTIVE]);
    let out = &ran.expect_code(0).stdout;
    assert!(out.contains("tests    none; the other checks pass\n"), "{out}");
    assert!(out.contains("         test: a program was not found: "), "{out}");
}
