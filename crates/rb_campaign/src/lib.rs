//! One change over many repositories.
//!
//! A campaign is a run of its own: it gives each repository to a queue as a job and writes down how it ended. What a job does is done by
//! others (`Hands`); here nothing reads or writes a repository. Killed anywhere, it goes on with the repositories that have no end yet,
//! and no end is written twice.

mod error;
pub mod event;
pub mod repositories;
mod start;
pub mod state;
pub mod workflow;

pub use self::error::CampaignError;
pub use self::event::{CampaignStart, End, Outcome, Repository};
pub use self::start::{Context, Order, again, find, go_on, list, read, start};
pub use self::state::State;
pub use self::workflow::{Campaign, Hands, Work};
