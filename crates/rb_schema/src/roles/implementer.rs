//! The Implementer of a kata: the smallest change that makes the failing test pass.

use serde::{Deserialize, Serialize};

use super::fields::{objects, present, words};
use super::patcher::NewFile;
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "implementer",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/implementer.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/implementer.schema.json"
    )),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct CodeResponse {
    pub status: CodeStatus,
    /// What the change does, as the subject of a commit: "return Fizz for multiples of three".
    pub summary: String,
    pub reason: String,
    /// Files of the implementation, each in full.
    pub files: Vec<NewFile>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub deleted_files: Option<Vec<String>>,
}

words! {
    CodeStatus {
        Ok = "ok",
        /// The test cannot be made to pass as it is.
        Blocked = "blocked",
    }
}

objects!(CodeResponse);

impl Answer for CodeResponse {
    const ROLE: Role = ROLE;
}
