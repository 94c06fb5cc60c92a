//! Proposals that a person brings: patches, or a formatter to run.

use std::path::PathBuf;

use rb_core::fs::{self, FsError};
use rb_core::{Proposer, Task, TaskId, TaskKind};
use thiserror::Error;

/// Where a task's change comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// A file that holds a unified diff, search/replace blocks or whole files.
    Patch(PathBuf),
    /// A change that was computed here: what it is for, its patch, and the formatter for the files that it touches.
    Computed { goal: String, patch: Vec<u8>, format: Option<String> },
    /// A formatter's command line.
    Format(String),
}

#[derive(Debug, Error)]
pub enum ProposalError {
    #[error("there is nothing to do: no patch was given")]
    None,
    #[error(transparent)]
    Unreadable(FsError),
    #[error("{} is larger than a patch can be ({} MiB)", .0.display(), MAX >> 20)]
    TooLarge(PathBuf),
    #[error("{} is empty", .0.display())]
    Empty(PathBuf),
}

const MAX: u64 = 64 << 20;

/// The operation of a task whose change was computed here.
const COMPUTED: &str = "apply-edits";

/// Did a person write the change of this task?
pub(crate) fn is_by_person(task: &Task) -> bool {
    task.by == Proposer::Given && !is_computed(task)
}

/// Was the change of this task computed, before the run or in it?
pub(crate) fn is_computed(task: &Task) -> bool {
    task.by.is_computed() || task.allowed_operations.iter().any(|it| it == COMPUTED)
}

/// A task with the text it was proposed by.
pub(crate) struct Loaded {
    pub(crate) task: Task,
    pub(crate) text: Option<Vec<u8>>,
}

/// Reads every proposal before anything else happens.
pub(crate) fn load(proposals: &[Proposal]) -> Result<Vec<Loaded>, ProposalError> {
    if proposals.is_empty() {
        return Err(ProposalError::None);
    }
    let loaded = proposals.iter().zip(1..).map(|(proposal, number)| {
        let mut loaded = load_one(proposal, TaskId(number))?;
        loaded.task.is_critical = proposals.len() == 1;
        Ok(loaded)
    });
    loaded.collect()
}

fn load_one(proposal: &Proposal, id: TaskId) -> Result<Loaded, ProposalError> {
    match proposal {
        Proposal::Format(command) => {
            let kind = TaskKind::FormatOnly { command: command.clone() };
            Ok(Loaded { task: Task::new(id, format!("format with {command}"), kind), text: None })
        }
        Proposal::Computed { goal, patch, format } => {
            let kind = TaskKind::Change { format: format.clone() };
            let mut task = Task::new(id, goal.clone(), kind);
            task.allowed_operations = vec![COMPUTED.to_owned()];
            Ok(Loaded { task, text: Some(patch.clone()) })
        }
        Proposal::Patch(path) => {
            let text = fs::read_head(path, MAX + 1).map_err(ProposalError::Unreadable)?;
            if text.len() as u64 > MAX {
                return Err(ProposalError::TooLarge(path.clone()));
            }
            if text.iter().all(u8::is_ascii_whitespace) {
                return Err(ProposalError::Empty(path.clone()));
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
