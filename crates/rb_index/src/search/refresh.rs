//! Brings postings and vectors in step with the files of a checkout: what is new is read, what is gone no longer counts.
//!
//! A text at a path is read once, whichever checkout has it. Of an edited file only those pieces are embedded that changed.

use std::ops::Range;

use rb_core::folder::FolderRoot;
use rb_core::{Cancel, Progress};
use rustc_hash::{FxHashMap, FxHashSet};

use super::doc::{self, Doc, DocHead, DocKey, Source};
use super::embed::Embedder;
use super::merge;
use super::segment::Builder;
use super::shelf::{self, SegmentId};
use super::threads::in_threads;
use super::vectors::Rows;
use crate::content::{Bytes, Limits};
use crate::store::{FileRow, Store, StoreError};
use crate::update::IndexError;
use crate::walk::FoundFile;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Files that were read.
    pub files: usize,
    /// Pieces that were embedded; those whose vector was known are not.
    pub embedded: usize,
}

pub(crate) struct Refresh<'a> {
    pub(crate) store: &'a Store,
    pub(crate) root: &'a FolderRoot,
    /// What the walk found, sorted by path.
    pub(crate) found: &'a [FoundFile],
    pub(crate) limits: &'a Limits,
    pub(crate) embedder: Option<&'a dyn Embedder>,
    pub(crate) progress: &'a (dyn Progress + Sync),
    pub(crate) cancel: &'a Cancel,
}

/// The most files held in memory at a time.
const AT_ONCE: usize = 512;
/// For a model on another machine: if it fails, no more is lost.
const AT_ONCE_ELSEWHERE: usize = 32;
/// Fewer files are read before anybody could see a bar.
const LONG: usize = 400;

