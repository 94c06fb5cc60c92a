//! From a ticket to a pull request: implement, verify in a browser, fix.

mod affected;
pub mod browse;
pub mod checks;
pub mod context_use;
mod error;
mod forge;
mod intake;
pub mod pr;
pub mod preview;
mod ticket;
pub mod workflow;

pub use affected::{Affected, affected};
pub use error::TicketError;
pub use forge::{
    ForgeError, Github, Jira, JiraAuth, OpenPullRequest, Outcome, PullRequest, Repository, Service,
};
pub use intake::{Inputs, IntakeError, Order, OrderContext, parse_json, parse_markdown, read};
pub use ticket::{Attachment, Criterion, Hints, Origin, Source, Stripped, StrippedKind, Ticket};
