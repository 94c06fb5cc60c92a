//! The refactor workflow: a directive, or the whole repository, planned into tasks that are proposed, checked, applied in the throwaway
//! worktree, audited, tested and checkpointed, and landed or dropped.
//!
//! `State` is what a journal says; `graph` says which node follows; `Driver` performs nodes. Agents (`agents/`) see and
//! say what their types allow; steps (`steps/`) carry out what was decided. Every entry point (`start`, `resume`, `accept`, `reject`,
//! `approve`, `rollback`) goes through the same loop, so a process killed anywhere is continued by any later one. It prints nothing.

mod active_rules;
mod agents;
mod artifacts;
pub mod confidence;
mod constraints;
mod driver;
mod dropped;
mod edit_history;
mod error;
pub mod event;
pub mod gc;
mod graph;
mod indexed_commit;
mod land;
mod neighbourhood;
mod own_rules;
mod proposals;
mod propose;
mod recovery;
mod report;
mod rollback;
mod run_files;
mod start;
mod state;
mod steps;
mod style;
mod suspect;
mod tries;
mod verify_setup;
mod weighted_history;
mod workflow;
mod world;

use std::path::PathBuf;
use std::sync::Arc;

use rb_core::process::Env;
use rb_core::{Cancel, Home, Progress};
use rb_flow::{Desk, Observer};
use rb_verify::Shell;

pub use agents::auditor::Examination;
pub use artifacts::ArtifactsError;
pub use driver::{drawings, resume, summary};
pub use error::RunError;
pub use event::{Decision, Mode, Outcome};
pub use land::{Approval, Commits, accept, approve, reject};
pub use neighbourhood::Neighbourhood;
pub use own_rules::{OwnRulesError, own_rules, rule_files};
pub use propose::{Proposal, ProposalError};
pub use report::{OutputError, TestCounts, confidence_of_tasks, holds_report, test_counts};
pub use rollback::{RolledBack, rollback};
pub use run_files::RunFiles;
pub use start::{StartOptions, VerifyOptions, plan, start, verify};
pub use state::{AgentError, Base, Current, Offer, Phase, Saved, State};
pub use weighted_history::WeightedHistory;
pub use workflow::Refactor;

/// What every entry point needs from the outside.
#[derive(Clone)]
pub struct Context {
    pub home: Home,
    pub env: Env,
    /// What commands of a repository may be given beyond that, where it is chosen.
    pub shell: Shell,
    pub cancel: Cancel,
    pub progress: Arc<dyn Progress + Send + Sync>,
    pub observer: Option<Observer<Refactor>>,
    /// This program, to be started as the guard of a command where the kernel confines it.
    pub shim: Option<PathBuf>,
    /// Who is asked for what no recipe does.
    pub models: Option<Arc<Desk>>,
}