impl Refresh<'_> {
    /// Makes what is missing for these files.
    pub(crate) fn run(&self, files: &[FileRow]) -> Result<Refreshed, IndexError> {
        let segments = self.store.with(shelf::segments)?;
        let known: FxHashSet<DocKey> =
            segments.iter().flat_map(|(_, docs)| docs).map(|doc| doc.key).collect();
        let here: FxHashMap<DocKey, &FileRow> =
            files.iter().filter_map(|file| Some((key_of(file)?, file))).collect();
        let mut done = self.embed_known(&segments, &here)?;
        let missing: Vec<&FileRow> = files
            .iter()
            .filter(|file| key_of(file).is_some_and(|key| !known.contains(&key)))
            .collect();
        if missing.is_empty() {
            return Ok(done);
        }
        let earlier = Earlier::of(self, &segments);
        let mut writing =
            Writing { refresh: self, builder: Builder::default(), vectors: self.rows() };
        self.begin(missing.len());
        let local = self.embedder.is_none_or(Embedder::is_local);
        for files in missing.chunks(if local { AT_ONCE } else { AT_ONCE_ELSEWHERE }) {
            let made = match self.docs(files, &earlier) {
                Ok(made) => made,
                Err(error) => {
                    // What was embedded may have cost money: it is there the next time.
                    writing.write()?;
                    self.end(missing.len());
                    return Err(error);
                }
            };
            done.embedded += made.iter().map(|made| made.embedded).sum::<usize>();
            done.files += made.len();
            made.into_iter().try_for_each(|made| writing.push(made))?;
            self.advance(missing.len(), files.len());
        }
        writing.write()?;
        self.end(missing.len());
        merge::merge(self.store)?;
        Ok(done)
    }

    fn begin(&self, count: usize) {
        if count >= LONG {
            self.progress.begin("preparing the search", count as u64);
        }
    }

    fn advance(&self, count: usize, by: usize) {
        if count >= LONG {
            self.progress.advance(by as u64);
        }
    }

    fn end(&self, count: usize) {
        if count >= LONG {
            self.progress.end();
        }
    }

    fn rows(&self) -> Rows {
        Rows::new(self.embedder.map_or(0, Embedder::dimensions))
    }

    /// Reads files; one that is not what the index has of it any more is left out.
    fn docs(&self, files: &[&FileRow], earlier: &Earlier<'_>) -> Result<Vec<Made>, IndexError> {
        let made = in_threads(files, |file| -> Result<Option<Made>, IndexError> {
            if self.cancel.is_cancelled() {
                return Err(IndexError::Interrupted);
            }
            let Some(doc) = self.doc(file)? else { return Ok(None) };
            let path = path_of(file).to_owned();
            let mut made = Made { path, doc, vectors: self.rows(), embedded: 0 };
            if let Some(embedder) = self.embedder.filter(|embedder| embedder.is_local()) {
                earlier.embed(embedder, std::slice::from_mut(&mut made))?;
            }
            Ok(Some(made))
        });
        let made: Result<Vec<Option<Made>>, IndexError> = made.into_iter().collect();
        let mut made: Vec<Made> = made?.into_iter().flatten().collect();
        if let Some(embedder) = self.embedder.filter(|embedder| !embedder.is_local()) {
            earlier.embed(embedder, &mut made)?;
        }
        Ok(made)
    }

    fn doc(&self, file: &FileRow) -> Result<Option<Doc>, StoreError> {
        let path = path_of(file);
        if !doc::is_searched(file, path) {
            return Ok(Source::of(file, path, None, &[]).map(|source| source.doc()));
        }
        let place = self.found.binary_search_by(|found| found.path.cmp(&file.path));
        let found = place.ok().map(|at| &self.found[at]);
        let bytes = found.and_then(|found| Bytes::read(self.root, found, self.limits).ok());
        let bytes = bytes.filter(|bytes| Some(bytes.hash) == file.hash);
        let Some(content) = bytes.and_then(|bytes| bytes.text().ok()) else { return Ok(None) };
        let symbols = self.store.symbols_of(file)?;
        Ok(Source::of(file, path, Some(&content), &symbols).map(|source| source.doc()))
    }

    /// Embeds what was read before without this model.
    fn embed_known(
        &self,
        segments: &[(SegmentId, Vec<DocHead>)],
        here: &FxHashMap<DocKey, &FileRow>,
    ) -> Result<Refreshed, IndexError> {
        let mut refreshed = Refreshed::default();
        let Some(embedder) = self.embedder else { return Ok(refreshed) };
        let ready = self.store.with(|connection| shelf::embedded(connection, embedder.model()))?;
        let lacking = segments.iter().filter(|(id, docs)| {
            ready.binary_search(id).is_err() && docs.iter().any(|doc| here.contains_key(&doc.key))
        });
        let nothing = Earlier::default();
        for (id, docs) in lacking {
            let files: Vec<&FileRow> =
                docs.iter().filter_map(|doc| here.get(&doc.key).copied()).collect();
            let mut made = FxHashMap::default();
            for files in files.chunks(AT_ONCE) {
                for doc in self.docs(files, &nothing)? {
                    refreshed.embedded += doc.embedded;
                    made.insert(doc.doc.head.key, doc.vectors);
                }
            }
            let mut vectors = self.rows();
            for doc in docs {
                match made.get(&doc.key) {
                    Some(rows) if rows.len() == doc.pieces.len() => vectors.append(rows),
                    _ => doc.pieces.iter().for_each(|_| vectors.push_nothing()),
                }
            }
            self.store.with(|connection| {
                shelf::add_vectors(connection, *id, embedder.model(), &vectors)
            })?;
        }
        Ok(refreshed)
    }
}

pub(crate) fn key_of(file: &FileRow) -> Option<DocKey> {
    Some(doc::key(path_of(file), file.hash.as_ref()?))
}

fn path_of(file: &FileRow) -> &str {
    std::str::from_utf8(file.path.as_bytes()).expect("others are left out by the update")
}

/// A file that was read, its pieces embedded where a model is asked for.
struct Made {
    path: String,
    doc: Doc,
    vectors: Rows,
    embedded: usize,
}

