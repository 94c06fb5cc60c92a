//! A server that keeps the vectors in place of the store, so that several machines share them.

use serde::Serialize;

use super::embed::EmbedError;

/// One collection on a vector server: of one repository, embedded by one model.
pub trait VectorServer: Send + Sync {
    /// Where it is, for people.
    fn place(&self) -> String;

    /// Which collection it is, and how many records it has. Another identity: it was made anew since.
    fn standing(&self) -> Result<Standing, EmbedError>;

    /// The ids of all records, sorted.
    fn ids(&self) -> Result<Vec<String>, EmbedError>;

    /// Writes records, over those of the same id. In as many requests as the server wants.
    fn upsert(&self, records: &[Record]) -> Result<(), EmbedError>;

    fn delete(&self, ids: &[String]) -> Result<(), EmbedError>;

    /// The nearest records by cosine, nearest first, of those that the filter lets pass.
    fn nearest(
        &self,
        vector: &[f32],
        count: usize,
        filter: &Filter,
    ) -> Result<Vec<Near>, EmbedError>;

    /// The vectors of those ids that are there.
    fn vectors(&self, ids: &[String]) -> Result<Vec<(String, Vec<f32>)>, EmbedError>;
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standing {
    pub identity: String,
    pub records: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    pub id: String,
    pub cosine: f32,
}

/// What of a collection is asked for. Empty lists let everything pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Any of these languages.
    pub languages: Vec<String>,
    /// Any of these kinds of symbols.
    pub kinds: Vec<String>,
}

/// One embedded symbol or file, with what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    pub id: String,
    pub file_path: String,
    /// Empty for a piece of a file that is no symbol.
    pub symbol: String,
    /// The kind of the symbol, or `file`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Files of the repository that the file imports.
    pub dependencies: Vec<String>,
    /// Packages that it imports.
    pub imports: Vec<String>,
    /// SHA-256 of the text that was embedded.
    pub hash: String,
    pub embedding_vector: Vec<f32>,
    /// Only in a React project.
    pub react_metadata: Option<ReactMetadata>,
    pub language: String,
    pub first_line: u32,
    pub last_line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReactMetadata {
    pub is_component: bool,
    /// `None` where the project has no server components.
    pub is_server_component: Option<bool>,
    pub uses_hooks: Vec<String>,
    pub has_suspense_boundary: bool,
    pub is_barrel_file: bool,
}
