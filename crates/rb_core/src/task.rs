//! A task: one small change with a goal; a plan's batch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::TaskId;
use crate::path::RepoPath;
use crate::title::goal_title;

/// One step of a plan: what is to change, who proposes it, and what it must keep to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    pub goal: String,
    pub kind: TaskKind,
    #[serde(default)]
    pub by: Proposer,
    /// The files that it is about. All of them exist when the plan is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<RepoPath>,
    /// What it may touch; empty for whatever the run may touch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scope_globs: Vec<String>,
    /// In short words: `rename`, `extract-function`, `remove-dead-code` …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_operations: Vec<String>,
    /// Tasks that must have been done before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<TaskId>,
    /// The rules that it is to satisfy, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    #[serde(default)]
    pub stage: Stage,
    /// From 0 to 100.
    #[serde(default)]
    pub risk_score: u8,
    /// Lines that it may add and remove together; `None` for what the run allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_budget_loc: Option<usize>,
    /// What of the public interface was asked to change.
    #[serde(default, skip_serializing_if = "ApiChanges::is_empty")]
    pub api_changes: ApiChanges,
    #[serde(default)]
    pub verifier_level: VerifierLevel,
    /// Without it the run has failed; another may be skipped.
    #[serde(default)]
    pub is_critical: bool,
    /// What whoever carries it out, or reads the plan, must know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskKind {
    /// Files change as a proposal says; then a formatter may run over those files and no others.
    Change {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<String>,
    },
    /// A formatter runs and nothing else: no proposal is taken.
    FormatOnly { command: String },
}

/// Changes of the public interface that a person asked for, so that they are no reason to refuse the task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ApiChanges {
    /// `path#name`, `path#*` for all names of a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What names in signatures become, dotted: `shop.cart` → `shop.basket`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renames: BTreeMap<String, String>,
}

impl ApiChanges {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.renames.is_empty()
    }
}

/// Where a task's change comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Proposer {
    /// It was brought by the person, or computed before the run began.
    #[default]
    Given,
    /// A recipe, in the files of the task.
    Recipe {
        id: String,
        /// What it is told: `symbol`, `to`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        arguments: BTreeMap<String, String>,
        /// The files in which its sites lie; the task's other files only follow. Empty for all of the task's files.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sites: Vec<RepoPath>,
        /// The chains that are meant, as `path: title`, where it is not all that have their sites in these files.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chains: Vec<String>,
    },
    /// The proved edits of a rule, in the files of the task.
    Rule {
        id: String,
    },
    Model,
}

/// The order of a plan: what risks least comes first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Format,
    /// Unused imports, dead code.
    Clean,
    /// Renames, small extractions and splits, edits that are proved.
    #[default]
    Small,
    /// Tests that later tasks need.
    Tests,
    /// Larger restructuring inside a module.
    Restructure,
    /// Sync to async, changes of architecture.
    Transform,
}

/// How much is verified after a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerifierLevel {
    #[default]
    Fast,
    Full,
}

impl Task {
    /// A task with nothing but what it is for: it may touch what the run may touch.
    pub fn new(id: TaskId, goal: impl Into<String>, kind: TaskKind) -> Task {
        Task {
            id,
            goal: goal.into(),
            kind,
            by: Proposer::default(),
            files: Vec::new(),
            scope_globs: Vec::new(),
            allowed_operations: Vec::new(),
            depends_on: Vec::new(),
            rules: Vec::new(),
            stage: Stage::default(),
            risk_score: 0,
            diff_budget_loc: None,
            api_changes: ApiChanges::default(),
            verifier_level: VerifierLevel::default(),
            is_critical: false,
            notes: Vec::new(),
        }
    }

    /// Its goal for a line of a list or a heading. Only a model's is made shorter: others may differ from each other at the end alone.
    pub fn title(&self) -> String {
        match self.by {
            Proposer::Model => goal_title(&self.goal),
            Proposer::Given | Proposer::Recipe { .. } | Proposer::Rule { .. } => self.goal.clone(),
        }
    }
}

impl Stage {
    pub const ALL: [Stage; 6] = [
        Stage::Format,
        Stage::Clean,
        Stage::Small,
        Stage::Tests,
        Stage::Restructure,
        Stage::Transform,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Stage::Format => "formatting",
            Stage::Clean => "clean-up",
            Stage::Small => "small changes",
            Stage::Tests => "tests",
            Stage::Restructure => "restructuring",
            Stage::Transform => "large transformations",
        }
    }
}

impl Proposer {
    /// A program knows the change, and what it may do.
    pub fn is_computed(&self) -> bool {
        matches!(self, Proposer::Recipe { .. } | Proposer::Rule { .. })
    }

    /// For people: who proposes it.
    pub fn words(&self) -> String {
        match self {
            Proposer::Given => "given".to_owned(),
            Proposer::Recipe { id, .. } => format!("recipe {id}"),
            Proposer::Rule { id } => format!("rule {id}"),
            Proposer::Model => "model".to_owned(),
        }
    }
}
