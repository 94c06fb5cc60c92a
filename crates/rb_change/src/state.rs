//! What a journal says about the changes of a run. A workflow has it in its own state. Nothing here has an effect.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rb_core::{RepoPath, TaskId, Verdict};
use rb_trust::Finding;
use rb_verify::Effort;
use rb_workspace::land::Landing;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::rollback::Rollback;

use crate::current::Current;
use crate::event::{ChangeEvent, Decision};

/// The changes of a run, folded from its events.
#[derive(Debug, Clone, Default)]
pub struct ChangeState {
    pub backup: Option<PathBuf>,
    pub base: Option<Base>,
    pub baseline: Option<Verdict>,
    /// Why the baseline is no pass.
    pub baseline_reasons: Vec<String>,
    /// The task that is under way.
    pub current: Option<Current>,
    pub ledger: Vec<LedgerEntry>,
    /// What the full verifier said of the last state of the branch.
    pub verified_in_full: Option<Verdict>,
    /// Why that is no pass.
    pub full_reasons: Vec<String>,
    /// The commit that was verified last for a task.
    pub verified_commit: Option<VerifiedCommit>,
    /// What passed its last verification without a test.
    untested: BTreeSet<VerifySubject>,
    /// Notes for tasks that were not begun.
    suspicions: BTreeMap<TaskId, Vec<String>>,
    pub decision: Option<Decision>,
    /// The message of the one commit that lands in place of the run's own.
    pub squash: Option<String>,
    pub landing: Option<Landing>,
    pub rollback: Option<Rollback>,
}

/// What was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum VerifySubject {
    Baseline,
    Task(TaskId),
    /// All changes so far.
    Whole,
}

/// A commit, and the record of what its checks said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedCommit {
    pub commit: String,
    pub file: PathBuf,
}

/// Where the run's branch begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub commit: String,
    pub carried: bool,
}

impl ChangeState {
    pub fn take(&mut self, event: &ChangeEvent) {
        match event {
            ChangeEvent::BackupMade { dir, .. } => self.backup = Some(dir.clone()),
            ChangeEvent::WorktreeStarted { base, carried, .. } => {
                self.base = Some(Base { commit: base.clone(), carried: *carried });
            }
            ChangeEvent::BaselineTaken { verdict, untested, reasons, .. } => {
                self.baseline = Some(*verdict);
                self.looked(VerifySubject::Baseline, *untested);
                self.baseline_reasons.clone_from(reasons);
            }
            ChangeEvent::VerifyEnded { task, effort, verdict, untested, reasons, file, .. } => {
                if let Some(task) = task {
                    self.looked(VerifySubject::Task(*task), *untested);
                    let candidate = self.current.as_ref().and_then(|it| it.candidate.clone());
                    self.verified_commit =
                        candidate.map(|commit| VerifiedCommit { commit, file: file.clone() });
                }
                // It speaks for all changes so far, whichever task it was run after.
                if *effort == Effort::Full {
                    self.looked(VerifySubject::Whole, *untested);
                    self.verified_in_full = Some(*verdict);
                    self.full_reasons.clone_from(reasons);
                }
            }
            ChangeEvent::TaskStarted { task, .. } => {
                self.verified_in_full = None;
                let notes = self.suspicions.remove(task).unwrap_or_default();
                self.current = Some(Current { notes, ..Current::new(*task) });
            }
            ChangeEvent::TaskEnded { entry } => {
                self.current = None;
                if entry.status != TaskStatus::Applied {
                    // What was verified is gone again.
                    self.verified_in_full = None;
                }
                self.ledger.push(entry.clone());
            }
            ChangeEvent::Decided { decision, squash } => {
                self.decision = Some(*decision);
                self.squash.clone_from(squash);
            }
            ChangeEvent::LandingStarted { landing } => self.landing = Some(landing.clone()),
            ChangeEvent::NotLanded { .. } => (self.decision, self.landing) = (None, None),
            ChangeEvent::RollbackStarted { plan } => self.rollback = Some(plan.clone()),
            ChangeEvent::BackupStarted { .. }
            | ChangeEvent::WorktreeMade { .. }
            | ChangeEvent::BaselineStarted
            | ChangeEvent::NothingProposed { .. }
            | ChangeEvent::PatchRefused { .. }
            | ChangeEvent::PatchApplying { .. }
            | ChangeEvent::PatchApplied { .. }
            | ChangeEvent::LeftoversMended { .. }
            | ChangeEvent::MendsDropped { .. }
            | ChangeEvent::CommandStarted { .. }
            | ChangeEvent::CommandEnded { .. }
            | ChangeEvent::CandidateMade { .. }
            | ChangeEvent::AuditEnded { .. }
            | ChangeEvent::VerifyStarted { .. }
            | ChangeEvent::CheckpointStarted { .. }
            | ChangeEvent::CheckpointMade { .. }
            | ChangeEvent::CheckoutCompared { .. }
            | ChangeEvent::Landed
            | ChangeEvent::RolledBack
            | ChangeEvent::Cleaned => {}
        }
        if let Some(current) = &mut self.current {
            current.take(event);
        }
    }

