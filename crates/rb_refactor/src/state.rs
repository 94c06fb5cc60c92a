//! What a journal says about a run, and which step follows from it. Nothing here has an effect.

use std::path::PathBuf;

use rb_core::{RepoPath, RunId, TaskId, Verdict};
use rb_flow::event::RunStarted;
use rb_flow::{Decision, Event, Outcome, Record, Workflow};
use rb_trust::Finding;
use rb_verify::Effort;
use rb_workspace::answer::Rung;
use rb_workspace::land::Landing;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::rollback::Rollback;

use crate::error::RunError;

/// A run, folded from its events.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each says that one kind of event was seen")]
pub struct State {
    pub started: RunStarted,
    pub notes: Vec<String>,
    pub backup: Option<PathBuf>,
    pub base: Option<Base>,
    pub baseline: Option<Verdict>,
    /// Why the baseline is no pass.
    pub baseline_reasons: Vec<String>,
    pub current: Option<Current>,
    pub ledger: Vec<LedgerEntry>,
    /// What the full verifier said of the last state of the branch.
    pub verified_in_full: Option<Verdict>,
    /// Why that is no pass.
    pub full_reasons: Vec<String>,
    pub compared_in_full: bool,
    pub reported: bool,
    pub waiting: bool,
    pub decision: Option<Decision>,
    pub landing: Option<Landing>,
    pub landed: bool,
    pub rollback: Option<Rollback>,
    pub rolled_back: bool,
    pub cleaned: bool,
    pub outcome: Option<Outcome>,
    /// Why the last process left off, if it could say so.
    pub left_off: Option<String>,
}

/// Where the run's branch begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub commit: String,
    pub carried: bool,
}

/// The task that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    pub task: TaskId,
    pub paths: Vec<RepoPath>,
    pub added: usize,
    pub removed: usize,
    pub rung: Option<Rung>,
    pub verdict: Option<Verdict>,
    pub notes: Vec<String>,
    pub commit: Option<String>,
}

/// The step that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Backup,
    Worktree,
    Baseline,
    /// Begins or begins again; by index into the tasks.
    Task(usize),
    /// The checkpoint was made; only its entry is missing.
    CloseTask,
    VerifyInFull,
    CompareInFull,
    Report,
    Wait,
    Land,
    PlanRollback,
    RollBack,
    Clean,
    End(Outcome),
    Done,
}

/// Where a run stands, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Unfinished,
    Waiting,
    Landing,
    Ended(Outcome),
}

impl State {
    pub fn fold(run: &RunId, records: &[Record]) -> Result<State, RunError> {
        let bad =
            |message: &str| RunError::BadJournal { run: run.clone(), message: message.to_owned() };
        let Some((first, rest)) = records.split_first() else { return Err(bad("it is empty")) };
        let Event::RunStarted(started) = &first.event else {
            return Err(bad("it does not begin with the start of a run"));
        };
        let mut state = State::new(started.clone());
        for record in rest {
            state.take(&record.event);
        }
        Ok(state)
    }

