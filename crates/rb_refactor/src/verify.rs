//! Verification within a run: the baseline before any change, the fast verifier after a task, the full one now and then.
//!
//! Foreign commands run on a commit and never on loose files, so that whatever they write into the worktree is thrown away
//! before the run goes on.

use std::path::PathBuf;
use std::time::Duration;

use rb_core::fs::{self, Durability};
use rb_core::{RepoPath, TaskId, Verdict};
use rb_flow::Event;
use rb_sandbox::{Ran, Sandbox};
use rb_toolchains::caches::may_be_shown;
use rb_toolchains::{Command, Detected, detect};
use rb_verify::{Baseline, Effort, Prepared, Request, Site, Verification, Verifier, VerifyError};
use rb_workspace::repo::Kind;
use serde::Serialize;

use crate::Context;
use crate::driver::Driver;
use crate::error::RunError;

/// What is needed to run the commands of the worktree; made once in a process.
pub(crate) struct Ready {
    pub(crate) verifier: Verifier,
    pub(crate) detected: Detected,
    /// The folder of the worktree that the commands are found in; empty for all of it.
    inside: String,
    is_prepared: bool,
}

/// Takes the baseline of the worktree, which is at the commit that the run begins from.
pub(crate) fn baseline(driver: &mut Driver) -> Result<(), RunError> {
    driver.write(Event::BaselineStarted)?;
    let clean = driver.tip()?;
    driver.worktree()?.reset(&clean)?;
    let (ready, prepared) = ready(driver)?;
    let commands = all_commands(&ready);
    let taken = rb_verify::baseline(
        &ready.verifier,
        &ready.detected,
        &commands,
        prepared.words,
        &*driver.context.progress,
    );
    driver.worktree()?.reset(&clean)?;
    let mut taken = taken?;
    if commands.is_empty() {
        taken.reasons.push("no command was found that verifies this repository".to_owned());
    }
    driver.ready = Some(ready);
    let file = keep(driver, "baseline", &taken)?;
    let Baseline { verdict, reasons, .. } = taken;
    driver.write(Event::BaselineTaken { verdict, reasons, file })
}

/// The commands of both verifiers, each once: what the full one adds comes last.
fn all_commands(ready: &Ready) -> Vec<Command> {
    let options = &ready.verifier.options;
    let mut commands = rb_verify::commands(&ready.detected, Effort::Full, options);
    for command in rb_verify::commands(&ready.detected, Effort::Fast, options) {
        let same = |known: &Command| known.line == command.line && known.folder == command.folder;
        if !commands.iter().any(same) {
            commands.push(command);
        }
    }
    commands
}

/// Verifies the worktree at `commit` and leaves it there. `task` is `None` for the run as a whole.
pub(crate) fn check(
    driver: &mut Driver,
    task: Option<TaskId>,
    effort: Effort,
    commit: &str,
    affected: &[String],
) -> Result<(Verdict, Vec<String>), RunError> {
    driver.write(Event::VerifyStarted { task, effort })?;
    let baseline = read_baseline(driver)?;
    let (ready, _) = ready(driver)?;
    let commands = rb_verify::commands(&ready.detected, effort, &ready.verifier.options);
    let name = task.map_or("whole".to_owned(), |task| task.to_string());
    let inside = |path: &String| match &*ready.inside {
        "" => Some(path.clone()),
        folder => Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned()),
    };
    let affected: Vec<String> = affected.iter().filter_map(inside).collect();
    let verification = rb_verify::verify(&Request {
        verifier: &ready.verifier,
        baseline: &baseline,
        detected: &ready.detected,
        commands: &commands,
        effort,
        name: &name,
        affected: &affected,
        progress: &*driver.context.progress,
    });
    driver.ready = Some(ready);
    driver.worktree()?.reset(commit)?;
    let verification = verification?;
    let file = keep(driver, &name, &verification)?;
    let Verification { verdict, reasons, .. } = verification;
    driver.write(Event::VerifyEnded { task, effort, verdict, reasons: reasons.clone(), file })?;
    Ok((verdict, reasons))
}

/// Runs a person's command line in the worktree, and leaves there what it wrote.
pub(crate) fn shell(
    driver: &mut Driver,
    line: &str,
    name: &str,
    timeout: Duration,
) -> Result<Ran, RunError> {
    let (ready, _) = ready(driver)?;
    let ran = ready.verifier.shell(line, name, timeout);
    driver.ready = Some(ready);
    Ok(ran?)
}

/// Whether a path is part of what was put into the worktree to make it ready.
pub(crate) fn is_made(driver: &Driver, path: &RepoPath) -> bool {
    let made = driver.ready.iter().flat_map(|ready| &ready.verifier.site.made);
    made.filter_map(|folder| RepoPath::new(folder).ok()).any(|folder| path.is_within(&folder))
}

/// Verifies all changes of the run together.
pub(crate) fn in_full(driver: &mut Driver) -> Result<(), RunError> {
    let tip = driver.tip()?;
    driver.worktree()?.reset(&tip)?;
    check(driver, None, Effort::Full, &tip, &[]).map(drop)
}

