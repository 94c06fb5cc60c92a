//! A proposal, checked and put into the worktree as a commit that is not yet judged.

use std::collections::BTreeSet;

use rb_core::fs;
use rb_core::patch::Patch;
use rb_core::{RepoPath, Task, TaskKind};
use rb_flow::graph::Node;
use rb_toolchains::quote;
use rb_workspace::answer::{self, AnswerError, Edit, NewFile, Resolved, Rung};
use rb_workspace::patch::{self, Checked, Lockfiles, Policy, Tree};
use rb_workspace::worktree::Checkpoint as Commit;

use crate::change_files::ChangeFiles as _;
use crate::changes::{Changes, Reads};
use crate::current::Current;
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::mend::{self, Mends};
use crate::proposals::{self, is_by_person};
use crate::world::ChangeWorld;
use crate::{formatter, suspect, verify_setup};

pub struct Apply;

impl<W: Changes> Node<W> for Apply {
    const NAME: &'static str = "apply";
    const DOES: &'static str = "checks the patch and applies it in the worktree";
    type Reads<'s> = Reads<'s>;
    type Writes = ();

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<(), W::Error> {
        let Some(task) = reads.task else { return Ok(()) };
        let fresh = Current::new(task.id);
        let current = reads.change.current.as_ref().unwrap_or(&fresh);
        Ok(apply(world.as_mut(), task, current)?)
    }
}

/// `current` is what is known of the task already.
fn apply(world: &mut ChangeWorld, task: &Task, current: &Current) -> Result<(), ChangeError> {
    let (mending, notes) = if current.fails_with_mends() {
        let reasons = current.failed.iter().flat_map(|(_, reasons)| reasons).cloned().collect();
        world.write(ChangeEvent::MendsDropped { task: task.id, reasons })?;
        // What was noted of the try with mends is forgotten with it.
        (Mending::Off, &[][..])
    } else if current.without_mends || !mend::is_mended(task) {
        (Mending::Off, current.notes.as_slice())
    } else {
        (Mending::On, current.notes.as_slice())
    };
    let clean = world.tip()?;
    // What an earlier, interrupted try left goes first.
    world.worktree()?.reset(&clean)?;
    world.know()?;
    let tried = match &task.kind {
        TaskKind::Change { format } => {
            let how = match format {
                Some(command) => Format::By(command),
                // What a person brings is theirs to the last blank.
                None if world.options.runs_commands() && !is_by_person(task) => Format::AsBefore,
                None => Format::Not,
            };
            change(world, task, (how, mending), notes)?
        }
        TaskKind::FormatOnly { command } => format(world, task, command)?,
    };
    match tried {
        Tried::Changed { paths, is_as_proposed } => commit(world, task, &paths, is_as_proposed),
        Tried::Noop => nothing(world, task),
        Tried::Refused(reasons) => {
            world.worktree()?.reset(&clean)?;
            world.write(ChangeEvent::PatchRefused { task: task.id, reasons })
        }
    }
}

enum Tried {
    Changed {
        paths: Vec<RepoPath>,
        /// The lines are those of the patch: nothing was formatted or mended.
        is_as_proposed: bool,
    },
    Noop,
    Refused(Vec<String>),
}

fn nothing(world: &ChangeWorld, task: &Task) -> Result<(), ChangeError> {
    world.write(ChangeEvent::NothingProposed { task: task.id, why: String::new() })
}

/// The commit is not yet a checkpoint: it is looked at first.
fn commit(
    world: &mut ChangeWorld,
    task: &Task,
    paths: &[RepoPath],
    is_as_proposed: bool,
) -> Result<(), ChangeError> {
    world.write(ChangeEvent::CheckpointStarted { task: task.id })?;
    let named: Vec<&RepoPath> = paths.iter().collect();
    match world.worktree()?.checkpoint(task.id, &task.goal, &named)? {
        Commit::Made { commit } => {
            let from = world.tip()?;
            if world.options.approve_each {
                let diff = world.worktree()?.diff(&from, &commit)?;
                fs::write(&world.run.dir.diff(task.id), &diff, fs::Durability::Relaxed)?;
            }
            let lines =
                if is_as_proposed { None } else { Some(world.worktree()?.size(&from, &commit)?) };
            world.write(ChangeEvent::CandidateMade { task: task.id, commit, lines })
        }
        Commit::Nothing => nothing(world, task),
    }
}

