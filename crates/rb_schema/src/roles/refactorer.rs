//! The Refactorer of a kata: better code with the same behaviour, or nothing.

use serde::{Deserialize, Serialize};

use super::fields::{objects, present, words};
use super::patcher::NewFile;
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "refactorer",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/refactorer.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/refactorer.schema.json"
    )),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct RefactoringResponse {
    pub status: RefactoringStatus,
    /// What the change does, as the subject of a commit: "extract the rules into a table".
    pub summary: String,
    pub reason: String,
    /// Files of the implementation, each in full.
    pub files: Vec<NewFile>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub deleted_files: Option<Vec<String>>,
}

words! {
    RefactoringStatus {
        Ok = "ok",
        /// The code is good as it is.
        Nothing = "nothing",
    }
}

objects!(RefactoringResponse);

impl Answer for RefactoringResponse {
    const ROLE: Role = ROLE;
}
