//! What a journal says about a run. Nothing here has an effect.
//!
//! `State` is folded from events and changes in no other way. Which node follows is the graph's to say (`graph.rs`), from what
//! stands here.

mod review;
mod saved;
mod undone;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rb_change::{
    BackUp, ChangeEvent, ChangeState, Changing, Clean, Compare, Decide, Decision, Failure, Land,
    MakeWorktree, WholeValidator, suspicions,
};
use rb_core::{Proposer, RepoPath, Task, TaskId, Verdict, goal_title};
use rb_flow::graph::Node as _;
use rb_flow::{Course, RunState};
use rb_plan::Leftover;
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use serde::Serialize;

use crate::agents::PrWriter;
use crate::confidence::worse;
use crate::event::{Event, Mode, Outcome, Recovery, RefactorEvent, RunEvent, RunStarted};
use crate::steps::{Approve, Confirm, FindCause, Finish};
use crate::workflow::Refactor;

pub use review::{Proposal, Review};
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
    /// What became of the repository.
    pub change: ChangeState,
    /// The verdicts on the current task's change.
    pub review: Review,
    /// Proposals that were made and not yet tried, with the commit that each was made for.
    pub proposals: BTreeMap<TaskId, Proposal>,
    /// The code that models asked to see, by task.
    pub needs: BTreeMap<TaskId, Vec<String>>,
    /// The pack of each task that a model is asked for.
    pub packs: BTreeMap<TaskId, PathBuf>,
    pub retry_counts: BTreeMap<TaskId, u32>,
    pub errors: Vec<AgentError>,
    /// Tasks that were kept although they remove behaviour that no test reaches, and that neither a critic nor a person agreed to.
    unvouched: BTreeSet<TaskId>,
    /// Sites that tasks lost when they were tried again with less to do.
    pub dropped: Vec<Leftover>,
    /// A model that refined the plan dropped tasks whose change was known, or all that only a model can do.
    pub(crate) planner_dropped: bool,
    /// Why the loop ended early.
    pub aborted: Option<String>,
    pub report: Option<PathBuf>,
    pub course: Course<Refactor>,
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
            change: ChangeState::default(),
            review: Review::default(),
            proposals: BTreeMap::new(),
            needs: BTreeMap::new(),
            packs: BTreeMap::new(),
            retry_counts: BTreeMap::new(),
            errors: Vec::new(),
            unvouched: BTreeSet::new(),
            dropped: Vec::new(),
            planner_dropped: false,
            aborted: None,
            report: None,
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
            let is_current = self.change.current.as_ref().is_some_and(|it| it.task == task.id);
            is_current || self.change.ledger.iter().any(|entry| entry.task == task.id)
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

    /// Drops tasks that the person does not want, and those that need them.
    fn leave_out(&mut self, without: &[TaskId]) {
        let mut gone: BTreeSet<TaskId> = without.iter().copied().collect();
        loop {
            let is_lost = |task: &&Task| {
                !gone.contains(&task.id) && task.depends_on.iter().any(|id| gone.contains(id))
            };
            let lost: Vec<TaskId> = self.tasks.iter().filter(is_lost).map(|task| task.id).collect();
            if lost.is_empty() {
                break;
            }
            gone.extend(lost);
        }
        self.tasks.retain(|task| !gone.contains(&task.id));
        for task in gone {
            let why = if without.contains(&task) {
                "you left it out"
            } else {
                "it needs a task that you left out"
            };
            self.course.note(format!("{task} is not part of the plan: {why}"));
        }
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
        proposals
            .retain(|id, proposal| matches!(proposal, Proposal::Patch { .. }) || !is_about(id));
    }

    /// The first task that has not been tried.
    pub(crate) fn next_task(&self) -> Option<&Task> {
        let tried: BTreeSet<TaskId> = self.change.ledger.iter().map(|entry| entry.task).collect();
        self.tasks.iter().find(|task| !tried.contains(&task.id))
    }

    /// Whether that other is this task, or what this one was before it was taken back and planned anew.
    pub(crate) fn is_same(&self, task: &Task, other: TaskId) -> bool {
        let is_back =
            |entry: &LedgerEntry| entry.task == other && entry.status == TaskStatus::RolledBack;
        let earlier = || self.task(other).filter(|_| self.change.ledger.iter().any(is_back));
        task.id == other || earlier().is_some_and(|earlier| earlier.goal == task.goal)
    }

    /// A task that the next one needs and that did not come about.
    pub(crate) fn missing_for(&self, task: &Task) -> Option<TaskId> {
        let came_about = |id: &TaskId| {
            self.change.ledger.iter().any(|entry| {
                entry.task == *id && matches!(entry.status, TaskStatus::Applied | TaskStatus::Noop)
            })
        };
        task.depends_on.iter().find(|id| !came_about(id)).copied()
    }

    /// Tasks of models that hang on nothing that is to come, touch nothing that the task at hand touches, and were not asked for yet.
    /// An agent has one task at a time.
    pub(crate) fn beside(&self) -> Vec<&Task> {
        let Some(current) = self.current_task() else { return Vec::new() };
        if current.by != Proposer::Model
            || self.started.orders.agent.is_some()
            || self.change.current.as_ref().is_some_and(|it| it.attempt > 1)
        {
            return Vec::new();
        }
        let mut taken: BTreeSet<&RepoPath> = current.files.iter().collect();
        let mut beside = Vec::new();
        for task in self.tasks.iter().skip_while(|task| task.id != current.id).skip(1) {
            let is_open = task.by == Proposer::Model
                && !self.proposals.contains_key(&task.id)
                && !self.change.ledger.iter().any(|entry| entry.task == task.id)
                && self.missing_for(task).is_none();
            if is_open && !task.files.iter().any(|file| taken.contains(file)) {
                taken.extend(&task.files);
                beside.push(task);
            }
        }
        beside
    }

    /// How often a model was shown the code that it asked for.
    pub(crate) fn shown_more(&self, task: TaskId) -> u32 {
        let shown =
            |error: &&AgentError| error.task == task && error.recovery == Recovery::ShowMore;
        u32::try_from(self.errors.iter().filter(shown).count()).unwrap_or(u32::MAX)
    }

    /// Whether the last answer about a task says which code has to be seen for it.
    pub(crate) fn asks_for_code(&self, task: TaskId) -> bool {
        let said = self.proposals.get(&task);
        said.is_some_and(|it| matches!(it, Proposal::Blocked { needs, .. } if !needs.is_empty()))
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
        self.change.backup.is_none()
            && at.is_none_or(|at| at == MakeWorktree::NAME || at == BackUp::NAME)
    }

    /// A run that stopped, by itself, before it had made anything.
    pub fn never_began(&self) -> bool {
        self.course.has_stopped() && self.lacks_backup()
    }

    /// Whether the repository's own commands are run.
    pub(crate) fn verifies(&self) -> bool {
        self.started.verify.as_ref().is_some_and(|verify| verify.runs_commands)
    }

    /// Whether nothing may be tried, because the state before it is already broken.
    pub(crate) fn baseline_stops(&self) -> bool {
        let allowed =
            self.started.verify.as_ref().is_some_and(|verify| verify.allow_failing_baseline);
        self.change.baseline == Some(Verdict::Fail) && !allowed
    }

    /// What all changes together come to. Without a look at all of them: the worst of the tasks that stand.
    pub fn verdict(&self) -> Verdict {
        if self.baseline_stops() {
            return Verdict::Fail;
        }
        // A planned run is judged by what it keeps; the reason for an early end is reported separately.
        let is_planned = self.started.orders.plans;
        if !is_planned && self.refusal().is_some_and(|entry| entry.verdict == Verdict::Fail) {
            return Verdict::Fail;
        }
        let standing = self.change.ledger.iter().filter(|entry| entry.commit.is_some());
        let worst = || standing.map(|entry| entry.verdict).reduce(worse);
        self.change.verified_in_full.or_else(worst).unwrap_or(Verdict::NoVerifierRan)
    }

    /// Whether what is left to do reaches into the user's checkout.
    pub(crate) fn writes_checkout(&self) -> bool {
        let is_rollback = matches!(self.started.workflow, Mode::Rollback { .. });
        self.course.outcome.is_none()
            && (is_rollback || self.change.decision == Some(Decision::Accept))
    }

    /// The tasks whose changes stand although they remove behaviour that nothing and nobody vouches for: no test, no critic, no person.
    pub fn unvouched(&self) -> Vec<TaskId> {
        let standing = self.change.checkpoints().into_iter().map(|(task, _)| task);
        standing.filter(|task| self.unvouched.contains(task)).collect()
    }

    /// The task that ended the loop early.
    pub fn refusal(&self) -> Option<&LedgerEntry> {
        self.change.ledger.iter().find(|entry| entry.status == TaskStatus::Refused)
    }

    /// Tasks failed, and of all that was tried nothing stands.
    pub fn is_all_in_vain(&self) -> bool {
        let is_failed = |error: &AgentError| error.failure != Failure::Person;
        !self.change.has_changes() && self.errors.iter().any(is_failed)
    }

    /// Tasks in a row, up to now, that failed and were skipped. What a person refused has not failed.
    pub(crate) fn failed_in_a_row(&self) -> u32 {
        let tail = self.change.ledger.iter().rev();
        let tail = tail.take_while(|entry| entry.status == TaskStatus::Skipped);
        let failed = tail.filter(|entry| !self.was_refused_by_hand(entry));
        u32::try_from(failed.count()).unwrap_or(u32::MAX)
    }

    fn was_refused_by_hand(&self, entry: &LedgerEntry) -> bool {
        let last = self.errors.iter().rev().find(|error| error.task == entry.task);
        last.is_some_and(|error| error.failure == Failure::Person)
    }

    pub fn phase(&self) -> Phase {
        if let Some(outcome) = self.course.outcome {
            return Phase::Ended(outcome);
        }
        if self.change.landing.is_some() {
            return Phase::Landing;
        }
        match self.course.position.at() {
            Some(Confirm::NAME) if !self.confirmed && self.course.waiting => Phase::Planned,
            Some(Approve::NAME) if self.course.waiting => self
                .change
                .current
                .as_ref()
                .map_or(Phase::Unfinished, |it| Phase::Approval(it.task)),
            // The landing was taken back.
            Some(Land::NAME) if self.change.decision.is_none() => Phase::Waiting,
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
                self.proposals.insert(*task, Proposal::Failed { why: reason.clone() });
                self.fail(*task, Failure::Model, std::slice::from_ref(reason));
            }
            Event::Run(RunEvent::Suspected { task: Some(task), path, findings }) => {
                self.change.suspect(*task, path, findings);
            }
            Event::Run(RunEvent::Suspected { task: None, path, findings }) => {
                for note in suspicions(path, findings) {
                    self.course.note(note);
                }
            }
            Event::Run(_) => {}
        }
        let lap = self.lap();
        self.course.take(event, &lap);
    }

    /// The task at hand, or what the last one was.
    fn lap(&self) -> String {
        let last = || self.change.ledger.last().map(|entry| entry.task);
        let task = self.change.current.as_ref().map(|current| current.task).or_else(last);
        task.map(|task| task.to_string()).unwrap_or_default()
    }

    fn course(&self) -> &Course<Refactor> {
        &self.course
    }
}

