//! Several suites of one repository: each is asked for its own files alone, and what they say together is of the one that fails.

use expect_test::{Expect, expect};
use rb_core::Verdict;
use rb_toolchains::Detected;
use rb_verify::Verification;

use crate::{Project, fast};

/// Takes files for patterns over its own, as vitest does. `suite.json` says what it tests and how.
const RUNNER: &str = r#"
//- package.json
{ "name": "two" }
//- suite.json
{ "files": ["one/a.test.js", "one/b.test.js"], "outcome": "passed" }
//- node_modules/vitest/vitest.mjs
import fs from 'node:fs';
const suite = JSON.parse(fs.readFileSync('suite.json'));
const args = process.argv.slice(3);
const asked = args.filter((arg) => !arg.startsWith('-'));
const report = args.find((arg) => arg.startsWith('--outputFile.json=')).slice(18);
const matches = (file) => asked.length === 0 || (!suite.deaf && asked.some((it) => file.includes(it)));
const testResults = suite.files.filter(matches).map((file) => ({
  name: `${process.cwd()}/${file}`,
  status: suite.outcome,
  assertionResults: suite.empty ? [] : [{ title: 'holds', ancestorTitles: [], status: suite.outcome }],
}));
const success = suite.outcome === 'passed' && (testResults.length > 0 || Boolean(suite.quiet));
fs.writeFileSync(report, JSON.stringify({ numTotalTests: testResults.length, success, testResults }));
if (testResults.length === 0) console.error('No test files found');
process.exit(success ? 0 : 1);
"#;

const VITEST: &str = "node node_modules/vitest/vitest.mjs run";

/// Takes the baseline, replaces `suite.json`, and verifies.
fn verified(lines: &[&str], suite: &str, affected: &[&str]) -> (Project, Verification) {
    let mut project = Project::new(RUNNER);
    project.options.affected_first_ms = 0;
    project.options.confirm_runs = 1;
    project.options.fast = lines.iter().map(ToString::to_string).collect();
    let detected = Detected::default();
    let baseline = project.baseline(&detected);
    assert_eq!(baseline.verdict, Verdict::Pass, "{baseline:?}");
    if !suite.is_empty() {
        project.write("suite.json", suite);
    }
    let found = project.verify(&detected, &baseline, affected);
    (project, found)
}

/// What ran after the change, and what it came to.
#[track_caller]
fn check(lines: &[&str], suite: &str, affected: &[&str], expected: &Expect) {
    let (project, found) = verified(lines, suite, affected);
    let ran: Vec<String> =
        project.outputs().into_iter().filter(|name| name.starts_with("task")).collect();
    let untested = if found.untested { ", untested" } else { "" };
    let reasons: Vec<String> = found.reasons.iter().map(|reason| format!("- {reason}\n")).collect();
    expected.assert_eq(&format!(
        "{}\n{}{untested}\n{}",
        ran.join("\n"),
        found.verdict.words(),
        reasons.concat()
    ));
}

