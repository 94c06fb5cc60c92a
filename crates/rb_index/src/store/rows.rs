//! What the rows of the store hold, and how it is written: postcard, so that a row is small and quick to read.

use rb_core::{RepoPath, Sha256};
use rb_lang::{Facts, Import, Language, Marks};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ALL_TREES, Result, StoreError};
use crate::siblings::{Surface, Wants};
use crate::trivial::Trivial;
use crate::walk::{FoundFile, SkipReason};

/// Under what the facts of a text are kept: the text, the language it is read as, and the reader's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactsKey(Vec<u8>);

impl FactsKey {
    /// `language` is none for a text of which only the words are kept (a manifest).
    pub(crate) fn new(hash: Sha256, language: Option<Language>) -> Self {
        let mut key = hash.as_bytes().to_vec();
        key.extend(VERSION.to_le_bytes());
        key.extend(rb_lang::VERSION.to_le_bytes());
        key.extend(language.map_or("", Language::id).as_bytes());
        FactsKey(key)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Raised when `Outline` or `FileState` changes its shape or its meaning.
const VERSION: u16 = 3;

/// Who made the facts of a store.
pub(crate) type Reader = (u16, u32);

pub(crate) const READER: Reader = (VERSION, rb_lang::VERSION);

/// What the passes over all files need of one, apart from the rest of its facts so that they read little.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outline {
    pub(crate) lines: u32,
    pub(crate) marks: Marks,
    pub(crate) package: Option<Box<str>>,
    pub(crate) imports: Vec<Import>,
    pub(crate) surface: Option<Surface>,
    pub(crate) wants: Option<Wants>,
    pub(crate) symbols: u32,
    pub(crate) components: u32,
    /// Sum and maximum over the symbols.
    pub(crate) complexity: (u32, u32),
    pub(crate) syntax_errors: u32,
    pub(crate) cut: Option<rb_lang::Cut>,
    /// The text of a manifest.
    pub(crate) manifest: Option<Box<str>>,
}

impl Outline {
    pub(crate) fn of(facts: &Facts, language: Language) -> Self {
        let complexity = facts.symbols.iter().map(|symbol| symbol.complexity);
        Outline {
            lines: facts.lines,
            marks: facts.marks,
            package: facts.package.clone(),
            imports: facts.imports.clone(),
            surface: Surface::of(facts, language),
            wants: Wants::of(facts, language),
            symbols: u32::try_from(facts.symbols.len()).unwrap_or(u32::MAX),
            components: u32::try_from(
                facts
                    .symbols
                    .iter()
                    .filter(|symbol| symbol.kind == rb_lang::SymbolKind::Component)
                    .count(),
            )
            .unwrap_or(u32::MAX),
            complexity: (complexity.clone().sum(), complexity.max().unwrap_or(0)),
            syntax_errors: facts.syntax_errors,
            cut: facts.cut,
            manifest: None,
        }
    }
}

/// What a file looked like from outside when it was last read. Equal bytes mean: not touched since.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Stat(Vec<u8>);

impl Stat {
    /// `racy`: the file may still change without the clock of the file system showing it, so it is looked at again.
    pub(crate) fn of(found: &FoundFile, racy: bool) -> Self {
        if racy {
            return Stat::default();
        }
        let mut bytes = Vec::with_capacity(32);
        bytes.extend(found.size.to_le_bytes());
        bytes.extend(found.mtime_ns.to_le_bytes());
        bytes.extend(found.ctime_ns.to_le_bytes());
        bytes.extend(found.inode.to_le_bytes());
        Stat(bytes)
    }

    pub(crate) fn matches(&self, found: &FoundFile) -> bool {
        *self == Stat::of(found, false)
    }
}

/// One file of one checkout.
#[derive(Debug, Clone)]
pub(crate) struct FileRow {
    /// Stable while the file stays where it is; zero before it is written.
    pub(crate) id: i64,
    pub(crate) path: RepoPath,
    pub(crate) stat: Stat,
    /// Of its bytes; none where they were not read.
    pub(crate) hash: Option<Sha256>,
    pub(crate) facts: Option<i64>,
    pub(crate) state: FileState,
    pub(crate) links: Links,
}

/// What is known of a file without its facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileState {
    pub(crate) language: Option<Language>,
    pub(crate) size: u64,
    pub(crate) lines: u32,
    pub(crate) marks: Marks,
    pub(crate) package: Option<Box<str>>,
    pub(crate) symbols: u32,
    pub(crate) components: u32,
    pub(crate) complexity: (u32, u32),
    pub(crate) syntax_errors: u32,
    pub(crate) cut: Option<rb_lang::Cut>,
    /// Why its text is not read.
    pub(crate) skipped: Option<SkipReason>,
    /// Why nobody needs to read it.
    pub(crate) trivial: Option<Trivial>,
    pub(crate) encoding: Option<Box<str>>,
    pub(crate) is_manifest: bool,
    /// Of what others may link to, so that a change of it is seen without reading it.
    pub(crate) surface: u64,
    /// Of what the links of this file hang on, likewise.
    pub(crate) needs: u64,
}

