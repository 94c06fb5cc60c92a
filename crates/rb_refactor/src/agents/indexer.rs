//! The indexer: reads the worktree, and writes beside it what is known of it.

use rb_flow::Event;
use rb_flow::graph::{Node, Update, View};
use rb_index::IndexError;

use crate::artifacts;
use crate::error::RunError;
use crate::state::State;
use crate::world::World;

pub(crate) struct Indexer;

/// The worktree is all that it looks at.
pub(crate) struct Reads;

pub(crate) struct Writes {
    files: u64,
    symbols: u64,
}

impl View<'_, State> for Reads {
    fn of(_: &State) -> Self {
        Reads
    }
}

impl Update<State> for Writes {
    fn events(self) -> Vec<Event> {
        vec![Event::Indexed { files: self.files, symbols: self.symbols }]
    }
}

impl Node<State, World> for Indexer {
    const NAME: &'static str = "index";
    const DOES: &'static str = "reads the repository: symbols, graphs, contracts";
    type Reads<'s> = Reads;
    type Writes = Writes;
    type Error = RunError;

    fn run(_: Reads, world: &mut World) -> Result<Writes, RunError> {
        world.context.progress.begin("indexing", 0);
        let known = world.know()?;
        let totals = known.indexed.overview().map_err(IndexError::from)?.totals;
        artifacts::refresh(world, &[], &[])?;
        world.context.progress.end();
        Ok(Writes { files: totals.files, symbols: totals.symbols })
    }
}