    pub(crate) fn new(started: RunStarted) -> State {
        State {
            started,
            notes: Vec::new(),
            backup: None,
            base: None,
            baseline: None,
            baseline_reasons: Vec::new(),
            current: None,
            ledger: Vec::new(),
            verified_in_full: None,
            full_reasons: Vec::new(),
            compared_in_full: false,
            reported: false,
            waiting: false,
            decision: None,
            landing: None,
            landed: false,
            rollback: None,
            rolled_back: false,
            cleaned: false,
            outcome: None,
            left_off: None,
        }
    }

    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::Noted { text } => self.notes.push(text.clone()),
            Event::Suspected { path, findings, .. } => {
                let notes = self.current.as_mut().map_or(&mut self.notes, |it| &mut it.notes);
                notes.extend(findings.iter().map(|found| suspicion(path, found)));
            }
            Event::BackupMade { dir, .. } => self.backup = Some(dir.clone()),
            Event::WorktreeStarted { base, carried, .. } => {
                self.base = Some(Base { commit: base.clone(), carried: *carried });
            }
            Event::BaselineTaken { verdict, reasons, .. } => {
                self.baseline = Some(*verdict);
                self.baseline_reasons.clone_from(reasons);
            }
            Event::AuditEnded { verdict, notes, .. } => {
                if let Some(current) = &mut self.current {
                    current.notes.extend(notes.iter().cloned());
                    if *verdict == Verdict::Fail {
                        current.verdict = Some(Verdict::Fail);
                    }
                }
            }
            Event::VerifyEnded { effort, verdict, reasons, .. } => {
                if let Some(current) = &mut self.current {
                    current.verdict = Some(*verdict);
                }
                if *effort == Effort::Full {
                    self.verified_in_full = Some(*verdict);
                    self.full_reasons.clone_from(reasons);
                }
            }
            Event::TaskStarted { task, .. } => {
                let task = *task;
                self.verified_in_full = None;
                self.current = Some(Current {
                    task,
                    paths: Vec::new(),
                    added: 0,
                    removed: 0,
                    rung: None,
                    verdict: None,
                    notes: Vec::new(),
                    commit: None,
                });
            }
            Event::PatchApplying { paths, added, removed, rung, .. } => {
                if let Some(current) = &mut self.current {
                    current.paths.clone_from(paths);
                    (current.added, current.removed, current.rung) = (*added, *removed, *rung);
                }
            }
            Event::CheckpointMade { commit, .. } => {
                if let Some(current) = &mut self.current {
                    current.commit = Some(commit.clone());
                }
            }
            Event::TaskEnded { entry } => {
                self.current = None;
                if entry.status == TaskStatus::Refused {
                    // What was verified is gone again.
                    self.verified_in_full = None;
                }
                self.ledger.push(entry.clone());
            }
            Event::CheckoutCompared { full, differences } => {
                self.compared_in_full = *full && differences.is_empty();
            }
            Event::ReportWritten { .. } => self.reported = true,
            Event::Waiting => self.waiting = true,
            Event::Decided { decision } => self.decision = Some(*decision),
            Event::LandingStarted { landing } => self.landing = Some(landing.clone()),
            Event::Landed => self.landed = true,
            Event::RollbackStarted { plan } => self.rollback = Some(plan.clone()),
            Event::RolledBack => self.rolled_back = true,
            Event::Cleaned => self.cleaned = true,
            Event::Interrupted => self.left_off = Some("interrupted".to_owned()),
            Event::Stopped { reason } => self.left_off = Some(reason.clone()),
            Event::Resumed => self.left_off = None,
            Event::RunEnded { outcome } => self.outcome = Some(*outcome),
            Event::RunStarted(_)
            | Event::Entered { .. }
            | Event::Indexed { .. }
            | Event::Narrowed { .. }
            | Event::TakenBack { .. }
            | Event::Aborted { .. }
            | Event::Planned { .. }
            | Event::Confirmed
            | Event::PackMade { .. }
            | Event::NothingProposed { .. }
            | Event::ProposalBlocked { .. }
            | Event::CriticEnded { .. }
            | Event::CandidateMade { .. }
            | Event::TryFailed { .. }
            | Event::Approved { .. }
            | Event::BackupStarted { .. }
            | Event::WorktreeMade { .. }
            | Event::BaselineStarted
            | Event::VerifyStarted { .. }
            | Event::PatchProposed { .. }
            | Event::PatchRefused { .. }
            | Event::ModelCalled { .. }
            | Event::ModelFailed { .. }
            | Event::PatchApplied { .. }
            | Event::CommandStarted { .. }
            | Event::CommandEnded { .. }
            | Event::CheckpointStarted { .. }
            | Event::Recovered { .. } => {}
        }
    }

    pub(crate) fn next(&self) -> Step {
        if self.outcome.is_some() {
            return Step::Done;
        }
        match &self.started.workflow {
            Workflow::Refactor => self.next_of_refactor(),
            Workflow::Verify => self.next_of_verify(),
            Workflow::Rollback { .. } => self.next_of_rollback(),
        }
    }

    fn next_of_refactor(&self) -> Step {
        if let Some(decision) = self.decision {
            return self.next_after(decision);
        }
        if self.backup.is_none() {
            return Step::Backup;
        }
        if self.base.is_none() {
            return Step::Worktree;
        }
        if self.verifies() && self.baseline.is_none() {
            return Step::Baseline;
        }
        if self.baseline_stops() {
            return if self.cleaned { Step::End(Outcome::BaselineFailed) } else { Step::Clean };
        }
        if self.current.as_ref().is_some_and(|current| current.commit.is_some()) {
            return Step::CloseTask;
        }
        if self.refusal().is_none() && self.ledger.len() < self.started.tasks.len() {
            return Step::Task(self.ledger.len());
        }
        if self.verifies() && self.has_changes() && self.verified_in_full.is_none() {
            return Step::VerifyInFull;
        }
        if !self.compared_in_full {
            return Step::CompareInFull;
        }
        if !self.reported {
            return Step::Report;
        }
        match (self.has_changes(), self.cleaned) {
            (true, _) => Step::Wait,
            (false, false) => Step::Clean,
            (false, true) => Step::End(Outcome::Noop),
        }
    }

    fn next_after(&self, decision: Decision) -> Step {
        let outcome = match decision {
            Decision::Accept if !self.landed => return Step::Land,
            Decision::Accept => Outcome::Accepted,
            Decision::KeepBranch => Outcome::BranchKept,
            Decision::Reject => Outcome::Rejected,
        };
        if self.cleaned { Step::End(outcome) } else { Step::Clean }
    }

    fn next_of_verify(&self) -> Step {
        if self.base.is_none() {
            Step::Worktree
        } else if self.baseline.is_none() {
            Step::Baseline
        } else if !self.cleaned {
            Step::Clean
        } else {
            Step::End(Outcome::Verified)
        }
    }

    fn verifies(&self) -> bool {
        self.started.verify.is_some()
    }

    /// Whether nothing may be tried, because the state before it is already broken.
    fn baseline_stops(&self) -> bool {
        let allowed =
            self.started.verify.as_ref().is_some_and(|verify| verify.allow_failing_baseline);
        self.baseline == Some(Verdict::Fail) && !allowed
    }

    fn next_of_rollback(&self) -> Step {
        if self.backup.is_none() {
            Step::Backup
        } else if self.rollback.is_none() {
            Step::PlanRollback
        } else if !self.rolled_back {
            Step::RollBack
        } else {
            Step::End(Outcome::RolledBack)
        }
    }

    /// Whether what is left to do reaches into the user's checkout.
    pub(crate) fn writes_checkout(&self) -> bool {
        let is_rollback = matches!(self.started.workflow, Workflow::Rollback { .. });
        self.outcome.is_none() && (is_rollback || self.decision == Some(Decision::Accept))
    }

    /// The task that ended the loop early.
    pub fn refusal(&self) -> Option<&LedgerEntry> {
        self.ledger.iter().find(|entry| entry.status == TaskStatus::Refused)
    }

    pub fn has_changes(&self) -> bool {
        self.ledger.iter().any(|entry| entry.commit.is_some())
    }

    /// The last commit that is known to be good.
    pub fn tip(&self) -> Option<&str> {
        let checkpoint = self.current.as_ref().and_then(|current| current.commit.as_deref());
        let applied = self.ledger.iter().rev().find_map(|entry| entry.commit.as_deref());
        checkpoint.or(applied).or(self.base.as_ref().map(|base| base.commit.as_str()))
    }

    pub fn phase(&self) -> Phase {
        match (self.outcome, &self.landing, self.waiting) {
            (Some(outcome), ..) => Phase::Ended(outcome),
            (None, Some(_), _) => Phase::Landing,
            (None, None, true) => Phase::Waiting,
            (None, None, false) => Phase::Unfinished,
        }
    }
}
/// One line of a report.
fn suspicion(path: &RepoPath, found: &Finding) -> String {
    let Finding { line, kind, score, excerpt, .. } = found;
    format!("{path}:{line}: suspicious text ({}, {score} of 100): {excerpt}", kind.name())
}
