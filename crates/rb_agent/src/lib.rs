//! Coding agents of others: confined, bounded, and judged by the files that they changed.
//!
//! `run` gives an `Agent` a copy of the worktree and an `Assignment`, in a sandbox that lets it write nowhere else. Its
//! `Report` holds what the files say. What the agent says is kept apart, as claims. This crate never writes to the
//! worktree and does not decide whether a change is in scope, within its budget or right.

mod agent;
mod assignment;
mod claude_code;
mod codex;
mod command_line;
mod compare;
mod copy;
mod error;
mod invocation;
mod left_running;
mod lockfiles;
mod login;
mod programs;
mod refusal;
mod report;
mod run;
mod text;
mod walk;

pub use self::agent::{Agent, UnknownAgent};
pub use self::assignment::{Assignment, Confinement, Mcp, Place};
pub use self::command_line::CommandLine;
pub use self::error::AgentError;
pub use self::refusal::{Reason, Refusal};
pub use self::report::{Claims, Ended, Report, Spend};
pub use self::run::run;
