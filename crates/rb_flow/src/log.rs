//! The journal as those who work on a run share it: written at once, folded into the state by the driver.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::event::Event;
use crate::journal::{Journal, JournalError};
use crate::runs::RunDir;
use crate::workflow::Workflow;

pub struct Log<W: Workflow> {
    run_dir: RunDir,
    inner: Arc<Mutex<Inner<W>>>,
}

struct Inner<W: Workflow> {
    journal: Journal<W>,
    unfolded: Vec<Event<W>>,
}

impl<W: Workflow> Clone for Log<W> {
    fn clone(&self) -> Self {
        Log { run_dir: self.run_dir.clone(), inner: Arc::clone(&self.inner) }
    }
}

impl<W: Workflow> Log<W> {
    pub fn new(run_dir: &RunDir, journal: Journal<W>) -> Log<W> {
        let inner = Arc::new(Mutex::new(Inner { journal, unfolded: Vec::new() }));
        Log { run_dir: run_dir.clone(), inner }
    }

    pub(crate) fn run_dir(&self) -> &RunDir {
        &self.run_dir
    }

    /// On disk when it returns, and synced where the event is a milestone.
    pub fn write(&self, event: impl Into<Event<W>>) -> Result<(), JournalError> {
        let event = event.into();
        let mut inner = self.inner();
        inner.journal.write(event.clone())?;
        inner.unfolded.push(event);
        Ok(())
    }

    /// What was written since it was asked last.
    pub(crate) fn unfolded(&self) -> Vec<Event<W>> {
        std::mem::take(&mut self.inner().unfolded)
    }

    /// A thread that panicked while it wrote has left whole lines, or one torn line that the next writer cuts off.
    fn inner(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
