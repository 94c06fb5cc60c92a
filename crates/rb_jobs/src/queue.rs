//! What every queue can do, on one machine or over a network.

use std::collections::BTreeSet;

use crate::error::QueueError;
use crate::job::{Job, JobEnd, JobId, JobResult};

/// A job that a worker holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub job: Job,
    /// How often it was begun, this time included.
    pub tries: u32,
}

pub trait Queue: Send + Sync {
    /// Whether the job is new: one that was given before is not given again, whatever became of it.
    fn submit(&self, job: &Job) -> Result<bool, QueueError>;

    /// The oldest job that needs nothing but what the worker `has`, if there is one: a new one, one that was given back, or one whose worker
    /// has died.
    fn take(&self, has: &BTreeSet<String>) -> Result<Option<Taken>, QueueError>;

    /// Whether the end counts: that of an earlier worker may have come first.
    fn finish(&self, taken: &Taken, end: JobEnd) -> Result<bool, QueueError>;

    /// Puts it back for another try, or gives it up after too many.
    fn give_back(&self, taken: &Taken, why: &str) -> Result<(), QueueError>;

    /// Ends that were not confirmed yet, the oldest first.
    fn results(&self) -> Result<Vec<JobResult>, QueueError>;

    /// The result is safe elsewhere.
    fn confirm(&self, job: &JobId) -> Result<(), QueueError>;

    /// How many jobs have no end yet.
    fn left(&self) -> Result<usize, QueueError>;
}
