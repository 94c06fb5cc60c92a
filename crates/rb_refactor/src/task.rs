//! One task: proposal, checks, application, checkpoint.

use std::time::Duration;

use rb_core::fs;
use rb_core::{RepoPath, Sha256, Task, TaskKind};
use rb_flow::Event;
use rb_verify::How;
use rb_workspace::answer::{self, AnswerError, Rung};
use rb_workspace::ledger::TaskStatus;
use rb_workspace::patch::{self, Checked, Lockfiles, Policy};
use rb_workspace::worktree::Checkpoint;

use crate::driver::Driver;
use crate::error::RunError;
use crate::{examine, start, suspect, verify};

/// Performs the task from its beginning. What an earlier, interrupted try left is reset first.
pub(crate) fn perform(driver: &mut Driver, index: usize) -> Result<(), RunError> {
    let task = driver.state.started.tasks[index].clone();
    let clean = driver.tip()?;
    driver.write(Event::TaskStarted { task: task.id, goal: task.goal.clone() })?;
    driver.worktree()?.reset(&clean)?;
    examine::before(driver)?;
    let tried = match &task.kind {
        TaskKind::Change { format } => change(driver, &task, format.as_deref())?,
        TaskKind::FormatOnly { command } => format(driver, &task, command)?,
    };
    let tried = match tried {
        Tried::Changed(paths) => checkpoint(driver, &task, index, &clean, &paths)?,
        other => other,
    };
    match tried {
        Tried::Changed(_) => {
            let commit = driver.state.current.as_ref().and_then(|current| current.commit.clone());
            driver.end_task(commit, TaskStatus::Applied, Vec::new())
        }
        Tried::Noop => driver.end_task(None, TaskStatus::Noop, Vec::new()),
        Tried::Refused(reasons) => {
            driver.worktree()?.reset(&clean)?;
            driver.write(Event::PatchRefused { task: task.id, reasons: reasons.clone() })?;
            driver.end_task(None, TaskStatus::Refused, reasons)
        }
    }
}

enum Tried {
    Changed(Vec<RepoPath>),
    Noop,
    Refused(Vec<String>),
}

fn change(driver: &mut Driver, task: &Task, format: Option<&str>) -> Result<Tried, RunError> {
    let text = fs::read(&start::proposal_path(&driver.run, task))?;
    let (sha256, bytes) = (Sha256::of(&text), text.len() as u64);
    let (by, base) = (task.by.clone(), driver.tip()?);
    driver.write(Event::PatchProposed { task: task.id, sha256, bytes, by, base })?;
    let (checked, rung) = match check(driver, &text)? {
        Ok(checked) => checked,
        Err(tried) => return Ok(tried),
    };
    suspect::look(driver, task, &checked)?;
    let (added, removed) = checked.patch().size();
    let paths: Vec<RepoPath> = checked.patch().paths().into_iter().cloned().collect();
    driver.write(Event::PatchApplying {
        task: task.id,
        paths: paths.clone(),
        added,
        removed,
        rung: Some(rung),
    })?;
    driver.worktree()?.apply(&checked)?;
    driver.write(Event::PatchApplied { task: task.id })?;
    match format {
        Some(command) => format_touched(driver, task, command, paths),
        None => Ok(Tried::Changed(paths)),
    }
}

/// Runs a formatter over the files that a change touched, and refuses what it does besides.
fn format_touched(
    driver: &mut Driver,
    task: &Task,
    command: &str,
    paths: Vec<RepoPath>,
) -> Result<Tried, RunError> {
    // The name of a file may look like an option.
    let words = paths.iter().map(|path| quoted(&format!("./{path}")));
    let command = std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    if let Some(reason) = run_formatter(driver, task, &command)? {
        return Ok(Tried::Refused(vec![reason]));
    }
    let mut changed = driver.worktree()?.changed_paths()?;
    changed.retain(|path| !verify::is_made(driver, path) && !paths.contains(path));
    if changed.is_empty() {
        return Ok(Tried::Changed(paths));
    }
    let words = |path| format!("the formatter changed `{path}`, which the task does not touch");
    Ok(Tried::Refused(changed.iter().map(words).collect()))
}

