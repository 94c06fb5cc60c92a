//! Runs in which a coding agent proposes: a good one, real Claude Code, and agents that do what they must not.

mod bad;
mod bad_tickets;
pub(crate) mod claude_code;
mod fixture;
mod good;
