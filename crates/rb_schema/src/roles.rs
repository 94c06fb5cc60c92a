//! The roles that a model plays: a name, a system prompt and a schema, beside the type of the answer.
//!
//! A role is data, and each workflow has its own; those that come with the program are here, one file each. Schemas and prompts are
//! files at the root of the repository, compiled in. A user's own copy is handed in as text and takes their place; where it comes
//! from is the caller's affair.

mod fields;
mod prompt;

pub mod critic;
pub mod explorer;
pub mod fix_agent;
pub mod impl_agent;
pub mod implementer;
pub mod patcher;
pub mod planner;
pub mod pr_agent;
pub mod refactorer;
pub mod supervisor;
pub mod tester;
pub mod translator;
pub mod verify_agent;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use fields::{Integer, Percent};
pub use prompt::{Prompt, PromptError, PromptVersion};

use crate::error::SchemaError;
use crate::fault::{Faults, Problem};
use crate::schema::Schema;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// As in `schemas/<name>.schema.json`, `prompts/<name>.system.txt` and on the command line.
    pub name: &'static str,
    /// The system prompt that comes with the program.
    pub prompt: &'static str,
    /// The schema of the answers that comes with the program, as JSON.
    pub schema: &'static str,
}

impl Role {
    /// The schema of the role's answers; `own` is a user's text in its place.
    pub fn schema(self, own: Option<&str>) -> Result<Schema, SchemaError> {
        Schema::parse(self.name, own.unwrap_or(self.schema))
    }

    /// The role's system prompt; `own` is a user's text in its place.
    pub fn prompt(self, own: Option<&str>) -> Result<Prompt, PromptError> {
        Prompt::read(self.name, own.unwrap_or(self.prompt))
    }
}

/// The answer of a role.
pub trait Answer: DeserializeOwned {
    const ROLE: Role;

    /// Reads an answer. It is held against the schema that comes with the program, because a user's own schema may ask
    /// for less than the type needs.
    fn read(value: &Value) -> Result<Self, Faults> {
        Self::ROLE.schema(None).expect("the schemas of the program are sound").check(value)?;
        Self::deserialize(value)
            .map_err(|error| Faults::one(Problem::Unreadable { why: error.to_string() }))
    }
}
