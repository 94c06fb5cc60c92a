//! Why a language server could not rename something, in words for a person.

use std::time::Duration;

use rb_core::fs::FsError;
use rb_core::{Interrupted, at_most};
use rb_sandbox::SandboxError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ServerError {
    #[error(
        "renaming in {language} needs a language server, and {programs} was not found. {install}; `refactor-bot doctor` lists the servers found"
    )]
    Missing { language: &'static str, programs: String, install: &'static str },
    /// Renames need more than the program, such as a list of the compiler's command lines.
    #[error("{server} cannot know every use of a name here: {why}")]
    Unprepared { server: &'static str, why: String },
    #[error("no server is known for {path}")]
    Unknown { path: String },
    #[error("{path} is not a text file of the project")]
    NoText { path: String },
    #[error("{server} ended: {why}")]
    Ended { server: &'static str, why: String },
    #[error("{server} did not {what} within {} s", limit.as_secs())]
    TooSlow { server: &'static str, what: String, limit: Duration },
    #[error("{server} sent what the protocol does not allow: {why}")]
    Protocol { server: &'static str, why: String },
    #[error("{server} could not load the project: {why}")]
    NotLoaded { server: &'static str, why: String },
    /// In the server's own words.
    #[error("{server} refuses: {why}")]
    Refused { server: &'static str, why: String },
    #[error("{server} offered edits that are no rename: {why}")]
    NoRename { server: &'static str, why: String },
    #[error(
        "{server} moves {from} to {to} with it; refactor-bot renames files with their symbol in Java only"
    )]
    MovesFile { server: &'static str, from: String, to: String },
    #[error("{path} declares no `{name}`{}", listed("; it declares", others))]
    NotDeclared { path: String, name: String, others: Vec<String> },
    #[error("{path} declares `{name}` more than once; name one:{}", listed("", places))]
    Several { path: String, name: String, places: Vec<String> },
    /// As one of the three above, once the line of the declaration is known.
    #[error("{why}")]
    Declined { why: String, line: u32 },
    /// Each place is `path:line`.
    #[error("{why}")]
    InTheWay { why: String, places: Vec<(String, u32)> },
    #[error("interrupted")]
    Cancelled(#[source] Interrupted),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("cannot talk to the language server")]
    Pipe(#[source] std::io::Error),
}

impl ServerError {
    /// With the line of the declaration, where the error is about it.
    pub(crate) fn at(self, line: u32) -> Self {
        match self {
            ServerError::Refused { .. }
            | ServerError::NoRename { .. }
            | ServerError::MovesFile { .. } => {
                ServerError::Declined { why: self.to_string(), line }
            }
            other => other,
        }
    }
}

/// The most names or places that a message lists.
const NAMED: usize = 8;

fn listed(before: &str, all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    format!("{before} {}", at_most(NAMED, all.iter().map(|one| format!("`{one}`"))).join(", "))
}

/// The most characters of a message that is not ours.
const LONGEST: usize = 300;

/// What a server says, on one line and without characters that a terminal obeys.
pub(crate) fn quoted(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|it| !it.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
