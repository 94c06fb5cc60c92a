//! Commands of a repository that nobody vouches for: run confined, measured and bounded.
//!
//! `Sandbox::probe` finds by trial what this machine can hold, `Sandbox::run` runs a `Job` in it, and `Guarantees`
//! says what that was worth. A command that fails is a result; only a sandbox that fails is an error.
//! It never decides what to run, and what a command may touch it is told by the job.

mod bubblewrap;
mod capture;
mod disk;
mod docker;
mod error;
mod filter;
mod git_guard;
mod guarantees;
mod inherited;
mod job;
mod kernel;
mod landlock_rules;
mod launch;
mod mounts;
mod places;
mod plain_user;
mod proc;
mod run;
mod sandbox;
mod shim;
mod status;
mod watch;

pub use self::capture::Captured;
pub use self::error::SandboxError;
pub use self::guarantees::{Guarantees, HomeGuarantee, Kind, NetworkGuarantee, Processes, Writes};
pub use self::job::{Ended, Job, Limits, Network, Ran};
pub use self::sandbox::{Choice, Sandbox};
pub use self::shim::{SHIM, confine};
