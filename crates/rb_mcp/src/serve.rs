//! One session with one client, from the first byte to the last.

use std::io;
use std::path::PathBuf;

use rb_core::Cancel;
use rb_core::fs::FsError;
use rb_repo::{Repo, SearchModel};
use rmcp::ServiceExt as _;
use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::transport::stdio;
use thiserror::Error;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinError;

use crate::call_log::CallLog;
use crate::server::Server;
use crate::worker::{Session, Worker};

/// Opens a repository as it is now. The work on it ends when the argument is cancelled.
pub type Open = Box<dyn Fn(&Cancel) -> Repo + Send>;

/// What a session needs.
pub struct ServeOptions {
    /// Of this program, for the client.
    pub version: String,
    /// Called before each call of a tool: another commit may be checked out by then.
    pub open: Open,
    pub search: SearchModel,
    /// Where each call is written down, with the lines that it showed.
    pub log: Option<PathBuf>,
    /// From so many calls in the log on, no other is carried out.
    pub most_calls: Option<u32>,
    /// Whether a signal to stop came before the session could hear it.
    pub cancel: Cancel,
    /// Tells a person what a client does not need to know. It must not write to standard output.
    pub warn: Box<dyn Fn(&str) + Send>,
}

/// Why there was no session, or why it broke off.
#[derive(Debug, Error)]
pub enum McpError {
    #[error("the server cannot start")]
    Start(#[source] io::Error),
    #[error(transparent)]
    Log(FsError),
    #[error("the client did not begin with an MCP handshake")]
    Handshake(#[source] Box<ServerInitializeError>),
    #[error("the session broke off")]
    Session(#[source] JoinError),
}

/// Serves until the client closes standard input, or a signal comes.
pub fn serve(options: ServeOptions) -> Result<(), McpError> {
    let ServeOptions { version, open, search, log, most_calls, cancel, warn } = options;
    let log = log.as_deref().map(CallLog::open).transpose().map_err(McpError::Log)?;
    let runtime = Builder::new_current_thread().enable_all().build().map_err(McpError::Start)?;
    let stop = Cancel::new();
    let session = Session { open, search, log, most_calls, warn, stop: stop.clone() };
    let (worker, calls) = Worker::start(session).map_err(McpError::Start)?;
    let ended = runtime.block_on(until_end(Server::new(version, calls), &cancel));
    // A read from standard input cannot be cut short. It ends with the program.
    runtime.shutdown_background();
    stop.cancel();
    worker.join();
    ended
}

async fn until_end(server: Server, cancel: &Cancel) -> Result<(), McpError> {
    tokio::select! {
        ended = Box::pin(until_closed(server)) => ended,
        stopped = signal_to_stop(cancel) => stopped.map_err(McpError::Start),
    }
}

async fn until_closed(server: Server) -> Result<(), McpError> {
    let running = match server.serve(stdio()).await {
        Ok(running) => running,
        // A client may leave before it has said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(McpError::Handshake(Box::new(error))),
    };
    match running.waiting().await {
        Err(error) | Ok(QuitReason::JoinError(error)) => Err(McpError::Session(error)),
        Ok(_) => Ok(()),
    }
}

async fn signal_to_stop(cancel: &Cancel) -> io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    // From here on a signal is heard; an earlier one left its mark.
    if !cancel.is_cancelled() {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
    }
    Ok(())
}