/// One word of a command line, whatever is in it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Turns a text into a change that may be applied, or says why not.
fn check(driver: &mut Driver, text: &[u8]) -> Result<Result<(Checked, Rung), Tried>, RunError> {
    let started = driver.state.started.clone();
    let scope = start::scope(started.scope.as_ref(), &started.excludes)?;
    let worktree = driver.worktree()?;
    let tree = worktree.tree()?;
    let resolved = match answer::resolve(text, &tree) {
        Ok(resolved) => resolved,
        Err(AnswerError::Noop) => return Ok(Err(Tried::Noop)),
        Err(AnswerError::Tree(error)) => return Err(error.into()),
        Err(AnswerError::Refused(refusals)) => {
            return Ok(Err(Tried::Refused(refusals.iter().map(ToString::to_string).collect())));
        }
        Err(other) => return Ok(Err(Tried::Refused(vec![other.to_string()]))),
    };
    let diff_budget = Some(started.diff_budget);
    let policy = Policy { scope, diff_budget, lockfiles: Lockfiles::Refused, claimed: None };
    let rung = resolved.rung();
    let checked = match patch::check(resolved.patch, &tree, &policy) {
        Ok(checked) => checked,
        Err(patch::CheckError::Tree(error)) => return Err(error.into()),
        Err(patch::CheckError::Refused(refusals)) => {
            let reasons = refusals.iter().map(ToString::to_string).collect();
            return Ok(Err(Tried::Refused(reasons)));
        }
    };
    let paths = checked.patch().paths();
    let mut reasons = Vec::new();
    for path in worktree.kept_by_lfs(&paths)? {
        reasons.push(format!("`{path}` is kept by git-lfs: here is only its pointer"));
    }
    for (path, filter) in worktree.unfiltered(&paths)? {
        reasons.push(format!("`{path}` passes through the filter `{filter}`, which is not run"));
    }
    for path in worktree.ignored(&paths)? {
        reasons.push(format!("`{path}` is ignored by git"));
    }
    if let Some(words) = worktree.git_objects_to(&patch::write(checked.patch()))? {
        reasons.push(format!("git apply --check refuses it: {words}"));
    }
    Ok(if reasons.is_empty() { Ok((checked, rung)) } else { Err(Tried::Refused(reasons)) })
}

const FORMAT_TIMEOUT: Duration = Duration::from_mins(10);

/// Runs the formatter and nothing else, and refuses what a formatter has no business doing.
fn format(driver: &mut Driver, task: &Task, command: &str) -> Result<Tried, RunError> {
    let started = driver.state.started.clone();
    let scope = start::scope(started.scope.as_ref(), &started.excludes)?;
    let dir = driver.worktree()?.dir().to_owned();
    let known = driver.worktree()?.paths()?;
    if let Some(reason) = run_formatter(driver, task, command)? {
        return Ok(Tried::Refused(vec![reason]));
    }
    let mut paths = driver.worktree()?.changed_paths()?;
    paths.retain(|path| !verify::is_made(driver, path));
    let mut reasons = Vec::new();
    for path in &paths {
        if !known.contains(path) {
            reasons.push(format!("`{path}` was created; a formatter changes files, no more"));
        } else if !path.below(&dir).symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            reasons.push(format!("`{path}` was removed; a formatter changes files, no more"));
        } else if !scope.contains(path) {
            reasons.push(format!("`{path}` is out of scope"));
        } else if patch::is_lockfile(path) {
            reasons.push(format!("`{path}` is a lockfile"));
        }
    }
    if !reasons.is_empty() {
        return Ok(Tried::Refused(reasons));
    }
    if paths.is_empty() {
        return Ok(Tried::Noop);
    }
    let (added, removed) = driver.worktree()?.uncommitted_size()?;
    driver.write(Event::PatchApplying {
        task: task.id,
        paths: paths.clone(),
        added,
        removed,
        rung: None,
    })?;
    driver.write(Event::PatchApplied { task: task.id })?;
    Ok(Tried::Changed(paths))
}

/// Why the formatter failed, if it did.
fn run_formatter(
    driver: &mut Driver,
    task: &Task,
    command: &str,
) -> Result<Option<String>, RunError> {
    driver.write(Event::CommandStarted { task: task.id, command: command.to_owned() })?;
    let ran = verify::shell(driver, command, &format!("{}-format", task.id), FORMAT_TIMEOUT)?;
    let how = How::from(&ran.ended);
    let exit = match how {
        How::Exit { code } => code,
        How::Signal { signal } => 128 + signal,
        How::TimedOut { .. }
        | How::TooManyProcesses { .. }
        | How::OutOfMemory { .. }
        | How::NotRun => 128,
    };
    let ms = u64::try_from(ran.elapsed.as_millis()).unwrap_or(u64::MAX);
    driver.write(Event::CommandEnded { task: task.id, exit, ms })?;
    if !how.is_success() {
        let words = ran.stderr.excerpt(1 << 10);
        let last = words.trim().lines().last().unwrap_or_default();
        return Ok(Some(format!("`{command}` {}: {last}", how.words())));
    }
    Ok(None)
}

/// Commits the change and looks at it as a commit. One that does not hold is refused; the caller takes it back.
fn checkpoint(
    driver: &mut Driver,
    task: &Task,
    index: usize,
    clean: &str,
    paths: &[RepoPath],
) -> Result<Tried, RunError> {
    driver.write(Event::CheckpointStarted { task: task.id })?;
    let named: Vec<&RepoPath> = paths.iter().collect();
    let commit = match driver.worktree()?.checkpoint(task.id, &task.goal, &named)? {
        Checkpoint::Made { commit } => commit,
        Checkpoint::Nothing => return Ok(Tried::Noop),
    };
    let reasons = examine::examine(driver, task, index, clean, &commit, paths)?;
    if !reasons.is_empty() {
        return Ok(Tried::Refused(reasons));
    }
    driver.write(Event::CheckpointMade { task: task.id, commit })?;
    Ok(Tried::Changed(paths.to_vec()))
}
