//! Server-sent events, as the HTML standard has them, and no more: nothing is connected again.
//!
//! `id` and `retry` are for that, so they are passed over.

use super::split::{Cut, Ends, Splitter, too_long};
use super::{LARGEST, Pieces};
use crate::error::Fault;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Message {
        /// Empty where the server gave none.
        name: String,
        data: String,
    },
    /// A line that means nothing; servers send such ones to show that they are alive.
    Comment,
}

/// Ends after the first fault.
pub(crate) struct Events<P> {
    lines: Splitter<P>,
    limit: usize,
    name: String,
    /// With a line end after each line.
    data: String,
}

impl<P: Pieces> Events<P> {
    pub(crate) fn new(pieces: P) -> Self {
        Events::within(pieces, LARGEST)
    }

    pub(super) fn within(pieces: P, limit: usize) -> Self {
        let lines = Splitter::new(pieces, Ends::Any, limit);
        Events { lines, limit, name: String::new(), data: String::new() }
    }

    fn take(&mut self) -> Option<Event> {
        let (name, mut data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
        // Without a line of data it is none.
        data.pop()?;
        Some(Event::Message { name, data })
    }

    fn field(&mut self, line: &str) -> Result<(), Fault> {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
                too_long(self.data.len(), self.limit)?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl<P: Pieces> Iterator for Events<P> {
    type Item = Result<Event, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.next()? {
                Ok(Cut::Line(line)) => line,
                // The empty line after the last event may be missing, but not a part of the event.
                Ok(Cut::Last(half)) if half.is_empty() => return self.take().map(Ok),
                Ok(Cut::Last(_)) => return None,
                Err(fault) => return Some(Err(fault)),
            };
            if line.is_empty() {
                if let Some(event) = self.take() {
                    return Some(Ok(event));
                }
            } else if line.starts_with(':') {
                return Some(Ok(Event::Comment));
            } else if let Err(fault) = self.field(&line) {
                self.lines.stop();
                return Some(Err(fault));
            }
        }
    }
}
