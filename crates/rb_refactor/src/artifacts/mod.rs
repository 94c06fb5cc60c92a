//! What a run leaves beside the code of its worktree, in `.refactor-bot/`: the index's artifacts, the register of risks, the
//! context for a model (IX13).
//!
//! `write_all` writes them from plain data; the same state and the same run give the same bytes. They help people and models and
//! decide nothing. The ledger and the contracts are written where they are made.

pub(crate) mod claude_context;
pub(crate) mod risk_register;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use rb_audit::LostLine;
use rb_change::{ChangeFiles as _, Examination, verify_setup};
use rb_contracts::Snapshot;
use rb_core::fs::{self, BehindLink, Durability, FsError};
use rb_core::{RepoPath, Task, TaskId};
use rb_index::artifacts::{self, ArtifactError};
use rb_index::{IndexError, Indexed, StoreError, View};
use rb_toolchains::Detected;
use rb_workspace::ledger::LedgerEntry;
use thiserror::Error;

use crate::error::RunError;
use crate::world::World;

/// All that the artifacts are written from.
pub(crate) struct Inputs<'a> {
    /// The worktree.
    pub(crate) root: &'a Path,
    pub(crate) indexed: &'a Indexed,
    /// Of the same state.
    pub(crate) view: &'a View<'a>,
    pub(crate) contracts: &'a Snapshot,
    /// How the project is built and tested.
    pub(crate) detected: &'a Detected,
    /// Globs of files that the run does not touch.
    pub(crate) excludes: &'a [String],
    /// What became of the tasks so far.
    pub(crate) ledger: &'a [LedgerEntry],
    /// Logic that a task took away and put nowhere again.
    pub(crate) lost: &'a [(TaskId, LostLine)],
}

#[derive(Debug, Error)]
pub enum ArtifactsError {
    #[error(transparent)]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Index(#[from] ArtifactError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Writes all of them from what is known of the last good commit.
pub(crate) fn refresh(
    world: &mut World,
    tasks: &[Task],
    ledger: &[LedgerEntry],
) -> Result<(), RunError> {
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let detected = match &world.change.ready {
        Some(ready) => ready.detected.clone(),
        None => verify_setup::detected(&mut world.change)?,
    };
    let lost = lost(world, tasks, ledger);
    let tip = world.change.tip()?;
    let known = world.change.known.as_mut().expect("it was made sure of just now");
    // History is counted up to where the run began; what is written here is of its last commit.
    known.indexed.update.head = Some(tip);
    let known = &*known;
    let view = known.indexed.view().map_err(IndexError::from)?;
    write_all(&Inputs {
        root: &root,
        indexed: &known.indexed,
        view: &view,
        contracts: &known.contracts,
        detected: &detected,
        excludes: &world.change.options.excludes,
        ledger,
        lost: &lost,
    })?;
    Ok(())
}

/// What the audits of the tasks that stand say is gone. One that cannot be read says nothing; what a recipe or a rule wrote anew is
/// not gone.
fn lost(world: &World, tasks: &[Task], ledger: &[LedgerEntry]) -> Vec<(TaskId, LostLine)> {
    let is_computed = |id: TaskId| tasks.iter().any(|task| task.id == id && task.by.is_computed());
    let stands = |entry: &&LedgerEntry| entry.commit.is_some() && !is_computed(entry.task);
    let mut lost = Vec::new();
    for entry in ledger.iter().filter(stands) {
        let file = world.change.run.dir.audit(entry.task);
        let Ok(Some(bytes)) = fs::read_optional(&file) else { continue };
        let Ok(examined) = serde_json::from_slice::<Examination>(&bytes) else { continue };
        lost.extend(examined.residue.lost.into_iter().map(|line| (entry.task, line)));
    }
    lost
}

/// Writes all of them into the worktree and gives their paths, sorted. Each appears whole or not at all.
pub(crate) fn write_all(inputs: &Inputs<'_>) -> Result<Vec<PathBuf>, ArtifactsError> {
    let folder = folder(inputs.root)?;
    let mut written = artifacts::write_all(inputs.indexed, &folder)?;
    let register = risk_register::write(&folder, inputs)?;
    claude_context::write(&folder, inputs, &register)?;
    written.extend([folder.join(risk_register::NAME), folder.join(claude_context::NAME)]);
    written.sort();
    written.dedup();
    Ok(written)
}

/// The folder of the artifacts. A suite may have put a link in its place, which must not lead us out of the worktree.
fn folder(root: &Path) -> Result<PathBuf, ArtifactsError> {
    let inside = RepoPath::new(".refactor-bot/x").expect("a plain name");
    let place = fs::contained(root, &inside)?;
    Ok(place.parent().expect("it is in a folder").to_owned())
}

fn put(folder: &Path, name: &str, text: &str) -> Result<(), FsError> {
    fs::create_dir_all(folder)?;
    fs::write(&folder.join(name), text.as_bytes(), Durability::Relaxed)
}
