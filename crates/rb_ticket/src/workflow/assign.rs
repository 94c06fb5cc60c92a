//! The next task: the implementation, or the fixes of what the last look found.

use rb_change::checkpoint;
use rb_core::{Proposer, Task, TaskId, TaskKind, plural};
use rb_flow::graph::Node;

use super::Ticketing;
use super::event::TicketEvent;
use super::state::State;
use super::world::World;
use crate::error::TicketError;

pub(crate) struct Assign;

impl Node<Ticketing> for Assign {
    const NAME: &'static str = "assign";
    const DOES: &'static str = "begins the implementation, or the next fix";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), TicketError> {
        // Begun already, where it was killed after that.
        if state.change.current.is_some() {
            return Ok(());
        }
        let task = next(state);
        world.write(TicketEvent::Assigned { task: task.clone() })?;
        Ok(checkpoint::begin_task(&world.change, &task)?)
    }
}

fn next(state: &State) -> Task {
    let ticket = &state.start.ticket;
    let done = state.change.ledger.len();
    let number = u32::try_from(done + 1).unwrap_or(u32::MAX);
    let goal = match state.rounds.last().map(|round| round.issues.len()) {
        Some(issues) if done > 0 => {
            format!("{}: fix {} that the browser found", ticket.key, plural(issues, "issue"))
        }
        Some(_) | None => ticket.heading(),
    };
    let goal: String = goal.chars().take(120).collect();
    let kind = TaskKind::Change { format: None };
    Task { by: Proposer::Model, ..Task::new(TaskId(number), goal, kind) }
}
