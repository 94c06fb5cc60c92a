//! Tickets as this process begins them, goes on with them and looks at them.

use std::path::PathBuf;

use rb_change::{prepare, reopen};
use rb_core::RunId;
use rb_workspace::patch::Scope;
use rb_workspace::preflight::{Dirty, NoRepository};

use super::event::{Mode, Orders, RunEvent, Start};
use super::state::State;
use super::{Context, Ticketing};
use crate::error::TicketError;
use crate::ticket::Ticket;

/// What a run is to do.
#[derive(Debug, Clone)]
pub struct StartOptions {
    pub target: PathBuf,
    pub ticket: Ticket,
    pub dirty: Dirty,
    pub orders: Orders,
}

/// Works on the ticket and stops where a person has to decide.
pub fn start(context: &Context, options: StartOptions) -> Result<State, TicketError> {
    let StartOptions { target, ticket, dirty, orders } = options;
    Scope::new(&orders.includes, &orders.excludes, None).map_err(rb_change::ChangeError::from)?;
    let (run, target) = prepare(&context.host, &target, dirty, NoRepository::Refuse)?;
    let start = Start::new(run.id.clone(), Mode::Ticket, &target, ticket, orders);
    let start = Start { allow_dirty: dirty == Dirty::Carry, ..start };
    rb_change::begin(context, run, &start, target)?.drive()
}

/// Goes on with a run until it waits for a word or has ended.
pub fn resume(context: &Context, id: RunId) -> Result<State, TicketError> {
    let mut driver = reopen(context, id)?;
    let _alone =
        if driver.state.writes_checkout() { Some(driver.world.change.lock_repo()?) } else { None };
    if driver.state.course.outcome.is_none() {
        driver.write(RunEvent::Resumed)?;
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn summary(context: &Context, id: &RunId) -> Result<State, TicketError> {
    Ok(rb_change::summary::<Ticketing>(&context.host, id)?)
}
