//! A queue for the workers of one machine: a database, and a lock for each worker that dies with it.
//!
//! No clock decides anything: a job belongs to its worker as long as that holds its lock, and to nobody from the moment it is gone.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rb_core::fs::{self, Lock};
use rb_core::{clock, random};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::error::QueueError;
use crate::job::{Job, JobEnd, JobId, JobResult};
use crate::queue::{Queue, Taken};

const VERSION: u32 = 1;

/// `worker` is empty while nobody has the job. A job with a `result` has ended.
const TABLES: &str = "
    CREATE TABLE jobs (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        job TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        worker TEXT NOT NULL DEFAULT '',
        why TEXT NOT NULL DEFAULT '',
        result TEXT,
        confirmed INTEGER NOT NULL DEFAULT 0
    );";

/// How long another worker may write before this one gives up.
const PATIENCE: Duration = Duration::from_mins(1);

/// The queue as one worker has it. Threads that work side by side have one each.
pub struct LocalQueue {
    path: PathBuf,
    connection: Mutex<Connection>,
    /// The locks of all workers.
    workers: PathBuf,
    name: String,
    _lock: Lock,
}

impl LocalQueue {
    /// Opens the queue in a folder, or makes it.
    pub fn open(folder: &Path) -> Result<LocalQueue, QueueError> {
        let workers = folder.join("workers");
        fs::create_dir_all(&workers)?;
        let (name, lock) = loop {
            let name = format!("{:016x}", u64::from_le_bytes(random::bytes()));
            if let Some(lock) = fs::try_lock(&workers.join(&name))? {
                break (name, lock);
            }
        };
        let path = folder.join("queue.db");
        let connection = connect(&path)?;
        Ok(LocalQueue { path, connection: Mutex::new(connection), workers, name, _lock: lock })
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, QueueError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let done = || {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let out = work(&transaction)?;
            transaction.commit()?;
            Ok(out)
        };
        done().map_err(|source| QueueError::Sqlite { path: self.path.clone(), source })
    }

    fn read<T: serde::de::DeserializeOwned>(&self, id: &str, text: &str) -> Result<T, QueueError> {
        serde_json::from_str(text).map_err(|source| QueueError::Damaged {
            path: self.path.clone(),
            job: id.to_owned(),
            source,
        })
    }

    /// Whether the worker is gone. Its own name is always held.
    fn is_gone(&self, worker: &str) -> Result<bool, QueueError> {
        Ok(worker != self.name && !fs::is_locked(&self.workers.join(worker))?)
    }

    fn result(&self, job: &JobId, tries: u32, end: JobEnd) -> String {
        let result =
            JobResult { job: job.clone(), worker: self.name.clone(), tries, at: clock::now(), end };
        serde_json::to_string(&result).expect("plain data")
    }

    /// Jobs without a result: id, job, tries, worker, and why it was given back.
    fn waiting(&self) -> Result<Vec<Row>, QueueError> {
        self.with(|transaction| {
            let text = "SELECT id, job, tries, worker, why FROM jobs WHERE result IS NULL ORDER BY tries, place";
            let mut rows = transaction.prepare_cached(text)?;
            let row = |row: &rusqlite::Row<'_>| {
                let (id, job, tries) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(Row { id, job, tries, worker: row.get(3)?, why: row.get(4)? })
            };
            rows.query_map([], row)?.collect()
        })
    }
}

struct Row {
    id: String,
    job: String,
    tries: u32,
    worker: String,
    why: String,
}

impl Queue for LocalQueue {
    fn submit(&self, job: &Job) -> Result<bool, QueueError> {
        let text = serde_json::to_string(job).expect("plain data");
        self.with(|transaction| {
            let insert = "INSERT OR IGNORE INTO jobs (id, job) VALUES (?1, ?2)";
            Ok(transaction.execute(insert, params![job.id.as_str(), text])? == 1)
        })
    }

