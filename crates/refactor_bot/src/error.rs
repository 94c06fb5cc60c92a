//! Errors as the person meets them: a kind with its exit code, the chain of causes, and what to do next.
//!
//! Libraries keep their own error types; a command turns them into a `CliError` where it knows which
//! kind they are.

use std::error::Error;

use rb_core::fs::FsError;
use rb_core::process::ProcessError;
use serde::Serialize;

/// How a command ended that did not fail to do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The result is printed, and it is bad news; only the exit code is left to give.
    Reported(ErrorKind),
}

/// Why a command failed. Each kind is one exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ErrorKind {
    Refused,
    Usage,
    Environment,
    Limit,
    Rejected,
    UnsafeInput,
    Incomplete,
    Bug,
    Interrupted,
}

impl ErrorKind {
    pub(crate) const ALL: [ErrorKind; 9] = [
        ErrorKind::Refused,
        ErrorKind::Usage,
        ErrorKind::Environment,
        ErrorKind::Limit,
        ErrorKind::Rejected,
        ErrorKind::UnsafeInput,
        ErrorKind::Incomplete,
        ErrorKind::Bug,
        ErrorKind::Interrupted,
    ];

    pub(crate) fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Refused => 1,
            ErrorKind::Usage => 2,
            ErrorKind::Environment => 3,
            ErrorKind::Limit => 4,
            ErrorKind::Rejected => 5,
            ErrorKind::UnsafeInput => 6,
            ErrorKind::Incomplete => 7,
            ErrorKind::Bug => 70,
            ErrorKind::Interrupted => 130,
        }
    }

    /// One line for the help.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            ErrorKind::Refused => {
                "checks failed or a change was refused; your checkout is unchanged"
            }
            ErrorKind::Usage => "invalid arguments",
            ErrorKind::Environment => "missing prerequisite: a tool, login, API key or disk space",
            ErrorKind::Limit => "a limit was reached (cost, time, retries, rate); resumable",
            ErrorKind::Rejected => "rejected by you",
            ErrorKind::UnsafeInput => {
                "unsafe input: uncommitted changes, a path outside, invalid configuration"
            }
            ErrorKind::Incomplete => "incomplete: a task was skipped; the other changes are kept",
            ErrorKind::Bug => "a bug in refactor-bot",
            ErrorKind::Interrupted => "interrupted; resumable",
        }
    }
}

/// What a failed command gives back.
#[derive(Debug)]
pub(crate) struct CliError {
    pub(crate) kind: ErrorKind,
    pub(crate) source: Box<dyn Error + Send + Sync>,
    pub(crate) hints: Vec<String>,
}

impl CliError {
    /// `source` is an error to be kept, or a text.
    pub(crate) fn new(kind: ErrorKind, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        CliError { kind, source: source.into(), hints: Vec::new() }
    }

    /// Adds something to do about it. Hints are whole sentences without a full stop.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn message(&self) -> String {
        self.source.to_string()
    }

    /// What lies behind the message, nearest first.
    pub(crate) fn causes(&self) -> Vec<String> {
        std::iter::successors(self.source.source(), |&error| error.source())
            .map(ToString::to_string)
            .collect()
    }
}

impl From<FsError> for CliError {
    fn from(error: FsError) -> Self {
        let hint = if error.is_no_space() {
            Some("free some disk space, or choose another place with --home")
        } else if error.is_read_only() {
            Some("check the permissions of that path, or choose another place with --home")
        } else {
            None
        };
        let error = CliError::new(ErrorKind::Environment, error);
        hint.into_iter().fold(error, CliError::hint)
    }
}

impl From<ProcessError> for CliError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::NotFound { .. } => CliError::new(ErrorKind::Environment, error)
                .hint("`refactor-bot doctor` shows which programs are found"),
            ProcessError::Start { .. } | ProcessError::Wait { .. } => {
                CliError::new(ErrorKind::Environment, error)
            }
            ProcessError::TimedOut { .. } => CliError::new(ErrorKind::Limit, error),
            ProcessError::Cancelled { .. } => CliError::new(ErrorKind::Interrupted, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux5_exit_codes_are_distinct_and_none_is_success() {
        let mut codes: Vec<u8> = ErrorKind::ALL.map(ErrorKind::exit_code).to_vec();
        assert_eq!(codes, [1, 2, 3, 4, 5, 6, 7, 70, 130]);
        codes.dedup();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
    }

    #[test]
    fn ux5_causes_are_listed_nearest_first() {
        let source = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let error = CliError::from(FsError { what: "write", path: "/x".into(), source });
        assert_eq!(error.kind, ErrorKind::Environment);
        assert_eq!(error.message(), "cannot write /x");
        assert_eq!(error.causes(), ["no storage space"]);
        assert_eq!(error.hints, ["free some disk space, or choose another place with --home"]);
    }
}