/// Whether leftovers of the change are mended with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mending {
    On,
    Off,
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

fn change(
    world: &mut ChangeWorld,
    task: &Task,
    (format, mending): (Format<'_>, Mending),
    notes: &[String],
) -> Result<Tried, ChangeError> {
    let text = fs::read(&world.run.dir.proposal(task.id))?;
    let claimed = proposals::claimed(&world.run, task.id)?;
    let (checked, rung) = match check(world, task, &text, claimed)? {
        Ok(checked) => checked,
        Err(tried) => return Ok(tried),
    };
    suspect::look(world, task, &checked, notes)?;
    let (added, removed) = checked.patch().size();
    let mut paths: Vec<RepoPath> = checked.patch().paths().into_iter().cloned().collect();
    let mends = match mending {
        Mending::On => mend::find(world, &checked)?,
        Mending::Off => Mends::default(),
    };
    let all: BTreeSet<RepoPath> = paths.iter().cloned().chain(mends.paths()).collect();
    let kept = match format {
        Format::AsBefore => formatter::kept(world, task, &Vec::from_iter(all))?,
        Format::By(_) | Format::Not => formatter::Kept::new(),
    };
    world.write(ChangeEvent::PatchApplying {
        task: task.id,
        paths: paths.clone(),
        added,
        removed,
        rung: Some(rung),
    })?;
    world.worktree()?.apply(&checked)?;
    world.write(ChangeEvent::PatchApplied { task: task.id })?;
    let mended = mend::check(world, task, &mends)?;
    if let Some(mended) = &mended {
        let more: Vec<RepoPath> = mended.patch().paths().into_iter().cloned().collect();
        let event =
            ChangeEvent::LeftoversMended { task: task.id, paths: more.clone(), mends: mends.notes };
        world.write(event)?;
        world.worktree()?.apply(mended)?;
        paths.extend(more);
        paths.sort();
        paths.dedup();
    }
    if let Format::By(command) = format {
        return format_touched(world, task, command, paths);
    }
    let is_formatted = !kept.is_empty() && formatter::format(world, task, &kept, &paths)?;
    if !is_formatted && !kept.is_empty() {
        let tip = world.tip()?;
        world.worktree()?.reset(&tip)?;
        world.worktree()?.apply(&checked)?;
        if let Some(mended) = &mended {
            world.worktree()?.apply(mended)?;
        }
    }
    Ok(Tried::Changed { paths, is_as_proposed: !is_formatted && mended.is_none() })
}

/// Runs a formatter over the files that a change touched, and refuses what it does besides.
fn format_touched(
    world: &mut ChangeWorld,
    task: &Task,
    command: &str,
    paths: Vec<RepoPath>,
) -> Result<Tried, ChangeError> {
    // The name of a file may look like an option.
    let words = paths.iter().map(|path| quote(&format!("./{path}")));
    let command = std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    if let Some(reason) = formatter::run(world, task, &command)? {
        return Ok(Tried::Refused(vec![reason]));
    }
    let mut changed = world.worktree()?.changed_paths()?;
    changed.retain(|path| !verify_setup::is_made(world, path) && !paths.contains(path));
    if changed.is_empty() {
        return Ok(Tried::Changed { paths, is_as_proposed: false });
    }
    let words = |path| format!("the formatter changed `{path}`, which the task does not touch");
    Ok(Tried::Refused(changed.iter().map(words).collect()))
}

/// The proposal of a task as it would be applied, with the lines that it stands at; `None` where it is refused anyway, which costs nothing.
/// What it adds is looked at before anybody reads it.
pub fn readable_proposal(
    world: &mut ChangeWorld,
    task: &Task,
) -> Result<Option<Vec<u8>>, ChangeError> {
    let tip = world.tip()?;
    world.worktree()?.reset(&tip)?;
    let text = fs::read(&world.run.dir.proposal(task.id))?;
    let claimed = proposals::claimed(&world.run, task.id)?;
    let Ok((checked, _)) = check(world, task, &text, claimed)? else { return Ok(None) };
    suspect::look(world, task, &checked, &[])?;
    Ok(Some(patch::write(checked.patch())))
}

/// The proposal of a task, placed in the files as they are; `None` where there is none or it does not fit. Nothing of it is checked.
pub fn placed_proposal(world: &mut ChangeWorld, task: &Task) -> Result<Option<Patch>, ChangeError> {
    let Some(text) = fs::read_optional(&world.run.dir.proposal(task.id))? else { return Ok(None) };
    let tree = world.worktree()?.tree()?;
    Ok(placed(task, &text, &tree).ok().map(|(patch, _)| patch))
}

/// What edits and new files come to in the files as the run has them, or why they have no place there.
pub fn place_edits(
    world: &mut ChangeWorld,
    edits: &[Edit<'_>],
    new_files: &[NewFile<'_>],
) -> Result<Result<Resolved, AnswerError>, ChangeError> {
    let tip = world.tip()?;
    world.worktree()?.reset(&tip)?;
    match answer::resolve_edits(edits, new_files, &world.worktree()?.tree()?) {
        Err(AnswerError::Tree(error)) => Err(error.into()),
        placed => Ok(placed),
    }
}

/// The patch with the lines that it belongs at. What a recipe or a rule computed names them itself; what others wrote is searched for.
fn placed(task: &Task, text: &[u8], tree: &dyn Tree) -> Result<(Patch, Rung), AnswerError> {
    if task.by.is_computed()
        && let Ok(patch) = patch::parse(text)
    {
        return Ok((patch, Rung::Exact));
    }
    let resolved = answer::resolve(text, tree)?;
    let rung = resolved.rung();
    Ok((resolved.patch, rung))
}

/// Turns a text into a change that may be applied, or says why not.
fn check(
    world: &mut ChangeWorld,
    task: &Task,
    text: &[u8],
    claimed: Option<BTreeSet<RepoPath>>,
) -> Result<Result<(Checked, Rung), Tried>, ChangeError> {
    let scope = world.options.scope_of(task)?;
    let diff_budget = Some(task.diff_budget_loc.unwrap_or(world.options.diff_budget));
    let placed_before = proposals::rung(&world.run, task.id)?.unwrap_or(Rung::Exact);
    let worktree = world.worktree()?;
    let tree = worktree.tree()?;
    let (patch, rung) = match placed(task, text, &tree) {
        Ok((patch, rung)) => (patch, rung.max(placed_before)),
        Err(AnswerError::Noop) => return Ok(Err(Tried::Noop)),
        Err(AnswerError::Tree(error)) => return Err(error.into()),
        Err(AnswerError::Refused(refusals)) => {
            return Ok(Err(Tried::Refused(refusals.iter().map(ToString::to_string).collect())));
        }
        Err(other) => return Ok(Err(Tried::Refused(vec![other.to_string()]))),
    };
    let policy = Policy { scope, diff_budget, lockfiles: Lockfiles::Refused, claimed };
    let checked = match patch::check(patch, &tree, &policy) {
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
        reasons.push(format!("`{path}` is stored in Git LFS, and only its pointer is present"));
    }
    for (path, filter) in worktree.unfiltered(&paths)? {
        reasons.push(format!("`{path}` passes through the filter `{filter}`, which is not run"));
    }
    for path in worktree.ignored(&paths)? {
        reasons.push(format!("`{path}` is ignored by git"));
    }
    if let Some(words) = worktree.git_objects_to(&patch::write(checked.patch()))? {
        reasons.push(format!("git apply --check rejects it: {words}"));
    }
    Ok(if reasons.is_empty() { Ok((checked, rung)) } else { Err(Tried::Refused(reasons)) })
}

/// Runs the formatter and nothing else, and refuses what a formatter has no business doing.
fn format(world: &mut ChangeWorld, task: &Task, command: &str) -> Result<Tried, ChangeError> {
    let scope = world.options.scope_of(task)?;
    let dir = world.worktree()?.dir().to_owned();
    let known = world.worktree()?.paths()?;
    if let Some(reason) = formatter::run(world, task, command)? {
        return Ok(Tried::Refused(vec![reason]));
    }
    let mut paths = world.worktree()?.changed_paths()?;
    paths.retain(|path| !verify_setup::is_made(world, path));
    let mut reasons = Vec::new();
    for path in &paths {
        if !known.contains(path) {
            reasons.push(format!("the formatter created `{path}`, but may only change files"));
        } else if !path.below(&dir).symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            reasons.push(format!("the formatter removed `{path}`, but may only change files"));
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
    world.write(ChangeEvent::PatchApplying {
        task: task.id,
        paths: paths.clone(),
        added,
        removed,
        rung: None,
    })?;
    world.write(ChangeEvent::PatchApplied { task: task.id })?;
    Ok(Tried::Changed { paths, is_as_proposed: true })
}
