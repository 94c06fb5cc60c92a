//! The critic: reads a patch before it is applied.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::{objects, present, words};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "critic",
    prompt: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../prompts/critic.system.txt")),
    schema: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/critic.schema.json")),
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct CriticResponse {
    pub decision: Decision,
    pub reasons: Vec<String>,
    /// The schema says nothing about its keys.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub suggested_constraints: Option<Map<String, Value>>,
}

words! {
    /// What should become of the patch.
    Decision {
        Accept = "accept",
        Reject = "reject",
        ShrinkScope = "shrink_scope",
        ShrinkDiff = "shrink_diff",
        Noop = "noop",
    }
}

objects!(CriticResponse);

impl Answer for CriticResponse {
    const ROLE: Role = ROLE;
}
