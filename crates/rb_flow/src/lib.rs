//! What every workflow is driven by: the journal of a run, the folder it lies in, and the lock that
//! keeps two processes apart.
//!
//! It knows events, not workflows: which event comes next is decided above, and what an event stands
//! for is done below.

pub mod event;
pub mod graph;
pub mod journal;
pub mod role;
pub mod runs;
pub mod spending;

pub use event::{Decision, Event, Outcome, Record, Workflow};
pub use journal::{Journal, JournalError, Observer};
pub use runs::{Run, RunsError};
