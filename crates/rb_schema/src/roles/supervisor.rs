//! The Supervisor of a kata: decides what follows when an agent is in trouble.

use serde::{Deserialize, Serialize};

use super::fields::{objects, words};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "supervisor",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/supervisor.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/supervisor.schema.json"
    )),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct SupervisorResponse {
    pub decision: Decision,
    /// What the next agent should do, in a sentence or two.
    pub guidance: String,
    pub reason: String,
}

words! {
    /// What follows.
    Decision {
        /// Another test.
        NextTest = "next_test",
        /// The failing test goes; a smaller step is tested first.
        SimplerTest = "simpler_test",
        /// The failing test goes; the code is prepared for it first.
        RefactorFirst = "refactor_first",
        RetryImplementation = "retry_implementation",
        RetryRefactoring = "retry_refactoring",
        /// The test that passes at once is committed.
        KeepTest = "keep_test",
        SkipRefactoring = "skip_refactoring",
        /// The kata is complete.
        Done = "done",
        Stop = "stop",
    }
}

objects!(SupervisorResponse);

impl Answer for SupervisorResponse {
    const ROLE: Role = ROLE;
}
