//! All that is searched of a checkout: its files in the segments, where terms are, how near pieces are to a question.
//!
//! Counts are taken over the files that are there now, so that the same state gives the same scores, however the
//! segments came about.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::doc::{Count, DocHead, PieceHead};
use super::number;
use super::segment::Block;
use super::shelf::{self, SegmentId};
use super::terms::Term;
use super::vectors::Rows;
use crate::store::rows;
use crate::store::{Store, StoreError};

/// All that is searched of a checkout, ready to be asked many times.
pub(crate) struct Corpus<'a> {
    store: &'a Store,
    segments: Vec<Segment>,
    /// The files that are there, in the order of the segments.
    pub(crate) docs: Vec<DocAt>,
    /// Of all pieces of the files that are there.
    pub(crate) pieces: usize,
    pub(crate) means: Means,
    pub(crate) folders: usize,
    blocks: Mutex<Blocks>,
    vectors: OnceLock<(String, Vec<Rows>)>,
    /// Bytes of vectors that may be held in memory.
    pub(super) most_held: usize,
}

const MOST_HELD: usize = 64 << 20;

/// What was read of segments for terms, so that asking again costs no reading.
type Blocks = FxHashMap<(SegmentId, Term), Option<Arc<[u8]>>>;

struct Segment {
    id: SegmentId,
    /// Each file of the segment: its place in `docs`, if it is there now.
    docs: Vec<Option<u32>>,
    /// Where its pieces are among those of the segment, for its vectors.
    first_pieces: Vec<u32>,
}

pub(crate) struct DocAt {
    pub(crate) path: String,
    pub(crate) head: DocHead,
    /// Where its pieces begin among those of all files.
    pub(crate) first_piece: u32,
    /// Terms of its text, and of the names that it defines.
    pub(crate) text: f32,
    pub(crate) names: f32,
    /// Files of one folder have one number.
    pub(crate) folder: u32,
}

/// How many terms there are on average, at least one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means {
    pub(crate) folder: f32,
    pub(crate) file_name: f32,
    pub(crate) names: f32,
    pub(crate) text: f32,
    pub(crate) piece_names: f32,
    pub(crate) piece_text: f32,
}

impl Means {
    /// Summed in whole numbers, so that the order of the files is of no matter.
    fn of(docs: &[DocAt]) -> Self {
        let mut sums = [0_usize; 4];
        let mut pieces = 0;
        for DocAt { head, .. } in docs {
            pieces += head.pieces.len() - 1;
            sums[0] += usize::from(head.folder_terms);
            sums[1] += usize::from(head.name_terms);
            sums[2] += head.pieces[1..].iter().map(|piece| usize::from(piece.names)).sum::<usize>();
            sums[3] += head.pieces[1..].iter().map(|piece| usize::from(piece.text)).sum::<usize>();
        }
        let mean = |sum: usize, count: usize| (number(sum) / number(count.max(1))).max(1.0);
        Means {
            folder: mean(sums[0], docs.len()),
            file_name: mean(sums[1], docs.len()),
            names: mean(sums[2], docs.len()),
            text: mean(sums[3], docs.len()),
            piece_names: mean(sums[2], pieces),
            piece_text: mean(sums[3], pieces),
        }
    }
}

impl<'a> Corpus<'a> {
    pub(crate) fn load(store: &'a Store, tree: i64) -> Result<Self, StoreError> {
        let texts = store.with(|connection| rows::load_tree_texts(connection, tree))?;
        let mut here: FxHashMap<u64, String> =
            texts.into_iter().map(|(path, hash)| (super::doc::key(&path, &hash), path)).collect();
        let mut docs: Vec<DocAt> = Vec::with_capacity(here.len());
        let mut segments = Vec::new();
        let mut folders: FxHashMap<String, u32> = FxHashMap::default();
        let mut first_piece = 0;
        for (id, heads) in store.with(shelf::segments)? {
            let mut segment = Segment { id, docs: Vec::new(), first_pieces: Vec::new() };
            let mut in_segment = 0;
            for head in heads {
                let pieces = u32::try_from(head.pieces.len()).unwrap_or(u32::MAX);
                segment.first_pieces.push(in_segment);
                in_segment += pieces;
                let Some(path) = here.remove(&head.key).filter(|_| pieces > 0) else {
                    segment.docs.push(None);
                    continue;
                };
                segment.docs.push(Some(u32::try_from(docs.len()).unwrap_or(u32::MAX)));
                let sum = |of: fn(&PieceHead) -> u16| {
                    head.pieces[1..].iter().map(|piece| f32::from(of(piece))).sum()
                };
                let (text, names) = (sum(|piece| piece.text), sum(|piece| piece.names));
                let next = u32::try_from(folders.len()).unwrap_or(u32::MAX);
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let folder = *folders.entry(folder.to_owned()).or_insert(next);
                docs.push(DocAt { path, head, first_piece, text, names, folder });
                first_piece += pieces;
            }
            segments.push(segment);
        }
        Ok(Corpus {
            store,
            segments,
            means: Means::of(&docs),
            folders: folders.len(),
            docs,
            pieces: first_piece as usize,
            blocks: Mutex::default(),
            vectors: OnceLock::new(),
            most_held: MOST_HELD,
        })
    }

