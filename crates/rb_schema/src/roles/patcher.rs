//! The patcher: one patch for one batch, or none.

use serde::{Deserialize, Serialize};

use super::fields::{objects, present, words};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "patcher",
    prompt: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../prompts/patcher.system.txt")),
    schema: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/patcher.schema.json")),
};

/// A patch as the model gives it, a diff or edits and new files: nothing has been placed, and its claims have not been compared with
/// it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PatchResponse {
    pub status: PatchStatus,
    pub rationale: String,
    pub risk_notes: Vec<String>,
    pub patch_unified_diff: String,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub edits: Option<Vec<Edit>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub new_files: Option<Vec<NewFile>>,
    pub touched_files: Vec<String>,
    pub expected_verifier: Vec<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub followups: Option<Vec<String>>,
    /// With "blocked": paths, lines and names that it has to see.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub needs: Option<Vec<String>>,
}

/// A text of a file, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Edit {
    pub path: String,
    pub search: String,
    pub replace: String,
}

/// A file in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct NewFile {
    pub path: String,
    pub content: String,
}

words! {
    /// What came of the batch.
    PatchStatus {
        /// There is a patch.
        Ok = "ok",
        /// Nothing should be changed; that is a success.
        Noop = "noop",
        /// It cannot be done as asked.
        Blocked = "blocked",
    }
}

objects!(PatchResponse, Edit, NewFile);

impl Answer for PatchResponse {
    const ROLE: Role = ROLE;
}
