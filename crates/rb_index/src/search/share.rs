//! Vectors on a server that several machines use: brought in step with a checkout, and asked in place of the store.
//!
//! A record is named after what was embedded, so that whoever has the same text at the same path needs not embed it again.
//! What this checkout had and no longer has is taken away; another machine that still has it puts it back when it
//! comes by.

use std::collections::BTreeSet;

use rb_core::Progress;
use rustc_hash::{FxHashMap, FxHashSet};

use super::embed::Embedder;
use super::records::{Records, id};
use super::remote::{Filter, Standing, VectorServer};
use super::searcher::Searcher;
use super::vectors::Rows;
use super::words::Words;
use crate::store::rows;
use crate::update::IndexError;

/// What was done to bring a collection in step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shared {
    pub embedded: usize,
    pub deleted: usize,
}

/// A server, and the model whose vectors it has.
pub struct Share<'a> {
    pub server: &'a dyn VectorServer,
    pub embedder: &'a dyn Embedder,
}

/// Files that are read at a time.
const AT_ONCE: usize = 64;
/// How many of the nearest are asked for; what the words of the question lead to is looked up beside them.
const NEAREST: usize = 1000;
/// The files that the words lead to most.
const BY_WORDS: usize = 150;

impl Searcher<'_> {
    /// Brings the collection in step with the checkout.
    pub fn share(&self, share: &Share<'_>, progress: &dyn Progress) -> Result<Shared, IndexError> {
        let wanted: BTreeSet<u64> = self.hashes().map(|(hash, ..)| hash).collect();
        let mark = format!("shared {} {}", share.server.place(), share.embedder.model());
        let standing = share.server.standing()?;
        let last = self.indexed.store.kept(self.indexed.tree, &mark)?;
        let last =
            last.map(|bytes| rows::decode::<(String, u64, BTreeSet<u64>)>(&bytes)).transpose()?;
        let last = last.filter(|(identity, ..)| *identity == standing.identity);
        if last.as_ref().is_some_and(|(_, records, hashes)| {
            *records == standing.records as u64 && *hashes == wanted
        }) {
            return Ok(Shared::default());
        }
        let there: FxHashSet<String> = share.server.ids()?.into_iter().collect();
        let embedded = self.send_missing(share, &there, progress)?;
        let had = last.map(|(.., hashes)| hashes).unwrap_or_default();
        let gone: Vec<String> =
            had.difference(&wanted).map(|hash| id(*hash)).filter(|id| there.contains(id)).collect();
        if !gone.is_empty() {
            share.server.delete(&gone)?;
        }
        let Standing { identity, records } = share.server.standing()?;
        let value = rows::encode(&(identity, records as u64, wanted));
        self.indexed.store.keep_later(self.indexed.tree, &mark, &value);
        Ok(Shared { embedded, deleted: gone.len() })
    }

    /// What each piece was made of: its hash, its file, its place there.
    fn hashes(&self) -> impl Iterator<Item = (u64, u32, u32)> {
        let docs = (0..).zip(&self.corpus.docs);
        docs.flat_map(|(at, doc)| {
            (0..).zip(&doc.head.pieces).map(move |(piece, head)| (head.hash, at, piece))
        })
    }

    fn send_missing(
        &self,
        share: &Share<'_>,
        there: &FxHashSet<String>,
        progress: &dyn Progress,
    ) -> Result<usize, IndexError> {
        let lacks = |hash: u64| !there.contains(&id(hash));
        let docs: BTreeSet<u32> =
            self.hashes().filter(|(hash, ..)| lacks(*hash)).map(|(_, doc, _)| doc).collect();
        if docs.is_empty() {
            return Ok(0);
        }
        let docs: Vec<u32> = docs.into_iter().collect();
        let records = Records::of(self)?;
        let mut sent: FxHashSet<u64> = FxHashSet::default();
        progress.begin("sending vectors", docs.len() as u64);
        for docs in docs.chunks(AT_ONCE) {
            let mut made = Vec::new();
            for &doc in docs {
                made.extend(records.of_doc(doc, |hash| lacks(hash) && sent.insert(hash))?);
            }
            for batch in made.chunks_mut(share.embedder.batch().max(1)) {
                let passages: Vec<_> = batch.iter().map(|made| made.passage()).collect();
                let vectors = share.embedder.passages(&passages)?;
                for (made, vector) in batch.iter_mut().zip(vectors) {
                    made.record.embedding_vector = rounded(&vector);
                }
            }
            let records: Vec<_> = made.into_iter().map(|made| made.record).collect();
            share.server.upsert(&records)?;
            progress.advance(docs.len() as u64);
        }
        progress.end();
        Ok(sent.len())
    }

    /// As `Corpus::cosines`, of the pieces that matter; the rest counts as far away.
    pub(super) fn shared_cosines(
        &self,
        share: &Share<'_>,
        asked: &[f32],
        words: &Words,
        filter: &Filter,
    ) -> Result<Vec<f32>, IndexError> {
        let asked = rounded(asked);
        let mut cosines = vec![0.0; self.corpus.pieces];
        let mut places: FxHashMap<String, Vec<(u32, usize)>> = FxHashMap::default();
        for (hash, doc, piece) in self.hashes() {
            let at = self.corpus.docs[doc as usize].first_piece + piece;
            places.entry(id(hash)).or_default().push((doc, at as usize));
        }
        let places_of = |id: &str| places.get(id).map_or(&[][..], Vec::as_slice);
        let mut wanted = self.by_words(words);
        for near in share.server.nearest(&asked, NEAREST, filter)? {
            for &(doc, at) in places_of(&near.id) {
                cosines[at] = near.cosine;
                // What stands for the file as a whole counts by itself.
                wanted.insert(id(self.corpus.docs[doc as usize].head.pieces[0].hash));
            }
        }
        let wanted: Vec<String> = wanted.into_iter().collect();
        for (id, vector) in share.server.vectors(&wanted)? {
            let cosine = vector.iter().zip(&asked).map(|(a, b)| a * b).sum();
            for &(_, at) in places_of(&id) {
                cosines[at] = cosine;
            }
        }
        Ok(cosines)
    }

    /// The records of the files that the words lead to most.
    fn by_words(&self, words: &Words) -> BTreeSet<String> {
        let mut docs: Vec<(u32, f32)> = (0..)
            .zip(words.docs.iter().map(|doc| doc.all))
            .filter(|(_, score)| *score > 0.0)
            .collect();
        docs.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        docs.truncate(BY_WORDS);
        docs.into_iter()
            .flat_map(|(doc, _)| &self.corpus.docs[doc as usize].head.pieces)
            .map(|piece| id(piece.hash))
            .collect()
    }
}

/// As the store would keep it, so that both give the same answers.
fn rounded(vector: &[f32]) -> Vec<f32> {
    let mut rows = Rows::new(vector.len());
    rows.push(vector);
    rows.vector(0).unwrap_or_default()
}
