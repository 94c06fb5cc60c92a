//! The agent that fixes what was found when a ticket was verified.

use serde::{Deserialize, Serialize};

use super::impl_agent::ImplResponse;
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "fix-agent",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/fix-agent.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/fix-agent.schema.json"
    )),
};

/// The same as an implementation, of less.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FixResponse(pub ImplResponse);

impl Answer for FixResponse {
    const ROLE: Role = ROLE;
}
