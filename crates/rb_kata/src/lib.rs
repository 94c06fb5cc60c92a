//! Katas developed test-first by four agents: Tester, Implementer, Refactorer and Supervisor.
//!
//! The agents only propose. The harness (`workflow`) runs the tests, proves that a new test fails for the right reason, restores
//! the tests before it judges an implementation, and is the only one that commits: every commit is green. It never writes to a
//! checkout that exists already; there it works in a worktree on a branch of its own.

pub mod constraint;
mod constraints;
pub mod description;
pub mod error;
mod prompt;
pub mod red;
pub mod runner;
mod runners;
mod special_case;
mod stub;
pub mod suite;
pub mod test_code;
pub mod text_file;
pub mod workflow;

pub use constraint::{Constraint, ConstraintKind, Violation};
pub use description::Kata;
pub use error::KataError;
pub use runner::Runner;
pub use text_file::TextFile;