    fn block(&self, segment: SegmentId, term: Term) -> Result<Option<Arc<[u8]>>, StoreError> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = blocks.get(&(segment, term)) {
            return Ok(block.clone());
        }
        let block = self.store.with(|connection| shelf::block(connection, segment, term))?;
        blocks.insert((segment, term), block.clone());
        Ok(block)
    }

    /// Where a term is: file, piece, how often. Grouped by file.
    pub(crate) fn postings(&self, term: Term) -> Result<Vec<Posting>, StoreError> {
        let mut postings = Vec::new();
        self.each_posting(term, |posting| postings.push(posting))?;
        Ok(postings)
    }

    /// As `postings`, one after the other.
    pub(crate) fn each_posting(
        &self,
        term: Term,
        mut each: impl FnMut(Posting),
    ) -> Result<(), StoreError> {
        for segment in &self.segments {
            let Some(data) = self.block(segment.id, term)? else { continue };
            let block = Block::open(&data)
                .ok_or_else(|| StoreError::Damaged("postings are cut".to_owned()))?;
            for (doc, piece, count) in block.find(term).into_iter().flatten() {
                if let Some(Some(doc)) = segment.docs.get(doc as usize)
                    && (piece as usize) < self.docs[*doc as usize].head.pieces.len()
                {
                    each(Posting { doc: *doc, piece, count });
                }
            }
        }
        Ok(())
    }

    /// The cosine of each piece with a question, in the order of all pieces.
    pub(crate) fn cosines(&self, model: &str, asked: &[f32]) -> Result<Vec<f32>, StoreError> {
        let mut question = Rows::new(asked.len());
        question.push(asked);
        let mut cosines = vec![0.0; self.pieces];
        for (at, segment) in self.segments.iter().enumerate() {
            let mut all: Vec<f32> = Vec::new();
            if self.keeps_vectors(asked.len()) {
                all.extend(self.vectors(model, asked.len())?[at].cosines(&question));
            } else {
                let each = |rows: &Rows| all.extend(rows.cosines(&question));
                self.store.with(|connection| {
                    shelf::each_vectors(connection, segment.id, model, asked.len(), each)
                })?;
            }
            for (doc, &first) in segment.docs.iter().zip(&segment.first_pieces) {
                let Some(doc) = doc.map(|doc| &self.docs[doc as usize]) else { continue };
                let count = doc.head.pieces.len();
                if let Some(of_doc) = all.get(first as usize..first as usize + count) {
                    cosines[doc.first_piece as usize..][..count].copy_from_slice(of_doc);
                }
            }
        }
        Ok(cosines)
    }

    /// The vectors of a file's pieces, in their order; fewer where they are not there.
    pub(crate) fn vectors_of(
        &self,
        doc: u32,
        model: &str,
        dimensions: usize,
    ) -> Result<Vec<Vec<f32>>, StoreError> {
        let place = self.segments.iter().enumerate().find_map(|(number, segment)| {
            let at = segment.docs.iter().position(|of| *of == Some(doc))?;
            Some((number, segment.first_pieces[at] as usize))
        });
        let Some((number, first)) = place else { return Ok(Vec::new()) };
        let wanted = first..first + self.docs[doc as usize].head.pieces.len();
        if self.keeps_vectors(dimensions) {
            let rows = &self.vectors(model, dimensions)?[number];
            return Ok(wanted.map_while(|at| rows.vector(at)).collect());
        }
        let id = self.segments[number].id;
        let (before, rows) = self
            .store
            .with(|connection| shelf::some_vectors(connection, id, model, dimensions, &wanted))?;
        Ok(wanted.map_while(|at| rows.vector(at - before)).collect())
    }

    /// Are the vectors few enough to be held for the next question? Others are read block by block, each time.
    fn keeps_vectors(&self, dimensions: usize) -> bool {
        self.pieces.saturating_mul(dimensions) <= self.most_held
    }

    fn vectors(&self, model: &str, dimensions: usize) -> Result<&[Rows], StoreError> {
        if let Some((_, rows)) = self.vectors.get().filter(|(of, _)| of == model) {
            return Ok(rows);
        }
        let load = |segment: &Segment| {
            self.store.with(|connection| shelf::vectors(connection, segment.id, model, dimensions))
        };
        let rows: Vec<Rows> = self.segments.iter().map(load).collect::<Result<_, _>>()?;
        let (_, rows) = self.vectors.get_or_init(|| (model.to_owned(), rows));
        Ok(rows)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) doc: u32,
    pub(crate) piece: u32,
    pub(crate) count: Count,
}
