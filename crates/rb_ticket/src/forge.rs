//! The services that tickets come from and pull requests go to: GitHub and Jira, by their REST interfaces.
//!
//! Addresses and tokens are parameters. Answers are data: bounded, and printable before they are shown. Every error says what to do
//! next, and none holds a token.

mod client;
mod error;
mod github;
mod jira;
mod repository;

#[cfg(test)]
mod tests;

pub use error::{ForgeError, Service};
pub use github::{Github, OpenPullRequest, Outcome, PullRequest};
pub use jira::{Jira, JiraAuth};
pub use repository::Repository;
