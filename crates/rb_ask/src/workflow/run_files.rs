//! The files that only a question's run has.

use std::path::PathBuf;

use rb_core::fs::{self, Durability};
use rb_flow::RunDir;
use rb_tools::{Evidence, Shown};
use serde::{Deserialize, Serialize};

use crate::error::AskError;
use crate::guide::runs;

/// Where they lie.
pub trait AskFiles {
    fn answer_json(&self) -> PathBuf;

    fn answer_markdown(&self) -> PathBuf;

    /// The lines that were shown in a round, counted from 1.
    fn evidence(&self, round: u32) -> PathBuf;

    /// What earlier questions had found out when the run began.
    fn remembered(&self) -> PathBuf;

    /// The calls that a provider made by itself in a conversation of a round, through a server of the tools. Counted from 1.
    fn calls_of_server(&self, round: u32, conversation: u32) -> PathBuf;

    /// In how many conversations of a round a server was started so far, those that a kill cut off among them.
    fn conversations_with_server(&self, round: u32) -> u32;
}

impl AskFiles for RunDir {
    fn answer_json(&self) -> PathBuf {
        self.join("answer.json")
    }

    fn answer_markdown(&self) -> PathBuf {
        self.join("answer.md")
    }

    fn evidence(&self, round: u32) -> PathBuf {
        self.join(format!("evidence-{round}.json"))
    }

    fn remembered(&self) -> PathBuf {
        self.join("remembered.json")
    }

    fn calls_of_server(&self, round: u32, conversation: u32) -> PathBuf {
        self.join(format!("server-calls-{round}-{conversation}.jsonl"))
    }

    fn conversations_with_server(&self, round: u32) -> u32 {
        let mut conversations = 0;
        while self.calls_of_server(round, conversations + 1).is_file() {
            conversations += 1;
        }
        conversations
    }
}

/// What earlier questions found out, as the model is shown it. Kept with the run, so that a resumed run sends the same words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    pub(crate) text: String,
    /// The lines in it.
    pub(crate) shown: Vec<Shown>,
}

impl Remembered {
    pub(crate) fn load(dir: &RunDir) -> Result<Self, AskError> {
        let bytes = fs::read_optional(&dir.remembered())?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    pub(crate) fn save(&self, dir: &RunDir) -> Result<(), AskError> {
        let bytes = serde_json::to_vec(self).expect("plain data");
        Ok(fs::write(&dir.remembered(), &bytes, Durability::Synced)?)
    }
}

pub(crate) fn save_evidence(dir: &RunDir, round: u32, evidence: &Evidence) -> Result<(), AskError> {
    let bytes = serde_json::to_vec(&runs(evidence)).expect("plain data");
    Ok(fs::write(&dir.evidence(round), &bytes, Durability::Synced)?)
}

/// What was shown in all rounds up to this one. A file that is not there or cannot be read adds nothing: then no citation of it is
/// valid.
pub(crate) fn load_evidence(dir: &RunDir, last_round: u32) -> Result<Evidence, AskError> {
    let mut evidence = Evidence::default();
    for round in 1..=last_round {
        let bytes = fs::read_optional(&dir.evidence(round))?.unwrap_or_default();
        let shown: Vec<Shown> = serde_json::from_slice(&bytes).unwrap_or_default();
        for shown in &shown {
            evidence.add(shown);
        }
    }
    Ok(evidence)
}
