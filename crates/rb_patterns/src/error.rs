//! What can be wrong with a rule file. Every problem says what to do about it.

use thiserror::Error;

use crate::language::language_names;

/// A document of a rule file that cannot be used. Other documents of the file are used all the same.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{path}:{line}: {problem}")]
pub struct RuleFileError {
    /// As it was handed to `Rules::load`.
    pub path: String,
    /// From 1, in the file.
    pub line: u32,
    /// From 1: several are divided by `---`.
    pub document: u32,
    /// The rule's id, where it could be read.
    pub rule: Option<String>,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("this is not valid YAML: {0}")]
    Yaml(String),
    #[error("the file has {bytes} bytes; split it, rule files have {limit} at most")]
    FileTooLarge { bytes: usize, limit: usize },
    #[error("a rule is a list of `key: value` lines; begin with `id: my-rule`")]
    NotARule,
    #[error("`{key}` is no key {place}; {}", hint(.suggestion.as_deref(), .known))]
    UnknownKey { key: String, place: String, suggestion: Option<String>, known: String },
    #[error("the key `{key}` is missing; {what_to_do}")]
    MissingKey { key: &'static str, what_to_do: &'static str },
    #[error(
        "`{name}` is no language that rules can be written for; use one of {}",
        language_names()
    )]
    UnknownLanguage { name: String },
    #[error("`{id}` cannot be an id; use letters, digits, `-`, `_`, `.` and `/`, 80 at most")]
    BadId { id: String },
    #[error("`{id}` is the id of a built-in rule; choose another")]
    TakenId { id: String },
    #[error("the id `{id}` is already used in {path}:{line}; choose another")]
    DuplicateId { id: String, path: String, line: u32 },
    #[error("`{word}` is no severity; use error, warning, info, hint or off")]
    BadSeverity { word: String },
    #[error("`{glob}` is no glob for files: {message}; write for example `src/**/*.ts`")]
    BadGlob { glob: String, message: String },
    #[error("{0}")]
    BadRule(String),
    #[error("`tests` has the lists `valid` and `invalid`; {0}")]
    BadTests(String),
    #[error("{what} is too much for one rule; {what_to_do}")]
    TooMuch { what: String, what_to_do: &'static str },
}

fn hint(suggestion: Option<&str>, known: &str) -> String {
    match suggestion {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("it has {known}"),
    }
}
