//! Commits a test that passed at once, because the Supervisor wants to keep it.

use rb_flow::graph::Node;

use super::Kata;
use super::commit::{self, message};
use super::event::{Commit, CommitKind, Event};
use super::state::{Phase, State};
use super::world::World;
use crate::error::KataError;

pub(crate) struct KeepTest;

impl Node<Kata> for KeepTest {
    const NAME: &'static str = "keep_test";
    const DOES: &'static str = "commits a test that passed at once";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        if state.phase != Phase::KeepTest {
            return Ok(Vec::new());
        }
        if let Some(event) = commit::unfinished(state, world)? {
            return Ok(vec![event]);
        }
        let Some(staged) = &state.red else { return Ok(Vec::new()) };
        world.restore(&state.start, &staged.tree)?;
        let name = staged.test.name.replace('_', " ");
        let summary = name.strip_prefix("test ").unwrap_or(&name).to_owned();
        let made = Commit {
            kind: CommitKind::Test,
            cycle: state.cycle,
            id: String::new(),
            tree: staged.tree.clone(),
            subject: commit::subject(CommitKind::Test, &summary),
            passing: staged.passing.clone(),
            remarks: Vec::new(),
        };
        let message = message(state, CommitKind::Test, &summary);
        Ok(vec![commit::commit(state, world, made, &message)?])
    }
}
