//! The safe worktree: everything that touches the user's repository, and the promise that dropping it
//! means nothing happened.
//!
//! This is the only crate that runs git on the user's repository. It never judges a change: it checks
//! that a patch is well-formed and allowed, applies it, keeps it, lands it or takes it back.

pub mod answer;
pub mod backup;
pub mod carry;
mod disk_tree;
pub mod fingerprint;
pub mod git;
pub mod history;
mod identity;
pub mod land;
pub mod ledger;
pub mod listing;
pub mod patch;
pub mod preflight;
pub mod project;
pub mod repo;
pub mod rollback;
mod swap;
pub mod version;
pub mod worktree;
