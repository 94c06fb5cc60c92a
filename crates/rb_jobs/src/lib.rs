//! Jobs for workers, and the queues that hand them out.
//!
//! A job may be begun several times, by workers that die; only its first result counts. What a job does is for others to say: here it
//! is the name of a repository, the arguments of a command and what a worker has to have for it.

mod error;
mod job;
mod local;
mod queue;

pub use self::error::QueueError;
pub use self::job::{BadJobId, Job, JobEnd, JobId, JobResult, Place};
pub use self::local::LocalQueue;
pub use self::queue::{Queue, Taken};
