//! `verify`, and what verification does to a run.

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use rb_testkit::{Cli, Ran, Repo};
use serde_json::Value;

use crate::cli;

/// A package with node's own runner: nothing has to be installed.
pub(crate) const SHOP: &str = r#"
//- .gitignore
runs.txt
//- package.json
{ "name": "shop", "version": "1.0.0", "main": "lib/price.js", "scripts": { "test": "node --test" } }
//- lib/price.js
const { rate } = require('./tax');
function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}
function withTax(items) {
  return total(items) * (1 + rate());
}
module.exports = { total, withTax };
//- lib/tax.js
function rate() {
  return 0.5;
}
module.exports = { rate };
//- test/price.test.js
const test = require('node:test');
const assert = require('node:assert');
const { total, withTax } = require('../lib/price');
test('adds up', () => assert.strictEqual(total([{ price: 1 }, { price: 2 }]), 3));
test('adds tax', () => assert.strictEqual(withTax([{ price: 2 }]), 3));
test('later', { skip: 'not yet' }, () => {});
"#;

const ADD: &str = "  return items.reduce((sum, item) => sum + item.price, 0);";
const ADD_TURNED: &str = "  return items.reduce((sum, item) => item.price + sum, 0);";

pub(crate) struct Case {
    pub(crate) repo: Repo,
    pub(crate) cli: Cli,
}

impl Case {
    pub(crate) fn new(fixture: &str) -> Self {
        let repo = Repo::git_repo(fixture);
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli().hide(beside.display().to_string(), "[TMP]");
        Case { repo, cli }
    }

    pub(crate) fn verify(&self, args: &[&str]) -> Ran {
        let repo = self.repo.root().display().to_string();
        self.cli.run(["verify", &repo].into_iter().chain(args.iter().copied()))
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let ran = self.verify(&[&["--json"], args].concat());
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"))
    }

    /// Runs a change that replaces one text by another in a file.
    pub(crate) fn change(&self, path: &str, from: &str, to: &str, args: &[&str]) -> Ran {
        let answer = format!("{path}\n<<<<<<< SEARCH\n{from}\n=======\n{to}\n>>>>>>> REPLACE\n");
        let file: PathBuf = self.repo.beside("change.txt");
        fs::write(&file, answer).unwrap();
        let (repo, file) = (self.repo.root().display().to_string(), file.display().to_string());
        let fixed = ["run", &repo, "--patch", &file];
        self.cli.run(fixed.into_iter().chain(args.iter().copied()))
    }
}

/// What measures time and memory differs from run to run.
fn steady(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let line = match line.split_once(" skipped, ") {
            Some((counts, _)) => format!("{counts} skipped, [MEASURED]"),
            None => match line.split_once(" failed, ") {
                Some((counts, rest)) if !rest.contains("tests") => {
                    format!("{counts} failed, [MEASURED]")
                }
                _ if line.contains(", cpu ") => "      [MEASURED]".to_owned(),
                _ => line.to_owned(),
            },
        };
        lines += &line;
        lines.push('\n');
    }
    lines
}

#[track_caller]
pub(crate) fn check(case: &Case, ran: &Ran, expected: &Expect) {
    expected.assert_eq(&steady(&case.cli.shown(ran)));
}

