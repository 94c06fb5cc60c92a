//! A proposal of an agent as files: checked for what this agent may write, then written, formatted and staged.

use std::fmt::Write as _;

use rb_core::RepoPath;
use rb_core::fs::{self, Durability};

use super::event::{Agent, Event, KataEvent, Refusal, Start};
use super::world::{World, text_of};
use crate::error::KataError;
use crate::suite::{SuiteRun, SuiteVerdict};
use crate::text_file::TextFile;

/// Why a proposal is refused: the kind, and what the model is told.
pub(super) type Refused = (Refusal, String);

/// Files of one proposal.
const MOST_FILES: usize = 40;
/// Characters of all of them.
const MOST_CHARS: usize = 400_000;
/// Lines of an output that a model is told.
const SHOWN_LINES: usize = 60;

pub(super) fn refused(agent: Agent, (refusal, reason): Refused) -> Event {
    KataEvent::Refused { agent, refusal, reason }.into()
}

/// The proposal of an implementation without the test files in it: they are those of the Tester, whatever else is written into them.
pub(super) fn without_tests(
    start: &Start,
    files: &[TextFile],
    deleted: &[String],
) -> Result<(Vec<TextFile>, Vec<String>), Refused> {
    let is_own = |path: &str| !start.runner.is_test(path);
    let own: Vec<TextFile> = files.iter().filter(|file| is_own(&file.path)).cloned().collect();
    let gone: Vec<String> = deleted.iter().filter(|path| is_own(path)).cloned().collect();
    match files.iter().map(|file| &file.path).chain(deleted).next() {
        Some(path) if own.is_empty() && gone.is_empty() => {
            let text = format!(
                "You wrote only `{path}`, which is a test. Tests cannot be changed; write the \
                 implementation."
            );
            Err((Refusal::WrongFile, text))
        }
        Some(_) | None => Ok((own, gone)),
    }
}

/// Whether the agent may write all of these paths, and delete those. The Tester writes tests, the others the implementation.
pub(super) fn check(
    start: &Start,
    agent: Agent,
    files: &[TextFile],
    deleted: &[String],
) -> Result<(), Refused> {
    let chars: usize = files.iter().map(|file| file.text.len()).sum();
    if files.len() > MOST_FILES || chars > MOST_CHARS {
        let text = format!(
            "The proposal is too large. Write at most {MOST_FILES} files with {MOST_CHARS} characters \
             in all."
        );
        return Err((Refusal::WrongFile, text));
    }
    if files.is_empty() && deleted.is_empty() {
        return Err((Refusal::NoChange, "The answer has no files.".to_owned()));
    }
    let runner = start.runner;
    for path in files.iter().map(|file| &file.path).chain(deleted) {
        let is_allowed = match agent {
            Agent::Tester => runner.is_test(path),
            Agent::Implementer | Agent::Refactorer => runner.is_source(path),
            Agent::Supervisor => false,
        };
        if RepoPath::new(path).is_err() || !is_allowed {
            return Err((Refusal::WrongFile, wrong_file(agent, path, runner.is_test(path))));
        }
    }
    Ok(())
}

fn wrong_file(agent: Agent, path: &str, is_test: bool) -> String {
    let who = agent.name();
    let what = match agent {
        Agent::Tester => "test files",
        Agent::Implementer | Agent::Refactorer | Agent::Supervisor => "files of the implementation",
    };
    let also = if is_test { " Tests cannot be changed." } else { "" };
    format!("The {who} may not write `{path}`: it may write only {what}.{also}")
}

