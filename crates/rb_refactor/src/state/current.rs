//! The task that is under way.

use std::path::PathBuf;

use rb_core::{Proposer, RepoPath, TaskId, Verdict};
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_workspace::answer::Rung;
use serde::Serialize;

use crate::event::{Event, Failure, Recovery, RefactorEvent, RunEvent};

/// What is known of a task between its start and its end.
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
    /// What the tests say; a failed audit is a fail, too.
    pub verdict: Option<Verdict>,
    /// It passed, and no test is among what passed.
    pub untested: bool,
    /// The record of what the checks said.
    pub verification: Option<PathBuf>,
    /// The critic's decision.
    pub critic: Option<CriticDecision>,
    /// How far the change can be trusted, and why.
    pub confidence: Option<(u8, Vec<String>)>,
    pub approved: Option<bool>,
    /// There is nothing to change, and this is why.
    pub nothing: Option<String>,
    /// What went wrong with this try.
    pub failed: Option<(Failure, Vec<String>)>,
    /// The task has less to do in the next try.
    pub is_narrowed: bool,
    /// What was decided about it.
    pub recovery: Option<Recovery>,
    pub notes: Vec<String>,
}

/// What a proposer came up with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "offer", rename_all = "snake_case")]
pub enum Offer {
    /// Its text is kept in the run's folder; it was made for the files of `base`.
    Patch {
        base: String,
        by: Proposer,
    },
    Nothing {
        why: String,
    },
    Blocked {
        why: String,
    },
    /// The model gave no usable answer.
    Failed {
        why: String,
    },
}

impl Current {
    pub(crate) fn new(task: TaskId) -> Current {
        Current {
            task,
            attempt: 1,
            paths: Vec::new(),
            added: 0,
            removed: 0,
            rung: None,
            candidate: None,
            audited: None,
            verdict: None,
            untested: false,
            verification: None,
            critic: None,
            confidence: None,
            approved: None,
            nothing: None,
            failed: None,
            is_narrowed: false,
            recovery: None,
            notes: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::Own(own) => self.take_own(own),
            Event::Run(RunEvent::ModelFailed { task: Some(task), reason, .. })
                if *task == self.task =>
            {
                self.failed = Some((Failure::Model, vec![reason.clone()]));
            }
            Event::Run(_) => {}
        }
    }

    fn take_own(&mut self, event: &RefactorEvent) {
        match event {
            RefactorEvent::PatchApplying { paths, added, removed, rung, .. } => {
                self.paths.clone_from(paths);
                (self.added, self.removed, self.rung) = (*added, *removed, *rung);
                self.candidate = None;
            }
            RefactorEvent::CandidateMade { commit, lines, .. } => {
                self.candidate = Some(commit.clone());
                (self.added, self.removed) = lines.unwrap_or((self.added, self.removed));
            }
            RefactorEvent::NothingProposed { task, why } if *task == self.task => {
                self.nothing = Some(why.clone());
            }
            RefactorEvent::ProposalBlocked { task, why } if *task == self.task => {
                self.failed = Some((Failure::Blocked, vec![why.clone()]));
            }
            RefactorEvent::PatchRefused { reasons, .. } => {
                self.failed = Some((Failure::Patch, reasons.clone()));
            }
            RefactorEvent::CriticEnded { decision, reasons, .. } => {
                self.critic = Some(*decision);
                match decision {
                    CriticDecision::Accept => {}
                    CriticDecision::Noop => self.nothing = Some(reasons.join(" ")),
                    CriticDecision::Reject
                    | CriticDecision::ShrinkScope
                    | CriticDecision::ShrinkDiff => {
                        self.failed = Some((Failure::Critic, reasons.clone()));
                    }
                }
            }
            RefactorEvent::AuditEnded { verdict, reasons, notes, failure, .. } => {
                self.audited = Some(*verdict);
                self.note(notes.iter().cloned());
                if *verdict == Verdict::Fail {
                    self.verdict = Some(Verdict::Fail);
                    self.failed = Some((failure.unwrap_or(Failure::Audit), reasons.clone()));
                }
            }
            RefactorEvent::VerifyEnded {
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
                    self.failed = Some((failure.unwrap_or(Failure::Verify), reasons.clone()));
                }
            }
            RefactorEvent::Weighed { confidence, parts, .. } => {
                self.confidence = Some((*confidence, parts.clone()));
            }
            RefactorEvent::Approved { approved, .. } => {
                self.approved = Some(*approved);
                if !approved {
                    let reason = "it was refused by hand".to_owned();
                    self.failed = Some((Failure::Person, vec![reason]));
                }
            }
            RefactorEvent::Narrowed { .. } => self.is_narrowed = true,
            RefactorEvent::TryFailed { recovery: Recovery::RetryNarrowed, .. } => {
                self.begin_again();
            }
            RefactorEvent::TryFailed { recovery, .. } => {
                self.recovery = Some(*recovery);
            }
            _ => {}
        }
    }

    /// A node that was killed and performed again says the same twice.
    pub(super) fn note(&mut self, notes: impl Iterator<Item = String>) {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// The next try knows nothing of this one but its number; what went wrong is in the errors of the run.
    fn begin_again(&mut self) {
        *self = Current { attempt: self.attempt + 1, ..Current::new(self.task) };
    }
}
