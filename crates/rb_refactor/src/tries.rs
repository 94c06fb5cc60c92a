//! What a model is told about failed attempts at its task: one text for each, with the test output for the last patch.
//!
//! The calls have no memory, so that a try that is not told is made again. Nothing here decides what follows.

use std::fmt::Write as _;
use std::path::Path;

use rb_change::{ChangeFiles as _, Failure};
use rb_core::fs;
use rb_core::{RepoPath, Task, TaskId};
use rb_flow::Run;
use rb_pack::Need;
use rb_reports::TestResult;
use rb_schema::roles::patcher::{self, PatchResponse};
use rb_verify::Verification;

use crate::error::RunError;
use crate::event::Recovery;
use crate::state::{AgentError, State};

/// The failed tries of a task, those from before it was planned anew among them.
#[derive(Debug)]
pub(crate) struct Tries<'s> {
    of: Option<TaskId>,
    errors: Vec<&'s AgentError>,
}

/// The most tests that are quoted, and lines of each.
const TESTS: usize = 3;
const LINES: usize = 16;

impl<'s> Tries<'s> {
    pub(crate) fn of(state: &'s State, task: Option<&Task>) -> Tries<'s> {
        let is_of = |error: &&AgentError| task.is_some_and(|task| state.is_same(task, error.task));
        Tries { of: task.map(|it| it.id), errors: state.errors.iter().filter(is_of).collect() }
    }

    pub(crate) fn are_of(&self, task: &Task) -> bool {
        self.of == Some(task.id)
    }

    /// One text for each, the newest last.
    pub(crate) fn words(&self, run: &Run) -> Result<Vec<String>, RunError> {
        let mut words: Vec<String> = Vec::new();
        let mut checked = None;
        for (at, error) in self.errors.iter().enumerate() {
            let record = record(run, error)?;
            words.push(told(error, record.as_ref()));
            if had_patch(error.failure) {
                checked = record.map(|record| (at, record));
            }
        }
        if let Some((at, record)) = checked {
            words[at].push_str(&said_by_tests(&record));
        }
        Ok(words)
    }

    /// The source of tests that failed in the last of them that had a patch, as far as the runner says where it is.
    pub(crate) fn failing_tests(&self, run: &Run, root: &Path) -> Result<Vec<Need>, RunError> {
        let Some(error) = self.last_with_patch() else { return Ok(Vec::new()) };
        let Some(record) = record(run, error)? else { return Ok(Vec::new()) };
        let failing = failing(&record).filter_map(|(folder, test)| source_of(folder, test, root));
        Ok(failing.take(TESTS).collect())
    }

    /// What the last answer with edits wanted to change, if they had no place; else the last patch. An answer without either, as one
    /// that asks for more code, takes neither away.
    pub(crate) fn patch(&self, run: &Run) -> Result<Option<String>, RunError> {
        let last = self.errors.last().filter(|error| error.failure == Failure::Model);
        if let Some(error) = last
            && let Some(answer) = fs::read_optional(&run.dir.answer(error.task))?
            && let Ok(answer) = serde_json::from_slice::<PatchResponse>(&answer)
            && let Some(edits) = shown_edits(&answer)
        {
            return Ok(Some(edits));
        }
        let Some(error) = self.last_with_patch() else { return Ok(None) };
        let text = fs::read_optional(&run.dir.proposal(error.task))?;
        Ok(text.map(|text| String::from_utf8_lossy(&text).into_owned()))
    }

    fn last_with_patch(&self) -> Option<&'s AgentError> {
        self.errors.iter().rev().find(|error| had_patch(error.failure)).copied()
    }
}

/// Edits and new files as a person would write them down.
fn shown_edits(answer: &PatchResponse) -> Option<String> {
    let mut text = String::new();
    for patcher::Edit { path, search, replace } in answer.edits.iter().flatten() {
        let (search, replace) = (search.trim_end(), replace.trim_end());
        let _ = writeln!(text, "{path}: search\n{search}\n{path}: replace\n{replace}");
    }
    for patcher::NewFile { path, content } in answer.new_files.iter().flatten() {
        let _ = writeln!(text, "{path}: new file\n{}", content.trim_end());
    }
    (!text.is_empty()).then_some(text)
}

/// The record of the checks that an attempt failed. If it cannot be read, test messages are left out; the names are still told.
fn record(run: &Run, error: &AgentError) -> Result<Option<Verification>, RunError> {
    let is_checked = matches!(error.failure, Failure::Verify | Failure::Collapse);
    let Some(file) = error.verification.as_ref().filter(|_| is_checked) else { return Ok(None) };
    let record = fs::read_optional(&run.dir.join(file))?.unwrap_or_default();
    Ok(serde_json::from_slice(&record).ok())
}