/// Puts files into segments, and these into the store as they are full.
struct Writing<'a> {
    refresh: &'a Refresh<'a>,
    builder: Builder,
    vectors: Rows,
}

impl Writing<'_> {
    fn push(&mut self, made: Made) -> Result<(), IndexError> {
        self.builder.push(made.doc);
        self.vectors.append(&made.vectors);
        if self.builder.is_full() { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), IndexError> {
        let (builder, vectors) = (
            std::mem::take(&mut self.builder),
            std::mem::replace(&mut self.vectors, self.refresh.rows()),
        );
        if builder.docs.is_empty() {
            return Ok(());
        }
        let segment = builder.finish();
        Ok(self.refresh.store.with(|connection| {
            let id = shelf::add(connection, &segment)?;
            match self.refresh.embedder {
                Some(embedder) => shelf::add_vectors(connection, id, embedder.model(), &vectors),
                None => Ok(()),
            }
        })?)
    }
}

/// The vectors of what files held before, by path.
#[derive(Default)]
struct Earlier<'a> {
    store: Option<&'a Store>,
    /// The newest text of each path: its segment, where its pieces are there, and they themselves.
    docs: FxHashMap<u32, (SegmentId, Range<usize>, &'a DocHead)>,
}

impl<'a> Earlier<'a> {
    fn of(refresh: &Refresh<'a>, segments: &'a [(SegmentId, Vec<DocHead>)]) -> Self {
        let mut docs = FxHashMap::default();
        for (id, heads) in segments {
            let mut first = 0;
            for head in heads {
                let last = first + head.pieces.len();
                docs.insert(head.place, (*id, first..last, head));
                first = last;
            }
        }
        Earlier { store: Some(refresh.store), docs }
    }

    /// Vectors by what they were made of.
    fn of_doc(
        &self,
        embedder: &dyn Embedder,
        head: &DocHead,
    ) -> Result<FxHashMap<u64, Vec<u8>>, StoreError> {
        let (Some(store), Some((segment, pieces, before))) =
            (self.store, self.docs.get(&head.place))
        else {
            return Ok(FxHashMap::default());
        };
        let dimensions = embedder.dimensions();
        let (first, rows) = store.with(|connection| {
            shelf::some_vectors(connection, *segment, embedder.model(), dimensions, pieces)
        })?;
        let known = pieces.clone().zip(&before.pieces);
        Ok(known
            .filter_map(|(at, piece)| {
                let row = rows.row(at.checked_sub(first)?)?;
                row.iter().any(|byte| *byte != 0).then(|| (piece.hash, row.to_vec()))
            })
            .collect())
    }

    fn embed(&self, embedder: &dyn Embedder, made: &mut [Made]) -> Result<(), IndexError> {
        let known: Vec<FxHashMap<u64, Vec<u8>>> = made
            .iter()
            .map(|made| self.of_doc(embedder, &made.doc.head))
            .collect::<Result<_, _>>()?;
        let mut passages = Vec::new();
        for (made, known) in made.iter().zip(&known) {
            for (piece, passage) in made.doc.head.pieces.iter().zip(&made.doc.passages) {
                if !known.contains_key(&piece.hash) {
                    passages.push(passage.of(&made.path));
                }
            }
        }
        let mut fresh = Vec::with_capacity(passages.len());
        for batch in passages.chunks(embedder.batch().max(1)) {
            fresh.extend(embedder.passages(batch)?);
        }
        let mut fresh = fresh.into_iter();
        for (made, known) in made.iter_mut().zip(&known) {
            for piece in &made.doc.head.pieces {
                match known.get(&piece.hash) {
                    Some(row) => made.vectors.push_row(row),
                    None => {
                        made.vectors.push(&fresh.next().expect("one for each passage"));
                        made.embedded += 1;
                    }
                }
            }
        }
        Ok(())
    }
}
