//! How the app of a repository is started or reached, so that a browser can look at it.
//!
//! [`find`] reads the repository and starts nothing. [`listener`] tells which process has a port, so that a server of another checkout
//! is not taken for this one.

mod listener;
mod manifest;
mod url;

use std::path::{Path, PathBuf};

use rb_core::fs::FsError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use listener::{Listener, check_listener, listeners, started};
pub(crate) use url::Url;

/// Where servers listen unless something else is asked for.
const PORT: u16 = 3000;

/// What a person or the configuration says about the preview.
#[derive(Debug, Clone, Copy, Default)]
pub struct PreviewOptions<'a> {
    /// A shell command. `{port}` in it is replaced, and `PORT` is in its environment.
    pub command: Option<&'a str>,
    /// The address of the app. Without a command it is a server that somebody else started.
    pub url: Option<&'a str>,
}

/// How the app is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Started in the sandbox of the browser; without one the server is somebody else's.
    pub command: Option<String>,
    /// Without a slash at the end.
    pub url: String,
    pub port: u16,
    /// The working folder of the command.
    pub folder: PathBuf,
    /// Why it is started so.
    pub why: String,
}

#[derive(Debug, Error)]
pub enum PreviewError {
    #[error(
        "cannot tell how to start the app: package.json has no script `preview`, `start` or `dev`, and there is no index.html in the root, `public` or `dist`. Give the command with `--preview`, or the address of a running server with `--preview-url`."
    )]
    Unknown,
    #[error(
        "`{url}` is not an address of a preview: {why}. Give one such as http://localhost:3000 with `--preview-url`."
    )]
    Url { url: String, why: &'static str },
    #[error("the preview command is empty. Give a command with `--preview`.")]
    EmptyCommand,
    #[error(
        "package.json cannot be read as JSON ({why}). Correct it, or give the command with `--preview`."
    )]
    Manifest { why: String },
    #[error(
        "nothing listens on port {port}. Start the server, or give a command with `--preview`."
    )]
    NotListening { port: u16 },
    #[error(
        "cannot tell which process listens on port {port}: it belongs to another user. Start the server with `--preview`."
    )]
    UnknownProcess { port: u16 },
    #[error(
        "port {port} belongs to `{}` (process {}) in {}, not to this worktree",
        .listener.command, .listener.pid, .listener.folder.display()
    )]
    Foreign { port: u16, listener: Listener },
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// A given command or URL comes first, then what the repository offers.
pub fn find(worktree: &Path, options: PreviewOptions<'_>) -> Result<Preview, PreviewError> {
    let url = options.url.map(Url::parse).transpose()?;
    let port = url.as_ref().map_or(PORT, Url::port);
    let address = match &url {
        Some(url) => url.base(),
        None => format!("http://127.0.0.1:{port}"),
    };
    let preview = |command: Option<String>, folder: PathBuf, why: String| Preview {
        command,
        url: address.clone(),
        port,
        folder,
        why,
    };
    if let Some(command) = options.command {
        let command = command.trim();
        if command.is_empty() {
            return Err(PreviewError::EmptyCommand);
        }
        if let Some(url) = &url
            && !url.is_loopback()
        {
            let why = "a command is started on this machine, so the address must be one of it";
            return Err(PreviewError::Url { url: url.base(), why });
        }
        let command = command.replace("{port}", &port.to_string());
        return Ok(preview(Some(command), worktree.to_owned(), "the command was given".to_owned()));
    }
    if url.is_some() {
        return Ok(preview(None, worktree.to_owned(), "the URL was given".to_owned()));
    }
    if let Some(script) = manifest::script(worktree, port)? {
        return Ok(preview(Some(script.command), worktree.to_owned(), script.why));
    }
    match manifest::static_folder(worktree) {
        Some((folder, name)) => {
            let command = format!("python3 -m http.server {port} --bind 127.0.0.1");
            Ok(preview(Some(command), folder, format!("{name} is a static page")))
        }
        None => Err(PreviewError::Unknown),
    }
}

impl Preview {
    /// Whether the address is one of this machine.
    pub fn is_loopback(&self) -> bool {
        Url::parse(&self.url).is_ok_and(|url| url.is_loopback())
    }
}