#[test]
fn ve1_the_baseline_is_found_and_run_without_configuration() {
    let case = Case::new(SHOP);
    let before = case.repo.state();
    check(
        &case,
        &case.verify(&[]),
        &expect![[r#"
            exit 0
            --- stdout
            verify  [TMP]/project
            sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

            pass  test         node --test  package.json scripts.test
                  2 passed, 0 failed, 1 skipped, [MEASURED]

            baseline  pass: 2 of 2 tests passed (100.0%)
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
    );
    assert_eq!(case.repo.state(), before);
    assert_eq!(fs::read_dir(case.cli.home().join("worktrees")).unwrap().count(), 0);
}

#[test]
fn ve1_what_was_found_is_listed_with_its_place() {
    let case = Case::new(SHOP);
    check(
        &case,
        &case.verify(&["--list"]),
        &expect![[r#"
        exit 0
        --- stdout
        .  shop  npm
          test         node --test  package.json scripts.test
    "#]],
    );
}

#[test]
fn ve2_every_test_is_recorded_with_command_exit_time_and_surroundings() {
    let case = Case::new(SHOP);
    let told = case.json(&[]);
    let run = &told["commands"][0];
    assert_eq!(run["how"]["code"], 0);
    assert!(run["ms"].as_u64().unwrap() > 0 && run["cpu_ms"].as_u64().unwrap() > 0);
    assert!(run["peak_memory"].as_u64().unwrap() > 1 << 20);
    assert!(PathBuf::from(run["stdout"].as_str().unwrap()).is_file());
    assert_eq!(told["surroundings"]["sandbox"]["kind"], "bubblewrap");
    assert_eq!(told["surroundings"]["versions"][0][0], "node");
    let outcomes: Vec<(&str, &str)> = run["tests"]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| (test["id"].as_str().unwrap(), test["outcome"].as_str().unwrap()))
        .collect();
    expect![[r#"
        [
            (
                "test/price.test.js › adds tax",
                "Passed",
            ),
            (
                "test/price.test.js › adds up",
                "Passed",
            ),
            (
                "test/price.test.js › later",
                "Skipped",
            ),
        ]
    "#]]
    .assert_debug_eq(&outcomes);
}

#[test]
fn ve1_a_failing_test_is_named() {
    let case = Case::new(&SHOP.replace("return 0.5;", "return 0.7;"));
    check(
        &case,
        &case.verify(&[]),
        &expect![[r#"
            exit 1
            --- stdout
            verify  [TMP]/project
            sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

            fail  test         node --test  package.json scripts.test
                  1 passed, 1 failed, 1 skipped, [MEASURED]
                  `node --test` exited with code 1
                  1 of 2 tests failed
                  - test/price.test.js › adds tax
                      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

            baseline  fail: 1 of 2 tests passed (50.0%)
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
    );
}

#[test]
fn ve1_a_failing_baseline_stops_a_run_before_any_change() {
    let case = Case::new(&SHOP.replace("return 0.5;", "return 0.7;"));
    let before = case.repo.state();
    let change = ("lib/price.js", ADD, ADD_TURNED);
    check(
        &case,
        &case.change(change.0, change.1, change.2, &[]),
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              baseline: test: `node --test` exited with code 1
              baseline: test: 1 of 2 tests failed
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            No change was attempted: the repository already fails its own checks. To see what fails:
              refactor-bot verify [TMP]/project
            To continue anyway, so that only new failures count, pass --allow-failing-baseline.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
        "#]],
    );
    assert_eq!(case.repo.state(), before);
    let ran = case.change(change.0, change.1, change.2, &["--allow-failing-baseline"]);
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  change  (1 file, +1 -1)  confidence 90 of 100
            tests    1 passed, 1 failed, [MEASURED]
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
            --- stderr
            saving files
            checking the saved files
            baseline: node --test
            verifying: node --test
        "#]],
    );
}

#[test]
fn ve1_no_command_and_no_test_are_no_pass() {
    let bare = Case::new("//- README.md\nnothing here\n");
    check(
        &bare,
        &bare.verify(&[]),
        &expect![[r#"
            exit 3
            --- stdout
            verify  [TMP]/project
            sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

            baseline  no tests were run
            No test command found. To set one: refactor-bot verify --set fast_verifier='make test'
            To see where it looked: refactor-bot verify --list
            outputs   [USER]/home/runs/[RUN]/verify
        "#]],
    );
    let silent = Case::new(&SHOP.replace("node --test", "true"));
    check(
        &silent,
        &silent.verify(&[]),
        &expect![[r#"
            exit 3
            --- stdout
            verify  [TMP]/project
            sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

            none  test         npm test  package.json scripts.test
                  [MEASURED]
                  it succeeded, but reported no tests

            baseline  no tests were run
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: npm test
        "#]],
    );
}

#[test]
fn ve1_a_configured_command_takes_the_place_of_what_is_found() {
    let case = Case::new(SHOP);
    let set =
        ["--set", "full_verifier=node --test test/price.test.js", "--set", "fast_verifier=true"];
    let told = case.json(&set);
    let lines: Vec<&str> = told["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["command"]["line"].as_str().unwrap())
        .collect();
    assert_eq!(lines, ["node --test test/price.test.js", "true"]);
    assert_eq!(told["commands"][0]["tests"]["counts"]["passed"], 2);
}

#[test]
fn ve3_a_good_change_is_verified_and_waits() {
    let case = Case::new(SHOP);
    let ran = case.change("lib/price.js", ADD, ADD_TURNED, &[]);
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  change  (1 file, +1 -1)  confidence 90 of 100
            tests    2 passed, 1 skipped (2 passed, 1 skipped before)
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
            verifying: node --test
        "#]],
    );
}

#[test]
fn ve4_a_change_that_breaks_a_test_is_refused() {
    let case = Case::new(SHOP);
    let before = case.repo.state();
    let ran = case.change("lib/tax.js", "  return 0.5;", "  return 0.25;", &["--yes"]);
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  refused  change
                  test: broken, passed before (1): `test/price.test.js › adds tax`
                  test: only 50.0% of the tests pass, below the limit of 85%
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Nothing changed. Fix what was refused, then run it again.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
            verifying: node --test
        "#]],
    );
    assert_eq!(case.repo.state(), before);
}

#[test]
fn ve4_a_change_that_silences_a_test_is_refused() {
    let case = Case::new(SHOP);
    let to = "test('adds tax', { skip: true }, () => {});";
    let from = "test('adds tax', () => assert.strictEqual(withTax([{ price: 2 }]), 3));";
    check(
        &case,
        &case.change("test/price.test.js", from, to, &[]),
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  refused  change
                  test: skipped now, ran before (1): `test/price.test.js › adds tax`
                  note: test/price.test.js:3: `withTax` is imported but not used
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Nothing changed. Fix what was refused, then run it again.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
            verifying: node --test
        "#]],
    );
}

#[test]
fn ve6_a_change_that_forgets_its_callers_is_refused_before_any_test() {
    let case = Case::new(SHOP);
    let ran = case.change(
        "lib/tax.js",
        "module.exports = { rate };",
        "module.exports = { taxRate: rate };",
        &[],
    );
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  refused  change
                  lib/price.js:1: `rate` is not exported by lib/tax.js
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Nothing changed. Fix what was refused, then run it again.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
        "#]],
    );
}

#[test]
fn ve7_a_change_of_the_public_interface_is_refused_unless_allowed() {
    let case = Case::new(SHOP);
    let gone = ("lib/price.js", "function total(items) {", "function total(items, start) {");
    check(
        &case,
        &case.change(gone.0, gone.1, gone.2, &[]),
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  refused  change
                  lib/price.js:2: the public interface changed: `total` of `shop` takes one more required argument: `start`
                  note: lib/price.js:6: `total` takes at least 2 arguments, but is called with 1
                  note: test/price.test.js:4: `total` takes at least 2 arguments, but is called with 1
                  note: `--set allow_public_api_changes=true` allows it
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Nothing changed. Fix what was refused, then run it again.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
        "#]],
    );
    let ran = case.change(gone.0, gone.1, gone.2, &["--set", "allow_public_api_changes=true"]);
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  change  (1 file, +1 -1)  confidence 74 of 100
                  note: lib/price.js:6: `total` takes at least 2 arguments, but is called with 1
                  note: test/price.test.js:4: `total` takes at least 2 arguments, but is called with 1
                  note: lib/price.js:2: the public interface changed: `total` of `shop` takes one more required argument: `start`
            tests    2 passed, 1 skipped (2 passed, 1 skipped before)
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
            --- stderr
            saving files
            checking the saved files
            baseline: node --test
            verifying: node --test
        "#]],
    );
}

#[test]
fn ve6_logic_that_is_lost_can_fail_a_task() {
    let case = Case::new(SHOP);
    let from = "  return total(items) * (1 + rate());";
    let set = "verify.max_residue=1";
    let kept = case.change("lib/price.js", ADD, ADD_TURNED, &["--set", set]);
    assert_eq!(kept.code, 0, "{kept:?}");
    let both = format!("{ADD}\n}}\nfunction withTax(items) {{\n{from}");
    let fewer = "  return 3;\n}\nfunction withTax(items) {\n  return rate() && 3;";
    check(
        &case,
        &case.change("lib/price.js", &both, fewer, &["--set", set]),
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  refused  change
                  2 lines of logic were removed and not found again, more than the limit of 1; the first is lib/price.js:3: return items.reduce((sum, item) => sum + item.price, 0);
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Nothing changed. Fix what was refused, then run it again.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
        "#]],
    );
}

/// Fails on every third run, wherever that falls: in the baseline, in a task, or in a run that confirms.
const FLAKY: &str = r"
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const assert = require('node:assert');
test('now and then', () => {
  const file = path.join(__dirname, '..', 'runs.txt');
  const runs = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : START;
  fs.writeFileSync(file, String(runs + 1));
  assert.notStrictEqual(runs % 3, 0);
});
";

#[test]
fn ve4_a_test_that_fails_one_run_in_three_never_becomes_a_regression() {
    for start in 0..3 {
        let case = Case::new(SHOP);
        case.repo.write("test/flaky.test.js", FLAKY.replace("START", &start.to_string()));
        case.repo.commit_all("flaky");
        let ran = case.change("lib/price.js", ADD, ADD_TURNED, &[]);
        assert_eq!(ran.code, 0, "{start}: {ran:?}");
        assert!(!ran.stdout.contains("tests    fail"), "{start}: {ran:?}");
    }
}

#[test]
fn ve6_a_task_that_undoes_another_is_noted() {
    let case = Case::new(SHOP);
    let block = |from: &str, to: &str| {
        format!("lib/price.js\n<<<<<<< SEARCH\n{from}\n=======\n{to}\n>>>>>>> REPLACE\n")
    };
    let (first, second) = (case.repo.beside("1.patch"), case.repo.beside("2.patch"));
    fs::write(&first, block(ADD, ADD_TURNED)).unwrap();
    fs::write(&second, block(ADD_TURNED, ADD)).unwrap();
    let (repo, first, second) =
        (case.repo.root().display(), first.display().to_string(), second.display().to_string());
    let repo = repo.to_string();
    let ran = case.cli.run(["run", &repo, "--patch", &first, "--patch", &second]);
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  1  (1 file, +1 -1)  confidence 90 of 100
              batch-002  applied  2  (1 file, +1 -1)  confidence 84 of 100
                  note: lib/price.js:3: `batch-002` changes a line that `batch-001` wrote: return items.reduce((sum, item) => item.price + sum, 0);
                  note: lib/price.js:3: `batch-002` restores a line that `batch-001` removed: return items.reduce((sum, item) => sum + item.price, 0);
            tests    2 passed, 1 skipped (2 passed, 1 skipped before)
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --test
            verifying: node --test
            verifying: node --test
        "#]],
    );
}

#[test]
fn ve6_what_was_found_by_reading_can_be_looked_at() {
    let case = Case::new(SHOP);
    let ran = case.change("lib/price.js", ADD, ADD_TURNED, &[]);
    let shown = case.cli.run(["runs", "show", &ran.run_id(), "--audit"]);
    check(
        &case,
        &shown,
        &expect![[r#"
            exit 0
            --- stdout
            batch-001  change
              1 of 1 removed lines of logic were not found again:
                lib/price.js:3  return items.reduce((sum, item) => sum + item.price, 0);
        "#]],
    );
}

#[test]
fn ve8_a_change_that_is_slower_than_allowed_fails_the_run() {
    let slow = SHOP.replace(
        "const { rate }",
        "const until = Date.now() + 0;\nwhile (Date.now() < until);\nconst { rate }",
    );
    let case = Case::new(&slow);
    let set = [
        "--set",
        "verify.benchmark=node -e \"require('./lib/price')\"",
        "--set",
        "verify.benchmark_runs=5",
        "--set",
        "verify.benchmark_threshold=100",
    ];
    let (from, to) = ("const until = Date.now() + 0;", "const until = Date.now() + 600;");
    let ran = case.change("lib/price.js", from, to, &set);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stdout.contains("benchmark: `node -e"), "{ran:?}");
    assert!(ran.stdout.contains("is slower by"), "{ran:?}");
}

#[test]
fn ve1_settings_that_git_does_not_keep_come_along_when_chosen() {
    let case = Case::new(&SHOP.replace("runs.txt", "runs.txt\n.env").replace(
        "test('adds up', () =>",
        "test('adds up', () => require('fs').readFileSync('.env', 'utf8') && ",
    ));
    case.repo.write(".env", "KEY=1\n");
    check(
        &case,
        &case.verify(&[]),
        &expect![[r#"
        exit 1
        --- stdout
        verify  [TMP]/project
        sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command
        note    .env is in your checkout but not in git, so it is missing here; to copy it: --set verify.carry=.env

        fail  test         node --test  package.json scripts.test
              1 passed, 1 failed, 1 skipped, [MEASURED]
              `node --test` exited with code 1
              1 of 2 tests failed
              - test/price.test.js › adds up
                  Error: ENOENT: no such file or directory, open '.env'

        baseline  fail: 1 of 2 tests passed (50.0%)
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]],
    );
    case.verify(&["--set", "verify.carry=.env"]).expect_code(0);
}

#[test]
fn sa7_a_formatter_is_confined_like_all_else() {
    let case = Case::new(SHOP);
    let secret = case.cli.user_dir().join("secret.txt");
    fs::write(&secret, "hidden").unwrap();
    let repo = case.repo.root().display().to_string();
    let line = format!("cat {0} >> lib/tax.js; echo x >> {0}", secret.display());
    let ran = case.cli.run(["run", &repo, "--format", &line]);
    assert_eq!(fs::read_to_string(&secret).unwrap(), "hidden", "{ran:?}");
    assert!(ran.stdout.contains("batch-001  noop"), "{ran:?}");
    ran.expect_code(0);
}

#[test]
fn sa7_a_suite_cannot_lead_our_own_writes_astray() {
    let case = Case::new(SHOP);
    let outside = case.cli.user_dir().join("outside");
    fs::create_dir(&outside).unwrap();
    case.repo.write(
        "test/link.test.js",
        format!("require('fs').symlinkSync('{}', '.refactor-bot');\n", outside.display()),
    );
    case.repo.commit_all("link");
    let ran = case.change("lib/price.js", ADD, ADD_TURNED, &[]);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "{ran:?}");
    ran.expect_code(6);
}

/// A run that goes on after a kill keeps the record of what was checked before.
#[test]
fn ve2_a_resumed_run_overwrites_no_record() {
    let case = Case::new(SHOP);
    let id = case.change("lib/price.js", ADD, ADD_TURNED, &[]).expect_code(0).run_id();
    let folder = case.cli.home().join("runs").join(&id);
    let journal = folder.join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let cut = text.find("\"event\":\"verify_ended\"").unwrap();
    fs::write(&journal, &text[..=text[..cut].rfind('\n').unwrap()]).unwrap();
    case.cli.run(["resume", &id]).expect_code(0);
    for name in ["batch-001.json", "batch-001-run2.json"] {
        assert!(folder.join("verify").join(name).is_file(), "{name}");
    }
}
