//! Segments in the store: written whole, read by term and by model, taken away whole.

use std::ops::Range;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::doc::DocHead;
use super::segment::{Block, Encoded};
use super::terms::Term;
use super::vectors::Rows;
use crate::store::rows::{decode, encode};
use crate::store::{Result, StoreError};

pub(crate) type SegmentId = i64;

/// The postings of the whole segment have ids in this range.
fn ids(segment: SegmentId) -> std::ops::RangeInclusive<i64> {
    let first = segment << 32;
    first..=first | i64::from(u32::MAX)
}

/// Every segment with the files that are in it, oldest first.
pub(crate) fn segments(connection: &Connection) -> Result<Vec<(SegmentId, Vec<DocHead>)>> {
    let mut statement = connection.prepare_cached("SELECT id, docs FROM segments ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut segments = Vec::new();
    while let Some(row) = rows.next()? {
        segments.push((row.get(0)?, decode(blob(row, 1)?)?));
    }
    Ok(segments)
}

pub(crate) fn add(connection: &Connection, segment: &Encoded) -> Result<SegmentId> {
    connection
        .prepare_cached("INSERT INTO segments (docs) VALUES (?1)")?
        .execute([encode(&segment.docs)])?;
    let id = connection.last_insert_rowid();
    let mut statement =
        connection.prepare_cached("INSERT INTO postings (id, data) VALUES (?1, ?2)")?;
    for (first, data) in &segment.blocks {
        statement.execute(params![id << 32 | i64::from(*first), data])?;
    }
    Ok(id)
}

pub(crate) fn remove(connection: &Connection, segment: SegmentId) -> Result<()> {
    let ids = ids(segment);
    connection
        .prepare_cached("DELETE FROM postings WHERE id BETWEEN ?1 AND ?2")?
        .execute([ids.start(), ids.end()])?;
    for statement in
        ["DELETE FROM vectors WHERE segment = ?1", "DELETE FROM segments WHERE id = ?1"]
    {
        connection.prepare_cached(statement)?.execute([segment])?;
    }
    Ok(())
}

/// The block of a segment that has the term, if any has.
pub(crate) fn block(
    connection: &Connection,
    segment: SegmentId,
    term: Term,
) -> Result<Option<Arc<[u8]>>> {
    let first = *ids(segment).start();
    Ok(connection
        .prepare_cached(
            "SELECT data FROM postings WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
        )?
        .query_row([first, first | i64::from(term)], |row| Ok(row.get_ref(0)?.as_blob()?.into()))
        .optional()?)
}

pub(crate) fn each_block(
    connection: &Connection,
    segment: SegmentId,
    mut each: impl FnMut(&Block<'_>),
) -> Result<()> {
    let ids = ids(segment);
    let mut statement = connection
        .prepare_cached("SELECT data FROM postings WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        each(&Block::open(blob(row, 0)?).ok_or_else(|| damaged("postings are cut"))?);
    }
    Ok(())
}

/// The segments that have vectors of a model.
pub(crate) fn embedded(connection: &Connection, model: &str) -> Result<Vec<SegmentId>> {
    let mut statement = connection
        .prepare_cached("SELECT DISTINCT segment FROM vectors WHERE model = ?1 ORDER BY segment")?;
    let segments = statement.query_map([model], |row| row.get(0))?;
    Ok(segments.collect::<rusqlite::Result<_>>()?)
}

/// The models of which a segment has vectors, with the bytes of these.
pub(crate) fn models(connection: &Connection, segment: SegmentId) -> Result<Vec<(String, usize)>> {
    let mut statement = connection.prepare_cached(
        "SELECT model, sum(length(data)) FROM vectors WHERE segment = ?1 GROUP BY model ORDER BY model",
    )?;
    let models = statement.query_map([segment], |row| {
        Ok((row.get(0)?, usize::try_from(row.get::<_, i64>(1)?).unwrap_or(0)))
    })?;
    Ok(models.collect::<rusqlite::Result<_>>()?)
}

/// Written in blocks, so that no row is larger than this, about.
const BLOCK: usize = 1 << 20;

pub(crate) fn add_vectors(
    connection: &Connection,
    segment: SegmentId,
    model: &str,
    rows: &Rows,
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO vectors (segment, model, block, data) VALUES (?1, ?2, ?3, ?4)",
    )?;
    // A segment of no vectors is one that has them, too.
    let blocks = if rows.is_empty() { vec![&[][..]] } else { rows.blocks(BLOCK).collect() };
    for (block, data) in (0_i64..).zip(blocks) {
        statement.execute(params![segment, model, block, data])?;
    }
    Ok(())
}

/// All vectors of a segment in the order of its pieces.
pub(crate) fn vectors(
    connection: &Connection,
    segment: SegmentId,
    model: &str,
    dimensions: usize,
) -> Result<Rows> {
    let mut vectors = Rows::new(dimensions);
    each_vectors(connection, segment, model, dimensions, |rows| vectors.append(rows))?;
    Ok(vectors)
}

/// As `vectors`, block by block.
pub(crate) fn each_vectors(
    connection: &Connection,
    segment: SegmentId,
    model: &str,
    dimensions: usize,
    mut each: impl FnMut(&Rows),
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT data FROM vectors WHERE segment = ?1 AND model = ?2 ORDER BY block",
    )?;
    let mut rows = statement.query(params![segment, model])?;
    while let Some(row) = rows.next()? {
        let mut block = Rows::new(dimensions);
        block.extend(blob(row, 0)?).ok_or_else(|| damaged("vectors are cut"))?;
        each(&block);
    }
    Ok(())
}

/// The blocks that hold some of the vectors, and which the first of them is.
pub(crate) fn some_vectors(
    connection: &Connection,
    segment: SegmentId,
    model: &str,
    dimensions: usize,
    wanted: &Range<usize>,
) -> Result<(usize, Rows)> {
    let mut vectors = Rows::new(dimensions);
    let in_block = vectors.in_block(BLOCK);
    let blocks = wanted.start / in_block..wanted.end.div_ceil(in_block);
    let number = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(
        "SELECT data FROM vectors WHERE segment = ?1 AND model = ?2 AND block >= ?3 AND block < ?4
         ORDER BY block",
    )?;
    let mut rows =
        statement.query(params![segment, model, number(blocks.start), number(blocks.end)])?;
    while let Some(row) = rows.next()? {
        vectors.extend(blob(row, 0)?).ok_or_else(|| damaged("vectors are cut"))?;
    }
    Ok((blocks.start * in_block, vectors))
}

fn blob<'a>(row: &'a rusqlite::Row<'_>, at: usize) -> Result<&'a [u8]> {
    row.get_ref(at)?.as_blob().map_err(|error| StoreError::Damaged(error.to_string()))
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(what.to_owned())
}
