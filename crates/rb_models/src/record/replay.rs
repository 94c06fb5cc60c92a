//! Answers from a recording. The same request gets the same answer, to the byte; any other request is a stop that
//! shows what differs. No provider is asked, and no time passes.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rb_core::{Sha256, TaskId};
use rb_http::Secret;

use super::difference::{cut, difference};
use super::file::{self, Line};
use super::recorded_request::RecordedRequest;
use super::replace::Replacer;
use super::stand_ins::StandIns;
use super::texts;
use crate::call::{Answer, Request};
use crate::error::{Fault, ModelError};

/// The name of what answers, where the answer is a fault of the replay itself.
const NAME: &str = "replay";

/// How many of the calls that are left are named.
const NAMED: usize = 5;

/// Calls can be asked for from any number of threads, in any order.
pub struct Replay {
    keys: Replacer,
    left: Mutex<Unplayed>,
}

struct Unplayed {
    /// In the order in which they were recorded; taken out when asked for.
    lines: BTreeMap<usize, Line>,
    places: BTreeMap<Sha256, VecDeque<usize>>,
}

/// A recorded call that was not asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// Its number in the recording.
    pub n: u64,
    pub role: String,
    pub task: Option<TaskId>,
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.n, self.role)?;
        self.task.map_or(Ok(()), |task| write!(f, " {task}"))
    }
}

impl Replay {
    /// No secret is needed to answer; they are kept out of the difference that is shown.
    pub fn open(path: &Path, secrets: &[Secret]) -> Result<Self, Fault> {
        Replay::read(&file::bytes_of(path)?, &path.display().to_string(), secrets)
    }

    /// As `open`, for what is in memory already; `name` is what messages call it.
    pub fn read(bytes: &[u8], name: &str, secrets: &[Secret]) -> Result<Self, Fault> {
        let mut lines = file::read(bytes, name)?.lines;
        lines.sort_by_key(|line| line.n);
        let mut places: BTreeMap<Sha256, VecDeque<usize>> = BTreeMap::new();
        for (place, line) in lines.iter().enumerate() {
            places.entry(line.digest).or_default().push_back(place);
        }
        let left = Mutex::new(Unplayed { lines: lines.into_iter().enumerate().collect(), places });
        Ok(Replay { keys: Replacer::striking(secrets), left })
    }

    /// What was recorded for this request, good or bad. What is volatile in it is that of this request.
    pub fn answer(&self, request: &Request) -> Result<Answer, ModelError> {
        let stand_ins = StandIns::new(&request.volatile);
        let digest = RecordedRequest::of(request).standing_in(&stand_ins).digest();
        let mut left = self.left();
        let Some(line) = left.take(digest) else {
            let asked = self.without_keys(RecordedRequest::of(request)).standing_in(&stand_ins);
            let difference = self.difference(&left, &asked);
            return Err(ModelError::new(NAME, Fault::ReplayDiffers { difference }));
        };
        drop(left);
        let back = |text: &str| stand_ins.take_back(text);
        match line.answer {
            Some(answer) => Ok(texts::in_answer(answer, &back)),
            None => {
                let error = line.error.expect("a line with neither is refused when it is read");
                Err(texts::in_error(error, &back))
            }
        }
    }

    /// Against the call that was probably meant: the first that is left of the same role and task, else the first.
    fn difference(&self, left: &Unplayed, asked: &RecordedRequest) -> String {
        let alike =
            |line: &&Line| (&line.request.role, line.request.task) == (&asked.role, asked.task);
        let mut text = match left.lines.values().find(alike).or(left.lines.values().next()) {
            Some(line) => {
                // It may have been recorded by somebody else, who did not know our keys.
                let recorded = self.without_keys(line.request.clone());
                let from = format!("recorded call {}: {}", line.n, recorded.title());
                let to = format!("this call: {}", asked.title());
                difference((&from, &recorded.lines()), (&to, &asked.lines()))
            }
            None => format!("this call: {}\n", cut(&asked.title(), 0)),
        };
        text.push_str(&self.keys.replace(&left.summary()));
        text
    }

    fn without_keys(&self, asked: RecordedRequest) -> RecordedRequest {
        asked.map(|text| self.keys.replace(text))
    }

    /// Recorded calls that nobody asked for, in the order in which they were recorded.
    pub fn unused(&self) -> Vec<Unused> {
        self.left().unused().collect()
    }

    /// Every change is whole, so a thread that panicked elsewhere left nothing half done.
    fn left(&self) -> MutexGuard<'_, Unplayed> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unplayed {
    fn take(&mut self, digest: Sha256) -> Option<Line> {
        let place = self.places.get_mut(&digest)?.pop_front()?;
        self.lines.remove(&place)
    }

    fn unused(&self) -> impl Iterator<Item = Unused> {
        self.lines.values().map(|line| Unused {
            n: line.n,
            role: line.request.role.clone(),
            task: line.request.task,
        })
    }

    fn summary(&self) -> String {
        let named = self.unused().take(NAMED).map(|call| cut(&call.to_string(), 0));
        let named: Vec<String> = named.collect();
        let more = match self.lines.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        match self.lines.len() {
            0 => "recorded calls left: none".to_owned(),
            count => format!("recorded calls left: {count} ({}{more})", named.join(", ")),
        }
    }
}
