//! What can be wrong with a configuration. Every message names the place, and where it can the way out.

use std::path::PathBuf;

use rb_core::fs::FsError;
use thiserror::Error;

use super::Origin;
use super::keys::Key;
use crate::error::{CliError, ErrorKind};

#[derive(Debug, Error)]
pub(crate) enum ConfigError {
    #[error("unknown configuration key `{name}` in {origin}")]
    UnknownKey { name: String, origin: Origin, nearest: Option<&'static Key> },
    #[error("`{name}` in {origin} must be {expected}, not {found}")]
    WrongType { name: String, origin: Origin, expected: String, found: String },
    #[error("{}:{line}:{column}: {problem}", file.display())]
    Malformed { file: PathBuf, line: usize, column: usize, problem: String },
    #[error("{} is {what}; a project's configuration must be a plain file inside it", file.display())]
    NotPlain { file: PathBuf, what: &'static str },
    #[error("{} is larger than {} bytes", file.display(), super::file::MAX_LEN)]
    TooLarge { file: PathBuf },
    #[error("{} is not a folder", path.display())]
    NoProject { path: PathBuf },
    #[error("{} holds no {}", root.display(), super::file::PROJECT_FILE)]
    NoProjectFile { root: PathBuf },
    #[error("the list of trusted projects in {} cannot be read: {problem}", file.display())]
    BrokenTrust { file: PathBuf, problem: String },
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl ConfigError {
    fn kind(&self) -> ErrorKind {
        match self {
            ConfigError::UnknownKey { origin: Origin::Flag(_), .. }
            | ConfigError::WrongType { origin: Origin::Flag(_), .. }
            | ConfigError::NoProject { .. }
            | ConfigError::NoProjectFile { .. } => ErrorKind::Usage,
            ConfigError::UnknownKey { .. }
            | ConfigError::WrongType { .. }
            | ConfigError::Malformed { .. }
            | ConfigError::NotPlain { .. }
            | ConfigError::TooLarge { .. }
            | ConfigError::BrokenTrust { .. } => ErrorKind::UnsafeInput,
            ConfigError::Fs(_) => ErrorKind::Environment,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            ConfigError::UnknownKey { nearest: Some(key), origin, .. } => Some(meant(key, origin)),
            ConfigError::UnknownKey { nearest: None, .. } => {
                Some("`refactor-bot config schema` lists the known keys".to_owned())
            }
            ConfigError::WrongType { .. } => {
                Some("`refactor-bot config schema` describes every key".to_owned())
            }
            ConfigError::BrokenTrust { .. } => Some(
                "remove that file; the projects it named must then be trusted again".to_owned(),
            ),
            ConfigError::Malformed { .. }
            | ConfigError::NotPlain { .. }
            | ConfigError::TooLarge { .. }
            | ConfigError::NoProject { .. }
            | ConfigError::NoProjectFile { .. }
            | ConfigError::Fs(_) => None,
        }
    }
}

fn meant(key: &Key, origin: &Origin) -> String {
    match (origin, key.name.split_once('.')) {
        (Origin::Env(_), _) => format!("did you mean {}?", key.variable()),
        (Origin::Flag(_) | Origin::Default, _) | (Origin::Project(_) | Origin::User(_), None) => {
            format!("did you mean `{}`?", key.name)
        }
        (Origin::Project(_) | Origin::User(_), Some((group, name))) => {
            format!("did you mean `{name}` inside `{group}`?")
        }
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        let hint = error.hint();
        let error = match error {
            ConfigError::Fs(error) => error.into(),
            other => CliError::new(other.kind(), other),
        };
        hint.into_iter().fold(error, CliError::hint)
    }
}
