//! Suites that fail now and then though the code does not change: only what fails every time counts.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::Verdict;
use rb_toolchains::Detected;
use rb_verify::Verification;

use crate::Project;

/// Writes a report as vitest does. `runs/` counts its runs; `deeds.json` says what it does in which of them.
const RUNNER: &str = r#"
//- package.json
{ "name": "flaky" }
//- deeds.json
{}
//- node_modules/vitest/vitest.mjs
import fs from 'node:fs';
fs.mkdirSync('runs', { recursive: true });
const nth = fs.readdirSync('runs').length + 1;
fs.writeFileSync(`runs/${nth}`, '');
const deed = JSON.parse(fs.readFileSync('deeds.json'))[nth] ?? 'pass';
const report = process.argv.find((arg) => arg.startsWith('--outputFile.json=')).slice(18);
if (deed === 'kill') process.kill(process.pid, 'SIGKILL');
if (deed === 'crash') process.exit(7);
const files = deed === 'lose' ? ['a.test.js'] : ['a.test.js', 'b.test.js', 'c.test.js'];
const testResults = files.map((file) => {
  const status = deed === 'fail' && file === 'c.test.js' ? 'failed' : 'passed';
  return {
    name: `${process.cwd()}/${file}`,
    status,
    assertionResults: [{ title: 'holds', ancestorTitles: [], status }],
  };
});
const success = testResults.every((file) => file.status === 'passed') && deed !== 'lose';
fs.writeFileSync(report, JSON.stringify({ numTotalTests: files.length, success, testResults }));
process.exit(success ? 0 : 1);
"#;

const VITEST: &str = "node node_modules/vitest/vitest.mjs run";

fn words(project: &Project, found: &Verification) -> String {
    let outputs = project.outputs().into_iter().filter(|name| name.starts_with("task"));
    let mut words =
        format!("{}: {}\n", outputs.collect::<Vec<_>>().join(" "), found.verdict.words());
    for reason in &found.reasons {
        let _ = writeln!(words, "- {reason}");
    }
    for flaky in &found.flaky {
        let (passed, failed, missing) = (flaky.passed, flaky.failed, flaky.missing);
        let _ = writeln!(words, "flaky {} {passed} {failed} {missing}", flaky.test);
    }
    for flake in found.commands.iter().flat_map(|checked| &checked.run.flakes) {
        let _ = writeln!(words, "flake {flake}");
    }
    words
}

/// The baseline passes in the first run; `deeds` are those of the runs after it.
#[track_caller]
fn check(deeds: &str, expected: &Expect) {
    let mut project = Project::new(RUNNER);
    project.options.confirm_runs = 3;
    project.options.fast = vec![VITEST.to_owned()];
    let detected = Detected::default();
    let baseline = project.baseline(&detected);
    project.write("deeds.json", deeds);
    let found = project.verify(&detected, &baseline, &[]);
    expected.assert_eq(&words(&project, &found));
}

#[test]
fn ve4_a_runner_that_is_killed_once_has_not_failed() {
    check(
        r#"{ "2": "kill" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1: pass
        flake `node node_modules/vitest/vitest.mjs run` was killed by signal 9; it passed when it was rerun
    "#]],
    );
    check(
        r#"{ "2": "kill", "3": "kill", "4": "kill", "5": "kill" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1 task-01-test-again2 task-01-test-again3: fail
        - test: `node node_modules/vitest/vitest.mjs run` was killed by signal 9
        - test: 0 tests passed, 3 before the change
    "#]],
    );
}

#[test]
fn ve4_a_runner_that_crashes_once_has_not_failed() {
    check(
        r#"{ "2": "crash" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1: pass
        flake `node node_modules/vitest/vitest.mjs run` exited with code 7; it passed when it was rerun
    "#]],
    );
    check(
        r#"{ "2": "crash", "3": "crash", "4": "crash" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1 task-01-test-again2: fail
        - test: `node node_modules/vitest/vitest.mjs run` exited with code 7
        - test: 0 tests passed, 3 before the change
    "#]],
    );
}

#[test]
fn ve4_tests_that_are_gone_in_one_run_and_there_in_another_are_flaky() {
    check(
        r#"{ "2": "lose" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1 task-01-test-again2: pass
        flaky b.test.js › holds 2 0 1
        flaky c.test.js › holds 2 0 1
        flake the runner says that the run failed, and names no reason; it passed when it was rerun
    "#]],
    );
    check(
        r#"{ "2": "lose", "3": "lose", "4": "lose", "5": "lose" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1 task-01-test-again2 task-01-test-again3: fail
        - test: missing, with fewer new ones in their place (2): `b.test.js › holds`, `c.test.js › holds`
        - test: the runner says that the run failed, and names no reason
    "#]],
    );
}

#[test]
fn ve4_a_test_that_fails_once_is_flaky() {
    check(
        r#"{ "2": "fail" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1: pass
        flaky c.test.js › holds 1 1 0
    "#]],
    );
    check(
        r#"{ "2": "fail", "3": "fail", "4": "fail", "5": "fail" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1 task-01-test-again2 task-01-test-again3: fail
        - test: broken, passed before (1): `c.test.js › holds`
        - test: only 66.7% of the tests pass, below the limit of 85%
    "#]],
    );
    // Whatever fails, something else each time: nothing of it counts.
    check(
        r#"{ "2": "fail", "3": "lose", "4": "kill" }"#,
        &expect![[r#"
        task-01-test task-01-test-again1 task-01-test-again2 task-01-test-again2-all: pass
        flaky c.test.js › holds 1 1 1
    "#]],
    );
}

/// Outputs of an earlier run of the same name stay.
#[test]
fn ve2_no_output_is_overwritten() {
    let mut project = Project::new(RUNNER);
    project.options.fast = vec![VITEST.to_owned()];
    let detected = Detected::default();
    let baseline = project.baseline(&detected);
    for _ in 0..2 {
        project.verify(&detected, &baseline, &[]);
    }
    assert_eq!(project.outputs(), ["baseline-01-test", "task-01-test", "task-01-test-run2"]);
}

/// A runner that has written its report and does not end is ended; what counts is the report.
#[test]
fn ve2_a_runner_that_hangs_after_its_report_is_ended() {
    let hangs = RUNNER.replace("process.exit(success ? 0 : 1);", "setInterval(() => {}, 1000);");
    for (deed, verdict) in [("pass", Verdict::Pass), ("fail", Verdict::Fail)] {
        let mut project = Project::new(&hangs);
        project.options.fast = vec![VITEST.to_owned()];
        project.options.report_grace_s = 1;
        project.options.timeout_s = 60;
        project.write("deeds.json", &format!("{{ \"1\": \"{deed}\", \"2\": \"{deed}\" }}"));
        let baseline = project.baseline(&Detected::default());
        assert_eq!(baseline.verdict, verdict, "{baseline:?}");
        let words = format!("`{VITEST}` wrote its report, did not exit and was stopped");
        assert_eq!(baseline.commands[0].flakes, [words], "{baseline:?}");
    }
}

/// A baseline that crashes once is taken from the run that did not.
#[test]
fn ve1_a_baseline_that_crashes_once_passes() {
    let mut project = Project::new(RUNNER);
    project.options.fast = vec![VITEST.to_owned()];
    project.write("deeds.json", r#"{ "1": "crash" }"#);
    let baseline = project.baseline(&Detected::default());
    assert_eq!(baseline.verdict, Verdict::Pass, "{baseline:?}");
    assert_eq!(baseline.commands[0].flakes.len(), 1, "{baseline:?}");
}
