//! The decision about a finished run, and its landing.

use rb_core::fs::{self, Lock};
use rb_core::{RunId, TaskId};
use rb_flow::{Journal, Run, RunState as _, fold, runs};
use rb_workspace::backup::{self, Manifest};
use rb_workspace::preflight::check_state;
use rb_workspace::repo::{Head, Kind, RepoError};

use crate::Context;
use crate::driver::{Driver, reopen, summary};
use crate::error::RunError;
use crate::event::{Decision, Event, Mode, Outcome, RefactorEvent, RunEvent};
use crate::state::{Phase, State};
use crate::steps::{Decide, prepare_landing};
use crate::workflow::Refactor;
use crate::world::World;

/// The commits that land.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commits {
    /// One for each task.
    All,
    /// A single one, with this message or one that lists the tasks.
    One { message: Option<String> },
}

/// Lands a run that waits, or finishes a landing that was cut off.
pub fn accept(
    context: &Context,
    id: RunId,
    decision: Decision,
    commits: Commits,
) -> Result<State, RunError> {
    let mut driver = reopen(context, id)?;
    driver.state.must_be_open()?;
    let _alone = driver.world.lock_repo()?;
    if let Some(rollback) = unfinished_rollback_of(context, &driver.world.run.id)? {
        let state = format!("is being rolled back by {rollback}; resume that first");
        return Err(driver.state.wrong_state(&state));
    }
    if driver.state.decision.is_none() {
        match driver.state.phase() {
            Phase::Waiting => {}
            Phase::Planned => {
                return Err(driver
                    .state
                    .wrong_state("waits for a word on its plan; resume it first"));
            }
            Phase::Approval(task) => {
                let state = format!("waits for a word on {task}: `accept --task {task}`");
                return Err(driver.state.wrong_state(&state));
            }
            Phase::Unfinished | Phase::Landing | Phase::Ended(_) => {
                return Err(driver.state.wrong_state("has not finished; resume it first"));
            }
        }
        let squash = squash(&driver, commits)?;
        decide(&mut driver, decision, squash).map_err(|error| driver.world.explained(error))?;
    } else if driver.state.decision != Some(decision) {
        return Err(driver
            .state
            .wrong_state("was decided otherwise already; finish that with `resume`"));
    }
    driver.drive()
}

/// Drops a run: its worktree and branch go, the checkout was never touched.
pub fn reject(context: &Context, id: RunId) -> Result<State, RunError> {
    let mut driver = match reopen(context, id.clone()) {
        Err(RunError::Repo(RepoError::Gone(_))) => return reject_without_repo(context, id),
        other => other?,
    };
    driver.state.must_be_open()?;
    match driver.state.decision {
        None => {
            driver.write(RefactorEvent::Decided { decision: Decision::Reject, squash: None })?;
            driver.go_to::<Decide>()?;
        }
        Some(Decision::Reject) => {}
        Some(Decision::Accept) => {
            return Err(driver.state.wrong_state(
                "is being landed; finish it with `accept`, or undo it with `rollback`",
            ));
        }
        Some(Decision::KeepBranch) => return Err(driver.state.wrong_state("was accepted already")),
    }
    driver.drive()
}

