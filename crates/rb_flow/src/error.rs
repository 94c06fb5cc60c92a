//! Why a run of any workflow could not go on.

use rb_core::RunId;
use rb_core::fs::FsError;
use thiserror::Error;

use crate::journal::JournalError;
use crate::role::RoleError;
use crate::runs::RunsError;

#[derive(Debug, Error)]
pub enum FlowError {
    #[error("interrupted")]
    Interrupted,
    #[error("run {run} has worked for {limit_s} s, and was to work no longer")]
    Runtime { run: RunId, limit_s: u64 },
    #[error("the journal of run {run} makes no sense: {message}")]
    BadJournal { run: RunId, message: String },
    #[error(transparent)]
    Role(#[from] RoleError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Runs(#[from] RunsError),
    #[error(transparent)]
    Fs(#[from] FsError),
}
