//! The tests of the project, run once in the sandbox, and its formatter.
//!
//! `Bench` knows how the commands of the project are run; what a run means is judged elsewhere.

mod cargo;
mod go_test;
mod minitest;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rb_core::fs;
use rb_core::process::Env;
use rb_core::{Cancel, Progress};
use rb_reports::{Outcome, TestResult};
use rb_sandbox::Sandbox;
use rb_toolchains::{Detected, Formatter, detect};
use rb_verify::{CommandRun, How, Options, Part, Passed, Site, Verifier, VerifyError};
use serde::{Deserialize, Serialize};

use crate::error::KataError;
use crate::runner::Runner;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteRun {
    pub verdict: SuiteVerdict,
    /// Ids of tests as the report names them (`file › suite › name`), sorted.
    pub passed: Vec<String>,
    /// Ids and messages.
    pub failed: Vec<FailedTest>,
    pub skipped: Vec<String>,
    /// What the command printed, standard output and standard error, head and tail where it is long; paths of the machine removed.
    pub output: String,
    pub ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTest {
    pub id: String,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteVerdict {
    /// Tests ran, and all passed.
    Green,
    /// Tests ran, and some failed.
    Red,
    /// The command failed before any test ran: it does not compile, or a test file cannot be loaded.
    NotBuilt,
    /// The command ran no test.
    NoTests,
    /// It was stopped after so many seconds.
    TimedOut { after_s: u64 },
    /// It was stopped for another reason, in words: too much memory, too many processes, a signal.
    Stopped { why: String },
}

impl SuiteRun {
    /// Whether a test with this name ran: the id is the name, or ends with it after a separator.
    pub fn names(id: &str, test: &str) -> bool {
        id.strip_suffix(test)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', ':', '.', '#', '/', '>']))
    }
}

/// Where the commands of a project run, and with what.
pub struct BenchOptions {
    pub runner: Runner,
    /// The folder of the project.
    pub folder: PathBuf,
    /// The user's own checkout, where the project is a worktree of it.
    pub checkout: Option<PathBuf>,
    /// Caches and outputs of the run.
    pub scratch: PathBuf,
    pub work: PathBuf,
    pub env: Env,
    pub passed: Passed,
    pub shim: Option<PathBuf>,
    pub verify: Options,
    pub cancel: Cancel,
    pub progress: Arc<dyn Progress + Send + Sync>,
}

/// What the commands of a project are run with.
pub struct Bench {
    runner: Runner,
    env: Env,
    checkout: Option<PathBuf>,
    verifier: Verifier,
}

/// A formatter that takes longer hangs.
const FORMAT: Duration = Duration::from_mins(2);

/// Characters of an output: half from its head, half from its tail.
const OUTPUT: usize = 24_000;

impl Bench {
    pub fn open(options: BenchOptions) -> Result<Bench, KataError> {
        let BenchOptions { runner, folder, checkout, scratch, work, env, passed, .. } = options;
        let BenchOptions { shim, verify, cancel, progress, .. } = options;
        let sandbox = Sandbox::probe(&verify.sandbox, &env, shim.as_deref(), &cancel)
            .map_err(VerifyError::from)?;
        let site = Site {
            worktree: folder.clone(),
            root: folder,
            checkouts: checkout.iter().cloned().collect(),
            borrowed: Vec::new(),
            made: Vec::new(),
            local: None,
            python_path: Vec::new(),
            scratch,
            work,
            home: env.get("HOME").map(PathBuf::from),
            env: env.clone(),
            passed,
        };
        let caches = rb_verify::caches(&Detected::default());
        let verifier = Verifier { site, sandbox, options: verify, caches, cancel, progress };
        Ok(Bench { runner, env, checkout, verifier })
    }

    /// Runs all tests. `paths` are the files of the project; `name` names the outputs of this run.
    pub fn run(&mut self, paths: &[String], name: &str) -> Result<SuiteRun, KataError> {
        let detected = self.detected(paths);
        let folder = self.verifier.site.root.clone();
        let Some(command) = self.runner.test_command(&detected) else {
            return Err(KataError::NoTestCommand(folder));
        };
        self.verifier.caches = rb_verify::caches(&detected);
        self.verifier.caches.add(self.runner.toolchain().caches());
        rb_verify::prepare(&mut self.verifier, &detected, self.checkout.as_deref())?;
        let run = self.verifier.run(&command, Part::All, name, None)?;
        if run.how == How::NotRun {
            return Err(KataError::TestsNotRun { why: run.reasons.join("; ") });
        }
        suite_run(self.runner, &folder, &run)
    }

    /// How the project is built and tested, by its manifests.
    pub fn detected(&self, paths: &[String]) -> Detected {
        let have = |program: &str| self.env.find(program).is_some();
        detect(&self.verifier.site.root, paths, &have)
    }

    /// Formats files, where the project has a formatter that can be run. One that fails leaves the files to the tests.
    pub fn format(&self, paths: &[&str]) -> Result<(), KataError> {
        let have = |program: &str| self.env.find(program).is_some();
        let root = &self.verifier.site.root;
        let mut formatters: Vec<(Formatter, Vec<&str>)> = Vec::new();
        for path in paths {
            let Some(formatter) = Formatter::of(root, path, &have) else { continue };
            match formatters.iter_mut().find(|(known, _)| *known == formatter) {
                Some((_, files)) => files.push(path),
                None => formatters.push((formatter, vec![path])),
            }
        }
        for (formatter, files) in &formatters {
            self.verifier.shell(&formatter.line(files), "format", FORMAT)?;
        }
        Ok(())
    }
}

fn suite_run(runner: Runner, folder: &Path, run: &CommandRun) -> Result<SuiteRun, KataError> {
    let verdict = verdict(run);
    let results = results(runner, run);
    let ids = |wanted: Outcome| -> Vec<String> {
        let wanted = results.iter().filter(|test| test.outcome == wanted);
        wanted.map(|test| test.id.to_string()).collect()
    };
    let failed = results.iter().filter(|test| test.outcome == Outcome::Failed);
    let failed = failed.map(|test| FailedTest {
        id: test.id.to_string(),
        message: steady(test.message.as_deref().unwrap_or_default()),
    });
    let output = match verdict {
        SuiteVerdict::Green => String::new(),
        _ => output(runner, folder, run)?,
    };
    Ok(SuiteRun {
        verdict,
        passed: ids(Outcome::Passed),
        failed: failed.collect(),
        skipped: ids(Outcome::Skipped),
        output,
        ms: run.ms,
    })
}

/// One for each test that is written.
fn results(runner: Runner, run: &CommandRun) -> Vec<TestResult> {
    let results = run.tests.iter().flat_map(|tests| &tests.results).cloned().collect();
    if runner == Runner::Go { go_test::functions(results) } else { results }
}

fn verdict(run: &CommandRun) -> SuiteVerdict {
    match &run.how {
        How::TimedOut { after_s } => return SuiteVerdict::TimedOut { after_s: *after_s },
        How::Signal { .. } | How::TooManyProcesses { .. } | How::OutOfMemory { .. } => {
            return SuiteVerdict::Stopped { why: run.how.brief() };
        }
        How::Exit { .. } | How::Hung | How::NotRun => {}
    }
    let Some(tests) = &run.tests else {
        return if run.how.is_success() { SuiteVerdict::NoTests } else { SuiteVerdict::NotBuilt };
    };
    let is_clean = tests.troubles.is_empty();
    match (tests.counts.passed, tests.counts.failed) {
        (0, 0) if is_clean => SuiteVerdict::NoTests,
        (_, 0) if is_clean && run.how.is_success() => SuiteVerdict::Green,
        (0, 0) => SuiteVerdict::NotBuilt,
        _ => SuiteVerdict::Red,
    }
}

/// Both streams as text, without colors and without the folder of the project.
fn output(runner: Runner, folder: &Path, run: &CommandRun) -> Result<String, KataError> {
    let mut texts = Vec::new();
    for file in [&run.stdout, &run.stderr].into_iter().flatten() {
        let bytes = fs::read_head(file, 1 << 20)?;
        let text = readable(runner, &String::from_utf8_lossy(&bytes));
        if !text.is_empty() {
            texts.push(text);
        }
    }
    let text = steady(&texts.join("\n")).replace(&format!("{}/", folder.display()), "");
    let count = text.chars().count();
    if count <= OUTPUT {
        return Ok(text);
    }
    let head: String = text.chars().take(OUTPUT / 2).collect();
    let tail: String = text.chars().skip(count - OUTPUT / 2).collect();
    Ok(format!("{head}\n…\n{tail}"))
}

/// The text of one stream for people, without blank lines around it.
fn readable(runner: Runner, printed: &str) -> String {
    let text = match runner {
        Runner::Go => go_test::text_of_events(printed),
        Runner::Ruby => minitest::failures_in(printed),
        Runner::Rust => cargo::diagnostics_once(printed),
        Runner::Typescript | Runner::Javascript => {
            without_lines(printed, |line| line.starts_with("at ") && line.contains("node:"))
        }
        Runner::Python | Runner::Java => printed.to_owned(),
    };
    let text = rb_reports::without_colors(&text);
    text.trim_end().trim_start_matches(['\r', '\n']).to_owned()
}

/// Without what no reader needs, such as the stack frames inside of Node.
fn without_lines(printed: &str, is_noise: impl Fn(&str) -> bool) -> String {
    printed.lines().filter(|line| !is_noise(line.trim_start())).collect::<Vec<_>>().join("\n")
}

/// The text without what differs from run to run although nothing has changed: times, and numbers of threads. What a model is told
/// of the same code is then the same.
fn steady(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("duration_ms")).map(steady_line);
    lines.collect::<Vec<_>>().join("\n")
}

fn steady_line(line: &str) -> String {
    let is_number =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if let Some((thread, rest)) = line.split_once("' (")
        && let Some((number, what)) = rest.split_once(") panicked at")
        && thread.contains("thread '")
        && is_number(number)
    {
        return format!("{thread}' panicked at{what}");
    }
    let end = line.trim_end();
    let is_time = |word: &str| {
        word.strip_suffix('s').is_some_and(|time| is_number(time.strip_suffix('m').unwrap_or(time)))
    };
    if let Some((what, time)) = end.rsplit_once(" (")
        && time.strip_suffix(')').is_some_and(is_time)
    {
        return what.to_owned();
    }
    match end.rsplit_once(" in ").or_else(|| end.rsplit_once('\t')) {
        Some((what, time)) if is_time(time) => what.to_owned(),
        Some(_) | None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_what_no_reader_needs_is_left_out() {
        let printed =
            "1 !== 2\n    at one (a.test.ts:3:4)\n    at Test.run (node:internal/test:1:2)";
        assert_eq!(readable(Runner::Typescript, printed), "1 !== 2\n    at one (a.test.ts:3:4)");
    }

    #[test]
    fn ka2_what_is_told_of_the_same_code_is_the_same() {
        let check = |text: &str, expected: &str| assert_eq!(steady(text), expected);
        check("thread 'one' (51) panicked at a.rs:1:2:", "thread 'one' panicked at a.rs:1:2:");
        check(
            "thread 'one' (main) panicked at a.rs:1:2:",
            "thread 'one' (main) panicked at a.rs:1:2:",
        );
        check("Ran 1 test in 0.001s", "Ran 1 test");
        check("Ran 1 test in 10 steps", "Ran 1 test in 10 steps");
        check(
            "--- FAIL: TestSum (0.01s)\nFAIL\tkata/sum\t0.002s",
            "--- FAIL: TestSum\nFAIL\tkata/sum",
        );
        check("✖ three (1.25ms)\n# duration_ms 1.5\nfail", "✖ three\nfail");
    }

    #[test]
    fn ka2_a_test_is_found_in_a_report_by_its_name() {
        let check = |id: &str, name: &str, expected: bool| {
            assert_eq!(SuiteRun::names(id, name), expected, "{id} {name}");
        };
        check("one_is_one", "one_is_one", true);
        check("tests/fizz.rs › one_is_one", "one_is_one", true);
        check("tests::one_is_one", "one_is_one", true);
        check("tests.test_fizz.FizzTest.test_one", "test_one", true);
        check("test/a.test.js › three is Fizz", "three is Fizz", true);
        check("one_is_one_too", "one_is_one", false);
        check("not_one_is_one", "one_is_one", false);
        check("", "one", false);
    }
}
