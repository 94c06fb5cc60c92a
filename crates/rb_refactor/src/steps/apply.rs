//! A proposal, checked and put into the worktree as a commit that is not yet judged.

use std::collections::BTreeSet;
use std::time::Duration;

use rb_core::fs;
use rb_core::{RepoPath, Task, TaskKind};
use rb_flow::graph::Node;
use rb_toolchains::quote;
use rb_verify::How;
use rb_workspace::answer::{self, AnswerError, Rung};
use rb_workspace::patch::{self, Checked, Lockfiles, Policy};
use rb_workspace::worktree::Checkpoint as Commit;

use super::formatter;
use crate::error::RunError;
use crate::event::RefactorEvent;
use crate::proposals;
use crate::propose::is_by_person;
use crate::run_files::RunFiles as _;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;
use crate::{start, suspect, verify_setup};

pub(crate) struct Apply;

impl Node<Refactor> for Apply {
    const NAME: &'static str = "apply";
    const DOES: &'static str = "checks the patch and applies it in the worktree";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let Some(task) = state.current_task().cloned() else { return Ok(()) };
        let clean = world.tip()?;
        // What an earlier, interrupted try left goes first.
        world.worktree()?.reset(&clean)?;
        world.know()?;
        let is_scanned = state.current.as_ref().is_some_and(|current| current.critic.is_some());
        let tried = match &task.kind {
            TaskKind::Change { format } => {
                let how = match format {
                    Some(command) => Format::By(command),
                    // What a person brings is theirs to the last blank.
                    None if state.verifies() && !is_by_person(&task) => Format::AsBefore,
                    None => Format::Not,
                };
                change(world, &task, how, is_scanned)?
            }
            TaskKind::FormatOnly { command } => format(world, &task, command)?,
        };
        match tried {
            Tried::Changed { paths, is_formatted } => commit(world, &task, &paths, is_formatted),
            Tried::Noop => nothing(world, &task),
            Tried::Refused(reasons) => {
                world.worktree()?.reset(&clean)?;
                world.write(RefactorEvent::PatchRefused { task: task.id, reasons })
            }
        }
    }
}

pub(crate) enum Tried {
    Changed {
        paths: Vec<RepoPath>,
        /// The lines may be others than those of the patch.
        is_formatted: bool,
    },
    Noop,
    Refused(Vec<String>),
}

fn nothing(world: &World, task: &Task) -> Result<(), RunError> {
    world.write(RefactorEvent::NothingProposed { task: task.id, why: String::new() })
}

/// The commit is not yet a checkpoint: it is looked at first.
fn commit(
    world: &mut World,
    task: &Task,
    paths: &[RepoPath],
    is_formatted: bool,
) -> Result<(), RunError> {
    world.write(RefactorEvent::CheckpointStarted { task: task.id })?;
    let named: Vec<&RepoPath> = paths.iter().collect();
    match world.worktree()?.checkpoint(task.id, &task.goal, &named)? {
        Commit::Made { commit } => {
            let from = world.tip()?;
            if world.started.orders.approve_each {
                let diff = world.worktree()?.diff(&from, &commit)?;
                fs::write(&world.run.dir.diff(task.id), &diff, fs::Durability::Relaxed)?;
            }
            let lines =
                if is_formatted { Some(world.worktree()?.size(&from, &commit)?) } else { None };
            world.write(RefactorEvent::CandidateMade { task: task.id, commit, lines })
        }
        Commit::Nothing => nothing(world, task),
    }
}

/// How the touched files are formatted.
#[derive(Clone, Copy)]
enum Format<'f> {
    /// By the command that a person gave.
    By(&'f str),
    /// As the project keeps them.
    AsBefore,
    /// No program of the repository is to be run.
    Not,
}

