//! The Supervisor of a kata: decides whether it is complete, and what follows when an agent is in trouble.

use serde::{Deserialize, Serialize};

use super::fields::{objects, words};
use super::{Answer, Role};
use crate::schema::Schema;

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

/// The schema for a request that allows only these decisions.
pub fn schema(allowed: &[Decision]) -> Schema {
    let words: Vec<&str> = allowed.iter().map(|decision| decision.name()).collect();
    let narrowed = ROLE.schema(None).and_then(|schema| schema.with_words("decision", &words));
    narrowed.expect("the schemas of the program are sound")
}

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ka5_a_request_takes_only_the_decisions_that_it_allows() {
        let whole = ROLE.schema(None).unwrap();
        let narrow = schema(&[Decision::NextTest, Decision::Done]);
        assert_eq!(schema(Decision::ALL).text(), whole.text());
        for decision in Decision::ALL {
            let name = decision.name();
            let answer = json!({"reason": "", "decision": name, "guidance": ""});
            let is_allowed = matches!(decision, Decision::NextTest | Decision::Done);
            assert_eq!(narrow.check(&answer).is_ok(), is_allowed, "{name}");
        }
    }
}
