//! The indexer: reads the worktree, and writes beside it what is known of it.

use rb_flow::graph::{Node, Update, View};
use rb_index::IndexError;

use crate::artifacts;
use crate::error::RunError;
use crate::event::{Event, RefactorEvent};
use crate::state::State;
use crate::workflow::Refactor;
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

impl Update<Refactor> for Writes {
    fn events(self) -> Vec<Event> {
        vec![RefactorEvent::Indexed { files: self.files, symbols: self.symbols }.into()]
    }
}

impl Node<Refactor> for Indexer {
    const NAME: &'static str = "index";
    const DOES: &'static str = "reads the repository: symbols, graphs, contracts";
    type Reads<'s> = Reads;
    type Writes = Writes;

    fn run(_: Reads, world: &mut World) -> Result<Writes, RunError> {
        world.change.host.progress.begin("indexing", 0);
        let known = world.change.know()?;
        let totals = known.indexed.overview().map_err(IndexError::from)?.totals;
        artifacts::refresh(world, &[], &[])?;
        world.change.host.progress.end();
        Ok(Writes { files: totals.files, symbols: totals.symbols })
    }
}