impl State {
    fn take_own(&mut self, event: &RefactorEvent) {
        match event {
            RefactorEvent::Change(event) => self.take_change(event),
            RefactorEvent::Planned { tasks, is_react_project, active_rules, file } => {
                self.planner_dropped |= undone::drops_tasks(&self.tasks, tasks);
                self.plan(tasks);
                self.is_react_project = *is_react_project;
                self.active_rules.clone_from(active_rules);
                self.plan = Some(file.clone());
            }
            RefactorEvent::Confirmed { without } => {
                self.confirmed = true;
                self.leave_out(without);
            }
            RefactorEvent::Narrowed { task, dropped } => {
                self.dropped.extend(dropped.iter().cloned());
                if let Some(known) = self.tasks.iter_mut().find(|known| known.id == task.id) {
                    known.clone_from(task);
                }
                self.review.is_narrowed = self.change.current.is_some();
            }
            RefactorEvent::TakenBack { tasks, again, dropped, .. } => {
                self.dropped.extend(dropped.iter().cloned());
                self.change.take_back(tasks);
                self.plan(again);
            }
            RefactorEvent::Aborted { reason } => self.aborted = Some(reason.clone()),
            RefactorEvent::PackMade { task, file, .. } => {
                self.packs.insert(*task, file.clone());
            }
            RefactorEvent::PatchProposed { task, base, by, .. } => {
                let proposal = Proposal::Patch { base: base.clone(), by: by.clone() };
                self.proposals.insert(*task, proposal);
            }
            RefactorEvent::ProposalBlocked { task, why, needs } => {
                let asked = self.needs.entry(*task).or_default();
                let new = needs.iter().filter(|it| !asked.contains(it)).cloned();
                let new: Vec<String> = new.collect();
                asked.extend(new);
                let proposal = Proposal::Blocked { why: why.clone(), needs: needs.clone() };
                self.proposals.insert(*task, proposal);
                self.fail(*task, Failure::Blocked, std::slice::from_ref(why));
            }
            RefactorEvent::CriticEnded { task, decision, reasons } => {
                self.criticise(*task, *decision, reasons);
            }
            RefactorEvent::TryFailed { task, attempt, failure, reasons, recovery } => {
                let error = AgentError {
                    task: *task,
                    attempt: *attempt,
                    failure: *failure,
                    reasons: reasons.clone(),
                    recovery: *recovery,
                    verification: None,
                };
                self.take_failed_try(error);
            }
            RefactorEvent::Weighed { confidence, parts, .. } => {
                self.review.confidence = Some((*confidence, parts.clone()));
            }
            RefactorEvent::Approved { task, approved, comment } => {
                self.review.approved = Some(*approved);
                self.review.is_commented = comment.is_some();
                if !approved {
                    let why = comment.clone().unwrap_or_else(|| "you rejected it".to_owned());
                    self.fail(*task, Failure::Person, &[why]);
                }
            }
            RefactorEvent::ReportWritten { dir } => self.report = Some(dir.clone()),
            RefactorEvent::Indexed { .. } => {}
        }
    }

