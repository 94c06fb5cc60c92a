//! What a journal says about a ticket. Nothing here has an effect.

use std::path::PathBuf;

use rb_change::{BackUp, ChangeState, Changing, Current, Decide, Decision, Failure, MakeWorktree};
use rb_core::{Task, TaskId, Verdict};
use rb_flow::graph::Node;
use rb_flow::{Course, RunState};
use rb_workspace::land::Move;

use super::Ticketing;
use super::event::{Event, Mode, Outcome, Round, RunEvent, Start, TicketEvent};

/// A run, folded from its events.
#[derive(Debug, Clone)]
pub struct State {
    pub start: Start,
    /// The implementation, then the fixes of each round.
    pub tasks: Vec<Task>,
    pub change: ChangeState,
    /// What agents said of their changes: claims, by task.
    pub claims: Vec<Claim>,
    pub failures: Vec<FailedTry>,
    pub rounds: Vec<Round>,
    pub report: Option<PathBuf>,
    pub published: Option<(String, Option<String>)>,
    /// What the branch is called that was kept.
    kept_branch: Option<String>,
    pub course: Course<Ticketing>,
    /// A change for the task at hand lies in the run's folder.
    has_proposal: bool,
    /// The task at hand is tried no more.
    is_given_up: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub task: TaskId,
    pub summary: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedTry {
    pub task: TaskId,
    pub attempt: u32,
    pub failure: Failure,
    pub reasons: Vec<String>,
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
    pub fn phase(&self) -> Phase {
        if let Some(outcome) = self.course.outcome {
            return Phase::Ended(outcome);
        }
        if self.change.landing.is_some() {
            return Phase::Landing;
        }
        match self.course.position.at() {
            Some(at) if at == name::<Decide>() && self.course.waiting => Phase::Waiting,
            _ => Phase::Unfinished,
        }
    }

    /// In a word or two that do not change. `busy`: a process is working on the run.
    pub fn stands(&self, busy: bool) -> &'static str {
        match self.phase() {
            Phase::Ended(outcome) => outcome.words(),
            Phase::Unfinished | Phase::Landing if busy => "at work",
            Phase::Waiting => "waiting for you",
            Phase::Landing => "landing cut off",
            Phase::Unfinished => "resumable",
        }
    }

    /// The branch that has the change: that of the run while it waits, the one that was pushed or kept, or the one it landed on.
    /// `None` where there is none any more.
    pub fn branch(&self) -> Option<String> {
        let published = self.published.as_ref().map(|(branch, _)| branch.clone());
        let run = || self.change.has_changes().then(|| self.start.run.branch());
        match self.change.decision {
            Some(Decision::KeepBranch) => self.kept_branch.clone().or_else(run),
            Some(Decision::Accept) => published.or_else(|| self.landed_on()),
            Some(Decision::Reject) => published,
            None => published.or_else(run),
        }
    }

    fn landed_on(&self) -> Option<String> {
        match &self.change.landing.as_ref()?.commit {
            Move::Forward { branch, .. } => Some(branch.clone()),
            Move::FilesOnly => None,
        }
    }

    pub(crate) fn has_proposal(&self) -> bool {
        self.has_proposal
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.change.current.as_ref().is_some_and(|current| current.nothing.is_some())
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.change.current.as_ref().is_some_and(|current| current.failed.is_some())
    }

    /// It is applied once more, without the mends.
    pub(crate) fn fails_with_mends(&self) -> bool {
        self.change.current.as_ref().is_some_and(Current::fails_with_mends)
    }

    pub(crate) fn attempts(&self) -> u32 {
        self.change.current.as_ref().map_or(0, |current| current.attempt)
    }

    /// Whether the task at hand fixes what a look found.
    pub(crate) fn is_fix(&self) -> bool {
        self.change.current.as_ref().is_some_and(|current| current.task != TaskId(1))
    }

    pub(crate) fn verifies(&self) -> bool {
        self.start.orders.verify.as_ref().is_some_and(|verify| verify.runs_commands)
    }

    /// Whether nothing may be tried, because the state before it is already broken.
    pub(crate) fn baseline_stops(&self) -> bool {
        let verify = self.start.orders.verify.as_ref();
        let allowed = verify.is_some_and(|verify| verify.allow_failing_baseline);
        self.change.baseline == Some(Verdict::Fail) && !allowed
    }

    /// Whether the last look found issues that another round may fix.
    pub(crate) fn wants_fix(&self) -> bool {
        let Some(last) = self.rounds.last() else { return false };
        let fixes = self.tasks.len().saturating_sub(1);
        !last.issues.is_empty()
            && !self.is_given_up
            && u32::try_from(fixes).unwrap_or(u32::MAX) < self.start.orders.max_rounds
    }

    /// Whether the last look was at the commit that stands now.
    pub(crate) fn is_browsed(&self) -> bool {
        self.rounds.last().is_some_and(|round| Some(round.commit.as_str()) == self.change.tip())
    }

