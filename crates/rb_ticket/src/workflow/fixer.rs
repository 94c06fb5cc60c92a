//! The agent that fixes what the last look found.

use rb_core::{RepoPath, TaskId};
use rb_flow::graph::{Node, View};
use rb_schema::roles::fix_agent::FixResponse;

use super::Ticketing;
use super::event::{Event, Orders};
use super::prompt;
use super::propose::{Job, propose};
use super::state::{FailedTry, State};
use super::world::World;
use crate::browse::Issue;
use crate::error::TicketError;
use crate::ticket::Ticket;

pub(crate) struct Fixer;

/// The issues, and the files that the change has touched so far. Not the history.
pub(crate) struct Reads<'s> {
    task: Option<TaskId>,
    attempt: u32,
    has_proposal: bool,
    ticket: &'s Ticket,
    issues: &'s [Issue],
    touched: Vec<&'s RepoPath>,
    failed: Vec<&'s FailedTry>,
    orders: &'s Orders,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let current = state.change.current.as_ref();
        let mut touched: Vec<&RepoPath> =
            state.change.ledger.iter().flat_map(|entry| &entry.touched_files).collect();
        touched.sort();
        touched.dedup();
        Reads {
            task: current.map(|current| current.task),
            attempt: current.map_or(1, |current| current.attempt),
            has_proposal: state.has_proposal(),
            ticket: &state.start.ticket,
            issues: state.rounds.last().map_or(&[], |round| &round.issues),
            touched,
            failed: state.failed_tries().collect(),
            orders: &state.start.orders,
        }
    }
}

impl Node<Ticketing> for Fixer {
    const NAME: &'static str = "fix";
    const DOES: &'static str = "has an agent fix the issues, and nothing else";
    type Reads<'s> = Reads<'s>;
    type Writes = Vec<Event>;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Vec<Event>, TicketError> {
        let Some(task) = reads.task.filter(|_| !reads.has_proposal) else { return Ok(Vec::new()) };
        let touched: Vec<String> = reads.touched.iter().map(ToString::to_string).collect();
        let shown = prompt::shown_files(world, reads.ticket, &touched)?;
        let job = Job { task, attempt: reads.attempt, orders: reads.orders, what: "fixing" };
        propose::<FixResponse>(world, &job, |fence| {
            prompt::fix(reads.ticket, reads.issues, &shown, &reads.failed, fence)
        })
    }
}
