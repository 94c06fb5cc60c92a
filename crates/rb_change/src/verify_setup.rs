//! What is needed to run the commands of the worktree: which ones there are, confined how, with which dependencies.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rb_core::fs::{self, Durability};
use rb_core::{RepoPath, VerifierLevel};
use rb_sandbox::{Ran, Sandbox};
use rb_toolchains::caches::may_be_shown;
use rb_toolchains::{Detected, detect};
use rb_verify::{Baseline, Effort, Prepared, Site, Verifier, VerifyError};
use rb_workspace::repo::Kind;
use serde::Serialize;

use crate::change_files::ChangeFiles as _;
use crate::error::ChangeError;
use crate::host::Host;
use crate::world::ChangeWorld;

/// What is needed to run the commands of the worktree; made once in a process.
pub struct VerifySetup {
    pub verifier: Verifier,
    pub detected: Detected,
    /// The folder of the worktree that the commands are found in; empty for all of it.
    pub inside: String,
    is_prepared: bool,
}

/// Sees to it that dependencies are where the commands look for them.
pub fn prepare(world: &mut ChangeWorld) -> Result<(), ChangeError> {
    let (ready, _) = ready(world)?;
    world.ready = Some(ready);
    Ok(())
}

/// Runs a command line in the worktree, at its root, and leaves there what it wrote.
pub fn shell(
    world: &mut ChangeWorld,
    line: &str,
    name: &str,
    timeout: Duration,
) -> Result<Ran, ChangeError> {
    let (ready, _) = ready(world)?;
    let up: Vec<&str> = ready.inside.split('/').filter(|it| !it.is_empty()).map(|_| "..").collect();
    let line =
        if up.is_empty() { line.to_owned() } else { format!("cd {} && {line}", up.join("/")) };
    let ran = ready.verifier.shell(&line, name, timeout);
    world.ready = Some(ready);
    Ok(ran?)
}

/// Whether a path is part of what was put into the worktree to make it ready.
pub fn is_made(world: &ChangeWorld, path: &RepoPath) -> bool {
    let made = world.ready.iter().flat_map(|ready| &ready.verifier.site.made);
    made.filter_map(|folder| RepoPath::new(folder).ok()).any(|folder| path.is_within(&folder))
}

