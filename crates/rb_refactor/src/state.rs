//! What a journal says about a run. Nothing here has an effect.
//!
//! `State` is folded from events and changes in no other way. Which node follows is the graph's to say (`graph.rs`), from what
//! stands here.

mod current;
mod saved;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rb_core::{Proposer, RepoPath, Task, TaskId, Verdict};
use rb_flow::graph::Node as _;
use rb_flow::{Course, RunState};
use rb_plan::Leftover;
use rb_trust::Finding;
use rb_verify::Effort;
use rb_workspace::land::Landing;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::rollback::Rollback;
use serde::Serialize;

use crate::agents::{PrWriter, WholeValidator};
use crate::event::{
    Decision, Event, Failure, Mode, Outcome, Recovery, RefactorEvent, RunEvent, RunStarted,
};
use crate::steps::{
    Approve, BackUp, Clean, Compare, Confirm, Decide, FindCause, Finish, Land, MakeWorktree,
};
use crate::workflow::Refactor;

pub use current::{Current, Offer};
pub use saved::Saved;

/// A run, folded from its events.
#[derive(Debug, Clone)]
pub struct State {
    pub started: RunStarted,
    /// What is to be done; of a run that plans, once it has.
    pub tasks: Vec<Task>,
    pub is_react_project: bool,
    pub active_rules: Vec<String>,
    /// Where all of the plan is.
    pub plan: Option<PathBuf>,
    pub confirmed: bool,
    /// Notes for tasks that were not begun.
    suspicions: BTreeMap<TaskId, Vec<String>>,
    pub backup: Option<PathBuf>,
    pub base: Option<Base>,
    pub baseline: Option<Verdict>,
    /// Why the baseline is no pass.
    pub baseline_reasons: Vec<String>,
    pub current: Option<Current>,
    pub ledger: Vec<LedgerEntry>,
    /// Proposals that were made and not yet tried, with the commit that each was made for.
    pub proposals: BTreeMap<TaskId, Offer>,
    /// The pack of each task that a model is asked for.
    pub packs: BTreeMap<TaskId, PathBuf>,
    pub retry_counts: BTreeMap<TaskId, u32>,
    pub errors: Vec<AgentError>,
    /// Sites that tasks lost when they were tried again with less to do.
    pub dropped: Vec<Leftover>,
    /// Why the loop ended early.
    pub aborted: Option<String>,
    /// What the full verifier said of the last state of the branch.
    pub verified_in_full: Option<Verdict>,
    /// Why that is no pass.
    pub full_reasons: Vec<String>,
    /// The commit that was verified last for a task.
    pub verified_commit: Option<VerifiedCommit>,
    /// What passed its last verification without a test.
    untested: BTreeSet<Looked>,
    pub report: Option<PathBuf>,
    pub decision: Option<Decision>,
    /// The message of the one commit that lands in place of the run's own.
    pub squash: Option<String>,
    pub landing: Option<Landing>,
    pub rollback: Option<Rollback>,
    pub course: Course<Refactor>,
}

/// What was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Looked {
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

/// A try that failed, and what was decided about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentError {
    pub task: TaskId,
    pub attempt: u32,
    pub failure: Failure,
    pub reasons: Vec<String>,
    pub recovery: Recovery,
    /// The record of the checks that it failed, where they were run.
    #[serde(skip)]
    pub verification: Option<PathBuf>,
}

/// Where a run stands, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Unfinished,
    /// The plan waits for a word.
    Planned,
    /// One task's change waits for a word.
    Approval(TaskId),
    Waiting,
    Landing,
    Ended(Outcome),
}

impl State {
    pub(crate) fn new(started: RunStarted) -> State {
        State {
            tasks: started.tasks.clone(),
            started,
            is_react_project: false,
            active_rules: Vec::new(),
            plan: None,
            confirmed: false,
            suspicions: BTreeMap::new(),
            backup: None,
            base: None,
            baseline: None,
            baseline_reasons: Vec::new(),
            current: None,
            ledger: Vec::new(),
            proposals: BTreeMap::new(),
            packs: BTreeMap::new(),
            retry_counts: BTreeMap::new(),
            errors: Vec::new(),
            dropped: Vec::new(),
            aborted: None,
            verified_in_full: None,
            full_reasons: Vec::new(),
            verified_commit: None,
            untested: BTreeSet::new(),
            report: None,
            decision: None,
            squash: None,
            landing: None,
            rollback: None,
            course: Course::default(),
        }
    }