/// Fast, or full where it is time for it again.
pub(crate) fn effort(driver: &Driver, index: usize) -> Effort {
    let every = driver.state.started.verify.as_ref().map_or(1, |verify| verify.full_every.max(1));
    if (index + 1).is_multiple_of(every as usize) { Effort::Full } else { Effort::Fast }
}

fn ready(driver: &mut Driver) -> Result<(Ready, Prepared), RunError> {
    let mut ready = match driver.ready.take() {
        Some(ready) => ready,
        None => make_ready(driver)?,
    };
    // Also a later time: a reset may have taken away what was put there.
    let checkout = (driver.repo.kind == Kind::Git).then(|| driver.repo.root.join(&ready.inside));
    let prepared = rb_verify::prepare(&mut ready.verifier, &ready.detected, checkout.as_deref())?;
    if !ready.is_prepared {
        // What is installed decides which programs are called, and how they are asked.
        ready.detected = find(driver)?.detected;
        ready.is_prepared = true;
    }
    Ok((ready, prepared))
}

struct FoundCommands {
    detected: Detected,
    /// The folder that all paths in it are relative to.
    inside: String,
}

/// The commands of the worktree as it is now. A run on a folder takes the packages in it: members of the repository's
/// workspace, else what the folder is by itself, else those around it.
fn find(driver: &mut Driver) -> Result<FoundCommands, RunError> {
    let root = driver.worktree()?.dir().to_owned();
    let paths = driver.worktree()?.paths()?;
    let files: Vec<String> = paths
        .iter()
        .filter_map(|path| Some(std::str::from_utf8(path.as_bytes()).ok()?.to_owned()))
        .collect();
    let env = &driver.context.env;
    let have = |program: &str| env.find(program).is_some();
    let mut detected = detect(&root, &files, &have);
    let whole = String::new();
    let Some(scope) = driver.state.started.scope.as_ref().map(ToString::to_string) else {
        return Ok(FoundCommands { detected, inside: whole });
    };
    let prefix = format!("{scope}/");
    let within = |folder: &str| folder == scope || folder.starts_with(&prefix);
    if detected.packages.iter().any(|package| within(&package.folder)) {
        detected.packages.retain(|package| within(&package.folder));
        return Ok(FoundCommands { detected, inside: whole });
    }
    let below: Vec<String> =
        files.iter().filter_map(|file| file.strip_prefix(&prefix)).map(str::to_owned).collect();
    let own = detect(&root.join(&scope), &below, &have);
    if own.packages.is_empty() {
        return Ok(FoundCommands { detected, inside: whole });
    }
    Ok(FoundCommands { detected: own, inside: scope })
}

fn make_ready(driver: &mut Driver) -> Result<Ready, RunError> {
    // A run that verifies nothing confines what it runs all the same.
    let options =
        driver.state.started.verify.clone().map(|verify| verify.options).unwrap_or_default();
    let FoundCommands { detected, inside } = find(driver)?;
    let Context { home, env, cancel, shim, .. } = &driver.context.clone();
    let sandbox = Sandbox::probe(&options.sandbox, env, shim.as_deref(), cancel)
        .map_err(VerifyError::from)?;
    let site = Site {
        worktree: driver.worktree()?.dir().to_owned(),
        root: driver.worktree()?.dir().join(&inside),
        borrowed: own_history(driver),
        python_path: Vec::new(),
        local: None,
        made: Vec::new(),
        scratch: home.cache(&driver.repo.backup_name()),
        work: folder(driver),
        home: env.get("HOME").map(PathBuf::from),
        env: env.clone(),
    };
    let caches = rb_verify::caches(&detected);
    let verifier = Verifier { site, sandbox, options, caches, cancel: cancel.clone() };
    Ok(Ready { verifier, detected, inside, is_prepared: false })
}

/// The repository's own git folder, which tests may ask: to be read, and only where its settings hold no secret.
fn own_history(driver: &Driver) -> Vec<PathBuf> {
    let folder = &driver.repo.common_dir;
    let settings = fs::read_optional(&folder.join("config")).ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&settings);
    let is_plain = may_be_shown(&text) && !text.contains('@');
    if is_plain { vec![folder.clone()] } else { Vec::new() }
}

fn folder(driver: &Driver) -> PathBuf {
    driver.run.dir.join("verify")
}

pub(crate) fn keep(
    driver: &Driver,
    name: &str,
    record: &impl Serialize,
) -> Result<PathBuf, RunError> {
    let file = folder(driver).join(format!("{name}.json"));
    fs::create_dir_all(&folder(driver))?;
    let text = serde_json::to_vec_pretty(record).expect("a record is plain data");
    fs::write(&file, &text, Durability::Relaxed)?;
    Ok(file)
}

fn read_baseline(driver: &Driver) -> Result<Baseline, RunError> {
    let bytes = fs::read(&folder(driver).join("baseline.json"))?;
    let record = serde_json::from_slice(&bytes);
    Ok(record.map_err(|error| VerifyError::BadRecord(error.to_string()))?)
}
