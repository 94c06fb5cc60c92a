//! Why a ticket could not be begun or gone on with. The binary turns each case into an exit code and a hint.

use rb_agent::AgentError;
use rb_browser::BrowserError;
use rb_change::{ChangeError, is_interrupted};
use rb_core::RunId;
use rb_core::fs::FsError;
use rb_flow::role::RoleError;
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_index::IndexError;
use rb_models::{Fault, ModelError};
use rb_trust::FenceError;
use rb_verify::VerifyError;
use rb_workspace::preflight::Refused;
use rb_workspace::worktree::WorktreeError;
use thiserror::Error;

use crate::browse;
use crate::intake::IntakeError;
use crate::preview::PreviewError;

#[derive(Debug, Error)]
pub enum TicketError {
    #[error(transparent)]
    Intake(#[from] IntakeError),
    #[error(transparent)]
    Preview(#[from] PreviewError),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Browser(#[from] BrowserError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Model(#[from] ModelError),
    /// As `Model`, in a run that can be gone on with. It is the whole message, so that it is not a cause as well.
    #[error("{error}")]
    NoAnswer { run: RunId, error: Box<ModelError> },
    #[error(transparent)]
    Fence(#[from] FenceError),
    #[error(transparent)]
    Browse(#[from] browse::VerifyError),
    #[error("the repository cannot be searched: {0}")]
    Search(String),
}

/// What can go wrong with a change is one case of what can go wrong with a ticket.
macro_rules! through_change {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for TicketError {
            fn from(error: $error) -> Self {
                ChangeError::from(error).into()
            }
        }
    )*};
}

through_change! { FlowError, FsError, IndexError, JournalError, Refused, RunsError, VerifyError, WorktreeError }

impl From<RoleError> for TicketError {
    fn from(error: RoleError) -> Self {
        FlowError::from(error).into()
    }
}

impl RunFailure for TicketError {
    fn is_interruption(&self) -> bool {
        match self {
            TicketError::Change(error) => error.is_interruption(),
            TicketError::Model(ModelError { fault: Fault::Interrupted, .. }) => true,
            other => is_interrupted(other),
        }
    }
}
