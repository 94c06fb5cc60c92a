//! What the nodes of a ticket have effects with: the repository, the models, and the browser.

use std::sync::Arc;

use rb_change::ChangeWorld;
use rb_core::Cancel;
use rb_flow::{Desk, Log, Query, Reply, Run, fence};
use rb_schema::Answer;
use rb_trust::{Fence, FenceError};

use super::Ticketing;
use super::event::Event;
use super::state::State;
use crate::error::TicketError;

/// Everything around the state of one run, in this process.
pub struct World {
    pub(crate) change: ChangeWorld,
    pub(crate) log: Log<Ticketing>,
    pub(crate) models: Option<Arc<Desk>>,
    pub(crate) stopped: Option<TicketError>,
}

impl World {
    /// On disk when it returns.
    pub(crate) fn write(&self, event: impl Into<Event>) -> Result<(), TicketError> {
        Ok(self.log.write(event)?)
    }

    /// A question to one of the agents.
    pub(crate) fn query(
        &self,
        attempt: u32,
        prompt: impl Fn(&Fence) -> Result<String, FenceError>,
    ) -> Result<Query, TicketError> {
        let (user, fence) = fence::enclosed::<TicketError>(&self.change.run.dir, prompt)?;
        Ok(Query { attempt, ..Query::new(user, fence) })
    }

    /// Asks without tools. A model that cannot be asked any more ends the process; the run can be resumed.
    pub(crate) fn ask<A: Answer>(
        &self,
        desk: &Desk,
        query: Query,
    ) -> Result<Result<A, String>, TicketError> {
        one_of(desk.ask::<A, Ticketing>(&self.log, vec![query])?)
    }
}

/// The only reply, or why there is none.
pub(crate) fn one_of<A>(mut replies: Vec<Reply<A>>) -> Result<Result<A, String>, TicketError> {
    match replies.pop() {
        Some(Reply::Answer(answer)) => Ok(Ok(answer)),
        Some(Reply::Unusable(why)) => Ok(Err(why)),
        Some(Reply::Stopped(error)) => Err(error.into()),
        None => Ok(Err("there was no reply".to_owned())),
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

impl rb_flow::World<Ticketing> for World {
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

    fn stopped(&mut self) -> Option<TicketError> {
        self.stopped.take().or_else(|| self.change.stopped().map(TicketError::from))
    }
}
