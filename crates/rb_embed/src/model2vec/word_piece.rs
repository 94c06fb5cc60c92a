//! A word as the fewest pieces of a vocabulary that greed finds: the longest beginning, and so on with the rest.

use std::collections::HashMap;

use serde::Deserialize;

/// A longer word is none; the tables of real models say a hundred.
const MOST_CHARS: usize = 1000;

/// The vocabulary as `tokenizer.json` holds it.
#[derive(Deserialize)]
pub(super) struct Model {
    #[serde(default = "unknown")]
    pub(super) unk_token: String,
    #[serde(default = "prefix")]
    continuing_subword_prefix: String,
    #[serde(default = "hundred")]
    max_input_chars_per_word: usize,
    pub(super) vocab: HashMap<String, u32>,
}

fn unknown() -> String {
    "[UNK]".to_owned()
}

fn prefix() -> String {
    "##".to_owned()
}

fn hundred() -> usize {
    100
}

pub(super) struct WordPiece {
    /// Pieces at the beginning of a word.
    heads: HashMap<String, u32>,
    /// Pieces within a word, without the prefix that marks them.
    tails: HashMap<String, u32>,
    /// No piece has more bytes.
    longest: usize,
    most_chars: usize,
    unknown: u32,
}

impl WordPiece {
    pub(super) fn new(model: Model, unknown: u32) -> Self {
        let prefix = &model.continuing_subword_prefix;
        let tail =
            |(piece, &id): (&String, &u32)| Some((piece.strip_prefix(prefix)?.to_owned(), id));
        WordPiece {
            tails: model.vocab.iter().filter_map(tail).collect(),
            longest: model.vocab.keys().map(String::len).max().unwrap_or(0),
            heads: model.vocab,
            most_chars: model.max_input_chars_per_word.min(MOST_CHARS),
            unknown,
        }
    }

    /// Appends the pieces of a word; a word that is not made of known ones is unknown as a whole.
    pub(super) fn push(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        if word.chars().nth(self.most_chars).is_some() || self.cut(word, ids).is_none() {
            ids.truncate(before);
            ids.push(self.unknown);
        }
    }

    fn cut(&self, word: &str, ids: &mut Vec<u32>) -> Option<()> {
        let mut rest = word;
        while !rest.is_empty() {
            let pieces = if rest.len() == word.len() { &self.heads } else { &self.tails };
            let mut ends = (1..=rest.len().min(self.longest)).rev();
            let (end, id) = ends.find_map(|end| Some((end, pieces.get(rest.get(..end)?)?)))?;
            ids.push(*id);
            rest = &rest[end..];
        }
        Some(())
    }
}