    /// The sites that tasks lost, as the plan lists what it leaves.
    pub fn dropped_places(&self) -> Vec<Leftover> {
        let mut places = self.dropped.clone();
        places.sort();
        places.dedup();
        places
    }

    /// Tasks that have an entry or were taken back are done with.
    fn plan(&mut self, tasks: &[Task]) {
        let begun = |task: &Task| {
            let is_current = self.current.as_ref().is_some_and(|it| it.task == task.id);
            is_current || self.ledger.iter().any(|entry| entry.task == task.id)
        };
        let mut all: Vec<Task> = self.tasks.iter().filter(|task| begun(task)).cloned().collect();
        all.extend(tasks.iter().filter(|task| !begun(task)).cloned());
        // A proposal that was made for another task of that name is none of this one.
        let before = std::mem::replace(&mut self.tasks, all);
        let is_same = |id: &TaskId| {
            let of = |tasks: &[Task]| tasks.iter().find(|task| task.id == *id).cloned();
            of(&before) == of(&self.tasks)
        };
        self.proposals.retain(|id, _| is_same(id));
    }

    /// That there is nothing to do in a file may be otherwise once the file has changed. A patch is compared with its files instead.
    fn forget_what_was_said_of(&mut self, changed: &[RepoPath], status: TaskStatus) {
        if status != TaskStatus::Applied {
            return;
        }
        let State { tasks, proposals, .. } = self;
        let is_about = |id: &TaskId| {
            let task = tasks.iter().find(|task| task.id == *id);
            task.is_some_and(|task| task.files.iter().any(|file| changed.contains(file)))
        };
        proposals.retain(|id, offer| matches!(offer, Offer::Patch { .. }) || !is_about(id));
    }

    /// Text that is suspicious is noted with the task that it was met in, also where that is yet to come.
    fn suspect(&mut self, task: Option<TaskId>, path: &RepoPath, findings: &[Finding]) {
        let notes = match (task, self.current.as_mut()) {
            (Some(task), Some(current)) if current.task == task => &mut current.notes,
            (Some(task), _) => self.suspicions.entry(task).or_default(),
            (None, _) => &mut self.course.notes,
        };
        for note in findings.iter().map(|found| suspicion(path, found)) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }

    fn take_back(&mut self, tasks: &[TaskId]) {
        for entry in self.ledger.iter_mut().filter(|entry| tasks.contains(&entry.task)) {
            entry.status = TaskStatus::RolledBack;
            entry.commit = None;
        }
        self.verified_in_full = None;
    }

    pub(crate) fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// The task that is under way.
    pub(crate) fn current_task(&self) -> Option<&Task> {
        self.current.as_ref().and_then(|current| self.task(current.task))
    }

    /// The first task that has not been tried.
    pub(crate) fn next_task(&self) -> Option<&Task> {
        let tried: BTreeSet<TaskId> = self.ledger.iter().map(|entry| entry.task).collect();
        self.tasks.iter().find(|task| !tried.contains(&task.id))
    }

    /// Whether that other is this task, or what this one was before it was taken back and planned anew.
    pub(crate) fn is_same(&self, task: &Task, other: TaskId) -> bool {
        let is_back =
            |entry: &LedgerEntry| entry.task == other && entry.status == TaskStatus::RolledBack;
        let earlier = || self.task(other).filter(|_| self.ledger.iter().any(is_back));
        task.id == other || earlier().is_some_and(|earlier| earlier.goal == task.goal)
    }

    /// A task that the next one needs and that did not come about.
    pub(crate) fn missing_for(&self, task: &Task) -> Option<TaskId> {
        let came_about = |id: &TaskId| {
            self.ledger.iter().any(|entry| {
                entry.task == *id && matches!(entry.status, TaskStatus::Applied | TaskStatus::Noop)
            })
        };
        task.depends_on.iter().find(|id| !came_about(id)).copied()
    }

