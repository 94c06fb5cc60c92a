//! Why a kata could not be begun or gone on with. The binary turns each case into an exit code and a hint.

use std::path::PathBuf;

use rb_core::RunId;
use rb_core::fs::{BehindLink, FsError};
use rb_flow::role::RoleError;
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_models::{Fault, ModelError};
use rb_trust::FenceError;
use rb_verify::VerifyError;
use rb_workspace::project::ProjectError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum KataError {
    #[error("{} does not exist", .0.display())]
    NoFile(PathBuf),
    #[error("{} cannot be read as a kata: {why}", file.display())]
    BadKata { file: PathBuf, why: String },
    #[error("`{name}` is not a supported language")]
    UnknownLanguage { name: String },
    /// The kata names several languages, equally strongly.
    #[error("the kata names several languages: {}", .0.join(", "))]
    AmbiguousLanguage(Vec<String>),
    #[error("`{program}` was not found, which {language} needs")]
    MissingTool { language: &'static str, program: String, install: String },
    #[error("{} is not empty and is not a git repository", .0.display())]
    NotEmpty(PathBuf),
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// A merge, rebase or the like is under way.
    #[error("{}: {why}", folder.display())]
    RepositoryBusy { folder: PathBuf, why: String },
    /// The tests fail before anything is changed.
    #[error("the tests in {} fail before the first cycle: {why}", folder.display())]
    RedBefore { folder: PathBuf, why: String },
    #[error("no command was found that runs the tests in {}", .0.display())]
    NoTestCommand(PathBuf),
    #[error("the tests could not be run: {why}")]
    TestsNotRun { why: String },
    #[error("{} was changed while the kata was developed: {what}", folder.display())]
    Disturbed { folder: PathBuf, what: String },
    #[error(transparent)]
    Project(ProjectError),
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Model(#[from] ModelError),
    /// As `Model`, in a run that can be resumed. It is the whole message, so that it is not a cause as well.
    #[error("{error}")]
    NoAnswer { run: RunId, error: Box<ModelError> },
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error(transparent)]
    Fence(#[from] FenceError),
    #[error(transparent)]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// What can go wrong with the machinery of a run is one case.
macro_rules! through_flow {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for KataError {
            fn from(error: $error) -> Self {
                FlowError::from(error).into()
            }
        }
    )*};
}

through_flow! { JournalError, RoleError, RunsError }

impl RunFailure for KataError {
    fn is_interruption(&self) -> bool {
        match self {
            KataError::Flow(error) => error.is_interruption(),
            KataError::Model(error) => error.fault == Fault::Interrupted,
            KataError::NoAnswer { error, .. } => error.fault == Fault::Interrupted,
            KataError::Verify(VerifyError::Interrupted) => true,
            KataError::NoFile(_)
            | KataError::BadKata { .. }
            | KataError::UnknownLanguage { .. }
            | KataError::AmbiguousLanguage(_)
            | KataError::MissingTool { .. }
            | KataError::NotEmpty(_)
            | KataError::NotAFolder(_)
            | KataError::RepositoryBusy { .. }
            | KataError::RedBefore { .. }
            | KataError::NoTestCommand(_)
            | KataError::TestsNotRun { .. }
            | KataError::Disturbed { .. }
            | KataError::Project(_)
            | KataError::Verify(_)
            | KataError::Fence(_)
            | KataError::BehindLink(_)
            | KataError::Fs(_) => false,
        }
    }
}

impl From<ProjectError> for KataError {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Fs(error) => KataError::Fs(error),
            error => KataError::Project(error),
        }
    }
}
