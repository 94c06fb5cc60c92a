//! Reading configuration files. The project's own comes from a stranger and is read with care.

use std::path::{Path, PathBuf};

use rb_core::{Sha256, fs};
use serde_json::Value;

use super::error::ConfigError;

/// The name of a project's configuration, in its root.
pub(crate) const PROJECT_FILE: &str = ".refactor-bot.config.json";

/// More than any sensible file, and little enough to read at once.
pub(crate) const MAX_LEN: u64 = 1 << 20;

/// A project's configuration as it was when it was read. What is trusted is this very content.
#[derive(Debug)]
pub(crate) struct ProjectFile {
    /// The folder that holds it, without links.
    pub(crate) root: PathBuf,
    pub(crate) path: PathBuf,
    pub(crate) document: Value,
    pub(crate) sha256: Sha256,
}

impl ProjectFile {
    /// Nothing where the project has no configuration. A link is refused: it could bring in a file that
    /// lies outside and may change without being seen.
    pub(crate) fn read(root: &Path) -> Result<Option<Self>, ConfigError> {
        let path = root.join(PROJECT_FILE);
        let Ok(meta) = path.symlink_metadata() else { return Ok(None) };
        if !meta.is_file() {
            let what = if meta.is_symlink() { "a symbolic link" } else { "not a plain file" };
            return Err(ConfigError::NotPlain { file: path, what });
        }
        let bytes = read_limited(&path)?;
        let document = parse(&path, &bytes)?;
        Ok(Some(ProjectFile { root: root.to_owned(), path, document, sha256: Sha256::of(&bytes) }))
    }
}

/// The user's own file, which may be a link into a folder of settings.
pub(crate) fn read_user(path: &Path) -> Result<Option<Value>, ConfigError> {
    if !path.exists() {
        return Ok(None);
    }
    parse(path, &read_limited(path)?).map(Some)
}

/// The root of the project that `path` lies in: the nearest folder with a `.git`, or `path` itself.
pub(crate) fn project_root(path: &Path) -> Result<PathBuf, ConfigError> {
    let no_project = || ConfigError::NoProject { path: path.to_owned() };
    let start = path.canonicalize().map_err(|_| no_project())?;
    if !start.is_dir() {
        return Err(no_project());
    }
    let root = start.ancestors().find(|folder| folder.join(".git").exists());
    Ok(root.unwrap_or(&start).to_owned())
}

fn read_limited(path: &Path) -> Result<Vec<u8>, ConfigError> {
    let bytes = fs::read_head(path, MAX_LEN + 1)?;
    if bytes.len() as u64 > MAX_LEN {
        return Err(ConfigError::TooLarge { file: path.to_owned() });
    }
    Ok(bytes)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Value, ConfigError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let problem = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        ConfigError::Malformed { file: path.to_owned(), line, column, problem }
    })
}
