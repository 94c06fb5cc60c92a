//! What stands in the journal of a campaign.

use rb_core::{RunId, Usd, Verdict};
use rb_flow::{Event, WorkflowEvent};
use rb_jobs::Place;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::workflow::Campaign;

/// How a campaign begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignStart {
    pub run: RunId,
    pub workflow: Value,
    pub name: String,
    /// What is done, as people say it.
    pub title: String,
    /// The command and its flags, without the repository: `run`, `--directive`, ….
    pub command: Vec<String>,
    pub repositories: Vec<Repository>,
    /// A repository whose workers died so often is given up.
    pub most_tries: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Unique in the campaign.
    pub name: String,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CampaignEvent {
    /// A repository has come to an end in the round that it is in.
    RepositoryDone {
        name: String,
        round: u32,
        #[serde(flatten)]
        end: Box<End>,
    },
    /// Repositories are to be done once more.
    RepositoriesAgain { names: Vec<String> },
}

impl WorkflowEvent for CampaignEvent {}

impl From<CampaignEvent> for Event<Campaign> {
    fn from(event: CampaignEvent) -> Self {
        Event::Own(event)
    }
}

/// How a repository ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub outcome: Outcome,
    /// In one sentence, unless it changed with nothing to say about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The run in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The branch that has the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(default)]
    pub changes: Changes,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Verdict>,
    /// Places that were not changed, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    #[serde(default)]
    pub cost: Usd,
    pub worker: String,
    /// How often it was begun.
    pub tries: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    pub tasks: u32,
    pub files: u32,
    pub added: u64,
    pub removed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A branch has the change, and it passed.
    Changed,
    /// A run waits for a person: something failed, or nothing vouches for it.
    Held,
    /// There was nothing to change.
    Unchanged,
    Failed,
}

impl Outcome {
    pub const ALL: [Outcome; 4] =
        [Outcome::Changed, Outcome::Held, Outcome::Unchanged, Outcome::Failed];

    pub fn word(self) -> &'static str {
        match self {
            Outcome::Changed => "changed",
            Outcome::Held => "held",
            Outcome::Unchanged => "unchanged",
            Outcome::Failed => "failed",
        }
    }
}
