//! Proposals of changes: those that a person brings, and the texts of all of them in the run's folder, so that a resumed run needs nobody
//! again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rb_core::fs::{self, Durability, FsError};
use rb_core::{ApiChanges, Proposer, RepoPath, Task, TaskId, TaskKind};
use rb_flow::Run;
use rb_workspace::answer::{Resolved, Rung};
use rb_workspace::patch;
use thiserror::Error;

use crate::change_files::ChangeFiles as _;
use crate::error::ChangeError;

/// Where a task's change comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenChange {
    /// A file that holds a unified diff, search/replace blocks or whole files.
    Patch(PathBuf),
    /// A change that was computed here: what it is for, its patch, and the formatter for the files that it touches.
    Computed { goal: String, patch: Vec<u8>, format: Option<String>, api_changes: ApiChanges },
    /// A formatter's command line.
    Format(String),
}

#[derive(Debug, Error)]
pub enum GivenChangeError {
    #[error("there is nothing to do: no patch was given")]
    None,
    #[error(transparent)]
    Unreadable(FsError),
    #[error("{} is too large for a patch (the limit is {} MiB)", .0.display(), MAX >> 20)]
    TooLarge(PathBuf),
    #[error("{} is empty", .0.display())]
    Empty(PathBuf),
}

const MAX: u64 = 64 << 20;

/// The operation of a task whose change was computed here.
const COMPUTED: &str = "apply-edits";

/// Did a person write the change of this task?
pub fn is_by_person(task: &Task) -> bool {
    task.by == Proposer::Given && !is_computed(task)
}

/// Was the change of this task computed, before the run or in it?
pub fn is_computed(task: &Task) -> bool {
    task.by.is_computed() || task.allowed_operations.iter().any(|it| it == COMPUTED)
}

/// A task with the text it was proposed by.
pub struct Loaded {
    pub task: Task,
    pub text: Option<Vec<u8>>,
}

/// Reads every proposal before anything else happens.
pub fn load(proposals: &[GivenChange]) -> Result<Vec<Loaded>, GivenChangeError> {
    if proposals.is_empty() {
        return Err(GivenChangeError::None);
    }
    let loaded = proposals.iter().zip(1..).map(|(proposal, number)| {
        let mut loaded = load_one(proposal, TaskId(number))?;
        loaded.task.is_critical = proposals.len() == 1;
        Ok(loaded)
    });
    loaded.collect()
}

fn load_one(proposal: &GivenChange, id: TaskId) -> Result<Loaded, GivenChangeError> {
    match proposal {
        GivenChange::Format(command) => {
            let kind = TaskKind::FormatOnly { command: command.clone() };
            Ok(Loaded { task: Task::new(id, format!("format with {command}"), kind), text: None })
        }
        GivenChange::Computed { goal, patch, format, api_changes } => {
            let kind = TaskKind::Change { format: format.clone() };
            let mut task = Task::new(id, goal.clone(), kind);
            task.allowed_operations = vec![COMPUTED.to_owned()];
            task.api_changes.clone_from(api_changes);
            Ok(Loaded { task, text: Some(patch.clone()) })
        }
        GivenChange::Patch(path) => {
            let text = fs::read_head(path, MAX + 1).map_err(GivenChangeError::Unreadable)?;
            if text.len() as u64 > MAX {
                return Err(GivenChangeError::TooLarge(path.clone()));
            }
            if text.iter().all(u8::is_ascii_whitespace) {
                return Err(GivenChangeError::Empty(path.clone()));
            }
            let stem = path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
            let goal = subject(&text).unwrap_or(stem);
            Ok(Loaded {
                task: Task::new(id, goal, TaskKind::Change { format: None }),
                text: Some(text),
            })
        }
    }
}

/// Keeps a proposal, with the files that its author says it touches, where one said so.
pub fn keep(
    run: &Run,
    task: TaskId,
    text: &[u8],
    claimed: Option<&[String]>,
) -> Result<(), ChangeError> {
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
    fs::remove_file(&run.dir.rung(task))?;
    Ok(fs::write(&run.dir.proposal(task), text, Durability::Relaxed)?)
}

/// Keeps the patch that edits come to, and returns its text. It fits as it is, so that the rung of the edits is kept beside it.
pub fn keep_placed(
    run: &Run,
    task: TaskId,
    resolved: &Resolved,
    claimed: &[String],
) -> Result<Vec<u8>, ChangeError> {
    let text = patch::write(&resolved.patch);
    keep(run, task, &text, Some(claimed))?;
    keep_rung(run, task, resolved.rung())?;
    Ok(text)
}

fn keep_rung(run: &Run, task: TaskId, rung: Rung) -> Result<(), ChangeError> {
    let text = serde_json::to_vec(&rung).expect("a word");
    Ok(fs::write(&run.dir.rung(task), &text, Durability::Relaxed)?)
}

/// The rung of the edits that a proposal was made of; `None` where it was kept as it came.
pub(crate) fn rung(run: &Run, task: TaskId) -> Result<Option<Rung>, ChangeError> {
    let text = fs::read_optional(&run.dir.rung(task))?.unwrap_or_default();
    Ok(serde_json::from_slice(&text).ok())
}

/// Keeps the proposal of a task for the one that does it again.
pub fn hand_on(run: &Run, from: TaskId, to: TaskId) -> Result<(), ChangeError> {
    keep(run, to, &fs::read(&run.dir.proposal(from))?, None)?;
    rung(run, from)?.map_or(Ok(()), |rung| keep_rung(run, to, rung))
}

/// The files that the author of a proposal says it touches. One that is no path of a repository is none of its files.
pub fn claimed(run: &Run, task: TaskId) -> Result<Option<BTreeSet<RepoPath>>, ChangeError> {
    let Some(text) = fs::read_optional(&run.dir.claims(task))? else { return Ok(None) };
    let names: Vec<String> = serde_json::from_slice(&text).unwrap_or_default();
    Ok(Some(names.iter().filter_map(|name| RepoPath::new(name).ok()).collect()))
}

/// The subject of a patch that came as a mail (`git format-patch`).
fn subject(text: &[u8]) -> Option<String> {
    let head = &text[..text.len().min(4096)];
    let head = String::from_utf8_lossy(head);
    let line = head
        .lines()
        .take_while(|line| !line.starts_with("diff "))
        .find_map(|line| line.strip_prefix("Subject: "))?;
    let words = match line.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(line, |(_, words)| words),
        None => line,
    };
    let words = words.trim();
    (!words.is_empty()).then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailed_patch_brings_its_goal() {
        let check =
            |text: &str, goal: Option<&str>| assert_eq!(subject(text.as_bytes()).as_deref(), goal);
        check(
            "From 1\nSubject: [PATCH 1/2] Use a map\n\n---\ndiff --git a/a b/a\n",
            Some("Use a map"),
        );
        check("Subject: plain words\n", Some("plain words"));
        check("diff --git a/a b/a\nSubject: no\n", None);
        check("--- a/a\n", None);
    }
}