fn had_patch(failure: Failure) -> bool {
    match failure {
        Failure::Model | Failure::Blocked => false,
        Failure::Patch
        | Failure::Critic
        | Failure::Audit
        | Failure::Cascade
        | Failure::Contract
        | Failure::Verify
        | Failure::Collapse
        | Failure::Person => true,
    }
}

/// What became of a try. That a check could not be started, as before the change, is left out: no patch can change that.
fn told(error: &AgentError, record: Option<&Verification>) -> String {
    let what = match error.failure {
        Failure::Blocked if error.recovery == Recovery::ShowMore => {
            "more code was asked for; it is now among the files"
        }
        Failure::Model => "the answer could not be used",
        Failure::Patch => "the patch was rejected before it was applied",
        Failure::Blocked => "it was blocked",
        Failure::Critic => "a reviewer objected to the patch",
        Failure::Audit => "static checks found a problem",
        Failure::Cascade => "the change breaks files that it does not touch",
        Failure::Contract => "the change alters a public interface",
        Failure::Verify | Failure::Collapse => "the checks failed with the change",
        Failure::Person => "the user rejected the change",
    };
    let mut text = format!("Attempt {}: {what}.\n", error.attempt);
    let not_started = record.map(Verification::not_started).unwrap_or_default();
    for reason in error.reasons.iter().filter(|it| !not_started.contains(it)) {
        let _ = writeln!(text, "- {}", reason.trim_end().replace('\n', "\n  "));
    }
    text
}

/// Why tests fail that did not fail before, in their own words.
fn said_by_tests(record: &Verification) -> String {
    let mut text = String::new();
    let with_words = failing(record).filter_map(|(_, test)| Some((test, test.message.as_ref()?)));
    for (test, message) in with_words.take(TESTS) {
        let _ = writeln!(text, "{}:", test.id);
        let lines: Vec<&str> = message.lines().filter(|line| !is_foreign_frame(line)).collect();
        for line in both_ends(&lines) {
            let _ = writeln!(text, "{}", format!("  {line}").trim_end());
        }
    }
    text
}

/// The first and the last lines: some runners say what went wrong at the beginning, others at the end.
fn both_ends<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    if lines.len() <= LINES {
        return lines.to_vec();
    }
    let half = LINES / 2;
    [&lines[..half], &["…"], &lines[lines.len() - half..]].concat()
}

/// Tests that fail and did not fail before, or were not there, with the folder that they ran in.
fn failing(record: &Verification) -> impl Iterator<Item = (&str, &TestResult)> {
    let compared = record.commands.iter().filter_map(|it| Some((it, it.comparison.as_ref()?)));
    compared.flat_map(|(checked, comparison)| {
        let results = checked.run.tests.iter().flat_map(|tests| &tests.results);
        let failing = results.filter(move |test| {
            comparison.broken.contains(&test.id) || comparison.new_failing.contains(&test.id)
        });
        failing.map(|test| (checked.run.command.folder.as_str(), test))
    })
}

/// Where a test is written: at its line, or where its name stands. Runners name files as seen from their folder or from the root.
fn source_of(folder: &str, test: &TestResult, root: &Path) -> Option<Need> {
    let file = test.file.as_ref()?;
    let paths = [format!("{folder}/{file}"), file.clone()];
    let mut paths =
        paths.iter().filter_map(|path| RepoPath::new(path.trim_start_matches('/')).ok());
    let path = paths.find(|path| path.below(root).is_file())?;
    let id = test.id.to_string();
    let name = id.rsplit(" › ").next().unwrap_or_default();
    let by_name = || {
        let source = fs::read_optional(&path.below(root)).ok()??;
        let source = String::from_utf8_lossy(&source).into_owned();
        let at = source.lines().position(|line| line.contains(name))?;
        u32::try_from(at + 1).ok()
    };
    let line = test.line.or_else(by_name)?;
    let why = format!("the failing test {id}");
    Some(Need::Lines { path: path.to_string(), first: line, last: line, why })
}

