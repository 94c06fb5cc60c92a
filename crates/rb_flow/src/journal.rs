//! `journal.jsonl`: one event a line, only ever appended to, readable while it is written.
//!
//! A line that a crash tore is no event: readers pass it over and the next writer cuts it off. Damage
//! anywhere else is an error, never guessed around.

use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rb_core::RunId;
use rb_core::clock::{self, Timestamp};
use rb_core::fs::{self, Appender, FsError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::event::{Event, Record, RunEvent, VERSION};
use crate::runs::RunDir;
use crate::workflow::Workflow;

/// A journal that is being written. There is one writer a run: the one that holds its lock.
pub struct Journal<W: Workflow> {
    appender: Appender,
    next_seq: u64,
    observer: Option<Observer<W>>,
}

/// Sees every record once it is written.
pub type Observer<W> = Arc<dyn Fn(&Record<W>) + Send + Sync>;

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("there is no journal at {}", .0.display())]
    Missing(PathBuf),
    #[error("line {line} of {} is damaged: {message}", path.display())]
    Damaged { path: PathBuf, line: u64, message: String },
    #[error("{} was written by a newer version of refactor-bot (format {found})", path.display())]
    Newer { path: PathBuf, found: u32 },
    #[error("run {run} is a `{workflow}` run, which this command does not know")]
    OtherWorkflow { run: RunId, workflow: String },
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// What a journal held when it was read.
#[derive(Debug)]
pub struct Contents<W: Workflow> {
    pub records: Vec<Record<W>>,
    /// Bytes of the file that are whole lines.
    whole: u64,
    /// Bytes after them: an event that a crash tore.
    pub torn: u64,
}

/// Reads the journal in `run_dir`.
pub fn read<W: Workflow>(run_dir: &RunDir) -> Result<Contents<W>, JournalError> {
    if let Some(Head { run, workflow, .. }) = head(run_dir)?
        && !W::NAMES.contains(&workflow.as_str())
    {
        return Err(JournalError::OtherWorkflow { run, workflow });
    }
    let mut follower = Follower::new(run_dir);
    let records = follower.read()?;
    Ok(Contents { records, whole: follower.offset, torn: follower.torn })
}

/// Whose journal it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub run: RunId,
    /// As the workflow calls the kind of its runs.
    pub workflow: String,
    pub at: Timestamp,
}

/// The beginning of the journal in `run_dir`, whatever workflow wrote it; `None` where it does not begin with the start of a run.
pub fn head(run_dir: &RunDir) -> Result<Option<Head>, JournalError> {
    #[derive(Deserialize)]
    struct Line {
        at: Timestamp,
        run: RunId,
        workflow: Name,
    }
    #[derive(Deserialize)]
    struct Name {
        name: String,
    }
    let path = run_dir.journal();
    let mut line = Vec::new();
    open(&path)?.read_until(b'\n', &mut line).map_err(|source| unread(&path, source))?;
    let line: Option<Line> = serde_json::from_slice(&line).ok();
    Ok(line.map(|Line { at, run, workflow }| Head { run, workflow: workflow.name, at }))
}

/// Reads on in a journal that somebody else is writing. `L` is a [`Record`] of the workflow, or plain JSON for a reader that knows none.
pub struct Follower<L> {
    path: PathBuf,
    /// Where the next line begins, and its number.
    offset: u64,
    seq: u64,
    torn: u64,
    lines: PhantomData<fn() -> L>,
}

impl<L: DeserializeOwned> Follower<L> {
    /// From the first event on.
    pub fn new(run_dir: &RunDir) -> Self {
        Follower { path: run_dir.journal(), offset: 0, seq: 1, torn: 0, lines: PhantomData }
    }

    /// What was written since it was asked last. A line that is not whole yet is left for the next time.
    pub fn read(&mut self) -> Result<Vec<L>, JournalError> {
        let mut file = open(&self.path)?;
        let mut bytes = Vec::new();
        file.seek(io::SeekFrom::Start(self.offset))
            .and_then(|_| file.read_to_end(&mut bytes))
            .map_err(|source| unread(&self.path, source))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        self.torn = (bytes.len() - whole) as u64;
        let mut lines = Vec::new();
        for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
            lines.push(parse(&line[..line.len() - 1], self.seq, &self.path)?);
            self.seq += 1;
        }
        self.offset += whole as u64;
        Ok(lines)
    }
}

