//! A person's word on the change of one task.

use rb_change::{must_be_open, reopen};
use rb_core::{RunId, Sha256, TaskId};

use crate::Context;
use crate::error::RunError;
use crate::event::RefactorEvent;
use crate::state::{Phase, State};
use crate::task_changes::patch_of_task;

/// What a person says of one task's change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    Yes,
    /// With what is wrong, a model tries again.
    No {
        comment: Option<String>,
    },
}

/// Which change of a task was judged. Between reading and deciding, another try may have taken its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// The one that waits, whichever it is.
    Current,
    /// The one with this patch; another is refused.
    Patch(Sha256),
}

/// Enters it; the run goes on with it.
pub fn approve(
    context: &Context,
    id: RunId,
    task: TaskId,
    judged: Judged,
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
    if let Judged::Patch(hash) = judged {
        let patch = patch_of_task(&driver.world.change.run.dir, task)?;
        if patch.is_none_or(|patch| Sha256::of(&patch) != hash) {
            let state = format!("has another change of {task} than the one that was reviewed");
            return Err(driver.world.change.wrong_state(&state).into());
        }
    }
    let (approved, comment) = match approval {
        Approval::Yes => (true, None),
        Approval::No { comment } => (false, comment),
    };
    driver.write(RefactorEvent::Approved { task, approved, comment })?;
    driver.drive()
}
