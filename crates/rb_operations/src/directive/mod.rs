//! From words to operations: "rename X in y.py to Z", "get rid of dates.py and put it all in dateformat.py".
//!
//! Tokens, clauses and phrases are found by form alone; each verb family (`rename`, `relocate`, `parameter`, `class`, `import`) reads the
//! clauses it knows into a draft, later clauses add to it, and in the end names are resolved against the project. What is ambiguous is listed,
//! nothing is guessed; clauses that were not understood are named. A condition that was not understood leaves no operation.

mod boundary;
mod class;
mod clause;
mod close;
mod condition;
mod definitions;
mod dialect;
mod follow_up;
mod import;
mod order;
mod parameter;
mod phrase;
mod reading;
mod relocate;
mod rename;
mod resolve;
mod scope;
mod sequence;
mod signature;
mod statement;
#[cfg(test)]
mod tests;
mod token;
mod value;
mod vocabulary;

use self::dialect::Dialect;
use crate::files::Files;
use crate::operation::Operation;
use crate::outcome::Place;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Understood {
    pub operations: Vec<Operation>,
    /// Clauses that no operation covers, as they were written.
    pub not_understood: Vec<String>,
    /// Names that could mean several things, or nothing.
    pub unclear: Vec<Unclear>,
    /// How names were taken where they were not written exactly, and values that were not given.
    pub notes: Vec<String>,
    /// A condition was not understood: without it nothing may be done, by no other part of the program either.
    pub is_blocked: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclear {
    /// As it was written.
    pub name: String,
    /// A sentence: "`truncate` is declared in 3 files; name the file".
    pub why: String,
    pub candidates: Vec<Place>,
}

impl Unclear {
    pub(crate) fn new(name: impl Into<String>, why: impl Into<String>) -> Self {
        Unclear { name: name.into(), why: why.into(), candidates: Vec::new() }
    }
}

/// None if the directive asks for nothing structural.
pub fn understand(files: &dyn Files, directive: &str) -> Option<Understood> {
    let paths = files.paths();
    let has = |dialect: &Dialect| paths.iter().any(|path| dialect.owns(path));
    let mut read: Vec<(Dialect, Understood)> = Vec::new();
    for dialect in Dialect::ALL.into_iter().filter(has) {
        read.extend(understand_in(files, dialect, directive).map(|it| (dialect, it)));
    }
    let is_clear = |it: &Understood| it.unclear.is_empty() && !it.operations.is_empty();
    match read.iter().filter(|(_, it)| is_clear(it)).count() {
        2 => return Some(in_two_dialects()),
        1 => read.retain(|(_, it)| is_clear(it)),
        // A script that has nothing to say of it is no reason to refuse what other parts of the program may do.
        _ => read.retain(|(dialect, it)| {
            let has_candidates = it.unclear.iter().any(|it| !it.candidates.is_empty());
            *dialect == Dialect::Python || it.is_blocked || has_candidates
        }),
    }
    read.into_iter().next().map(|(_, understood)| understood)
}

fn in_two_dialects() -> Understood {
    let why = "it could mean Python or JavaScript and TypeScript; name the file";
    Understood { unclear: vec![Unclear::new("", why)], ..Understood::default() }
}

fn understand_in(files: &dyn Files, dialect: Dialect, directive: &str) -> Option<Understood> {
    let index = definitions::Index::new(files, dialect);
    let is_path =
        |text: &str| !index.files_named(text).is_empty() || !index.folders_named(text).is_empty();
    let mut tokens = token::tokens(directive, &is_path);
    correct_spelling(&mut tokens, &index);
    drop_idioms(&mut tokens);
    let clauses = clause::clauses(&tokens, &index);
    let mut reading = reading::Reading::new(&index, directive, &clauses);
    reading.read();
    let mut understood = reading.understood()?;
    let operations = understood.operations.into_iter();
    understood.operations = operations.map(|it| dialect.with_literals(it)).collect();
    Some(understood)
}

/// "including, but not limited to, …" restricts nothing.
fn drop_idioms(tokens: &mut Vec<token::Token>) {
    let idiom = ["but", "not", "limited", "to"];
    let is_idiom = |at: usize, tokens: &[token::Token]| {
        idiom
            .iter()
            .enumerate()
            .all(|(offset, word)| tokens.get(at + offset).is_some_and(|token| token.word == *word))
    };
    if let Some(at) = (0..tokens.len()).find(|at| is_idiom(*at, tokens)) {
        tokens.drain(at..at + idiom.len());
    }
}

/// "paramter" is the parameter, unless the project has something of this name.
fn correct_spelling(tokens: &mut [token::Token], index: &dyn phrase::Lexicon) {
    for token in tokens.iter_mut().filter(|token| token.kind == token::Kind::Word) {
        if let Some(word) = vocabulary::corrected(&token.word)
            && !index.knows(&token.text)
        {
            word.clone_into(&mut token.word);
        }
    }
}