fn open(path: &Path) -> Result<BufReader<std::fs::File>, JournalError> {
    match fs::open(path) {
        Ok(file) => Ok(BufReader::new(file)),
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => {
            Err(JournalError::Missing(path.to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

fn unread(path: &Path, source: io::Error) -> FsError {
    FsError { what: "read", path: path.to_owned(), source }
}

fn parse<L: DeserializeOwned>(line: &[u8], number: u64, path: &Path) -> Result<L, JournalError> {
    let damaged =
        |message: String| JournalError::Damaged { path: path.to_owned(), line: number, message };
    let value: serde_json::Value =
        serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
    let count = |key: &str| value.get(key).and_then(serde_json::Value::as_u64);
    let (version, seq) = (count("v").unwrap_or(0), count("seq"));
    if version > u64::from(VERSION) {
        let found = u32::try_from(version).unwrap_or(u32::MAX);
        return Err(JournalError::Newer { path: path.to_owned(), found });
    }
    let line = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
    match seq {
        Some(seq) if seq == number => Ok(line),
        Some(seq) => Err(damaged(format!("it is numbered {seq}"))),
        None => Err(damaged("it has no number".to_owned())),
    }
}

impl<W: Workflow> Journal<W> {
    /// Opens the journal for appending, making it if there is none, and returns what it held.
    pub fn open(run_dir: &RunDir) -> Result<(Journal<W>, Contents<W>), JournalError> {
        let path = run_dir.journal();
        let contents = match read(run_dir) {
            Ok(contents) => contents,
            Err(JournalError::Missing(_)) => Contents { records: Vec::new(), whole: 0, torn: 0 },
            Err(error) => return Err(error),
        };
        let appender = Appender::open(&path, Some(contents.whole))?;
        let next_seq = contents.records.len() as u64 + 1;
        let mut journal = Journal { appender, next_seq, observer: None };
        if contents.torn > 0 {
            journal.write(RunEvent::Recovered { torn_bytes: contents.torn })?;
        }
        Ok((journal, contents))
    }

    pub fn observe(&mut self, observer: Option<Observer<W>>) {
        self.observer = observer;
    }

    pub fn write(&mut self, event: impl Into<Event<W>>) -> Result<(), JournalError> {
        let event = event.into();
        let record = Record { v: VERSION, seq: self.next_seq, at: clock::now(), event };
        let mut line = serde_json::to_vec(&record).expect("an event is plain data");
        line.push(b'\n');
        self.appender.append(&line)?;
        if record.event.is_milestone() {
            self.appender.sync()?;
        }
        self.next_seq += 1;
        if let Some(observer) = &self.observer {
            observer(&record);
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests damage files on purpose")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rb_core::Home;
    use std::io::Write as _;

    use crate::graph::tests::Toy;

    fn noted(text: &str) -> RunEvent<Toy> {
        RunEvent::Noted { text: text.to_owned() }
    }

    fn place() -> (tempfile::TempDir, RunDir) {
        let home = tempfile::tempdir().unwrap();
        let id = RunId::candidate(Timestamp::from_unix_ms(0), 1);
        let dir = RunDir::new(&Home::new(home.path()), &id);
        fs::create_dir_all(dir.path()).unwrap();
        (home, dir)
    }

    fn texts(dir: &RunDir) -> Vec<String> {
        let text = |record: &Record<Toy>| match &record.event {
            Event::Run(RunEvent::Noted { text }) => text.clone(),
            Event::Run(RunEvent::Recovered { torn_bytes }) => format!("recovered {torn_bytes}"),
            other => format!("{other:?}"),
        };
        read(dir).unwrap().records.iter().map(text).collect()
    }

    #[test]
    fn sa6_a_torn_last_line_is_passed_over_then_cut() {
        let (_home, dir) = place();
        let (mut journal, _) = Journal::open(&dir).unwrap();
        journal.write(noted("one")).unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).open(dir.journal()).unwrap();
        file.write_all(b"{\"v\":1,\"se").unwrap();
        assert_eq!(texts(&dir), ["one"]);
        let (mut journal, contents) = Journal::open(&dir).unwrap();
        assert_eq!(contents.torn, 10);
        journal.write(noted("two")).unwrap();
        assert_eq!(texts(&dir), ["one", "recovered 10", "two"]);
    }

    #[test]
    fn damage_in_the_middle_is_an_error() {
        let (_home, dir) = place();
        let (mut journal, _) = Journal::open(&dir).unwrap();
        for text in ["one", "two", "three"] {
            journal.write(noted(text)).unwrap();
        }
        let path = dir.journal();
        let good = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = good.lines().collect();
        let check = |text: String, expected: &str| {
            std::fs::write(&path, text).unwrap();
            let error = read::<Toy>(&dir).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(format!("{}\n{}\n", lines[0], lines[2]), "line 2");
        check(format!("{}\n{}\n", lines[0], &lines[1][..20]), "line 2");
        check(format!("{}\n\n{}\n", lines[0], lines[1]), "line 2");
        let (now, next) = (format!("\"v\":{VERSION}"), format!("\"v\":{}", VERSION + 1));
        check(good.replace(&now, &next), "newer version");
        check(good.replace("noted", "unheard_of"), "unheard_of");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
        /// Cut anywhere, a journal still gives every event before the cut.
        #[test]
        fn sa6_cut_anywhere_nothing_before_the_cut_is_lost(texts_in in prop::collection::vec(".{0,20}", 1..6), cut in 0.0..1.0f64) {
            let (_home, dir) = place();
            let (mut journal, _) = Journal::open(&dir).unwrap();
            for text in &texts_in {
                journal.write(noted(text)).unwrap();
            }
            let path = dir.journal();
            let bytes = std::fs::read(&path).unwrap();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a small file")]
            let at = (bytes.len() as f64 * cut) as usize;
            std::fs::write(&path, &bytes[..at]).unwrap();
            let whole = bytes[..at].split(|&byte| byte == b'\n').count() - 1;
            prop_assert_eq!(texts(&dir), &texts_in[..whole]);
            let (mut journal, _) = Journal::open(&dir).unwrap();
            journal.write(noted("after")).unwrap();
            prop_assert_eq!(texts(&dir).pop(), Some("after".to_owned()));
        }
    }
}
