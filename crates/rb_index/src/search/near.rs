//! A question in other words: for each of its words the nearest one that a file has, as the table of vectors tells.

use std::sync::LazyLock;

use super::corpus::Corpus;
use super::table;
use super::terms::{self, Term};
use crate::store::StoreError;

static BYTES: &[u8] = include_bytes!("../../../../tools/embedding/near.bin");
static NEAR: LazyLock<Near> =
    LazyLock::new(|| Near::read(BYTES).expect("the list that was compiled in is whole"));

/// For each token those nearest to it, nearest first. `tools/embedding/neighbours.py` makes it.
struct Near {
    starts: &'static [[u8; 4]],
    entries: &'static [[u8; 3]],
}

impl Near {
    fn read(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(b"CODENEAR")?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        let (starts, entries) = rest.split_at_checked(4 * (count + 1))?;
        Some(Near { starts: starts.as_chunks().0, entries: entries.as_chunks().0 })
    }

    fn of(&self, token: u32) -> impl Iterator<Item = (u32, f32)> {
        let start = |at: usize| self.starts.get(at).map(|at| u32::from_le_bytes(*at) as usize);
        let at = token as usize;
        let range = start(at).zip(start(at + 1)).map_or(0..0, |(first, last)| first..last);
        self.entries.get(range).unwrap_or_default().iter().map(|[low, high, cosine]| {
            (u32::from(u16::from_le_bytes([*low, *high])), f32::from(*cosine) / 255.0)
        })
    }
}

/// How much of the question each file says in other words: anywhere, and in names or its path.
pub(crate) struct InOtherWords {
    pub(crate) anywhere: Vec<f32>,
    pub(crate) named: Vec<f32>,
}

impl Corpus<'_> {
    pub(crate) fn in_other_words(&self, question: &str) -> Result<InOtherWords, StoreError> {
        let count = self.docs.len();
        let mut found = InOtherWords { anywhere: vec![0.0; count], named: vec![0.0; count] };
        // Which word each file was last met for: the nearest comes first, the others say nothing more.
        let mut met = vec![[0_u32; 2]; count];
        let mut sum = 0.0;
        for (number, (token, weight)) in (1..).zip(table::query_tokens(question)) {
            let own = terms::of_word(table::token_text(token));
            sum += weight;
            let others = NEAR.of(token);
            let others =
                others.map(|(other, cosine)| (terms::of_word(table::token_text(other)), cosine));
            let mut asked: Vec<Term> = Vec::new();
            for (term, cosine) in std::iter::once((own, 1.0)).chain(others) {
                if asked.contains(&term) {
                    continue;
                }
                asked.push(term);
                self.each_posting(term, |posting| {
                    let doc = posting.doc as usize;
                    if met[doc][0] != number {
                        met[doc][0] = number;
                        found.anywhere[doc] += weight * cosine;
                    }
                    let named = posting.piece == 0 || posting.count.names > 0;
                    if named && met[doc][1] != number {
                        met[doc][1] = number;
                        found.named[doc] += weight * cosine;
                    }
                })?;
            }
        }
        if sum > 0.0 {
            found.anywhere.iter_mut().chain(&mut found.named).for_each(|score| *score /= sum);
        }
        Ok(found)
    }
}
