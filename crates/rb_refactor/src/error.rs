//! Why a run could not go on. The binary turns each case into an exit code and a hint.

use rb_audit::AuditError;
use rb_change::{ChangeError, GivenChangeError, OwnRulesError, is_interrupted};
use rb_core::RunId;
use rb_core::fs::FsError;
use rb_flow::role::RoleError;
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_index::IndexError;
use rb_models::{Fault, ModelError};
use rb_trust::FenceError;
use rb_verify::VerifyError;
use rb_workspace::carry::CarryError;
use rb_workspace::patch::ScopeError;
use rb_workspace::preflight::Refused;
use rb_workspace::worktree::WorktreeError;
use thiserror::Error;

use crate::artifacts::ArtifactsError;
use crate::report::OutputError;

#[derive(Debug, Error)]
pub enum RunError {
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Model(#[from] ModelError),
    /// As `Model`, in a run that can be gone on with. It is the whole message, so that it is not a cause as well.
    #[error("{error}")]
    NoAnswer { run: RunId, error: Box<ModelError> },
    #[error(transparent)]
    Plan(#[from] rb_plan::PlanError),
    #[error(transparent)]
    Pack(#[from] rb_pack::PackError),
    #[error(transparent)]
    Fence(#[from] FenceError),
    #[error(transparent)]
    Artifacts(#[from] ArtifactsError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// What can go wrong with a change is one case of what can go wrong with a run.
macro_rules! through_change {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for RunError {
            fn from(error: $error) -> Self {
                ChangeError::from(error).into()
            }
        }
    )*};
}

through_change! {
    AuditError, CarryError, FlowError, FsError, IndexError, JournalError, OwnRulesError, GivenChangeError,
    Refused, RunsError, ScopeError, VerifyError, WorktreeError,
}

impl From<RoleError> for RunError {
    fn from(error: RoleError) -> Self {
        FlowError::from(error).into()
    }
}

impl RunFailure for RunError {
    fn is_interruption(&self) -> bool {
        match self {
            RunError::Change(error) => error.is_interruption(),
            RunError::Plan(rb_plan::PlanError::Interrupted)
            | RunError::Model(ModelError { fault: Fault::Interrupted, .. })
            | RunError::Pack(rb_pack::PackError::Interrupted) => true,
            other => is_interrupted(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa6_an_interruption_is_one_wherever_it_came_from() {
        let pack = RunError::from(rb_pack::PackError::Interrupted);
        let plan = RunError::from(rb_plan::PlanError::Interrupted);
        for error in [pack, plan, FlowError::Interrupted.into()] {
            assert!(error.is_interruption(), "{error:?}");
        }
        assert!(!RunError::from(VerifyError::BadRecord(String::new())).is_interruption());
    }
}