    /// Text that is suspicious is noted with the task that it was met in, also where that is yet to come.
    pub fn suspect(&mut self, task: TaskId, path: &RepoPath, findings: &[Finding]) {
        let notes = match self.current.as_mut() {
            Some(current) if current.task == task => &mut current.notes,
            Some(_) | None => self.suspicions.entry(task).or_default(),
        };
        for note in suspicions(path, findings) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }

    /// Checkpoints that were given up.
    pub fn take_back(&mut self, tasks: &[TaskId]) {
        for entry in self.ledger.iter_mut().filter(|entry| tasks.contains(&entry.task)) {
            entry.status = TaskStatus::RolledBack;
            entry.commit = None;
        }
        self.verified_in_full = None;
    }

    fn looked(&mut self, at: VerifySubject, untested: bool) {
        if untested {
            self.untested.insert(at);
        } else {
            self.untested.remove(&at);
        }
    }

    /// Whether no test spoke before any change: nothing ran, or no test is among what passed.
    pub fn no_test_speaks(&self) -> bool {
        self.baseline == Some(Verdict::NoVerifierRan)
            || self.untested.contains(&VerifySubject::Baseline)
    }

    /// Whether the verdict on what is kept rests on no test.
    pub fn is_untested(&self) -> bool {
        if self.verified_in_full.is_some() {
            return self.untested.contains(&VerifySubject::Whole);
        }
        let mut kept = self.ledger.iter().filter(|entry| entry.commit.is_some());
        kept.any(|entry| self.untested.contains(&VerifySubject::Task(entry.task)))
    }

    pub fn has_changes(&self) -> bool {
        self.ledger.iter().any(|entry| entry.commit.is_some())
    }

    /// Whether the work was carried over from uncommitted files.
    pub fn carried(&self) -> bool {
        self.base.as_ref().is_some_and(|base| base.carried)
    }

    /// The last commit that is known to be good.
    pub fn tip(&self) -> Option<&str> {
        let applied = self.ledger.iter().rev().find_map(|entry| entry.commit.as_deref());
        applied.or(self.base.as_ref().map(|base| base.commit.as_str()))
    }

    /// The good commit before an entry of the ledger.
    pub fn before(&self, at: usize) -> String {
        let earlier = self.ledger[..at].iter().rev().find_map(|entry| entry.commit.clone());
        let base = || self.base.as_ref().map(|base| base.commit.clone());
        earlier.or_else(base).unwrap_or_default()
    }

    /// The checkpoints that stand, in order.
    pub fn checkpoints(&self) -> Vec<(TaskId, &str)> {
        let entries = self.ledger.iter();
        entries.filter_map(|entry| Some((entry.task, entry.commit.as_deref()?))).collect()
    }
}

/// A line of a report for each finding.
pub fn suspicions(path: &RepoPath, findings: &[Finding]) -> Vec<String> {
    let line = |found: &Finding| {
        let Finding { line, kind, score, excerpt, .. } = found;
        format!("{path}:{line}: suspicious text ({}, {score} of 100): {excerpt}", kind.name())
    };
    findings.iter().map(line).collect()
}
