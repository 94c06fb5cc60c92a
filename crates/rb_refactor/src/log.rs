//! The journal as those who work on a run share it: written at once, folded into the state by the driver.

use std::cell::RefCell;
use std::rc::Rc;

use rb_flow::{Event, Journal};

use crate::error::RunError;

#[derive(Clone)]
pub(crate) struct Log(Rc<RefCell<Inner>>);

struct Inner {
    journal: Journal,
    unfolded: Vec<Event>,
}

impl Log {
    pub(crate) fn new(journal: Journal) -> Log {
        Log(Rc::new(RefCell::new(Inner { journal, unfolded: Vec::new() })))
    }

    /// On disk when it returns, and synced where the event is a milestone.
    pub(crate) fn write(&self, event: Event) -> Result<(), RunError> {
        let mut inner = self.0.borrow_mut();
        inner.journal.write(event.clone())?;
        inner.unfolded.push(event);
        Ok(())
    }

    /// What was written since it was asked last.
    pub(crate) fn unfolded(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.borrow_mut().unfolded)
    }
}