/// Writes a checked proposal, formats it and stages it. Files of `tree` that the agent may not write are put back, whatever the
/// formatter did to them. Gives the tree.
pub(super) fn apply(
    world: &mut World,
    start: &Start,
    agent: Agent,
    (files, deleted): (&[TextFile], &[String]),
    tree: &str,
) -> Result<Result<String, Refused>, KataError> {
    for file in files {
        let path = RepoPath::new(&file.path).expect("it was checked");
        let place = fs::contained(world.project(start)?.folder(), &path)?;
        let folder = world.project(start)?.folder().to_owned();
        let blocks = |at: &&std::path::Path| at.starts_with(&folder) && at.is_file();
        if place.is_dir() || place.ancestors().skip(1).any(|at| blocks(&at)) {
            let text = format!("`{path}` cannot be written: a folder or a file is in its place.");
            return Ok(Err((Refusal::WrongFile, text)));
        }
        fs::create_dir_all(place.parent().unwrap_or(&folder))?;
        fs::write(&place, with_last_newline(&file.text).as_bytes(), Durability::Relaxed)?;
    }
    for path in deleted {
        let path = RepoPath::new(path).expect("it was checked");
        fs::remove_file(&fs::contained(world.project(start)?.folder(), &path)?)?;
    }
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    world.bench(start)?.format(&paths)?;
    let project = world.project(start)?;
    let written = project.stage()?;
    let is_foreign = |path: &RepoPath| {
        let path = text_of(path);
        match agent {
            Agent::Tester => !start.runner.is_test(&path),
            Agent::Implementer | Agent::Refactorer => !start.runner.is_source(&path),
            Agent::Supervisor => true,
        }
    };
    let foreign: Vec<RepoPath> =
        project.differences(tree, &written)?.into_iter().filter(is_foreign).collect();
    if foreign.is_empty() {
        return Ok(Ok(written));
    }
    project.put_back(tree, &foreign)?;
    Ok(Ok(project.stage()?))
}

fn with_last_newline(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Runs all tests of the project as it is staged.
pub(super) fn run_tests(
    world: &mut World,
    start: &Start,
    name: &str,
) -> Result<SuiteRun, KataError> {
    let paths = world.project(start)?.paths()?;
    let paths: Vec<String> = paths.iter().map(text_of).collect();
    world.bench(start)?.run(&paths, name)
}

/// Whether all tests pass: those that passed before and, where one was added, the new one. `Err` is what the model is told.
pub(super) fn must_pass(
    run: &SuiteRun,
    earlier: &[String],
    new: Option<&str>,
) -> Result<(), Refused> {
    let missing: Vec<&String> = earlier.iter().filter(|id| !run.passed.contains(id)).collect();
    match &run.verdict {
        SuiteVerdict::Green if !missing.is_empty() => {
            let names: Vec<String> = missing.iter().take(5).map(|id| format!("`{id}`")).collect();
            let text = format!("Tests that passed before did not run: {}.", names.join(", "));
            Err((Refusal::TestsFail, text))
        }
        SuiteVerdict::Green => match new {
            Some(name) if !run.passed.iter().any(|id| SuiteRun::names(id, name)) => {
                let text = format!("The test `{name}` did not run.");
                Err((Refusal::TestsFail, text))
            }
            Some(_) | None => Ok(()),
        },
        SuiteVerdict::Red => Err((Refusal::TestsFail, failing(run))),
        SuiteVerdict::NotBuilt => Err((Refusal::NotBuilt, tail(run))),
        SuiteVerdict::NoTests => Err((Refusal::TestsFail, format!("No test ran.\n{}", tail(run)))),
        SuiteVerdict::TimedOut { after_s } => {
            let text = format!("The tests did not end within {after_s} s and were stopped.");
            Err((Refusal::TimedOut, text))
        }
        SuiteVerdict::Stopped { why } => {
            Err((Refusal::TestsFail, format!("The test command {why}.\n{}", tail(run))))
        }
    }
}

/// The failing tests with their messages, then the end of the output.
fn failing(run: &SuiteRun) -> String {
    let mut text = String::new();
    for test in run.failed.iter().take(5) {
        let _ = writeln!(text, "Test `{}` fails:", test.id);
        for line in test.message.lines().take(20) {
            let _ = writeln!(text, "  {line}");
        }
    }
    if run.failed.len() > 5 {
        let _ = writeln!(text, "{} more tests fail.", run.failed.len() - 5);
    }
    if run.failed.iter().all(|test| test.message.trim().is_empty()) {
        text.push_str(&tail(run));
    }
    text.trim_end().to_owned()
}

fn tail(run: &SuiteRun) -> String {
    let lines: Vec<&str> = run.output.lines().collect();
    let first = lines.len().saturating_sub(SHOWN_LINES);
    lines[first..].join("\n")
}
