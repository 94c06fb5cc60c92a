//! The model that is always there: a table of sub-word vectors, compiled in. `tools/embedding` makes it and says how it is read.

use std::hash::Hasher as _;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::embed::{EmbedError, Embedder, Passage};
use super::terms::Parts;

static BYTES: &[u8] = include_bytes!("../../../../tools/embedding/code.vec");
static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(BYTES).expect("the table that was compiled in is whole"));

/// A text is a weighted mean of the rows of its sub-words.
pub(crate) struct Table {
    mix: [f32; ROLES],
    texts: Vec<&'static [u8]>,
    tokens: FxHashMap<&'static [u8], u32>,
    longest: usize,
    /// By role, then by token.
    weights: Vec<f32>,
    scales: Vec<f32>,
    rows: &'static [u8],
    dimensions: usize,
}

const ROLES: usize = 5;

/// What a text is, which decides how its words are weighed. In the order of the table.
#[derive(Debug, Clone, Copy)]
enum Role {
    Query,
    Path,
    Symbol,
    Doc,
    Body,
}

impl Role {
    /// The most distinct words that count.
    fn limit(self) -> usize {
        match self {
            Role::Query | Role::Symbol => 40,
            Role::Path => 20,
            Role::Doc => 80,
            Role::Body => 160,
        }
    }
}

/// Words shorter or longer say nothing.
const WORD: std::ops::RangeInclusive<usize> = 2..=24;
const LONGEST_NUMBER: usize = 4;
const SHORTEST_CUT: usize = 3;

impl Table {
    fn read(bytes: &'static [u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(b"CODEVEC1")?;
        let mut take = |count: usize| rest.split_off(..count);
        let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
        let count = number(take(4)?)?;
        let dimensions = number(take(4)?)?;
        let vocabulary = number(take(4)?)?;
        let mix = floats(take(4 * ROLES)?);
        let texts: Vec<&[u8]> = take(vocabulary)?.split(|byte| *byte == b'\n').collect();
        let tokens: FxHashMap<_, _> = texts.iter().copied().zip(0..).collect();
        let weights = take(ROLES * count)?;
        let weights = weights.iter().map(|code| ((f32::from(*code) - 128.0) / 16.0).exp2());
        let weights = weights.collect();
        let scales = floats(take(4 * count)?);
        let rows = take(count * dimensions)?;
        let longest = tokens.keys().map(|token| token.len()).max()?;
        let mix = mix.try_into().ok()?;
        Some(Table { mix, texts, tokens, longest, weights, scales, rows, dimensions })
    }

    fn token(&self, word: &[u8]) -> Option<u32> {
        self.tokens.get(word).copied()
    }

    /// A known word, or the longest known parts of it, from the left.
    fn each_token(&self, word: &[u8], mut each: impl FnMut(u32)) {
        if let Some(token) = self.token(word) {
            each(token);
            return;
        }
        let mut rest = word;
        while rest.len() >= SHORTEST_CUT {
            let longest = rest.len().min(self.longest);
            let cut = (SHORTEST_CUT..=longest)
                .rev()
                .find_map(|length| Some((length, self.token(&rest[..length])?)));
            match cut {
                Some((length, token)) => {
                    each(token);
                    rest = &rest[length..];
                }
                None => rest = &rest[1..],
            }
        }
    }

    /// Adds the mean of a text, weighed by its role, to a vector.
    fn add(&self, vector: &mut [f32], role: Role, text: &str, scratch: &mut Scratch) {
        scratch.clear();
        each_sub_word(text, role.limit(), &mut scratch.seen, |word| {
            self.each_token(word, |token| scratch.tokens.push(token));
        });
        let count = self.scales.len();
        let weights = &self.weights[role as usize * count..][..count];
        let sum: f32 = scratch.tokens.iter().map(|&token| weights[token as usize]).sum();
        if scratch.tokens.is_empty() || sum <= 0.0 {
            return;
        }
        for &token in &scratch.tokens {
            let at = token as usize;
            let factor = self.mix[role as usize] * weights[at] * self.scales[at] / sum;
            let row = &self.rows[at * self.dimensions..][..self.dimensions];
            for (sum, component) in vector.iter_mut().zip(row) {
                *sum += factor * f32::from(component.cast_signed());
            }
        }
    }

