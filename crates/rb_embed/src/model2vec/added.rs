//! Tokens that are looked for in the whole text, before it is cut into words: `[PAD]` and its like, and names of
//! many words.

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;

/// How `tokenizer.json` lists them. The spaces around one do not matter: no word has any.
#[derive(Deserialize)]
pub(super) struct AddedToken {
    pub(super) id: u32,
    pub(super) content: String,
    #[serde(default)]
    single_word: bool,
    /// It is looked for in the normalised text.
    #[serde(default)]
    pub(super) normalized: bool,
}

/// What lies between added tokens, and these themselves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'t> {
    Text(&'t str),
    Token(u32),
}

/// The longest of those that begin first is found.
pub(super) struct Added {
    tokens: Vec<AddedToken>,
    finder: Option<AhoCorasick>,
}

impl Added {
    /// `None` where they are too many to look for.
    pub(super) fn new(mut tokens: Vec<AddedToken>) -> Option<Self> {
        tokens.retain(|token| !token.content.is_empty());
        let finder = match &tokens[..] {
            [] => None,
            tokens => {
                let texts = tokens.iter().map(|token| &token.content);
                let mut builder = AhoCorasick::builder();
                Some(builder.match_kind(MatchKind::LeftmostLongest).build(texts).ok()?)
            }
        };
        Some(Added { tokens, finder })
    }

    pub(super) fn split<'t>(&self, text: &'t str) -> Vec<Part<'t>> {
        let mut parts = Vec::new();
        let mut done = 0;
        for found in self.finder.iter().flat_map(|finder| finder.find_iter(text)) {
            let token = &self.tokens[found.pattern()];
            if token.single_word && !stands_alone(text, found.start(), found.end()) {
                continue;
            }
            parts.extend([Part::Text(&text[done..found.start()]), Part::Token(token.id)]);
            done = found.end();
        }
        parts.push(Part::Text(&text[done..]));
        parts
    }
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !text[..start].ends_with(is_word) && !text[end..].starts_with(is_word)
}
