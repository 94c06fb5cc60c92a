//! What a journal tells for a report: a fold of its records, without a look at any file.
//!
//! It is the state of the run, and what a report shows beyond it: tries that failed, times, what was compared. It decides nothing.

use std::path::PathBuf;

use rb_change::{ChangeEvent, Failure};
use rb_core::clock::Timestamp;
use rb_core::{Task, TaskId, Verdict};
use rb_flow::RunState as _;
use rb_models::Ledger;
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_verify::Effort;
use rb_workspace::fingerprint::Difference;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::event::{Event, Record, Recovery, RefactorEvent, RunEvent};
use crate::state::State;

/// A run as its journal tells it.
#[derive(Debug, Clone)]
pub(crate) struct RunHistory {
    /// What every reader of the journal sees.
    pub(crate) state: State,
    pub(crate) begun: Timestamp,
    pub(crate) last: Timestamp,
    /// Without the time in which nobody worked on it, or it waited for a person.
    pub(crate) worked_ms: u64,
    pub(crate) baseline: Option<Judged>,
    /// The tasks of every plan, in the order of the plans.
    pub(crate) plans: Vec<Vec<Task>>,
    pub(crate) tasks: Vec<TaskHistory>,
    /// The tasks whose checkpoints stand, in the order of the commits.
    pub(crate) standing: Vec<TaskId>,
    /// The last look at all changes together.
    pub(crate) whole: Option<Verified>,
    pub(crate) compared: Compared,
    /// Files of the repository, as indexed.
    pub(crate) indexed: Option<u64>,
    pub(crate) spent: Ledger,
    pub(crate) model_failures: Vec<String>,
    pub(crate) suspicions: usize,
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    /// A pass without a test among what passed.
    pub(crate) untested: bool,
    pub(crate) reasons: Vec<String>,
    pub(crate) file: PathBuf,
}

#[derive(Debug, Clone)]
pub(crate) struct Verified {
    /// `None` for all changes of the run.
    pub(crate) task: Option<TaskId>,
    pub(crate) effort: Effort,
    pub(crate) judged: Judged,
}

/// How often the person's checkout was compared with what it was.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compared {
    pub(crate) quick: usize,
    pub(crate) full: usize,
    pub(crate) differences: Vec<Difference>,
}

