//! Runs the commands of a repository, confined, and reads what their tests did.
//!
//! One `Verifier` serves a whole run: it knows where the worktree is, what of the home a toolchain needs, and where outputs go.
//! It decides nothing about a change; it says what one command did, once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rb_core::fs::{self, FsError};
use rb_core::{Cancel, Progress, Verdict};
use rb_reports::Report;
use rb_sandbox::{Job, Limits, Network, Ran, Sandbox, SandboxError};
use rb_toolchains::{
    Ask, Caches, Command, Detected, Purpose, ReportLocation, Runner, line_command,
};
use thiserror::Error;

use crate::built::built_files;
use crate::collect;
use crate::command_run;
use crate::durations;
use crate::options::Options;
use crate::record::{CommandRun, How, Tests};
use crate::site::Site;
use crate::watched::{self, Watched};

pub struct Verifier {
    pub site: Site,
    pub sandbox: Sandbox,
    pub options: Options,
    pub caches: Caches,
    pub cancel: Cancel,
    pub progress: Arc<dyn Progress + Send + Sync>,
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
    /// A person chose it; without it nothing would be checked as they meant.
    #[error("`{line}` is configured as a check, but cannot be started: {why}")]
    Configured { line: String, why: String },
}

/// Is it the program that is not there, or not there for the sandbox?
fn is_absent(error: &SandboxError) -> bool {
    match error {
        SandboxError::NotFound { .. } => true,
        SandboxError::Setup { why, .. } => why.contains("execvp"),
        _ => false,
    }
}

/// A process that ran, and what it did to git behind our back.
struct Done {
    ran: Ran,
    turned: Option<String>,
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

impl Verifier {
    /// Runs a command once. One that cannot be started did not run, with the reason. `name` tells this run from others of the
    /// same command, and names its outputs; a number is added where that name is taken. `before` is what it did in the baseline.
    pub fn run(
        &self,
        command: &Command,
        part: Part<'_>,
        name: &str,
        before: Option<&CommandRun>,
    ) -> Result<CommandRun, VerifyError> {
        let mut tried = self.tried(command, part, name, before);
        if let Ok(run) = &tried
            && run.how != How::NotRun
            && matches!(part, Part::All)
        {
            durations::keep(&self.site, command, run.ms);
        }
        if let (Some(blame), Ok(run)) = (self.remove_pipes()?, &mut tried) {
            run.verdict = Verdict::Fail;
            run.reasons.push(blame);
        }
        match tried {
            Err(VerifyError::Sandbox(error)) if is_absent(&error) => {
                let mut run = command_run::blank(command);
                run.reasons.push(error.to_string());
                Ok(run)
            }
            ended => ended,
        }
    }

    /// Removes pipes that a command left in the worktree: git, which is asked next, would wait for them without end. Says so of those
    /// that git reads by itself, because no test has a use for them.
    pub(crate) fn remove_pipes(&self) -> Result<Option<String>, FsError> {
        let pipes = fs::find_pipes(&self.site.worktree, &[]);
        pipes.iter().try_for_each(|pipe| fs::remove_file(pipe))?;
        let mut read_by_git =
            pipes.iter().filter(|pipe| fs::GIT_READS.iter().any(|name| pipe.ends_with(name)));
        let shown = |pipe: &PathBuf| {
            let path = pipe.strip_prefix(&self.site.worktree).unwrap_or(pipe);
            format!("it replaced `{}` with a named pipe", path.display())
        };
        Ok(read_by_git.next().map(shown))
    }

    fn tried(
        &self,
        command: &Command,
        part: Part<'_>,
        name: &str,
        before: Option<&CommandRun>,
    ) -> Result<CommandRun, VerifyError> {
        let mut run = command_run::blank(command);
        if let Some(missing) = self.missing(command) {
            run.reasons.push(format!("`{missing}` was not found"));
            return Ok(run);
        }
        self.site.make()?;
        let name = &self.site.claim(name)?;
        let begun = self.site.claimed(name);
        let took = before.map(|run| Duration::from_millis(run.ms));
        let limit = self.limit(took);
        // Longer patience by choice would change nothing then.
        let hangs = took.filter(|_| limit < self.options.timeout());
        for (step, at) in command.before.iter().zip(1..) {
            let name = format!("{name}-before{at}");
            let done = self.job(command, &step.argv, &step.env, &name, limit)?;
            if !command_run::enter(&mut run, &done.ran, hangs) {
                run.reasons.push(format!("`{}`, which runs first, failed", step.line));
                return Ok(run);
            }
        }
        let Done { ran, turned } = self.main(command, part, name, limit, &mut run)?;
        if let Some(missing) = command_run::missing_tool(&ran) {
            // Not how the steps before it ended.
            run.how = How::NotRun;
            run.reasons.push(missing);
            return Ok(run);
        }
        let went_well = command_run::enter(&mut run, &ran, hangs);
        // The worktree is gone when a person reads it, and has another name in the next run.
        run.said = run.said.replace(&format!("{}/", self.site.worktree.display()), "");
        command_run::judge(&mut run, command);
        if let Some(turned) = turned {
            run.verdict = Verdict::Fail;
            run.reasons.push(turned);
        }
        if went_well {
            for (step, at) in command.after.iter().zip(1..) {
                let name = format!("{name}-after{at}");
                let done = self.job(command, &step.argv, &step.env, &name, limit)?;
                if !command_run::enter(&mut run, &done.ran, hangs) {
                    run.verdict = Verdict::Fail;
                    run.reasons.push(format!("`{}`, which runs last, failed", step.line));
                    break;
                }
            }
        }
        if let (Verdict::Pass, Purpose::Build, Some(begun)) = (run.verdict, command.purpose, begun)
        {
            let known = before.map_or(&[][..], |run| &run.built);
            let folder = self.site.root.join(&command.folder);
            // What cannot be read is not measured, and nothing fails for that.
            run.built = built_files(&folder, begun, known).unwrap_or_default();
        }
        Ok(run)
    }

