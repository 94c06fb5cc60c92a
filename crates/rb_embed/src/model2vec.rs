//! A model2vec folder of the user's as an embedder: a vector for each token, and their mean for a text.
//!
//! Reads what `StaticModel.save_pretrained` writes, where the tokenizer is the `WordPiece` of BERT models; other
//! tokenizers are refused by name. Nothing is ever downloaded. The bytes of a folder are not trusted: sizes are bounded,
//! and every number that points somewhere is checked before it is followed.

mod added;
mod bert;
mod error;
mod files;
mod safetensors;
mod table;
mod tokenizer;
mod word_piece;

use std::path::Path;

use rb_index::search::embed::{EmbedError, Embedder, Passage};
use serde::Deserialize;

pub use error::{Model2VecError, Problem};
use files::{Files, json};
use table::Table;
use tokenizer::Tokenizer;

/// What model2vec itself takes where `config.json` says nothing.
const MOST_TOKENS: usize = 512;

pub struct Model2Vec {
    name: String,
    tokenizer: Tokenizer,
    table: Table,
}

/// `normalize` is not read: vectors always come in unit length, because only their directions are compared.
#[derive(Deserialize)]
struct Config {
    /// `null`: all of them.
    #[serde(default = "most_tokens")]
    max_length: Option<usize>,
}

impl Model2Vec {
    /// Reads the whole folder, so that it may change or go away afterwards.
    pub fn open(folder: &Path) -> Result<Self, Model2VecError> {
        let files = Files::read(folder)?;
        let name = format!("model2vec {} {}", files.folder_name(), files.hash().short());
        let most = match &files.config {
            Some(config) => json::<Config>(config)?.max_length,
            None => most_tokens(),
        };
        let tokenizer = Tokenizer::read(&files.tokenizer, most)?;
        let table = Table::read(files.model, tokenizer.tokens())?;
        Ok(Model2Vec { name, tokenizer, table })
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        self.table.mean(&self.tokenizer.ids(text))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is the default of an optional field")]
fn most_tokens() -> Option<usize> {
    Some(MOST_TOKENS)
}

impl Embedder for Model2Vec {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.table.dimensions()
    }

    fn is_local(&self) -> bool {
        true
    }

    fn batch(&self) -> usize {
        256
    }

    /// A text without any known token gets a vector of zeros.
    fn passages(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(passages.iter().map(|passage| self.embed(&passage.text())).collect())
    }

    fn question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(self.embed(text))
    }
}