    /// Tasks of models that hang on nothing that is to come, touch nothing that the task at hand touches, and were not asked for yet.
    pub(crate) fn beside(&self) -> Vec<&Task> {
        let Some(current) = self.current_task() else { return Vec::new() };
        if current.by != Proposer::Model || self.current.as_ref().is_some_and(|it| it.attempt > 1) {
            return Vec::new();
        }
        let mut taken: BTreeSet<&RepoPath> = current.files.iter().collect();
        let mut beside = Vec::new();
        for task in self.tasks.iter().skip_while(|task| task.id != current.id).skip(1) {
            let is_open = task.by == Proposer::Model
                && !self.proposals.contains_key(&task.id)
                && !self.ledger.iter().any(|entry| entry.task == task.id)
                && self.missing_for(task).is_none();
            if is_open && !task.files.iter().any(|file| taken.contains(file)) {
                taken.extend(&task.files);
                beside.push(task);
            }
        }
        beside
    }

    /// Whether no task is begun any more.
    pub(crate) fn is_ending(&self) -> bool {
        let nodes = [
            WholeValidator::NAME,
            FindCause::NAME,
            Compare::NAME,
            PrWriter::NAME,
            Decide::NAME,
            Land::NAME,
            Clean::NAME,
            Finish::NAME,
        ];
        self.course.position.at().is_some_and(|at| nodes.contains(&at))
    }

    /// Whether there is no backup, because it cannot be made: there is nothing to go on with.
    pub(crate) fn lacks_backup(&self) -> bool {
        let at = self.course.position.at();
        self.backup.is_none() && at.is_none_or(|at| at == MakeWorktree::NAME || at == BackUp::NAME)
    }

    /// A run that stopped, by itself, before it had made anything.
    pub fn never_began(&self) -> bool {
        self.course.has_stopped() && self.lacks_backup()
    }

    /// Whether the repository's own commands are run.
    pub(crate) fn verifies(&self) -> bool {
        self.started.verify.as_ref().is_some_and(|verify| verify.runs_commands)
    }

    fn looked(&mut self, at: Looked, untested: bool) {
        if untested {
            self.untested.insert(at);
        } else {
            self.untested.remove(&at);
        }
    }

    /// Whether no test spoke before any change: nothing ran, or no test is among what passed.
    pub(crate) fn no_test_speaks(&self) -> bool {
        self.baseline == Some(Verdict::NoVerifierRan) || self.untested.contains(&Looked::Baseline)
    }

    /// Whether the verdict on what is kept rests on no test.
    pub fn is_untested(&self) -> bool {
        if self.verified_in_full.is_some() {
            return self.untested.contains(&Looked::Whole);
        }
        let mut kept = self.ledger.iter().filter(|entry| entry.commit.is_some());
        kept.any(|entry| self.untested.contains(&Looked::Task(entry.task)))
    }

    /// Whether nothing may be tried, because the state before it is already broken.
    pub(crate) fn baseline_stops(&self) -> bool {
        let allowed =
            self.started.verify.as_ref().is_some_and(|verify| verify.allow_failing_baseline);
        self.baseline == Some(Verdict::Fail) && !allowed
    }

    /// Whether what is left to do reaches into the user's checkout.
    pub(crate) fn writes_checkout(&self) -> bool {
        let is_rollback = matches!(self.started.workflow, Mode::Rollback { .. });
        self.course.outcome.is_none() && (is_rollback || self.decision == Some(Decision::Accept))
    }

    /// The task that ended the loop early.
    pub fn refusal(&self) -> Option<&LedgerEntry> {
        self.ledger.iter().find(|entry| entry.status == TaskStatus::Refused)
    }

    /// Tasks failed, and of all that was tried nothing stands.
    pub fn is_all_in_vain(&self) -> bool {
        let is_failed = |error: &AgentError| error.failure != Failure::Person;
        !self.has_changes() && self.errors.iter().any(is_failed)
    }

    pub fn has_changes(&self) -> bool {
        self.ledger.iter().any(|entry| entry.commit.is_some())
    }

    /// The last commit that is known to be good.
    pub fn tip(&self) -> Option<&str> {
        let applied = self.ledger.iter().rev().find_map(|entry| entry.commit.as_deref());
        applied.or(self.base.as_ref().map(|base| base.commit.as_str()))
    }