/// A node of the workflow, all visits together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) visits: usize,
    pub(crate) ms: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct TaskHistory {
    pub(crate) task: Task,
    pub(crate) entry: Option<LedgerEntry>,
    pub(crate) audit: Option<Judged>,
    pub(crate) verified: Option<Verified>,
    pub(crate) critic: Option<Critic>,
    pub(crate) tries: Vec<Try>,
    pub(crate) pack: Option<PathBuf>,
    pub(crate) approved: Option<bool>,
    begun: Option<Timestamp>,
    pub(crate) ms: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Critic {
    pub(crate) decision: CriticDecision,
    pub(crate) reasons: Vec<String>,
}

/// A try that came to nothing.
#[derive(Debug, Clone)]
pub(crate) struct Try {
    pub(crate) attempt: u32,
    pub(crate) failure: Failure,
    pub(crate) reasons: Vec<String>,
    pub(crate) recovery: Recovery,
}

impl Try {
    /// What went wrong, and what was done about it.
    pub(crate) fn words(&self) -> String {
        let failure = self.failure.words();
        let recovery = match self.recovery {
            Recovery::RetryNarrowed => "retried with a smaller scope",
            Recovery::ShowMore => "asked again with the code that it wanted to see",
            Recovery::Skip => "skipped",
            Recovery::RollBackSubtree => "reverted with the tasks that depend on it",
            Recovery::Abort => "the run was stopped",
        };
        let first = self.reasons.first().map(|it| format!(": {it}")).unwrap_or_default();
        format!("attempt {}: {failure}; {recovery}{first}", self.attempt)
    }
}

impl RunHistory {
    /// `None` for a journal that does not begin with the start of a run.
    pub(crate) fn fold(records: &[Record]) -> Option<RunHistory> {
        let (first, rest) = records.split_first()?;
        let Event::Run(RunEvent::RunStarted(started)) = &first.event else { return None };
        let mut history = RunHistory {
            state: State::new(started.clone()),
            begun: first.at,
            last: first.at,
            worked_ms: 0,
            baseline: None,
            plans: Vec::new(),
            tasks: started.tasks.iter().cloned().map(TaskHistory::new).collect(),
            standing: Vec::new(),
            whole: None,
            compared: Compared::default(),
            indexed: None,
            spent: rb_flow::spending::ledger(records),
            model_failures: Vec::new(),
            suspicions: 0,
            nodes: Vec::new(),
        };
        for record in rest {
            history.pass(record);
            history.take(record);
            history.state.take(&record.event);
        }
        Some(history)
    }

    /// Counts the time since the last record, unless a person or nobody had the run meanwhile.
    fn pass(&mut self, record: &Record) {
        let idle = matches!(
            record.event,
            Event::Run(RunEvent::Resumed | RunEvent::Recovered { .. })
                | Event::Own(
                    RefactorEvent::Change(ChangeEvent::Decided { .. })
                        | RefactorEvent::Confirmed { .. }
                        | RefactorEvent::Approved { .. }
                )
        );
        if !idle {
            let ms = u64::try_from(record.at.since(self.last).as_millis()).unwrap_or(u64::MAX);
            self.worked_ms = self.worked_ms.saturating_add(ms);
        }
        self.last = record.at;
    }

    fn take(&mut self, record: &Record) {
        match &record.event {
            Event::Run(event) => self.take_of_run(event),
            Event::Own(event) => self.take_own(event, record.at),
        }
    }

    fn take_of_run(&mut self, event: &RunEvent) {
        match event {
            RunEvent::ModelFailed { role, reason, .. } => {
                self.model_failures.push(format!("{role}: {reason}"));
            }
            RunEvent::Suspected { findings, .. } => self.suspicions += findings.len(),
            RunEvent::Entered { from, ms, .. } => self.leave(from.as_deref(), *ms),
            RunEvent::RunStarted(_)
            | RunEvent::ModelCallStarted { .. }
            | RunEvent::ModelCalled { .. }
            | RunEvent::ToolCalled { .. }
            | RunEvent::Noted { .. }
            | RunEvent::Waiting
            | RunEvent::Resumed
            | RunEvent::Interrupted
            | RunEvent::Stopped { .. }
            | RunEvent::RunEnded { .. }
            | RunEvent::Recovered { .. } => {}
        }
    }

    fn take_own(&mut self, event: &RefactorEvent, at: Timestamp) {
        match event {
            RefactorEvent::Change(event) => self.take_change(event, at),
            RefactorEvent::Planned { tasks, .. } => {
                // Made again before any of it was begun: refined, or after a kill.
                if !self.tasks.iter().any(|history| history.begun.is_some()) {
                    self.plans.clear();
                }
                self.plan(tasks);
            }
            RefactorEvent::Indexed { files, .. } => self.indexed = Some(*files),
            RefactorEvent::Narrowed { task, .. } => {
                if let Some(history) = self.task(task.id) {
                    history.task = Task::clone(task);
                }
            }
            RefactorEvent::TakenBack { tasks, again, .. } => {
                self.take_back(tasks);
                self.plan(again);
            }
            RefactorEvent::PackMade { task, file, .. } => {
                self.with(*task, |history| history.pack = Some(file.clone()));
            }
            RefactorEvent::CriticEnded { task, decision, reasons } => self.with(*task, |history| {
                history.critic = Some(Critic { decision: *decision, reasons: reasons.clone() });
            }),
            RefactorEvent::TryFailed { task, attempt, failure, reasons, recovery } => {
                let (attempt, failure, recovery) = (*attempt, *failure, *recovery);
                let reasons = reasons.clone();
                self.with(*task, |history| {
                    if let Some(entry) = &mut history.entry {
                        entry.reasons.clone_from(&reasons);
                    }
                    history.tries.push(Try { attempt, failure, reasons, recovery });
                });
            }
            RefactorEvent::Approved { task, approved, .. } => {
                self.with(*task, |history| history.approved = Some(*approved));
            }
            // What the state has, and steps whose outcome stands in another event.
            RefactorEvent::Aborted { .. }
            | RefactorEvent::Confirmed { .. }
            | RefactorEvent::PatchProposed { .. }
            | RefactorEvent::ProposalBlocked { .. }
            | RefactorEvent::Weighed { .. }
            | RefactorEvent::ReportWritten { .. } => {}
        }
    }

    fn take_change(&mut self, event: &ChangeEvent, at: Timestamp) {
        match event {
            ChangeEvent::BaselineTaken { verdict, untested, reasons, file } => {
                let untested = *untested;
                self.baseline = Some(Judged { untested, ..judged(*verdict, reasons, file) });
            }
            ChangeEvent::CheckoutCompared { full, differences } => {
                let count = if *full { &mut self.compared.full } else { &mut self.compared.quick };
                *count += 1;
                self.compared.differences.extend(differences.iter().cloned());
            }
            ChangeEvent::TaskStarted { task, .. } => {
                self.whole = None;
                if let Some(history) = self.task(*task) {
                    history.begun = history.begun.or(Some(at));
                    (history.audit, history.verified, history.critic) = (None, None, None);
                }
            }
            ChangeEvent::AuditEnded { task, verdict, reasons, file, .. } => {
                self.with(*task, |history| history.audit = Some(judged(*verdict, reasons, file)));
            }
            ChangeEvent::VerifyEnded { task, effort, verdict, untested, reasons, file, .. } => {
                let judged = Judged { untested: *untested, ..judged(*verdict, reasons, file) };
                self.verified(Verified { task: *task, effort: *effort, judged });
            }
            ChangeEvent::TaskEnded { entry } => self.end(entry, at),
            // What the state has, and steps whose outcome stands in another event.
            ChangeEvent::BackupStarted { .. }
            | ChangeEvent::BackupMade { .. }
            | ChangeEvent::WorktreeStarted { .. }
            | ChangeEvent::WorktreeMade { .. }
            | ChangeEvent::BaselineStarted
            | ChangeEvent::NothingProposed { .. }
            | ChangeEvent::CandidateMade { .. }
            | ChangeEvent::PatchRefused { .. }
            | ChangeEvent::PatchApplying { .. }
            | ChangeEvent::PatchApplied { .. }
            | ChangeEvent::LeftoversMended { .. }
            | ChangeEvent::MendsDropped { .. }
            | ChangeEvent::CommandStarted { .. }
            | ChangeEvent::CommandEnded { .. }
            | ChangeEvent::VerifyStarted { .. }
            | ChangeEvent::CheckpointStarted { .. }
            | ChangeEvent::CheckpointMade { .. }
            | ChangeEvent::Decided { .. }
            | ChangeEvent::LandingStarted { .. }
            | ChangeEvent::Landed
            | ChangeEvent::NotLanded { .. }
            | ChangeEvent::RollbackStarted { .. }
            | ChangeEvent::RolledBack
            | ChangeEvent::Cleaned => {}
        }
    }

    /// A plan takes the place of what an earlier one had not begun.
    fn plan(&mut self, tasks: &[Task]) {
        self.plans.push(tasks.to_vec());
        self.tasks.retain(|history| history.begun.is_some() || history.entry.is_some());
        for task in tasks {
            match self.tasks.iter_mut().find(|history| history.task.id == task.id) {
                Some(history) => history.task = task.clone(),
                None => self.tasks.push(TaskHistory::new(task.clone())),
            }
        }
    }

    fn take_back(&mut self, tasks: &[TaskId]) {
        self.whole = None;
        self.standing.retain(|id| !tasks.contains(id));
        for id in tasks {
            self.with(*id, |history| {
                if let Some(entry) = &mut history.entry {
                    entry.status = TaskStatus::RolledBack;
                    entry.commit = None;
                }
            });
        }
    }

    /// A full look at the last task's state is one at all changes.
    fn verified(&mut self, verified: Verified) {
        if verified.effort == Effort::Full || verified.task.is_none() {
            self.whole = Some(verified.clone());
        }
        if let Some(id) = verified.task {
            self.with(id, |history| history.verified = Some(verified));
        }
    }

    fn end(&mut self, entry: &LedgerEntry, at: Timestamp) {
        self.standing.retain(|id| *id != entry.task);
        if entry.commit.is_some() {
            self.standing.push(entry.task);
        } else if entry.status != TaskStatus::Noop {
            // What was verified is gone again.
            self.whole = None;
        }
        self.with(entry.task, |history| {
            let passed = |begun| u64::try_from(at.since(begun).as_millis()).unwrap_or(u64::MAX);
            history.ms = history.begun.map(passed);
            history.entry = Some(entry.clone());
        });
    }

    fn leave(&mut self, from: Option<&str>, ms: u64) {
        let Some(name) = from else { return };
        match self.nodes.iter_mut().find(|node| node.name == name) {
            Some(node) => (node.visits, node.ms) = (node.visits + 1, node.ms.saturating_add(ms)),
            None => self.nodes.push(Node { name: name.to_owned(), visits: 1, ms }),
        }
    }

    fn task(&mut self, id: TaskId) -> Option<&mut TaskHistory> {
        self.tasks.iter_mut().find(|history| history.task.id == id)
    }

    fn with(&mut self, id: TaskId, change: impl FnOnce(&mut TaskHistory)) {
        if let Some(history) = self.task(id) {
            change(history);
        }
    }
}

impl TaskHistory {
    fn new(task: Task) -> TaskHistory {
        TaskHistory {
            task,
            entry: None,
            audit: None,
            verified: None,
            critic: None,
            tries: Vec::new(),
            pack: None,
            approved: None,
            begun: None,
            ms: None,
        }
    }
}

fn judged(verdict: Verdict, reasons: &[String], file: &std::path::Path) -> Judged {
    Judged { verdict, untested: false, reasons: reasons.to_vec(), file: file.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn rf9_what_was_taken_back_does_not_stand() {
        let mut sample = samples::good();
        let history = RunHistory::fold(&sample.records).unwrap();
        assert_eq!(history.standing, [TaskId(1), TaskId(2)]);
        assert!(history.whole.is_some());
        let (tasks, commit) = (vec![TaskId(2)], "c".to_owned());
        sample.event(RefactorEvent::TakenBack {
            tasks,
            commit,
            again: Vec::new(),
            dropped: Vec::new(),
        });
        let history = RunHistory::fold(&sample.records).unwrap();
        assert_eq!(history.standing, [TaskId(1)]);
        let entry = history.tasks[1].entry.as_ref().unwrap();
        assert_eq!((entry.status, &entry.commit), (TaskStatus::RolledBack, &None));
        assert!(history.whole.is_none(), "what was verified is gone");
    }

    #[test]
    fn rf11_time_in_which_a_person_was_waited_for_is_not_counted() {
        let mut sample = samples::nothing();
        let worked = RunHistory::fold(&sample.records).unwrap().worked_ms;
        let interrupted = Event::from(RunEvent::Interrupted);
        let resumed = RunEvent::Resumed.into();
        for event in
            [RefactorEvent::Confirmed { without: Vec::new() }.into(), interrupted.clone(), resumed]
        {
            // The interruption itself comes a second after the last work.
            sample.now += if event == interrupted { 0 } else { 3_600_000 };
            sample.event(event);
        }
        let history = RunHistory::fold(&sample.records).unwrap();
        assert_eq!(history.worked_ms, worked + 1000);
        assert_eq!(history.state.course.left_off, None);
    }

    #[test]
    fn rf9_a_new_plan_replaces_what_was_not_begun() {
        let mut sample = samples::mixed();
        let ids = |history: &RunHistory| {
            history.tasks.iter().map(|history| history.task.id.0).collect::<Vec<_>>()
        };
        assert_eq!(ids(&RunHistory::fold(&sample.records).unwrap()), [1, 2, 3, 4]);
        let five = Task::new(TaskId(5), "anew", rb_core::TaskKind::Change { format: None });
        sample.event(RefactorEvent::Planned {
            tasks: vec![five],
            is_react_project: false,
            active_rules: Vec::new(),
            file: PathBuf::from("plan.json"),
        });
        assert_eq!(ids(&RunHistory::fold(&sample.records).unwrap()), [1, 2, 3, 5]);
    }
}
