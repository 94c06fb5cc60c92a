//! Runs as this process begins them, goes on with them and looks at them.

use rb_change::{Changing as _, reopen};
use rb_core::{RunId, TaskId, clock};
use rb_flow::graph::Drawing;

use crate::Context;
use crate::error::RunError;
use crate::event::{Mode, RefactorEvent, RunEvent};
use crate::graph;
use crate::state::{Phase, State};
use crate::workflow::Refactor;

/// Goes on with a run until it waits for a word or has ended. Where its plan waits, that it is gone on with is a yes.
pub fn resume(context: &Context, id: RunId) -> Result<State, RunError> {
    resume_without(context, id, &[])
}

/// The same, without some tasks of a plan that waits. What depends on them is left out, too.
pub fn resume_without(context: &Context, id: RunId, without: &[TaskId]) -> Result<State, RunError> {
    let mut driver = reopen(context, id)?;
    if !without.is_empty() && driver.state.phase() != Phase::Planned {
        let state = "has no plan that waits: tasks can only be left out before the first one";
        return Err(driver.world.change.wrong_state(state).into());
    }
    if let Some(unknown) = without.iter().find(|id| driver.state.task(**id).is_none()) {
        return Err(driver.world.change.wrong_state(&format!("has no task {unknown}")).into());
    }
    let _alone =
        if driver.state.writes_checkout() { Some(driver.world.change.lock_repo()?) } else { None };
    if driver.state.course.outcome.is_none() {
        // Nobody agrees to a plan that was not made yet.
        let is_planned = driver.state.phase() == Phase::Planned;
        driver.write(RunEvent::Resumed)?;
        if is_planned {
            driver.write(RefactorEvent::Confirmed { without: without.to_vec() })?;
        }
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn summary(context: &Context, id: &RunId) -> Result<State, RunError> {
    Ok(rb_change::summary::<Refactor>(&context.host, id)?)
}

/// The graphs of all kinds of runs, to be drawn.
pub fn drawings() -> Vec<Drawing> {
    let rollback = Mode::Rollback { of: RunId::candidate(clock::now(), 1), insist: false };
    [Mode::Refactor, Mode::Plan, Mode::Verify, rollback]
        .iter()
        .map(|mode| graph::of(mode).drawing())
        .collect()
}
