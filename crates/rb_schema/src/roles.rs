//! The roles that a model plays, one file each: its schema, its system prompt, and the type of its answer.
//!
//! Schemas and prompts are files at the root of the repository, compiled in. A user's own copy is handed in as text and
//! takes their place; where it comes from is the caller's affair. To add a role: its two files, a module here with the
//! type, and a line in [`Role::ALL`] and each `match` below.

mod fields;
mod prompt;

pub mod critic;
pub mod patcher;
pub mod planner;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use fields::{Integer, Percent};
pub use prompt::{Prompt, PromptError, PromptVersion};

use crate::error::SchemaError;
use crate::fault::{Faults, Problem};
use crate::schema::Schema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Planner,
    Patcher,
    Critic,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Planner, Role::Patcher, Role::Critic];

    /// As in `schemas/<name>.schema.json`, `prompts/<name>.system.txt` and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Role::Planner => "planner",
            Role::Patcher => "patcher",
            Role::Critic => "critic",
        }
    }

    /// The schema of the role's answers; `own` is a user's text in its place.
    pub fn schema(self, own: Option<&str>) -> Result<Schema, SchemaError> {
        let built_in = match self {
            Role::Planner => planner::SCHEMA,
            Role::Patcher => patcher::SCHEMA,
            Role::Critic => critic::SCHEMA,
        };
        Schema::parse(self.name(), own.unwrap_or(built_in))
    }

    /// The role's system prompt; `own` is a user's text in its place.
    pub fn prompt(self, own: Option<&str>) -> Result<Prompt, PromptError> {
        let built_in = match self {
            Role::Planner => planner::PROMPT,
            Role::Patcher => patcher::PROMPT,
            Role::Critic => critic::PROMPT,
        };
        Prompt::read(self, own.unwrap_or(built_in))
    }

    /// Whether the program can read `value` as an answer of this role, whatever schema was sent.
    pub fn accepts(self, value: &Value) -> Result<(), Faults> {
        match self {
            Role::Planner => planner::PlannerResponse::read(value).map(drop),
            Role::Patcher => patcher::PatchResponse::read(value).map(drop),
            Role::Critic => critic::CriticResponse::read(value).map(drop),
        }
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