    /// Tasks in a row, up to now, that failed and were skipped. What a person refused has not failed.
    pub(crate) fn failed_in_a_row(&self) -> u32 {
        let refused_by_hand = |entry: &&LedgerEntry| {
            let last = self.errors.iter().rev().find(|error| error.task == entry.task);
            last.is_some_and(|error| error.failure == Failure::Person)
        };
        let tail = self.ledger.iter().rev();
        let tail = tail.take_while(|entry| entry.status == TaskStatus::Skipped);
        let failed = tail.filter(|entry| !refused_by_hand(entry));
        u32::try_from(failed.count()).unwrap_or(u32::MAX)
    }

    pub fn phase(&self) -> Phase {
        if let Some(outcome) = self.course.outcome {
            return Phase::Ended(outcome);
        }
        if self.landing.is_some() {
            return Phase::Landing;
        }
        match self.course.position.at() {
            Some(Confirm::NAME) if !self.confirmed && self.course.waiting => Phase::Planned,
            Some(Approve::NAME) if self.course.waiting => {
                self.current.as_ref().map_or(Phase::Unfinished, |it| Phase::Approval(it.task))
            }
            // The landing was taken back.
            Some(Land::NAME) if self.decision.is_none() => Phase::Waiting,
            // Without a position: a journal of before there was a graph.
            Some(Decide::NAME) | None if self.course.waiting => Phase::Waiting,
            _ => Phase::Unfinished,
        }
    }
}

impl RunState<Refactor> for State {
    fn new(started: RunStarted) -> State {
        State::new(started)
    }

    fn start(&self) -> &RunStarted {
        &self.started
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Own(own) => self.take_own(own),
            Event::Run(RunEvent::ModelFailed { task: Some(task), reason, .. }) => {
                self.proposals.insert(*task, Offer::Failed { why: reason.clone() });
            }
            Event::Run(RunEvent::Suspected { task, path, findings }) => {
                self.suspect(*task, path, findings);
            }
            Event::Run(_) => {}
        }
        if let Some(current) = &mut self.current {
            current.take(event);
        }
        let lap = self.lap();
        self.course.take(event, &lap);
    }

    /// The task at hand, or what the last one was.
    fn lap(&self) -> String {
        let last = || self.ledger.last().map(|entry| entry.task);
        let task = self.current.as_ref().map(|current| current.task).or_else(last);
        task.map(|task| task.to_string()).unwrap_or_default()
    }

    fn course(&self) -> &Course<Refactor> {
        &self.course
    }
}

