//! What a search gives: files, best first, with their symbols and lines, and what each score is made of.

use serde::Serialize;

/// What was found, best first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Answer {
    pub hits: Vec<Hit>,
    /// Files that could have answered.
    pub searched: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    pub path: String,
    pub language: Option<&'static str>,
    pub score: f32,
    pub parts: Parts,
    /// Words of the question that are in the file, as they were asked.
    pub matched: Vec<String>,
    /// The symbols that answer best.
    pub symbols: Vec<HitSymbol>,
    /// The lines that answer best, in their order.
    pub lines: Vec<MatchedLine>,
}

/// What a score is the sum of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Parts {
    /// The words of the question, in the path, in names and in the text.
    pub words: f32,
    /// What a model makes of the question and of the code.
    pub meaning: f32,
    /// A symbol has exactly the name that was asked for.
    pub exact: f32,
    /// What the files around it say.
    pub graph: f32,
    /// What the file is, whatever is asked.
    pub file: f32,
}

impl Parts {
    pub(super) fn score(&self) -> f32 {
        self.words + self.meaning + self.exact + self.graph + self.file
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HitSymbol {
    pub name: String,
    pub kind: &'static str,
    pub first_line: u32,
    pub last_line: u32,
    /// How near it is in meaning, from 0 to 1.
    pub similarity: f32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatchedLine {
    pub line: u32,
    pub text: String,
}
