//! The Tester of a kata: one failing test, or the word that nothing is missing.

use serde::{Deserialize, Serialize};

use super::fields::{objects, words};
use super::patcher::NewFile;
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "tester",
    prompt: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../prompts/tester.system.txt")),
    schema: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/tester.schema.json")),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct TestResponse {
    pub status: TestStatus,
    pub reason: String,
    /// The requirement of the kata that the test is for, in its words.
    pub requirement: String,
    pub test_name: String,
    /// Test files, each in full.
    pub files: Vec<NewFile>,
}

words! {
    /// What the Tester gives.
    TestStatus {
        Test = "test",
        /// Every requirement has its tests.
        Complete = "complete",
    }
}

objects!(TestResponse);

impl Answer for TestResponse {
    const ROLE: Role = ROLE;
}
