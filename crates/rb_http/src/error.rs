//! Why a call brought nothing, for the services to turn into advice.

use std::time::Duration;

use thiserror::Error;

/// No variant ever holds a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HttpError {
    #[error("{at} cannot be reached{}: {why}", after(*tries))]
    Unreachable {
        at: String,
        why: String,
        tries: u32,
        /// The connection was refused or broke off, as when a server restarts.
        lost: bool,
    },
    #[error("{at} answered {status}: {words}")]
    Refused {
        at: String,
        status: u16,
        /// The server's own name for the error.
        code: Option<String>,
        /// The server's own words, cut and printable.
        words: String,
        /// How long the server asks us to wait.
        wait: Option<Duration>,
    },
    #[error("no safe connection to {at}: {why}")]
    Tls { at: String, why: String },
    #[error("{at} takes no more requests for now{}", asked(*wait))]
    RateLimited { at: String, wait: Option<Duration> },
    #[error("{at} did not answer with the JSON that was expected: {why}")]
    NotJson { at: String, why: String },
    #[error("{at} answered with more than {limit} bytes")]
    TooLarge { at: String, limit: usize },
    #[error("{at} was silent for {} s", silent.as_secs())]
    Stalled { at: String, silent: Duration },
    #[error("{at} did not end its answer within {} s", limit.as_secs())]
    TooSlow { at: String, limit: Duration },
    #[error("the request was interrupted")]
    Interrupted,
}

/// Settings that no request can be made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BadSetting {
    #[error("the address of the server is not of the form http://HOST:PORT or https://HOST")]
    Address,
    #[error("the address of the server holds a name or a password; give the key on its own")]
    Credentials,
    #[error("the key holds characters that a request cannot carry")]
    Key,
    #[error("the name of the header for the key is no header name")]
    Header,
    #[error("the address of the proxy cannot be used")]
    Proxy,
    #[error("a tenant or database is named by letters, digits, `.`, `_` and `-`")]
    Name,
    #[error("a model has at least one dimension and a name")]
    Model,
}

fn after(tries: u32) -> String {
    if tries > 1 { format!(" after {tries} tries") } else { String::new() }
}

fn asked(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| format!(", and asks to wait {} s", wait.as_secs()))
}

impl HttpError {
    /// How long the server asks us to wait before the next try.
    pub(crate) fn wait(&self) -> Option<Duration> {
        match self {
            HttpError::Refused { wait, .. } | HttpError::RateLimited { wait, .. } => *wait,
            HttpError::Unreachable { .. }
            | HttpError::Tls { .. }
            | HttpError::NotJson { .. }
            | HttpError::TooLarge { .. }
            | HttpError::Stalled { .. }
            | HttpError::TooSlow { .. }
            | HttpError::Interrupted => None,
        }
    }
}