/// A line of a stack that leads through the runtime or a package: it differs between versions, and says nothing of the change.
fn is_foreign_frame(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("at ") && ["node:", "node_modules/"].iter().any(|it| line.contains(it))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use rb_core::TaskId;
    use rb_reports::{Outcome, TestId};
    use serde_json::json;

    use super::*;

    #[test]
    fn rf7_a_try_is_told_with_what_became_of_it() {
        let error = AgentError {
            task: TaskId(2),
            attempt: 2,
            failure: Failure::Patch,
            reasons: vec!["`a.js` is out of scope".to_owned(), "two\nlines\n".to_owned()],
            recovery: Recovery::RetryNarrowed,
            verification: None,
        };
        expect![[r"
            Attempt 2: the patch was rejected before it was applied.
            - `a.js` is out of scope
            - two
              lines
        "]]
        .assert_eq(&told(&error, None));
    }

    #[test]
    fn rf4_rf7_a_check_that_cannot_be_started_is_not_told() {
        let checked = |purpose: &str, how: serde_json::Value, verdict: &str, reason: &str| {
            let command = json!({"purpose": purpose, "folder": "web", "line": "x", "found": ""});
            let run = json!({
                "command": command, "how": how, "ms": 1, "cpu_ms": null, "peak_memory": null,
                "stdout": null, "stderr": null, "said": "", "tests": null, "verdict": verdict,
                "reasons": [reason],
            });
            json!({"run": run, "comparison": null, "verdict": verdict, "reasons": [reason]})
        };
        let not_run = || json!({"how": "not_run"});
        let record: Verification = serde_json::from_value(json!({
            "effort": "fast", "flaky": [], "standing": null, "benchmark": null, "verdict": "fail",
            "reasons": [],
            "commands": [
                checked("typecheck", not_run(), "no_verifier_ran", "mypy is not installed"),
                // It ran before the change.
                checked("lint", not_run(), "fail", "ruff is not installed"),
                checked("test", json!({"how": "exit", "code": 1}), "fail", "broken (1): `a`"),
            ],
        }))
        .unwrap();
        let reasons = [
            "test in web: broken (1): `a`",
            "lint in web: ruff is not installed",
            "typecheck in web: mypy is not installed",
        ];
        let error = AgentError {
            task: TaskId(2),
            attempt: 1,
            failure: Failure::Verify,
            reasons: reasons.map(str::to_owned).to_vec(),
            recovery: Recovery::RetryNarrowed,
            verification: None,
        };
        expect![[r"
            Attempt 1: the checks failed with the change.
            - test in web: broken (1): `a`
            - lint in web: ruff is not installed
        "]]
        .assert_eq(&told(&error, Some(&record)));
    }

    #[test]
    fn rf4_a_failing_test_is_found_from_the_folder_that_it_ran_in_and_from_the_root() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["web/test/a.test.js", "test/b.test.js"] {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, b"// First.\ntest('greets')\n", fs::Durability::Relaxed).unwrap();
        }
        let found = |run_in: &str, file: &str| {
            let test = TestResult {
                id: TestId::new(format!("{file} › greets")),
                file: Some(file.to_owned()),
                line: None,
                outcome: Outcome::Failed,
                ms: None,
                message: None,
            };
            source_of(run_in, &test, folder.path()).map(|need| match need {
                Need::Lines { path, first, .. } => format!("{path}:{first}"),
                Need::Asked(_) => unreachable!("it is no question"),
            })
        };
        assert_eq!(found("web", "test/a.test.js").unwrap(), "web/test/a.test.js:2");
        assert_eq!(found("web", "web/test/a.test.js").unwrap(), "web/test/a.test.js:2");
        assert_eq!(found("", "test/b.test.js").unwrap(), "test/b.test.js:2");
        assert_eq!(found("web", "test/b.test.js").unwrap(), "test/b.test.js:2");
        assert_eq!(found("web", "test/c.test.js"), None);
    }

    #[test]
    fn rf7_of_a_long_message_both_ends_are_told() {
        let lines: Vec<String> = (0..100).map(|at| at.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(both_ends(&lines[..LINES]), lines[..LINES]);
        let ends = both_ends(&lines);
        assert_eq!((ends.len(), ends[7], ends[8], ends[16]), (LINES + 1, "7", "…", "99"));
    }

    #[test]
    fn rf7_frames_of_the_runtime_are_left_out() {
        assert!(is_foreign_frame("    at Test.run (node:internal/test_runner/test:796:25)"));
        assert!(is_foreign_frame("    at it (node_modules/vitest/dist/index.js:1:1)"));
        assert!(!is_foreign_frame("    at TestContext.<anonymous> (file://test/a.test.js:43:10)"));
        assert!(!is_foreign_frame("  node: the text of an assertion"));
    }
}
