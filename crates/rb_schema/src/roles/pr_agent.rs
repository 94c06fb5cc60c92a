//! The agent that writes the words of a pull request.

use serde::{Deserialize, Serialize};

use super::fields::objects;
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "pr-agent",
    prompt: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../prompts/pr-agent.system.txt")),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/pr-agent.schema.json"
    )),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PrResponse {
    pub title: String,
    pub summary: String,
    pub risk: String,
    pub rollback: String,
}

objects!(PrResponse);

impl Answer for PrResponse {
    const ROLE: Role = ROLE;
}
