//! The index on disk: one `SQLite` file in one folder, for all checkouts of one repository.
//!
//! `facts` is keyed by content and says what a text holds; `files` is keyed by checkout and path and says which text a file had
//! when it was last looked at. So a fresh clone, a worktree or a branch switch costs hashing, not parsing. One writer
//! at a time, held off by a lock file; readers go on meanwhile. A first build is made beside the store and put in
//! place whole; a store that is damaged is thrown away and built anew, because all of it can be.

mod migrate;
pub(crate) mod rows;

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rb_core::Sha256;
use rb_core::fs::{self, FsError};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};
use thiserror::Error;

pub(crate) use self::rows::{Edge, FactsKey, FileRow, FileState, Link, Links, Load, Outline, Stat};

const FILE: &str = "index.db";
const BUILDING: &str = "building.db";
const LOCK: &str = "lock";
/// Stands for no checkout: their numbers begin at one.
pub(crate) const ALL_TREES: i64 = 0;

#[derive(Debug, Error)]
pub enum StoreError {
    #[error("the index is damaged: {0}")]
    Damaged(String),
    #[error("the index was written by a newer version ({found} > {known})")]
    Newer { found: u32, known: u32 },
    #[error("the index was written by a newer version, which reads code in another way")]
    NewerReader,
    #[error("the index could not be written")]
    Unwritable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("another process is writing the index")]
    Busy,
    #[error(transparent)]
    Sqlite(rusqlite::Error),
}

