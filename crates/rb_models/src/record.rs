//! Calls written down, and answered from what was written down.
//!
//! A recording is a file of JSON lines: a header, then a call each, in the order in which they ended. A call is
//! found again by the digest of its request, so that order means nothing, except among equal requests. What differs
//! from run to run without a meaning has a name in place of it, in requests and in answers. Keys are struck out of
//! everything that is written. A line that a kill tore is no call; damage anywhere else is an error.

mod difference;
mod file;
mod recorded_request;
mod replace;
mod replay;
mod stand_ins;
mod texts;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rb_core::Sha256;
use rb_core::fs::{self, Appender, FsError, Lock};
use rb_http::Secret;

use crate::call::{Answer, Request};
use crate::error::{Fault, ModelError};
use file::{Line, VERSION};
use recorded_request::RecordedRequest;
use replace::Replacer;
use stand_ins::StandIns;

pub use replay::{Replay, Unused};

/// Writes calls into a file, from any number of threads. One process at a time.
pub struct Recorder {
    keys: Replacer,
    written: Mutex<Written>,
    _lock: Lock,
}

struct Written {
    appender: Appender,
    next: u64,
}

impl Recorder {
    /// Goes on with a recording that is there; anything else in its place is left alone.
    pub fn new(path: &Path, secrets: &[Secret]) -> Result<Self, Fault> {
        let lock = fs::try_lock(path).map_err(|error| unusable(&error))?;
        let name = path.display().to_string();
        let busy = || Fault::Recording { why: format!("{name} is being written by another run") };
        let lock = lock.ok_or_else(busy)?;
        let bytes = file::bytes_of(path)?;
        let contents = file::read_for_writing(&bytes, &name)?;
        let open = Appender::open(path, Some(contents.whole));
        let mut appender = open.map_err(|error| unusable(&error))?;
        if contents.whole == 0 {
            appender.append(file::header().as_bytes()).map_err(|error| unusable(&error))?;
        }
        let next = contents.lines.iter().map(|line| line.n).max().unwrap_or(0).saturating_add(1);
        let written = Mutex::new(Written { appender, next });
        Ok(Recorder { keys: Replacer::striking(secrets), written, _lock: lock })
    }

    /// Writes down a call that has ended, well or not.
    pub fn record(
        &self,
        request: &Request,
        came: &Result<Answer, ModelError>,
    ) -> Result<(), Fault> {
        let stand_ins = StandIns::new(&request.volatile);
        let (answer, error) = self.without_keys(came, &stand_ins);
        let mut line = Line {
            v: VERSION,
            n: 0,
            // Of the request as it was asked, keys and all: it is asked so again.
            digest: RecordedRequest::of(request).standing_in(&stand_ins).digest(),
            request: RecordedRequest::of(request)
                .map(|text| self.keys.replace(text))
                .standing_in(&stand_ins),
            answer,
            error,
        };
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        line.n = written.next;
        written.appender.append(line.text()?.as_bytes()).map_err(|error| unusable(&error))?;
        written.next = written.next.saturating_add(1);
        Ok(())
    }

    fn without_keys(
        &self,
        came: &Result<Answer, ModelError>,
        stand_ins: &StandIns,
    ) -> (Option<Answer>, Option<ModelError>) {
        // Keys first: what stands in for a part of one would leave the rest of it.
        let clean = |text: &str| stand_ins.put_exactly(&self.keys.replace(text));
        match came {
            Ok(answer) => (Some(texts::in_answer(answer.clone(), &clean)), None),
            Err(error) => (None, Some(texts::in_error(error.clone(), &clean))),
        }
    }
}

/// The same for the same request, whatever differs in it without a meaning.
pub fn digest(request: &Request) -> Sha256 {
    RecordedRequest::of(request).standing_in(&StandIns::new(&request.volatile)).digest()
}

/// A number that is the same for the same request, and differs from request to request.
pub(crate) fn seed(request: &Request) -> u64 {
    let text = digest(request).to_string();
    u64::from_str_radix(&text[..16], 16).unwrap_or_default()
}

fn unusable(error: &FsError) -> Fault {
    Fault::Recording { why: format!("{error}: {}", error.source) }
}
