//! The schema, as the steps that lead to it. A store of any earlier version is brought up by the steps it lacks.

use rusqlite::Connection;

use super::{Result, StoreError};

/// Never changed once released; a new schema is a new step at the end.
const STEPS: &[&str] = &[
    "CREATE TABLE trees (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT;
     CREATE TABLE facts (
       id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, outline BLOB NOT NULL, body BLOB NOT NULL
     ) STRICT;
     CREATE TABLE files (
       id INTEGER PRIMARY KEY, tree INTEGER NOT NULL, path BLOB NOT NULL, stat BLOB NOT NULL, hash BLOB,
       facts INTEGER, state BLOB NOT NULL, links BLOB NOT NULL, UNIQUE (tree, path)
     ) STRICT;
     CREATE TABLE kept (tree INTEGER NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (tree, name)) STRICT;",
    // The id of postings is that of their segment in the upper half, of their first term in the lower.
    "CREATE TABLE segments (id INTEGER PRIMARY KEY, docs BLOB NOT NULL) STRICT;
     CREATE TABLE postings (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
     CREATE TABLE vectors (
       segment INTEGER NOT NULL, model TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
       PRIMARY KEY (segment, model, block)
     ) STRICT;",
];

pub(super) fn to_current(connection: &Connection) -> Result<()> {
    let found = version(connection)?;
    if found == known() {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    for step in &STEPS[found as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known())?;
    transaction.commit()?;
    Ok(())
}

/// For a store that cannot be brought up: is there no need to?
pub(super) fn is_current(connection: &Connection) -> Result<()> {
    if version(connection)? == known() {
        Ok(())
    } else {
        Err(StoreError::Damaged("it is outdated".to_owned()))
    }
}

fn known() -> u32 {
    u32::try_from(STEPS.len()).expect("few steps")
}

fn version(connection: &Connection) -> Result<u32> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known() {
        return Err(StoreError::Newer { found, known: known() });
    }
    Ok(found)
}
