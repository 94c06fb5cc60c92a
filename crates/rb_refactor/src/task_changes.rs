//! The changes of a run, one a task, for a person who judges them: what the journal, the report and the records of the audit say.

use rb_audit::Finding;
use rb_change::{ChangeFiles as _, Changing as _, Examination};
use rb_core::fs::{self, FsError};
use rb_core::{Proposer, RepoPath, TaskId, Verdict};
use rb_flow::RunDir;
use rb_workspace::ledger::LedgerEntry;

use crate::confidence::Part;
use crate::report::{task_patch, written_confidence};
use crate::state::{Phase, State};

/// The change of a task that stands, or that waits for approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskChange {
    pub task: TaskId,
    pub goal: String,
    /// Who proposed it.
    pub by: Proposer,
    pub files: Vec<RepoPath>,
    pub added: usize,
    pub removed: usize,
    pub verdict: Option<Verdict>,
    /// How far it can be trusted, from 0 to 100.
    pub confidence: Option<u8>,
    /// What the confidence is the sum of.
    pub parts: Vec<Part>,
    pub notes: Vec<String>,
    pub awaits_approval: bool,
}

impl State {
    /// The changes to judge: first the one that waits, then the least sure.
    pub fn task_changes(&self, dir: &RunDir) -> Vec<TaskChange> {
        let mut written = written_confidence(&dir.report());
        let standing = self.change.ledger.iter().filter(|entry| entry.commit.is_some());
        let mut changes: Vec<TaskChange> =
            standing.map(|entry| standing_change(self, entry)).collect();
        for change in &mut changes {
            if let Some(confidence) = written.remove(&change.task) {
                (change.confidence, change.parts) = (Some(confidence.score), confidence.parts);
            }
        }
        changes.extend(self.waiting_change());
        changes.sort_by_key(|change| (!change.awaits_approval, change.confidence, change.task));
        changes
    }

    fn waiting_change(&self) -> Option<TaskChange> {
        let Phase::Approval(task) = self.phase() else { return None };
        let current = self.change.current.as_ref().filter(|current| current.task == task)?;
        let (score, parts) = self.review.confidence.clone().unzip();
        let planned = self.task(task)?;
        Some(TaskChange {
            task,
            goal: planned.goal.clone(),
            by: planned.by.clone(),
            files: current.paths.clone(),
            added: current.added,
            removed: current.removed,
            verdict: current.verdict,
            confidence: score,
            parts: parts.iter().flatten().map(|words| part(words)).collect(),
            notes: current.notes.clone(),
            awaits_approval: true,
        })
    }
}

fn standing_change(state: &State, entry: &LedgerEntry) -> TaskChange {
    TaskChange {
        task: entry.task,
        goal: entry.goal.clone(),
        by: state.task(entry.task).map(|task| task.by.clone()).unwrap_or_default(),
        files: entry.touched_files.clone(),
        added: entry.added,
        removed: entry.removed,
        verdict: Some(entry.verdict),
        confidence: entry.confidence,
        parts: Vec::new(),
        notes: entry.notes.clone(),
        awaits_approval: false,
    }
}

/// A part as the journal has it: `+40 verification: pass`.
fn part(words: &str) -> Part {
    let split = words.split_once(' ').and_then(|(points, what)| Some((points.parse().ok()?, what)));
    let (points, what) = split.unwrap_or((0, words));
    Part { what: what.to_owned(), points }
}

/// The patch of a task's change: the report's, or the one that waits for approval. `None` while the run has not written either.
pub fn patch_of_task(dir: &RunDir, task: TaskId) -> Result<Option<Vec<u8>>, FsError> {
    match fs::read_optional(&dir.report().join(task_patch(task)))? {
        Some(patch) => Ok(Some(patch)),
        None => fs::read_optional(&dir.diff(task)),
    }
}

/// The patch that was proposed for a task and is not applied yet, such as a recipe's for a plan that waits.
pub fn proposed_patch(dir: &RunDir, task: TaskId) -> Result<Option<Vec<u8>>, FsError> {
    fs::read_optional(&dir.proposal(task))
}

/// What the audit found in a task's change. Nothing where there was no audit.
pub fn findings_of_task(dir: &RunDir, task: TaskId) -> Result<Vec<Finding>, FsError> {
    let record = fs::read_optional(&dir.audit(task))?.unwrap_or_default();
    let examination: Option<Examination> = serde_json::from_slice(&record).ok();
    Ok(examination.map(|examination| examination.findings).unwrap_or_default())
}
