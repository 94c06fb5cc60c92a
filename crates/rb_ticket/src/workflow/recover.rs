//! What follows from a try that failed: another one that is told why, or none.

use rb_change::{Failure, checkpoint};
use rb_flow::graph::Node;

use super::Ticketing;
use super::event::TicketEvent;
use super::state::State;
use super::world::World;
use crate::error::TicketError;

pub(crate) struct Recover;

impl Node<Ticketing> for Recover {
    const NAME: &'static str = "recover";
    const DOES: &'static str = "tries again with the reasons, or gives up";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), TicketError> {
        let Some(current) = &state.change.current else { return Ok(()) };
        // Killed after the decision.
        let Some((failure, reasons)) = current.failed.clone() else { return Ok(()) };
        if state.is_given_up() {
            return Ok(());
        }
        checkpoint::discard(&mut world.change)?;
        // What cannot be done as asked is not done by asking again.
        let again = current.attempt < state.start.orders.max_tries && failure != Failure::Blocked;
        world.write(TicketEvent::TryFailed {
            task: current.task,
            attempt: current.attempt,
            failure,
            reasons,
            again,
        })
    }
}
