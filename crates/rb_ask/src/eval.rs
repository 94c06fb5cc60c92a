//! Measures answers against suites: questions whose right files and facts are known.
//!
//! `suite` is the data, `judge` decides whether an answer passes, `metrics` defines what is measured of an answer and `reading` of
//! all questions about a repository, `report` collects it, and `compare` puts two reports side by side. Nothing here asks a question or reads a file: the same answers give the same report.

pub mod compare;
pub mod judge;
pub mod metrics;
pub mod reading;
pub mod report;
pub mod suite;
pub mod value;

use serde::{Deserialize, Serialize};

/// What one question cost, and what was read for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// Tool calls.
    pub calls: u32,
    /// Tool calls that showed a line which the answer cites.
    pub cited_calls: u32,
    /// Each file once, in the order of first reading.
    pub files_read: Vec<String>,
    /// Reads of lines that the session had been shown before, of a file that had not changed.
    pub rereads: u32,
    /// Files of `files_read` that are trivial, such as a short `__init__.py` or a file of re-exports.
    pub trivial_reads: u32,
    /// Files of `files_read` that are among the 20 most important of the repository.
    pub top_20_reads: u32,
    /// Sent and received, by all model calls.
    pub tokens: u64,
    /// As an amount such as `0.0123`; none if the price is not known or no model was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<String>,
    /// Wall-clock time.
    pub ms: u64,
}
