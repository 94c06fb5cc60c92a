//! Why a text is not taken as a schema.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum SchemaError {
    #[error("schema {name} is not JSON: {source}")]
    NotJson { name: String, source: serde_json::Error },
    #[error("schema {name} has {bytes} bytes; at most {most} are read")]
    TooLarge { name: String, bytes: usize, most: usize },
    /// `pointer` leads to the keyword in the schema; empty for the root.
    #[error("schema {name}, at {}: {refusal}", if pointer.is_empty() { "the root" } else { pointer })]
    Refused { name: String, pointer: String, refusal: Refusal },
}

/// What is wrong with a keyword.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("unknown keyword; services drop a schema that has one, some of them silently")]
    Unknown,
    #[error("not supported: {instead}")]
    Unsupported { instead: &'static str },
    #[error("must be {wanted}")]
    Malformed { wanted: &'static str },
    #[error("a schema must be an object with keywords")]
    NotASchema,
    #[error(
        "the root must say \"type\": \"object\": an answer is the input of a tool, and that is an object"
    )]
    RootNotObject,
    #[error(
        "must be \"#/definitions/NAME\" or \"#/$defs/NAME\", with a NAME that the root defines"
    )]
    NoSuchDefinition,
    #[error("leads back to itself without going into the value")]
    Circle,
    #[error(
        "nothing but title, description, default and examples may stand beside \"$ref\": some readers ignore it there"
    )]
    BesideRef,
    #[error("{keyword} does nothing without {needed}")]
    Lonely { keyword: &'static str, needed: &'static str },
}
