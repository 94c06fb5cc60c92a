//! Nodes that carry out what was decided, beside those of `rb_change`: the next task, its end, what follows from a failure.
//!
//! They see the whole state and decide nothing. Each may be performed again after a kill, whatever of it had happened.

mod checkpoint;
mod choose;
mod find_cause;
mod finish;
mod recover;
mod take_back;
mod waiting;

pub(crate) use checkpoint::{Checkpoint, Close};
pub(crate) use choose::Choose;
pub(crate) use find_cause::FindCause;
pub(crate) use finish::Finish;
pub(crate) use recover::Recover;
pub(crate) use take_back::TakeBack;
pub(crate) use waiting::{Approve, Confirm};
