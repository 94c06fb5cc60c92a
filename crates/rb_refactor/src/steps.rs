//! Nodes that carry out what was decided: backup, worktree, application, checkpoint, landing, clearing away.
//!
//! They see the whole state and decide nothing. Each may be performed again after a kill, whatever of it had happened.

mod apply;
mod backup;
mod checkpoint;
mod choose;
mod find_cause;
mod finish;
mod formatter;
mod landing;
mod recover;
mod rolling_back;
mod take_back;
mod waiting;
mod worktree;

pub(crate) use apply::{Apply, check};
pub(crate) use backup::BackUp;
pub(crate) use checkpoint::{Checkpoint, Close, entry};
pub(crate) use choose::Choose;
pub(crate) use find_cause::FindCause;
pub(crate) use finish::{Clean, Compare, Finish, clean};
pub(crate) use landing::{Land, prepare_landing};
pub(crate) use recover::Recover;
pub(crate) use rolling_back::{PlanRollback, RollBack};
pub(crate) use take_back::TakeBack;
pub(crate) use waiting::{Approve, Confirm, Decide};
pub(crate) use worktree::MakeWorktree;
