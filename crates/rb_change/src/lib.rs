//! Changes that can be taken back: what every workflow shares that changes a repository.
//!
//! A workflow that implements `Changes` has these steps as nodes of its graph: back up, make a worktree, take a baseline, apply a proposal,
//! audit it, verify it, compare the checkout, land, clean up, roll back. They read `ChangeState`, which its own state holds, write
//! `ChangeEvent`s, which are among its own events, and work with `ChangeWorld`. Nothing here plans, asks a model or writes a report. It
//! prints nothing.

mod active_rules;
mod agents;
mod apply;
mod audit;
mod back_up;
mod change_files;
mod changed_tests;
mod changes;
pub mod checkpoint;
mod clean;
mod current;
mod decide;
mod edit_history;
mod error;
mod event;
mod failure;
mod formatter;
pub mod gc;
mod host;
mod indexed_commit;
mod landing;
mod make_worktree;
mod mend;
mod neighbourhood;
mod open;
mod options;
mod own_rules;
pub mod proposals;
mod rollback;
mod state;
mod suspect;
mod verify;
pub mod verify_setup;
mod world;

pub use agents::{
    AgentOrder, AgentTask, AgentWork, BUDGET_SPENT, have_agent_edit, run_agent, within_budget,
};
pub use apply::{Apply, place_edits, placed_proposal, readable_proposal};
pub use audit::{Auditor, Examination};
pub use back_up::BackUp;
pub use change_files::ChangeFiles;
pub use changed_tests::changed_tests;
pub use changes::{Changes, Changing, Context, Reads, Target, Undone};
pub use clean::{Clean, Compare, clean};
pub use current::Current;
pub use decide::{Commits, accept, must_be_open, reject};
pub use error::{ChangeError, is_disk_full, is_interrupted};
pub use event::{ChangeEvent, Decision};
pub use failure::Failure;
pub use host::Host;
pub use indexed_commit::IndexedCommit;
pub use landing::{Decide, Land};
pub use make_worktree::MakeWorktree;
pub use neighbourhood::Neighbourhood;
pub use open::{begin, prepare, reopen, summary};
pub use options::{ChangeOptions, IndexNeeds, Verify};
pub use own_rules::{OwnRulesError, own_rules, rule_files};
pub use proposals::{GivenChange, GivenChangeError};
pub use rollback::{PlanRollback, RollBack, RolledBack, rollback};
pub use state::{Base, ChangeState, VerifiedCommit, suspicions};
pub use verify::{Baseliner, Validator, WholeValidator, look};
pub use world::ChangeWorld;
