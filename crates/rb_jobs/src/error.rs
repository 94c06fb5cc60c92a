//! Why a queue could not be asked.

use std::path::PathBuf;

use rb_core::fs::FsError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum QueueError {
    #[error("the queue {} cannot be used: {source}", .path.display())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error("the queue {} was written by a newer version; update refactor-bot", .0.display())]
    Newer(PathBuf),
    #[error("the queue {} is damaged: job {job} cannot be read: {source}", .path.display())]
    Damaged { path: PathBuf, job: String, source: serde_json::Error },
    #[error(transparent)]
    Fs(#[from] FsError),
}