/// The rollback of `id` that was begun and not finished, if there is one.
fn unfinished_rollback_of(context: &Context, id: &RunId) -> Result<Option<RunId>, RunError> {
    for other in runs::list(&context.home)? {
        // One that cannot be read is no reason to stop.
        let Ok(state) = summary(context, &other) else { continue };
        let undoes = matches!(&state.started.workflow, Mode::Rollback { of, .. } if of == id);
        if undoes && state.course.outcome.is_none() && state.rollback.is_some() {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// The repository is gone, and branch and checkout with it; what is left lies below the home.
fn reject_without_repo(context: &Context, id: RunId) -> Result<State, RunError> {
    let run = Run::open(&context.home, id)?;
    let (mut journal, contents) = Journal::<Refactor>::open(&run.dir)?;
    let mut state = fold::<Refactor>(&run.id, &contents.records)?;
    if state.course.outcome.is_some() {
        return Ok(state);
    }
    fs::remove_dir_all(&context.home.worktree(&run.id))?;
    let decision = Decision::Reject;
    let outcome = Outcome::Rejected;
    let decided = Event::from(RefactorEvent::Decided { decision, squash: None });
    for event in [decided, RefactorEvent::Cleaned.into(), RunEvent::RunEnded { outcome }.into()] {
        state.take(&event);
        journal.write(event)?;
    }
    Ok(state)
}

impl World {
    /// Held over plan and performance of whatever writes into the checkout. That must be the one that was backed up.
    pub(crate) fn lock_repo(&self) -> Result<Lock, RunError> {
        let World { context, repo, run, .. } = self;
        for dir in backup::places(&context.home, &run.id)? {
            // One that cannot be read says nothing.
            let Ok(manifest) = Manifest::load(&dir) else { continue };
            if manifest.repo != repo.root {
                let (run, repo) = (run.id.clone(), repo.root.clone());
                return Err(RunError::OtherRepository { run, repo, backup: manifest.repo });
            }
        }
        Ok(runs::lock_repo(&context.home, &repo.backup_name(), &repo.root)?)
    }
}

impl State {
    pub(crate) fn must_be_open(&self) -> Result<(), RunError> {
        match self.phase() {
            Phase::Ended(outcome) => {
                Err(self.wrong_state(&format!("has ended already ({})", outcome.words())))
            }
            Phase::Unfinished
            | Phase::Planned
            | Phase::Approval(_)
            | Phase::Waiting
            | Phase::Landing => Ok(()),
        }
    }

    pub(crate) fn wrong_state(&self, state: &str) -> RunError {
        RunError::WrongState { run: self.started.run.clone(), state: state.to_owned() }
    }

    fn carried(&self) -> bool {
        self.base.as_ref().is_some_and(|base| base.carried)
    }
}

/// Plans the landing before the decision is entered: one that cannot land stays undecided.
fn decide(driver: &mut Driver, decision: Decision, squash: Option<String>) -> Result<(), RunError> {
    let repo = &driver.world.repo;
    if decision == Decision::Accept && repo.kind == Kind::Git {
        check_state(repo)?;
    }
    let decision = match decision {
        Decision::Accept if must_keep_branch(driver)? => Decision::KeepBranch,
        other => other,
    };
    if decision != Decision::Accept {
        driver.write(RefactorEvent::Decided { decision, squash: None })?;
        return driver.go_to::<Decide>();
    }
    let landing = prepare_landing(&driver.state, squash.as_deref(), &mut driver.world)?;
    driver.write(RefactorEvent::Decided { decision, squash })?;
    driver.write(RefactorEvent::LandingStarted { landing })?;
    driver.go_to::<Decide>()
}

/// The message of the one commit that is to land, if there is to be one.
fn squash(driver: &Driver, commits: Commits) -> Result<Option<String>, RunError> {
    let Commits::One { message } = commits else { return Ok(None) };
    let state = &driver.state;
    if state.carried() || driver.world.repo.kind == Kind::Folder {
        return Err(state.wrong_state("lands without a commit, so there is nothing to squash"));
    }
    Ok(Some(message.unwrap_or_else(|| squash_message(state))))
}

/// A detached HEAD has no branch that could go on.
fn must_keep_branch(driver: &Driver) -> Result<bool, RunError> {
    let repo = &driver.world.repo;
    Ok(repo.kind == Kind::Git
        && matches!(repo.head()?, Head::Detached { .. })
        && !driver.state.carried())
}

/// The directive, or what was done, with the goal of each task.
fn squash_message(state: &State) -> String {
    let applied = state.ledger.iter().filter(|entry| entry.commit.is_some());
    let goals: Vec<&str> = applied.map(|entry| entry.goal.as_str()).collect();
    let directive = state.started.orders.directive.as_deref().and_then(|it| it.lines().next());
    match (directive, &goals[..]) {
        (None, [goal]) => (*goal).to_owned(),
        (title, goals) => {
            let many = format!("Refactor in {} steps", goals.len());
            let list: Vec<String> = goals.iter().map(|goal| format!("- {goal}")).collect();
            format!("{}\n\n{}\n", title.unwrap_or(&many), list.join("\n"))
        }
    }
}

/// A person's word on one task's change; the run goes on with it.
pub fn approve(
    context: &Context,
    id: RunId,
    task: TaskId,
    approval: Approval,
) -> Result<State, RunError> {
    let mut driver = reopen(context, id)?;
    driver.state.must_be_open()?;
    match driver.state.phase() {
        Phase::Approval(waiting) if waiting == task => {}
        Phase::Approval(waiting) => {
            return Err(driver
                .state
                .wrong_state(&format!("waits for a word on {waiting}, not on {task}")));
        }
        Phase::Unfinished | Phase::Planned | Phase::Waiting | Phase::Landing | Phase::Ended(_) => {
            return Err(driver.state.wrong_state("does not wait for a word on a task"));
        }
    }
    driver.write(RefactorEvent::Approved { task, approved: approval == Approval::Yes })?;
    driver.drive()
}

/// What a person says of one task's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Yes,
    No,
}
