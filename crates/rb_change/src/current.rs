//! The task that is under way.

use std::path::PathBuf;

use rb_core::{RepoPath, TaskId, Verdict};
use rb_workspace::answer::Rung;

use crate::event::ChangeEvent;
use crate::failure::Failure;

/// What is known of a task's change between the task's start and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    pub task: TaskId,
    /// Counted from 1.
    pub attempt: u32,
    pub paths: Vec<RepoPath>,
    pub added: usize,
    pub removed: usize,
    pub rung: Option<Rung>,
    /// The change as a commit that is not yet judged.
    pub candidate: Option<String>,
    pub audited: Option<Verdict>,
    /// Behaviour that the change removed and that no test reaches.
    pub unreached: Vec<String>,
    /// Leftovers of the change that were mended with it.
    pub mends: Vec<String>,
    /// It failed with its mends, and is tried without any.
    pub without_mends: bool,
    /// What the tests say; a failed audit is a fail, too.
    pub verdict: Option<Verdict>,
    /// It passed, and no test is among what passed.
    pub untested: bool,
    /// The record of what the checks said.
    pub verification: Option<PathBuf>,
    /// There is nothing to change, and this is why.
    pub nothing: Option<String>,
    /// What went wrong with this try.
    pub failed: Option<(Failure, Vec<String>)>,
    pub notes: Vec<String>,
}

impl Current {
    pub fn new(task: TaskId) -> Current {
        Current {
            task,
            attempt: 1,
            paths: Vec::new(),
            added: 0,
            removed: 0,
            rung: None,
            candidate: None,
            audited: None,
            unreached: Vec::new(),
            mends: Vec::new(),
            without_mends: false,
            verdict: None,
            untested: false,
            verification: None,
            nothing: None,
            failed: None,
            notes: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, event: &ChangeEvent) {
        match event {
            ChangeEvent::PatchApplying { paths, added, removed, rung, .. } => {
                self.paths.clone_from(paths);
                (self.added, self.removed, self.rung) = (*added, *removed, *rung);
                self.candidate = None;
                self.mends.clear();
            }
            ChangeEvent::LeftoversMended { paths, mends, .. } => {
                let more = paths.iter().filter(|path| !self.paths.contains(path));
                self.paths = self.paths.iter().chain(more).cloned().collect();
                self.mends.clone_from(mends);
            }
            ChangeEvent::MendsDropped { reasons, .. } => {
                let why = reasons.first().map(|why| format!(": {why}")).unwrap_or_default();
                let note =
                    format!("leftovers were not mended, because checks fail with them mended{why}");
                *self = Current {
                    attempt: self.attempt,
                    without_mends: true,
                    notes: vec![note],
                    ..Current::new(self.task)
                };
            }
            ChangeEvent::CandidateMade { commit, lines, .. } => {
                self.candidate = Some(commit.clone());
                (self.added, self.removed) = lines.unwrap_or((self.added, self.removed));
            }
            ChangeEvent::NothingProposed { task, why } if *task == self.task => {
                self.nothing = Some(why.clone());
            }
            ChangeEvent::PatchRefused { reasons, .. } => self.fail(Failure::Patch, reasons),
            ChangeEvent::AuditEnded { verdict, reasons, notes, unreached, failure, .. } => {
                self.audited = Some(*verdict);
                self.unreached.clone_from(unreached);
                self.note(notes);
                if *verdict == Verdict::Fail {
                    self.verdict = Some(Verdict::Fail);
                    self.fail(failure.unwrap_or(Failure::Audit), reasons);
                }
            }
            ChangeEvent::VerifyEnded {
                task: Some(_),
                verdict,
                untested,
                reasons,
                failure,
                file,
                ..
            } => {
                (self.verdict, self.untested) = (Some(*verdict), *untested);
                self.verification = Some(file.clone());
                if *verdict == Verdict::Fail {
                    self.fail(failure.unwrap_or(Failure::Verify), reasons);
                }
            }
            _ => {}
        }
    }

    /// It failed, and its mends may be why.
    pub fn fails_with_mends(&self) -> bool {
        self.failed.is_some() && !self.mends.is_empty()
    }

    pub fn fail(&mut self, failure: Failure, reasons: &[String]) {
        self.failed = Some((failure, reasons.to_vec()));
    }

    /// A node that was killed and performed again says the same twice.
    fn note(&mut self, notes: &[String]) {
        for note in notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
    }

    /// The next try knows nothing of this one but its number.
    pub fn begin_again(&mut self) {
        *self = Current { attempt: self.attempt + 1, ..Current::new(self.task) };
    }
}
