//! What an exploration did, in numbers and names: for the journal, the reader and the memory.

use super::breaker;
use crate::memory::SearchMade;

/// What an exploration did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Journey {
    pub(crate) calls: u32,
    /// Each file once, in the order of first reading.
    pub(crate) files_read: Vec<String>,
    pub(crate) searches: Vec<SearchMade>,
    /// Reads that were answered with where the lines are already.
    pub(crate) reads_avoided: u32,
    /// Results that were removed to make room.
    pub(crate) evicted: Vec<String>,
    /// Why the guide ended it.
    pub(crate) ended: Option<String>,
}

impl Journey {
    /// What was looked for and looked at, in a sentence.
    pub(crate) fn looked(&self) -> String {
        breaker::looked(&self.queries(), &self.files_read)
    }

    pub(super) fn queries(&self) -> Vec<String> {
        self.searches.iter().map(|search| search.query.clone()).collect()
    }
}
