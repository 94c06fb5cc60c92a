//! Runs the commands of a repository, confined, and reads what their tests did.
//!
//! One `Verifier` serves a whole run: it knows where the worktree is, what of the home a toolchain needs, and where outputs go.
//! It decides nothing about a change; it says what one command did, once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::fs::{self, FsError};
use rb_core::process::Env;
use rb_core::{Cancel, Verdict};
use rb_reports::Report;
use rb_sandbox::{Ended, Job, Limits, Network, Ran, Sandbox, SandboxError};
use rb_toolchains::{Ask, Caches, Command, Detected, Place, Purpose, Runner, line_command};
use thiserror::Error;

use crate::collect;
use crate::options::Options;
use crate::record::{CommandRun, How, Named, Tests};

/// Where commands run and where what they leave is kept.
#[derive(Debug, Clone)]
pub struct Site {
    /// The throwaway worktree; the only place of the repository that can be written.
    pub worktree: PathBuf,
    /// What the folders of commands are relative to: the worktree, or the folder of it that is worked on.
    pub root: PathBuf,
    /// Folders of the user's checkout that the worktree borrows from, to be read only.
    pub borrowed: Vec<PathBuf>,
    /// What was put into the worktree to make it ready, relative to it; no part of any change.
    pub made: Vec<String>,
    /// Settings of the checkout that git does not keep; looked for once.
    pub local: Option<Vec<String>>,
    /// Where Python looks first: a project that is installed as editable in a borrowed environment would otherwise be
    /// that of the checkout, and pass whatever was changed here.
    pub python_path: Vec<PathBuf>,
    /// Caches of the tools, for all runs on this repository; may be thrown away.
    pub scratch: PathBuf,
    /// Reports and outputs of this run.
    pub work: PathBuf,
    pub home: Option<PathBuf>,
    pub env: Env,
}

impl Site {
    /// One pair of files a command.
    pub fn logs(&self) -> PathBuf {
        self.work.join("logs")
    }

    fn reports(&self) -> PathBuf {
        self.work.join("reports")
    }

    pub(crate) fn make(&self) -> Result<(), FsError> {
        [self.logs(), self.reports(), self.scratch.clone()]
            .iter()
            .try_for_each(|folder| fs::create_dir_all(folder))
    }

    pub(crate) fn writable(&self) -> Vec<PathBuf> {
        vec![self.worktree.clone(), self.scratch.clone(), self.reports()]
    }
}

pub struct Verifier {
    pub site: Site,
    pub sandbox: Sandbox,
    pub options: Options,
    pub caches: Caches,
    pub cancel: Cancel,
}

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("the baseline of this run cannot be read: {0}")]
    BadRecord(String),
}

/// What of a command is to run.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    All,
    /// Test files, or what the runner can be asked for in their place.
    Selected(&'a [String]),
}

/// The least that a command may take, whatever the baseline took.
const SHORTEST: Duration = Duration::from_mins(2);

/// A command that takes so many times as long as before hangs.
const HANGS: u32 = 5;

/// Head and tail of an output that goes into a report.
const SAID: usize = 4 << 10;

impl Verifier {
    /// Runs a command once. `name` tells this run from others of the same command, and names its outputs. `before` is how long it
    /// took in the baseline.
    pub fn run(
        &self,
        command: &Command,
        part: Part<'_>,
        name: &str,
        before: Option<Duration>,
    ) -> Result<CommandRun, VerifyError> {
        let mut run = Self::blank(command);
        if let Some(missing) = self.missing(command) {
            run.reasons.push(format!("`{missing}` was not found"));
            return Ok(run);
        }
        self.site.make()?;
        let limit = self.limit(before);
        for (step, at) in command.before.iter().zip(1..) {
            let ran =
                self.job(command, &step.argv, &step.env, &format!("{name}-before{at}"), limit)?;
            if !enter(&mut run, &ran) {
                run.reasons.push(format!("`{}`, which comes first, failed", step.line));
                return Ok(run);
            }
        }
        let ran = self.main(command, part, name, limit, &mut run)?;
        if let Some(missing) = missing_tool(&ran) {
            run.reasons.push(missing);
            return Ok(run);
        }
        let went_well = enter(&mut run, &ran);
        judge(&mut run);
        if went_well {
            for (step, at) in command.after.iter().zip(1..) {
                let name = format!("{name}-after{at}");
                let ran = self.job(command, &step.argv, &step.env, &name, limit)?;
                if !enter(&mut run, &ran) {
                    run.verdict = Verdict::Fail;
                    run.reasons.push(format!("`{}`, which comes last, failed", step.line));
                    break;
                }
            }
        }
        Ok(run)
    }

