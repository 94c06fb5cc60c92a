//! The agent that implements a ticket.

use serde::{Deserialize, Serialize};

use super::fields::{objects, words};
use super::patcher::{Edit, NewFile};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "impl-agent",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/impl-agent.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/impl-agent.schema.json"
    )),
};

/// A change as the model gives it: nothing has been placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ImplResponse {
    pub reason: String,
    pub status: ImplStatus,
    /// What the change does, as the subject of a commit.
    pub summary: String,
    pub edits: Vec<Edit>,
    pub new_files: Vec<NewFile>,
}

words! {
    ImplStatus {
        Done = "done",
        /// The repository already does it.
        Nothing = "nothing",
        Blocked = "blocked",
    }
}

objects!(ImplResponse);

impl Answer for ImplResponse {
    const ROLE: Role = ROLE;
}
