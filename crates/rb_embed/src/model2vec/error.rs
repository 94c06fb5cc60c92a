//! Why a folder is no model, and what to do about it.

use std::path::PathBuf;

use rb_core::fs::FsError;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("{} cannot be used: {problem}", path.display())]
pub struct Model2VecError {
    pub path: PathBuf,
    pub problem: Problem,
}

#[derive(Debug, Error)]
pub enum Problem {
    #[error("there is no such file")]
    Missing,
    #[error("it is not a file")]
    NotAFile,
    #[error("it has more than {} MB", most >> 20)]
    TooLarge { most: u64 },
    #[error("{}", .0.source)]
    Unreadable(FsError),
    /// Its bytes are not of the format that its name promises.
    #[error("{0}")]
    Broken(String),
    #[error("its {part} is {}, where {known} is expected", .kind.as_deref().unwrap_or("not named"))]
    Tokenizer { part: &'static str, kind: Option<String>, known: &'static str },
    #[error("its tensor `{tensor}` {why}")]
    Tensor { tensor: &'static str, why: String },
    #[error("its tensor `{tensor}` has {rows} rows for the {tokens} tokens of tokenizer.json")]
    Vocabulary { tensor: &'static str, rows: usize, tokens: usize },
}

impl Model2VecError {
    pub fn hint(&self) -> &'static str {
        match self.problem {
            Problem::Missing | Problem::NotAFile => {
                "name the folder that holds model.safetensors, tokenizer.json and config.json"
            }
            Problem::TooLarge { .. } => "choose a smaller model",
            Problem::Unreadable(_) => "see that you may read the file",
            Problem::Broken(_) => "copy the file again from where the model comes from",
            Problem::Tokenizer { .. } => {
                "choose a model with the WordPiece tokenizer of BERT, such as potion-base-8M"
            }
            Problem::Tensor { .. } => {
                "choose a static model, saved by model2vec with `save_pretrained`"
            }
            Problem::Vocabulary { .. } => {
                "take model.safetensors and tokenizer.json from the same model"
            }
        }
    }
}