    fn blank(command: &Command) -> CommandRun {
        CommandRun {
            command: named(command),
            how: How::NotRun,
            ms: 0,
            cpu_ms: None,
            peak_memory: None,
            stdout: None,
            stderr: None,
            said: String::new(),
            tests: None,
            verdict: Verdict::NoVerifierRan,
            reasons: Vec::new(),
        }
    }

    /// The first program that the command needs and nobody has.
    fn missing<'a>(&self, command: &'a Command) -> Option<&'a str> {
        let there = |program: &str| {
            let own = command.path.iter().map(|folder| self.site.root.join(folder).join(program));
            own.into_iter().any(|file| file.exists())
                || self.site.root.join(&command.folder).join(program).is_file()
                || self.site.env.find(program).is_some()
        };
        command.needs.iter().map(String::as_str).find(|program| !there(program))
    }

    fn limit(&self, before: Option<Duration>) -> Duration {
        let most = self.options.timeout();
        before.map_or(most, |before| (before * HANGS).max(SHORTEST).min(most))
    }

    /// Runs the command itself, asked for a report where it can be, and reads it.
    fn main(
        &self,
        command: &Command,
        part: Part<'_>,
        name: &str,
        limit: Duration,
        run: &mut CommandRun,
    ) -> Result<Ran, VerifyError> {
        let folder = self.site.reports().join(name);
        fs::remove_dir_all(&folder)?;
        fs::create_dir_all(&folder)?;
        let place = folder.join("report");
        let (argv, extra) = line(command, part, &place.display().to_string());
        if let Some(Ask { place: Place::Pattern(pattern), .. }) = &command.report {
            collect::clear(&self.site.root.join(&command.folder), pattern)?;
        }
        let env: Vec<(String, String)> = command.env.iter().cloned().chain(extra).collect();
        let ran = self.job(command, &argv, &env, name, limit)?;
        if matches!(command.purpose, Purpose::Test | Purpose::Integration) {
            run.tests = self.read_report(command, &place, &ran)?.map(Tests::from);
        }
        Ok(ran)
    }

    /// The runner's own report; where it wrote none, what can be read from its words.
    fn read_report(
        &self,
        command: &Command,
        place: &Path,
        ran: &Ran,
    ) -> Result<Option<Report>, VerifyError> {
        let root = &self.site.root;
        let stdout = || fs::read_head(&ran.stdout.path, collect::LARGEST);
        if let Some(ask) = &command.report {
            let files = match &ask.place {
                Place::File => collect::file(place)?,
                Place::Folder => collect::folder(place)?,
                Place::Pattern(pattern) => collect::matching(&root.join(&command.folder), pattern)?,
                Place::Stdout => vec![(String::new(), stdout()?)],
                Place::Printed => Vec::new(),
            };
            if !files.is_empty()
                && let Ok(report) = rb_reports::read_many(ask.kind, &files, root)
                && (report.counts.total() > 0 || !report.troubles.is_empty())
            {
                return Ok(Some(report));
            }
        }
        let printed = command.runner.and_then(Runner::printed);
        let hint = command.report.as_ref().filter(|ask| ask.place == Place::Printed);
        let hint = hint.map(|ask| ask.kind).or(printed);
        let stderr = fs::read_head(&ran.stderr.path, collect::LARGEST)?;
        Ok(rb_reports::read_text(&stdout()?, &stderr, hint, root))
    }

    /// Runs a line that a person gave in the worktree, confined like all else.
    pub fn shell(&self, line: &str, name: &str, timeout: Duration) -> Result<Ran, VerifyError> {
        self.site.make()?;
        let command = line_command(line, &Detected::default());
        let argv = ["sh", "-c", line].map(str::to_owned);
        self.job(&command, &argv, &[], name, timeout)
    }

    fn job(
        &self,
        command: &Command,
        argv: &[String],
        env: &[(String, String)],
        name: &str,
        timeout: Duration,
    ) -> Result<Ran, VerifyError> {
        let (program, args) = argv.split_first().map_or(("sh", &[][..]), |(p, a)| (p.as_str(), a));
        let job = Job {
            program: program.into(),
            args: args.iter().map(Into::into).collect(),
            cwd: self.site.root.join(&command.folder),
            env: self.environment(command, env),
            writable: self.site.writable(),
            readable: self.readable(),
            hidden: Vec::new(),
            network: Network::Loopback,
            timeout,
            limits: self.limits(),
            log: self.site.logs().join(name),
        };
        match self.sandbox.run(&job, &self.cancel) {
            Err(SandboxError::Cancelled) => Err(VerifyError::Interrupted),
            other => Ok(other?),
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            output: OUTPUT,
            memory: Some(self.options.memory_mb << 20),
            processes: self.options.processes,
        }
    }

    /// What of the home the tools need, and what the worktree borrows.
    pub(crate) fn readable(&self) -> Vec<PathBuf> {
        let mut readable = self.site.borrowed.clone();
        if let Some(home) = &self.site.home {
            readable.extend(self.caches.readable.iter().map(|folder| home.join(folder)));
            let shown = self.caches.settings.iter().map(|file| home.join(file)).filter(|file| {
                let text = fs::read_head(file, 1 << 20).unwrap_or_default();
                rb_toolchains::caches::may_be_shown(&String::from_utf8_lossy(&text))
            });
            readable.extend(shown);
        }
        readable.retain(|path| path.exists());
        readable
    }

    pub(crate) fn environment(&self, command: &Command, extra: &[(String, String)]) -> Env {
        let site = &self.site;
        let scratch = site.scratch.display().to_string();
        let home = site.home.as_deref().unwrap_or(Path::new("/")).display().to_string();
        let mut env = site.env.clone().with("CI", "true").with("NO_COLOR", "1");
        for (name, value) in &self.caches.env {
            env = env.with(*name, value.replace("{scratch}", &scratch).replace("{home}", &home));
        }
        let mut path: Vec<PathBuf> = command
            .path
            .iter()
            .map(|folder| site.root.join(folder))
            .filter(|dir| dir.is_dir())
            .collect();
        if let Some(old) = site.env.get("PATH") {
            path.extend(std::env::split_paths(old));
        }
        if let Ok(joined) = std::env::join_paths(path) {
            env = env.with("PATH", joined);
        }
        if let Ok(joined) = std::env::join_paths(&site.python_path)
            && !joined.is_empty()
        {
            env = env.with("PYTHONPATH", joined);
        }
        let root = site.root.display().to_string();
        for (name, value) in extra {
            env = env.with(name, value.replace("{root}", &root).replace("{scratch}", &scratch));
        }
        env
    }
}