impl FileState {
    /// Why the file is not read, or not taken for important.
    pub(crate) fn set_aside(&self) -> Option<String> {
        match (&self.skipped, &self.trivial) {
            (Some(reason), _) => Some(reason.words()),
            (None, Some(trivial)) => Some(trivial.words()),
            (None, None) => None,
        }
    }

    /// Nobody here wrote it by hand: its loose ends are not this repository's.
    pub(crate) fn is_foreign(&self) -> bool {
        self.trivial
            .as_ref()
            .is_some_and(|trivial| matches!(trivial.kind(), "generated" | "minified" | "vendored"))
    }

    /// As `set_aside`, without what differs from file to file.
    pub(crate) fn set_aside_kind(&self) -> Option<&'static str> {
        match (&self.skipped, &self.trivial) {
            (Some(reason), _) => Some(reason.kind()),
            (None, Some(trivial)) => Some(trivial.kind()),
            (None, None) => None,
        }
    }
}

/// Where the imports of a file lead. Files are named by their row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Links {
    /// In the order of the facts' imports.
    pub(crate) imports: Vec<Link>,
    /// To each file once, sorted by row.
    pub(crate) edges: Vec<Edge>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Link {
    Inside(Vec<i64>),
    External(Box<str>),
    Builtin,
    Unresolved,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Edge {
    pub(crate) to: i64,
    pub(crate) weight: f32,
    pub(crate) load: Load,
}

/// When the file that an edge leads to is loaded; the greatest is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Load {
    /// Never by this edge: it is there for types alone.
    Never,
    /// When the code gets there, or together with the file.
    Later,
    /// With the file that the edge leads from.
    First,
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// As `decode`, where more may follow.
pub(crate) fn decode_front<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let front = postcard::take_from_bytes(bytes).map(|(front, _)| front);
    front.map_err(|error| StoreError::Damaged(error.to_string()))
}

pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data has no case that postcard refuses")
}

/// The rows of a checkout, sorted by path.
pub(crate) fn load(connection: &Connection, tree: i64) -> Result<Vec<FileRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, path, stat, hash, facts, state, links FROM files WHERE tree = ?1",
    )?;
    let mut rows = statement.query([tree])?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        files.push(file_row(row)?);
    }
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn file_row(row: &rusqlite::Row<'_>) -> Result<FileRow> {
    let damaged = |error: &dyn std::fmt::Display| StoreError::Damaged(error.to_string());
    let blob = |at: usize| row.get_ref(at)?.as_blob().map_err(|error| damaged(&error));
    let hash = match row.get_ref(3)?.as_blob_or_null() {
        Ok(Some(bytes)) => Some(hash_of(bytes)?),
        Ok(None) => None,
        Err(error) => return Err(damaged(&error)),
    };
    Ok(FileRow {
        id: row.get(0)?,
        path: RepoPath::new(blob(1)?).map_err(|error| damaged(&error))?,
        stat: Stat(blob(2)?.to_vec()),
        hash,
        facts: row.get(4)?,
        state: decode(blob(5)?)?,
        links: decode(blob(6)?)?,
    })
}

fn hash_of(bytes: &[u8]) -> Result<Sha256> {
    let bytes = bytes.try_into().map_err(|_| StoreError::Damaged("a hash is cut".to_owned()))?;
    Ok(Sha256::from_bytes(bytes))
}

/// The row of one file of a checkout.
pub(crate) fn load_one(connection: &Connection, tree: i64, path: &RepoPath) -> Result<FileRow> {
    let mut statement = connection.prepare_cached(
        "SELECT id, path, stat, hash, facts, state, links FROM files WHERE tree = ?1 AND path = ?2",
    )?;
    let mut rows = statement.query(params![tree, path.as_bytes()])?;
    file_row(rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?)
}

/// Path, number, and the files it uses.
pub(crate) type Uses = (Vec<u8>, i64, Vec<i64>);

/// What files of a checkout use.
pub(crate) fn load_edges<'a>(
    connection: &Connection,
    tree: i64,
    paths: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<Uses>> {
    let mut statement =
        connection.prepare_cached("SELECT id, links FROM files WHERE tree = ?1 AND path = ?2")?;
    let mut uses = Vec::new();
    for path in paths {
        let mut rows = statement.query(params![tree, path])?;
        let Some(row) = rows.next()? else { continue };
        let links: Vec<u8> = row.get(1)?;
        let links: Links = decode(&links)?;
        uses.push((path.to_vec(), row.get(0)?, links.edges.iter().map(|edge| edge.to).collect()));
    }
    Ok(uses)
}

pub(crate) type Looks = Vec<(Vec<u8>, Stat)>;

/// Path and look of each file of a checkout, sorted: enough to see whether anything moved.
pub(crate) fn load_stats(connection: &Connection, tree: i64) -> Result<Looks> {
    let mut statement =
        connection.prepare_cached("SELECT path, stat FROM files WHERE tree = ?1")?;
    let mut rows = statement.query([tree])?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        let path: Vec<u8> = row.get(0)?;
        files.push((path, Stat(row.get(1)?)));
    }
    files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(files)
}

