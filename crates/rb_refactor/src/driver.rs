//! Runs as this process begins them, goes on with them and looks at them.

use rb_core::{RunId, clock};
use rb_flow::graph::Drawing;
use rb_flow::{Run, RunDir, RunsError, fold, journal};
use rb_workspace::preflight::Preflight;
use rb_workspace::repo::{Kind, Repo};

use crate::Context;
use crate::error::RunError;
use crate::event::{Mode, RefactorEvent, RunEvent, RunStarted};
use crate::graph;
use crate::state::{Phase, State};
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) type Driver = rb_flow::Driver<Refactor>;

/// Goes on with a run until it waits for a word or has ended. Where its plan waits, that it is gone on with is a yes.
pub fn resume(context: &Context, id: RunId) -> Result<State, RunError> {
    let mut driver = reopen(context, id)?;
    let _alone =
        if driver.state.writes_checkout() { Some(driver.world.lock_repo()?) } else { None };
    if driver.state.course.outcome.is_none() {
        // Nobody agrees to a plan that was not made yet.
        let is_planned = driver.state.phase() == Phase::Planned;
        driver.write(RunEvent::Resumed)?;
        if is_planned {
            driver.write(RefactorEvent::Confirmed)?;
        }
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn summary(context: &Context, id: &RunId) -> Result<State, RunError> {
    let dir = RunDir::new(&context.home, id);
    if !dir.path().is_dir() {
        return Err(RunsError::Unknown(id.clone()).into());
    }
    Ok(fold::<Refactor>(id, &journal::read(&dir)?.records)?)
}

/// The graphs of all kinds of runs, to be drawn.
pub fn drawings() -> Vec<Drawing> {
    let rollback = Mode::Rollback { of: RunId::candidate(clock::now(), 1), insist: false };
    [Mode::Refactor, Mode::Plan, Mode::Verify, rollback]
        .iter()
        .map(|mode| graph::of(mode).drawing())
        .collect()
}

/// Begins a journal for a run that has just been made.
pub(crate) fn begin(
    context: &Context,
    run: Run,
    started: RunStarted,
    target: Preflight,
) -> Result<Driver, RunError> {
    let notes: Vec<String> = target.notes.iter().map(ToString::to_string).collect();
    let mut driver = Driver::begin(run, started.clone(), context.observer.clone(), |run, log| {
        let repo = target.repo.clone();
        World::new(context.clone(), run, started, repo, log, Some(target))
    })?;
    for text in notes {
        driver.write(RunEvent::Noted { text })?;
    }
    Ok(driver)
}

pub(crate) fn reopen(context: &Context, id: RunId) -> Result<Driver, RunError> {
    let run = Run::open(&context.home, id)?;
    Driver::reopen(run, context.observer.clone(), |run, state, log| {
        let started = state.started.clone();
        let repo = open_repo(context, &run.id, &started)?;
        Ok(World::new(context.clone(), run, started, repo, log, None))
    })
}

/// Opens the repository that a run works on, as it was when the run began.
pub(crate) fn open_repo(
    context: &Context,
    run: &RunId,
    started: &RunStarted,
) -> Result<Repo, RunError> {
    let Context { home, env, cancel, .. } = context;
    Ok(match started.kind {
        Kind::Git => Repo::open_git(&started.repo, started.scope.clone(), env, cancel)?,
        Kind::Folder => Repo::open_folder(&started.repo, home, run, env, cancel)?,
    })
}
