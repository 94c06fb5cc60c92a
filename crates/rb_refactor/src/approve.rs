//! A person's word on the change of one task.

use rb_change::{must_be_open, reopen};
use rb_core::{RunId, TaskId};

use crate::Context;
use crate::error::RunError;
use crate::event::RefactorEvent;
use crate::state::{Phase, State};

/// What a person says of one task's change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    Yes,
    /// With what is wrong, a model tries again.
    No {
        comment: Option<String>,
    },
}

/// Enters it; the run goes on with it.
pub fn approve(
    context: &Context,
    id: RunId,
    task: TaskId,
    approval: Approval,
) -> Result<State, RunError> {
    let mut driver = reopen(context, id)?;
    must_be_open(&driver)?;
    match driver.state.phase() {
        Phase::Approval(waiting) if waiting == task => {}
        Phase::Approval(waiting) => {
            let state = format!("is waiting for a decision on {waiting}, not on {task}");
            return Err(driver.world.change.wrong_state(&state).into());
        }
        Phase::Unfinished | Phase::Planned | Phase::Waiting | Phase::Landing | Phase::Ended(_) => {
            return Err(driver
                .world
                .change
                .wrong_state("is not waiting for a decision on a task")
                .into());
        }
    }
    let (approved, comment) = match approval {
        Approval::Yes => (true, None),
        Approval::No { comment } => (false, comment),
    };
    driver.write(RefactorEvent::Approved { task, approved, comment })?;
    driver.drive()
}
