//! What the words of a question say of each file and each piece.

use super::corpus::{Corpus, Posting};
use super::doc::Count;
use super::number;
use super::terms::{AskedKind, QueryTerm};
use crate::store::StoreError;

/// What the words say. All of it is between 0 and about 1.
pub(crate) struct Words {
    pub(crate) docs: Vec<DocWords>,
    pub(crate) pieces: Vec<PieceWords>,
    /// How much each term of the question tells.
    pub(crate) weights: Vec<f32>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DocWords {
    /// All places together, BM25 over weighted places.
    pub(crate) all: f32,
    pub(crate) folder: f32,
    pub(crate) file_name: f32,
    pub(crate) names: f32,
    pub(crate) text: f32,
    /// The share of the question that is anywhere in the file; in its path or in names.
    pub(crate) share: f32,
    pub(crate) share_named: f32,
    /// Names of several parts that are in the question as one word.
    pub(crate) name_defined: f32,
    pub(crate) name_used: f32,
    /// Two words of the question that are one name in the code.
    pub(crate) pair_defined: f32,
    pub(crate) pair_used: f32,
    /// The name of the file is a word of the question, or two of them.
    pub(crate) file_named: f32,
    /// Which terms it has, and which are in its path; a bit for each of the first.
    pub(crate) matched: u64,
    pub(crate) in_path: u64,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PieceWords {
    pub(crate) all: f32,
    /// Which terms it has, a bit for each of the first.
    pub(crate) matched: u64,
    /// The share that is in the names it defines, and how many of their terms these are.
    pub(crate) named: f32,
    pub(crate) named_terms: f32,
}

/// Weights of places, how much length counts in each, and where counts saturate.
const PLACES: [(f32, f32); 4] = [(14.0, 0.75), (36.0, 0.75), (1.5, 0.2), (1.0, 0.6)];
const SATURATION: f32 = 6.0;
const PIECE: [(f32, f32); 2] = [(2.0, 0.3), (1.0, 0.6)];
const PIECE_SATURATION: f32 = 1.5;
/// For each place alone: how much length counts, and where counts saturate.
const ALONE: [(f32, f32); 4] = [(0.5, 0.3), (0.5, 0.3), (0.2, 1.5), (0.6, 6.0)];
/// Rare terms tell more, but not as much more as their rarity.
const RARITY: f32 = 0.75;

impl Words {
    /// How much some of the terms tell together.
    pub(crate) fn share(&self, mut matched: u64) -> f32 {
        let mut share = 0.0;
        while matched != 0 {
            share += self.weights[matched.trailing_zeros() as usize];
            matched &= matched - 1;
        }
        share
    }
}

impl Corpus<'_> {
    pub(crate) fn words(&self, asked: &[QueryTerm]) -> Result<Words, StoreError> {
        let mut words = Words {
            docs: vec![DocWords::default(); self.docs.len()],
            pieces: vec![PieceWords::default(); self.pieces],
            weights: Vec::with_capacity(asked.len()),
        };
        let postings: Vec<Vec<Posting>> =
            asked.iter().map(|asked| self.postings(asked.term)).collect::<Result<_, _>>()?;
        let rarity: Vec<f32> = postings.iter().map(|postings| self.rarity(postings)).collect();
        let parts = || asked.iter().zip(&rarity).filter(|(asked, _)| asked.kind == AskedKind::Part);
        let sum: f32 = parts().map(|(_, rarity)| rarity).sum();
        let weight_sum: f32 = parts().map(|(_, rarity)| rarity.powf(RARITY)).sum();
        for (at, asked) in asked.iter().enumerate() {
            let by_doc = postings[at].chunk_by(|a, b| a.doc == b.doc);
            match asked.kind {
                AskedKind::Part => {
                    let weight = rarity[at].powf(RARITY) / weight_sum.max(1e-9);
                    words.weights.push(weight);
                    for of_doc in by_doc {
                        self.part(&mut words, of_doc, weight, bit(at));
                    }
                }
                AskedKind::Name | AskedKind::Joined => {
                    let weight = rarity[at] / sum.max(1.0);
                    words.weights.push(weight);
                    for of_doc in by_doc {
                        name(&mut words, of_doc, weight, asked.kind);
                        if asked.kind == AskedKind::Name {
                            words.docs[of_doc[0].doc as usize].matched |= bit(at);
                        }
                    }
                }
            }
        }
        Ok(words)
    }

    /// How rare a term is: its inverse document frequency.
    fn rarity(&self, postings: &[Posting]) -> f32 {
        let (count, all) = (doc_count(postings), number(self.docs.len()));
        (1.0 + (all - count + 0.5) / (count + 0.5)).ln()
    }

    /// A word, or a part of a name.
    fn part(&self, words: &mut Words, postings: &[Posting], weight: f32, bit: u64) {
        let doc = &self.docs[postings[0].doc as usize];
        let (path, rest) = split_path(postings);
        let mut inside = [0.0; 2];
        for posting in rest {
            let Count { text, names } = posting.count;
            inside[0] += f32::from(names);
            inside[1] += f32::from(text);
        }
        let counts = [f32::from(path.text), f32::from(path.names), inside[0], inside[1]];
        let means = &self.means;
        let lengths = [
            f32::from(doc.head.folder_terms) / means.folder,
            f32::from(doc.head.name_terms) / means.file_name,
            doc.names / means.names,
            doc.text / means.text,
        ];
        let scaled = |place: usize, b: f32| counts[place] / (1.0 - b + b * lengths[place]);
        let of_doc = &mut words.docs[postings[0].doc as usize];
        let all: f32 = (0..4).map(|place| PLACES[place].0 * scaled(place, PLACES[place].1)).sum();
        of_doc.all += weight * all / (SATURATION + all);
        let alone =
            [&mut of_doc.folder, &mut of_doc.file_name, &mut of_doc.names, &mut of_doc.text];
        for (place, sum) in alone.into_iter().enumerate() {
            let (b, saturation) = ALONE[place];
            let count = scaled(place, b);
            *sum += weight * count / (saturation + count);
        }
        let in_path = path.text > 0 || path.names > 0;
        of_doc.matched |= bit;
        of_doc.share += weight;
        of_doc.share_named += if in_path || inside[0] > 0.0 { weight } else { 0.0 };
        of_doc.in_path |= if in_path { bit } else { 0 };
        for posting in rest {
            let head = &doc.head.pieces[posting.piece as usize];
            let piece = &mut words.pieces[(doc.first_piece + posting.piece) as usize];
            let Count { text, names } = posting.count;
            let scaled = |count: u8, (weight, b): (f32, f32), length: f32| {
                weight * f32::from(count) / (1.0 - b + b * length)
            };
            let all = scaled(names, PIECE[0], f32::from(head.names) / means.piece_names)
                + scaled(text, PIECE[1], f32::from(head.text) / means.piece_text);
            piece.all += weight * all / (PIECE_SATURATION + all);
            piece.matched |= bit;
            if names > 0 {
                piece.named += weight;
                piece.named_terms += 1.0;
            }
        }
    }
}

/// None for what is asked late in a long question.
fn bit(at: usize) -> u64 {
    u32::try_from(at).ok().and_then(|at| 1_u64.checked_shl(at)).unwrap_or(0)
}

/// Several parts as one name.
fn name(words: &mut Words, postings: &[Posting], weight: f32, kind: AskedKind) {
    let (path, rest) = split_path(postings);
    let names: usize = rest.iter().map(|posting| usize::from(posting.count.names)).sum();
    let text: usize = rest.iter().map(|posting| usize::from(posting.count.text)).sum();
    let saturated = |count: usize| weight * number(count) / (number(count) + 1.0);
    let doc = &mut words.docs[postings[0].doc as usize];
    doc.file_named += saturated(path.names.into());
    if kind == AskedKind::Name {
        doc.name_defined += saturated(names);
        doc.name_used += saturated(text);
    } else {
        doc.pair_defined += saturated(names);
        doc.pair_used += saturated(text);
    }
}

/// What is in the path, and what in the pieces.
fn split_path(postings: &[Posting]) -> (Count, &[Posting]) {
    match postings.split_first() {
        Some((path, rest)) if path.piece == 0 => (path.count, rest),
        _ => (Count::default(), postings),
    }
}

fn doc_count(postings: &[Posting]) -> f32 {
    number(postings.chunk_by(|a, b| a.doc == b.doc).count())
}
