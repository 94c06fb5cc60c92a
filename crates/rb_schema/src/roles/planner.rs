//! The planner: proposes and orders batches, and changes no code.

use serde::{Deserialize, Serialize};

use super::fields::{Integer, Percent, objects, present, words};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "planner",
    prompt: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../prompts/planner.system.txt")),
    schema: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/planner.schema.json")),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PlannerResponse {
    pub batches: Vec<Batch>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Vec<Dropped>>,
}

/// One small step, proposed. Nothing in it has been checked against the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Batch {
    pub id: String,
    pub goal: String,
    pub scope_globs: Vec<String>,
    pub allowed_operations: Vec<String>,
    /// The schema allows any whole number, also one below zero.
    pub diff_budget_loc: Integer,
    pub risk_score: Percent,
    pub verifier_level: VerifierLevel,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A batch of the first plan that is not to be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Dropped {
    pub id: String,
    pub reason: String,
}

words! {
    /// How much is verified after a batch.
    VerifierLevel {
        Fast = "fast",
        Full = "full",
    }
}

objects!(PlannerResponse, Batch, Dropped);

impl Answer for PlannerResponse {
    const ROLE: Role = ROLE;
}