    fn embed(&self, parts: &[(Role, &str)], scratch: &mut Scratch) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimensions];
        for (role, text) in parts {
            self.add(&mut vector, *role, text, scratch);
        }
        let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
        if length > 0.0 {
            for component in &mut vector {
                *component /= length;
            }
        }
        vector
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| f32::from_le_bytes(*word)).collect()
}

#[derive(Default)]
struct Scratch {
    seen: FxHashSet<u64>,
    tokens: Vec<u32>,
}

impl Scratch {
    fn clear(&mut self) {
        self.seen.clear();
        self.tokens.clear();
    }
}

/// Runs of ASCII letters, cut where their case changes, and of digits; lower case, each once, so many at most.
fn each_sub_word(text: &str, limit: usize, seen: &mut FxHashSet<u64>, mut each: impl FnMut(&[u8])) {
    let mut lower = [0; *WORD.end()];
    for run in text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()) {
        for part in (Parts { rest: run }) {
            let longest = if part[0].is_ascii_digit() { LONGEST_NUMBER } else { *WORD.end() };
            if part.len() < *WORD.start() || part.len() > longest {
                continue;
            }
            let word = &mut lower[..part.len()];
            word.copy_from_slice(part);
            word.make_ascii_lowercase();
            let mut hasher = FxHasher::default();
            hasher.write(word);
            let hash = hasher.finish();
            if seen.contains(&hash) {
                continue;
            }
            if seen.len() == limit {
                return;
            }
            seen.insert(hash);
            each(word);
        }
    }
}

/// The tokens of a question, each once, with how much they weigh there.
pub(super) fn query_tokens(question: &str) -> Vec<(u32, f32)> {
    let mut tokens: Vec<(u32, f32)> = Vec::new();
    each_sub_word(question, Role::Query.limit(), &mut FxHashSet::default(), |word| {
        TABLE.each_token(word, |token| {
            if !tokens.iter().any(|(known, _)| *known == token) {
                tokens.push((token, TABLE.weights[token as usize]));
            }
        });
    });
    tokens
}

pub(super) fn token_text(token: u32) -> &'static [u8] {
    TABLE.texts.get(token as usize).copied().unwrap_or_default()
}

/// The table as an embedder.
pub struct Local;

impl Embedder for Local {
    fn model(&self) -> &'static str {
        "local-1"
    }

    fn dimensions(&self) -> usize {
        TABLE.dimensions
    }

    fn is_local(&self) -> bool {
        true
    }

    fn batch(&self) -> usize {
        256
    }

    fn passages(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut scratch = Scratch::default();
        let embed = |passage: &Passage<'_>| {
            let parts = [
                (Role::Path, passage.path),
                (Role::Symbol, passage.names),
                (Role::Doc, passage.doc),
                (Role::Body, passage.body),
            ];
            TABLE.embed(&parts, &mut scratch)
        };
        Ok(passages.iter().map(embed).collect())
    }

    fn question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(TABLE.embed(&[(Role::Query, text)], &mut Scratch::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The makers of the table wrote down what a reader must find.
    #[test]
    fn ix6_the_table_reads_as_its_makers_say() {
        let checks = include_str!("../../../../tools/embedding/checks.json");
        let checks: serde_json::Value = serde_json::from_str(checks).unwrap();
        let checks = checks.as_array().unwrap();
        assert!(checks.len() >= 10);
        for check in checks {
            let text = |role: &str| check["texts"][role].as_str().unwrap_or_default();
            let parts = [
                (Role::Query, text("query")),
                (Role::Path, text("path")),
                (Role::Symbol, text("symbol")),
                (Role::Doc, text("doc")),
                (Role::Body, text("body")),
            ];
            let vector = TABLE.embed(&parts, &mut Scratch::default());
            let first = check["first"].as_array().unwrap();
            for (found, wanted) in vector.iter().zip(first) {
                let off = f64::from(*found) - wanted.as_f64().unwrap();
                assert!(off.abs() < 2e-5, "{check}: {found}");
            }
            let length: f32 = vector.iter().map(|component| component * component).sum();
            let wanted = check["length"].as_f64().unwrap();
            assert!((f64::from(length.sqrt()) - wanted).abs() < 1e-4, "{check}");
        }
    }

    #[test]
    fn ix6_the_local_model_needs_less_than_ten_megabytes() {
        assert!(BYTES.len() < 10_000_000, "{}", BYTES.len());
    }
}
