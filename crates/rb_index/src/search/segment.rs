//! Postings of some files, written once and never changed.
//!
//! A segment says for each term in which pieces of which of its files it is. An edit makes a small segment of its own; which
//! files of a segment still count is for the reader to know. Many small ones are merged into a larger one.

use super::doc::{Count, Doc, DocHead, Entry};
use super::terms::Term;

/// Files of a segment, and pieces of a file: both must fit into the key that entries are sorted by.
pub(crate) const MOST_DOCS: usize = 1 << 12;
/// The most entries held in memory while a segment is made.
const MOST_ENTRIES: usize = 4 << 20;
/// Bytes of a block, about: it is read as a whole for one term.
const BLOCK: usize = 8 << 10;

#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) docs: Vec<DocHead>,
    /// Term, file, piece and count in one number, so that sorting is quick.
    entries: Vec<u64>,
}

pub(crate) struct Encoded {
    pub(crate) docs: Vec<DocHead>,
    /// By their first term, ascending.
    pub(crate) blocks: Vec<(Term, Vec<u8>)>,
}

impl Builder {
    pub(crate) fn is_full(&self) -> bool {
        self.docs.len() == MOST_DOCS || self.entries.len() >= MOST_ENTRIES
    }

    pub(crate) fn push(&mut self, doc: Doc) {
        self.push_entries(doc.head, &doc.entries);
    }

    pub(crate) fn push_entries(&mut self, head: DocHead, entries: &[Entry]) {
        let at = self.docs.len() as u64;
        self.entries.extend(entries.iter().map(|entry| {
            u64::from(entry.term) << 32
                | at << 20
                | u64::from(entry.piece) << 8
                | u64::from(entry.count.byte())
        }));
        self.docs.push(head);
    }

    pub(crate) fn finish(mut self) -> Encoded {
        self.entries.sort_unstable();
        let mut blocks = Vec::new();
        let mut block = BlockBuilder::default();
        for term in self.entries.chunk_by(|a, b| a >> 32 == b >> 32) {
            block.push(term);
            if block.bytes.len() >= BLOCK {
                blocks.push(std::mem::take(&mut block).finish());
            }
        }
        if !block.terms.is_empty() {
            blocks.push(block.finish());
        }
        Encoded { docs: self.docs, blocks }
    }
}

#[derive(Default)]
struct BlockBuilder {
    terms: Vec<Term>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl BlockBuilder {
    fn push(&mut self, entries: &[u64]) {
        let (mut last_doc, mut last_piece) = (0, 0);
        for &entry in entries {
            let (doc, piece) = ((entry >> 20) & 0xfff, (entry >> 8) & 0xfff);
            let same_doc = doc == last_doc;
            let piece_gap = if same_doc { piece - last_piece } else { piece };
            // Two gaps in one number: most are small.
            varint(&mut self.bytes, (doc - last_doc) << 5 | piece_gap.min(31));
            if piece_gap >= 31 {
                varint(&mut self.bytes, piece_gap - 31);
            }
            self.bytes.push((entry & 0xff).try_into().expect("masked"));
            (last_doc, last_piece) = (doc, piece);
        }
        self.terms.push((entries[0] >> 32).try_into().expect("shifted"));
        self.ends.push(u32::try_from(self.bytes.len()).expect("a block is small"));
    }

    fn finish(self) -> (Term, Vec<u8>) {
        let count = u32::try_from(self.terms.len()).expect("a block is small");
        let mut bytes = count.to_le_bytes().to_vec();
        for number in self.terms.iter().chain(&self.ends) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.bytes);
        (self.terms[0], bytes)
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).expect("masked") | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).expect("below 128"));
}

/// A block as it was written. What is not in it, or damaged, reads as nothing.
pub(crate) struct Block<'a> {
    terms: &'a [[u8; 4]],
    ends: &'a [[u8; 4]],
    bytes: &'a [u8],
}

impl<'a> Block<'a> {
    pub(crate) fn open(data: &'a [u8]) -> Option<Self> {
        let (count, rest) = data.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        let (terms, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
        let (ends, bytes) = rest.split_at_checked(count * 4)?;
        Some(Block { terms: terms.as_chunks().0, ends: ends.as_chunks().0, bytes })
    }

    pub(crate) fn find(&self, term: Term) -> Option<Postings<'a>> {
        let at = self.terms.binary_search_by_key(&term, |bytes| u32::from_le_bytes(*bytes)).ok()?;
        self.postings(at)
    }

    fn postings(&self, at: usize) -> Option<Postings<'a>> {
        let end = |at: usize| Some(u32::from_le_bytes(*self.ends.get(at)?) as usize);
        let start = at.checked_sub(1).map_or(Some(0), end)?;
        Some(Postings { rest: self.bytes.get(start..end(at)?)?, doc: 0, piece: 0 })
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (Term, Postings<'a>)> {
        (0..self.terms.len())
            .filter_map(|at| Some((u32::from_le_bytes(self.terms[at]), self.postings(at)?)))
    }
}

/// Where one term is: file, piece and how often, in order.
pub(crate) struct Postings<'a> {
    rest: &'a [u8],
    doc: u32,
    piece: u32,
}

impl Iterator for Postings<'_> {
    type Item = (u32, u32, Count);

    fn next(&mut self) -> Option<(u32, u32, Count)> {
        let gaps = self.varint()?;
        let mut piece_gap = gaps & 31;
        if piece_gap == 31 {
            piece_gap = piece_gap.saturating_add(self.varint()?);
        }
        let doc_gap = gaps >> 5;
        // What is damaged leads out of the segment, where the reader stops.
        let from = if doc_gap == 0 { self.piece } else { 0 };
        self.piece = from.saturating_add(piece_gap);
        self.doc = self.doc.saturating_add(doc_gap);
        let (count, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some((self.doc, self.piece, Count::from_byte(*count)))
    }
}

impl Postings<'_> {
    fn varint(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in [0, 7, 14, 21] {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}