    fn take_change(&mut self, event: &ChangeEvent) {
        match event {
            ChangeEvent::NothingProposed { task, why } => {
                self.proposals.insert(*task, Proposal::Nothing { why: why.clone() });
            }
            ChangeEvent::TaskStarted { .. } => self.review = Review::default(),
            ChangeEvent::TaskEnded { entry } => {
                self.note_unvouched();
                self.review = Review::default();
                self.proposals.remove(&entry.task);
                self.forget_what_was_said_of(&entry.touched_files, entry.status);
            }
            _ => {}
        }
        self.change.take(event);
    }

    fn note_unvouched(&mut self) {
        let is_agreed = self.review.critic == Some(CriticDecision::Accept)
            || self.review.approved == Some(true);
        let current = self.change.current.as_ref().filter(|it| !it.unreached.is_empty());
        self.unvouched.extend(current.filter(|_| !is_agreed).map(|it| it.task));
    }

    fn criticise(&mut self, task: TaskId, decision: CriticDecision, reasons: &[String]) {
        self.review.critic = Some(decision);
        match decision {
            CriticDecision::Accept => {}
            CriticDecision::Noop => {
                if let Some(current) = &mut self.change.current {
                    current.nothing = Some(reasons.join(" "));
                }
            }
            CriticDecision::Reject | CriticDecision::ShrinkScope | CriticDecision::ShrinkDiff => {
                self.fail(task, Failure::Critic, reasons);
            }
        }
    }

