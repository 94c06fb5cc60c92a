//! Text to vectors: what any embedding model must do to be searched with.

use std::error::Error;

use thiserror::Error;

/// A symbol or a stretch of a file, in the parts that a model may weigh differently.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Passage<'a> {
    pub path: &'a str,
    /// Names that are defined in it.
    pub names: &'a str,
    /// Its comments.
    pub doc: &'a str,
    /// All other lines.
    pub body: &'a str,
}

impl Passage<'_> {
    /// As one text, for models that know no parts.
    pub fn text(&self) -> String {
        let parts = [self.path, self.names, self.doc, self.body];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n")
    }
}

/// A model that embeds passages and questions into one space, in which near means alike.
pub trait Embedder: Send + Sync {
    /// Names the model, its version and its size: vectors of different names are never compared.
    fn model(&self) -> &str;

    fn dimensions(&self) -> usize;

    /// It costs nothing but a little time of this machine.
    fn is_local(&self) -> bool {
        false
    }

    /// How many passages to hand over at a time.
    fn batch(&self) -> usize;

    /// One vector for each passage, of any length.
    fn passages(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<f32>>, EmbedError>;

    fn question(&self, text: &str) -> Result<Vec<f32>, EmbedError>;
}

/// Why there are no vectors, and what to do about it.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct EmbedError {
    pub message: String,
    pub hint: Option<String>,
    #[source]
    pub source: Option<Box<dyn Error + Send + Sync>>,
}
