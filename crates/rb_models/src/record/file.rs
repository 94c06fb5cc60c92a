//! The lines of a recording, written and read. Whatever the bytes are, reading them ends with a fault at worst.

use std::path::Path;

use rb_core::{Sha256, fs};
use rb_http::printable;
use serde::{Deserialize, Serialize};

use super::recorded_request::RecordedRequest;
use super::replace::STRUCK;
use super::unusable;
use crate::call::Answer;
use crate::error::{Fault, ModelError};

/// Of the format; a newer one is not guessed at.
pub(super) const VERSION: u32 = 1;

/// A recording is held in memory as a whole.
const LARGEST: u64 = 1 << 30;

#[derive(Serialize, Deserialize)]
struct Header {
    recording: String,
    v: u32,
}

const OURS: &str = "refactor-bot";

/// One call: there is an answer or an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) v: u32,
    /// Counted from 1, in the order in which calls ended.
    pub(super) n: u64,
    pub(super) digest: Sha256,
    pub(super) request: RecordedRequest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Answer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ModelError>,
}

impl Line {
    /// Fails where it could not be read again: JSON may be nested deeper than a reader follows.
    pub(super) fn text(&self) -> Result<String, Fault> {
        let mut text = serde_json::to_string(self).expect("a call is plain data");
        serde_json::from_str::<Line>(&text).map_err(|error| Fault::Recording {
            why: format!("call {} of {} cannot be recorded: {error}", self.n, self.request.title()),
        })?;
        text.push('\n');
        Ok(text)
    }

    fn fault(&self) -> Option<String> {
        // A key was struck out of it: the digest is of the request that had it.
        let struck =
            || serde_json::to_string(&self.request).is_ok_and(|text| text.contains(STRUCK));
        match (&self.answer, &self.error) {
            (None, None) => Some("there is neither an answer nor an error".to_owned()),
            (Some(_), Some(_)) => Some("there is an answer and an error".to_owned()),
            _ if self.request.digest() != self.digest && !struck() => {
                Some("the digest is not that of the request".to_owned())
            }
            _ => None,
        }
    }
}

pub(super) fn header() -> String {
    let header = Header { recording: OURS.to_owned(), v: VERSION };
    serde_json::to_string(&header).expect("a header is plain data") + "\n"
}

pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, Fault> {
    let bytes = fs::read_head(path, LARGEST + 1).map_err(|error| unusable(&error))?;
    if bytes.len() as u64 > LARGEST {
        let why = format!("{} is larger than {} MiB", path.display(), LARGEST >> 20);
        return Err(Fault::Recording { why });
    }
    Ok(bytes)
}

/// What a recording holds.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) lines: Vec<Line>,
    /// Bytes that are whole lines; what comes after them was torn by a kill.
    pub(super) whole: u64,
}

/// As `read`, but a file is begun where there is nothing yet, or no more than a torn header.
pub(super) fn read_for_writing(bytes: &[u8], name: &str) -> Result<Contents, Fault> {
    if header().as_bytes().starts_with(bytes) && !bytes.ends_with(b"\n") {
        return Ok(Contents::default());
    }
    read(bytes, name)
}

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Contents, Fault> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n').enumerate();
    let header: Option<Header> =
        lines.next().and_then(|(_, line)| serde_json::from_slice(line).ok());
    let header = header.filter(|header| header.recording == OURS);
    let Some(header) = header else {
        return Err(Fault::Recording { why: format!("{name} is not a recording of calls") });
    };
    let newer = |found: u32| Fault::Recording {
        why: format!("{name} was written by a newer version of refactor-bot (format {found})"),
    };
    if header.v > VERSION {
        return Err(newer(header.v));
    }
    let mut contents = Contents { lines: Vec::new(), whole: whole as u64 };
    for (at, line) in lines {
        let damaged = |why: String| Fault::Recording {
            why: format!("line {} of {name} is damaged: {}", at + 1, printable(&why)),
        };
        let line: Line = serde_json::from_slice(line.trim_ascii_end()).map_err(|error| {
            // Its own line number is that within this one line.
            let why = error.to_string();
            damaged(why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why).to_owned())
        })?;
        if line.v > VERSION {
            return Err(newer(line.v));
        }
        if let Some(why) = line.fault() {
            return Err(damaged(why));
        }
        contents.lines.push(line);
    }
    Ok(contents)
}