#[test]
fn ve3_a_command_is_asked_only_for_test_files_of_its_own() {
    let all = "";
    check(
        &[VITEST],
        all,
        &["two/c.test.js"],
        &expect![[r#"
        task-01-test
        pass
    "#]],
    );
    check(
        &[VITEST],
        all,
        &["one/a.test.js", "two/c.test.js"],
        &expect![[r#"
        task-01-test
        task-01-test-affected
        pass
    "#]],
    );
    // Its own file, and broken: the others are not run.
    let broken = r#"{ "files": ["one/a.test.js"], "outcome": "failed" }"#;
    check(
        &[VITEST],
        broken,
        &["one/a.test.js", "two/c.test.js"],
        &expect![[r#"
        task-01-test-affected
        task-01-test-affected-again1
        fail
        - test: broken, passed before (1): `one/a.test.js › holds`
        - test: only 0.0% of the tests pass, below the limit of 85%
    "#]],
    );
}

#[test]
fn ve3_a_selection_that_finds_no_test_is_no_failure_of_the_change() {
    let deaf =
        r#"{ "files": ["one/a.test.js", "one/b.test.js"], "outcome": "passed", "deaf": true }"#;
    check(
        &[VITEST],
        deaf,
        &["one/a.test.js"],
        &expect![[r#"
        task-01-test
        task-01-test-affected
        pass
    "#]],
    );
    // A selected file that cannot be loaded is one, at once.
    let unloadable = r#"{ "files": ["one/a.test.js"], "outcome": "failed", "empty": true }"#;
    check(
        &[VITEST],
        unloadable,
        &["one/a.test.js"],
        &expect![[r#"
            task-01-test-affected
            task-01-test-affected-again1
            fail
            - test: `node node_modules/vitest/vitest.mjs run` exited with code 1
            - test: one/a.test.js: the suite failed to run
        "#]],
    );
}

#[test]
fn ve4_the_first_reason_is_of_the_command_that_fails() {
    let broken = r#"{ "files": ["one/a.test.js", "one/b.test.js"], "outcome": "failed" }"#;
    check(
        &["no-such-program", "true", VITEST],
        broken,
        &[],
        &expect![[r#"
        task-02-test
        task-03-test
        task-03-test-again1
        fail
        - test: broken, passed before (2): `one/a.test.js › holds`, `one/b.test.js › holds`
        - test: only 0.0% of the tests pass, below the limit of 85%
        - test: `no-such-program` was not found
    "#]],
    );
}

#[test]
fn rf4_what_cannot_be_started_is_told_apart() {
    let broken = r#"{ "files": ["one/a.test.js", "one/b.test.js"], "outcome": "failed" }"#;
    let (project, found) = verified(&["no-such-program", "true", VITEST], broken, &[]);
    assert_eq!(found.not_started(), ["test: `no-such-program` was not found"]);
    let detected = Detected::default();
    let baseline = project.baseline(&detected);
    let commands = fast(&detected, &project.verifier(&detected));
    let can_start = commands.iter().map(|command| baseline.can_start(command));
    assert_eq!(can_start.collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn ve1_a_chosen_command_that_passed_is_a_verifier_and_says_that_it_tested_nothing() {
    check(
        &["true", "node -e 0"],
        "",
        &[],
        &expect![[r#"
        task-01-test
        task-02-test
        pass, untested
        - the checks that passed include no tests
    "#]],
    );
    check(
        &["true", VITEST],
        "",
        &[],
        &expect![[r#"
        task-01-test
        task-02-test
        pass
    "#]],
    );
    // A test runner must have run tests.
    let none = r#"{ "files": [], "outcome": "passed", "quiet": true }"#;
    let mut project = Project::new(RUNNER);
    project.write("suite.json", none);
    project.options.fast = vec![VITEST.to_owned()];
    let baseline = project.baseline(&Detected::default());
    assert_eq!(baseline.verdict, Verdict::NoVerifierRan, "{baseline:?}");
    project.options.fast.push("true".to_owned());
    let baseline = project.baseline(&Detected::default());
    assert_eq!((baseline.verdict, baseline.untested), (Verdict::Pass, true), "{baseline:?}");
}

/// What a suite does beside its one test, in the folder of its own report too.
const HOSTILE: &str = r#"
//- package.json
{"scripts": {"test": "node --test"}}
//- a.test.js
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
test("a", () => {});
process.on("exit", () => {
  require("node:child_process").execSync("rm -f .gitignore && mkfifo .gitignore && mkfifo other");
  const reports = path.resolve("../work/reports");
  for (const run of fs.readdirSync(reports)) {
    const report = path.join(reports, run, "report");
    fs.rmSync(report, { recursive: true, force: true });
    fs.symlinkSync(path.resolve("../secret"), report);
  }
});
"#;

#[test]
fn ve2_a_suite_that_leaves_links_and_pipes_is_read_without_them() {
    let project = Project::new(HOSTILE);
    // As the runner is asked to report: what could not be read as a report would prove nothing.
    let secret = "<testsuites><testsuite name=\"a\"><testcase name=\"planted secret\" classname=\"a\" time=\"0\"/></testsuite></testsuites>\n";
    rb_core::fs::write(
        &project.temp.path().join("secret"),
        secret.as_bytes(),
        rb_core::fs::Durability::Relaxed,
    )
    .unwrap();
    let baseline = project.baseline(&project.detected(&["package.json", "a.test.js"]));
    let text = format!("{baseline:?}");
    assert!(!text.contains("planted secret"), "{text}");
    assert_eq!(baseline.verdict, Verdict::Fail, "{text}");
    assert!(text.contains("it replaced `.gitignore` with a named pipe"), "{text}");
    assert!(rb_core::fs::find_pipes(&project.root(), &[]).is_empty());
}
