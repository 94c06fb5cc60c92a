//! Renames in languages that the program does not know itself, by the language server that the user has installed.
//!
//! [`LanguageServers::rename`](Renamer::rename) starts the server of the file's language in the sandbox, asks it over its standard
//! input and output, and gives the edits back as data. The server reads the project and cannot write to it. Nothing that it says is
//! trusted: edits may exchange the two names and nothing else, and every place with the old name must be known to it.

mod compile_commands;
mod connection;
mod error;
mod frame;
mod identifiers;
mod job;
mod loading;
mod position;
mod reflection;
mod rename;
mod renamer;
mod server;
mod session;
mod symbol;
mod uri;
mod workspace_edit;

pub use self::error::ServerError;
pub use self::identifiers::identifiers;
pub use self::renamer::{LanguageServers, Limits, NoServers, RenameRequest, Renamed, Renamer};
pub use self::server::{SERVERS, Server};
