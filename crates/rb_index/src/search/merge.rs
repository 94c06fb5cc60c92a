//! Keeps segments few: many small ones become one, and what no checkout has any more is left behind.
//!
//! An edit adds a segment of a file or two. Segments are in tiers by their size, each eight times the last; a tier that is full
//! is merged into one of the next, so that a file is written anew only a few times however many edits there are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::doc::{self, DocHead, DocKey, Entry};
use super::segment::{Builder, MOST_DOCS};
use super::shelf::{self, SegmentId};
use super::vectors::Rows;
use crate::store::{Store, StoreError, rows};

/// Segments of a tier that are merged.
const FULL: usize = 8;

pub(super) fn merge(store: &Store) -> Result<(), StoreError> {
    loop {
        let segments = store.with(shelf::segments)?;
        let Some(tier) = full_tier(&segments) else { return Ok(()) };
        merge_into_one(store, &tier, &alive(store)?)?;
    }
}

/// Writes segments anew that hold little but what no checkout has any more.
pub(crate) fn prune(store: &Store) -> Result<(), StoreError> {
    let (segments, alive) = (store.with(shelf::segments)?, alive(store)?);
    for segment in &segments {
        let used = segment.1.iter().filter(|doc| alive.contains(&doc.key)).count();
        if 2 * used < segment.1.len() {
            merge_into_one(store, &[segment], &alive)?;
        }
    }
    Ok(())
}

/// What any checkout has.
fn alive(store: &Store) -> Result<FxHashSet<DocKey>, StoreError> {
    let texts = store.with(rows::load_texts)?;
    Ok(texts.iter().map(|(path, hash)| doc::key(path, hash)).collect())
}

type Segment = (SegmentId, Vec<DocHead>);

/// The segments of the lowest tier that has too many.
fn full_tier(segments: &[Segment]) -> Option<Vec<&Segment>> {
    let mut tiers: [Vec<&Segment>; 4] = std::array::from_fn(|_| Vec::new());
    for segment in segments {
        // Those of the last are left as they are.
        let tier = segment.1.len().max(1).ilog(FULL) as usize;
        if let Some(tier) = tiers.get_mut(tier) {
            tier.push(segment);
        }
    }
    tiers.into_iter().find(|tier| {
        let docs: usize = tier.iter().map(|segment| segment.1.len()).sum();
        tier.len() >= FULL && docs <= MOST_DOCS
    })
}

fn merge_into_one(
    store: &Store,
    segments: &[&Segment],
    alive: &FxHashSet<DocKey>,
) -> Result<(), StoreError> {
    let mut merged = Builder::default();
    let mut kept: Vec<(SegmentId, Vec<usize>)> = Vec::new();
    for (id, docs) in segments.iter().copied() {
        let (entries, pieces) = (entries_by_doc(store, *id, docs)?, first_pieces(docs));
        let mut rows = Vec::new();
        for ((head, entries), first) in docs.iter().zip(entries).zip(pieces) {
            if alive.contains(&head.key) {
                merged.push_entries(head.clone(), &entries);
                rows.extend(first..first + head.pieces.len());
            }
        }
        kept.push((*id, rows));
    }
    let models = common_models(store, segments)?;
    let vectors: Vec<(String, Rows)> = models
        .into_iter()
        .map(|(model, dimensions)| Ok((model.clone(), gather(store, &kept, &model, dimensions)?)))
        .collect::<Result<_, StoreError>>()?;
    store.with(|connection| {
        segments.iter().try_for_each(|(id, _)| shelf::remove(connection, *id))?;
        if merged.docs.is_empty() {
            return Ok(());
        }
        let id = shelf::add(connection, &merged.finish())?;
        vectors.iter().try_for_each(|(model, rows)| shelf::add_vectors(connection, id, model, rows))
    })
}

fn entries_by_doc(
    store: &Store,
    segment: SegmentId,
    docs: &[DocHead],
) -> Result<Vec<Vec<Entry>>, StoreError> {
    let mut entries = vec![Vec::new(); docs.len()];
    store.with(|connection| {
        shelf::each_block(connection, segment, |block| {
            for (term, postings) in block.all() {
                for (doc, piece, count) in postings {
                    let piece = u16::try_from(piece).unwrap_or(u16::MAX);
                    if let Some(entries) = entries.get_mut(doc as usize) {
                        entries.push(Entry { term, piece, count });
                    }
                }
            }
        })
    })?;
    Ok(entries)
}

/// Where the pieces of each file begin among those of the segment.
fn first_pieces(docs: &[DocHead]) -> Vec<usize> {
    let sums = docs.iter().scan(0, |next, doc| {
        let first = *next;
        *next += doc.pieces.len();
        Some(first)
    });
    sums.collect()
}

/// The models of which each of the segments has vectors, with their dimensions.
fn common_models(store: &Store, segments: &[&Segment]) -> Result<Vec<(String, usize)>, StoreError> {
    let mut counts: FxHashMap<String, (usize, usize)> = FxHashMap::default();
    for (id, docs) in segments.iter().copied() {
        let pieces: usize = docs.iter().map(|doc| doc.pieces.len()).sum();
        for (model, bytes) in store.with(|connection| shelf::models(connection, *id))? {
            let dimensions = Rows::dimensions_of(bytes, pieces);
            let (count, known) = counts.entry(model).or_default();
            *count += 1;
            *known = (*known).max(dimensions);
        }
    }
    let mut models: Vec<(String, usize)> = counts
        .into_iter()
        .filter(|(_, (count, _))| *count == segments.len())
        .map(|(model, (_, dimensions))| (model, dimensions))
        .collect();
    models.sort_unstable();
    Ok(models)
}

fn gather(
    store: &Store,
    kept: &[(SegmentId, Vec<usize>)],
    model: &str,
    dimensions: usize,
) -> Result<Rows, StoreError> {
    let mut gathered = Rows::new(dimensions);
    for (segment, rows) in kept {
        let all =
            store.with(|connection| shelf::vectors(connection, *segment, model, dimensions))?;
        for &row in rows {
            match all.row(row) {
                Some(row) => gathered.push_row(row),
                None => gathered.push_nothing(),
            }
        }
    }
    Ok(gathered)
}
