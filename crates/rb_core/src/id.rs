//! Names of runs and tasks. Both appear in file and branch names, so they are checked when read.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::clock::Timestamp;

/// `20260131T235959Z`, with `-2`, `-3` … when that second is taken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a run id (they look like 20260131T235959Z)")]
pub struct BadRunId(String);

impl RunId {
    /// What all branches of runs lie below.
    pub const BRANCHES: &'static str = "refactor-bot";

    /// The `nth` candidate for a run that begins at `at`, counted from 1.
    pub fn candidate(at: Timestamp, nth: u32) -> Self {
        match nth {
            0 | 1 => RunId(at.compact()),
            n => RunId(format!("{}-{n}", at.compact())),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The branch that holds this run's checkpoints.
    pub fn branch(&self) -> String {
        format!("{}/{}", Self::BRANCHES, self.0)
    }
}

impl FromStr for RunId {
    type Err = BadRunId;

    fn from_str(text: &str) -> Result<Self, BadRunId> {
        let (stamp, suffix) = text.split_once('-').unwrap_or((text, "2"));
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let well_formed = stamp.is_ascii()
            && stamp.len() == 16
            && digits(&stamp[..8])
            && &stamp[8..9] == "T"
            && digits(&stamp[9..15])
            && &stamp[15..] == "Z"
            && digits(suffix)
            && suffix.len() < 6;
        if well_formed { Ok(RunId(text.to_owned())) } else { Err(BadRunId(text.to_owned())) }
    }
}

impl TryFrom<String> for RunId {
    type Error = BadRunId;

    fn try_from(text: String) -> Result<Self, BadRunId> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> String {
        id.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A task's number within its run, counted from 1 and written `batch-001`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a task (they look like batch-001)")]
pub struct BadTaskId(String);

impl FromStr for TaskId {
    type Err = BadTaskId;

    fn from_str(text: &str) -> Result<Self, BadTaskId> {
        let number =
            text.strip_prefix("batch-").filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        let number = number.and_then(|rest| rest.parse().ok()).filter(|number| *number > 0);
        number.map(TaskId).ok_or_else(|| BadTaskId(text.to_owned()))
    }
}

impl Serialize for TaskId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// As it is written; a bare number, too, as older records have it.
impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u32),
            Text(String),
        }
        match Written::deserialize(from)? {
            Written::Number(number) => Ok(TaskId(number)),
            Written::Text(text) => {
                let number = || text.parse().ok().map(TaskId);
                text.parse().or_else(|error| number().ok_or(error)).map_err(D::Error::custom)
            }
        }
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "batch-{:03}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux2_a_task_is_written_as_flags_take_it_and_older_records_are_read() {
        assert_eq!(serde_json::to_string(&TaskId(7)).unwrap(), "\"batch-007\"");
        for text in ["\"batch-007\"", "7", "\"7\""] {
            assert_eq!(serde_json::from_str::<TaskId>(text).unwrap(), TaskId(7), "{text}");
        }
        for text in ["\"batch-x\"", "-1", "\"\"", "null", "\"../1\""] {
            assert!(serde_json::from_str::<TaskId>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn run_ids_round_trip_and_nothing_else_is_one() {
        let at = Timestamp::from_unix_ms(1_893_455_999_000);
        assert_eq!(RunId::candidate(at, 1).as_str(), "20291231T235959Z");
        assert_eq!(RunId::candidate(at, 2).as_str(), "20291231T235959Z-2");
        for nth in [1, 2, 12] {
            let id = RunId::candidate(at, nth);
            assert_eq!(id.as_str().parse(), Ok(id));
        }
        for text in
            ["", "..", "20291231T235959Z-", "20291231T235959Z/..", "2029", "20291231T235959Z-x"]
        {
            assert!(text.parse::<RunId>().is_err(), "{text}");
        }
    }
}
