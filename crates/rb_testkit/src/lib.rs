//! What tests stand on: repositories written as one string, git that ignores the machine's settings, and
//! a harness for the command line.
//!
//! Nothing here is part of the product. A failed step panics with what it was doing.
#![expect(clippy::disallowed_methods, reason = "tests build their own files and processes")]

mod cli;
pub mod desk;
mod fixture;
mod in_time;
mod mcp_client;
mod repo;
pub mod script;
mod state;
pub mod stub;

pub use cli::{Cli, Ran};
pub use fixture::write_fixture;
pub use in_time::in_time;
pub use mcp_client::McpClient;
pub use repo::{Repo, git, git_env};
pub use state::State;
