//! The three verdicts of verification. There is no fourth, and "nothing ran" is never a pass.

use serde::{Deserialize, Serialize};

/// What is known about a change after verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail,
    NoVerifierRan,
}

impl Verdict {
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::NoVerifierRan => "no tests were run",
        }
    }
}
