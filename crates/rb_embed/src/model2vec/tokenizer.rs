//! `tokenizer.json`, as far as it is the tokenizer of a BERT model; and the numbers of a text's tokens by it.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::added::{Added, AddedToken, Part};
use super::bert::{self, Normalizer};
use super::error::{Model2VecError, Problem};
use super::files::{File, json};
use super::word_piece::{Model, WordPiece};

/// Looking for them takes memory in proportion; models have a handful, or a few thousand names.
const MOST_ADDED_BYTES: usize = 1 << 20;

pub(super) struct Tokenizer {
    /// In the text as it is.
    added: Added,
    normalizer: Normalizer,
    /// In the normalised text.
    added_normalized: Added,
    words: WordPiece,
    unknown: u32,
    tokens: usize,
    most: Option<usize>,
    /// Of a text, before it is cut into tokens.
    most_chars: Option<usize>,
}

/// What decides whether the rest can be read at all.
#[derive(Deserialize)]
struct Kinds {
    normalizer: Option<Kind>,
    pre_tokenizer: Option<Kind>,
    model: Kind,
}

#[derive(Deserialize)]
struct Kind {
    r#type: Option<String>,
    /// No model but a `WordPiece` has it; old ones have no type.
    max_input_chars_per_word: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Described {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    normalizer: Normalizer,
    model: Model,
}

impl Tokenizer {
    /// `most`: the tokens of a text that count; `None`: all.
    pub(super) fn read(file: &File, most: Option<usize>) -> Result<Self, Model2VecError> {
        json::<Kinds>(file)?.check().map_err(|problem| file.error(problem))?;
        Tokenizer::new(json(file)?, most).map_err(|why| file.error(Problem::Broken(why.to_owned())))
    }

    fn new(described: Described, most: Option<usize>) -> Result<Self, &'static str> {
        let Described { mut added_tokens, normalizer, model } = described;
        if added_tokens.iter().map(|token| token.content.len()).sum::<usize>() > MOST_ADDED_BYTES {
            return Err("it lists too many added tokens");
        }
        for token in &mut added_tokens {
            if let Some(&id) = model.vocab.get(&token.content) {
                token.id = id;
            }
        }
        let unknown = number(&model, &added_tokens).ok_or("its unknown token has no number")?;
        let largest =
            model.vocab.values().copied().chain(added_tokens.iter().map(|token| token.id)).max();
        let median = median_length(&model, &added_tokens);
        let (mut normalized, plain): (Vec<_>, Vec<_>) =
            added_tokens.into_iter().partition(|token| token.normalized);
        for token in &mut normalized {
            token.content = normalizer.apply(&token.content);
        }
        let too_many = "its added tokens are too many to look for";
        Ok(Tokenizer {
            added: Added::new(plain).ok_or(too_many)?,
            normalizer,
            added_normalized: Added::new(normalized).ok_or(too_many)?,
            words: WordPiece::new(model, unknown),
            unknown,
            tokens: largest.map_or(0, |largest| largest as usize + 1),
            most,
            most_chars: most.map(|most| most.saturating_mul(median)),
        })
    }

    /// All tokens have smaller numbers.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    /// The known tokens of a text, as model2vec takes them: the unknown ones count before they are left out.
    pub(super) fn ids(&self, text: &str) -> Vec<u32> {
        let end = self.most_chars.and_then(|most| text.char_indices().nth(most));
        let text = end.map_or(text, |(end, _)| &text[..end]);
        let mut ids = Vec::new();
        for part in self.added.split(text) {
            match part {
                Part::Token(id) => ids.push(id),
                Part::Text(text) => self.push(&self.normalizer.apply(text), &mut ids),
            }
        }
        ids.truncate(self.most.unwrap_or(usize::MAX));
        ids.retain(|&id| id != self.unknown);
        ids
    }

    fn push(&self, text: &str, ids: &mut Vec<u32>) {
        for part in self.added_normalized.split(text) {
            match part {
                Part::Token(id) => ids.push(id),
                Part::Text(text) => bert::words(text).for_each(|word| self.words.push(word, ids)),
            }
        }
    }
}

impl Kinds {
    fn check(self) -> Result<(), Problem> {
        let is_word_piece = self.model.max_input_chars_per_word.is_some();
        let model = self.model.r#type.or_else(|| is_word_piece.then(|| "WordPiece".to_owned()));
        let kind = |kind: Option<Kind>| kind.and_then(|kind| kind.r#type);
        let parts = [
            ("model", model, "WordPiece"),
            ("normalizer", kind(self.normalizer), "BertNormalizer"),
            ("pre_tokenizer", kind(self.pre_tokenizer), "BertPreTokenizer"),
        ];
        match parts.into_iter().find(|(_, kind, known)| kind.as_deref() != Some(*known)) {
            Some((part, kind, known)) => {
                let kind = kind.map(|kind| rb_http::printable(&kind));
                Err(Problem::Tokenizer { part, kind, known })
            }
            None => Ok(()),
        }
    }
}

fn number(model: &Model, added: &[AddedToken]) -> Option<u32> {
    let added = || added.iter().find(|token| token.content == model.unk_token);
    model.vocab.get(&model.unk_token).copied().or_else(|| Some(added()?.id))
}

/// In letters, rounded down. model2vec cuts a text after as many times this as it takes tokens.
fn median_length(model: &Model, added: &[AddedToken]) -> usize {
    let more = added.iter().map(|token| &token.content);
    let more = more.filter(|content| !model.vocab.contains_key(*content));
    let mut lengths: Vec<usize> =
        model.vocab.keys().chain(more).map(|token| token.chars().count()).collect();
    lengths.sort_unstable();
    match lengths.len() {
        0 => 0,
        count if count % 2 == 1 => lengths[count / 2],
        count => usize::midpoint(lengths[count / 2 - 1], lengths[count / 2]),
    }
}