    /// What came of the criteria: pass, fail, or nothing was tried.
    pub fn browser_verdict(&self) -> Verdict {
        match self.rounds.last() {
            Some(round) if !round.issues.is_empty() => Verdict::Fail,
            Some(round) if round.checks > 0 && self.is_browsed() => Verdict::Pass,
            Some(_) | None => Verdict::NoVerifierRan,
        }
    }

    /// What the tests say of all changes together.
    pub fn test_verdict(&self) -> Verdict {
        if self.baseline_stops() {
            return Verdict::Fail;
        }
        let standing = self.change.ledger.iter().filter(|entry| entry.commit.is_some());
        let worst = |one: Verdict, other: Verdict| match (one, other) {
            (Verdict::Fail, _) | (_, Verdict::Fail) => Verdict::Fail,
            (Verdict::NoVerifierRan, _) | (_, Verdict::NoVerifierRan) => Verdict::NoVerifierRan,
            (Verdict::Pass, Verdict::Pass) => Verdict::Pass,
        };
        let tasks = standing.map(|entry| entry.verdict).reduce(worst);
        self.change.verified_in_full.or(tasks).unwrap_or(Verdict::NoVerifierRan)
    }

    /// The tries of the task at hand that came to nothing.
    pub(crate) fn failed_tries(&self) -> impl Iterator<Item = &FailedTry> {
        let current = self.change.current.as_ref().map(|current| current.task);
        self.failures.iter().filter(move |failed| Some(failed.task) == current)
    }

    /// Whether there is no backup, because it cannot be made: there is nothing to go on with.
    pub(crate) fn lacks_backup(&self) -> bool {
        let at = self.course.position.at();
        self.change.backup.is_none()
            && at.is_none_or(|at| at == name::<MakeWorktree>() || at == name::<BackUp>())
    }

    /// Whether what is left to do reaches into the user's checkout.
    pub(crate) fn writes_checkout(&self) -> bool {
        let is_rollback = matches!(self.start.workflow, Mode::TicketRollback { .. });
        self.course.outcome.is_none()
            && (is_rollback || self.change.decision == Some(Decision::Accept))
    }

    fn fail(&mut self, task: TaskId, failure: Failure, reasons: &[String]) {
        if let Some(current) = self.change.current.as_mut().filter(|it| it.task == task) {
            current.fail(failure, reasons);
        }
    }

    fn take_own(&mut self, event: &TicketEvent) {
        match event {
            TicketEvent::Change(event) => self.change.take(event),
            TicketEvent::Assigned { task } => {
                (self.has_proposal, self.is_given_up) = (false, false);
                // Killed between this and the start of the task, it is assigned again.
                self.tasks.retain(|known| known.id != task.id);
                self.tasks.push(task.clone());
            }
            TicketEvent::Proposed { task, summary, reason } => {
                self.has_proposal = true;
                let (summary, reason) = (summary.clone(), reason.clone());
                self.claims.retain(|claim| claim.task != *task);
                self.claims.push(Claim { task: *task, summary, reason });
            }
            TicketEvent::NotProposed { task, failure, reasons } => {
                self.fail(*task, *failure, reasons);
            }
            TicketEvent::TryFailed { task, attempt, failure, reasons, again } => {
                let (task, attempt, failure) = (*task, *attempt, *failure);
                self.failures.push(FailedTry { task, attempt, failure, reasons: reasons.clone() });
                (self.has_proposal, self.is_given_up) = (false, !again);
                if let Some(current) = self.change.current.as_mut().filter(|_| *again) {
                    current.begin_again();
                }
            }
            TicketEvent::Browsed(round) => self.rounds.push((**round).clone()),
            TicketEvent::PrWritten { dir } => self.report = Some(dir.clone()),
            TicketEvent::Published { branch, url } => {
                self.published = Some((branch.clone(), url.clone()));
            }
            TicketEvent::BranchNamed { branch } => self.kept_branch = Some(branch.clone()),
        }
    }
}

/// What a node is called in the graph.
fn name<N: Node<Ticketing>>() -> &'static str {
    N::NAME
}

impl RunState<Ticketing> for State {
    fn new(start: Start) -> State {
        State {
            start,
            tasks: Vec::new(),
            change: ChangeState::default(),
            claims: Vec::new(),
            failures: Vec::new(),
            rounds: Vec::new(),
            report: None,
            published: None,
            kept_branch: None,
            course: Course::default(),
            has_proposal: false,
            is_given_up: false,
        }
    }

    fn start(&self) -> &Start {
        &self.start
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Own(own) => self.take_own(own),
            Event::Run(RunEvent::Suspected { task: Some(task), path, findings }) => {
                self.change.suspect(*task, path, findings);
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

    fn course(&self) -> &Course<Ticketing> {
        &self.course
    }
}

impl Changing for State {
    fn change(&self) -> &ChangeState {
        &self.change
    }

    fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    fn ending(&self) -> Option<&'static str> {
        self.course.outcome.map(Outcome::words)
    }

    fn undecidable(&self) -> Option<String> {
        match self.phase() {
            Phase::Unfinished => Some("is not finished; `resume` goes on with it".to_owned()),
            Phase::Waiting | Phase::Landing | Phase::Ended(_) => None,
        }
    }

    fn squash_message(&self) -> String {
        self.start.ticket.heading()
    }
}
