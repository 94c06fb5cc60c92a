//! What the nodes of a refactor run have effects with: the repository, and the models.

use std::sync::Arc;

use rb_change::ChangeWorld;
use rb_core::Cancel;
use rb_flow::{Desk, Log, Run};
use rb_plan::Plan;

use crate::error::RunError;
use crate::event::Event;
use crate::state::State;
use crate::workflow::Refactor;

/// Everything around the state of one run, in this process.
pub struct World {
    pub(crate) change: ChangeWorld,
    pub(crate) log: Log<Refactor>,
    pub(crate) models: Option<Arc<Desk>>,
    /// The program's own plan, where this process made it and nobody refined it yet.
    pub(crate) plan: Option<Plan>,
    pub(crate) stopped: Option<RunError>,
}

impl World {
    /// On disk when it returns.
    pub(crate) fn write(&self, event: impl Into<Event>) -> Result<(), RunError> {
        Ok(self.log.write(event)?)
    }

    /// Stops the run once what the node says is entered; the node is performed again when the run is resumed.
    pub(crate) fn stop_after(&mut self, error: RunError) {
        self.stopped = Some(error);
    }
}

impl AsRef<ChangeWorld> for World {
    fn as_ref(&self) -> &ChangeWorld {
        &self.change
    }
}

impl AsMut<ChangeWorld> for World {
    fn as_mut(&mut self) -> &mut ChangeWorld {
        &mut self.change
    }
}

impl rb_flow::World<Refactor> for World {
    fn run(&self) -> &Run {
        &self.change.run
    }

    fn cancel(&self) -> &Cancel {
        &self.change.host.cancel
    }

    fn follow(&mut self, state: &State) {
        let base = state.change.base.as_ref().map(|base| base.commit.as_str());
        self.change.stand_at(base, state.change.tip());
    }

    fn stopped(&mut self) -> Option<RunError> {
        self.stopped.take().or_else(|| self.change.stopped().map(RunError::from))
    }
}
