//! Why a campaign could not be begun or gone on with.

use std::path::PathBuf;

use rb_core::RunId;
use rb_core::fs::FsError;
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_jobs::QueueError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum CampaignError {
    #[error("there is a campaign `{0}` already")]
    Taken(String),
    #[error("another process is making a campaign; try again")]
    Busy,
    #[error(
        "`{0}` is no name for a campaign: use letters, digits, `-`, `_` and `.`, at most 60 of them"
    )]
    BadName(String),
    #[error("{list}:{line}: {problem}", list = .list.display())]
    BadLine { list: PathBuf, line: usize, problem: String },
    #[error("no repository is listed in {}", .0.display())]
    EmptyList(PathBuf),
    #[error("no git repository matches `{0}`")]
    NoMatch(String),
    #[error("`{pattern}` is no pattern: {source}")]
    BadPattern { pattern: String, source: globset::Error },
    #[error("the campaign has no repository `{0}`")]
    UnknownRepository(String),
    #[error("run {0} is no campaign")]
    OtherRun(RunId),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Runs(#[from] RunsError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl RunFailure for CampaignError {
    fn is_interruption(&self) -> bool {
        match self {
            CampaignError::Flow(error) => error.is_interruption(),
            CampaignError::Taken(_)
            | CampaignError::Busy
            | CampaignError::BadName(_)
            | CampaignError::BadLine { .. }
            | CampaignError::EmptyList(_)
            | CampaignError::NoMatch(_)
            | CampaignError::BadPattern { .. }
            | CampaignError::UnknownRepository(_)
            | CampaignError::OtherRun(_)
            | CampaignError::Queue(_)
            | CampaignError::Runs(_)
            | CampaignError::Journal(_)
            | CampaignError::Fs(_) => false,
        }
    }
}