impl From<FsError> for StoreError {
    fn from(error: FsError) -> Self {
        StoreError::Unwritable(Box::new(error))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as Failed;
        match (&error, error.sqlite_error_code()) {
            // A table, a column or a row is not there, or not what was written: the file was meddled with.
            (
                Failed::QueryReturnedNoRows
                | Failed::InvalidColumnType(..)
                | Failed::IntegralValueOutOfRange(..)
                | Failed::FromSqlConversionFailure(..)
                | Failed::SqlInputError { .. },
                _,
            )
            | (
                _,
                Some(
                    ErrorCode::DatabaseCorrupt
                    | ErrorCode::NotADatabase
                    | ErrorCode::ConstraintViolation
                    | ErrorCode::TypeMismatch
                    | ErrorCode::Unknown,
                ),
            ) => StoreError::Damaged(error.to_string()),
            (
                _,
                Some(
                    ErrorCode::DiskFull
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::PermissionDenied,
                ),
            ) => StoreError::Unwritable(Box::new(error)),
            (_, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => StoreError::Busy,
            _ => StoreError::Sqlite(error),
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// An open store. Everything it hands out was written by a transaction that ended.
pub(crate) struct Store {
    connection: Mutex<Connection>,
    place: StoreLocation,
}

enum StoreLocation {
    /// In the folder, under its name.
    Kept(PathBuf),
    /// In the folder, under another name until `publish`.
    Building(PathBuf),
    /// Nowhere: the folder cannot be written.
    Memory,
}

/// Held while a process writes to the store.
pub(crate) struct WriteLock {
    _lock: fs::Lock,
}

/// `None` while another process holds it.
pub(crate) fn try_write_lock(folder: &Path) -> Result<Option<WriteLock>> {
    fs::create_dir_all(folder)?;
    Ok(fs::try_lock(&folder.join(LOCK))?.map(|lock| WriteLock { _lock: lock }))
}

impl Store {
    /// The store that is in the folder; `None` where there is none yet. The schema is brought up to date.
    pub(crate) fn open(folder: &Path) -> Result<Option<Store>> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let store = match open(&path) {
            // Where nothing can be written, nobody is writing either.
            Err(StoreError::Unwritable(_)) if !rb_core::fs::is_writable(folder) => {
                open_unwritable(&path)
            }
            opened => opened,
        };
        let store =
            Store { connection: Mutex::new(store?), place: StoreLocation::Kept(folder.to_owned()) };
        store.check_reader()?;
        Ok(Some(store))
    }

    /// What another version of the readers made of a text is not what this one would make of it.
    fn check_reader(&self) -> Result<()> {
        let reader = self.kept(ALL_TREES, "reader")?;
        let reader = reader.map(|bytes| rows::decode::<rows::Reader>(&bytes)).transpose()?;
        match reader.map(|reader| reader.cmp(&rows::READER)) {
            Some(Ordering::Equal) => Ok(()),
            Some(Ordering::Greater) => Err(StoreError::NewerReader),
            Some(Ordering::Less) | None => Err(StoreError::Damaged("it is outdated".to_owned())),
        }
    }

    /// An empty store that replaces what is in the folder once it is published. Needs the write lock.
    pub(crate) fn build(folder: &Path) -> Result<Store> {
        let path = folder.join(BUILDING);
        remove(&path)?;
        let connection = Connection::open(&path)?;
        // Nobody else sees the file, and after a crash it is thrown away.
        connection.pragma_update(None, "journal_mode", "OFF")?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        Store::begun(connection, StoreLocation::Building(folder.to_owned()))
    }

    pub(crate) fn in_memory() -> Result<Store> {
        Store::begun(Connection::open_in_memory()?, StoreLocation::Memory)
    }

    fn begun(connection: Connection, place: StoreLocation) -> Result<Store> {
        migrate::to_current(&connection)?;
        rows::keep(&connection, ALL_TREES, "reader", &rows::encode(&rows::READER))?;
        Ok(Store { connection: Mutex::new(connection), place })
    }

    /// Puts a store that was built into its place, synced to the disk.
    pub(crate) fn publish(self) -> Result<Store> {
        let StoreLocation::Building(folder) = &self.place else { return Ok(self) };
        let folder = folder.clone();
        let connection = self.connection.into_inner().unwrap_or_else(PoisonError::into_inner);
        connection.close().map_err(|(_, error)| error)?;
        fs::sync_file(&folder.join(BUILDING))?;
        discard(&folder)?;
        fs::rename(&folder.join(BUILDING), &folder.join(FILE))?;
        Store::open(&folder)?.ok_or_else(|| StoreError::Damaged("it vanished".to_owned()))
    }

    /// Size of the file on disk, for people.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.place {
            StoreLocation::Kept(folder) => {
                folder.join(FILE).metadata().map_or(0, |meta| meta.len())
            }
            StoreLocation::Building(_) | StoreLocation::Memory => 0,
        }
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        work(&self.connection.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is written until `commit` is there as a whole or not at all. Dropped, nothing was written.
    pub(crate) fn begin(&self) -> Result<Transaction<'_>> {
        self.with(|connection| Ok(connection.execute_batch("BEGIN IMMEDIATE")?))?;
        Ok(Transaction { store: self, open: true })
    }

    /// From now on all is seen as it is now, until the store is dropped. Nothing can be written through it any more.
    pub(crate) fn begin_reading(&self) -> Result<()> {
        self.with(|connection| {
            connection.execute_batch("BEGIN")?;
            // A transaction begins with its first look.
            connection.query_row("SELECT count(*) FROM trees", [], |_| Ok(()))?;
            Ok(())
        })
    }

    /// Keeps what was made from what is read here, if nobody is writing and it can be done. It can be made again.
    pub(crate) fn keep_later(&self, tree: i64, name: &str, value: &[u8]) {
        let StoreLocation::Kept(folder) = &self.place else { return };
        if let Ok(Some(_lock)) = try_write_lock(folder)
            && let Ok(Some(store)) = Store::open(folder)
        {
            let _ = store.with(|connection| rows::keep(connection, tree, name, value));
        }
    }

    /// The number under which a checkout is known here.
    pub(crate) fn known_tree(&self, key: &str) -> Result<Option<i64>> {
        self.with(|connection| {
            Ok(connection
                .query_row("SELECT id FROM trees WHERE key = ?1", [key], |row| row.get(0))
                .optional()?)
        })
    }

    /// Every checkout that is known here, by number, with its key.
    pub(crate) fn trees(&self) -> Result<Vec<(i64, String)>> {
        self.with(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, key FROM trees ORDER BY id")?;
            let trees = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(trees.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// As `known_tree`, made on first use.
    pub(crate) fn tree(&self, key: &str) -> Result<i64> {
        if let Some(id) = self.known_tree(key)? {
            return Ok(id);
        }
        self.with(|connection| {
            connection.execute("INSERT INTO trees (key) VALUES (?1)", [key])?;
            Ok(connection.last_insert_rowid())
        })
    }

    pub(crate) fn facts_id(&self, key: &FactsKey) -> Result<Option<i64>> {
        self.with(|connection| {
            Ok(connection
                .prepare_cached("SELECT id FROM facts WHERE key = ?1")?
                .query_row([key.as_bytes()], |row| row.get(0))
                .optional()?)
        })
    }

    pub(crate) fn outline(&self, facts: i64) -> Result<Outline> {
        let bytes: Vec<u8> = self.with(|connection| {
            Ok(connection
                .prepare_cached("SELECT outline FROM facts WHERE id = ?1")?
                .query_row([facts], |row| row.get(0))?)
        })?;
        rows::decode(&bytes)
    }

    pub(crate) fn facts(&self, facts: i64) -> Result<rb_lang::Facts> {
        let bytes: Vec<u8> = self.with(|connection| {
            Ok(connection
                .prepare_cached("SELECT body FROM facts WHERE id = ?1")?
                .query_row([facts], |row| row.get(0))?)
        })?;
        rows::decode(&bytes)
    }

    /// The symbols of a file alone: they stand before what there is most of.
    pub(crate) fn symbols_of(&self, file: &FileRow) -> Result<Vec<rb_lang::Symbol>> {
        let Some(facts) = file.facts.filter(|_| file.state.symbols > 0) else {
            return Ok(Vec::new());
        };
        let bytes: Vec<u8> = self.with(|connection| {
            Ok(connection
                .prepare_cached("SELECT body FROM facts WHERE id = ?1")?
                .query_row([facts], |row| row.get(0))?)
        })?;
        let (_, symbols): (u32, Vec<rb_lang::Symbol>) = rows::decode_front(&bytes)?;
        Ok(symbols)
    }

    /// A value kept for a checkout under a name.
    pub(crate) fn kept(&self, tree: i64, name: &str) -> Result<Option<Vec<u8>>> {
        self.with(|connection| {
            Ok(connection
                .prepare_cached("SELECT value FROM kept WHERE tree = ?1 AND name = ?2")?
                .query_row(params![tree, name], |row| row.get(0))
                .optional()?)
        })
    }
}

fn open(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "mmap_size", 64_i64 << 20)?;
    migrate::to_current(&connection)?;
    Ok(connection)
}

/// On a disk that cannot be written `SQLite` can have no files beside the store; it is told that none are needed.
fn open_unwritable(path: &Path) -> Result<Connection> {
    let quoted: String = path
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(|&byte| match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02x}"),
        })
        .collect();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("file:{quoted}?immutable=1"), flags)?;
    migrate::is_current(&connection)?;
    Ok(connection)
}

/// An open transaction. Other threads of this process may write through the store meanwhile, and are part of it.
pub(crate) struct Transaction<'a> {
    store: &'a Store,
    open: bool,
}

impl Transaction<'_> {
    pub(crate) fn commit(mut self) -> Result<()> {
        self.open = false;
        self.store.with(|connection| Ok(connection.execute_batch("COMMIT")?))
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.open {
            // A store without a journal cannot go back; it is thrown away as a whole.
            let _ = self.store.with(|connection| Ok(connection.execute_batch("ROLLBACK")?));
        }
    }
}

/// The index files in a folder, gone. What else is there stays.
pub(crate) fn discard(folder: &Path) -> Result<()> {
    remove(&folder.join(FILE))
}

/// What a build that failed left. Left again where even that fails: the next build removes it.
pub(crate) fn discard_unfinished(folder: &Path) {
    let _ = remove(&folder.join(BUILDING));
}

fn remove(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        fs::remove_file(Path::new(&name))?;
    }
    Ok(())
}

/// The folder of a repository's index: its name for people, and a hash that tells it from others of that name.
pub fn folder_name(name: &str, identity: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .take(40)
        .collect();
    format!("{}-{}", plain.trim_start_matches('.'), Sha256::of(identity.as_bytes()).short())
}
