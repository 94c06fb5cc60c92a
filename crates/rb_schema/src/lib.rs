//! What a model is asked to answer, and whether it did.
//!
//! A [`Schema`] is the part of JSON Schema draft-07 that every model service reads; [`Schema::parse`] refuses the rest,
//! because some services drop such a schema without a word. [`Schema::check`] says every fault of an answer by its JSON
//! pointer, in words that can be sent back. [`json_in`] finds the answer in a text. [`Role`] has the schemas and system
//! prompts that come with the product, with a Rust type for each. Nothing here calls a model or reads a file, and nothing
//! is repaired or guessed.

mod check;
mod error;
mod fault;
mod json_in;
mod node;
mod number;
mod parse;
mod refs;
pub mod roles;
mod schema;
mod strict;
mod tree;
mod unstrict;
mod value;

pub use error::{Refusal, SchemaError};
pub use fault::{Counted, Fault, Faults, LengthBound, Problem, Relation};
pub use json_in::{NoJson, json_in};
pub use roles::{Answer, Prompt, PromptError, PromptVersion, Role};
pub use schema::Schema;
pub use strict::{NotStrict, Unsaid};
pub use value::Kind;
