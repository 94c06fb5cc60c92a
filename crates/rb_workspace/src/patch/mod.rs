//! Unified diffs: reading, writing, computing, checking and applying them, all in memory.
//!
//! `parse` and `write` translate between bytes and `rb_core::patch::Patch`; `diff` computes one; `apply`
//! works out what one does to a `Tree`; `check` decides whether that may happen and alone makes a
//! `Checked`. Nothing here writes a file or runs git, and nothing is placed approximately: a hunk fits
//! at its line or the patch is refused. Whatever is accepted, `git apply` accepts as well.

mod apply;
mod check;
mod conflict;
mod diff;
mod folded;
mod lockfile;
mod name;
mod parse;
mod reverse;
mod scope;
mod shape;
mod tree;
mod write;

pub use apply::{ApplyError, FileChange, apply};
pub use check::{CheckError, Checked, Lockfiles, Policy, Refusal, check};
pub use conflict::{Conflict, Kind};
pub use diff::{DiffError, diff};
pub use lockfile::is_lockfile;
pub use parse::{ParseError, Problem, parse};
pub use reverse::reverse;
pub use scope::{Scope, ScopeError};
pub use shape::BadHunk;
pub use tree::{Entry, File, MemoryTree, Tree};
pub use write::write;

pub(crate) use diff::line_diff;
pub(crate) use name::{Name, Tail, git_line, pair, read as read_name};

/// The lines of a text, each with its own end; only the last may lack one.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n')
}
