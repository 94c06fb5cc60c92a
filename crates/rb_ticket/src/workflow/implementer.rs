//! The agent that implements the ticket.

use rb_core::{TaskId, VerifierLevel};
use rb_flow::graph::{Node, View};
use rb_schema::roles::impl_agent::ImplResponse;

use super::Ticketing;
use super::event::{Event, Orders};
use super::prompt;
use super::propose::{Job, propose};
use super::state::{FailedTry, State};
use super::world::World;
use crate::error::TicketError;
use crate::ticket::Ticket;

pub(crate) struct Implementer;

/// The requirements as they were parsed, and why earlier tries failed. Nothing of other agents.
pub(crate) struct Reads<'s> {
    task: Option<TaskId>,
    attempt: u32,
    has_proposal: bool,
    ticket: &'s Ticket,
    failed: Vec<&'s FailedTry>,
    orders: &'s Orders,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let current = state.change.current.as_ref();
        Reads {
            task: current.map(|current| current.task),
            attempt: current.map_or(1, |current| current.attempt),
            has_proposal: state.has_proposal(),
            ticket: &state.start.ticket,
            failed: state.failed_tries().collect(),
            orders: &state.start.orders,
        }
    }
}

impl Node<Ticketing> for Implementer {
    const NAME: &'static str = "implement";
    const DOES: &'static str = "has an agent implement the ticket";
    type Reads<'s> = Reads<'s>;
    type Writes = Vec<Event>;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Vec<Event>, TicketError> {
        let Some(task) = reads.task.filter(|_| !reads.has_proposal) else { return Ok(Vec::new()) };
        let shown = prompt::shown_files(world, reads.ticket, &[])?;
        let commands = rb_change::verify_setup::lines(&mut world.change, VerifierLevel::Fast)?;
        let job = Job { task, attempt: reads.attempt, orders: reads.orders, what: "implementing" };
        propose::<ImplResponse>(world, &job, |fence| {
            let budget = reads.orders.diff_budget;
            prompt::implement(reads.ticket, &shown, &commands, budget, &reads.failed, fence)
        })
    }
}
