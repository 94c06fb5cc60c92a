//! What stops a command from being run as asked. A command that ran and failed is no error.

use std::path::PathBuf;

use rb_core::Interrupted;
use rb_core::fs::FsError;
use rb_core::process::ProcessError;
use thiserror::Error;

use crate::job::Ran;

#[derive(Debug, Error)]
pub enum SandboxError {
    #[error("{kind} was asked for and does not work here ({why}). {advice}")]
    Unusable { kind: &'static str, why: String, advice: &'static str },
    #[error("`{program}` was not found")]
    NotFound { program: String },
    /// The command never began; what it would have said is not known.
    #[error("the command could not be started in its sandbox ({kind}): {why}")]
    Setup { kind: &'static str, why: String },
    #[error("the command was stopped because the run was interrupted")]
    Cancelled(#[source] Interrupted),
    /// It is not known who took the room, so that this says nothing of the command.
    #[error("the command was stopped because the disk of {} was nearly full", folder.display())]
    DiskFull { folder: PathBuf },
    /// With what the command did otherwise.
    #[error("the command changed {}, which was restored", shown(paths))]
    GitChanged { paths: Vec<PathBuf>, ran: Box<Ran> },
    #[error(transparent)]
    Process(#[from] ProcessError),
    #[error("the command could not be watched")]
    Watch(#[source] std::io::Error),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("the output could not be kept in {}", path.display())]
    Log {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

fn shown(paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    shown.join(", ")
}
