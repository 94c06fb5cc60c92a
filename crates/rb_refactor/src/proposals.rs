//! Texts of proposals in the run's folder, so that a resumed run needs nobody again.

use std::collections::BTreeSet;

use rb_core::fs::{self, Durability};
use rb_core::{RepoPath, TaskId};
use rb_flow::Run;

use crate::error::RunError;
use crate::run_files::RunFiles as _;

/// Keeps a proposal, with the files that its author says it touches, where one said so.
pub(crate) fn keep(
    run: &Run,
    task: TaskId,
    text: &[u8],
    claimed: Option<&[String]>,
) -> Result<(), RunError> {
    fs::create_dir_all(&run.dir.proposals())?;
    let at = run.dir.claims(task);
    match claimed {
        Some(files) => {
            let text = serde_json::to_vec(files).expect("a list of texts");
            fs::write(&at, &text, Durability::Relaxed)?;
        }
        None if at.exists() => fs::remove_file(&at)?,
        None => {}
    }
    Ok(fs::write(&run.dir.proposal(task), text, Durability::Relaxed)?)
}

/// Keeps the proposal of a task for the one that does it again.
pub(crate) fn hand_on(run: &Run, from: TaskId, to: TaskId) -> Result<(), RunError> {
    keep(run, to, &fs::read(&run.dir.proposal(from))?, None)
}

/// The files that the author of a proposal says it touches. One that is no path of a repository is none of its files.
pub(crate) fn claimed(run: &Run, task: TaskId) -> Result<Option<BTreeSet<RepoPath>>, RunError> {
    let Some(text) = fs::read_optional(&run.dir.claims(task))? else { return Ok(None) };
    let names: Vec<String> = serde_json::from_slice(&text).unwrap_or_default();
    Ok(Some(names.iter().filter_map(|name| RepoPath::new(name).ok()).collect()))
}
