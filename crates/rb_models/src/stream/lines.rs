//! One JSON text on each line; empty lines mean nothing.

use super::split::{Cut, Ends, Splitter};
use super::{LARGEST, Pieces};
use crate::error::Fault;

/// The lines as text, without their ends. Ends after the first fault.
pub(crate) struct Lines<P>(Splitter<P>);

impl<P: Pieces> Lines<P> {
    pub(crate) fn new(pieces: P) -> Self {
        Lines::within(pieces, LARGEST)
    }

    pub(super) fn within(pieces: P, limit: usize) -> Self {
        Lines(Splitter::new(pieces, Ends::LineFeed, limit))
    }
}

impl<P: Pieces> Iterator for Lines<P> {
    type Item = Result<String, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.0.next()? {
                // The last line may lack its end; whether it is whole shows when it is read.
                Ok(Cut::Line(line) | Cut::Last(line)) if !line.trim().is_empty() => {
                    return Some(Ok(line.trim().to_owned()));
                }
                Ok(_) => {}
                Err(fault) => return Some(Err(fault)),
            }
        }
    }
}