    /// The first program that the command needs and nobody has.
    fn missing<'a>(&self, command: &'a Command) -> Option<&'a str> {
        let env = self.site.environment(&self.caches, command, &[]);
        let there = |program: &str| {
            let own = command.path.iter().map(|folder| self.site.root.join(folder).join(program));
            own.into_iter().any(|file| file.exists())
                || self.site.root.join(&command.folder).join(program).is_file()
                || env.find(program).is_some()
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
    ) -> Result<Done, VerifyError> {
        let place = self.site.reports().join(name).join(REPORT);
        let (argv, extra) = line(command, part, &place.display().to_string());
        let argv = with_cache(argv, command.runner, &self.site.scratch);
        if let Some(Ask { place: ReportLocation::Pattern(pattern), .. }) = &command.report {
            collect::clear(&self.site.root, &command.folder, pattern)?;
        }
        let env: Vec<(String, String)> = command.env.iter().cloned().chain(extra).collect();
        let took = match part {
            Part::All => durations::last(&self.site, command),
            Part::Selected(_) => None,
        };
        let is_complete = || self.has_report(command, name);
        let watched = Watched { took, is_complete: &is_complete };
        let done = self.watched_job(command, &argv, &env, (name, limit), &watched)?;
        if matches!(command.purpose, Purpose::Test | Purpose::Integration) {
            run.tests = self.read_report(command, name, &done.ran)?.map(Tests::from);
        }
        if run.tests.is_none() && command.purpose != Purpose::Benchmark {
            self.read_diagnostics(command, &done.ran, run)?;
        }
        Ok(done)
    }

    /// The runner's own report; where it wrote none, what can be read from its words.
    fn read_report(
        &self,
        command: &Command,
        name: &str,
        ran: &Ran,
    ) -> Result<Option<Report>, VerifyError> {
        let root = &self.site.root;
        let (reports, place) = (self.site.reports(), format!("{name}/{REPORT}"));
        let stdout = || fs::read_head(&ran.stdout.path, collect::LARGEST);
        if let Some(ask) = &command.report {
            let files = match &ask.place {
                ReportLocation::File => collect::file(&reports, &place)?,
                ReportLocation::Folder => collect::folder(&reports, &place)?,
                ReportLocation::Pattern(pattern) => {
                    collect::pattern(root, &command.folder, pattern)?
                }
                ReportLocation::Stdout => vec![(String::new(), stdout()?)],
                ReportLocation::Printed => Vec::new(),
            };
            if !files.is_empty()
                && let Ok(report) = rb_reports::read_many(ask.kind, &files, root)
                && (report.counts.total() > 0 || !report.troubles.is_empty())
            {
                return Ok(Some(report));
            }
        }
        let printed = command.runner.and_then(Runner::printed);
        let hint = command.report.as_ref().filter(|ask| ask.place == ReportLocation::Printed);
        let hint = hint.map(|ask| ask.kind).or(printed);
        let stderr = fs::read_head(&ran.stderr.path, collect::LARGEST)?;
        Ok(rb_reports::read_text(&stdout()?, &stderr, hint, root))
    }

    /// What a check complains about, in paths of the repository.
    fn read_diagnostics(
        &self,
        command: &Command,
        ran: &Ran,
        run: &mut CommandRun,
    ) -> Result<(), VerifyError> {
        let stdout = fs::read_head(&ran.stdout.path, collect::LARGEST)?;
        let stderr = fs::read_head(&ran.stderr.path, collect::LARGEST)?;
        run.errors = rb_reports::stated_errors(&stdout, &stderr);
        run.diagnostics = rb_reports::diagnostics(&stdout, &stderr, &self.site.root);
        for found in &mut run.diagnostics {
            // Tools name paths from where they run.
            let inside = format!("{}/{}", command.folder, found.file);
            if !command.folder.is_empty() && self.site.root.join(&inside).is_file() {
                found.file = inside;
            }
        }
        Ok(())
    }