    fn take_failed_try(&mut self, mut error: AgentError) {
        self.proposals.remove(&error.task);
        // What passed and was found to be the cause of a failure later.
        let mut entries = self.change.ledger.iter_mut();
        if let Some(entry) = entries.find(|entry| entry.task == error.task) {
            entry.reasons.clone_from(&error.reasons);
        }
        let is_retry = matches!(error.recovery, Recovery::RetryNarrowed | Recovery::ShowMore);
        if is_retry {
            *self.retry_counts.entry(error.task).or_default() += 1;
        }
        if let Some(current) = &mut self.change.current {
            error.verification.clone_from(&current.verification);
            if is_retry {
                current.begin_again();
                self.review = Review::default();
            } else {
                self.review.recovery = Some(error.recovery);
            }
        }
        self.errors.push(error);
    }

    /// What went wrong with the task at hand, where it is this one.
    fn fail(&mut self, task: TaskId, failure: Failure, reasons: &[String]) {
        if let Some(current) = self.change.current.as_mut().filter(|it| it.task == task) {
            current.fail(failure, reasons);
        }
    }
}

impl Changing for State {
    fn change(&self) -> &ChangeState {
        &self.change
    }

    fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    fn active_rules(&self) -> &[String] {
        &self.active_rules
    }

    fn ending(&self) -> Option<&'static str> {
        self.course.outcome.map(Outcome::words)
    }

    fn undecidable(&self) -> Option<String> {
        match self.phase() {
            Phase::Waiting => None,
            Phase::Planned => {
                Some("is waiting for a decision on its plan; resume it first".to_owned())
            }
            Phase::Approval(task) => {
                Some(format!("is waiting for a decision on {task}: `accept --task {task}`"))
            }
            Phase::Unfinished | Phase::Landing | Phase::Ended(_) => {
                Some("has not finished; resume it first".to_owned())
            }
        }
    }

    /// The directive, or what was done, as a title, with the goal of each task.
    fn squash_message(&self) -> String {
        let applied = self.change.ledger.iter().filter(|entry| entry.commit.is_some());
        let goals: Vec<&str> = applied.map(|entry| entry.goal.as_str()).collect();
        let directive = self.started.orders.directive.as_deref().and_then(|it| it.lines().next());
        let title = match (directive, &goals[..]) {
            (Some(words), _) | (None, &[words]) => goal_title(words),
            (None, goals) => format!("Refactor in {} steps", goals.len()),
        };
        if directive.is_none() && goals == [title.as_str()] {
            return title;
        }
        let list: Vec<String> = goals.iter().map(|goal| format!("- {goal}")).collect();
        format!("{title}\n\n{}\n", list.join("\n"))
    }
}