impl State {
    #[expect(clippy::too_many_lines, reason = "one arm for each event")]
    fn take_own(&mut self, event: &RefactorEvent) {
        match event {
            RefactorEvent::Planned { tasks, is_react_project, active_rules, file } => {
                self.plan(tasks);
                self.is_react_project = *is_react_project;
                self.active_rules.clone_from(active_rules);
                self.plan = Some(file.clone());
            }
            RefactorEvent::Confirmed => self.confirmed = true,
            RefactorEvent::Narrowed { task, dropped } => {
                self.dropped.extend(dropped.iter().cloned());
                if let Some(known) = self.tasks.iter_mut().find(|known| known.id == task.id) {
                    known.clone_from(task);
                }
            }
            RefactorEvent::TakenBack { tasks, again, dropped, .. } => {
                self.dropped.extend(dropped.iter().cloned());
                self.take_back(tasks);
                self.plan(again);
            }
            RefactorEvent::Aborted { reason } => self.aborted = Some(reason.clone()),
            RefactorEvent::PackMade { task, file, .. } => {
                self.packs.insert(*task, file.clone());
            }
            RefactorEvent::PatchProposed { task, base, by, .. } => {
                let offer = Offer::Patch { base: base.clone(), by: by.clone() };
                self.proposals.insert(*task, offer);
            }
            RefactorEvent::NothingProposed { task, why } => {
                self.proposals.insert(*task, Offer::Nothing { why: why.clone() });
            }
            RefactorEvent::ProposalBlocked { task, why } => {
                self.proposals.insert(*task, Offer::Blocked { why: why.clone() });
            }
            RefactorEvent::TryFailed { task, attempt, failure, reasons, recovery } => {
                self.proposals.remove(task);
                if *recovery == Recovery::RetryNarrowed {
                    *self.retry_counts.entry(*task).or_default() += 1;
                }
                // What passed and was found to be the cause of a failure later.
                if let Some(entry) = self.ledger.iter_mut().find(|it| it.task == *task) {
                    entry.reasons.clone_from(reasons);
                }
                self.errors.push(AgentError {
                    task: *task,
                    attempt: *attempt,
                    failure: *failure,
                    reasons: reasons.clone(),
                    recovery: *recovery,
                    verification: self.current.as_ref().and_then(|it| it.verification.clone()),
                });
            }
            RefactorEvent::BackupMade { dir, .. } => self.backup = Some(dir.clone()),
            RefactorEvent::WorktreeStarted { base, carried, .. } => {
                self.base = Some(Base { commit: base.clone(), carried: *carried });
            }
            RefactorEvent::BaselineTaken { verdict, untested, reasons, .. } => {
                self.baseline = Some(*verdict);
                self.looked(Looked::Baseline, *untested);
                self.baseline_reasons.clone_from(reasons);
            }
            RefactorEvent::VerifyEnded {
                task, effort, verdict, untested, reasons, file, ..
            } => {
                if let Some(task) = task {
                    self.looked(Looked::Task(*task), *untested);
                    let candidate = self.current.as_ref().and_then(|it| it.candidate.clone());
                    self.verified_commit =
                        candidate.map(|commit| VerifiedCommit { commit, file: file.clone() });
                }
                // It speaks for all changes so far, whichever task it was run after.
                if *effort == Effort::Full {
                    self.looked(Looked::Whole, *untested);
                    self.verified_in_full = Some(*verdict);
                    self.full_reasons.clone_from(reasons);
                }
            }
            RefactorEvent::TaskStarted { task, .. } => {
                self.verified_in_full = None;
                let notes = self.suspicions.remove(task).unwrap_or_default();
                self.current = Some(Current { notes, ..Current::new(*task) });
            }
            RefactorEvent::TaskEnded { entry } => {
                self.current = None;
                self.proposals.remove(&entry.task);
                self.forget_what_was_said_of(&entry.touched_files, entry.status);
                if entry.status != TaskStatus::Applied {
                    // What was verified is gone again.
                    self.verified_in_full = None;
                }
                self.ledger.push(entry.clone());
            }
            RefactorEvent::ReportWritten { dir } => self.report = Some(dir.clone()),
            RefactorEvent::Decided { decision, squash } => {
                self.decision = Some(*decision);
                self.squash.clone_from(squash);
            }
            RefactorEvent::LandingStarted { landing } => self.landing = Some(landing.clone()),
            RefactorEvent::NotLanded { .. } => (self.decision, self.landing) = (None, None),
            RefactorEvent::RollbackStarted { plan } => self.rollback = Some(plan.clone()),
            RefactorEvent::Indexed { .. }
            | RefactorEvent::CriticEnded { .. }
            | RefactorEvent::CandidateMade { .. }
            | RefactorEvent::Weighed { .. }
            | RefactorEvent::Approved { .. }
            | RefactorEvent::AuditEnded { .. }
            | RefactorEvent::BackupStarted { .. }
            | RefactorEvent::WorktreeMade { .. }
            | RefactorEvent::BaselineStarted
            | RefactorEvent::VerifyStarted { .. }
            | RefactorEvent::PatchApplying { .. }
            | RefactorEvent::PatchRefused { .. }
            | RefactorEvent::PatchApplied { .. }
            | RefactorEvent::CommandStarted { .. }
            | RefactorEvent::CommandEnded { .. }
            | RefactorEvent::CheckpointStarted { .. }
            | RefactorEvent::CheckpointMade { .. }
            | RefactorEvent::CheckoutCompared { .. }
            | RefactorEvent::Landed
            | RefactorEvent::RolledBack
            | RefactorEvent::Cleaned => {}
        }
    }
}

/// One line of a report.
fn suspicion(path: &RepoPath, found: &Finding) -> String {
    let Finding { line, kind, score, excerpt, .. } = found;
    format!("{path}:{line}: suspicious text ({}, {score} of 100): {excerpt}", kind.name())
}
