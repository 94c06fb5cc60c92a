//! The door to renames by a server: a trait for those who plan, and the servers of this machine behind it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rb_core::process::Env;
use rb_core::{Cancel, Edit};
use rb_sandbox::Choice;

use crate::error::ServerError;
use crate::rename::rename;
use crate::server::Server;

/// What is to have another name. Paths are relative to the project.
pub struct RenameRequest<'r> {
    pub path: &'r str,
    /// `total`, or `Cart.total` for what belongs to something.
    pub symbol: &'r str,
    /// Of its declaration, from 1, where that is needed to tell it from others.
    pub line: Option<u32>,
    pub to: &'r str,
    /// All files of the project.
    pub paths: &'r [String],
    /// Texts of the project; none for what is no part of it.
    pub texts: &'r (dyn Fn(&str) -> Option<Arc<str>> + Sync),
}

/// All that a rename changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renamed {
    /// Of the declaration, from 1.
    pub line: u32,
    /// By path, as files are called now.
    pub edits: BTreeMap<String, Vec<Edit>>,
    /// Files that get another path: old, new.
    pub moved: BTreeMap<String, String>,
    /// What a reviewer has to know.
    pub notes: Vec<String>,
}

/// Who renames symbols in languages that recipes do not know.
pub trait Renamer: Sync {
    fn rename(&self, request: &RenameRequest<'_>) -> Result<Renamed, ServerError>;
}

/// For those who may not start any program.
#[derive(Debug, Clone, Copy)]
pub struct NoServers;

impl Renamer for NoServers {
    fn rename(&self, request: &RenameRequest<'_>) -> Result<Renamed, ServerError> {
        let unknown = || ServerError::Unknown { path: request.path.to_owned() };
        let server = Server::for_path(request.path).ok_or_else(unknown)?;
        Err(server.missing())
    }
}

/// The servers of this machine, over one project.
#[derive(Debug, Clone)]
pub struct LanguageServers {
    /// The folder with the project's files. It is read and never written.
    pub root: PathBuf,
    /// Checkouts of the user, as in [`rb_sandbox::Job`].
    pub checkouts: Vec<PathBuf>,
    /// Caches of the tools, for all runs on this repository.
    pub scratch: PathBuf,
    pub env: Env,
    pub sandbox: Choice,
    /// The program that answers `__confine`.
    pub shim: Option<PathBuf>,
    pub cancel: Cancel,
    pub limits: Limits,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until the project is read.
    pub load: Duration,
    /// One question.
    pub call: Duration,
    /// Everything ends after this.
    pub total: Duration,
    /// Bytes of all processes of the server together.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            load: Duration::from_mins(5),
            call: Duration::from_mins(2),
            total: Duration::from_mins(10),
            memory: 8 << 30,
        }
    }
}

impl Renamer for LanguageServers {
    fn rename(&self, request: &RenameRequest<'_>) -> Result<Renamed, ServerError> {
        rename(self, request)
    }
}

impl Server {
    pub(crate) fn missing(&self) -> ServerError {
        let programs: Vec<String> = self.programs.iter().map(|it| format!("`{it}`")).collect();
        let (language, install) = (self.language, self.install);
        ServerError::Missing { language, programs: programs.join(" or "), install }
    }
}
