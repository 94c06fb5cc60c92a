//! What is to be done, and how it ended: plain data that travels.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use rb_core::clock::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// Names a job for good: a second one with the same id is the same job.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobId(String);

#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "`{0}` is not the id of a job: it has letters, digits, `-` and `_` only, and at most 150 of them"
)]
pub struct BadJobId(String);

const LONGEST_ID: usize = 150;

impl JobId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// It becomes part of file names and of subjects of messages.
impl FromStr for JobId {
    type Err = BadJobId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if text.is_empty() || text.len() > LONGEST_ID || !text.bytes().all(is_part) {
            return Err(BadJobId(text.chars().take(LONGEST_ID).collect()));
        }
        Ok(JobId(text.to_owned()))
    }
}

impl TryFrom<String> for JobId {
    type Error = BadJobId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> String {
        id.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub id: JobId,
    pub repository: Place,
    /// Of this program, behind the name of the command and the repository.
    pub command: Vec<String>,
    /// What a worker must have: names of toolchains, or `sandbox`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub needs: BTreeSet<String>,
    /// A job whose workers died so often is given up.
    pub most_tries: u32,
}

/// Where a repository is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A checkout on the worker's machine; it is worked on in place.
    Folder(PathBuf),
    /// The worker makes a clone of it.
    Url(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Folder(folder) => write!(f, "{}", folder.display()),
            Place::Url(url) => f.write_str(url),
        }
    }
}

/// The end of a job, and who brought it about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobResult {
    pub job: JobId,
    pub worker: String,
    /// How often it was begun.
    pub tries: u32,
    pub at: Timestamp,
    pub end: JobEnd,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum JobEnd {
    /// The command ended by itself, well or not; what it says of itself is for whoever gave the job.
    Done { exit: i32, said: Value },
    /// It was begun as often as it may be.
    GivenUp { why: String },
}
