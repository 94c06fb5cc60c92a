//! The refactor workflow: a directive, or the whole repository, planned into tasks that are proposed, checked, applied in the throwaway
//! worktree, audited, tested and checkpointed, and landed or dropped.
//!
//! `State` is what a journal says; `graph` says which node follows; `Driver` performs nodes. Agents (`agents/`) see and
//! say what their types allow; steps (`steps/`) carry out what was decided. Every entry point (`start`, `resume`, `approve`, and `accept`,
//! `reject` and `rollback` of `rb_change`) goes through the same loop, so a process killed anywhere is continued by any later one. It prints nothing.

mod agents;
mod approve;
mod artifacts;
mod code_tools;
pub mod confidence;
mod constraints;
mod driver;
mod dropped;
mod error;
pub mod event;
mod graph;
mod packing;
mod planning;
mod questions;
mod recovery;
mod report;
mod run_files;
mod standing;
mod stands;
mod start;
mod state;
mod steps;
mod style;
mod task_changes;
mod tries;
mod workflow;
mod world;

pub use approve::{Approval, Judged, approve};
pub use artifacts::ArtifactsError;
pub use driver::{drawings, resume, resume_without, summary};
pub use error::RunError;
pub use event::{Mode, Outcome};
pub use report::{
    ChangeView, OutputError, TestCounts, confidence_of_tasks, holds_report, impact_bars,
    test_counts, write_change,
};
pub use run_files::RunFiles;
pub use start::{StartOptions, VerifyOptions, plan, start, verify};
pub use state::{AgentError, Phase, Proposal, Review, Saved, State};
pub use task_changes::{TaskChange, findings_of_task, patch_of_task, proposed_patch};
pub use workflow::Refactor;

pub type Context = rb_change::Context<Refactor>;
