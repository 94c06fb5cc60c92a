//! `journal.jsonl`: one event a line, only ever appended to, readable while it is written.
//!
//! A line that a crash tore is no event: readers pass it over and the next writer cuts it off. Damage
//! anywhere else is an error, never guessed around.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use rb_core::clock;
use rb_core::fs::{self, Appender, FsError};
use thiserror::Error;

use crate::event::{Event, Record, VERSION};

/// A journal that is being written. There is one writer a run: the one that holds its lock.
pub struct Journal {
    appender: Appender,
    next_seq: u64,
    observer: Option<Observer>,
}

/// Sees every record once it is written.
pub type Observer = Rc<dyn Fn(&Record)>;

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("there is no journal at {}", .0.display())]
    Missing(PathBuf),
    #[error("line {line} of {} is damaged: {message}", path.display())]
    Damaged { path: PathBuf, line: usize, message: String },
    #[error("{} was written by a newer version of refactor-bot (format {found})", path.display())]
    Newer { path: PathBuf, found: u32 },
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// The file's name inside a run's folder.
pub const FILE: &str = "journal.jsonl";

/// What a journal held when it was read.
#[derive(Debug, Default)]
pub struct Contents {
    pub records: Vec<Record>,
    /// Bytes of the file that are whole lines.
    whole: u64,
    /// Bytes after them: an event that a crash tore.
    pub torn: u64,
}

/// Reads the journal in `run_dir`.
pub fn read(run_dir: &Path) -> Result<Contents, JournalError> {
    let path = run_dir.join(FILE);
    let bytes = fs::read_optional(&path)?.ok_or_else(|| JournalError::Missing(path.clone()))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut contents =
        Contents { records: Vec::new(), whole: whole as u64, torn: (bytes.len() - whole) as u64 };
    let Some(last) = whole.checked_sub(1) else { return Ok(contents) };
    for (at, line) in bytes[..last].split(|&byte| byte == b'\n').enumerate() {
        contents.records.push(parse(line, at + 1, &path)?);
    }
    Ok(contents)
}

fn parse(line: &[u8], number: usize, path: &Path) -> Result<Record, JournalError> {
    let damaged =
        |message: String| JournalError::Damaged { path: path.to_owned(), line: number, message };
    let value: serde_json::Value =
        serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
    let version = value.get("v").and_then(serde_json::Value::as_u64).unwrap_or(0);
    if version > u64::from(VERSION) {
        let found = u32::try_from(version).unwrap_or(u32::MAX);
        return Err(JournalError::Newer { path: path.to_owned(), found });
    }
    let record: Record =
        serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
    if record.seq != number as u64 {
        return Err(damaged(format!("it is numbered {}", record.seq)));
    }
    Ok(record)
}

impl Journal {
    /// Opens the journal for appending, making it if there is none, and returns what it held.
    pub fn open(run_dir: &Path) -> Result<(Journal, Contents), JournalError> {
        let path = run_dir.join(FILE);
        let contents = match read(run_dir) {
            Ok(contents) => contents,
            Err(JournalError::Missing(_)) => Contents::default(),
            Err(error) => return Err(error),
        };
        let appender = Appender::open(&path, Some(contents.whole))?;
        let next_seq = contents.records.len() as u64 + 1;
        let mut journal = Journal { appender, next_seq, observer: None };
        if contents.torn > 0 {
            journal.write(Event::Recovered { torn_bytes: contents.torn })?;
        }
        Ok((journal, contents))
    }

    pub fn observe(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    pub fn write(&mut self, event: Event) -> Result<(), JournalError> {
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
    use std::io::Write as _;

    fn noted(text: &str) -> Event {
        Event::Noted { text: text.to_owned() }
    }

    fn texts(dir: &Path) -> Vec<String> {
        let text = |record: &Record| match &record.event {
            Event::Noted { text } => text.clone(),
            Event::Recovered { torn_bytes } => format!("recovered {torn_bytes}"),
            other => format!("{other:?}"),
        };
        read(dir).unwrap().records.iter().map(text).collect()
    }

    #[test]
    fn sa6_a_torn_last_line_is_passed_over_then_cut() {
        let dir = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(dir.path()).unwrap();
        journal.write(noted("one")).unwrap();
        let mut file =
            std::fs::OpenOptions::new().append(true).open(dir.path().join(FILE)).unwrap();
        file.write_all(b"{\"v\":1,\"se").unwrap();
        assert_eq!(texts(dir.path()), ["one"]);
        let (mut journal, contents) = Journal::open(dir.path()).unwrap();
        assert_eq!(contents.torn, 10);
        journal.write(noted("two")).unwrap();
        assert_eq!(texts(dir.path()), ["one", "recovered 10", "two"]);
    }

    #[test]
    fn damage_in_the_middle_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(dir.path()).unwrap();
        for text in ["one", "two", "three"] {
            journal.write(noted(text)).unwrap();
        }
        let path = dir.path().join(FILE);
        let good = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = good.lines().collect();
        let check = |text: String, expected: &str| {
            std::fs::write(&path, text).unwrap();
            let error = read(dir.path()).unwrap_err().to_string();
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
            let dir = tempfile::tempdir().unwrap();
            let (mut journal, _) = Journal::open(dir.path()).unwrap();
            for text in &texts_in {
                journal.write(noted(text)).unwrap();
            }
            let path = dir.path().join(FILE);
            let bytes = std::fs::read(&path).unwrap();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a small file")]
            let at = (bytes.len() as f64 * cut) as usize;
            std::fs::write(&path, &bytes[..at]).unwrap();
            let whole = bytes[..at].split(|&byte| byte == b'\n').count() - 1;
            prop_assert_eq!(texts(dir.path()), &texts_in[..whole]);
            let (mut journal, _) = Journal::open(dir.path()).unwrap();
            journal.write(noted("after")).unwrap();
            prop_assert_eq!(texts(dir.path()).pop(), Some("after".to_owned()));
        }
    }
}