    /// Runs a line that a person gave in the worktree, confined like all else.
    pub fn shell(&self, line: &str, name: &str, timeout: Duration) -> Result<Ran, VerifyError> {
        self.site.make()?;
        let name = self.site.claim(name)?;
        let command = line_command(line, &Detected::default());
        let argv = ["sh", "-c", line].map(str::to_owned);
        let done = self.job(&command, &argv, &[], &name, timeout);
        self.remove_pipes()?;
        Ok(done?.ran)
    }

    /// Whether the runner has written all of the report that it was asked for.
    fn has_report(&self, command: &Command, name: &str) -> bool {
        let ask = command.report.as_ref().filter(|ask| ask.place == ReportLocation::File);
        let report = ask.and_then(|ask| {
            let files = collect::file(&self.site.reports(), &format!("{name}/{REPORT}")).ok();
            let files = files.filter(|files| !files.is_empty())?;
            rb_reports::read_many(ask.kind, &files, &self.site.root).ok()
        });
        report.is_some_and(|report| report.counts.total() > 0 && report.troubles.is_empty())
    }

    fn job(
        &self,
        command: &Command,
        argv: &[String],
        env: &[(String, String)],
        name: &str,
        timeout: Duration,
    ) -> Result<Done, VerifyError> {
        let watched = Watched { took: None, is_complete: &|| false };
        self.watched_job(command, argv, env, (name, timeout), &watched)
    }

    fn watched_job(
        &self,
        command: &Command,
        argv: &[String],
        env: &[(String, String)],
        (name, timeout): (&str, Duration),
        watched: &Watched<'_>,
    ) -> Result<Done, VerifyError> {
        let (program, rest) = argv.split_first().map_or(("sh", &[][..]), |(p, a)| (p.as_str(), a));
        let job = Job {
            program: program.into(),
            args: rest.iter().map(Into::into).collect(),
            cwd: self.site.root.join(&command.folder),
            env: self.site.environment(&self.caches, command, env),
            writable: self.site.writable(),
            readable: self.site.readable(&self.caches),
            checkouts: self.site.checkouts.clone(),
            hidden: Vec::new(),
            network: Network::Loopback,
            timeout,
            limits: self.limits(match command.purpose {
                Purpose::Test | Purpose::Integration => RESULTS,
                _ => OUTPUT,
            }),
            log: self.site.logs().join(name),
        };
        match watched::run(self, &job, watched) {
            Err(SandboxError::Cancelled(_)) => Err(VerifyError::Interrupted),
            Ok(ran) => Ok(Done { ran, turned: None }),
            Err(SandboxError::GitChanged { paths, ran }) => {
                let names: Vec<String> =
                    paths.iter().map(|path| format!("`{}`", path.display())).collect();
                let turned = format!("it changed {}, which was restored", names.join(", "));
                Ok(Done { ran: *ran, turned: Some(turned) })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// With so much of each output kept.
    pub(crate) fn limits(&self, output: u64) -> Limits {
        Limits {
            output,
            memory: Some(self.options.memory_mb << 20),
            processes: self.options.processes,
        }
    }
}

/// What a report is called in the folder of its run.
const REPORT: &str = "report";

/// Of each output so much is kept: half from its head, half from its tail.
pub(crate) const OUTPUT: u64 = 1 << 20;

/// Of tests it may be all that says what they did, one by one.
const RESULTS: u64 = 16 << 20;

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

/// Jest keeps what it compiled in the temporary folder, which every command gets anew: without a place that stays it compiles all files
/// each time.
fn with_cache(mut argv: Vec<String>, runner: Option<Runner>, scratch: &Path) -> Vec<String> {
    let is_open = |word: &String| {
        word != "--" && !word.starts_with("--cacheDirectory") && !word.starts_with("--no-cache")
    };
    let is_plain = argv.first().is_some_and(|program| program != "sh");
    if runner == Some(Runner::Jest) && is_plain && argv.iter().all(is_open) {
        argv.push(format!("--cacheDirectory={}", scratch.join("jest").display()));
    }
    argv
}

/// What a person sees while it runs.
pub(crate) fn step(what: &str, command: &Command) -> String {
    match &*command.folder {
        "" => format!("{what}: {}", command.line),
        folder => format!("{what}: {} in {folder}", command.line),
    }
}

/// What all toolchains of a repository need together.
pub fn caches(detected: &Detected) -> Caches {
    let mut all = Caches::default();
    for package in &detected.packages {
        all.add(package.toolchain.caches());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve3_what_jest_compiled_stays_for_the_next_command() {
        let check = |line: &str, runner: Runner, expected: &str| {
            let argv = line.split(' ').map(str::to_owned).collect();
            let argv = with_cache(argv, Some(runner), Path::new("/scratch"));
            assert_eq!(argv.join(" "), expected);
        };
        check("jest --ci", Runner::Jest, "jest --ci --cacheDirectory=/scratch/jest");
        // What a person chose stays, a shell's line is not ours, and other runners know no such word.
        for line in ["jest --no-cache", "jest --cacheDirectory x", "jest -- a", "sh -c jest"] {
            check(line, Runner::Jest, line);
        }
        check("mocha", Runner::Mocha, "mocha");
    }
}
