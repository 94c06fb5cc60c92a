//! The writer of the pull request: diffs, summary, validation report, log, page.

use std::path::PathBuf;

use rb_core::Task;
use rb_flow::event::noted;
use rb_flow::graph::{Node, Update, View};
use rb_flow::journal;
use rb_workspace::ledger::LedgerEntry;

use crate::artifacts;
use crate::error::RunError;
use crate::event::{Event, Orders, RefactorEvent};
use crate::report;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct PrWriter;

pub(crate) struct Reads<'s> {
    base: &'s str,
    tip: &'s str,
    tasks: &'s [Task],
    ledger: &'s [LedgerEntry],
    plans: bool,
    /// Where the reports are copied to.
    output: Option<&'s PathBuf>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let base = state.change.base.as_ref().map_or("", |base| base.commit.as_str());
        let (tasks, ledger) = (state.tasks.as_slice(), state.change.ledger.as_slice());
        let Orders { plans, output, .. } = &*state.started.orders;
        let (plans, output) = (*plans, output.as_ref());
        Reads { base, tip: state.change.tip().unwrap_or_default(), tasks, ledger, plans, output }
    }
}

pub(crate) struct Written {
    dir: PathBuf,
    note: Option<String>,
}

impl Update<Refactor> for Written {
    fn events(self) -> Vec<Event> {
        let written = RefactorEvent::ReportWritten { dir: self.dir }.into();
        noted(self.note).chain([written]).collect()
    }
}

impl Node<Refactor> for PrWriter {
    const NAME: &'static str = "write_pr";
    const DOES: &'static str = "writes diffs, summary, validation report, log and HTML page";
    type Reads<'s> = Reads<'s>;
    type Writes = Written;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Written, RunError> {
        if !reads.ledger.is_empty() {
            // Killed between an entry in the journal and the file, the file lacks it.
            world.change.worktree()?.write_ledger(reads.ledger)?;
        }
        if reads.plans && !reads.ledger.is_empty() {
            artifacts::refresh(world, reads.tasks, reads.ledger)?;
        }
        let records = journal::read(&world.change.run.dir)?.records;
        let dir = world.change.run.dir.report();
        let run_dir = world.change.run.dir.path().to_owned();
        let facts = report::Facts::gather(
            &run_dir,
            &records,
            world.change.worktree()?,
            reads.base,
            reads.tip,
        )?;
        report::write(&dir, &facts)?;
        let mut note = None;
        if let Some(output) = reads.output {
            match report::copy(&dir, output, &world.change.repo.root, &world.change.run.id) {
                Ok(()) => {}
                // The work is done, and its report is in the folder of the run.
                Err(error) => note = Some(format!("the report could not be copied: {error}")),
            }
        }
        Ok(Written { dir, note })
    }
}
