//! A file of the project as agents see it and write it: a path and a text.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextFile {
    /// Relative to the root of the project, with `/`.
    pub path: String,
    pub text: String,
}

impl TextFile {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> TextFile {
        TextFile { path: path.into(), text: text.into() }
    }
}