/// Of each output so much is kept: half from its head, half from its tail.
const OUTPUT: u64 = 64 << 20;

/// Why a command did not even begin, where its words say so: what is not installed cannot fail.
fn missing_tool(ran: &Ran) -> Option<String> {
    let Ended::Exit(code @ (1 | 127)) = ran.ended else { return None };
    let said = ran.stderr.excerpt(SAID);
    let last = said.trim_end().lines().last().unwrap_or_default();
    if code == 127 {
        return Some(format!("a program was not found: {last}"));
    }
    let (_, module) = last.split_once(": No module named ")?;
    let is_python = last.split(':').next().is_some_and(|program| program.contains("python"));
    is_python.then(|| format!("the module {module} is not installed"))
}

/// Arguments and variables for a part of a command.
fn line(command: &Command, part: Part<'_>, place: &str) -> (Vec<String>, Vec<(String, String)>) {
    let (all, env) = match &command.report {
        Some(ask) => ask.fill(place),
        None => (command.argv.clone(), Vec::new()),
    };
    let selected = match (part, &command.select) {
        (Part::Selected(files), Some(select)) => select.fill(place, &command.folder, files),
        _ => None,
    };
    (selected.unwrap_or(all), env)
}

/// What a person sees while it runs.
pub(crate) fn step(what: &str, command: &Command) -> String {
    match &*command.folder {
        "" => format!("{what}: {}", command.line),
        folder => format!("{what}: {} in {folder}", command.line),
    }
}

