//! The last step: the files are those of the last green commit, and the run ends.

use rb_flow::graph::Node;
use rb_workspace::project::remove_worktree;

use super::Kata;
use super::event::{Event, Outcome, RunEvent};
use super::state::{Phase, State};
use super::world::World;
use crate::error::KataError;

pub(crate) struct Finish;

impl Node<Kata> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "leaves the last green state and ends the run";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        let outcome = match &state.phase {
            Phase::Finish(outcome) => *outcome,
            Phase::SetUp
            | Phase::Tester
            | Phase::ProveTest { .. }
            | Phase::Implementer
            | Phase::ProveCode { .. }
            | Phase::Refactorer
            | Phase::ProveRefactoring { .. }
            | Phase::KeepTest
            | Phase::Supervisor(_) => Outcome::Stopped,
        };
        if let Some(base) = &state.base {
            world.restore(&state.start, base)?;
        }
        // The branch stays; its worktree would keep it from being checked out elsewhere.
        world.project = None;
        remove_worktree(&state.start.place, &world.env, &world.cancel)?;
        Ok(vec![RunEvent::RunEnded { outcome }.into()])
    }
}
