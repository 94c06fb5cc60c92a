//! A repository opened for reading. Commands, runs and agents all open it here, so they share one index and one way to search.
//!
//! It adds to `rb_index` what that crate leaves to others: git's history, and a choice of embedding model. It writes nothing but the index.

mod repo;
mod search_model;
mod weighted_history;

pub use repo::{Opener, ReadOptions, Repo};
pub use search_model::SearchModel;