/// What a critic has read was scanned before it did.
fn change(
    world: &mut World,
    task: &Task,
    format: Format<'_>,
    is_scanned: bool,
) -> Result<Tried, RunError> {
    let text = fs::read(&world.run.dir.proposal(task.id))?;
    let claimed = proposals::claimed(&world.run, task.id)?;
    let (checked, rung) = match check(world, task, &text, claimed)? {
        Ok(checked) => checked,
        Err(tried) => return Ok(tried),
    };
    if !is_scanned {
        suspect::look(world, task, &checked)?;
    }
    let (added, removed) = checked.patch().size();
    let paths: Vec<RepoPath> = checked.patch().paths().into_iter().cloned().collect();
    let kept = match format {
        Format::AsBefore => formatter::kept(world, task, &paths)?,
        Format::By(_) | Format::Not => formatter::Kept::new(),
    };
    world.write(RefactorEvent::PatchApplying {
        task: task.id,
        paths: paths.clone(),
        added,
        removed,
        rung: Some(rung),
    })?;
    world.worktree()?.apply(&checked)?;
    world.write(RefactorEvent::PatchApplied { task: task.id })?;
    if let Format::By(command) = format {
        return format_touched(world, task, command, paths);
    }
    let is_formatted = !kept.is_empty() && formatter::format(world, task, &kept, &paths)?;
    if !is_formatted && !kept.is_empty() {
        let tip = world.tip()?;
        world.worktree()?.reset(&tip)?;
        world.worktree()?.apply(&checked)?;
    }
    Ok(Tried::Changed { paths, is_formatted })
}

/// Runs a formatter over the files that a change touched, and refuses what it does besides.
fn format_touched(
    world: &mut World,
    task: &Task,
    command: &str,
    paths: Vec<RepoPath>,
) -> Result<Tried, RunError> {
    // The name of a file may look like an option.
    let words = paths.iter().map(|path| quote(&format!("./{path}")));
    let command = std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    if let Some(reason) = run_formatter(world, task, &command)? {
        return Ok(Tried::Refused(vec![reason]));
    }
    let mut changed = world.worktree()?.changed_paths()?;
    changed.retain(|path| !verify_setup::is_made(world, path) && !paths.contains(path));
    if changed.is_empty() {
        return Ok(Tried::Changed { paths, is_formatted: true });
    }
    let words = |path| format!("the formatter changed `{path}`, which the task does not touch");
    Ok(Tried::Refused(changed.iter().map(words).collect()))
}

/// Turns a text into a change that may be applied, or says why not.
pub(crate) fn check(
    world: &mut World,
    task: &Task,
    text: &[u8],
    claimed: Option<BTreeSet<RepoPath>>,
) -> Result<Result<(Checked, Rung), Tried>, RunError> {
    let started = world.started.clone();
    let scope = start::scope_of(&started, task)?;
    let worktree = world.worktree()?;
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
    let diff_budget = Some(task.diff_budget_loc.unwrap_or(started.diff_budget));
    let policy = Policy { scope, diff_budget, lockfiles: Lockfiles::Refused, claimed };
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
fn format(world: &mut World, task: &Task, command: &str) -> Result<Tried, RunError> {
    let started = world.started.clone();
    let scope = start::scope_of(&started, task)?;
    let dir = world.worktree()?.dir().to_owned();
    let known = world.worktree()?.paths()?;
    if let Some(reason) = run_formatter(world, task, command)? {
        return Ok(Tried::Refused(vec![reason]));
    }
    let mut paths = world.worktree()?.changed_paths()?;
    paths.retain(|path| !verify_setup::is_made(world, path));
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
    let (added, removed) = world.worktree()?.uncommitted_size()?;
    world.write(RefactorEvent::PatchApplying {
        task: task.id,
        paths: paths.clone(),
        added,
        removed,
        rung: None,
    })?;
    world.write(RefactorEvent::PatchApplied { task: task.id })?;
    Ok(Tried::Changed { paths, is_formatted: false })
}

/// Why the formatter failed, if it did.
pub(super) fn run_formatter(
    world: &mut World,
    task: &Task,
    command: &str,
) -> Result<Option<String>, RunError> {
    world.write(RefactorEvent::CommandStarted { task: task.id, command: command.to_owned() })?;
    let ran = verify_setup::shell(world, command, &format!("{}-format", task.id), FORMAT_TIMEOUT)?;
    let how = How::from(&ran.ended);
    let exit = match how {
        How::Exit { code } => code,
        How::Signal { signal } => 128 + signal,
        How::TimedOut { .. }
        | How::TooManyProcesses { .. }
        | How::OutOfMemory { .. }
        | How::Hung
        | How::NotRun => 128,
    };
    let ms = u64::try_from(ran.elapsed.as_millis()).unwrap_or(u64::MAX);
    world.write(RefactorEvent::CommandEnded { task: task.id, exit, ms })?;
    if !how.is_success() {
        let words = ran.stderr.excerpt(1 << 10);
        let last = words.trim().lines().last().unwrap_or_default();
        return Ok(Some(format!("`{command}` {}: {last}", how.words())));
    }
    Ok(None)
}