    fn take(&self, has: &BTreeSet<String>) -> Result<Option<Taken>, QueueError> {
        let mut gone: BTreeMap<String, bool> = BTreeMap::new();
        for Row { id, job, tries, worker, why } in self.waiting()? {
            let is_free = worker.is_empty()
                || match gone.get(&worker) {
                    Some(gone) => *gone,
                    None => {
                        let is_gone = self.is_gone(&worker)?;
                        *gone.entry(worker.clone()).or_insert(is_gone)
                    }
                };
            if !is_free {
                continue;
            }
            let job: Job = self.read(&id, &job)?;
            if !job.needs.is_subset(has) {
                continue;
            }
            if tries >= job.most_tries {
                let why = match why.as_str() {
                    "" => format!("its worker died {tries} times"),
                    why => why.to_owned(),
                };
                self.end(&id, &worker, &self.result(&job.id, tries, JobEnd::GivenUp { why }))?;
                continue;
            }
            let is_ours = self.with(|transaction| {
                let update = "UPDATE jobs SET worker = ?3, tries = tries + 1, why = ''
                    WHERE id = ?1 AND worker = ?2 AND tries = ?4 AND result IS NULL";
                Ok(transaction.execute(update, params![id, worker, self.name, tries])? == 1)
            })?;
            if is_ours {
                return Ok(Some(Taken { job, tries: tries + 1 }));
            }
        }
        Ok(None)
    }

    fn finish(&self, taken: &Taken, end: JobEnd) -> Result<bool, QueueError> {
        let id = &taken.job.id;
        self.end(id.as_str(), &self.name, &self.result(id, taken.tries, end))
    }

    fn give_back(&self, taken: &Taken, why: &str) -> Result<(), QueueError> {
        self.with(|transaction| {
            let update = "UPDATE jobs SET worker = '', why = ?3 WHERE id = ?1 AND worker = ?2";
            transaction.execute(update, params![taken.job.id.as_str(), self.name, why])?;
            Ok(())
        })
    }

    fn results(&self) -> Result<Vec<JobResult>, QueueError> {
        let rows: Vec<(String, String)> = self.with(|transaction| {
            let text = "SELECT id, result FROM jobs WHERE result IS NOT NULL AND confirmed = 0 ORDER BY place";
            let mut rows = transaction.prepare_cached(text)?;
            rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        rows.iter().map(|(id, text)| self.read(id, text)).collect()
    }

    fn confirm(&self, job: &JobId) -> Result<(), QueueError> {
        self.with(|transaction| {
            let update = "UPDATE jobs SET confirmed = 1 WHERE id = ?1";
            transaction.execute(update, [job.as_str()])?;
            Ok(())
        })
    }

    fn left(&self) -> Result<usize, QueueError> {
        self.with(|transaction| {
            let count = "SELECT count(*) FROM jobs WHERE result IS NULL";
            let count: i64 = transaction.query_row(count, [], |row| row.get(0))?;
            Ok(usize::try_from(count).unwrap_or_default())
        })
    }
}

impl LocalQueue {
    /// Whether the result is the first.
    fn end(&self, id: &str, worker: &str, result: &str) -> Result<bool, QueueError> {
        self.with(|transaction| {
            let update =
                "UPDATE jobs SET result = ?3 WHERE id = ?1 AND worker = ?2 AND result IS NULL";
            Ok(transaction.execute(update, params![id, worker, result])? == 1)
        })
    }
}

/// What was committed is not lost with the power: a result is confirmed by nobody but this file.
fn connect(path: &Path) -> Result<Connection, QueueError> {
    let opened = || {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: Option<u32> =
            transaction.pragma_query_value(None, "user_version", |row| row.get(0)).optional()?;
        if version.unwrap_or_default() == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
        Ok((connection, version.unwrap_or_default()))
    };
    match opened() {
        Ok((_, version)) if version > VERSION => Err(QueueError::Newer(path.to_owned())),
        Ok((connection, _)) => Ok(connection),
        Err(source) => Err(QueueError::Sqlite { path: path.to_owned(), source }),
    }
}
