//! The refactor workflow: tasks are proposed, checked, applied in the throwaway worktree, checkpointed,
//! and landed or dropped.
//!
//! `State` is what a journal says; `next` is the pure step from it; `Driver` performs steps at the rim.
//! Every entry point (`start`, `resume`, `accept`, `reject`, `rollback`) goes through the same loop, so
//! a process killed anywhere is continued by any later one. It prints nothing.

mod driver;
mod error;
mod examine;
pub mod gc;
mod land;
mod propose;
mod report;
mod rollback;
mod start;
mod state;
mod suspect;
mod task;
mod verify;

use std::path::PathBuf;
use std::rc::Rc;

use rb_core::process::Env;
use rb_core::{Cancel, Home, Progress};
use rb_flow::Observer;

pub use driver::{resume, summary};
pub use error::RunError;
pub use examine::Examination;
pub use land::{accept, reject};
pub use propose::{Proposal, ProposalError};
pub use rollback::rollback;
pub use start::{StartOptions, VerifyOptions, start, verify};
pub use state::{Phase, State};

/// What every entry point needs from the outside.
#[derive(Clone)]
pub struct Context {
    pub home: Home,
    pub env: Env,
    pub cancel: Cancel,
    pub progress: Rc<dyn Progress>,
    pub observer: Option<Observer>,
    /// This program, to be started as the guard of a command where the kernel confines it.
    pub shim: Option<PathBuf>,
}
