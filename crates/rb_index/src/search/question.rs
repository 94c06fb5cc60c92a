//! What is asked for, and which files and symbols may answer.

use rb_lang::{Language, SymbolKind};

use super::doc::{DocHead, PieceHead};
use super::{remote, terms};
use crate::walk::{BadGlob, Globs};

/// A question in plain words, or the name of something.
#[derive(Debug, Clone, Default)]
pub struct Question {
    pub text: String,
    pub limit: usize,
    /// Any of these; all where there is none.
    pub languages: Vec<Language>,
    /// Any of these; all where there is none. With one, only symbols answer.
    pub kinds: Vec<SymbolKind>,
    /// Paths must match one of these globs, if there are any.
    pub paths: Vec<String>,
    /// The best lines of the whole file are shown, not three of its best part: for a question about one file.
    pub whole_file: bool,
    pub signals: Signals,
}

/// Which signals take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signals {
    pub words: bool,
    pub vectors: bool,
    /// What the files around it score. It brought nothing on questions with known answers, so it is not asked by itself.
    pub graph: bool,
}

impl Default for Signals {
    fn default() -> Self {
        Signals { words: true, vectors: true, graph: false }
    }
}

impl Question {
    /// What of it a vector server can decide.
    pub(super) fn on_server(&self) -> remote::Filter {
        remote::Filter {
            languages: self.languages.iter().map(|language| language.id().to_owned()).collect(),
            kinds: self.kinds.iter().map(|kind| kind.name().to_owned()).collect(),
        }
    }
}

/// Which files and pieces may answer.
pub(super) struct Filter<'a> {
    question: &'a Question,
    paths: Globs,
}

impl<'a> Filter<'a> {
    pub(super) fn of(question: &'a Question) -> Result<Self, BadGlob> {
        Ok(Filter { question, paths: Globs::new(&question.paths)? })
    }

    pub(super) fn shows_whole_file(&self) -> bool {
        self.question.whole_file
    }

    pub(super) fn passes(&self, path: &str, doc: &DocHead) -> bool {
        let languages = &self.question.languages;
        (languages.is_empty() || doc.language.is_some_and(|language| languages.contains(&language)))
            && (self.paths.is_empty() || self.paths.covers(path.as_bytes()))
    }

    pub(super) fn passes_piece(&self, piece: &PieceHead) -> bool {
        let kinds = &self.question.kinds;
        kinds.is_empty() || piece.kind.is_some_and(|kind| kinds.contains(&kind))
    }
}

/// Names in a question that may be meant exactly as they are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    /// Nothing else is asked for.
    pub(super) alone: bool,
}

/// Those that look like code; a word alone may be a name, too.
pub(super) fn names(text: &str) -> Vec<Named<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let alone = words.len() == 1;
    let mut names: Vec<Named<'_>> = Vec::new();
    for word in words {
        let quoted = word.contains('`') || word.contains('(');
        let word = word.split('(').next().unwrap_or_default();
        let last =
            word.rsplit(['.', ':', '#', '/']).find(|part| !part.trim_matches(is_mark).is_empty());
        let name = last.unwrap_or_default().trim_matches(is_mark);
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        if is_name
            && (alone || quoted || looks_like_code(name))
            && !names.iter().any(|n| n.name == name)
        {
            names.push(Named { name, alone });
        }
    }
    names
}

fn is_mark(c: char) -> bool {
    !(c.is_alphanumeric() || c == '_' || c == '$')
}

/// Several parts in one word.
fn looks_like_code(name: &str) -> bool {
    let parts = terms::Parts { rest: name.as_bytes() };
    name.contains('_') || parts.filter(|part| !part[0].is_ascii_digit()).count() > 1
}