pub fn ready(world: &mut ChangeWorld) -> Result<(VerifySetup, Prepared), ChangeError> {
    let mut ready = match world.ready.take() {
        Some(ready) => ready,
        None => make_ready(world)?,
    };
    // Also a later time: a reset may have taken away what was put there.
    let checkout = (world.repo.kind == Kind::Git).then(|| world.repo.root.join(&ready.inside));
    let prepared = rb_verify::prepare(&mut ready.verifier, &ready.detected, checkout.as_deref())?;
    if !ready.is_prepared {
        // What is installed decides which programs are called, and how they are asked.
        ready.detected = find(world)?.detected;
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
fn find(world: &mut ChangeWorld) -> Result<FoundCommands, ChangeError> {
    let root = world.worktree()?.dir().to_owned();
    let paths = world.worktree()?.paths()?;
    let files: Vec<String> = paths
        .iter()
        .filter_map(|path| Some(std::str::from_utf8(path.as_bytes()).ok()?.to_owned()))
        .collect();
    let env = &world.host.env;
    let have = |program: &str| env.find(program).is_some();
    let mut detected = detect(&root, &files, &have);
    let whole = String::new();
    let Some(scope) = world.options.folder.as_ref().map(ToString::to_string) else {
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

/// How the worktree is built and tested, by its manifests.
pub fn detected(world: &mut ChangeWorld) -> Result<Detected, ChangeError> {
    Ok(find(world)?.detected)
}

fn make_ready(world: &mut ChangeWorld) -> Result<VerifySetup, ChangeError> {
    // A run that verifies nothing confines what it runs all the same.
    let options = world.options.verify.clone().map(|verify| verify.options).unwrap_or_default();
    let FoundCommands { detected, inside } = find(world)?;
    let Host { home, env, shell, cancel, shim, progress, .. } = &world.host.clone();
    let sandbox = Sandbox::probe(&options.sandbox, env, shim.as_deref(), cancel)
        .map_err(VerifyError::from)?;
    let site = Site {
        worktree: world.worktree()?.dir().to_owned(),
        root: world.worktree()?.dir().join(&inside),
        checkouts: world.repo.checkouts(),
        borrowed: own_history(world),
        python_path: Vec::new(),
        local: None,
        made: Vec::new(),
        scratch: home.cache(&world.repo.backup_name()),
        work: world.run.dir.verify(),
        home: env.get("HOME").map(PathBuf::from),
        env: env.clone(),
        passed: shell.pass(&options.env),
    };
    let caches = rb_verify::caches(&detected);
    let (cancel, progress) = (cancel.clone(), Arc::clone(progress));
    let verifier = Verifier { site, sandbox, options, caches, cancel, progress };
    Ok(VerifySetup { verifier, detected, inside, is_prepared: false })
}

/// The repository's own git folder, which tests may ask: to be read, and only where its settings hold no secret.
fn own_history(world: &ChangeWorld) -> Vec<PathBuf> {
    let folder = &world.repo.common_dir;
    let settings = fs::read_optional(&folder.join("config")).ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&settings);
    let is_plain = may_be_shown(&text) && !text.contains('@');
    if is_plain { vec![folder.clone()] } else { Vec::new() }
}

/// Writes a record under its name and replaces an earlier one.
pub fn keep(
    world: &ChangeWorld,
    name: &str,
    record: &impl Serialize,
) -> Result<PathBuf, ChangeError> {
    let file = world.run.dir.verification(name);
    fs::create_dir_all(&world.run.dir.verify())?;
    let text = serde_json::to_vec_pretty(record).expect("a record is plain data");
    fs::write(&file, &text, Durability::Relaxed)?;
    Ok(file)
}

/// Writes a record under a name of its own: a number is added where `name` is taken.
pub fn keep_beside(
    world: &ChangeWorld,
    name: &str,
    record: &impl Serialize,
) -> Result<PathBuf, ChangeError> {
    let numbered = (2..).map(|number| format!("{name}-run{number}"));
    let is_free = |name: &String| !world.run.dir.verification(name).exists();
    let free = std::iter::once(name.to_owned()).chain(numbered).find(is_free);
    keep(world, &free.unwrap_or_default(), record)
}

pub fn read_baseline(world: &ChangeWorld) -> Result<Baseline, ChangeError> {
    let bytes = fs::read(&world.run.dir.verification("baseline"))?;
    let record = serde_json::from_slice(&bytes);
    Ok(record.map_err(|error| VerifyError::BadRecord(error.to_string()))?)
}

/// The command lines of a verifier, for whoever has to know what a change will be held against; those that could not be started
/// before any change are not among them. A process that goes on with a run says the same as the one before it.
pub fn lines(world: &mut ChangeWorld, level: VerifierLevel) -> Result<Vec<String>, ChangeError> {
    if !world.options.runs_commands() {
        return Ok(Vec::new());
    }
    if world.ready.is_none() {
        let clean = world.tip()?;
        let (made, _) = ready(world)?;
        world.ready = Some(made);
        world.worktree()?.reset(&clean)?;
    }
    let baseline = read_baseline(world)?;
    let ready = world.ready.as_ref().expect("it was made just now");
    let effort = match level {
        VerifierLevel::Fast => Effort::Fast,
        VerifierLevel::Full => Effort::Full,
    };
    let commands = rb_verify::commands(&ready.detected, effort, &ready.verifier.options);
    let startable = commands.into_iter().filter(|command| baseline.can_start(command));
    Ok(startable.map(|command| command.line).collect())
}
