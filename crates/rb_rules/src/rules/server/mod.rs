//! Server: what a request pays for, what it may reach, and what it sends to the browser.

mod callers;
mod client;
mod deeds;
mod entries;
mod names;

pub mod server_after_nonblocking;
pub mod server_auth_actions;
pub mod server_cache_lru;
pub mod server_cache_react;
pub mod server_dedup_props;
pub mod server_hoist_static_io;
pub mod server_no_shared_module_state;
pub mod server_parallel_fetching;
pub mod server_parallel_nested_fetching;
pub mod server_serialization;
