//! What every workflow is driven by: its graph, the journal of a run, the folder it lies in, the lock that keeps two processes
//! apart, and the questions to models.
//!
//! A workflow is a type (`Workflow`) with its own state, events, world and graph. This crate knows none of them.

mod answers;
pub mod ask;
pub mod course;
pub mod desk;
pub mod driver;
pub mod error;
pub mod event;
pub mod fence;
pub mod graph;
pub mod journal;
pub mod log;
pub mod role;
pub mod runs;
#[cfg(feature = "scripted")]
pub mod scripted;
pub mod spending;
mod transcript;
pub mod workflow;

pub use ask::{Query, Reply};
pub use course::{Course, state_words};
pub use desk::Desk;
pub use driver::{Driver, fold};
pub use error::FlowError;
pub use event::{Event, ModelChoice, Record, RunEvent};
pub use journal::{Journal, JournalError, Observer};
pub use log::Log;
pub use runs::{Run, RunDir, RunsError};
pub use workflow::{RunFailure, RunState, Workflow, WorkflowEvent, World};
