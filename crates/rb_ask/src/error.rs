//! Why a question could not be answered. The binary turns each case into an exit code and a hint.

use rb_core::RunId;
use rb_core::fs::FsError;
use rb_flow::role::RoleError;
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_index::IndexError;
use rb_index::walk::WalkError;
use rb_models::{Fault, ModelError};
use rb_tools::ToolError;
use rb_trust::FenceError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum AskError {
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error(transparent)]
    Model(#[from] ModelError),
    /// As `Model`, in a run that can be resumed. It is the whole message, so that it is not a cause as well.
    #[error("{error}")]
    NoAnswer { run: RunId, error: Box<ModelError> },
    #[error(transparent)]
    Fence(#[from] FenceError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// What can go wrong with the machinery of a run is one case.
macro_rules! through_flow {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for AskError {
            fn from(error: $error) -> Self {
                FlowError::from(error).into()
            }
        }
    )*};
}

through_flow! { JournalError, RoleError, RunsError }

impl RunFailure for AskError {
    fn is_interruption(&self) -> bool {
        match self {
            AskError::Flow(error) => error.is_interruption(),
            AskError::Index(error) | AskError::Tool(ToolError::Index(error)) => {
                matches!(error, IndexError::Interrupted | IndexError::Walk(WalkError::Interrupted))
            }
            AskError::Tool(ToolError::Interrupted) => true,
            AskError::Model(error) => error.fault == Fault::Interrupted,
            AskError::NoAnswer { error, .. } => error.fault == Fault::Interrupted,
            AskError::Tool(ToolError::Call(_)) | AskError::Fence(_) | AskError::Fs(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa6_an_interruption_is_one_wherever_it_came_from() {
        let interruptions: [AskError; 4] = [
            FlowError::Interrupted.into(),
            IndexError::Interrupted.into(),
            ToolError::Interrupted.into(),
            ModelError::new("scripted", Fault::Interrupted).into(),
        ];
        for error in interruptions {
            assert!(error.is_interruption(), "{error:?}");
        }
        let others: [AskError; 2] =
            [ToolError::Call("wrong".to_owned()).into(), FenceError::MarkInText.into()];
        for error in others {
            assert!(!error.is_interruption(), "{error:?}");
        }
    }
}
