//! The kinds of things that go wrong with a change.

use serde::{Deserialize, Serialize};

/// What kind of thing went wrong with a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The model gave no usable answer.
    Model,
    /// The patch does not fit, or is outside of what the task may do.
    Patch,
    /// The proposer could not do it as it was asked.
    Blocked,
    /// The critic objects.
    Critic,
    /// The audit found an error in what the task itself touched.
    Audit,
    /// The audit found errors in files that the task did not touch.
    Cascade,
    /// The public interface changed.
    Contract,
    /// Tests or other checks fail that passed before.
    Verify,
    /// The share of passing tests fell below the limit.
    Collapse,
    /// A person refused the change.
    Person,
}

impl Failure {
    pub fn words(self) -> &'static str {
        match self {
            Failure::Model => "the model gave no usable answer",
            Failure::Patch => "the patch was rejected",
            Failure::Blocked => "the model could not do the task",
            Failure::Critic => "the critic rejected the patch",
            Failure::Audit => "the audit found errors",
            Failure::Cascade => "the audit found errors in files that the task does not touch",
            Failure::Contract => "the public interface would change",
            Failure::Verify => "checks fail that passed before",
            Failure::Collapse => "too many tests fail",
            Failure::Person => "you rejected it",
        }
    }
}