/// Path and hash of each file that was read, of all checkouts.
pub(crate) fn load_texts(connection: &Connection) -> Result<Vec<(String, Sha256)>> {
    let query = "SELECT path, hash FROM files WHERE hash IS NOT NULL";
    texts(connection.prepare_cached(query)?.query([])?)
}

/// Path and hash of each file of a checkout that was read.
pub(crate) fn load_tree_texts(connection: &Connection, tree: i64) -> Result<Vec<(String, Sha256)>> {
    let query = "SELECT path, hash FROM files WHERE tree = ?1 AND hash IS NOT NULL";
    texts(connection.prepare_cached(query)?.query([tree])?)
}

fn texts(mut rows: rusqlite::Rows<'_>) -> Result<Vec<(String, Sha256)>> {
    let mut texts = Vec::new();
    while let Some(row) = rows.next()? {
        let path: Vec<u8> = row.get(0)?;
        let hash: Vec<u8> = row.get(1)?;
        texts.push((String::from_utf8_lossy(&path).into_owned(), hash_of(&hash)?));
    }
    Ok(texts)
}

/// Counts the transactions that wrote to the store, so that what was read before one can be told from what is there after.
pub(crate) fn revision(connection: &Connection) -> Result<u64> {
    let value: Option<Vec<u8>> = connection
        .prepare_cached("SELECT value FROM kept WHERE tree = ?1 AND name = 'revision'")?
        .query_row([ALL_TREES], |row| row.get(0))
        .optional()?;
    value.map_or(Ok(0), |bytes| decode(&bytes))
}

pub(crate) fn next_revision(connection: &Connection) -> Result<u64> {
    let next = revision(connection)?.wrapping_add(1);
    keep(connection, ALL_TREES, "revision", &encode(&next))?;
    Ok(next)
}

/// Writes a row anew or over the one it was; gives its number.
pub(crate) fn put(connection: &Connection, tree: i64, row: &FileRow) -> Result<i64> {
    let id = (row.id != 0).then_some(row.id);
    connection
        .prepare_cached(
            "INSERT INTO files (id, tree, path, stat, hash, facts, state, links)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (id) DO UPDATE SET
               stat = excluded.stat, hash = excluded.hash, facts = excluded.facts,
               state = excluded.state, links = excluded.links",
        )?
        .execute(params![
            id,
            tree,
            row.path.as_bytes(),
            row.stat.0,
            row.hash.as_ref().map(|hash| hash.as_bytes().as_slice()),
            row.facts,
            encode(&row.state),
            encode(&row.links),
        ])?;
    Ok(id.unwrap_or_else(|| connection.last_insert_rowid()))
}

/// The first number that no file of any checkout has.
pub(crate) fn next_id(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("SELECT 1 + coalesce(max(id), 0) FROM files", [], |row| row.get(0))?)
}

/// Forgets a checkout.
pub(crate) fn remove_tree(connection: &Connection, tree: i64) -> Result<()> {
    for statement in [
        "DELETE FROM files WHERE tree = ?1",
        "DELETE FROM kept WHERE tree = ?1",
        "DELETE FROM trees WHERE id = ?1",
    ] {
        connection.execute(statement, [tree])?;
    }
    Ok(())
}

pub(crate) fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM files WHERE id = ?1")?.execute([id])?;
    Ok(())
}

pub(crate) fn put_facts(
    connection: &Connection,
    key: &FactsKey,
    outline: &[u8],
    body: &[u8],
) -> Result<i64> {
    // Two files of one text in one pass: the second finds the first.
    let inserted = connection
        .prepare_cached(
            "INSERT INTO facts (key, outline, body) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO NOTHING",
        )?
        .execute(params![key.as_bytes(), outline, body])?;
    if inserted > 0 {
        return Ok(connection.last_insert_rowid());
    }
    Ok(connection
        .prepare_cached("SELECT id FROM facts WHERE key = ?1")?
        .query_row([key.as_bytes()], |row| row.get(0))?)
}

pub(crate) fn keep(connection: &Connection, tree: i64, name: &str, value: &[u8]) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO kept (tree, name, value) VALUES (?1, ?2, ?3)
             ON CONFLICT (tree, name) DO UPDATE SET value = excluded.value",
        )?
        .execute(params![tree, name, value])?;
    Ok(())
}

pub(crate) fn forget(connection: &Connection, tree: i64, name: &str) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM kept WHERE tree = ?1 AND name = ?2")?
        .execute(params![tree, name])?;
    Ok(())
}

/// Forgets facts that no file has had for long. Those of a branch that was left are kept, so that coming back costs
/// little, until they outnumber what is in use.
pub(crate) fn prune(connection: &Connection) -> Result<()> {
    let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    let kept = count("SELECT count(*) FROM facts")?;
    let used = count("SELECT count(*) FROM files WHERE facts IS NOT NULL")?;
    if kept > 3 * used + 1000 {
        connection.execute(
            "DELETE FROM facts WHERE id NOT IN (SELECT facts FROM files WHERE facts IS NOT NULL)",
            [],
        )?;
    }
    Ok(())
}