pub(crate) fn named(command: &Command) -> Named {
    let found = match (&*command.found.file, &*command.found.what) {
        ("", what) => what.to_owned(),
        (file, "") => file.to_owned(),
        (file, what) => format!("{file} {what}"),
    };
    let Command { purpose, folder, line, .. } = command;
    Named { purpose: *purpose, folder: folder.clone(), line: line.clone(), found }
}

fn said(ran: &Ran) -> String {
    let texts = [ran.stdout.excerpt(SAID), ran.stderr.excerpt(SAID)];
    let parts = texts.iter().map(|text| text.trim_end()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

/// What all toolchains of a repository need together.
pub fn caches(detected: &Detected) -> Caches {
    let mut all = Caches::default();
    for package in &detected.packages {
        all.add(package.toolchain.caches());
    }
    all
}

/// Adds a process to what is known of the run, and says whether it went well.
fn enter(run: &mut CommandRun, ran: &Ran) -> bool {
    run.how = How::from(&ran.ended);
    run.ms += u64::try_from(ran.elapsed.as_millis()).unwrap_or(u64::MAX);
    let cpu = ran.cpu.map(|cpu| u64::try_from(cpu.as_millis()).unwrap_or(u64::MAX));
    run.cpu_ms = match (run.cpu_ms, cpu) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
    run.peak_memory = run.peak_memory.max(ran.peak_memory);
    run.stdout = Some(ran.stdout.path.clone());
    run.stderr = Some(ran.stderr.path.clone());
    let went_well = run.how.is_success();
    if !went_well {
        run.verdict = Verdict::Fail;
        run.said = said(ran);
        run.reasons.push(format!("`{}` {}", run.command.line, run.how.words()));
    }
    went_well
}

/// So many troubles are told as reasons; all are on record.
const MOST_TROUBLES: usize = 5;

/// What went wrong beside the tests, a line each, and where.
fn trouble_words(tests: &Tests) -> Vec<String> {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let words = tests.troubles.iter().take(MOST_TROUBLES).map(|trouble| match &trouble.file {
        Some(file) => format!("{file}: {}", first(&trouble.message)),
        None => first(&trouble.message),
    });
    words.collect()
}

/// The verdict on one command by itself, from how it ended and what its tests did.
fn judge(run: &mut CommandRun) {
    let is_test = matches!(run.command.purpose, Purpose::Test | Purpose::Integration);
    if run.verdict == Verdict::Fail || !is_test {
        if run.how.is_success() {
            run.verdict = Verdict::Pass;
        }
        if let Some(tests) = &run.tests {
            let (failed, ran) = (tests.counts.failed, tests.ran());
            run.reasons.extend((failed > 0).then(|| format!("{failed} of {ran} tests failed")));
            run.reasons.extend(trouble_words(tests));
        }
        return;
    }
    match &run.tests {
        None => run.reasons.push("it ended well and told of no tests".to_owned()),
        Some(tests) if tests.counts.failed > 0 => {
            run.verdict = Verdict::Fail;
            let failed = tests.counts.failed;
            run.reasons.push(format!("{failed} tests failed, though it ended with exit code 0"));
        }
        Some(tests) if !tests.troubles.is_empty() => {
            run.verdict = Verdict::Fail;
            run.reasons.extend(trouble_words(tests));
        }
        Some(tests) if tests.counts.passed == 0 => {
            run.reasons.push("no test ran".to_owned());
        }
        Some(_) => run.verdict = Verdict::Pass,
    }
}
